import { useState } from "react";
import { Form, Link, useNavigation } from "react-router";
import { Badge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { ConfirmDialog } from "#app/ui/dialog.tsx";
import { Panel } from "#app/ui/panel.tsx";
import type { MembershipView } from "#shared/memberships.ts";
import { amountWords, PLAN_NAMES } from "#shared/plans.ts";

/** A day in Spanish; in UTC, so that server and browser write the same. */
const day = (moment: string) =>
  new Intl.DateTimeFormat("es", { dateStyle: "long", timeZone: "UTC" }).format(new Date(moment));

/** The membership in force, for its owner: what it is, until when, and how to cancel it. */
export function MembershipCard({ membership, cancelling }: { membership: MembershipView; cancelling: boolean }) {
  const [asking, setAsking] = useState(cancelling);
  const { state, formData } = useNavigation();
  const busy = state !== "idle" && formData?.get("intent") === "cancel";
  const { id, plan_type, amount, currency, created_at, next_billing_date, can, provider } = membership;
  const facts: [string, string][] = [
    ["Plan", PLAN_NAMES[plan_type]],
    ["Precio", `${amountWords(amount, currency)} ${currency}${plan_type === "monthly" ? " por mes" : ""}`],
    ["Desde", day(created_at)],
    plan_type === "lifetime"
      ? ["Vence", "Nunca: es de por vida"]
      : ["Próximo pago", next_billing_date ? day(next_billing_date) : "Sin fecha"],
  ];
  return (
    <Panel tone="gold" className="stack">
      <div className="row between">
        <h2 className="h-m text-gold-ink">Ya tienes Membresía Gold</h2>
        <span className="row">
          <Badge tone="done">Activa</Badge>
          {provider === "test" && <Badge>Modo de prueba</Badge>}
        </span>
      </div>
      <dl className="grid grid-cols-2 gap-x-[1.5rem] gap-y-[.75rem]">
        {facts.map(([term, value]) => (
          <div key={term}>
            <dt className="text-sm text-ink-2">{term}</dt>
            <dd className="font-[620]">{value}</dd>
          </div>
        ))}
      </dl>
      {can.cancel ? (
        <>
          <p>
            <Link
              to="/planes?cancelar=1"
              className="btn btn--danger btn--s"
              preventScrollReset
              onClick={(event) => {
                if (event.metaKey || event.ctrlKey) return;
                event.preventDefault();
                setAsking(true);
              }}
            >
              Cancelar la suscripción
            </Link>
          </p>
          <ConfirmDialog
            open={asking}
            onClose={() => setAsking(false)}
            title="¿Cancelar tu Membresía Gold?"
            cancel="Seguir con Gold"
            action={
              <Form method="post" action="/planes">
                <input type="hidden" name="intent" value="cancel" />
                <input type="hidden" name="id" value={id} />
                <Button type="submit" variant="danger" busy={busy} busyText="Cancelando…">
                  Cancelar la suscripción
                </Button>
              </Form>
            }
          >
            <p>
              Gold termina en este momento, aunque ya hayas pagado el mes: pierdes las respuestas ilimitadas, las
              estadísticas y la insignia. No hay reembolsos.
            </p>
          </ConfirmDialog>
        </>
      ) : (
        <p className="text-sm text-ink-2">La membresía Lifetime se paga una sola vez y no se cancela.</p>
      )}
    </Panel>
  );
}

/** Every membership and payment of the owner, the newest first. */
export function MembershipHistory({ memberships }: { memberships: readonly MembershipView[] }) {
  const rows = memberships.flatMap((membership) =>
    (membership.payments.length ? membership.payments : [null]).map((payment) => ({ membership, payment })),
  );
  if (!rows.length) return null;
  return (
    <Panel title="Historial de tu membresía">
      <table className="data mt-[.75rem]">
        <caption className="sr">Membresías y pagos, el más nuevo primero</caption>
        <thead>
          <tr>
            <th scope="col">Fecha</th>
            <th scope="col">Plan</th>
            <th scope="col">Pago</th>
            <th scope="col">Estado</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ membership, payment }) => (
            <tr key={payment?.external_payment_id ?? membership.id}>
              <th scope="row">{day(payment?.created_at ?? membership.created_at)}</th>
              <td data-label="Plan">{PLAN_NAMES[membership.plan_type]}</td>
              <td data-label="Pago" className="num">
                {payment ? `${amountWords(payment.amount, payment.currency)} ${payment.currency}` : "Sin pago todavía"}
                {membership.provider === "test" && <span className="faint"> · modo de prueba</span>}
              </td>
              <td data-label="Estado">
                {membership.in_force
                  ? "Activa"
                  : membership.cancelled_at
                    ? `Terminó el ${day(membership.cancelled_at)}`
                    : "Vencida"}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}
