import type { RefObject } from "react";
import { LIMITS } from "#shared/limits.ts";
import "./missing-field.css";

type Required = Record<"title" | "content" | "country", string>;

type Missing = { name: keyof Required; words: string };

/** Returns the first missing field, or null. @param short true to include texts that are too short */
export function missingIn({ title, content, country }: Required, short = false): Missing | null {
  const below = (text: string, { min }: { min: number }) => text.trim().length < (short ? min : 1);
  if (below(title, LIMITS.title))
    return { name: "title", words: title.trim() ? "El título es muy corto" : "Falta el título" };
  if (below(content, LIMITS.content))
    return { name: "content", words: content.trim() ? "Cuenta un poco más" : "Falta la descripción" };
  return country ? null : { name: "country", words: "Falta el país" };
}

type MissingFieldProps = { id: string; form: RefObject<HTMLFormElement | null>; missing: Missing };

export function MissingField({ id, form, missing }: MissingFieldProps) {
  const show = () => {
    const control = form.current?.elements.namedItem(missing.name) as HTMLElement | null;
    control?.scrollIntoView({ block: "center" });
    control?.focus({ preventScroll: true });
  };
  return (
    <button type="button" id={id} className="small missing-field" onClick={show}>
      {missing.words}
    </button>
  );
}
