import { Link } from "react-router";
import type AnswerDialog from "#app/answers/answer-dialog.tsx";
import { MissedList } from "#app/components/missed-list.tsx";
import { MoreItems } from "#app/components/more-items.tsx";
import { SkeletonBoundary } from "#app/components/skeleton-boundary.tsx";
import { useAuth } from "#app/lib/auth-context.tsx";
import { useLazyDialog } from "#app/lib/lazy-dialog.ts";
import { handleInPage } from "#app/lib/modified-click.ts";
import { usePagedList } from "#app/lib/paged-list.ts";
import { signInPath } from "#app/lib/sign-in-path.ts";
import { withQuery } from "#app/lib/with-query.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { EmptyState, ErrorState } from "#app/ui/empty-state.tsx";
import { FilterSelect } from "#app/ui/filter-select.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Chips } from "#app/ui/link-row.tsx";
import { CATEGORIES } from "#shared/categories.ts";
import type { ConsultationView, FeedView, WeeklyLimitView } from "#shared/consultations.ts";
import type { PsychologistPanelView } from "#shared/psychologists.ts";
import type { HelpLinesView } from "#shared/safety.ts";
import { CONSULTATION_SORTS, type ConsultationSort } from "#shared/sorts.ts";
import { ConsultationCard } from "./consultation-card.tsx";
import type NewConsultationDialog from "./new-consultation-dialog.tsx";
import "./feed.css";

const SORTS: Record<ConsultationSort, string> = {
  recent: "recientes",
  oldest: "antiguas",
  votes: "votadas",
  responses: "respondidas",
  unanswered: "pendientes",
};

export const SORT_SLUGS = CONSULTATION_SORTS.map((sort) => SORTS[sort]);

export const sortOf = (word: string | undefined): ConsultationSort =>
  CONSULTATION_SORTS.find((sort) => SORTS[sort] === word) ?? "recent";

// Loaded on demand, because most visitors never need them.
const loadNewConsultationDialog = () => import("./new-consultation-dialog.tsx");
const loadAnswerDialog = () => import("#app/answers/answer-dialog.tsx");

const NOTHING: FeedView = { items: [], next_cursor: null };

interface FeedProps {
  feed: FeedView | null;
  country: string | null;
  category: string | null;
  sort: ConsultationSort;
  weekly: WeeklyLimitView | null;
  helpLines: HelpLinesView | null;
  panel: PsychologistPanelView | null;
  cover: boolean;
  waiting: boolean;
}

export function Feed({ feed, country, category, sort, weekly, helpLines, panel, cover, waiting }: FeedProps) {
  const { viewer } = useAuth();
  const more = usePagedList<ConsultationView>(feed ?? NOTHING, (cursor) =>
    withQuery("/api/consultations", { sort, cursor, country, category }),
  );
  const psychologist = viewer?.user_type === "psychologist";
  const asking = useLazyDialog<typeof NewConsultationDialog, true>(loadNewConsultationDialog, weekly !== null);
  const answering = useLazyDialog<typeof AnswerDialog, ConsultationView>(loadAnswerDialog, psychologist);
  // Uses the validated filters, so that links never repeat unknown parameters (docs/decisions/0017).
  const address = (changes: Record<string, string | null>) => {
    const filters = { pais: country, categoria: category, orden: sort === "recent" ? null : SORTS[sort] };
    return `${withQuery("/", { ...filters, ...changes })}#consultas`;
  };
  // Hidden before verification: it could only show the message above the list.
  const awaitsVerification = panel?.state === "pending";
  const mayAnswer = psychologist && !(awaitsVerification || panel?.state === "limit_reached");
  const limitReached = weekly !== null && weekly.used >= weekly.max_consultations;
  const [Heading, cardLevel] = cover ? (["h2", "h3"] as const) : (["h1", "h2"] as const);
  const ask = !psychologist && (
    <ButtonLink
      to={viewer ? "/nueva-consulta" : signInPath("/nueva-consulta")}
      small
      icon={!limitReached && <Icon name="plus" />}
      busy={asking.opening !== null}
      onPointerDown={viewer ? asking.prepare : undefined}
      aria-disabled={limitReached || undefined}
      onClick={viewer ? handleInPage(() => asking.open(true, "/nueva-consulta")) : undefined}
    >
      {limitReached ? "Límite alcanzado" : "Nueva Consulta"}
    </ButtonLink>
  );
  const list = (
    <div className="feed">
      {more.items.map((consultation) => (
        <ConsultationCard
          key={consultation.id}
          consultation={consultation}
          answering={mayAnswer ? answering : undefined}
          headingLevel={cardLevel}
        />
      ))}
      <MoreItems list={more} to={(cursor) => address({ cursor })} failed="No se pudieron cargar las consultas" />
    </div>
  );
  return (
    <section aria-labelledby="lista">
      <div className="feed__head">
        <Heading id="lista" className="title-l">
          {country ? `Consultas de ${country}` : "Consultas de todos los países"}
        </Heading>
        {ask}
        <FilterSelect
          label="Ordenar"
          name="orden"
          value={SORTS[sort]}
          action="/#consultas"
          keep={{ pais: country, categoria: category }}
          button="Ordenar"
        >
          {CONSULTATION_SORTS.map((name) => (
            <option key={name} value={SORTS[name]}>
              {name === "unanswered" ? "Sin responder" : `Más ${SORTS[name]}`}
            </option>
          ))}
        </FilterSelect>
        {awaitsVerification && (
          <p className="text-muted small feed__note">Podrás responder cuando verifiquemos tu matrícula.</p>
        )}
        <Chips
          label="Categorías"
          items={[
            { to: address({ categoria: null }), label: "Todas", current: category === null },
            ...CATEGORIES.map((name) => ({
              to: address({ categoria: name }),
              label: name,
              current: category === name,
            })),
          ]}
        />
      </div>
      {asking.shown && weekly && helpLines && (
        <asking.shown.Dialog
          limit={weekly}
          helpLines={helpLines}
          country={country ?? undefined}
          onClose={asking.close}
        />
      )}
      {answering.shown && (
        <answering.shown.Dialog consultation={answering.shown.item} answering={panel} onClose={answering.close} />
      )}
      <MissedList />
      <SkeletonBoundary
        on={waiting}
        skeleton={({ SkeletonList }) => <SkeletonList of="feed" label="Cargando consultas" />}
      >
        {!feed ? (
          <ErrorState title="No se pudieron cargar las consultas" />
        ) : more.items.length > 0 ? (
          list
        ) : (
          <EmptyFeed country={country} category={category} />
        )}
      </SkeletonBoundary>
    </section>
  );
}

const EmptyFeed = ({ country, category }: Pick<FeedProps, "country" | "category">) => (
  <EmptyState
    title="No hay consultas para mostrar en este país."
    action={<Link to="/#consultas">Quitar los filtros</Link>}
  >
    {category && `${country ? `En ${country} no` : "No"} hay consultas de ${category} todavía.`}
  </EmptyState>
);
