import { expect, test } from "vitest";
import { markup, wordsOf } from "#test/markup.tsx";
import { VoteButtons } from "./vote-buttons.tsx";

test("counts one vote in the singular and several in the plural", () => {
  const counts = { upvotes: 1, downvotes: 2, vote: null };
  const words = wordsOf(markup(<VoteButtons id="votar" action="/voto" counts={counts} what="de la consulta" />));
  expect(words).toContain("1 voto a favor de la consulta");
  expect(words).toContain("2 votos en contra de la consulta");
});
