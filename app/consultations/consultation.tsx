import { useEffect } from "react";
import { href, Link, useLocation, useNavigate } from "react-router";
import { AnswerCard } from "#app/answers/answer-card.tsx";
import { answerDraft, REPLY_DRAFTS, useOrphanedReplies } from "#app/answers/own-text.ts";
import { ProfessionalBox } from "#app/answers/professional-box.tsx";
import type { ConsultationPath } from "#app/answers/replies.tsx";
import { AskLink } from "#app/components/ask-link.tsx";
import { ForAuthor } from "#app/components/for-author.tsx";
import { MissedList } from "#app/components/missed-list.tsx";
import { MoreItems } from "#app/components/more-items.tsx";
import { SkeletonBoundary } from "#app/components/skeleton-boundary.tsx";
import { UnsentDrafts } from "#app/components/unsent.tsx";
import { ErrorPage } from "#app/layout/error-page.tsx";
import { useAuth } from "#app/lib/auth-context.tsx";
import { type FailureHandle, outage, pageError } from "#app/lib/client-error-messages.ts";
import { CONSULTATION_DRAFT, type DraftValues, deleteDraft, editDraft, readDraft } from "#app/lib/drafts.ts";
import { descriptionOf, pluralize } from "#app/lib/format.ts";
import type { HelpHandle } from "#app/lib/help-path.ts";
import { readListParameters, redirectOnInvalidCursor } from "#app/lib/list-parameters.server.ts";
import { NOINDEX, pageMeta } from "#app/lib/page-meta.ts";
import { runLoader, withErrorCode } from "#app/lib/page-request.server.ts";
import { type PagedList, patchItem, usePagedList } from "#app/lib/paged-list.ts";
import { reloadAfterConflict } from "#app/lib/reload-after-conflict.ts";
import { signInPath } from "#app/lib/sign-in-path.ts";
import { useDelayedNavigation } from "#app/lib/slow-navigation.ts";
import { questionPage } from "#app/lib/structured-data.server.ts";
import { useWayBackToFeed } from "#app/lib/way-back.ts";
import { withQuery } from "#app/lib/with-query.ts";
import { HelpLinesStrip } from "#app/safety/first-calls.tsx";
import { BackLink } from "#app/ui/back-link.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { FilterSelect } from "#app/ui/filter-select.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Panel } from "#app/ui/panel.tsx";
import type { AnswerView } from "#shared/answers.ts";
import type { ConsultationDetailView } from "#shared/consultations.ts";
import { isUuid, UUID_PATTERN } from "#shared/ids.ts";
import { ANSWER_SORTS, type AnswerSort } from "#shared/sorts.ts";
import { tintOf } from "#shared/tint.ts";
import { AnswerNotice } from "./answer-notice.tsx";
import { ConsultationBody } from "./consultation-body.tsx";
import { RelatedConsultations } from "./related-consultations.tsx";
import { DonationPanel } from "./sidebar.tsx";
import "./consultation.css";
import type { Route } from "./+types/consultation.ts";

export const handle = {
  helpCountry: (shown) => (shown?.detail.viewer.mine ? shown.detail.consultation.country : null),
  failed: { load: outage("No se pudo cargar la consulta") },
} satisfies HelpHandle<Route.ComponentProps["loaderData"]> & FailureHandle;

const SORTS: Record<AnswerSort, { word: string; label: string }> = {
  recent: { word: "recientes", label: "Recientes" },
  oldest: { word: "antiguas", label: "Antiguas" },
  votes: { word: "votadas", label: "Más votadas" },
};

export const meta: Route.MetaFunction = ({ loaderData, error }) => {
  if (!loaderData) return pageMeta(pageError(error).title);
  const { title, content, response_count, noindex } = loaderData.detail.consultation;
  const tags = pageMeta(title, descriptionOf(content));
  return response_count > 0 && !noindex ? tags : [...tags, NOINDEX];
};

