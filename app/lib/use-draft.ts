import { type RefObject, useEffect, useRef } from "react";
import { useActionData, useNavigation } from "react-router";
import { getActionError } from "./client-error-messages.ts";
import { type DraftValues, deleteDraft, readDraft, saveDraft } from "./drafts.ts";

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const TEXTS = ["text", "email", "textarea"];
const STORED = [...TEXTS, "select-one", "checkbox", "radio", "hidden"];

const controls = (form: HTMLFormElement): Control[] =>
  Array.from(form.elements as Iterable<Control>).filter(({ name, type }) => name && STORED.includes(type));

const isCheckbox = (control: Element): control is HTMLInputElement =>
  control instanceof HTMLInputElement && control.type === "checkbox";

const isRadio = (control: Control): control is HTMLInputElement =>
  control instanceof HTMLInputElement && control.type === "radio";

const valuesOf = (form: HTMLFormElement): DraftValues =>
  Object.fromEntries(
    controls(form)
      .filter((control) => !isRadio(control) || control.checked)
      .map((control) => [control.name, isCheckbox(control) ? control.checked : control.value]),
  );

function isUntouched(control: Control): boolean {
  if (control.value === "") return true;
  if (control instanceof HTMLSelectElement)
    return Array.from(control.options).every((option) => option.selected === option.defaultSelected);
  return control.type !== "hidden" && control.value === control.defaultValue;
}

/** True if the user has typed into a text field, perhaps before the scripts arrived. */
const isTyped = (control: Control): boolean => TEXTS.includes(control.type) && !isUntouched(control);

/** Fills a form as if the user had typed, so that event listeners run. Does not overwrite typed text. */
function restore(form: HTMLFormElement, values: DraftValues): void {
  for (const control of controls(form)) {
    const value = values[control.name];
    if (isCheckbox(control)) {
      if (typeof value === "boolean" && control.checked !== value) control.click();
    } else if (isRadio(control)) {
      if (control.value === value && !control.checked) control.click();
    } else if (typeof value === "string" && value !== "" && isUntouched(control)) {
      control.value = value;
      control.dispatchEvent(new Event("input", { bubbles: true }));
    }
  }
}

/** Stores what the user types, so that it survives a reload, a sign-in and a failed submit. */
export function useDraft(form: RefObject<HTMLFormElement | null>, key: string): void {
  useEffect(() => {
    const element = form.current;
    if (!element) return;
    const kept = readDraft(key);
    const typed = controls(element).some(isTyped);
    if (kept) restore(element, kept);
    const keep = () => saveDraft(key, valuesOf(element));
    if (typed) keep();
    // Not on "change": browsers fire it when a focused field is removed, so after a sign-out deleted the draft.
    element.addEventListener("input", keep);
    // The draft counts as sent until a field changes.
    const keepSent = () => saveDraft(key, { ...valuesOf(element), sent: true });
    element.addEventListener("submit", keepSent);
    return () => {
      element.removeEventListener("input", keep);
      element.removeEventListener("submit", keepSent);
    };
  }, [form, key]);
}

/** Deletes the draft when the action has stored it, unless the user typed since. Call it after `useStoredValues`. */
export function usePageDraft(form: RefObject<HTMLFormElement | null>, key: string): void {
  useDraft(form, key);
  const posting = useNavigation().formMethod === "POST";
  const refused = getActionError(useActionData()) !== null;
  const before = useRef(posting);
  useEffect(() => {
    const ended = before.current && !posting;
    before.current = posting;
    if (!ended || refused || !form.current) return;
    if (controls(form.current).some(isTyped)) saveDraft(key, valuesOf(form.current));
    else deleteDraft(key);
  }, [posting, refused, form, key]);
}

type StoredControl = HTMLInputElement | HTMLTextAreaElement;
type Value = string | boolean;

const shownIn = (control: StoredControl): Value => (isCheckbox(control) ? control.checked : control.value);
const storedIn = (control: StoredControl): Value =>
  isCheckbox(control) ? control.defaultChecked : control.defaultValue;
const controlsOf = (form: HTMLFormElement) =>
  Array.from(form.elements).filter(
    (element): element is StoredControl =>
      element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement,
  );

/** A remounted form would lose unsaved text and the focus. React updates only the default values of its fields. */
export function useStoredValues(form: RefObject<HTMLFormElement | null>): void {
  const stored = useRef(new Map<StoredControl, Value>());
  const sent = useRef(new Map<StoredControl, Value>());
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

function showStored(form: HTMLFormElement, stored: Map<StoredControl, Value>, sent: Map<StoredControl, Value>): void {
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
