import { useState } from "react";
import { Link } from "react-router";
import { ActionForm, SubmitButton } from "#app/components/action-form.tsx";
import { formatDate, formatUntil } from "#app/lib/format.ts";
import { handleInPage } from "#app/lib/modified-click.ts";
import { Badge } from "#app/ui/badge.tsx";
import { ConfirmDialog } from "#app/ui/dialog.tsx";
import { FormMessage } from "#app/ui/form-message.tsx";
import { Figures, Panel } from "#app/ui/panel.tsx";
import type { MembershipView, PlansView } from "#shared/memberships.ts";
import { formatAmount, PLAN_NAMES, PROVIDER_NAMES } from "#shared/plans.ts";
import { historyStatusText, membershipStatusText } from "./membership-status-text.ts";
import "./payment.css";

type MembershipCardProps = { membership: MembershipView; granted: PlansView["granted"]; cancelling: boolean };

export function MembershipCard({ membership, granted, cancelling }: MembershipCardProps) {
  const [asking, setAsking] = useState(cancelling);
  const { id, plan_type, amount, currency, created_at, can, provider } = membership;
  const { badge, tone, date, note } = membershipStatusText(membership);
  const facts: [string, string][] = [
    ["Plan", PLAN_NAMES[plan_type]],
    ["Precio", `${formatAmount(amount, currency)} ${currency}${plan_type === "monthly" ? " por mes" : ""}`],
    ["Desde", formatDate(created_at)],
    date,
  ];
  return (
    <Panel tone="gold" className="stack">
      <div className="row row--apart">
        <h2 className="title-m membership__title">Ya tienes Membresía Gold</h2>
        <span className="row">
          <Badge tone={tone}>{badge}</Badge>
          {provider === "test" && <Badge>Modo de prueba</Badge>}
        </span>
      </div>
      <Figures items={facts} className="membership__facts" />
      {note && <p>{note}</p>}
      {can.cancel && membership.membership_status !== "ending" ? (
        <>
          <p>
            <Link
              to="/planes?cancelar=1"
              className="button button--danger button--small"
              preventScrollReset
              onClick={handleInPage(() => setAsking(true))}
            >
              Cancelar la suscripción
            </Link>
          </p>
          {asking && (
            <ConfirmDialog
              onClose={() => setAsking(false)}
              title="¿Cancelar tu Membresía Gold?"
              cancel="Seguir con Gold"
              action={
                <ActionForm action="/planes" fields={{ intent: "cancel", id }}>
                  <SubmitButton variant="danger" busyText="Cancelando…">
                    Cancelar la suscripción
                  </SubmitButton>
                </ActionForm>
              }
            >
              <p>
                {granted
                  ? `Tu plan termina en este momento${provider === "test" ? "" : ", aunque ya hayas pagado el mes, y no hay devoluciones"}. Lo que te otorgó el equipo sigue: tienes Gold ${formatUntil(granted.ends_at)}.`
                  : provider === "test"
                    ? "Gold termina en este momento: pierdes las respuestas ilimitadas, las estadísticas y la insignia. En modo de prueba no se ha cobrado dinero."
                    : "Gold termina en este momento, aunque ya hayas pagado el mes: pierdes las respuestas ilimitadas, las estadísticas y la insignia. No hay devoluciones."}
              </p>
            </ConfirmDialog>
          )}
        </>
      ) : (
        plan_type === "lifetime" && (
          <p className="text-muted small">La membresía Lifetime se paga una sola vez y no se cancela.</p>
        )
      )}
    </Panel>
  );
}

export function CancelledMembership({ membership, focused }: { membership: MembershipView; focused: boolean }) {
  const { cancelled_at, provider_cancellation } = membership;
  const open = provider_cancellation === "waiting" || provider_cancellation === "closed";
  return (
    <FormMessage tone="ok" title="Tu suscripción está cancelada" focused={focused}>
      {cancelled_at && `Terminó el ${formatDate(cancelled_at)}. `}
      {!open && "No se te cobrará nada más. "}Si quieres volver, elige un plan cuando quieras.
    </FormMessage>
  );
}

const PAYMENT_STATUS: Record<MembershipView["payments"][number]["status"], string> = {
  pending: "pendiente",
  completed: "pagado",
  failed: "no se cobró",
  partially_refunded: "devuelto en parte",
  refunded: "devuelto",
  reversed: "devuelto tras un reclamo",
};

