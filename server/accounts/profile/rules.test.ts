import { describe, expect, test } from "vitest";
import { changedVerifiedFields } from "./rules.ts";

describe("changedVerifiedFields", () => {
  const before = { full_name: "Lic. Paula Rivarola", license_number: "MP 3127", country: "Argentina" };

  test.each([
    ["another number", { license_number: "MP 3128" }],
    ["another register", { license_number: "MN 3127" }],
    ["another country", { country: "Chile" }],
    ["no country", { country: null }],
    ["another name", { full_name: "Lic. Paula Riva" }],
    ["a name in front", { full_name: "Dra. Ana Paula Rivarola" }],
    ["another title", { full_name: "Dra. Paula Rivarola" }],
    ["no title", { full_name: "Paula Rivarola" }],
    ["a sign behind", { full_name: "Lic. Paula Rivarola ★" }],
    ["a point less", { full_name: "Lic Paula Rivarola" }],
    ["a hyphen", { full_name: "Lic. Paula-Rivarola" }],
    ["a letter that looks the same", { full_name: "Lic. Pаula Rivarola" }],
    ["marks on every letter", { full_name: "Lic. P\u0336aula Rivarola" }],
    ["an emoji", { full_name: "Lic. Paula Rivarola 🏅" }],
  ])("returns the changed field for %s", (_what, change) =>
    expect(changedVerifiedFields(before, { ...before, ...change })).toEqual(Object.keys(change)),
  );

  test.each([
    ["nothing", {}],
    ["an accent typed apart", { full_name: "Lic. Pa\u0301ula Rivarola" }],
    ["capitals, accents and spaces", { full_name: "LIC. PÁULA  RIVAROLA", license_number: "mp-3127" }],
  ])("returns no field for %s", (_what, change) =>
    expect(changedVerifiedFields(before, { ...before, ...change })).toEqual([]),
  );
});
