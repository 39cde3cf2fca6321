import { formatUntil } from "#app/lib/format.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Panel } from "#app/ui/panel.tsx";
import type { PlansView } from "#shared/memberships.ts";

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
