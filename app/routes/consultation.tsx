import { useEffect } from "react";
import { Link } from "react-router";
import { AnswerCard } from "#app/consultations/answer-card.tsx";
import { ConsultationForm } from "#app/consultations/consultation-form.tsx";
import { DeleteControl, EditControl } from "#app/consultations/own-words.tsx";
import { ProfessionalBox } from "#app/consultations/professional-box.tsx";
import { type RelatedConsultation, RelatedConsultations } from "#app/consultations/related-consultations.tsx";
import { ShareControl } from "#app/consultations/share-control.tsx";
import { DonationPanel } from "#app/consultations/sidebar.tsx";
import { VoteButtons } from "#app/consultations/vote-buttons.tsx";
import { load } from "#app/lib/api.server.ts";
import { forgetDraft } from "#app/lib/drafts.ts";
import type { HelpHandle } from "#app/lib/help-address.ts";
import { counted } from "#app/lib/numbers.ts";
import { useSlowNavigation } from "#app/lib/slow-navigation.ts";
import { tintOf } from "#app/lib/tint.ts";
import { HelpLinesStrip } from "#app/safety/help-lines.tsx";
import { Avatar } from "#app/ui/avatar.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { BackIcon, PlusIcon } from "#app/ui/icon.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { RelativeTime } from "#app/ui/relative-time.tsx";
import { Tabs } from "#app/ui/tabs.tsx";
import { PlainText } from "#app/ui/text.tsx";
import { Waiting } from "#app/ui/waiting.tsx";
import { AppError } from "#shared/errors.ts";
import { ANSWER_SORTS, type AnswerSort } from "#shared/lists.ts";
import { PRODUCT_NAME } from "#shared/product.ts";
import type { Route } from "./+types/consultation.ts";

const MOST_RELATED = 4;

export const handle = {
  helpCountry: (shown) => (shown?.detail.viewer.mine ? shown.detail.consultation.country : null),
} satisfies HelpHandle<Route.ComponentProps["loaderData"]>;

const SORTS: Record<AnswerSort, { word: string; label: string }> = {
  recent: { word: "recientes", label: "Recientes" },
  oldest: { word: "antiguas", label: "Antiguas" },
  votes: { word: "votadas", label: "Más votadas" },
};

export const meta: Route.MetaFunction = ({ loaderData, location }) => {
  if (!loaderData) return [{ title: `Consulta no encontrada · ${PRODUCT_NAME}` }];
  const { title, content } = loaderData.detail.consultation;
  const description = content.length > 155 ? `${content.slice(0, 154).trimEnd()}…` : content;
  return [
    { title: `${title} · ${PRODUCT_NAME}` },
    { name: "description", content: description },
    { tagName: "link", rel: "canonical", href: `${loaderData.publicUrl}${location.pathname}` },
  ];
};

export const loader = (args: Route.LoaderArgs) =>
  load(args, async ({ api, viewer, now, publicUrl, donationUrl }) => {
    const word = new URL(args.request.url).searchParams.get("orden");
    const sort = ANSWER_SORTS.find((name) => SORTS[name].word === word) ?? "recent";
    const detail = await api.consultations.get({ id: args.params.id, sort }).catch((error: unknown) => {
      // An address that is no id names no consultation.
      throw (error as { code?: string }).code === "not_found" ? new AppError("consultation_not_found") : error;
    });
    const { id, country, category } = detail.consultation;
    const [helpLines, alike] = await Promise.all([
      api.safety.helpLines({ country }),
      api.consultations.list({ category: category ?? undefined } as Parameters<typeof api.consultations.list>[0]),
    ]);
    const related: RelatedConsultation[] = alike.items
      .filter((other) => other.id !== id)
      .slice(0, MOST_RELATED)
      .map(({ id, title, country, response_count }) => ({ id, title, country, response_count }));
    const me = viewer();
    const signedIn = me !== null;
    const mayAsk = me?.user_type !== "psychologist";
    return { detail, sort, helpLines, related, signedIn, mayAsk, now: now.toISOString(), publicUrl, donationUrl };
  });

