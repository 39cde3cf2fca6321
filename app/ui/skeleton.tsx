import { type ReactNode, useLayoutEffect } from "react";
import type { Tint } from "./avatar.tsx";
import { classNames } from "./class-names.ts";

export interface SkeletonProps {
  /** Share of the width in per cent, one number per line. */
  lines?: readonly number[];
  className?: string;
}

/** Lines of text that are on their way. Decoration: what holds it says that it is loading. */
export function Skeleton({ lines = [92, 96, 60], className }: SkeletonProps) {
  return (
    <div className={classNames("sks", className)} aria-hidden="true">
      {lines.map((width, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name
        <div key={at} className="sk" style={{ width: `${width}%` }} />
      ))}
    </div>
  );
}

/** A bar of any size: a heading, a button, a tab. */
const Bar = ({ className }: { className: string }) => (
  <div className={classNames("sk", className)} aria-hidden="true" />
);

/** Some of the same; they have no other names than their places. */
function times(count: number, each: (at: number) => ReactNode): ReactNode[] {
  return Array.from({ length: count }, (_, at) => each(at));
}

/** A card of a list that is on its way: a bubble and the answer tucked under its edge. */
export function SkeletonCard({ tint = 5 }: { tint?: Tint }) {
  return (
    <div className={`consult t${tint}`} aria-hidden="true">
      <div className="consult__q sks">
        <div className="sk sk--b" style={{ width: "40%" }} />
        <div className="sk sk--b sk--t" style={{ width: "92%" }} />
        <div className="sk sk--b sk--t" style={{ width: "60%" }} />
        <div className="sk sk--b" style={{ width: "96%" }} />
        <div className="sk sk--b" style={{ width: "88%" }} />
        <div className="sk sk--b" style={{ width: "45%" }} />
      </div>
      <div className="consult__a">
        <div className="sk" style={{ width: "45%" }} />
      </div>
    </div>
  );
}

/** Heard once where a list or a page is on its way. */
const Said = ({ children }: { children: string }) => (
  <span className="sr" role="status">
    {children}
  </span>
);

/** The feed that is on its way; a screen reader hears `label`. */
export function SkeletonList({ label, count = 3 }: { label: string; count?: number }) {
  return (
    <div className="feed" aria-busy="true">
      <Said>{label}</Said>
      {times(count, (at) => (
        <SkeletonCard key={at} tint={((at % 8) + 1) as Tint} />
      ))}
    </div>
  );
}

/** The ranking that is on its way. */
export function SkeletonRanking({ label, count = 5 }: { label: string; count?: number }) {
  return (
    <div className="ranking" aria-busy="true">
      <Said>{label}</Said>
      {times(count, (at) => (
        <div key={at} className="rank" aria-hidden="true">
          <span className="rank__n">{at + 1}</span>
          <div className="rank__who">
            <div className="av" />
            <Skeleton lines={[55, 30]} />
          </div>
          <div className="rank__more">
            <Skeleton lines={[70, 95, 80]} />
          </div>
        </div>
      ))}
    </div>
  );
}

/** The feed with its title and filters. */
export function SkeletonFeedTab() {
  return (
    <>
      <div className="feed__head" aria-hidden="true">
        <Bar className="sk--title" />
        <Bar className="sk--pill sk--pill-10" />
      </div>
      <Bar className="feed__chips sk--pill sk--chips" />
      <SkeletonList label="Cargando consultas" />
    </>
  );
}

/** The ranking with its title and filter. */
export function SkeletonRankingTab() {
  return (
    <>
      <div className="row between" aria-hidden="true">
        <Bar className="sk--title" />
        <Bar className="sk--pill" />
      </div>
      <Bar className="ranking__how sk--how" />
      <SkeletonRanking label="Cargando el ranking" />
    </>
  );
}

/** The answers that are on their way. */
export function SkeletonAnswers({ label, count = 2 }: { label: string; count?: number }) {
  return (
    <div className="answers" aria-busy="true">
      <Said>{label}</Said>
      {times(count, (at) => (
        <div key={at} className="answer" aria-hidden="true">
          <div className="seat">
            <div className="av" />
          </div>
          <div className="answer__card">
            <Skeleton lines={[45, 60, 96, 92, 97, 70]} />
            <Bar className="sk--votes sk--pill" />
          </div>
        </div>
      ))}
    </div>
  );
}

