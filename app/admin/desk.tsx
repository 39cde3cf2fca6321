import { Outlet, useNavigation, useRouteError } from "react-router";
import { SkeletonBoundary } from "#app/components/skeleton-boundary.tsx";
import { errorCodeOf } from "#app/lib/client-error-messages.ts";
import { errorMessage } from "#app/lib/error-messages.ts";
import { formatCount } from "#app/lib/numbers.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { nullOnError } from "#app/lib/page-request.server.ts";
import { samePage } from "#app/lib/same-page.ts";
import { signInPath } from "#app/lib/sign-in-path.ts";
import { useDelayedNavigation } from "#app/lib/slow-navigation.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { CenteredPage, CenteredPageCard } from "#app/ui/centered-page.tsx";
import { Retry } from "#app/ui/error-state.tsx";
import type { Route } from "./+types/desk.ts";
import { AdminTabs } from "./admin-tabs.tsx";
import { reloadAfterConflict } from "./decisions.tsx";
import { useRowFocus } from "./row-focus.ts";
import { loadAdminPage } from "./section.server.ts";
import "./admin.css";

/** True for visitors and users, who see the same error. */
const isDenied = (error: unknown) => ["sign_in_required", "admin_only"].includes(errorCodeOf(error));

export const meta: Route.MetaFunction = ({ error }) =>
  pageMeta(error ? errorMessage(isDenied(error) ? "admin_only" : errorCodeOf(error)).title : "Panel de Administración");

/** Rejects all viewers except the administrator. A list of a section that fails does not break the page. */
export const loader = (args: Route.LoaderArgs) =>
  loadAdminPage(args, async (ctx) => {
    const [summary, overdue] = await Promise.all([
      ctx.api.admin.summary({}),
      nullOnError(ctx, ctx.api.admin.overdueHelpLines({})),
    ]);
    return { summary, overdue: overdue?.length };
  });

export const shouldRevalidate = reloadAfterConflict;

/** Layout of the administration: four totals, the tabs, and the section in the URL. */
export default function Desk({ loaderData }: Route.ComponentProps) {
  const { summary, overdue } = loaderData;
  // The old list stays during a decision, so that the layout and the focus do not jump.
  const decidingNow = useNavigation().formMethod === "POST";
  const next = useDelayedNavigation();
  const waiting = next !== null && samePage(next.pathname, "/admin") && !decidingNow;
  const keyboard = useRowFocus(loaderData);
  const totals: [string, number][] = [
    ["Total de psicólogos", summary.psychologists],
    ["Pendientes", summary.pending],
    ["Verificados", summary.verified],
    ["Total de consultas", summary.consultations],
  ];
  return (
    <main id="contenido" className="page admin" {...keyboard}>
      <h1 className="title-xl">Panel de Administración</h1>
      <AdminTabs summary={summary} overdue={overdue} />
      <div className="admin__content">
        <SkeletonBoundary
          on={waiting}
          skeleton={({ SkeletonList }) => <SkeletonList of="rows" label="Cargando la lista" />}
        >
          <Outlet context={summary} />
        </SkeletonBoundary>
      </div>
      <ul className="admin-summary" aria-label="Resumen">
        {totals.map(([label, value]) => (
          <li key={label}>
            <b>{formatCount(value)}</b> <span>{label}</span>
          </li>
        ))}
      </ul>
    </main>
  );
}

export function ErrorBoundary() {
  const error = useRouteError();
  const code = errorCodeOf(error);
  const denied = isDenied(error);
  const { title, description } = errorMessage(denied ? "admin_only" : code);
  return (
    <CenteredPage title={title}>
      <CenteredPageCard>
        <p>{description}</p>
        <div className="row">
          {code === "sign_in_required" && <ButtonLink to={signInPath("/admin")}>Iniciar Sesión</ButtonLink>}
          {!denied && <Retry />}
          <ButtonLink to="/" variant="soft">
            Volver al inicio
          </ButtonLink>
        </div>
      </CenteredPageCard>
    </CenteredPage>
  );
}
