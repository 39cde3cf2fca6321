import { excerpt } from "#shared/excerpt.ts";
import type { FoundConsultationView } from "#shared/search.ts";
import { presentConsultation } from "../consultations/present.ts";
import { type FoundRow, MARKS } from "./store.ts";

/** Splits a marked text: every second part, from the second on, is a match. */
const partsOf = (marked: string) =>
  marked.replaceAll(MARKS.less, "<").split(new RegExp(`[${MARKS.start}${MARKS.end}]`, "u"));

export const presentFound = (row: FoundRow): FoundConsultationView => ({
  ...presentConsultation(row),
  content: excerpt(row.content),
  title_parts: partsOf(row.marked_title),
  content_parts: partsOf(row.marked_content),
});
