import { expect, test } from "vitest";
import { LIMITS } from "#shared/limits.ts";
import { pageMarkup, wordsOf } from "#test/markup.tsx";
import Search from "./search.tsx";

test.each([
  [0, "Ninguna consulta habla de algo parecido"],
  [1, "1 consulta habla de algo parecido"],
  [2, "2 consultas hablan de algo parecido"],
  [LIMITS.search.ranked, "400 consultas hablan de algo parecido"],
  [LIMITS.search.ranked + 1, "Más de 400 consultas hablan de algo parecido"],
])("counts %i found consultations in words", (total, words) => {
  const found = {
    q: "dormir",
    total,
    corrected: [],
    psychologists: [],
    in_danger: false,
    items: [],
    next_cursor: null,
  };
  const filters = { pais: null, categoria: null, respuestas: null };
  const loaderData = { found, filters, helpLines: { country: null }, signedIn: false, mayAsk: true };
  expect(wordsOf(pageMarkup(Search, { loaderData }))).toContain(words);
});
