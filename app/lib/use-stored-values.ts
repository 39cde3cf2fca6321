import { type RefObject, useEffect, useRef } from "react";

type Control = HTMLInputElement | HTMLTextAreaElement;
/** Value of a text, or true for a ticked box. */
type Value = string | boolean;

const isBox = (control: Control): control is HTMLInputElement =>
  control instanceof HTMLInputElement && control.type === "checkbox";
const shownIn = (control: Control): Value => (isBox(control) ? control.checked : control.value);
const storedIn = (control: Control): Value => (isBox(control) ? control.defaultChecked : control.defaultValue);
const controlsOf = (form: HTMLFormElement) =>
  Array.from(form.elements).filter(
    (element): element is Control => element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement,
  );

/**
 * Shows newly stored values in the texts and checkboxes of a form. Fields that changed after they were shown or sent stay.
 *
 * A remounted form would lose unsaved text and the focus. React updates only the default values of the fields.
 * @param refused true while the default values are typed ones, of a refused form
 */
export function useStoredValues(form: RefObject<HTMLFormElement | null>, refused = false): void {
  const stored = useRef(new Map<Control, Value>());
  const sent = useRef(new Map<Control, Value>());
  useEffect(() => {
    const element = form.current;
    const remember = () => {
      sent.current = new Map(element && controlsOf(element).map((control) => [control, shownIn(control)]));
    };
    element?.addEventListener("submit", remember);
    return () => element?.removeEventListener("submit", remember);
  }, [form]);
  useEffect(() => {
    for (const control of form.current && !refused ? controlsOf(form.current) : []) {
      const now = storedIn(control);
      const before = stored.current.get(control);
      stored.current.set(control, now);
      if (before === undefined || before === now) continue;
      if (![now, before, sent.current.get(control)].includes(shownIn(control))) continue;
      if (isBox(control)) control.checked = control.defaultChecked;
      else control.value = control.defaultValue;
      control.dispatchEvent(new Event("input", { bubbles: true }));
    }
  });
}