/** Panels of data that are on their way: people, mails, messages. */
export function SkeletonRows({ label, count = 3 }: { label: string; count?: number }) {
  return (
    <div className="sk-rows" aria-busy="true">
      <Said>{label}</Said>
      {times(count, (at) => (
        <div key={at} className="panel row sk-row" aria-hidden="true">
          <div className="av av--l" />
          <Skeleton lines={[40, 55, 90, 70]} className="sk-row__text" />
        </div>
      ))}
    </div>
  );
}

/** What kind of page is on its way. */
export type PageShape = "feed" | "ranking" | "thread" | "person" | "own" | "admin" | "page";

/** A page that is on its way: its frame at its place, and in words that it is loading. */
export function SkeletonPage({ shape }: { shape: PageShape }) {
  // It begins at its top, as the page will; whoever goes back is brought to the old place when that page is there.
  useLayoutEffect(() => {
    scrollTo({ top: 0, behavior: "instant" });
  }, []);
  return (
    <main id="contenido" className={shape === "thread" ? "page split" : "page"} aria-busy="true">
      {SHAPES[shape]}
    </main>
  );
}

/** The heading of a page that has none yet; it stands where the link back will be. */
const Loading = ({ children }: { children: string }) => (
  <h1 className="golink faint sk-heading">
    <span role="status">{children}</span>
  </h1>
);
const Side = ({ count = 2 }: { count?: number }) => (
  <div className="aside" aria-hidden="true">
    {times(count, (at) => (
      <div key={at} className="panel">
        <Skeleton lines={[50, 90, 90, 75]} />
      </div>
    ))}
  </div>
);
const Home = ({ children }: { children: ReactNode }) => (
  <div className="section split">
    <div>
      <h1 className="sr">Cargando…</h1>
      <Bar className="home__tabs sk--tabs" />
      {children}
    </div>
    <Side />
  </div>
);

const SHAPES: Record<PageShape, ReactNode> = {
  feed: (
    <Home>
      <SkeletonFeedTab />
    </Home>
  ),
  ranking: (
    <Home>
      <SkeletonRankingTab />
    </Home>
  ),
  thread: (
    <>
      <div className="thread">
        <Loading>Cargando la consulta…</Loading>
        <div className="ask t3 sks" aria-hidden="true">
          {[30, 92, 60, 22, 96, 94, 97, 90, 40].map((width, at) => (
            <div
              key={width}
              className={classNames("sk sk--b", (at === 1 || at === 2) && "sk--h1")}
              style={{ width: `${width}%` }}
            />
          ))}
        </div>
        <div className="panel panel--clay thread__part sk-help" aria-hidden="true" />
        <Bar className="thread__head sk--subtitle" />
        <SkeletonAnswers label="Cargando respuestas" />
      </div>
      <div className="thread__aside aside" aria-hidden="true">
        <Skeleton lines={[80]} />
        <div className="related">
          {times(4, (at) => (
            <div key={at} className={`preview t${at + 1}`}>
              <Skeleton lines={[92, 50]} />
            </div>
          ))}
        </div>
      </div>
    </>
  ),
  person: (
    <>
      <Loading>Cargando el perfil…</Loading>
      <div className="card-id t5" aria-hidden="true">
        <div className="av av--xl" />
        <Skeleton lines={[30, 60, 70, 95, 88, 45]} />
      </div>
      <div className="split split--even section">
        {times(2, (at) => (
          <div key={at} className="column" aria-hidden="true">
            <Bar className="sk--subtitle sk--subtitle-14" />
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
      <div className="row between sk-own">
        <Bar className="sk--name" />
        <Loading>Cargando tu perfil…</Loading>
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
    <div className="section stack sk-admin">
      <h1 className="sr">Cargando…</h1>
      <Bar className="sk--name sk--name-24" />
      <div className="panel" aria-hidden="true">
        <Skeleton lines={[20, 95]} />
      </div>
      <SkeletonRows label="Cargando el panel" />
    </div>
  ),
  page: (
    <div className="section stack sk-page">
      <Loading>Cargando…</Loading>
      <Bar className="sk--name sk--name-22" />
      <div className="panel" aria-hidden="true">
        <Skeleton lines={[30, 96, 92, 60, 30, 96, 92, 60]} />
      </div>
    </div>
  ),
};
