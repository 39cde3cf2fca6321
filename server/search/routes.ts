import { AppError } from "#shared/errors.ts";
import { LIMITS } from "#shared/limits.ts";
import { presentPsychologistCard } from "../answers/present.ts";
import type { PublicDb } from "../database/handles.ts";
import { mentionsDanger } from "../safety/danger-rules.ts";
import { api } from "../sessions/operations.ts";
import { presentFound } from "./present.ts";
import { correctionOf, tellingWords, typedIn, variantsOf } from "./rules.ts";
import {
  lookUpWords,
  searchConsultations,
  searchPsychologists,
  similarConsultations,
  suggestTitles,
  textSearch,
  titleStems,
} from "./store.ts";

/** Words of a draft for the search. The language ignores about half of them. */
const MOST_WORDS = 24;

/** Resolves typed words: drops words that the language ignores or no consultation contains, corrects mistyped ones. */
async function understand(publicDb: PublicDb, words: readonly string[]) {
  const rows = words.length ? await lookUpWords(publicDb, words) : [];
  const telling = words.flatMap((word, at) => {
    const { is_stop, similar } = rows[at]!;
    return is_stop ? [] : [{ word, known: similar === null, correction: correctionOf(word, similar ?? []) }];
  });
  const found = telling.flatMap(({ word, known, correction }) => (known ? word : (correction ?? [])));
  const groups = tellingWords(found).map(variantsOf);
  return { telling, groups, corrected: telling.flatMap(({ correction }) => correction ?? []) };
}

export const searchRoutes = api.search.router({
  consultations: api.search.consultations.handler(
    async ({ context: { publicDb, now }, input: { q, country, category, answered, cursor } }) => {
      const { words, phrases } = typedIn(q, LIMITS.search.words);
      const { telling, groups, corrected } = await understand(publicDb, words);
      const page = Number(cursor ?? 1);
      const filter = { country, category, answered: answered === "yes" };
      const names = telling.map(({ word }) => word).filter((word) => word.length > 2);
      // Letters separate numbers, so that two numbers of a sentence do not look like a licence.
      const numbers = q.match(/\d[^\p{L}]*/gu)?.map((run) => run.replace(/\D/g, "")) ?? [];
      const licence = numbers.find(({ length }) => length >= LIMITS.licence.min) ?? "";
      const from = (page - 1) * LIMITS.feedPage;
      const [rows, psychologists] = await Promise.all([
        groups.length ? searchConsultations(publicDb, textSearch(groups, phrases), filter, from) : [],
        (names.length || licence) && page === 1 ? searchPsychologists(publicDb, names, licence, now()) : [],
      ]);
      if (page > 1 && !rows.length) throw new AppError("not_found");
      const total = rows[0]?.total ?? 0;
      return {
        q,
        items: rows.map(presentFound),
        total,
        next_cursor: Math.min(total, LIMITS.search.ranked) > from + LIMITS.feedPage ? String(page + 1) : null,
        corrected,
        psychologists: psychologists.map((row) => presentPsychologistCard(row.id, row)),
        in_danger: mentionsDanger(q),
      };
    },
  ),

  suggest: api.search.suggest.handler(async ({ context: { publicDb }, input: { q } }) => {
    const { words } = typedIn(q, LIMITS.search.words);
    return words.length ? suggestTitles(publicDb, words) : [];
  }),

  similar: api.search.similar.handler(async ({ context: { publicDb }, input: { title, content } }) => {
    const { groups } = await understand(publicDb, typedIn(`${title} ${content}`, MOST_WORDS).words);
    const first = groups.slice(0, LIMITS.search.words);
    return first.length ? similarConsultations(publicDb, textSearch(first, [])) : [];
  }),

  related: api.search.related.handler(async ({ context: { publicDb }, input: { id } }) => {
    const stems = (await titleStems(publicDb, id)).map((stem) => [stem]);
    return stems.length ? similarConsultations(publicDb, textSearch(stems, [], "simple"), id) : [];
  }),
});
