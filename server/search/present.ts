import { excerpt } from "#shared/excerpt.ts";
import type { FoundConsultationView } from "#shared/search.ts";
import { presentConsultation } from "../consultations/present.ts";
import { type FoundRow, MARKS } from "./store.ts";

/** Splits a marked text: every second part, from the second on, is a match. */
const partsOf = (marked: string) =>
  marked.replaceAll(MARKS.less, "<").split(new RegExp(`[${MARKS.start}${MARKS.end}]`, "u"));

/** Returns the beginning of a text without matches, or the fragments around the matches. */
function contentParts(row: FoundRow): string[] {
  const parts = partsOf(row.marked_content);
  if (parts.length === 1) return [excerpt(row.content)];
  return row.content.startsWith(parts[0]!) ? parts : [`… ${parts[0]}`, ...parts.slice(1)];
}

export const presentFound = (row: FoundRow): FoundConsultationView => ({
  ...presentConsultation(row),
  content: excerpt(row.content),
  title_parts: partsOf(row.marked_title),
  content_parts: contentParts(row),
});