export const loader = (args: Route.LoaderArgs) =>
  runLoader(args, async ({ api, publicUrl, donationUrl, structuredData }) => {
    const { orden } = readListParameters(args, { orden: ANSWER_SORTS.map((name) => SORTS[name].word) });
    const parameters = args.url.searchParams;
    const sort = ANSWER_SORTS.find((name) => SORTS[name].word === orden) ?? "recent";
    const idIn = (name: string) => {
      const value = parameters.get(name);
      return isUuid(value) ? value : undefined;
    };
    const asked = {
      id: args.params.id,
      sort,
      cursor: parameters.get("desde") || undefined,
      answer: idIn("respuesta"),
      replies_cursor: parameters.get("comentarios") || undefined,
      reply: idIn("comentario"),
    };
    const found = redirectOnInvalidCursor(args, api.consultations.get(asked), ["desde", "comentarios"]);
    const detail = await withErrorCode(found, { not_found: "consultation_not_found" });
    const { id, country } = detail.consultation;
    const [helpLines, related] = await Promise.all([api.safety.helpLines({ country }), api.search.related({ id })]);
    structuredData.push(...questionPage(detail, publicUrl));
    return { detail, sort, helpLines, related, publicUrl, donationUrl };
  });

export const shouldRevalidate = reloadAfterConflict;

/** True if a typed text is the published one. Publishing changes only white space. */
const isSameText = (typed: DraftValues[string], published: string) =>
  typeof typed === "string" && typed.split(/\s+/).filter(Boolean).join(" ") === published.split(/\s+/).join(" ");

export default function Consultation({ loaderData }: Route.ComponentProps) {
  const { detail, sort, helpLines, related, publicUrl, donationUrl } = loaderData;
  const mayAsk = useAuth().viewer?.user_type !== "psychologist";
  const { consultation, viewer } = detail;
  const { id } = consultation;
  const path = href("/consulta/:id", { id });
  const back = useWayBackToFeed();
  useEffect(() => patchItem(id, consultation), [id, consultation]);
  const address: ConsultationPath = (parameters, place) =>
    `${withQuery(path, { orden: sort === "recent" ? null : SORTS[sort].word, ...parameters })}#${place}`;
  const first = { items: detail.answers, next_cursor: detail.next_answers_cursor };
  const pageAt = (cursor: string) => `/api/consultations/${id}/answers?${new URLSearchParams({ sort, cursor })}`;
  const answers = usePagedList(first, pageAt, { name: "respuestas", reloads: true });
  useLinkedItem(id);
  const orphaned = useOrphanedReplies(answers.items);
  const sorting = useDelayedNavigation()?.pathname === path;
  // The draft of this consultation is superfluous now. The author may have begun another one.
  const { mine } = viewer;
  const { title, content } = consultation;
  useEffect(() => {
    const draft = mine ? readDraft(CONSULTATION_DRAFT) : null;
    if (!draft || !isSameText(draft.title, title) || !isSameText(draft.content, content)) return;
    if (draft.sent) document.querySelector("h1")?.focus({ preventScroll: true });
    deleteDraft(CONSULTATION_DRAFT);
  }, [mine, title, content]);
  return (
    <main id="contenido" className="page split">
      <div className="thread">
        <BackLink {...back}>Volver a las consultas</BackLink>
        <ConsultationBody key={id} detail={detail} publicUrl={publicUrl} />
        {mayAsk && (
          <div className="thread__part">
            <HelpLinesStrip lines={helpLines} />
          </div>
        )}
        <div className="row row--apart thread__head">
          <h2 className="title-l" id="respuestas" tabIndex={-1}>
            {pluralize(consultation.response_count, "respuesta", "respuestas")}
          </h2>
          {consultation.response_count > 1 && (
            <FilterSelect
              label="Ordenar respuestas"
              name="orden"
              value={SORTS[sort].word}
              action={path}
              button="Ordenar"
              replace
            >
              {ANSWER_SORTS.map((name) => (
                <option key={name} value={SORTS[name].word}>
                  {SORTS[name].label}
                </option>
              ))}
            </FilterSelect>
          )}
        </div>
        <MissedList />
        <SkeletonBoundary
          on={sorting}
          skeleton={({ SkeletonList }) => <SkeletonList of="answers" label="Cargando respuestas" />}
        >
          <Answers detail={detail} answers={answers} address={address} orphaned={orphaned} />
        </SkeletonBoundary>
        {mayAsk && (
          // The author's document contains it hidden, so that its length is the same.
          <Panel title="¿Te pasa algo parecido?" className="thread__part" hidden={mine}>
            <p className="text-muted panel__lead">Puedes preguntar con tu nombre o de forma anónima.</p>
            <AskLink small />
          </Panel>
        )}
        {viewer.answering && (
          <div className="thread__part">
            <ProfessionalBox key={id} consultationId={id} answering={viewer.answering} />
          </div>
        )}
      </div>
      {related.length > 0 && (
        <aside className="aside thread__aside" aria-label="Otras consultas">
          <RelatedConsultations consultations={related} />
        </aside>
      )}
      {donationUrl && (
        <div className="thread thread__donation">
          <DonationPanel url={donationUrl} />
        </div>
      )}
    </main>
  );
}

