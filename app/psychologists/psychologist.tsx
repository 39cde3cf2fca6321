import { Fragment, useEffect } from "react";
import { href, Link } from "react-router";
import { GoldBadge, PendingBadge, VerifiedBadge } from "#app/components/badges.tsx";
import { type FailureHandle, outage, pageError } from "#app/lib/client-error-messages.ts";
import { descriptionOf, pluralize } from "#app/lib/format.ts";
import { NOINDEX, pageMeta } from "#app/lib/page-meta.ts";
import { nullOnError, runLoader, withErrorCode } from "#app/lib/page-request.server.ts";
import { postJson } from "#app/lib/post-json.ts";
import { profilePage } from "#app/lib/structured-data.server.ts";
import { ReviewForm } from "#app/reviews/review-form.tsx";
import { ReviewList } from "#app/reviews/review-list.tsx";
import { Avatar } from "#app/ui/avatar.tsx";
import { BackLink } from "#app/ui/back-link.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { PlainText } from "#app/ui/plain-text.tsx";
import { RelativeTime } from "#app/ui/relative-time.tsx";
import { Rating, STAR_VALUES } from "#app/ui/stars.tsx";
import type { Country } from "#shared/countries.ts";
import { excerpt } from "#shared/excerpt.ts";
import { REGISTERS } from "#shared/licence-registers.ts";
import { PRODUCT_NAME } from "#shared/product.ts";
import type { PsychologistView } from "#shared/psychologists.ts";
import { tintOf } from "#shared/tint.ts";
import type { Route } from "./+types/psychologist.ts";
import { StatisticsOffer, StatisticsPanel } from "./statistics.tsx";
import "./psychologist.css";

export const handle: FailureHandle = { failed: { load: outage("No se pudo cargar el perfil del psicólogo") } };

export const meta: Route.MetaFunction = ({ loaderData, error }) => {
  if (!loaderData) return pageMeta(pageError(error).title);
  const { full_name, bio, is_verified } = loaderData.psychologist;
  const tags = pageMeta(full_name, descriptionOf(bio ?? `Respuestas de ${full_name} en ${PRODUCT_NAME}.`));
  return is_verified ? tags : [...tags, NOINDEX];
};

export const loader = (args: Route.LoaderArgs) =>
  runLoader(args, async (ctx) => {
    const { api, publicUrl, structuredData } = ctx;
    const { id } = args.params;
    const psychologist = await withErrorCode(api.psychologists.get({ id }), { not_found: "psychologist_not_found" });
    const { mine, can } = psychologist.viewer;
    const statistics = can.see_statistics ? await api.psychologists.statistics({ id }) : null;
    const panel = mine && !statistics ? await nullOnError(ctx, api.psychologists.panel({})) : null;
    const paymentPending = panel?.payment_pending ?? false;
    // The page shows three lines of each answer. The whole texts would be most of its size.
    const answers = psychologist.answers.map((answer) => ({ ...answer, content: excerpt(answer.content) }));
    const shown = { ...psychologist, answers };
    structuredData.push(...profilePage(psychologist, publicUrl));
    return { psychologist: shown, statistics, paymentPending };
  });

export default function Psychologist({
  loaderData: { psychologist, statistics, paymentPending },
}: Route.ComponentProps) {
  const { id, answers, rating, reviews, total_reviews, viewer } = psychologist;
  const { mine } = viewer;
  // The browser records the visit, because a prefetch does not count.
  useEffect(() => {
    if (!mine) postJson(`/api/psychologists/${id}/views`, {}, { keepalive: true }).catch(() => {});
  }, [id, mine]);
  return (
    <main id="contenido" className="page">
      <BackLink to="/?vista=ranking#consultas">Ranking de Psicólogos</BackLink>
      <Identity psychologist={psychologist} />
      {mine && (
        <div className="section">
          {statistics ? <StatisticsPanel statistics={statistics} /> : <StatisticsOffer pending={paymentPending} />}
        </div>
      )}
      <div className="split split--even section">
        <section aria-labelledby="respuestas">
          <h2 id="respuestas" className="title-l column__head">
            Respuestas recientes
          </h2>
          {answers.length === 0 ? (
            <EmptyState
              title={`Todavía no ${mine ? "has" : "ha"} respondido consultas.`}
              drawing={null}
              action={mine && <Link to="/#consultas">Ver las consultas</Link>}
            />
          ) : (
            <div className="column">
              {answers.map((answer) => (
                <article key={answer.id} className={`recent-answer tint-${tintOf(answer.consultation.id)}`}>
                  <h3 className="recent-answer__title">
                    <Link className="title-link" to={href("/consulta/:id", { id: answer.consultation.id })}>
                      <span data-nosnippet={answer.consultation.noindex || undefined}>{answer.consultation.title}</span>
                    </Link>
                  </h3>
                  <div className="recent-answer__text">
                    <p className="clamped">{answer.content}</p>
                    <p className="meta above">
                      <RelativeTime datetime={answer.created_at} />
                      <span className="tabular-nums">
                        {pluralize(answer.upvotes - answer.downvotes, "voto", "votos")}
                      </span>
                    </p>
                  </div>
                </article>
              ))}
            </div>
          )}
        </section>
        <section aria-labelledby="resenas">
          <h2 id="resenas" className="title-l column__head">
            Reseñas {total_reviews > 0 && <span className="faint tabular-nums">{total_reviews}</span>}
          </h2>
          <div className="stack">
            {rating !== null && (
              <StarDistribution counts={psychologist.rating_counts} total={total_reviews} rating={rating} />
            )}
            {!mine && (
              <Panel title="Escribir una reseña" level={3} id="escribir" className="stack">
                <ReviewForm key={id} psychologistId={id} own={viewer.review} />
              </Panel>
            )}
            {reviews.length === 0 ? (
              <EmptyState title="Todavía no tiene reseñas." drawing={null} />
            ) : (
              <ReviewList reviews={reviews} own={viewer.review} psychologistId={id} />
            )}
            {total_reviews > reviews.length && reviews.length > 0 && (
              <p className="faint">Se muestran las {reviews.length} más recientes.</p>
            )}
          </div>
        </section>
      </div>
    </main>
  );
}

