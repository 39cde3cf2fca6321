/** Shared values and hooks of the consultation form. */
import { type ChangeEvent, type RefObject, useEffect, useRef, useState } from "react";
import { checkboxValue } from "#app/lib/checkbox-field.ts";
import { CONSULTATION_DRAFT, readDraft } from "#app/lib/drafts.ts";
import type { ConsultationView } from "#shared/consultations.ts";

/** Form values as strings. A rejected form returns them, which preserves the text without JavaScript. */
export type ConsultationValues = Partial<
  Record<
    "title" | "content" | "country" | "category" | "is_anonymous" | "author_name" | "notify_on_answer" | "noindex",
    string
  >
>;

export const consultationFormValues = (
  { title, content, country, category, is_anonymous, noindex }: ConsultationView,
  own: { author_name: string | null; notify_on_answer: boolean | null },
): ConsultationValues => ({
  title,
  content,
  country,
  category: category ?? "",
  is_anonymous: checkboxValue(is_anonymous),
  author_name: own.author_name ?? "",
  notify_on_answer: checkboxValue(own.notify_on_answer ?? false),
  noindex: checkboxValue(noindex),
});

/**
 * Ticks "notify me by mail" for named authors and unticks it for anonymous ones, until the author decides.
 * @param decided true if the author decided before this form was rendered
 * @returns among others `followed`: a message if the box has just changed
 */
export function useMailChoice(form: RefObject<HTMLFormElement | null>, decided: boolean) {
  const box = useRef<HTMLInputElement>(null);
  const [mailDecided, setMailDecided] = useState(decided);
  const [followed, setFollowed] = useState("");
  // Only this script ticks it for named authors: without JavaScript it could not follow the anonymity checkbox.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, after hydration
  useEffect(() => {
    // A visitor's draft has no value for it.
    if (mailDecided || readDraft(CONSULTATION_DRAFT)?.notify_on_answer !== undefined || !box.current) return;
    const anonymous = form.current?.elements.namedItem("is_anonymous") as HTMLInputElement | null;
    box.current.checked = !anonymous?.checked;
  }, []);
  const followAnonymity = (event: ChangeEvent<HTMLInputElement>) => {
    // A restored draft has its own value.
    if (!event.isTrusted || !box.current) return;
    const before = box.current.checked;
    if (event.currentTarget.checked) box.current.checked = false;
    else if (!mailDecided) box.current.checked = true;
    const { checked } = box.current;
    setFollowed(checked === before ? "" : `Hemos ${checked ? "marcado" : "desmarcado"} «Avísame por correo».`);
  };
  const decide = () => {
    setMailDecided(true);
    setFollowed("");
  };
  return { box, decide, followAnonymity, followed };
}
