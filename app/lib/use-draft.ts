import { type RefObject, useEffect, useRef } from "react";
import { useActionData, useNavigation } from "react-router";
import { getActionError } from "./client-error-messages.ts";
import { type DraftValues, deleteDraft, readDraft, saveDraft } from "./drafts.ts";

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

function controls(form: HTMLFormElement): Control[] {
  return Array.from(form.elements).filter(
    (element): element is Control =>
      (element instanceof HTMLTextAreaElement ||
        element instanceof HTMLSelectElement ||
        (element instanceof HTMLInputElement &&
          ["text", "email", "checkbox", "radio", "hidden"].includes(element.type))) &&
      element.name !== "",
  );
}

export const isCheckbox = (control: Element): control is HTMLInputElement =>
  control instanceof HTMLInputElement && control.type === "checkbox";

const isRadio = (control: Control): control is HTMLInputElement =>
  control instanceof HTMLInputElement && control.type === "radio";

const valuesOf = (form: HTMLFormElement): DraftValues =>
  Object.fromEntries(
    controls(form)
      .filter((control) => !isRadio(control) || control.checked)
      .map((control) => [control.name, isCheckbox(control) ? control.checked : control.value]),
  );

/** True if a text or choice is empty or still the one with which the page came. */
function isUntouched(control: Control): boolean {
  if (control.value === "") return true;
  if (control instanceof HTMLSelectElement)
    return Array.from(control.options).every((option) => option.selected === option.defaultSelected);
  return control.type !== "hidden" && control.value === control.defaultValue;
}

/** True if the user has typed into a text field, perhaps before the scripts arrived. */
const isTyped = (control: Control): boolean =>
  (control instanceof HTMLTextAreaElement || ["text", "email"].includes(control.type)) && !isUntouched(control);

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
