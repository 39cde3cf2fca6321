import { expect, test } from "vitest";
import { correctionOf, startsOf, variantsOf } from "./rules.ts";

test.each([
  ["kiero", "quiero"],
  ["qiero", "quiero"],
  ["gerra", "guerra"],
  ["jente", "gente"],
  ["sapato", "zapato"],
  ["yorar", "llorar"],
  ["ija", "hija"],
  ["vurla", "burla"],
  ["enbarazo", "embarazo"],
  ["cama", "casa"],
  ["deprexoin", "depresion"],
])("corrects %s to a known word that begins similarly: %s", (typed, word) => {
  expect(startsOf(typed)).toContain(word.slice(0, 2));
  expect(correctionOf(typed, ["otra", word])).toBe(word);
});

test.each([
  ["sol", "sal"],
  ["cama", "copa"],
  ["derpesoim", "depresion"],
  ["no", "nó"],
])("corrects %s only to a word that is closer than %s and long enough", (typed, word) => {
  expect(correctionOf(typed, [word])).toBeUndefined();
});

test.each([
  ["relacion", "relación"],
  ["vivia", "vivía"],
  ["salio", "salió"],
  ["mamá", "madre"],
])("searches %s also as %s", (word, variant) => expect(variantsOf(word)).toContain(variant));
