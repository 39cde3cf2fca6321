import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";
import { FieldError, type FieldTexts, type Native, useControl } from "./field.tsx";

export interface CheckboxProps extends Omit<FieldTexts, "optional">, Omit<Native<"input">, "type"> {
  id?: string;
  className?: string;
}

/** A checkbox with its label at the right; error and hint below it, where the label begins. */
export function Checkbox({ label, hint, error, id, className, ...input }: CheckboxProps) {
  const { control, hintId, errorId } = useControl({ id, hint, error });
  return (
    <div className={classNames(error ? "field--bad" : null, className)}>
      <label className="check">
        <input {...input} {...control} type="checkbox" />
        <span>{label}</span>
      </label>
      <div className="check__more">
        <FieldError id={errorId} error={error} />
        {hint && (
          <p className="hint" id={hintId}>
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}

interface RadioOption {
  value: string;
  label: ReactNode;
  hint?: ReactNode;
}

export interface RadioGroupProps extends Omit<FieldTexts, "label" | "optional"> {
  legend: ReactNode;
  name: string;
  options: readonly RadioOption[];
  defaultValue?: string;
  required?: boolean;
  onChange?: (value: string) => void;
  className?: string;
}

/** A choice of one among a few, as cards. */
export function RadioGroup({
  legend,
  name,
  options,
  defaultValue,
  required,
  onChange,
  hint,
  error,
  className,
}: RadioGroupProps) {
  const { control, hintId, errorId } = useControl({ hint, error });
  return (
    <fieldset
      className={classNames("field", error ? "field--bad" : null, className)}
      aria-describedby={control["aria-describedby"]}
    >
      <legend className="legend">{legend}</legend>
      <div className="choice">
        {options.map((option) => (
          <label className="check" key={option.value}>
            <input
              type="radio"
              name={name}
              value={option.value}
              defaultChecked={option.value === defaultValue}
              required={required}
              aria-invalid={error ? true : undefined}
              onChange={() => onChange?.(option.value)}
            />
            <span>
              <b>{option.label}</b>
              {option.hint && <span className="hint check__hint">{option.hint}</span>}
            </span>
          </label>
        ))}
      </div>
      <FieldError id={errorId} error={error} />
      {hint && (
        <p className="hint" id={hintId}>
          {hint}
        </p>
      )}
    </fieldset>
  );
}
