import { type ComponentProps, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { useHydrated } from "#app/lib/hydrated.ts";
import { classNames } from "./class-names.ts";
import { AlertIcon, ChevronDownIcon } from "./icon.tsx";
import { EyeIcon, EyeOffIcon } from "./more-icons.tsx";
import "./field.css";

/** What a control needs to be tied to its label, hint and error. */
interface ControlProps {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
}

export interface FieldTexts {
  label: ReactNode;
  /** Shows "opcional" beside the label. */
  optional?: boolean;
  /** Help that stays under the control. */
  hint?: ReactNode;
  /** What is wrong, and how to put it right. */
  error?: ReactNode;
}

interface FieldProps extends FieldTexts {
  /** Id of the control; without it one is made. */
  id?: string;
  /** Something at the end of the label's row. */
  aside?: ReactNode;
  className?: string;
  /** The control; it spreads what it is given. */
  children: (control: ControlProps) => ReactNode;
}

/** A label, a control, its hint and its error, tied together for assistive technology. */
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

/** What ties a control to its label, hint and error. */
export function useControl({ id, hint, error }: { id?: string; hint?: ReactNode; error?: ReactNode }) {
  const made = useId();
  const controlId = id ?? made;
  const hintId = `${controlId}-hint`;
  const errorId = `${controlId}-error`;
  const control: ControlProps = {
    id: controlId,
    "aria-describedby": classNames(error ? errorId : null, hint ? hintId : null),
    "aria-invalid": error ? true : undefined,
  };
  return { control, hintId, errorId };
}

/** What is wrong. The live region is there before the error is: only then is an error that arrives later announced. */
export function FieldError({ id, error }: { id: string; error: ReactNode }) {
  return (
    <div aria-live="polite" className="field__live">
      {error && (
        <p className="field-error" id={id}>
          <AlertIcon size="s" />
          <span>{error}</span>
        </p>
      )}
    </div>
  );
}

export type Native<Tag extends "input" | "textarea" | "select"> = Omit<
  ComponentProps<Tag>,
  "id" | "className" | "aria-describedby" | "aria-invalid"
>;

interface TextInputProps extends FieldTexts, Native<"input"> {
  id?: string;
}

/** A line of text of any native type (text, email, tel, url, number, date, search). */
export function TextInput({ label, optional, hint, error, id, ...input }: TextInputProps) {
  return (
    <Field label={label} optional={optional} hint={hint} error={error} id={id}>
      {(control) => <input {...input} {...control} className="input" />}
    </Field>
  );
}

interface TextAreaProps extends FieldTexts, Omit<Native<"textarea">, "ref"> {
  id?: string;
  /** Shorter and heavier: for a title that may take two lines. */
  asTitle?: boolean;
}

// The pause after the last key before the count is announced: speaking at each key would drown what is typed.
const ANNOUNCE_AFTER_MS = 1000;

/** Several lines of text. Near `maxLength` (its last tenth, at least 20 characters) a countdown appears and is announced when typing pauses. */
export function TextArea({ label, optional, hint, error, id, asTitle, ...area }: TextAreaProps) {
  const own = useRef<HTMLTextAreaElement>(null);
  const [length, setLength] = useState(() => String(area.value ?? area.defaultValue ?? "").length);
  // Counted from the element itself: a browser brings back what was typed before the page was hydrated, a draft is put in from outside, a form is reset.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new value is a new length
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

  const left = area.maxLength === undefined ? undefined : area.maxLength - length;
  const near = left !== undefined && left <= Math.max(20, Math.floor((area.maxLength ?? 0) / 10));
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
            <span className="countdown" aria-hidden="true">
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

interface SelectInputProps extends FieldTexts, Native<"select"> {
  id?: string;
  className?: string;
}

/** A native select; its children are the options. */
export function SelectInput({ label, optional, hint, error, id, className, children, ...select }: SelectInputProps) {
  return (
    <Field label={label} optional={optional} hint={hint} error={error} id={id} className={className}>
      {(control) => (
        <div className="field__control">
          <select {...select} {...control} className="input">
            {children}
          </select>
          <ChevronDownIcon size="s" />
        </div>
      )}
    </Field>
  );
}

interface PasswordInputProps extends Omit<FieldTexts, "optional">, Omit<Native<"input">, "type" | "ref"> {
  id?: string;
}

/** A password with a button that shows it; sending the form hides it again, so that no browser remembers it as plain text. */
export function PasswordInput({ label, hint, error, id, ...input }: PasswordInputProps) {
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
            {...input}
            {...control}
            ref={own}
            type={shown ? "text" : "password"}
            className="input"
          />
          {hydrated && (
            <button
              type="button"
              className="icon-button"
              aria-label="Mostrar contraseña"
              aria-pressed={shown}
              aria-controls={control.id}
              onClick={() => setShown(!shown)}
            >
              {shown ? <EyeOffIcon size="s" /> : <EyeIcon size="s" />}
            </button>
          )}
        </div>
      )}
    </Field>
  );
}
