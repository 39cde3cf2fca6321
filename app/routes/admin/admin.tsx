import { type ShouldRevalidateFunctionArgs, useNavigation, useRouteError } from "react-router";
import { DeskTabs } from "#app/admin/desk-tabs.tsx";
import { PsychologistsTab } from "#app/admin/directory/psychologists-tab.tsx";
import { OverdueHelpLines } from "#app/admin/help-lines/overdue-help-lines.tsx";
import { Inbox } from "#app/admin/inbox/inbox.tsx";
import { UndeliveredMails } from "#app/admin/mail-desk/undelivered-mails.tsx";
import { useNextRow } from "#app/admin/next-row.ts";
import { Funnel } from "#app/admin/payments/funnel.tsx";
import { Payments } from "#app/admin/payments/payments.tsx";
import { ConsultationsTab } from "#app/admin/removal/consultations-tab.tsx";
import { Summary } from "#app/admin/summary.tsx";
import { PendingPsychologists } from "#app/admin/verification/pending-psychologists.tsx";
import { act, announce, fieldsOf, load, type PageContext, redirect, refusedForm } from "#app/lib/api.server.ts";
import { errorWords, refusalWords } from "#app/lib/error-words.ts";
import { dropUnknownParameters, orFirstPage } from "#app/lib/list-address.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { errorCodeOf } from "#app/lib/page-words.ts";
import { signInPath } from "#app/lib/sign-in-path.ts";
import { useSlowNavigation } from "#app/lib/slow-navigation.ts";
import { useRefusalToast } from "#app/parts/refusal-toast.ts";
import { Waiting } from "#app/parts/waiting.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { ErrorState, Retry } from "#app/ui/empty-state.tsx";
import { FormMessage } from "#app/ui/form-message.tsx";
import { Nook, NookCard } from "#app/ui/nook.tsx";
import type { AdminConsultationsView } from "#shared/admin.ts";
import { AppError, type ErrorBody } from "#shared/errors.ts";
import { LIMITS } from "#shared/limits.ts";
import { COUNTRIES } from "#shared/lists.ts";
import type { Route } from "./+types/admin.ts";
import "#app/admin/desk.css";

/** Visitors and users who are not the admin read the same words. */
const isDenied = (error: unknown) => ["sign_in_required", "admin_only"].includes(errorCodeOf(error));

export const meta: Route.MetaFunction = ({ error }) =>
  pageMeta(error ? errorWords(isDenied(error) ? "admin_only" : errorCodeOf(error)).title : "Panel de Administración");

const VIEWS = ["pendientes", "consultas", "psicologos", "mensajes", "membresias", "ayuda"] as const;
type View = (typeof VIEWS)[number];
/** Words of the address, in Spanish, for the states of the API. */
const STATE_WORDS = { verificados: "verified", pendientes: "pending", "por-comprobar": "due" } as const;
const GOLD_WORDS = { si: "yes", no: "no" } as const;
const NO_CONSULTATIONS: AdminConsultationsView = { items: [], next_cursor: null };
const meaning = <Words extends Record<string, string>>(
  words: Words,
  word: string | null,
): Words[keyof Words] | undefined =>
  word !== null && Object.hasOwn(words, word) ? words[word as keyof Words] : undefined;

/** What an address of the page asks for. */
function askedIn(parameters: URLSearchParams) {
  const given = (name: string) => parameters.get(name) || undefined;
  return {
    view: VIEWS.find((name) => name === parameters.get("vista")) ?? "pendientes",
    cursor: given("cursor"),
    q: given("q"),
    after: given("despues"),
    country: COUNTRIES.find((name) => name === parameters.get("pais")),
    state: meaning(STATE_WORDS, parameters.get("estado")),
    gold: meaning(GOLD_WORDS, parameters.get("gold")),
  };
}

/** The views that show decisions which may still be undone. */
const UNDOABLE_IN: readonly View[] = ["pendientes", "consultas", "psicologos"];

