import { describe, expect, test } from "vitest";
import { reviewLabel, whyCannotReview } from "./rules.ts";

const ID = "10000000-0000-4000-8000-00000000000a";
const OTHER = "10000000-0000-4000-8000-00000000000b";

const person = (id: string, consent_withdrawn = false) => ({ id, consent_withdrawn });

describe("who may review a psychologist", () => {
  test("signed out no one may", () => {
    expect(whyCannotReview(null, ID)).toBe("sign_in_to_review");
  });

  test("no one reviews themselves, however the address writes their id", () => {
    expect(whyCannotReview(person(ID), ID)).toBe("own_review");
    expect(whyCannotReview(person(ID), ID.toUpperCase())).toBe("own_review");
  });

  test("anyone else may", () => {
    expect(whyCannotReview(person(OTHER), ID)).toBeNull();
  });

  test("but who withdrew a consent", () => {
    expect(whyCannotReview(person(OTHER, true), ID)).toBe("consent_withdrawn");
  });
});

describe("the label of a review's author", () => {
  test.each([
    [null, false, "Usuario"],
    [null, true, "Colega"],
    ["Verónica S.", false, "Verónica S."],
    ["Dra. Paula Rivarola", true, "Dra. Paula Rivarola"],
  ])("with the name %s, of a colleague: %s, is %s", (author_label, by_colleague, label) => {
    expect(reviewLabel({ author_label, by_colleague })).toBe(label);
  });
});
