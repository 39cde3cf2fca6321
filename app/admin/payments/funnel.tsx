import { ListHeader } from "#app/admin/list-header.tsx";
import { formatCount } from "#app/lib/numbers.ts";
import type { FunnelView } from "#shared/memberships.ts";
import "./funnel.css";

const STEPS = [
  ["view_premium_plans", "Vieron los planes"],
  ["plan_selection", "Eligieron un plan"],
  ["subscription_success", "Se suscribieron"],
] as const;

/** Conversion from views of the plans to memberships, per period. */
export function Funnel({ funnel }: { funnel: FunnelView }) {
  return (
    <section aria-labelledby="funnel">
      <ListHeader id="funnel" title="Camino a Gold">
        Se cuentan veces, no personas: no se guarda quién fue.
      </ListHeader>
      <div className="funnel">
        {funnel.map((row) => (
          <section key={row.days} className="panel" aria-label={`Últimos ${row.days} días`}>
            <h3 className="title-s">Últimos {row.days} días</h3>
            <ul className="funnel__steps">
              {STEPS.map(([name, label]) => (
                <li key={name}>
                  <p className="row row--apart funnel__step">
                    <span>{label}</span>
                    <b className="tabular-nums">{formatCount(row[name])}</b>
                  </p>
                  <div className="bar funnel__bar" aria-hidden="true">
                    <i style={{ width: `${share(row[name], row)}%` }} />
                  </div>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </section>
  );
}

/** Percentage of the largest step. The first step may be smaller, because views without JavaScript are not counted. */
function share(value: number, row: FunnelView[number]): number {
  const most = Math.max(...STEPS.map(([name]) => row[name]));
  return most ? (value / most) * 100 : 0;
}
