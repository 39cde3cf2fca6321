import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";

export const STAR_VALUES = [1, 2, 3, 4, 5] as const;

function oneDecimal(value: number): string {
  return value.toFixed(1).replace(".", ",");
}

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
  count?: ReactNode;
}

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