export function MembershipHistory({ memberships }: { memberships: readonly MembershipView[] }) {
  const rows = memberships.flatMap((membership) =>
    (membership.payments.length ? membership.payments : [null]).map((payment) => ({ membership, payment })),
  );
  if (!rows.length) return null;
  return (
    <Panel title="Historial de tu membresía">
      <table className="data-table above-3">
        <caption className="visually-hidden">Membresías y pagos, el más nuevo primero</caption>
        <thead>
          <tr>
            <th scope="col">Fecha</th>
            <th scope="col">Plan</th>
            <th scope="col">Pago</th>
            <th scope="col">Membresía</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ membership, payment }) => (
            <tr key={payment?.external_payment_id ?? membership.id}>
              <th scope="row">{formatDate(payment?.created_at ?? membership.created_at)}</th>
              <td data-label="Plan">
                {PLAN_NAMES[membership.plan_type]}
                <span className="faint"> · {PROVIDER_NAMES[membership.provider]}</span>
              </td>
              <td data-label="Pago" className="tabular-nums">
                {payment ? (
                  <>
                    {formatAmount(payment.amount, payment.currency)} {payment.currency}
                    <span className="faint">
                      {" "}
                      · {PAYMENT_STATUS[payment.status]}
                      {payment.disputed && ", en disputa"}
                    </span>
                  </>
                ) : (
                  "Sin pago todavía"
                )}
              </td>
              <td data-label="Membresía">{historyStatusText(membership)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}

export function OpenAtProvider({ memberships }: { memberships: readonly MembershipView[] }) {
  return memberships
    .filter(({ can, in_force }) => can.cancel && !in_force)
    .map(({ id, provider }) => (
      <FormMessage key={id} tone="info" title={`${PROVIDER_NAMES[provider]} puede volver a intentar el cobro`}>
        Esta membresía ya no te da Gold, pero allí sigue abierta. Si el cobro llega, Gold vuelve; si no la quieres más,
        cancélala.
        <ActionForm action="/planes" fields={{ intent: "cancel", id }} className="above-3">
          <SubmitButton variant="soft" small className="on-tint" busyText="Cancelando…">
            Cancelar la suscripción
          </SubmitButton>
        </ActionForm>
      </FormMessage>
    ));
}

/** Cancellations that the provider has not confirmed. It may still charge. Closed cancellations are no longer sent. */
export function UnconfirmedCancellations({ memberships }: { memberships: readonly MembershipView[] }) {
  const closed = memberships.filter(({ provider_cancellation }) => provider_cancellation === "closed");
  const waiting = memberships.filter(({ provider_cancellation }) => provider_cancellation === "waiting");
  return [...closed, ...waiting].map(({ id, provider, provider_cancellation, external_subscription_id }) => {
    const name = PROVIDER_NAMES[provider];
    return provider_cancellation === "closed" ? (
      <FormMessage key={id} tone="info" title={`Comprueba en ${name} que tu suscripción ha terminado`}>
        Aquí terminó, pero {name} nunca lo confirmó y ya no lo intentamos. Su número es {external_subscription_id}. Si
        ves un cobro nuevo, escríbenos y lo devolvemos.
      </FormMessage>
    ) : (
      <FormMessage key={id} tone="info" title={`${name} todavía no ha confirmado que tu suscripción ha terminado`}>
        Le avisamos otra vez hasta que lo haga. Si ves un cobro nuevo, escríbenos y lo devolvemos.
        <ActionForm
          action="/planes"
          fields={{ intent: "retry_cancellation", id: external_subscription_id }}
          className="above-3"
        >
          <SubmitButton variant="soft" small className="on-tint" busyText="Avisando…">
            Avisar otra vez
          </SubmitButton>
        </ActionForm>
      </FormMessage>
    );
  });
}

/** Gold granted by the team, shown to its owner, perhaps beside a membership. It has no price and no next charge. */
export function GrantedCard({ granted, beside }: { granted: NonNullable<PlansView["granted"]>; beside: boolean }) {
  return (
    <Panel tone="gold" className="stack">
      <div className="row row--apart">
        <h2 className="title-m membership__title">
          {beside ? "Además, Gold otorgado por el equipo" : "Tienes Gold, otorgado por el equipo"}
        </h2>
        <Badge tone="done">Activo</Badge>
      </div>
      <p>
        Gold {formatUntil(granted.ends_at)}. No pagas nada por esto y no se renueva.
        {beside
          ? " Es aparte de tu plan, que sigue como está: si lo cancelas, esto te queda."
          : " Si compras un plan, se cobra desde hoy."}
      </p>
    </Panel>
  );
}
