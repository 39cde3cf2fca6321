import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";

export const STAR_VALUES = [1, 2, 3, 4, 5] as const;

/** Formats one decimal with a comma: 4.66 is "4,7", 4 is "4,0". */
function oneDecimal(value: number): string {
  return value.toFixed(1).replace(".", ",");
}

/** Stars of one review, from 1 to 5. */
export function Stars({ value }: { value: number }) {
  const stars = STAR_VALUES.map((star) => <Icon name="star" key={star} />);
  return (
    <span className="stars" role="img" aria-label={`${value} de 5 estrellas`}>
      {stars}
      <span style={{ width: `${value * 20}%` }}>{stars}</span>
    </span>
  );
}

interface RatingProps {
  value: number;
  /** Text in brackets: "38 reseñas". */
  count?: ReactNode;
}

/** Mean rating as one star and a number: "★ 4,7 (38 reseñas)". */
export function Rating({ value, count }: RatingProps) {
  return (
    <span className="rate">
      <Icon name="star" className="star" />
      <b>
        <span className="visually-hidden">Calificación: </span>
        {oneDecimal(value)}
        <span className="visually-hidden"> de 5</span>
      </b>
      {count && <span>({count})</span>}
    </span>
  );
}
