import { redirect, type ShouldRevalidateFunctionArgs, useNavigation, useRouteError } from "react-router";
import { AdminTabs } from "#app/admin/admin-tabs.tsx";
import { decisionHandler } from "#app/admin/decisions.server.ts";
import { PSYCHOLOGIST_FILTERS } from "#app/admin/directory/psychologists-tab.server.ts";
import { useRowFocus } from "#app/admin/row-focus.ts";
import { Summary } from "#app/admin/summary.tsx";
import { loadTab } from "#app/admin/tab-loaders.server.ts";
import { tabRequest } from "#app/admin/tab-request.server.ts";
import { showsRow, TabScreen } from "#app/admin/tab-screens.tsx";
import { TABS, type TabName, tabPath } from "#app/admin/tabs.ts";
import { useDecisionToasts } from "#app/admin/undo-banners.tsx";
import { useActionErrorToast } from "#app/components/action-error-toast.ts";
import { SkeletonBoundary } from "#app/components/skeleton-boundary.tsx";
import { errorCodeOf } from "#app/lib/client-error-messages.ts";
import { browserErrorMessage, errorMessage } from "#app/lib/error-messages.ts";
import { dropUnknownParameters } from "#app/lib/list-parameters.server.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import {
  formErrorResponse,
  formFields,
  type PageContext,
  runAction,
  runLoader,
  setFlash,
} from "#app/lib/page-request.server.ts";
import { signInPath } from "#app/lib/sign-in-path.ts";
import { useDelayedNavigation } from "#app/lib/slow-navigation.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { CenteredPage, CenteredPageCard } from "#app/ui/centered-page.tsx";
import { Retry } from "#app/ui/error-state.tsx";
import { FormMessage } from "#app/ui/form-message.tsx";
import type { ErrorBody } from "#shared/errors.ts";
import type { Route } from "./+types/admin.ts";
import "#app/admin/admin.css";

/** True for visitors and users, who see the same error. */
const isDenied = (error: unknown) => ["sign_in_required", "admin_only"].includes(errorCodeOf(error));

export const meta: Route.MetaFunction = ({ error }) =>
  pageMeta(error ? errorMessage(isDenied(error) ? "admin_only" : errorCodeOf(error)).title : "Panel de Administración");

export const loader = (args: Route.LoaderArgs) =>
  runLoader(args, async ({ api, now }) => {
    // Loaded first, because it rejects all viewers except the administrator. A list that fails later does not break the
    // page.
    const summary = await api.admin.summary({}).catch((error: { code?: string }) => {
      if (error.code === "second_factor_required") throw redirect("/cuenta/segundo-paso?volver=/admin");
      throw error;
    });
    dropUnknownParameters(args, { vista: TABS, ...PSYCHOLOGIST_FILTERS });
    const query = Object.fromEntries(args.url.searchParams);
    const request = tabRequest(args);
    const [overdue, tab] = await Promise.all([
      request.orNull(api.admin.overdueHelpLines({})),
      loadTab(TABS.find((name) => name === args.url.searchParams.get("vista")) ?? TABS[0], request),
    ]);
    return { summary, query, overdue, tab, now: now.toISOString() };
  });

/** Reloads all data after a 409, including the changed row. */
export const shouldRevalidate = ({ actionStatus, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) =>
  actionStatus === 409 || defaultShouldRevalidate;

export async function action(args: Route.ActionArgs) {
  const { intent, id = "", reason = "", version = "" } = formFields(args);
  const decide = async (ctx: PageContext) => {
    const notice = await decisionHandler(intent)(ctx.api, { id, version, reason });
    if (notice) setFlash(ctx, notice);
    // Returns to the list that contained the form.
    throw redirect(`/admin${args.url.search}`);
  };
  // If a verification fails, the page shows the server's own message.
  const result = await runAction(args, decide, intent === "delete" ? intent : "act");
  return formErrorResponse(args, result, { id, reason });
}

const overdueWords = (number: number) => `${number} por comprobar`;

export default function Admin({ loaderData, actionData }: Route.ComponentProps) {
  const { summary, query, overdue, tab, now } = loaderData;
  const actionError = useActionErrorToast(actionData);
  const finalWordsOf = useDecisionToasts(tab.data && "undoable" in tab.data ? tab.data.undoable : null);
  const { id = "", reason = "", at = 0 } = actionData ?? {};
  const decision = actionError && { id, reason, at, actionError };
  // The message is next to the changed row, or above the lists if the row is not on screen.
  const beside = actionError?.code === "version_conflict" && showsRow(tab, id) ? decision : null;
  // The old list stays during a decision, so that the layout and the focus do not jump.
  const decidingNow = useNavigation().formMethod === "POST";
  const waiting = useDelayedNavigation()?.pathname === "/admin" && !decidingNow;
  const keyboard = useRowFocus(loaderData);
  const link = (name: TabName, label: string, count: number | undefined) => ({
    to: tabPath(name),
    label,
    current: name === tab.name,
    count,
  });
  return (
    <main id="contenido" className="page admin" {...keyboard}>
      <h1 className="title-xl">Panel de Administración</h1>
      <AdminTabs
        waiting={[
          link("pendientes", "Pendientes", summary.pending),
          link("mensajes", "Mensajes", summary.messages),
          link("membresias", "Membresías", summary.payments),
        ]}
        totals={[
          link("consultas", "Consultas", summary.consultations),
          link("psicologos", "Psicólogos", summary.psychologists),
          { ...link("ayuda", "Ayuda", overdue?.length), said: overdueWords },
        ]}
      />
      <div className="admin__content">
        {actionError && !beside && <Refused key={at} actionError={actionError} final={finalWordsOf(id)} />}
        {beside && <noscript>{<Refused actionError={beside.actionError} to={`#d-${beside.id}`} />}</noscript>}
        <SkeletonBoundary on={waiting} skeleton={({ SkeletonRows }) => <SkeletonRows label="Cargando la lista" />}>
          <TabScreen
            tab={tab}
            query={query}
            now={now}
            summary={summary}
            overdue={overdue}
            actionError={decision}
            changed={beside}
          />
        </SkeletonBoundary>
      </div>
      <Summary numbers={summary} />
    </main>
  );
}

function Refused({ actionError, to, final }: { actionError: ErrorBody; to?: string; final?: string }) {
  const { title, description } = browserErrorMessage(actionError);
  return (
    <FormMessage title={title}>
      <p>
        {(actionError.code === "undo_too_late" && final) || description} {to && <a href={to}>Ver cómo está ahora</a>}
      </p>
    </FormMessage>
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
