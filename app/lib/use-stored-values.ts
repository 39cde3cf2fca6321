import { type RefObject, useEffect, useRef } from "react";
import { useActionData } from "react-router";
import { getActionError } from "./client-error-messages.ts";
import { isCheckbox } from "./use-draft.ts";

type Control = HTMLInputElement | HTMLTextAreaElement;
type Value = string | boolean;

const shownIn = (control: Control): Value => (isCheckbox(control) ? control.checked : control.value);
const storedIn = (control: Control): Value => (isCheckbox(control) ? control.defaultChecked : control.defaultValue);
const controlsOf = (form: HTMLFormElement) =>
  Array.from(form.elements).filter(
    (element): element is Control => element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement,
  );

/** A remounted form would lose unsaved text and the focus. React updates only the default values of its fields. */
export function useStoredValues(form: RefObject<HTMLFormElement | null>): void {
  const stored = useRef(new Map<Control, Value>());
  const sent = useRef(new Map<Control, Value>());
  const error = getActionError(useActionData());
  const known = useRef(error);
  useEffect(() => {
    const element = form.current;
    const remember = () => {
      sent.current = new Map(element && controlsOf(element).map((control) => [control, shownIn(control)]));
    };
    element?.addEventListener("submit", remember);
    return () => element?.removeEventListener("submit", remember);
  }, [form]);
  useEffect(() => {
    const isNew = error !== known.current;
    known.current = error;
    // A refused form has its typed values as default values; the server did not store them.
    if (error && isNew) sent.current = new Map();
    if (!error && form.current) showStored(form.current, stored.current, sent.current);
  });
}

function showStored(form: HTMLFormElement, stored: Map<Control, Value>, sent: Map<Control, Value>): void {
  for (const control of controlsOf(form)) {
    const now = storedIn(control);
    const before = stored.get(control);
    stored.set(control, now);
    if (before === undefined || before === now) continue;
    if (![now, before, sent.get(control)].includes(shownIn(control))) continue;
    if (isCheckbox(control)) control.checked = control.defaultChecked;
    else control.value = control.defaultValue;
    control.dispatchEvent(new Event("input", { bubbles: true }));
  }
}
