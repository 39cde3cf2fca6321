import { type ReactNode, useId, useState } from "react";
import { classNames } from "./class-names.ts";
import { FieldError } from "./field.tsx";
import { Icon } from "./icon.tsx";
import { STAR_VALUES } from "./stars.tsx";
import "./field.css";
import "./stars-input.css";

interface StarsInputProps {
  legend: ReactNode;
  name: string;
  /** Label of each star, from one to five: "Malo" ... "Excelente". */
  words: readonly [string, string, string, string, string];
  defaultValue?: number;
  error?: ReactNode;
}

/** Required rating: five radio buttons styled as stars. Works with arrow keys and without JavaScript. */
export function StarsInput({ legend, name, words, defaultValue, error }: StarsInputProps) {
  const errorId = useId();
  const [value, setValue] = useState(defaultValue);
  return (
    <fieldset
      className={classNames("field", error ? "field--bad" : null)}
      aria-describedby={error ? errorId : undefined}
    >
      <legend className="legend">{legend}</legend>
      <div className="row stars-input">
        <div className="stars-input__row">
          {STAR_VALUES.map((star) => (
            <label key={star}>
              <input
                className="visually-hidden"
                type="radio"
                name={name}
                value={star}
                defaultChecked={star === defaultValue}
                required
                aria-invalid={error ? true : undefined}
                onChange={() => setValue(star)}
              />
              <Icon name="star" />
              <span className="visually-hidden">
                {star} de 5: {words[star - 1]}
              </span>
            </label>
          ))}
        </div>
        {value && (
          <span className="text-muted" aria-hidden="true">
            {value} {words[value - 1]}
          </span>
        )}
      </div>
      <FieldError id={errorId} error={error} />
    </fieldset>
  );
}
