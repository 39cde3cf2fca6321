import { type ReactNode, useId, useState } from "react";
import { classNames } from "./class-names.ts";
import { AlertIcon, StarIcon } from "./icon.tsx";

const FIVE = [1, 2, 3, 4, 5] as const;

/** One decimal, with the comma of the specification: 4.66 is "4,7", 4 is "4,0". */
function oneDecimal(value: number): string {
  return value.toFixed(1).replace(".", ",");
}

/** A whole number stays whole: "5 de 5 estrellas". */
function spoken(value: number): string {
  const text = Number.isInteger(value) ? String(value) : oneDecimal(value);
  return `${text} de 5 estrellas`;
}

export interface StarsProps {
  /** From 0 to 5; the stars are filled to the tenth. */
  value: number;
  className?: string;
}

/** Five stars, filled as far as the value goes. */
export function Stars({ value, className }: StarsProps) {
  const stars = FIVE.map((star) => <StarIcon key={star} />);
  return (
    <span className={classNames("stars", className)} role="img" aria-label={spoken(value)}>
      {stars}
      <span style={{ width: `${Math.min(Math.max(value, 0), 5) * 20}%` }}>{stars}</span>
    </span>
  );
}

export interface RatingProps {
  /** Mean from 0 to 5. */
  value: number;
  /** What it counts: "38 reseñas"; shown in brackets. */
  count?: ReactNode;
  className?: string;
}

/** A mean as one star and a number: "★ 4,7 (38 reseñas)". */
export function Rating({ value, count, className }: RatingProps) {
  return (
    <span className={classNames("rate", className)}>
      <StarIcon className="star" />
      <b>
        <span className="sr">Calificación: </span>
        {oneDecimal(value)}
        <span className="sr"> de 5</span>
      </b>
      {count && <span>({count})</span>}
    </span>
  );
}

export interface StarsInputProps {
  legend: ReactNode;
  name: string;
  /** The word of each star, from one to five: "Malo" ... "Excelente". */
  words: readonly [string, string, string, string, string];
  defaultValue?: number;
  required?: boolean;
  error?: ReactNode;
  className?: string;
}

/** A rating to give: five radio buttons that look like stars. Arrows move, as in any radio group; it works without JavaScript. */
export function StarsInput({ legend, name, words, defaultValue, required, error, className }: StarsInputProps) {
  const errorId = useId();
  const [value, setValue] = useState(defaultValue);
  return (
    <fieldset
      className={classNames("field", error ? "field--bad" : null, className)}
      aria-describedby={error ? errorId : undefined}
    >
      <legend className="legend">{legend}</legend>
      <div className="starpick">
        <div className="starpick__row">
          {FIVE.map((star) => (
            <label key={star}>
              <input
                className="sr"
                type="radio"
                name={name}
                value={star}
                defaultChecked={star === defaultValue}
                required={required}
                aria-invalid={error ? true : undefined}
                onChange={() => setValue(star)}
              />
              <StarIcon size="l" />
              <span className="sr">
                {star} de 5: {words[star - 1]}
              </span>
            </label>
          ))}
        </div>
        {value && (
          <span className="soft" aria-hidden="true">
            {value} {words[value - 1]}
          </span>
        )}
      </div>
      <div aria-live="polite" className="field__live">
        {error && (
          <p className="err" id={errorId}>
            <AlertIcon size="s" />
            <span>{error}</span>
          </p>
        )}
      </div>
    </fieldset>
  );
}
