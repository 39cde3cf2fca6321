import { Link } from "react-router";
import { load } from "#app/lib/api.server.ts";
import { counted } from "#app/lib/numbers.ts";
import { tintOf } from "#app/lib/tint.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { GoldBadge, PendingBadge, VerifiedBadge } from "#app/ui/badge.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { BackIcon, PinIcon, TalkIcon } from "#app/ui/icon.tsx";
import { RelativeTime } from "#app/ui/relative-time.tsx";
import { Rating } from "#app/ui/stars.tsx";
import { PlainText } from "#app/ui/text.tsx";
import { AppError } from "#shared/errors.ts";
import { PRODUCT_NAME } from "#shared/product.ts";
import type { Route } from "./+types/psychologist.ts";

export const meta: Route.MetaFunction = ({ loaderData, location }) =>
  loaderData
    ? [
        { title: `${loaderData.psychologist.full_name} · ${PRODUCT_NAME}` },
        {
          name: "description",
          content:
            loaderData.psychologist.bio ?? `Respuestas de ${loaderData.psychologist.full_name} en ${PRODUCT_NAME}.`,
        },
        { tagName: "link", rel: "canonical", href: `${loaderData.publicUrl}${location.pathname}` },
      ]
    : [{ title: `Psicólogo no encontrado · ${PRODUCT_NAME}` }];

export const loader = (args: Route.LoaderArgs) =>
  load(args, async ({ api, now, publicUrl }) => {
    const psychologist = await api.psychologists.get({ id: args.params.id }).catch((error: unknown) => {
      throw (error as { code?: string }).code === "not_found" ? new AppError("psychologist_not_found") : error;
    });
    return { psychologist, now: now.toISOString(), publicUrl };
  });

export default function Psychologist({ loaderData: { psychologist, now } }: Route.ComponentProps) {
  const {
    id,
    full_name,
    avatar_url,
    specialty,
    is_verified,
    has_gold,
    rating,
    total_reviews,
    total_responses,
    country,
    bio,
    answers,
  } = psychologist;
  return (
    <main id="contenido" className="page">
      <Link className="golink" to="/#consultas">
        <BackIcon size="s" />
        Volver a las consultas
      </Link>
      <header className={`card-id t${tintOf(id)}`}>
        <Avatar name={full_name} src={avatar_url} size="xl" />
        <div className="stack">
          <h1>{full_name}</h1>
          <p className="row">
            {is_verified ? <VerifiedBadge /> : <PendingBadge />}
            {has_gold && <GoldBadge label="Membresía Gold" />}
          </p>
          <p className="facts">
            {specialty && <span>{specialty}</span>}
            {country && (
              <span>
                <PinIcon size="s" />
                {country}
              </span>
            )}
            {rating !== null && <Rating value={rating} count={counted(total_reviews, "reseña", "reseñas")} />}
            <span>
              <TalkIcon size="s" />
              {counted(total_responses, "respuesta", "respuestas")}
            </span>
          </p>
          {bio && <PlainText text={bio} />}
        </div>
      </header>
      <section className="section thread" aria-labelledby="respuestas">
        <h2 id="respuestas" className="h-l thread__head">
          Últimas respuestas públicas
        </h2>
        {answers.length === 0 ? (
          <EmptyState title="Todavía no ha respondido consultas." />
        ) : (
          <div className="answers">
            {answers.map((answer) => (
              <article key={answer.id} className={`quote t${tintOf(answer.consultation.id)}`}>
                <h3 className="quote__q">
                  <Link to={`/consulta/${answer.consultation.id}`}>{answer.consultation.title}</Link>
                </h3>
                <div className="quote__a">
                  <p className="meta">
                    <RelativeTime datetime={answer.created_at} now={now} />
                    <span>{counted(answer.upvotes - answer.downvotes, "voto", "votos")}</span>
                  </p>
                  <PlainText text={answer.content} />
                </div>
              </article>
            ))}
          </div>
        )}
      </section>
    </main>
  );
}
