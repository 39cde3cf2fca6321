import { type ReactNode, useLayoutEffect } from "react";
import type { Location } from "react-router";
import { classNames } from "#app/ui/class-names.ts";

interface LinesProps {
  /** Width of each line in per cent. */
  lines: readonly number[];
  className?: string;
}

const Lines = ({ lines, className }: LinesProps) => (
  <div className={classNames("skeleton", className)} aria-hidden="true">
    {lines.map((width, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other key
      <div key={at} className="skeleton__line" style={{ width: `${width}%` }} />
    ))}
  </div>
);

const Bar = ({ className }: { className: string }) => (
  <div className={classNames("skeleton__line", className)} aria-hidden="true" />
);

type Item = (at: number) => ReactNode;
const times = (count: number, each: Item) => Array.from({ length: count }, (_, at) => each(at));

const LISTS: Record<"feed" | "ranking" | "answers" | "rows", [frame: string, count: number, each: Item]> = {
  feed: [
    "feed",
    3,
    (at) => (
      <div key={at} className={`consultation-card tint-${at + 1}`} aria-hidden="true">
        <Lines className="consultation-card__question skeleton--on-tint" lines={[40, 92, 60, 96, 88, 45]} />
        <Lines className="row row--apart small consultation-card__answers" lines={[45]} />
      </div>
    ),
  ],
  ranking: [
    "stack",
    5,
    (at) => (
      <div key={at} className="ranking-entry" aria-hidden="true">
        <span className="ranking-entry__rank">{at + 1}</span>
        <div className="avatar" />
        <Lines className="ranking-entry__person" lines={[55, 30]} />
        <Lines className="ranking-entry__more" lines={[70, 95, 80]} />
      </div>
    ),
  ],
  answers: [
    "answers",
    2,
    (at) => (
      <div key={at} className="answer" aria-hidden="true">
        <div className="answer__card">
          <Lines lines={[45, 60, 96, 92, 97, 70, 25]} />
        </div>
      </div>
    ),
  ],
  rows: [
    "skeleton-rows",
    3,
    (at) => (
      <div key={at} className="panel" aria-hidden="true">
        <Lines lines={[40, 55, 90, 70]} />
      </div>
    ),
  ],
};

export function SkeletonList({ of, label }: { of: keyof typeof LISTS; label: string }) {
  const [frame, count, each] = LISTS[of];
  return (
    <div className={frame} aria-busy="true">
      <span className="visually-hidden" role="status">
        {label}
      </span>
      {times(count, each)}
    </div>
  );
}

export const SkeletonTab = ({ ranking }: { ranking: boolean }) => (
  <>
    <Bar className={ranking ? "skeleton__line--ranking-head" : "skeleton__line--feed-head"} />
    <SkeletonList of={ranking ? "ranking" : "feed"} label={ranking ? "Cargando el ranking" : "Cargando consultas"} />
  </>
);

/** Skeleton of a page. @param cover true if the unfiltered feed has the hero above it */
export function SkeletonPage({ to, cover }: { to: Location; cover: boolean }) {
  const { pathname, search } = to;
  // Starts at the top, like the page. After Back the router restores the scroll position when the page renders.
  useLayoutEffect(() => {
    scrollTo({ top: 0, behavior: "instant" });
  }, []);
  const isThread = /^\/consulta\/[^/]+$/.test(pathname);
  return (
    <main id="contenido" className={isThread ? "page split" : "page"} aria-busy="true">
      {pathname === "/" ? (
        <>
          {cover && !search && <Bar className="skeleton__line--cover" />}
          <div className="section split">
            <div>
              <h1 className="visually-hidden">Cargando…</h1>
              <Bar className="home__tabs skeleton__line--tabs" />
              <SkeletonTab ranking={search.includes("vista=ranking")} />
            </div>
            <div className="aside" aria-hidden="true">
              {times(2, (at) => (
                <div key={at} className="panel">
                  <Lines lines={[50, 90, 90, 75]} />
                </div>
              ))}
            </div>
          </div>
        </>
      ) : isThread ? (
        <div className="thread">
          <Loading>Cargando la consulta…</Loading>
          <div className="question tint-3">
            <Lines className="skeleton--on-tint" lines={[30, 92, 60, 22, 96, 94, 97, 90, 40]} />
          </div>
          <SkeletonList of="answers" label="Cargando respuestas" />
        </div>
      ) : /^\/psicologo\/[^/]+$/.test(pathname) ? (
        <>
          <Loading>Cargando el perfil…</Loading>
          <div className="rows identity tint-5" aria-hidden="true">
            <div className="avatar avatar--xl" />
            <Lines lines={[30, 60, 70, 95, 88, 45]} />
          </div>
          <SkeletonList of="rows" label="Cargando respuestas" />
        </>
      ) : (
        <div className="section stack skeleton-page">
          <Loading>{pathname === "/perfil" ? "Cargando tu perfil…" : "Cargando…"}</Loading>
          <Bar className="skeleton__line--title" />
          <div className="panel" aria-hidden="true">
            <Lines lines={[30, 96, 92, 60, 30, 96, 92, 60]} />
          </div>
        </div>
      )}
    </main>
  );
}

const Loading = ({ children }: { children: string }) => (
  <h1 className="icon-link faint skeleton-heading">
    <span role="status">{children}</span>
  </h1>
);
