import { z } from "zod";
import { PsychologistCardView } from "./answers.ts";
import { CATEGORIES } from "./categories.ts";
import { ConsultationView } from "./consultations.ts";
import { COUNTRIES } from "./countries.ts";
import { LIMITS } from "./limits.ts";
import { IdInput, operation, pageView } from "./operation.ts";
import { id, oneOf, optional, text } from "./text.ts";

/** Typed text, at most as long as a consultation. Characters beyond the search's limit are ignored. */
const query = optional(text({ min: 0, max: LIMITS.title.max + LIMITS.content.max })).transform((typed = "") =>
  [...typed].slice(0, LIMITS.search.characters).join(""),
);

const LAST_PAGE = LIMITS.search.ranked / LIMITS.feedPage;

const SearchInput = z.strictObject({
  q: query,
  country: optional(oneOf(COUNTRIES)),
  category: optional(oneOf(CATEGORIES)),
  /** "yes" to find only consultations with answers. */
  answered: optional(oneOf(["yes"])),
  cursor: optional(
    z
      .string()
      .regex(/^[1-9]\d?$/, "Esta página no existe.")
      .refine((page) => Number(page) > 1 && Number(page) <= LAST_PAGE, "Esta página no existe."),
  ),
});

/** Parts of a text. Every second one, from the second on, matches the search. */
const parts = z.array(z.string());

const FoundConsultationView = ConsultationView.extend({ title_parts: parts, content_parts: parts });
export type FoundConsultationView = z.infer<typeof FoundConsultationView>;

const SearchView = pageView(FoundConsultationView).extend({
  /** The text that counts. */
  q: z.string(),
  /** There may be more consultations if it is above the number of ranked ones. */
  total: z.number(),
  /** Words found instead of mistyped ones. */
  corrected: z.array(z.string()),
  psychologists: z.array(PsychologistCardView.extend({ country: z.string().nullable() })),
  /** True if the typed words may mean danger, so that the page shows the help lines. */
  in_danger: z.boolean(),
});
export type SearchView = z.infer<typeof SearchView>;

const TitleView = z.object({ id, title: z.string(), country: z.string(), response_count: z.number() });
export type TitleView = z.infer<typeof TitleView>;

export const searchOperations = {
  consultations: operation("GET /search", "Search consultations and psychologists")
    .input(SearchInput)
    .output(SearchView),
  suggest: operation("GET /search/suggestions", "Titles with words that begin as typed")
    .input(z.strictObject({ q: query }))
    .output(z.array(TitleView)),
  // A draft must not be in a URL, which proxies log.
  similar: operation("POST /search/similar", "Consultations similar to a draft")
    .input(z.strictObject({ title: query, content: query }))
    .output(z.array(TitleView)),
  related: operation("GET /consultations/{id}/related", "Consultations similar to one")
    .input(IdInput)
    .output(z.array(TitleView)),
};
