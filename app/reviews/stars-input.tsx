import { type ReactNode, useId, useState } from "react";
import { classNames } from "#app/ui/class-names.ts";
import { FieldError } from "#app/ui/field.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { STAR_VALUES } from "#app/ui/stars.tsx";
import "./stars-input.css";

const WORDS = ["Malo", "Regular", "Bueno", "Muy bueno", "Excelente"] as const;

/** Required rating: five radio buttons styled as stars. Works with arrow keys and without JavaScript. */
export function StarsInput({ defaultValue, error }: { defaultValue: number; error: ReactNode }) {
  const errorId = useId();
  const [value, setValue] = useState(defaultValue);
  return (
    <fieldset
      className={classNames("field", error ? "field--bad" : null)}
      aria-describedby={error ? errorId : undefined}
    >
      <legend className="legend">Calificación</legend>
      <div className="row stars-input">
        <div className="stars-input__row">
          {STAR_VALUES.map((star) => (
            <label key={star}>
              <input
                className="visually-hidden"
                type="radio"
                name="rating"
                value={star}
                defaultChecked={star === defaultValue}
                required
                aria-invalid={error ? true : undefined}
                onChange={() => setValue(star)}
              />
              <Icon name="star" />
              <span className="visually-hidden">
                {star} de 5: {WORDS[star - 1]}
              </span>
            </label>
          ))}
        </div>
        <span className="text-muted" aria-hidden="true">
          {value} {WORDS[value - 1]}
        </span>
      </div>
      <FieldError id={errorId} error={error} />
    </fieldset>
  );
}
