import { type RefObject, useEffect } from "react";
import { PREFIX } from "./drafts.ts";

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

function controls(form: HTMLFormElement): Control[] {
  return Array.from(form.elements).filter(
    (element): element is Control =>
      (element instanceof HTMLTextAreaElement ||
        element instanceof HTMLSelectElement ||
        (element instanceof HTMLInputElement && ["text", "checkbox"].includes(element.type))) &&
      element.name !== "",
  );
}

/** Keeps what is typed into a form through a reload, a detour through signing in and a failed send. A form without a key keeps nothing. */
export function useDraft(form: RefObject<HTMLFormElement | null>, key: string | null): void {
  useEffect(() => {
    const element = form.current;
    if (!element || key === null) return;
    const kept = sessionStorage.getItem(PREFIX + key);
    if (kept) {
      const values = JSON.parse(kept) as Record<string, string | boolean>;
      for (const control of controls(element)) {
        const value = values[control.name];
        if (control instanceof HTMLInputElement && control.type === "checkbox") {
          if (typeof value === "boolean" && control.checked !== value) control.click();
        } else if (typeof value === "string" && control.value === "") {
          control.value = value;
          control.dispatchEvent(new Event("input", { bubbles: true }));
        }
      }
    }
    const keep = () => {
      const values = Object.fromEntries(
        controls(element).map((control) => [
          control.name,
          control instanceof HTMLInputElement && control.type === "checkbox" ? control.checked : control.value,
        ]),
      );
      sessionStorage.setItem(PREFIX + key, JSON.stringify(values));
    };
    element.addEventListener("input", keep);
    element.addEventListener("change", keep);
    return () => {
      element.removeEventListener("input", keep);
      element.removeEventListener("change", keep);
    };
  }, [form, key]);
}
