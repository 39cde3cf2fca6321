import type { Tint } from "./avatar.tsx";
import { classNames } from "./class-names.ts";

export interface SkeletonProps {
  /** Share of the width in per cent, one number per line. */
  lines?: readonly number[];
  className?: string;
}

/** Lines of text that are on their way. Decoration: the list that holds it says that it is loading. */
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
      </div>
      <div className="consult__a">
        <div className="sk" style={{ width: "45%" }} />
      </div>
    </div>
  );
}

export interface SkeletonListProps {
  /** What is loading: "Cargando consultas". */
  label: string;
  count?: number;
}

/** Some cards that are on their way; a screen reader hears `label`. */
export function SkeletonList({ label, count = 3 }: SkeletonListProps) {
  return (
    <div className="feed" role="status" aria-busy="true">
      <span className="sr">{label}</span>
      {Array.from({ length: count }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: cards to come have no other name
        <SkeletonCard key={at} tint={((at % 8) + 1) as Tint} />
      ))}
    </div>
  );
}
