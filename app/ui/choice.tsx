import { type ReactNode, useId } from "react";
import { FieldError, type FieldTexts, type Native, useControl } from "./field.tsx";

interface CheckboxProps extends Omit<FieldTexts, "optional">, Omit<Native<"input">, "type"> {
  id?: string;
}

/** Checkbox with its label on the right, and its error and hint below. */
export function Checkbox({ label, hint, error, id, ...input }: CheckboxProps) {
  const { control, hintId, errorId } = useControl({ id, hint, error });
  return (
    <div className={error ? "field--bad" : undefined}>
      <label className="checkbox">
        <input {...input} {...control} type="checkbox" />
        <span>{label}</span>
      </label>
      <div className="checkbox__details">
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

interface RadioGroupProps {
  legend: ReactNode;
  name: string;
  options: readonly RadioOption[];
  defaultValue?: string;
  required?: boolean;
  hint?: ReactNode;
}

export function RadioGroup({ legend, name, options, defaultValue, required, hint }: RadioGroupProps) {
  const hintId = useId();
  return (
    <fieldset className="field" aria-describedby={hint ? hintId : undefined}>
      <legend className="legend">{legend}</legend>
      <div className="choice">
        {options.map((option) => (
          <label className="checkbox" key={option.value}>
            <input
              type="radio"
              name={name}
              value={option.value}
              defaultChecked={option.value === defaultValue}
              required={required}
            />
            <span>
              <b>{option.label}</b>
              {option.hint && <span className="hint">{option.hint}</span>}
            </span>
          </label>
        ))}
      </div>
      {hint && (
        <p className="hint" id={hintId}>
          {hint}
        </p>
      )}
    </fieldset>
  );
}
