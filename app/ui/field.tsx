import { type ComponentProps, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { useHydrated } from "#app/lib/hydrated.ts";
import { IconButton } from "./button.tsx";
import { classNames } from "./class-names.ts";
import { Options, type OptionsProps } from "./filter-select.tsx";
import { Icon } from "./icon.tsx";
import "./field.css";

type FieldProps = { id?: string; label: ReactNode; optional?: boolean; hint?: ReactNode; error?: ReactNode };

type FieldOf<Tag extends "input" | "textarea" | "select"> = FieldProps &
  Omit<ComponentProps<Tag>, "id" | "className" | "aria-describedby" | "aria-invalid">;

type Limit = { limit?: { min?: number; max: number } };

interface FrameProps extends FieldProps, Limit {
  aside?: ReactNode;
  className?: string;
  children: (control: object) => ReactNode;
}

/** @param native attributes of the control */
function Field({ label, optional, hint, error, id, aside, limit, className, children, ...native }: FrameProps) {
  const { control, hintText, errorText } = useControl({ id, hint, error });
  return (
    <div className={classNames("field", error ? "field--bad" : null, className)}>
      <div className="field__top">
        <label htmlFor={control.id}>
          {label}
          {optional && <span className="field__optional"> opcional</span>}
        </label>
        {aside}
      </div>
      {children({ minLength: limit?.min, maxLength: limit?.max, ...native, ...control })}
      {errorText}
      {hintText}
    </div>
  );
}

function useControl({ id, hint, error }: Pick<FieldProps, "id" | "hint" | "error">) {
  const made = useId();
  const controlId = id ?? made;
  const hintId = `${controlId}-hint`;
  const errorId = `${controlId}-error`;
  const control = {
    id: controlId,
    "aria-describedby": classNames(error ? errorId : null, hint ? hintId : null),
    "aria-invalid": error ? true : undefined,
    // Without JavaScript the browser focuses the first one of a refused form.
    autoFocus: error ? true : undefined,
  };
  const hintText = hint && (
    <p className="hint" id={hintId}>
      {hint}
    </p>
  );
  return { control, hintText, errorText: <FieldError id={errorId} error={error} /> };
}

/** Error of a field, which its control describes. Not a live region: the form's message and the focus announce it. */
export function FieldError({ id, error }: { id: string; error: ReactNode }) {
  if (!error) return null;
  return (
    <p className="field-error" id={id}>
      <Icon name="alert" size="s" />
      <span>{error}</span>
    </p>
  );
}

export function Checkbox({ label, hint, error, id, ...input }: FieldOf<"input">) {
  const { control, hintText, errorText } = useControl({ id, hint, error });
  return (
    <div className={error ? "field--bad" : undefined}>
      <label className="checkbox">
        <input {...input} {...control} type="checkbox" />
        <span>{label}</span>
      </label>
      <div className="checkbox__details">
        {errorText}
        {hintText}
      </div>
    </div>
  );
}

export const TextInput = (props: FieldOf<"input"> & Limit) => (
  <Field {...props}>{(control) => <input {...control} className="input" />}</Field>
);

// Delay after the last key before the counter is announced, so that it does not interrupt typing.
const ANNOUNCE_AFTER_MS = 1000;

/** A countdown appears in the last tenth of `maxLength`, at least in the last 20 characters. */
export function TextArea({ asTitle, ...field }: Omit<FieldOf<"textarea">, "ref"> & Limit & { asTitle?: boolean }) {
  const { maxLength = field.limit?.max ?? 0 } = field;
  const own = useRef<HTMLTextAreaElement>(null);
  const [length, setLength] = useState(() => String(field.value ?? field.defaultValue ?? "").length);
  // Counted from the element, because text restored by the browser, drafts and form resets change it without React.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new value has a new length
  useEffect(() => {
    const element = own.current;
    if (!element) return;
    const count = () => setLength(element.value.length);
    const countSoon = () => setTimeout(count);
    count();
    element.addEventListener("input", count);
    element.form?.addEventListener("reset", countSoon);
    return () => {
      element.removeEventListener("input", count);
      element.form?.removeEventListener("reset", countSoon);
    };
  }, [field.value]);

  const left = maxLength - length;
  const near = maxLength > 0 && left <= Math.max(20, Math.floor(maxLength / 10));
  const count = near ? countdown(left) : "";
  const [announced, setAnnounced] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setAnnounced(count), ANNOUNCE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [count]);
  const counter = (
    <>
      {near && (
        <span className="small countdown" aria-hidden="true">
          {count}
        </span>
      )}
      <span className="visually-hidden" role="status">
        {announced}
      </span>
    </>
  );
  return (
    <Field {...field} aside={counter}>
      {(control) => (
        <textarea
          rows={asTitle ? 3 : 6}
          {...control}
          ref={own}
          className={classNames("input", asTitle && "input--title")}
        />
      )}
    </Field>
  );
}

function countdown(left: number): string {
  if (left < 0) return left === -1 ? "Sobra 1 carácter" : `Sobran ${-left} caracteres`;
  return left === 1 ? "Queda 1 carácter" : `Quedan ${left} caracteres`;
}

type SelectInputProps = FieldOf<"select"> & OptionsProps & { className?: string };

export const SelectInput = ({ none, options, children, ...field }: SelectInputProps) => (
  <Field {...field}>
    {(control) => (
      <div className="field__control">
        <select {...control} className="input">
          {children ?? <Options none={none} options={options} />}
        </select>
        <Icon name="chevron-down" size="s" />
      </div>
    )}
  </Field>
);

/** Submitting hides the password again, so that browsers do not store it as plain text. */
export function PasswordInput({ id, ...field }: Omit<FieldOf<"input">, "type" | "ref"> & Limit & { id: string }) {
  const [shown, setShown] = useState(false);
  const hydrated = useHydrated();
  const own = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const form = own.current?.form;
    const hide = () => setShown(false);
    form?.addEventListener("submit", hide);
    return () => form?.removeEventListener("submit", hide);
  }, []);
  return (
    <Field id={id} {...field}>
      {(control) => (
        <div className="field__control">
          <input
            autoCapitalize="none"
            spellCheck={false}
            {...control}
            ref={own}
            type={shown ? "text" : "password"}
            className="input"
          />
          {hydrated && (
            <IconButton
              label="Mostrar contraseña"
              aria-pressed={shown}
              aria-controls={id}
              onClick={() => setShown(!shown)}
            >
              <Icon name={shown ? "eye-off" : "eye"} size="s" />
            </IconButton>
          )}
        </div>
      )}
    </Field>
  );
}
