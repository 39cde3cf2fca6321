import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { COUNTRIES } from "#shared/countries.ts";
import { internationalPhone, normalisePhone, phoneError, whatsappNumber } from "./phone-rules.ts";

describe("internationalPhone", () => {
  test.each([
    ["094 231 234", "Uruguay", "+598 94 231 234"],
    ["94231234", "Uruguay", "+598 94 231 234"],
    ["598 94 231 234", "Uruguay", "+598 94 231 234"],
    ["+598 (94) 231-234", "Uruguay", "+598 94 231 234"],
    ["00598 94 231 234", "España", "+598 94 231 234"],
    ["598 94 231 234", null, "+598 94 231 234"],
    ["+34 612 34 56 78", "Uruguay", "+34 612 34 56 78"],
    ["612345678", "España", "+34 612 34 56 78"],
    ["011 15-2345-6789", "Argentina", "+54 9 11 2345 6789"],
    ["55 1234 5678", "México", "+52 55 1234 5678"],
    ["+52 1 55 1234 5678", "México", "+52 55 1234 5678"],
    ["+5215512345678", null, "+52 55 1234 5678"],
    ["52 1 55 1234 5678", "México", "+52 55 1234 5678"],
    ["0052 1 (55) 1234-5678", "España", "+52 55 1234 5678"],
    ["0412-1234567", "Venezuela", "+58 412 1234567"],
    ["6123-4567", "Panamá", "+507 6123 4567"],
  ])("adds the country code to %s of %s", (typed, country, kept) => {
    expect(internationalPhone(typed, country)).toBe(kept);
    expect(phoneError(typed, country)).toBeNull();
  });

  test("shows valid example numbers for every country", () => {
    for (const country of COUNTRIES) {
      const problem = phoneError("12", country)!;
      const [, here, abroad] = /como (.+?) o, si es de otro país, con su código, como (.+)\.$/.exec(problem)!;
      expect(internationalPhone(here!, country), country).not.toBeNull();
      expect(whatsappNumber(here!, country)?.replace(/\D/g, ""), country).toBe(abroad!.replace(/\D/g, ""));
    }
  });
});

describe("phoneError", () => {
  test.each([
    ["12", "Uruguay"],
    ["+1 23", null],
    ["00", null],
    ["1234567890123456", "Chile"],
  ])("refuses an impossible number: %s of %s", (typed, country) => {
    expect(phoneError(typed, country)).toMatch(/^Ese número no existe/);
  });

  test("asks for the country of a number without a country code", () => {
    expect(phoneError("94 231 234", null)).toMatch(/^Falta el país/);
  });

  test("leaves a stored number as typed if its country is unknown", () => {
    expect(normalisePhone("94 231 234", null)).toBe("94 231 234");
  });
});

test("adds a 9 after the country code to WhatsApp numbers of Argentina", () => {
  expect(whatsappNumber("11 2345 6789", "Argentina")).toBe("+54 9 11 2345 6789");
  expect(whatsappNumber("+54 9 11 2345 6789", null)).toBe("+54 9 11 2345 6789");
  expect(whatsappNumber("+34 612 34 56 78", "Argentina")).toBe("+34 612 34 56 78");
});

test("normalises a stored number to itself for every country", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^\+?[\d ().-]{6,25}$/), fc.constantFrom(...COUNTRIES), (typed, country) => {
      const kept = normalisePhone(typed, country)!;
      expect(normalisePhone(kept, country)).toBe(kept);
    }),
  );
});
