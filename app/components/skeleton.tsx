import { type ReactNode, useLayoutEffect } from "react";
import type { Location } from "react-router";
import { classNames } from "#app/ui/class-names.ts";
import type { Tint } from "#shared/tint.ts";
import { type PageShape, shapeOf } from "./page-shape.ts";

interface SkeletonProps {
  /** Width of each line in per cent. */
  lines: readonly number[];
  className?: string;
}

/** Placeholder lines, hidden from screen readers. The container announces the loading. */
function Skeleton({ lines, className }: SkeletonProps) {
  return (
    <div className={classNames("skeleton", className)} aria-hidden="true">
      {lines.map((width, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other key
        <div key={at} className="skeleton__line" style={{ width: `${width}%` }} />
      ))}
    </div>
  );
}

const Bar = ({ className }: { className: string }) => (
  <div className={classNames("skeleton__line", className)} aria-hidden="true" />
);

/** Renders `count` similar elements with their index as key. */
function times(count: number, each: (at: number) => ReactNode): ReactNode[] {
  return Array.from({ length: count }, (_, at) => each(at));
}

function SkeletonCard({ tint }: { tint: Tint }) {
  return (
    <div className={`consultation-card tint-${tint}`} aria-hidden="true">
      <div className="consultation-card__question skeleton">
        <div className="skeleton__line skeleton__line--on-tint" style={{ width: "40%" }} />
        <div className="skeleton__line skeleton__line--on-tint skeleton__line--title" style={{ width: "92%" }} />
        <div className="skeleton__line skeleton__line--on-tint skeleton__line--title" style={{ width: "60%" }} />
        <div className="skeleton__line skeleton__line--on-tint" style={{ width: "96%" }} />
        <div className="skeleton__line skeleton__line--on-tint" style={{ width: "88%" }} />
        <div className="skeleton__line skeleton__line--on-tint" style={{ width: "45%" }} />
      </div>
      <div className="consultation-card__answers">
        <div className="skeleton__line" style={{ width: "45%" }} />
      </div>
    </div>
  );
}

const ScreenReaderText = ({ children }: { children: string }) => (
  <span className="visually-hidden" role="status">
    {children}
  </span>
);

/** Skeleton of the feed. @param label text for screen readers */
export function SkeletonList({ label, count = 3 }: { label: string; count?: number }) {
  return (
    <div className="feed" aria-busy="true">
      <ScreenReaderText>{label}</ScreenReaderText>
      {times(count, (at) => (
        <SkeletonCard key={at} tint={((at % 8) + 1) as Tint} />
      ))}
    </div>
  );
}

export function SkeletonRanking({ label, count = 5 }: { label: string; count?: number }) {
  return (
    <div className="ranking" aria-busy="true">
      <ScreenReaderText>{label}</ScreenReaderText>
      {times(count, (at) => (
        <div key={at} className="ranking-entry" aria-hidden="true">
          <span className="ranking-entry__rank">{at + 1}</span>
          <div className="avatar" />
          <Skeleton className="ranking-entry__person" lines={[55, 30]} />
          <div className="ranking-entry__more">
            <Skeleton lines={[70, 95, 80]} />
          </div>
        </div>
      ))}
    </div>
  );
}

export function SkeletonFeedTab() {
  return (
    <>
      <div className="skeleton-head" aria-hidden="true">
        <Bar className="skeleton__line--heading" />
        <Bar className="skeleton__line--pill skeleton__line--ask" />
        <Bar className="skeleton__line--pill skeleton__line--sort" />
        <Bar className="skeleton__line--pill skeleton__line--chips" />
      </div>
      <SkeletonList label="Cargando consultas" />
    </>
  );
}

export function SkeletonRankingTab() {
  return (
    <>
      <div className="feed__head" aria-hidden="true">
        <Bar className="skeleton__line--heading" />
      </div>
      <Bar className="ranking__criteria skeleton__line--note" />
      <SkeletonRanking label="Cargando el ranking" />
    </>
  );
}

export function SkeletonAnswers({ label, count = 2 }: { label: string; count?: number }) {
  return (
    <div className="answers" aria-busy="true">
      <ScreenReaderText>{label}</ScreenReaderText>
      {times(count, (at) => (
        <div key={at} className="answer" aria-hidden="true">
          <div className="answer__card">
            <Skeleton lines={[45, 60, 96, 92, 97, 70]} />
            <Bar className="skeleton__line--votes skeleton__line--pill" />
          </div>
        </div>
      ))}
    </div>
  );
}

/** Skeleton of panels: people, mails, messages. */
export function SkeletonRows({ label, count = 3 }: { label: string; count?: number }) {
  return (
    <div className="skeleton-rows" aria-busy="true">
      <ScreenReaderText>{label}</ScreenReaderText>
      {times(count, (at) => (
        <div key={at} className="panel row skeleton-row" aria-hidden="true">
          <div className="avatar avatar--l" />
          <Skeleton lines={[40, 55, 90, 70]} className="skeleton-row__text" />
        </div>
      ))}
    </div>
  );
}

