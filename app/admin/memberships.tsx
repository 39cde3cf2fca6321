import { type FailureHandle, outage } from "#app/lib/client-error-messages.ts";
import { formatCount } from "#app/lib/format.ts";
import { reloadAfterConflict } from "#app/lib/reload-after-conflict.ts";
import { ErrorState } from "#app/ui/empty-state.tsx";
import type { FunnelView } from "#shared/memberships.ts";
import type { Route } from "./+types/memberships.ts";
import { ListHeader } from "./list-header.tsx";
import { Payments } from "./payments.tsx";
import { loadSection, sectionAction } from "./section.server.ts";
import { useDecisions } from "./use-decisions.tsx";
import "./memberships.css";

export const handle: FailureHandle = { failed: { load: outage("No se pudieron cargar las membresías") } };

export const loader = (args: Route.LoaderArgs) =>
  loadSection(args, async ({ api, orNull }) => {
    const [payments, funnel] = await Promise.all([orNull(api.payments.read({})), orNull(api.funnel.read({}))]);
    return { payments, funnel };
  });

export const action = sectionAction({
  handle: async ({ payments }, { id, version }) => {
    await payments.handle({ id, version });
    return "payment_problem_handled";
  },
  read: async ({ payments }, { id }) => `payment_read_${(await payments.readNow({ id })).outcome}`,
});

export const shouldRevalidate = reloadAfterConflict;

export default function Memberships({ loaderData: { payments, funnel }, actionData }: Route.ComponentProps) {
  const { failedOf, refusal } = useDecisions(actionData, payments?.problems ?? []);
  return (
    <>
      {refusal}
      <Payments payments={payments} failedOf={failedOf} />
      {funnel ? <Funnel funnel={funnel} /> : <ErrorState title="No se pudieron cargar las membresías" />}
    </>
  );
}

const STEPS = [
  ["view_premium_plans", "Vieron los planes"],
  ["plan_selection", "Eligieron un plan"],
  ["subscription_success", "Se suscribieron"],
] as const;

function Funnel({ funnel }: { funnel: FunnelView }) {
  return (
    <section aria-labelledby="funnel">
      <ListHeader id="funnel" title="Camino a Gold">
        Se cuentan veces, no personas: no se guarda quién fue.
      </ListHeader>
      <div className="three-columns">
        {funnel.map((row) => (
          <section key={row.days} className="panel" aria-label={`Últimos ${row.days} días`}>
            <h3 className="title-s">Últimos {row.days} días</h3>
            <ul className="stack above-4">
              {STEPS.map(([name, label]) => (
                <li key={name}>
                  <p className="row row--apart funnel__step">
                    <span className="text-muted">{label}</span>
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

/** Percentage of the largest step. The first step may be smaller, because nothing counts views without JavaScript. */
const share = (value: number, row: FunnelView[number]): number =>
  (value / Math.max(1, ...STEPS.map(([name]) => row[name]))) * 100;
