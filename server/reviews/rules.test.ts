import { describe, expect, test } from "vitest";
import { reviewLabel, whyCannotReview } from "./rules.ts";

const ID = "10000000-0000-4000-8000-00000000000a";
const OTHER = "10000000-0000-4000-8000-00000000000b";

const person = (id: string, consent_withdrawn = false) => ({ id, consent_withdrawn });

describe("whyCannotReview", () => {
  test.each([
    ["a visitor", null, "sign_in_to_review"],
    ["the psychologist", person(ID), "cannot_review_self"],
    ["another user", person(OTHER), null],
    ["a user who withdrew a consent", person(OTHER, true), "consent_withdrawn"],
  ])("returns for %s: %#", (_who, viewer, error) => expect(whyCannotReview(viewer, ID)).toBe(error));
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