const PLACE = new RegExp(`^#(?:respuestas|(?:votar-)?(respuesta|comentario)-(${UUID_PATTERN}))$`);

/**
 * Focuses the linked answer or reply, and loads its page if it is on a later page of the list. Without JavaScript our own
 * links contain the query parameter. Focuses the title of the answers if the link names it.
 */
function useLinkedItem(id: string): void {
  const location = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    const { hash, search } = location;
    const linked = PLACE.exec(hash);
    if (!linked) return;
    const place = document.getElementById(hash.slice(1));
    place?.focus({ preventScroll: true });
    const [, kind, item] = linked;
    if (place || !kind || !item || search.includes(item)) return;
    navigate(`${href("/consulta/:id", { id })}?${new URLSearchParams({ [kind]: item })}${hash}`, { replace: true });
  }, [location, id, navigate]);
}

interface AnswersProps {
  detail: ConsultationDetailView;
  answers: PagedList<AnswerView>;
  address: ConsultationPath;
  orphaned: string[];
}

function Answers({ detail, answers, address, orphaned }: AnswersProps) {
  const { viewer: me } = useAuth();
  const { consultation, viewer, leaves_out } = detail;
  return (
    <>
      {leaves_out.answers && (
        <Link className="icon-link" to={address({}, "respuestas")}>
          Ver todas las respuestas
        </Link>
      )}
      {orphaned.length > 0 && <UnsentDrafts keys={orphaned} />}
      {answers.items.length === 0 && !leaves_out.answers ? (
        <EmptyState title="Aún no hay respuestas de profesionales para esta consulta.">
          <ForAuthor mine={viewer.mine}>
            <AnswerNotice id={consultation.id} mails={viewer.notify_on_answer ?? false} />
          </ForAuthor>
        </EmptyState>
      ) : (
        <div className={`answers tint-${tintOf(consultation.id)}`}>
          {answers.items.map((answer) => (
            <AnswerCard
              key={answer.id}
              answer={answer}
              canReply={viewer.can.reply}
              address={address}
              repliesFromStart={leaves_out.replies_of !== answer.id}
            />
          ))}
          <MoreItems
            list={answers}
            to={(cursor) => address({ desde: cursor }, "respuestas")}
            failed="No se pudieron cargar más respuestas."
            inThread={{
              label: "Ver más respuestas",
              count: !leaves_out.answers && `${answers.items.length} de ${consultation.response_count}`,
              elementId: (answer) => `respuesta-${answer.id}`,
            }}
          />
          {!me && (
            <Link
              className="button button--soft button--small answers__sign-in"
              to={signInPath(address({}, "respuestas"))}
            >
              <Icon name="reply" size="s" />
              Inicia sesión para comentar
            </Link>
          )}
        </div>
      )}
    </>
  );
}

/** If the consultation was deleted while the viewer was writing, shows the drafts to be copied. */
export function ErrorBoundary({ params }: Route.ErrorBoundaryProps) {
  return (
    <ErrorPage>
      <UnsentDrafts keys={[answerDraft(params.id), REPLY_DRAFTS, editDraft("")]} />
    </ErrorPage>
  );
}
