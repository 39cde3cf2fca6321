import { type ComponentProps, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { useHydrated } from "#app/lib/hydrated.ts";
import { IconButton } from "./button.tsx";
import { classNames } from "./class-names.ts";
import { Icon } from "./icon.tsx";
import { Options, type OptionsProps } from "./options.tsx";
import "./field.css";

interface ControlProps {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
  autoFocus: true | undefined;
}

export interface FieldTexts {
  label: ReactNode;
  optional?: boolean;
  hint?: ReactNode;
  error?: ReactNode;
}

interface FieldProps extends FieldTexts {
  id?: string;
  aside?: ReactNode;
  className?: string;
  children: (control: ControlProps) => ReactNode;
}

function Field({ label, optional, hint, error, id, aside, className, children }: FieldProps) {
  const { control, hintId, errorId } = useControl({ id, hint, error });
  return (
    <div className={classNames("field", error ? "field--bad" : null, className)}>
      <div className="field__top">
        <label htmlFor={control.id}>
          {label}
          {optional && <span className="field__optional"> opcional</span>}
        </label>
        {aside}
      </div>
      {children(control)}
      <FieldError id={errorId} error={error} />
      {hint && (
        <p className="hint" id={hintId}>
          {hint}
        </p>
      )}
    </div>
  );
}

export function useControl({ id, hint, error }: { id?: string; hint?: ReactNode; error?: ReactNode }) {
  const made = useId();
  const controlId = id ?? made;
  const hintId = `${controlId}-hint`;
  const errorId = `${controlId}-error`;
  const control: ControlProps = {
    id: controlId,
    "aria-describedby": classNames(error ? errorId : null, hint ? hintId : null),
    "aria-invalid": error ? true : undefined,
    // Without JavaScript the browser focuses the first one of a refused form.
    autoFocus: error ? true : undefined,
  };
  return { control, hintId, errorId };
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

export type Native<Tag extends "input" | "textarea" | "select"> = Omit<
  ComponentProps<Tag>,
  "id" | "className" | "aria-describedby" | "aria-invalid"
>;

type Limit = { min?: number; max: number };

interface TextInputProps extends FieldTexts, Native<"input"> {
  id?: string;
  limit?: Limit;
}

export function TextInput({ label, optional, hint, error, id, limit, ...input }: TextInputProps) {
  return (
    <Field label={label} optional={optional} hint={hint} error={error} id={id}>
      {(control) => <input minLength={limit?.min} maxLength={limit?.max} {...input} {...control} className="input" />}
    </Field>
  );
}

interface TextAreaProps extends FieldTexts, Omit<Native<"textarea">, "ref"> {
  id?: string;
  limit?: Limit;
  asTitle?: boolean;
}

// Delay after the last key before the counter is announced, so that it does not interrupt typing.
const ANNOUNCE_AFTER_MS = 1000;

/** A countdown appears in the last tenth of `maxLength`, at least in the last 20 characters. */
export function TextArea({ label, optional, hint, error, id, limit, asTitle, ...area }: TextAreaProps) {
  const { maxLength = limit?.max } = area;
  const own = useRef<HTMLTextAreaElement>(null);
  const [length, setLength] = useState(() => String(area.value ?? area.defaultValue ?? "").length);
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
  }, [area.value]);

  const left = maxLength === undefined ? undefined : maxLength - length;
  const near = left !== undefined && left <= Math.max(20, Math.floor((maxLength ?? 0) / 10));
  const count = near ? countdown(left) : "";
  const announced = useDelayed(count, ANNOUNCE_AFTER_MS);

  return (
    <Field
      label={label}
      optional={optional}
      hint={hint}
      error={error}
      id={id}
      aside={
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
      }
    >
      {(control) => (
        <textarea
          rows={asTitle ? 3 : 6}
          minLength={limit?.min}
          maxLength={maxLength}
          {...area}
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

function useDelayed(value: string, milliseconds: number): string {
  const [delayed, setDelayed] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return delayed;
}

interface SelectInputProps extends FieldTexts, OptionsProps, Native<"select"> {
  id?: string;
  className?: string;
}

export function SelectInput(props: SelectInputProps) {
  const { label, optional, hint, error, id, className, none, options, children, ...select } = props;
  return (
    <Field label={label} optional={optional} hint={hint} error={error} id={id} className={className}>
      {(control) => (
        <div className="field__control">
          <select {...select} {...control} className="input">
            {children ?? <Options none={none} options={options} />}
          </select>
          <Icon name="chevron-down" size="s" />
        </div>
      )}
    </Field>
  );
}

interface PasswordInputProps extends Omit<FieldTexts, "optional">, Omit<Native<"input">, "type" | "ref"> {
  id?: string;
  limit?: Limit;
}

/** Submitting hides the password again, so that browsers do not store it as plain text. */
export function PasswordInput({ label, hint, error, id, limit, ...input }: PasswordInputProps) {
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
    <Field label={label} hint={hint} error={error} id={id}>
      {(control) => (
        <div className="field__control">
          <input
            autoCapitalize="none"
            spellCheck={false}
            minLength={limit?.min}
            maxLength={limit?.max}
            {...input}
            {...control}
            ref={own}
            type={shown ? "text" : "password"}
            className="input"
          />
          {hydrated && (
            <IconButton
              label="Mostrar contraseña"
              aria-pressed={shown}
              aria-controls={control.id}
              onClick={() => setShown(!shown)}
            >
              {shown ? <Icon name="eye-off" size="s" /> : <Icon name="eye" size="s" />}
            </IconButton>
          )}
        </div>
      )}
    </Field>
  );
}
