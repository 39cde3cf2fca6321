import { NavLink, Outlet, useLocation, useNavigation, useRouteError } from "react-router";
import { useRowFocus } from "#app/admin/row-focus.ts";
import { loadAdminPage } from "#app/admin/section.server.ts";
import { SkeletonBoundary } from "#app/components/skeleton-boundary.tsx";
import { ErrorPage } from "#app/layout/error-page.tsx";
import { pageError } from "#app/lib/client-error-messages.ts";
import { errorMessage } from "#app/lib/error-messages.ts";
import { samePage } from "#app/lib/network-errors.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { nullOnError } from "#app/lib/page-request.server.ts";
import { reloadAfterConflict } from "#app/lib/reload-after-conflict.ts";
import { signInPath } from "#app/lib/sign-in-path.ts";
import { useDelayedNavigation } from "#app/lib/slow-navigation.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { CenteredPage } from "#app/ui/centered-page.tsx";
import { Retry } from "#app/ui/empty-state.tsx";
import { useCurrentInView } from "#app/ui/link-row.tsx";
import type { Route } from "./+types/desk.ts";
import "#app/admin/admin.css";
import { useRef } from "react";
import { formatCount, pluralize } from "#app/lib/format.ts";
import { classNames } from "#app/ui/class-names.ts";
import type { AdminSummaryView } from "#shared/admin.ts";
import "#app/admin/admin-tabs.css";

/** True for visitors and users, who see the same error, but not for a text of a session that has ended. */
function isDenied(error: unknown): boolean {
  const { code, unsent } = pageError(error);
  return !unsent && ["sign_in_required", "admin_only"].includes(code);
}

const LABELS = {
  "/admin": "Pendientes",
  "/admin/mensajes": "Mensajes",
  "/admin/membresias": "Membresías",
  "/admin/consultas": "Consultas",
  "/admin/psicologos": "Psicólogos",
  "/admin/ayuda": "Ayuda",
} as const;
type Section = keyof typeof LABELS;

export const meta: Route.MetaFunction = ({ error, location }) =>
  pageMeta(
    error
      ? errorMessage(isDenied(error) ? "admin_only" : pageError(error).code).title
      : `Panel de Administración: ${LABELS[location.pathname.replace(/\/$/, "") as Section]}`,
  );

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

export default function Desk({ loaderData }: Route.ComponentProps) {
  const { summary, overdue } = loaderData;
  // The old list stays during a decision, so that the layout and the focus do not jump.
  const decidingNow = useNavigation().formMethod === "POST";
  const next = useDelayedNavigation();
  const { pathname } = useLocation();
  const loading = next !== null && samePage(next.pathname, "/admin") && !decidingNow;
  // A filter of the open section stays, and so does its focus.
  const leaving = loading && next.pathname !== pathname;
  const keyboard = useRowFocus(loaderData);
  const totals: [string, number][] = [
    ["Total de psicólogos", summary.psychologists],
    ["Pendientes", summary.pending],
    ["Verificados", summary.verified],
    ["Total de consultas", summary.consultations],
  ];
  return (
    <main id="contenido" className="page rows admin" {...keyboard}>
      <h1 className="title-xl">Panel de Administración</h1>
      <AdminTabs summary={summary} overdue={overdue} />
      <div className="admin__content" aria-busy={(loading && !leaving) || undefined}>
        <SkeletonBoundary
          on={leaving}
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
  const { code, unsent } = pageError(error);
  const denied = isDenied(error);
  if (unsent) return <ErrorPage />;
  const { title, description } = errorMessage(denied ? "admin_only" : code);
  return (
    <CenteredPage title={title} card>
      <p>{description}</p>
      <div className="row">
        {code === "sign_in_required" && <ButtonLink to={signInPath("/admin")}>Iniciar Sesión</ButtonLink>}
        {!denied && <Retry />}
        <ButtonLink to="/" variant="soft">
          Volver al inicio
        </ButtonLink>
      </div>
    </CenteredPage>
  );
}

function AdminTabs({ summary, overdue = 0 }: { summary: AdminSummaryView; overdue: number | undefined }) {
  const strip = useRef<HTMLElement>(null);
  useCurrentInView(strip);
  const wait = (count: number) => pluralize(count, "espera", "esperan");
  const inTotal = (count: number) => `${formatCount(count)} en total`;
  return (
    <nav className="strip admin-tabs" aria-label="Secciones" ref={strip}>
      <span className="admin-tabs__group" aria-hidden="true">
        Por decidir
      </span>
      <Tab to="/admin" count={summary.pending} said={wait} />
      <Tab to="/admin/mensajes" count={summary.messages} said={wait} />
      <Tab to="/admin/membresias" count={summary.payments} said={wait} />
      <span className="admin-tabs__group" aria-hidden="true">
        Para consultar
      </span>
      <Tab to="/admin/consultas" total count={summary.consultations} said={inTotal} />
      <Tab to="/admin/psicologos" total count={summary.psychologists} said={inTotal} />
      <Tab to="/admin/ayuda" total count={overdue} said={(count) => `${count} por comprobar`} />
    </nav>
  );
}

type TabProps = { to: Section; count: number; total?: boolean; said(count: number): string };

const Tab = ({ to, count, total, said }: TabProps) => (
  <NavLink className="pill" to={to} end preventScrollReset>
    {LABELS[to]}
    {count > 0 && (
      <span className={classNames("admin-tabs__count", total && "is-total")}>
        <span aria-hidden="true">{formatCount(count)}</span>
        <span className="visually-hidden"> ({said(count)})</span>
      </span>
    )}
  </NavLink>
);
