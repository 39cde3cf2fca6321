import { describe, expect, test } from "vitest";
import { COUNTRIES } from "./countries.ts";
import { licenseError, normaliseLicence } from "./licences.ts";

describe("licence of Argentina", () => {
  const STORED = `48213=MP 48213|MP 48213=MP 48213|MN 48213=MN 48213|mn48213=MN 48213|M.P. 48213=MP 48213|m. n. 48213=MN 48213
MP: 48.213=MP 48.213|MP-3127 (Córdoba)=MP 3127 (Córdoba)|Matrícula Nacional 5512=MN 5512|matricula provincial 5512=MP 5512
Provincial 5512=MP 5512|MPX 12=MP MPX 12|Mendoza 12=MP Mendoza 12`;
  test.each(STORED.split(/[|\n]/).map((row) => row.split("=") as [string, string]))(
    "stores %s as %s, which normalises to itself",
    (typed, kept) => {
      for (const licence of [typed, kept]) expect(normaliseLicence(licence, "Argentina")).toBe(kept);
      expect(licenseError(typed, "Argentina")).toBeNull();
    },
  );

  test.each(["MP", "M.N.", "mp -", "...", "Nacional"])("requires a number after %s", (typed) => {
    expect(licenseError(typed, "Argentina")).toContain("número");
  });
});

test("normaliseLicence leaves a licence of other countries as typed", () => {
  for (const country of [null, undefined, ...COUNTRIES.filter((name) => name !== "Argentina")])
    for (const typed of ["mp. 1234", "MP", "", " 1 "]) {
      expect(normaliseLicence(typed, country)).toBe(typed);
      expect(licenseError(typed, country)).toBeNull();
    }
});
