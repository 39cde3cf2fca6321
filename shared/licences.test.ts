import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { COUNTRIES } from "./countries.ts";
import { licenseError, normaliseLicence } from "./licences.ts";

describe("licence of Argentina", () => {
  const STORED = `48213=MP 48213|MP 48213=MP 48213|MN 48213=MN 48213|mn48213=MN 48213|M.P. 48213=MP 48213|m. n. 48213=MN 48213
MP: 48.213=MP 48.213|MP-3127 (Córdoba)=MP 3127 (Córdoba)|Matrícula Nacional 5512=MN 5512|matricula provincial 5512=MP 5512
Provincial 5512=MP 5512|MPX 12=MP MPX 12|Mendoza 12=MP Mendoza 12`;
  test.each(STORED.split(/[|\n]/).map((row) => row.split("=") as [string, string]))(
    "stores %s as %s",
    (typed, kept) => {
      expect(normaliseLicence(typed, "Argentina")).toBe(kept);
    },
  );

  test("gets a prefix plus a number, which normalises to itself", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[ A-Za-z0-9.:-]{3,40}$/), (typed) => {
        if (licenseError(typed, "Argentina")) return;
        const kept = normaliseLicence(typed, "Argentina");
        expect(kept).toMatch(/^M[PN] /);
        expect(normaliseLicence(kept, "Argentina")).toBe(kept);
      }),
    );
  });

  test.each(["MP", "M.N.", "mp -", "...", "Nacional"])("requires a number after %s", (typed) => {
    expect(licenseError(typed, "Argentina")).toContain("número");
  });
});

test("normaliseLicence leaves a licence of other countries as typed", () => {
  fc.assert(
    fc.property(fc.string(), fc.constantFrom(null, undefined, ...COUNTRIES), (typed, country) => {
      if (country === "Argentina") return;
      expect(normaliseLicence(typed, country)).toBe(typed);
      expect(licenseError(typed, country)).toBeNull();
    }),
  );
});