const verifiedOn = new Intl.DateTimeFormat("es", {
  day: "2-digit",
  month: "2-digit",
  year: "numeric",
  timeZone: "UTC",
});
/** Links written by users: `nofollow` for search engines, and no referrer. */
const EXTERNAL_LINK_REL = "nofollow ugc noopener noreferrer";

function Identity({ psychologist }: { psychologist: PsychologistView }) {
  const { full_name, is_verified, verified_at, rating, total_reviews, total_responses, links } = psychologist;
  const registers = REGISTERS[psychologist.country as Country] ?? [];
  return (
    <header className={`rows identity tint-${tintOf(psychologist.id)}`}>
      <Avatar name={full_name} src={psychologist.avatar_url} size="xl" />
      <div className="stack stack--close">
        <p className="row identity__badges">
          {is_verified ? <VerifiedBadge of={psychologist} /> : <PendingBadge />}
          {psychologist.has_gold && <GoldBadge label="Membresía Gold" />}
          <Badge icon={<Icon name="id" size="s" />}>{psychologist.license_badge}</Badge>
        </p>
        <h1>
          {full_name}
          {is_verified && <Icon name="verified" className="identity__tick" />}
        </h1>
        <p className="text-muted small facts">
          {psychologist.specialty && <span>{psychologist.specialty}</span>}
          {psychologist.country && (
            <span>
              <Icon name="pin" size="s" />
              {psychologist.country}
            </span>
          )}
          {rating !== null && <Rating value={rating} count={pluralize(total_reviews, "reseña", "reseñas")} />}
          <span>
            <Icon name="talk" size="s" />
            {pluralize(total_responses, "respuesta", "respuestas")}
          </span>
        </p>
        {psychologist.bio && <PlainText text={psychologist.bio} className="plain-text identity__bio" />}
        {(links.whatsapp || links.phone || links.website) && (
          <div className="row identity__links">
            {links.whatsapp && (
              <a className="button" href={links.whatsapp} rel={EXTERNAL_LINK_REL}>
                <Icon name="whats-app" />
                Escribir por WhatsApp
              </a>
            )}
            {links.phone && (
              <a className="button button--soft on-tint" href={links.phone}>
                <Icon name="phone" />
                <span className="visually-hidden">Teléfono:</span>
                {psychologist.phone}
              </a>
            )}
            {links.website && (
              <a className="icon-link" href={links.website.href} rel={EXTERNAL_LINK_REL}>
                <Icon name="globe" size="s" />
                {links.website.label}
              </a>
            )}
          </div>
        )}
        {links.whatsapp && <p className="faint">Si escribes por WhatsApp, se ve tu número.</p>}
        {verified_at && (
          <p className="faint" id="verificacion" tabIndex={-1}>
            Matrícula verificada el {verifiedOn.format(new Date(verified_at))} por el equipo de {PRODUCT_NAME}
            {registers.length > 0 && (
              <>
                ; puedes buscarla en el registro público de {psychologist.country}:{" "}
                {registers.map(({ name, url }, at) => (
                  <Fragment key={url}>
                    {at > 0 && " y "}
                    <a href={url} rel="noopener noreferrer">
                      {name}
                    </a>
                  </Fragment>
                ))}
              </>
            )}
            . La matrícula vale en su jurisdicción.
          </p>
        )}
      </div>
    </header>
  );
}

function StarDistribution({ counts, total, rating }: { counts: number[]; total: number; rating: number }) {
  return (
    <div className="panel star-distribution">
      <p className="star-distribution__mean">
        <Rating value={rating} />
      </p>
      <ul>
        {STAR_VALUES.toReversed().map((stars) => {
          const count = counts[stars - 1] ?? 0;
          return (
            <li key={stars}>
              <span aria-hidden="true">{stars}</span>
              <span className="bar">
                <i style={{ width: `${(count / total) * 100}%` }} />
              </span>
              <span className="visually-hidden">{pluralize(stars, "estrella", "estrellas")}: </span>
              <span className="tabular-nums">{count}</span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
