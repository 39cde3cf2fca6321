import { redirect, type ShouldRevalidateFunctionArgs, useNavigation, useRouteError } from "react-router";
import { decisionFor } from "#app/admin/decisions.server.ts";
import { DeskTabs } from "#app/admin/desk-tabs.tsx";
import { PSYCHOLOGIST_FILTERS } from "#app/admin/directory/psychologists-tab.server.ts";
import { useNextRow } from "#app/admin/next-row.ts";
import { Summary } from "#app/admin/summary.tsx";
import { loadTab } from "#app/admin/tab-loaders.server.ts";
import { tabRequest } from "#app/admin/tab-request.server.ts";
import { showsRow, TabScreen } from "#app/admin/tab-screens.tsx";
import { TABS, type TabName, tabAddress } from "#app/admin/tabs.ts";
import { useDecisionToasts } from "#app/admin/undo.tsx";
import { errorWords, refusalWords } from "#app/lib/error-words.ts";
import { dropUnknownParameters } from "#app/lib/list-parameters.server.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { act, announce, fieldsOf, load, type PageContext, refusedForm } from "#app/lib/page-request.server.ts";
import { errorCodeOf } from "#app/lib/page-words.ts";
import { signInPath } from "#app/lib/sign-in-path.ts";
import { useSlowNavigation } from "#app/lib/slow-navigation.ts";
import { useRefusalToast } from "#app/parts/refusal-toast.ts";
import { Waiting } from "#app/parts/waiting.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { Retry } from "#app/ui/error-state.tsx";
import { FormMessage } from "#app/ui/form-message.tsx";
import { Nook, NookCard } from "#app/ui/nook.tsx";
import type { ErrorBody } from "#shared/errors.ts";
import type { Route } from "./+types/admin.ts";
import "#app/admin/desk.css";

/** True for visitors and users, who see the same error. */
const isDenied = (error: unknown) => ["sign_in_required", "admin_only"].includes(errorCodeOf(error));

export const meta: Route.MetaFunction = ({ error }) =>
  pageMeta(error ? errorWords(isDenied(error) ? "admin_only" : errorCodeOf(error)).title : "Panel de Administración");

export const loader = (args: Route.LoaderArgs) =>
  load(args, async ({ api, now }) => {
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
  const { intent, id = "", reason = "", version = "" } = fieldsOf(args);
  const decide = async (here: PageContext) => {
    const notice = await decisionFor(intent)(here.api, { id, version, reason });
    if (notice) announce(here, notice);
    // Returns to the list that contained the form.
    throw redirect(`/admin${args.url.search}`);
  };
  // If a verification fails, the page shows the server's own message.
  const result = await act(args, decide, intent === "delete" ? intent : "act");
  return refusedForm(args, result, { id, reason });
}

const overdueWords = (number: number) => `${number} por comprobar`;

export default function Admin({ loaderData, actionData }: Route.ComponentProps) {
  const { summary, query, overdue, tab, now } = loaderData;
  const refused = useRefusalToast(actionData);
  const finalWordsOf = useDecisionToasts(tab.data && "undoable" in tab.data ? tab.data.undoable : null);
  const { id = "", reason = "", at = 0 } = actionData ?? {};
  const decision = refused && { id, reason, at, refused };
  // The message is next to the changed row, or above the lists if the row is not on screen.
  const beside = refused?.code === "changed_meanwhile" && showsRow(tab, id) ? decision : null;
  // The old list stays during a decision, so that the layout and the focus do not jump.
  const decidingNow = useNavigation().formMethod === "POST";
  const waiting = useSlowNavigation()?.pathname === "/admin" && !decidingNow;
  const keyboard = useNextRow(loaderData);
  const link = (name: TabName, label: string, count: number | undefined) => ({
    to: tabAddress(name),
    label,
    current: name === tab.name,
    count,
  });
  return (
    <main id="contenido" className="page desk" {...keyboard}>
      <h1 className="title-xl">Panel de Administración</h1>
      <DeskTabs
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
      <div className="desk-work">
        {refused && !beside && <Refused key={at} refused={refused} final={finalWordsOf(id)} />}
        {beside && <noscript>{<Refused refused={beside.refused} to={`#d-${beside.id}`} />}</noscript>}
        <Waiting on={waiting} skeleton={({ SkeletonRows }) => <SkeletonRows label="Cargando la lista" />}>
          <TabScreen
            tab={tab}
            query={query}
            now={now}
            summary={summary}
            overdue={overdue}
            refused={decision}
            changed={beside}
          />
        </Waiting>
      </div>
      <Summary numbers={summary} />
    </main>
  );
}

function Refused({ refused, to, final }: { refused: ErrorBody; to?: string; final?: string }) {
  const { title, description } = refusalWords(refused);
  return (
    <FormMessage title={title}>
      <p>
        {(refused.code === "undo_too_late" && final) || description} {to && <a href={to}>Ver cómo está ahora</a>}
      </p>
    </FormMessage>
  );
}

export function ErrorBoundary() {
  const error = useRouteError();
  const code = errorCodeOf(error);
  const denied = isDenied(error);
  const { title, description } = errorWords(denied ? "admin_only" : code);
  return (
    <Nook title={title}>
      <NookCard>
        <p>{description}</p>
        <div className="row">
          {code === "sign_in_required" && <ButtonLink to={signInPath("/admin")}>Iniciar Sesión</ButtonLink>}
          {!denied && <Retry />}
          <ButtonLink to="/" variant="soft">
            Volver al inicio
          </ButtonLink>
        </div>
      </NookCard>
    </Nook>
  );
}
