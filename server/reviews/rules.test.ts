import { describe, expect, test } from "vitest";
import { reviewLabel, whyCannotReview } from "./rules.ts";

const ID = "10000000-0000-4000-8000-00000000000a";
const OTHER = "10000000-0000-4000-8000-00000000000b";

const person = (id: string, consent_withdrawn = false) => ({ id, consent_withdrawn });

describe("whyCannotReview", () => {
  test("returns sign_in_to_review for a visitor", () => {
    expect(whyCannotReview(null, ID)).toBe("sign_in_to_review");
  });

  test("returns cannot_review_self for the viewer's id", () => {
    expect(whyCannotReview(person(ID), ID)).toBe("cannot_review_self");
  });

  test("returns null for other users", () => {
    expect(whyCannotReview(person(OTHER), ID)).toBeNull();
  });

  test("returns consent_withdrawn for a user who withdrew a consent", () => {
    expect(whyCannotReview(person(OTHER, true), ID)).toBe("consent_withdrawn");
  });
});

describe("reviewLabel", () => {
  test.each([
    [null, false, "Usuario"],
    [null, true, "Colega"],
    ["Verónica S.", false, "Verónica S."],
    ["Dra. Paula Rivarola", true, "Dra. Paula Rivarola"],
  ])("returns for the name %s of a colleague (%s): %s", (author_label, by_colleague, label) => {
    expect(reviewLabel({ author_label, by_colleague })).toBe(label);
  });
});
