import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ProfileInput } from "#shared/own-profile.ts";
import { changedVerifiedFields, profileErrors, whyCannotSaveProfile } from "./rules.ts";

describe("profileErrors", () => {
  test("allows only a name in a user's profile", () => {
    expect(profileErrors("user", { full_name: "Ana" })).toBeNull();
    expect(profileErrors("user", { full_name: "Ana", bio: "Hola", license_number: "MP 1" })).toEqual({
      bio: "Este dato no se espera aquí.",
      license_number: "Este dato no se espera aquí.",
    });
  });

  test("requires a licence in a psychologist's profile", () => {
    expect(profileErrors("psychologist", { full_name: "Ana", license_number: "MP 1" })).toBeNull();
    expect(Object.keys(profileErrors("psychologist", { full_name: "Ana" }) ?? {})).toEqual(["license_number"]);
  });

  test("treats empty fields as omitted", () => {
    expect(ProfileInput.parse({ full_name: "Ana", website: "", phone: " ", specialty: "" })).toEqual({
      full_name: "Ana",
    });
  });

  test("requires a photo only from psychologists", () => {
    expect(whyCannotSaveProfile("psychologist", null)).toBe("photo_required");
    expect(whyCannotSaveProfile("psychologist", "/avatars/a.webp")).toBeNull();
    expect(whyCannotSaveProfile("user", null)).toBeNull();
  });
});

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
    ["one title more", { full_name: "Dra. Lic. Paula Rivarola" }],
    ["no title", { full_name: "Paula Rivarola" }],
    ["a sign behind", { full_name: "Lic. Paula Rivarola ★" }],
    ["a number behind", { full_name: "Lic. Paula Rivarola 2" }],
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

  test("returns the same fields in both directions", () => {
    const person = fc.record({
      full_name: fc.constantFrom("Ana Ruiz", "Lic. Ana Ruiz", "Ana Díaz"),
      license_number: fc.constantFrom("MP 1", "mp1", "2"),
      country: fc.constantFrom("Chile", null),
    });
    fc.assert(
      fc.property(person, person, (a, b) => {
        expect(changedVerifiedFields(a, b)).toEqual(changedVerifiedFields(b, a));
      }),
    );
  });
});