export const loader = (args: Route.LoaderArgs) =>
  load(args, async ({ api, now, failed }) => {
    // Before all others: it refuses everyone but the admin. A list that fails afterwards leaves the rest of the page standing.
    const summary = await api.admin.summary({}).catch((error: { code?: string }) => {
      if (error.code === "second_factor_required") throw redirect("/cuenta/segundo-paso?volver=/admin");
      throw error;
    });
    dropUnknownParameters(args, {
      vista: VIEWS,
      pais: COUNTRIES,
      estado: Object.keys(STATE_WORDS),
      gold: Object.keys(GOLD_WORDS),
    });
    const orNull = <List,>(list: Promise<List>) =>
      orFirstPage(args, list, "cursor", "despues").catch((error: unknown) => {
        if (error instanceof Response) throw error;
        failed(error);
        return null;
      });
    let searchError: string | undefined;
    const search = (asked: Parameters<typeof api.admin.consultations>[0]) =>
      api.admin.consultations(asked).catch((error: unknown) => {
        searchError = failed(error).fields?.q;
        if (!searchError) throw error;
        return NO_CONSULTATIONS;
      });
    const parameters = new URL(args.request.url).searchParams;
    const { view, cursor, q, after, country, state, gold } = askedIn(parameters);
    const [undoable, overdue, pending, mails, consultations, psychologists, inbox, funnel, payments] =
      await Promise.all([
        UNDOABLE_IN.includes(view) ? orNull(api.admin.undoable({})) : null,
        orNull(api.admin.overdueHelpLines({})),
        view === "pendientes" ? orNull(api.admin.pendingPsychologists({ after })) : null,
        view === "pendientes" ? orNull(api.admin.undeliveredMails({})) : null,
        view === "consultas" ? orNull(search({ q, cursor })) : null,
        view === "psicologos" ? orNull(api.admin.psychologists({ state, country, gold, cursor })) : null,
        view === "mensajes" ? orNull(api.inbox.read({})) : null,
        view === "membresias" ? orNull(api.funnel.read({})) : null,
        view === "membresias" ? orNull(api.payments.read({})) : null,
      ]);
    const query = Object.fromEntries(parameters);
    return {
      summary,
      view,
      query,
      searchError,
      undoable,
      overdue,
      pending,
      mails,
      consultations,
      psychologists,
      inbox,
      funnel,
      payments,
      now: now.toISOString(),
    };
  });

