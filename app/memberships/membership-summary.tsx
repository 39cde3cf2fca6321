import { GoldBadge } from "#app/components/badges.tsx";
import { formatUntil } from "#app/lib/format.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Panel } from "#app/ui/panel.tsx";
import type { PlansView } from "#shared/memberships.ts";
import { CONFIRMING, pendingText } from "./checkout-messages.ts";
import { membershipStatusText } from "./membership-status-text.ts";

export function MembershipSummary({ plans, hasGold }: { plans: PlansView; hasGold: boolean }) {
  const { membership, granted, promotion, pending_checkout: pending } = plans;
  // A full page load, because the plans page has a separate CSP.
  if (hasGold)
    return (
      <Panel tone="gold" label="Membresía Gold">
        <p className="row">
          <GoldBadge className="on-tint" />
          {membership?.provider === "test" && <Badge>Modo de prueba</Badge>}
        </p>
        <h2 className="above-3">
          {membership?.plan_type === "lifetime"
            ? "Membresía Gold de por vida"
            : membership
              ? "Membresía Gold mensual"
              : "Membresía Gold"}
        </h2>
        <p className="panel__note">
          {membership
            ? membershipStatusText(membership).summary
            : granted
              ? `Activa. Gold ${formatUntil(granted.ends_at)}, otorgado por el equipo. No pagas nada.`
              : "Activa."}
        </p>
        <p className="row above-4">
          <a className="button button--small button--soft on-tint" href="/planes">
            Ver mi membresía
          </a>
          {membership?.can.cancel && membership.membership_status !== "ending" && (
            <a className="button button--small button--quiet" href="/planes?cancelar=1">
              Cancelar
            </a>
          )}
        </p>
      </Panel>
    );
  if (pending)
    return (
      <Panel title={CONFIRMING}>
        <p className="text-muted panel__lead">{pendingText(pending)}</p>
        <a className="button button--soft button--wide" href="/planes">
          Ver el estado del pago
        </a>
      </Panel>
    );
  return (
    <Panel
      tone="deep"
      title={promotion ? "Lanzamiento Gold: acceso de por vida por 50 USD" : "Responde sin límite con Gold"}
    >
      <p className="text-muted panel__lead">
        {promotion && (
          <>
            Para los primeros {promotion.places} profesionales:{" "}
            <b>{promotion.places_left === 1 ? "queda 1 lugar" : `quedan ${promotion.places_left} lugares`}</b>.{" "}
          </>
        )}
        Respuestas ilimitadas, estadísticas de tu perfil, visibilidad en el ranking y soporte prioritario.
      </p>
      <a className="button button--accent button--wide" href={promotion ? "/planes?plan=lifetime" : "/planes"}>
        Ver los planes Gold
      </a>
    </Panel>
  );
}
