import { describe, expect, test } from "vitest";
import type { Country } from "#shared/countries.ts";
import { HELP_LINE_CHANNELS, HELP_LINE_KINDS } from "#shared/safety.ts";
import lines from "./help-lines.json" with { type: "json" };
import { allHelpLines, type HelpLine, type HelpLineGroups, helpLinesFor, overdueHelpLines } from "./help-lines.ts";

/** The product's fixed list, duplicated on purpose: if the code loses a country, this test must fail. */
const COUNTRIES = [
  "Argentina",
  "México",
  "España",
  "Colombia",
  "Chile",
  "Perú",
  "Venezuela",
  "Paraguay",
  "Uruguay",
  "Ecuador",
  "Panamá",
];

const everyEntry = [...Object.values(lines.countries).flat(), ...lines.unknown] as Omit<HelpLine, "country">[];
const flat = (groups: HelpLineGroups) => [...groups.first, ...groups.emergency, ...groups.others];
const shown = allHelpLines().flatMap(flat);
const digits = (text: string) => text.replace(/\D/g, "");
const daysAfter = (date: string, days: number) => new Date(Date.parse(date) + days * 24 * 60 * 60 * 1000);

describe("countries", () => {
  test("include all countries of the product in order", () => {
    expect(Object.keys(lines.countries)).toEqual(COUNTRIES);
    expect(allHelpLines().map((group) => group.country)).toEqual([...COUNTRIES, null]);
  });

  test("return the directory without a number if no country is given", () => {
    const groups = helpLinesFor(null);
    expect(flat(groups).map((line) => line.official_url)).toEqual(["https://findahelpline.com"]);
    expect(flat(groups).every((line) => line.dial_number === null && !/\d/.test(line.shown_number))).toBe(true);
  });

  test("contain each line once in all groups, except lines of low confidence", () => {
    expect(shown).toHaveLength(everyEntry.filter((line) => line.confidence !== "low").length);
    expect(new Set(shown).size).toBe(shown.length);
    expect(shown.filter((line) => line.confidence === "low")).toEqual([]);
  });

  test("list lines against violence, then for children, before lines to talk", () => {
    for (const { others } of allHelpLines()) {
      const sections = others.map(({ kind }) => ["violence", "children"].indexOf(kind)).map((at) => (at < 0 ? 2 : at));
      expect(sections).toEqual(sections.toSorted());
    }
    expect(helpLinesFor("Uruguay").others.map(({ shown_number }) => shown_number)).toEqual([
      "0800 4141",
      "*4141",
      "0800 5050",
      "0800 1920",
    ]);
  });

  test.each<[Country, string[], string[]]>([
    ["Argentina", ["0800-999-0091"], ["911", "107"]],
    ["México", ["800 911 2000"], ["911"]],
    ["España", ["024"], ["112"]],
    ["Colombia", ["106"], ["123"]],
    ["Chile", ["*4141"], ["131", "133", "134"]],
    ["Perú", ["113, opción 5"], ["106", "105", "116", "911"]],
    ["Venezuela", ["0424-2907338"], ["911"]],
    ["Paraguay", ["155"], ["911", "141", "132"]],
    ["Uruguay", ["0800 0767", "*0767"], ["911", "105"]],
    ["Ecuador", ["171, opción 6"], ["911"]],
    ["Panamá", ["147"], ["911", "104"]],
  ])("show the numbers of %s first", (country, first, emergency) => {
    const groups = helpLinesFor(country);
    expect(groups.first.every((line) => line.dial_number !== null)).toBe(true);
    expect(groups.first.map((line) => line.shown_number)).toEqual(first);
    expect(groups.emergency.map((line) => line.shown_number)).toEqual(emergency);
  });
});

describe("numbers", () => {
  test("contain the whole shown number to dial, without the menu option, not cut at the 911 of 800 911 2000", () => {
    expect(helpLinesFor("México").first.map((line) => line.dial_number)).toEqual(["8009112000"]);
    for (const line of everyEntry.filter((entry) => entry.dial_number !== null)) {
      const [number = ""] = line.shown_number.split(", opción");
      expect(line.dial_number, line.name).toMatch(/^[*#\d]+$/);
      expect(line.dial_number, line.name).toBe(number.replace(/[^*#\d]/g, ""));
    }
  });

  test("appear only on phone lines, which have no URL, unlike all other lines", () => {
    for (const line of everyEntry) {
      expect(line.dial_number !== null, line.name).toBe(line.channel === "phone");
      if (line.channel === "phone") expect(line.contact_url, line.name).toBeNull();
      if (line.channel === "whatsapp") {
        expect(line.contact_url, line.name).toMatch(/^https:\/\/wa\.me\/\d{11,13}$/);
        expect(line.contact_url?.endsWith(digits(line.shown_number)), line.name).toBe(true);
      }
      if (line.channel === "mail") expect(line.contact_url).toBe(`mailto:${line.shown_number}`);
    }
  });

  test("exclude two wrong numbers, and 988, which works only in another country", () => {
    expect(everyEntry.filter((line) => /8002900024|8002901010/.test(digits(JSON.stringify(line))))).toEqual([]);
    const numbers = everyEntry.flatMap((line) => [line.dial_number, digits(line.shown_number)]);
    expect(numbers).not.toContain("988");
    expect(JSON.stringify(lines)).not.toMatch(/(?<!\d)988(?!\d)/);
  });

  test("show the real hours of the 135 of the Argentine association, not 24/7", () => {
    const association = everyEntry.filter((line) => line.name.includes("CAS"));
    expect(association).toHaveLength(3);
    for (const line of association) expect(line.hours).toBe("Todos los días, de 8 a 24 h");
  });
});

describe("overdueHelpLines", () => {
  test("returns a line from its 91st day on at the given time", () => {
    const line = helpLinesFor("España").first[0];
    if (line === undefined) throw new Error("Spain has no first line");
    expect(overdueHelpLines(daysAfter(line.verified_on, 90))).not.toContain(line);
    expect(overdueHelpLines(daysAfter(line.verified_on, 91))).toContain(line);
  });

  test("returns no line before the oldest check and all shown lines in the year 2100, the oldest check first", () => {
    expect(overdueHelpLines(new Date("2020-01-01"))).toEqual([]);
    const late = overdueHelpLines(new Date("2100-01-01"));
    expect([late.length, new Set(late)]).toEqual([shown.length, new Set(shown)]);
    expect(late).toEqual(late.toSorted((a, b) => Date.parse(a.verified_on) - Date.parse(b.verified_on)));
  });
});

test("help-lines.json contains only known values", () => {
  for (const line of everyEntry) {
    expect(HELP_LINE_KINDS, line.name).toContain(line.kind);
    expect(HELP_LINE_CHANNELS, line.name).toContain(line.channel);
    expect(["high", "medium", "low"], line.name).toContain(line.confidence);
    expect(typeof line.first).toBe("boolean");
    expect(line.verified_on, line.name).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(new Date(line.verified_on).toISOString().slice(0, 10), line.name).toBe(line.verified_on);
    if (line.official_url !== null) expect(new URL(line.official_url).protocol).toBe("https:");
    for (const text of [line.name, line.shown_number, line.hours, line.cost, line.reach]) {
      expect(text, line.name).not.toBe("");
    }
  }
});