/** A refusal because something changed brings everything anew, what is decided about included. */
export const shouldRevalidate = ({ actionStatus, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) =>
  actionStatus === 409 || defaultShouldRevalidate;

export async function action(args: Route.ActionArgs) {
  const { intent, id = "", reason = "", version = "" } = fieldsOf(args);
  const decide = async (here: PageContext) => {
    const { admin } = here.api;
    if (intent === "delete") {
      const { credit_restored } = await admin.deleteConsultation({ id, version });
      announce(here, credit_restored ? "consultation_removed_credit" : "consultation_removed");
      throw redirect("/admin?vista=consultas");
    }
    if (intent === "approve" || intent === "renew") {
      await admin.approve({ id, version });
      announce(here, intent === "approve" ? "psychologist_approved" : "licence_checked");
    } else if (intent === "reject") {
      await admin.reject({ id, version, reason });
      announce(here, "psychologist_rejected");
    } else if (intent === "undo") {
      await admin.undo({ id });
      announce(here, "decision_undone");
    } else if (intent === "retry") {
      await admin.retryMail({ id, version });
      announce(here, "mail_retried");
    } else throw new AppError("malformed_request");
    // Back to the list that the form stood in.
    throw redirect(`/admin${new URL(args.request.url).search}`);
  };
  // Of a verification that failed on the server, the server's own message is told.
  const answer = await act(args, decide, intent === "delete" ? intent : "act");
  return refusedForm(args, answer, { id, reason, intent });
}

const overdueWords = (number: number) => `${number} por comprobar`;

export default function Admin({ loaderData, actionData }: Route.ComponentProps) {
  const { summary, view, query, undoable, overdue, pending, mails, now } = loaderData;
  const { consultations, psychologists, inbox, funnel, payments } = loaderData;
  const refused = useRefusalToast(actionData);
  const { id = "", reason = "", intent = "", at = 0 } = actionData ?? {};
  const decided = refused && { id, reason, intent, at, refused };
  // What changed says so where it stands; what stands here no longer says so above.
  const stands = [pending, mails, consultations?.items, psychologists?.items].some((list) =>
    list?.some((row) => row.id === id),
  );
  const beside = refused?.code === "changed_meanwhile" && stands ? decided : null;
  // After a decision the list stays until it is there anew: nothing jumps, and the keyboard keeps its place.
  const decidingNow = useNavigation().formMethod === "POST";
  const waiting = useSlowNavigation()?.pathname === "/admin" && !decidingNow;
  const keyboard = useNextRow(loaderData);
  const tab = (name: View, label: string, count: number | undefined) => ({
    to: name === "pendientes" ? "/admin" : `/admin?vista=${name}`,
    label,
    current: name === view,
    count,
  });
  return (
    <main id="contenido" className="page desk" {...keyboard}>
      <h1 className="title-xl">Panel de Administración</h1>
      <DeskTabs
        waiting={[
          tab("pendientes", "Pendientes", summary.pending),
          tab("mensajes", "Mensajes", summary.messages),
          tab("membresias", "Membresías", summary.payments),
        ]}
        totals={[
          tab("consultas", "Consultas", summary.consultations),
          tab("psicologos", "Psicólogos", summary.psychologists),
          { ...tab("ayuda", "Ayuda", overdue?.length), said: overdueWords },
        ]}
      />
      <div className="desk-work">
        {refused && !beside && <Refused key={at} refused={refused} />}
        {beside && <noscript>{<Refused refused={beside.refused} to={`#d-${beside.id}`} />}</noscript>}
        <Waiting on={waiting} skeleton={({ SkeletonRows }) => <SkeletonRows label="Cargando la lista" />}>
          {view === "consultas" && (
            <ConsultationsTab
              list={consultations}
              query={query}
              searchError={loaderData.searchError}
              now={now}
              changed={beside}
              undoable={undoable}
            />
          )}
          {view === "psicologos" && (
            <PsychologistsTab list={psychologists} query={query} now={now} refused={decided} undoable={undoable} />
          )}
          {view === "mensajes" &&
            (inbox ? (
              <Inbox inbox={inbox} now={now} />
            ) : (
              <ErrorState title="No se pudieron cargar los mensajes" action={<Retry />} />
            ))}
          {view === "membresias" && <Payments payments={payments} now={now} />}
          {view === "membresias" &&
            (funnel ? (
              <Funnel funnel={funnel} />
            ) : (
              <ErrorState title="No se pudieron cargar las membresías" action={<Retry />} />
            ))}
          {view === "ayuda" && <OverdueHelpLines lines={overdue} now={now} />}
          {view === "pendientes" && (
            <>
              <PendingPsychologists
                list={pending}
                more={summary.pending > LIMITS.adminPending}
                further={Boolean(query.despues)}
                now={now}
                refused={decided}
                undoable={undoable}
              />
              <UndeliveredMails list={mails} now={now} changed={beside} />
            </>
          )}
        </Waiting>
      </div>
      <Summary numbers={summary} />
    </main>
  );
}

function Refused({ refused, to }: { refused: ErrorBody; to?: string }) {
  const { title, description } = refusalWords(refused);
  return (
    <FormMessage title={title}>
      <p>
        {description} {to && <a href={to}>Ver cómo está ahora</a>}
      </p>
    </FormMessage>
  );
}

/** Says why the page is refused, with the status that the loader gave. */
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
