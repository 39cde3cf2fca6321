import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";

export const STAR_VALUES = [1, 2, 3, 4, 5] as const;

export function Stars({ value }: { value: number }) {
  const stars = STAR_VALUES.map((star) => <Icon name="star" key={star} />);
  return (
    <span className="stars" role="img" aria-label={`${value} de 5 estrellas`}>
      {stars}
      <span style={{ width: `${value * 20}%` }}>{stars}</span>
    </span>
  );
}

export const Rating = ({ value, count }: { value: number; count?: ReactNode }) => (
  <span className="rate">
    <Icon name="star" className="star" />
    <b>
      <span className="visually-hidden">Calificación: </span>
      {value.toFixed(1).replace(".", ",")}
      <span className="visually-hidden"> de 5</span>
    </b>
    {count && <span>({count})</span>}
  </span>
);
