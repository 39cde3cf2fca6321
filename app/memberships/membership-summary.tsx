import { longDate } from "#app/lib/dates.ts";
import { GoldBadge } from "#app/parts/badges.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { Panel } from "#app/ui/panel.tsx";
import type { MembershipView, PlansView } from "#shared/memberships.ts";
import { amountWords } from "#shared/plans.ts";

/** The next charge, or the date until which Gold lasts. */
function nextCharge(membership: MembershipView): string | null {
  const { plan_type, provider, status, standing, next_billing_date, amount, currency } = membership;
  if (plan_type === "lifetime") return "No tiene próximos cobros.";
  if (!next_billing_date) return null;
  if (provider === "test") return `Gold hasta el ${longDate(next_billing_date)}; no se cobra dinero.`;
  return status === "active" && standing !== "ending"
    ? `Próximo cobro: ${longDate(next_billing_date)}, ${amountWords(amount, currency)} ${currency}.`
    : `Gold hasta el ${longDate(next_billing_date)}.`;
}

/** The membership in force, or the way to one: with the launch promotion while it has places (specification, section 2). */
export function MembershipSummary({ plans, hasGold }: { plans: PlansView; hasGold: boolean }) {
  const { membership, promotion } = plans;
  // A full page load, since the plans page has a security policy of its own.
  if (hasGold)
    return (
      <Panel tone="gold" label="Membresía Gold">
        <p className="row">
          <GoldBadge className="on-tint" />
          {membership?.provider === "test" && <Badge>Modo de prueba</Badge>}
        </p>
        <h2 className="panel__part">
          {membership?.plan_type === "lifetime"
            ? "Membresía Gold de por vida"
            : membership
              ? "Membresía Gold mensual"
              : "Membresía Gold"}
        </h2>
        <p className="panel__note">
          {membership?.status === "cancelled" ? "Cancelada." : "Activa."} {membership && nextCharge(membership)}
        </p>
        <p className="panel__act">
          <a className="button button--small button--soft on-tint" href="/planes">
            Ver mi membresía
          </a>
        </p>
      </Panel>
    );
  return (
    <Panel
      tone="deep"
      title={promotion ? "Lanzamiento Gold: acceso de por vida por 50 USD" : "Responde sin límite con Gold"}
    >
      <p className="soft panel__lead">
        {promotion && (
          <>
            Para los primeros {promotion.places} profesionales:{" "}
            <b>{promotion.places_left === 1 ? "queda 1 lugar" : `quedan ${promotion.places_left} lugares`}</b>.{" "}
          </>
        )}
        Respuestas ilimitadas, estadísticas de tu perfil, visibilidad en el ranking y soporte prioritario.
      </p>
      <a className="button button--lamp button--wide" href="/planes">
        Ver los planes Gold
      </a>
    </Panel>
  );
}