export default function Consultation({ loaderData }: Route.ComponentProps) {
  const { detail, sort, helpLines, related, signedIn, mayAsk, now, publicUrl, donationUrl } = loaderData;
  const { consultation, answers, viewer } = detail;
  const { id, title, content, country, category, is_anonymous, author_label } = consultation;
  const tint = tintOf(id);
  const sorting = useSlowNavigation()?.pathname === `/consulta/${id}`;
  // Whoever arrives at their own consultation has published it: its draft has done its work.
  useEffect(() => {
    if (viewer.mine) forgetDraft("consultation");
  }, [viewer.mine]);
  return (
    <main id="contenido" className="page split">
      <div className="thread">
        <Link className="golink" to="/#consultas">
          <BackIcon size="s" />
          Volver a las consultas
        </Link>
        <article className={`ask t${tint}`}>
          <p className="meta">
            {category && <span className="cat">{category}</span>}
            <span>{country}</span>
            <RelativeTime datetime={consultation.created_at} now={now} />
            {consultation.edited_at && <span>editado</span>}
          </p>
          <h1>{title}</h1>
          <p className="by">
            <Avatar name={author_label} anonymous={is_anonymous} size="s" />
            <span>{author_label}</span>
          </p>
          <PlainText text={content} />
          <div className="ask__foot">
            <VoteButtons
              action={`/consulta/${id}/voto`}
              counts={{ upvotes: consultation.upvotes, downvotes: consultation.downvotes, vote: viewer.vote }}
              what="de la consulta"
            />
            <div className="row gap-[.25rem]! self-stretch has-[details[open]]:basis-full md:has-[details[open]]:-ml-[1rem] [&>details>div]:ml-[.75rem] md:[&>details>div]:ml-[1rem]">
              <ShareControl url={`${publicUrl}/consulta/${id}`} title={title} warns={viewer.mine && is_anonymous} />
              {viewer.can.edit && (
                <EditControl key={consultation.edited_at} what="tu consulta">
                  {/* Sticking to the window's edge is for dialogs and whole pages. */}
                  <div className="panel [&_:has(>.acts)]:static! [&_:has(>.acts)]:mx-0! [&_:has(>.acts)]:mb-0! [&_:has(>.acts)]:px-0!">
                    <ConsultationForm
                      editing={{ id, is_anonymous }}
                      values={{
                        title,
                        content,
                        country,
                        category: category ?? "",
                        is_anonymous: is_anonymous ? "on" : "",
                        author_name: viewer.author_name ?? "",
                      }}
                    />
                  </div>
                </EditControl>
              )}
              {viewer.can.delete && <DeleteControl kind="consultation" id={id} />}
              {viewer.can.remove && <DeleteControl kind="removal" id={id} label="Eliminar consulta" />}
            </div>
          </div>
        </article>
        <div className="thread__part">
          <HelpLinesStrip groups={helpLines} country={helpLines.country} />
        </div>
        <div className="row between thread__head">
          <h2 className="h-l">{counted(consultation.response_count, "respuesta", "respuestas")}</h2>
          {answers.length > 1 && (
            <Tabs
              label="Ordenar respuestas"
              replace
              items={ANSWER_SORTS.map((name) => ({
                to: name === "recent" ? `/consulta/${id}` : `/consulta/${id}?orden=${SORTS[name].word}`,
                label: SORTS[name].label,
                current: name === sort,
              }))}
            />
          )}
        </div>
        <Waiting on={sorting} skeleton={({ SkeletonAnswers }) => <SkeletonAnswers label="Cargando respuestas" />}>
          {answers.length === 0 ? (
            <EmptyState title="Aún no hay respuestas de profesionales para esta consulta.">
              {viewer.mine &&
                "Guarda este enlace: la respuesta aparece aquí cuando una psicóloga o un psicólogo la escriba."}
            </EmptyState>
          ) : (
            <div className="answers">
              {answers.map((answer) => (
                <AnswerCard
                  key={answer.id}
                  answer={answer}
                  now={now}
                  tint={tint}
                  canReply={viewer.can.reply}
                  signedIn={signedIn}
                  consultationId={id}
                />
              ))}
            </div>
          )}
        </Waiting>
        {mayAsk && !viewer.mine && (
          <Panel title="¿Te pasa algo parecido?" className="thread__part">
            <p className="soft panel__lede">Puedes preguntar con tu nombre o de forma anónima.</p>
            <ButtonLink to={signedIn ? "/nueva-consulta" : "/auth?volver=/nueva-consulta"} small icon={<PlusIcon />}>
              Nueva Consulta
            </ButtonLink>
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
        <div className="thread lg:mt-[1.5rem]">
          <DonationPanel url={donationUrl} />
        </div>
      )}
    </main>
  );
}
