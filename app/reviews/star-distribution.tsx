import { pluralize } from "#app/lib/numbers.ts";
import { Rating, STAR_VALUES } from "#app/ui/stars.tsx";

/** Number of reviews per star, five stars first, and the mean. */
export function StarDistribution({ counts, total, rating }: { counts: number[]; total: number; rating: number }) {
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