export function SkeletonPage({ to, cover }: { to: Location; cover: boolean }) {
  const shape = shapeOf(to, cover);
  // Starts at the top, like the page. After Back the router restores the scroll position when the page renders.
  useLayoutEffect(() => {
    scrollTo({ top: 0, behavior: "instant" });
  }, []);
  return (
    <main id="contenido" className={shape === "thread" ? "page split" : "page"} aria-busy="true">
      {SHAPES[shape]}
    </main>
  );
}

/** Heading of a page that is still loading, at the position of the back link. */
const Loading = ({ children }: { children: string }) => (
  <h1 className="icon-link faint skeleton-heading">
    <span role="status">{children}</span>
  </h1>
);
const Side = () => (
  <div className="aside" aria-hidden="true">
    {times(2, (at) => (
      <div key={at} className="panel">
        <Skeleton lines={[50, 90, 90, 75]} />
      </div>
    ))}
  </div>
);
const Home = ({ children }: { children: ReactNode }) => (
  <div className="section split">
    <div>
      <h1 className="visually-hidden">Cargando…</h1>
      <Bar className="home__tabs skeleton__line--tabs" />
      {children}
    </div>
    <Side />
  </div>
);

const Feed = () => (
  <Home>
    <SkeletonFeedTab />
  </Home>
);

const SHAPES: Record<PageShape, ReactNode> = {
  cover: (
    <>
      <Bar className="skeleton__line--cover" />
      <Feed />
    </>
  ),
  feed: <Feed />,
  ranking: (
    <Home>
      <SkeletonRankingTab />
    </Home>
  ),
  thread: (
    <>
      <div className="thread">
        <Loading>Cargando la consulta…</Loading>
        <div className="question tint-3 skeleton" aria-hidden="true">
          {[30, 92, 60, 22, 96, 94, 97, 90, 40].map((width, at) => (
            <div
              key={width}
              className={classNames(
                "skeleton__line skeleton__line--on-tint",
                (at === 1 || at === 2) && "skeleton__line--question",
              )}
              style={{ width: `${width}%` }}
            />
          ))}
        </div>
        <div className="panel panel--clay thread__part skeleton-help" aria-hidden="true" />
        <Bar className="thread__head skeleton__line--subheading" />
        <SkeletonAnswers label="Cargando respuestas" />
      </div>
      <div className="thread__aside aside" aria-hidden="true">
        <Skeleton lines={[80]} />
        <div className="related">
          {times(4, (at) => (
            <div key={at} className={`preview skeleton tint-${at + 1}`}>
              {[92, 70, 50].map((width) => (
                <div key={width} className="skeleton__line skeleton__line--on-tint" style={{ width: `${width}%` }} />
              ))}
            </div>
          ))}
        </div>
      </div>
    </>
  ),
  person: (
    <>
      <Loading>Cargando el perfil…</Loading>
      <div className="identity tint-5" aria-hidden="true">
        <div className="avatar avatar--xl" />
        <Skeleton lines={[30, 60, 70, 95, 88, 45]} />
      </div>
      <div className="split split--even section">
        {times(2, (at) => (
          <div key={at} className="column" aria-hidden="true">
            <Bar className="skeleton__line--subheading skeleton__line--wide-subheading" />
            {times(3, (row) => (
              <div key={row} className="panel">
                <Skeleton lines={[60, 96, 80]} />
              </div>
            ))}
          </div>
        ))}
      </div>
    </>
  ),
  own: (
    <>
      <div className="row skeleton-own">
        <div className="avatar avatar--l" aria-hidden="true" />
        <div>
          <Bar className="skeleton__line--page-title" />
          <Loading>Cargando tu perfil…</Loading>
        </div>
      </div>
      <div className="split">
        <div className="panel" aria-hidden="true">
          <Skeleton lines={[35, 96, 96, 30, 96, 96, 40, 96, 96, 96]} />
        </div>
        <Side />
      </div>
    </>
  ),
  admin: (
    <div className="section stack skeleton-admin">
      <h1 className="visually-hidden">Cargando…</h1>
      <Bar className="skeleton__line--page-title skeleton__line--admin-title" />
      <div className="panel" aria-hidden="true">
        <Skeleton lines={[20, 95]} />
      </div>
      <SkeletonRows label="Cargando el panel" />
    </div>
  ),
  page: (
    <div className="section stack skeleton-page">
      <Loading>Cargando…</Loading>
      <Bar className="skeleton__line--page-title skeleton__line--form-title" />
      <div className="panel" aria-hidden="true">
        <Skeleton lines={[30, 96, 92, 60, 30, 96, 92, 60]} />
      </div>
    </div>
  ),
};
