/** What the fields of a consultation's form know of each other. */
import { type ChangeEvent, type RefObject, useEffect, useRef, useState } from "react";
import { checkboxValue } from "#app/lib/checkbox-field.ts";
import { CONSULTATION_DRAFT, readDraft } from "#app/lib/drafts.ts";
import type { ConsultationView } from "#shared/consultations.ts";
import { missingIn } from "./missing-field.tsx";

/** The fields of a consultation's form as texts; what a refused one brings back, so that nothing is lost without JavaScript either. */
export type ConsultationValues = Partial<
  Record<"title" | "content" | "country" | "category" | "is_anonymous" | "author_name" | "mail_answers", string>
>;

/** The fields as they are for a consultation that its author corrects. */
export const valuesOf = (
  { title, content, country, category, is_anonymous }: ConsultationView,
  { author_name, mail_answers }: { author_name: string | null; mail_answers: boolean | null },
): ConsultationValues => ({
  title,
  content,
  country,
  category: category ?? "",
  is_anonymous: checkboxValue(is_anonymous),
  author_name: author_name ?? "",
  mail_answers: checkboxValue(mail_answers ?? false),
});

type FormRef = RefObject<HTMLFormElement | null>;

const controlOf = (form: FormRef, name: string) =>
  (form.current?.elements.namedItem(name) ?? null) as HTMLInputElement | null;

/** Texts of the fields that a consultation cannot do without, and the first of them that is empty. */
export function useRequiredFields(form: FormRef, given: { title: string; content: string; country: string }) {
  const [title, setTitle] = useState(given.title);
  const [content, setContent] = useState(given.content);
  const [country, setCountry] = useState(given.country);
  const [hydrated, setHydrated] = useState(false);
  // Without JavaScript the button must work: it is disabled only once the form can tell that something is missing.
  useEffect(() => {
    const read = (name: string) => controlOf(form, name)?.value ?? "";
    setTitle(read("title"));
    setContent(read("content"));
    setCountry(read("country"));
    setHydrated(true);
  }, [form]);
  const missing = hydrated ? missingIn({ title, content, country }) : null;
  return { country, setTitle, setContent, setCountry, missing };
}

/**
 * Ticks "tell me by mail" for authors who give a name and unticks it for anonymous ones, until they have decided themselves.
 * @param decided whether they have, before this form was shown
 * @returns among others `followed`: words for a box that has just followed the choice
 */
export function useMailChoice(form: FormRef, decided: boolean) {
  const box = useRef<HTMLInputElement>(null);
  const [mailDecided, setMailDecided] = useState(decided);
  const [followed, setFollowed] = useState("");
  // Only a script ticks it for authors who give a name: without JavaScript the box cannot follow the choice of being anonymous.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the form is hydrated
  useEffect(() => {
    // A visitor's draft says nothing of it.
    if (!mailDecided && readDraft(CONSULTATION_DRAFT)?.mail_answers === undefined && box.current)
      box.current.checked = !controlOf(form, "is_anonymous")?.checked;
  }, []);
  const followAnonymity = (event: ChangeEvent<HTMLInputElement>) => {
    // A kept draft brings its own choice.
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
