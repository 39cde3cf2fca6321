import { useState } from "react";
import { href, Link } from "react-router";
import { isModifiedClick } from "#app/lib/modified-click.ts";
import { counted } from "#app/lib/numbers.ts";
import { useOnDemand } from "#app/lib/on-demand.ts";
import { PAGE_WORDS } from "#app/lib/page-words.ts";
import { tintOf } from "#app/lib/tint.ts";
import { GoldBadge, VerifiedBadge } from "#app/parts/badges.tsx";
import { Waiting } from "#app/parts/waiting.tsx";
import type { RateDialog } from "#app/reviews/rate-dialog.tsx";
import { Avatar } from "#app/ui/avatar.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { EmptyState, ErrorState, Retry } from "#app/ui/empty-state.tsx";
import { FilterSelect } from "#app/ui/filter-select.tsx";
import { PinIcon, TalkIcon } from "#app/ui/icon.tsx";
import { StarIcon } from "#app/ui/more-icons.tsx";
import { Rating } from "#app/ui/stars.tsx";
import { COUNTRIES } from "#shared/countries.ts";
import type { RankedView } from "#shared/psychologists.ts";

const loadRateDialog = () => import("#app/reviews/rate-dialog.tsx");

/** The ranking of psychologists with its own country filter (specification, sections 2.3 and 4.9). */
export default function Ranking({
  psychologists,
  country,
  waiting,
  signedIn,
  viewerId,
  headingLevel: Heading,
}: {
  /** The list, or null when it could not be read. */
  psychologists: RankedView[] | null;
  country: string | null;
  /** Another list is on its way and takes a while. */
  waiting: boolean;
  signedIn: boolean;
  viewerId: string | null;
  headingLevel: "h1" | "h2";
}) {
  const [rating, setRating] = useState<{ psychologist: RankedView; Dialog: typeof RateDialog } | null>(null);
  const [wanted, setWanted] = useState<string | null>(null);
  const rateDialog = useOnDemand(loadRateDialog, signedIn);
  // If it cannot be loaded, the button is the link that it is without JavaScript.
  const rate = (psychologist: RankedView, instead: string) => {
    setWanted(psychologist.id);
    rateDialog.use(
      (loaded) => setRating({ psychologist, Dialog: loaded.RateDialog }),
      () => window.location.assign(instead),
    );
  };
  const Name = Heading === "h1" ? "h2" : "h3";
  return (
    <section aria-labelledby="lista">
      <div className="row row--apart">
        <Heading id="lista" className="title-l">
          {country ? `Psicólogos de ${country}` : "Psicólogos de todos los países"}
        </Heading>
        <FilterSelect
          label="País"
          name="pais"
          value={country ?? ""}
          action="/"
          keep={{ vista: "ranking" }}
          icon={<PinIcon size="s" />}
          button="Ver"
        >
          <option value="">Todos</option>
          {COUNTRIES.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </FilterSelect>
      </div>
      <p className="faint ranking__how">Por calificación, con matrícula verificada.</p>
      <Waiting on={waiting} skeleton={({ SkeletonRanking }) => <SkeletonRanking label="Cargando el ranking" />}>
        {psychologists === null ? (
          <ErrorState title={PAGE_WORDS.psychologists_not_loaded.description} action={<Retry />} />
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
          <ol className="ranking">
            {psychologists.map((psychologist, at) => (
              <li key={psychologist.id} className="ranked">
                <span className="ranked__place">
                  <span className="visually-hidden">Puesto </span>
                  {at + 1}
                </span>
                <div className="ranked__person">
                  <Avatar name={psychologist.full_name} src={psychologist.avatar_url} tint={tintOf(psychologist.id)} />
                  <div>
                    <Name className="ranked__name">
                      <Link to={href("/psicologo/:id", { id: psychologist.id })}>{psychologist.full_name}</Link>
                    </Name>
                    <p className="row ranked__badges">
                      {psychologist.is_verified && <VerifiedBadge />}
                      {psychologist.has_gold && <GoldBadge />}
                    </p>
                  </div>
                </div>
                <div className="ranked__actions">
                  <ButtonLink
                    to={href("/psicologo/:id", { id: psychologist.id })}
                    small
                    aria-label={`Ver perfil: ${psychologist.full_name}`}
                  >
                    Ver perfil
                  </ButtonLink>
                  {psychologist.id !== viewerId && (
                    <ButtonLink
                      to={`${href("/psicologo/:id", { id: psychologist.id })}#escribir`}
                      small
                      variant="soft"
                      icon={<StarIcon size="s" />}
                      busy={rateDialog.loading && wanted === psychologist.id}
                      onPointerDown={rateDialog.prepare}
                      aria-haspopup="dialog"
                      aria-label={`Calificar: ${psychologist.full_name}`}
                      onClick={(event) => {
                        if (isModifiedClick(event)) return;
                        event.preventDefault();
                        rate(psychologist, event.currentTarget.href);
                      }}
                    >
                      Calificar
                    </ButtonLink>
                  )}
                </div>
                <div className="ranked__more">
                  <p className="facts">
                    {psychologist.specialty && <span>{psychologist.specialty}</span>}
                    {psychologist.rating === null ? (
                      <span>Sin reseñas</span>
                    ) : (
                      <Rating
                        value={psychologist.rating}
                        count={counted(psychologist.total_reviews, "reseña", "reseñas")}
                      />
                    )}
                    <span>
                      <TalkIcon size="s" />
                      {counted(psychologist.total_responses, "respuesta", "respuestas")}
                    </span>
                    {psychologist.country && (
                      <span>
                        <PinIcon size="s" />
                        {psychologist.country}
                      </span>
                    )}
                  </p>
                  {psychologist.bio && <p className="ranked__bio clamped">{psychologist.bio}</p>}
                </div>
              </li>
            ))}
          </ol>
        )}
      </Waiting>
      {rating && (
        <rating.Dialog psychologist={rating.psychologist} signedIn={signedIn} onClose={() => setRating(null)} />
      )}
    </section>
  );
}
