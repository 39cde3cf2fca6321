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
  ["mideo", "miedo"],
  ["imedo", "miedo"],
  ["hansiedad", "ansiedad"],
  ["imsomnio", "insomnio"],
])("corrects %s to a known word that begins similarly: %s", (typed, word) => {
  expect(startsOf(typed)).toContain(word.slice(0, 2));
  expect(correctionOf(typed, ["otra", word])).toBe(word);
});

test("chooses the closest known word, of two as close the first of the alphabet", () => {
  expect(correctionOf("tristesas", ["tristes", "tristezas"])).toBe("tristezas");
  expect(correctionOf("casa", ["capa", "cama"])).toBe("cama");
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
