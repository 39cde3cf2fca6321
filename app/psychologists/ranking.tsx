import { href, Link } from "react-router";
import { GoldBadge, VerifiedBadge } from "#app/components/badges.tsx";
import { MissedList } from "#app/components/missed-list.tsx";
import { SkeletonBoundary } from "#app/components/skeleton-boundary.tsx";
import { useAuth } from "#app/lib/auth-context.tsx";
import { pluralize } from "#app/lib/format.ts";
import { type LazyDialog, useLazyDialog } from "#app/lib/lazy-dialog.ts";
import { handleInPage } from "#app/lib/modified-click.ts";
import type RateDialog from "#app/reviews/rate-dialog.tsx";
import { Avatar } from "#app/ui/avatar.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { EmptyState, ErrorState } from "#app/ui/empty-state.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Rating } from "#app/ui/stars.tsx";
import type { RankedView } from "#shared/psychologists.ts";
import { tintOf } from "#shared/tint.ts";

const loadRateDialog = () => import("#app/reviews/rate-dialog.tsx");

type RankingProps = { psychologists: RankedView[] | null; country: string | null; waiting: boolean };

export default function Ranking({ psychologists, country, waiting }: RankingProps) {
  const { viewer } = useAuth();
  const rating = useLazyDialog<typeof RateDialog, RankedView>(loadRateDialog, viewer !== null);
  return (
    <section aria-labelledby="lista">
      <div className="feed__head">
        <h1 id="lista" className="title-l">
          {country ? `Psicólogos de ${country}` : "Psicólogos de todos los países"}
        </h1>
      </div>
      <p className="faint ranking__criteria">Por calificación, con matrícula verificada.</p>
      <MissedList />
      <SkeletonBoundary
        on={waiting}
        skeleton={({ SkeletonList }) => <SkeletonList of="ranking" label="Cargando el ranking" />}
      >
        {psychologists === null ? (
          <ErrorState title="No se pudieron cargar los psicólogos" />
        ) : psychologists.length === 0 ? (
          <EmptyState
            title={country ? `No hay psicólogos registrados en ${country}.` : "No hay psicólogos registrados aún."}
            action={
              country ? (
                <Link to="/?vista=ranking#consultas">Ver todos los países</Link>
              ) : (
                <Link to="/#consultas">Ver las consultas</Link>
              )
            }
          />
        ) : (
          <ol className="stack">
            {psychologists.map((psychologist, at) => (
              <RankingEntry
                key={psychologist.id}
                psychologist={psychologist}
                place={at + 1}
                rating={psychologist.id === viewer?.id ? null : rating}
              />
            ))}
          </ol>
        )}
      </SkeletonBoundary>
      {rating.shown && <rating.shown.Dialog psychologist={rating.shown.item} onClose={rating.close} />}
    </section>
  );
}

type RankingEntryProps = { psychologist: RankedView; place: number; rating: LazyDialog<unknown, RankedView> | null };

function RankingEntry({ psychologist, place, rating }: RankingEntryProps) {
  const profile = href("/psicologo/:id", { id: psychologist.id });
  return (
    <li className="ranking-entry">
      <span className="ranking-entry__rank">
        <span className="visually-hidden">Puesto </span>
        {place}
      </span>
      <Avatar name={psychologist.full_name} src={psychologist.avatar_url} tint={tintOf(psychologist.id)} />
      <div className="ranking-entry__person">
        <h2 className="ranking-entry__name">
          <Link className="title-link cover-link" to={profile}>
            {psychologist.full_name}
          </Link>
        </h2>
        <p className="row ranking-entry__badges">
          {psychologist.is_verified && <VerifiedBadge of={psychologist} />}
          {psychologist.has_gold && <GoldBadge />}
        </p>
      </div>
      <div className="ranking-entry__more">
        <p className="text-muted small facts">
          {psychologist.specialty && <span>{psychologist.specialty}</span>}
          {psychologist.rating === null ? (
            <span>Sin reseñas</span>
          ) : (
            <Rating value={psychologist.rating} count={pluralize(psychologist.total_reviews, "reseña", "reseñas")} />
          )}
          <span>
            <Icon name="talk" size="s" />
            {pluralize(psychologist.total_responses, "respuesta", "respuestas")}
          </span>
          {psychologist.country && (
            <span>
              <Icon name="pin" size="s" />
              {psychologist.country}
            </span>
          )}
        </p>
        {psychologist.bio && <p className="text-muted above-2 measure clamped">{psychologist.bio}</p>}
      </div>
      {rating && (
        <ButtonLink
          to={`${profile}#escribir`}
          className="ranking-entry__rate"
          small
          variant="quiet"
          icon={<Icon name="star" size="s" />}
          busy={rating.opening?.id === psychologist.id}
          onPointerDown={rating.prepare}
          aria-haspopup="dialog"
          aria-label={`Calificar: ${psychologist.full_name}`}
          onClick={handleInPage((event) => rating.open(psychologist, event.currentTarget.href))}
        >
          Calificar
        </ButtonLink>
      )}
    </li>
  );
}
