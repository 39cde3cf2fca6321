import { FieldError, type FieldTexts, type Native, useControl } from "./field.tsx";

interface CheckboxProps extends Omit<FieldTexts, "optional">, Omit<Native<"input">, "type"> {
  id?: string;
}

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
