import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { COUNTRIES } from "#shared/countries.ts";
import { LICENCE_NAMES } from "#shared/licences.ts";
import { dayOf } from "#shared/time.ts";
import { licenceBadge, phoneLink, websiteLink, whatsappLink, whyCannotSeeStatistics } from "./rules.ts";

describe("the licence badge", () => {
  test.each([
    ["48213", "Argentina", "MP 48213"],
    ["MP 48213", "Argentina", "MP 48213"],
    ["MN 48213", "Argentina", "MN 48213"],
    ["mn48213", "Argentina", "mn48213"],
    ["M.P. 48213", "Argentina", "MP M.P. 48213"],
    ["27465", null, "MP 27465"],
    ["MP 27465", null, "MP 27465"],
    ["11482907", "México", "Cédula profesional 11482907"],
    ["MP 1234", "México", "Cédula profesional MP 1234"],
    ["M-31842", "España", "N.º de colegiado M-31842"],
    ["148921", "Colombia", "Tarjeta profesional 148921"],
    ["482193", "Chile", "Registro de prestadores 482193"],
    ["28417", "Perú", "C.Ps.P. 28417"],
    ["C.Ps.P. 28417", "Perú", "C.Ps.P. 28417"],
    ["CPsP 28417", "Perú", "CPsP 28417"],
    ["10736", "Venezuela", "FPV 10736"],
    ["6214", "Paraguay", "Registro profesional 6214"],
    ["5093", "Uruguay", "Habilitación MSP 5093"],
    ["20871", "Ecuador", "Registro SENESCYT 20871"],
    ["3348", "Panamá", "Idoneidad 3348"],
  ])("of %s in %s is %s", (number, country, badge) => {
    expect(licenceBadge(number, country)).toBe(badge);
  });

  test("always ends with the number as it was given, and outside Argentina never begins with a prefix of Argentina's", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9]{3,10}$/), fc.constantFrom(null, ...COUNTRIES), (number, country) => {
        const badge = licenceBadge(number, country);
        expect(badge.endsWith(` ${number}`)).toBe(true);
        expect(badge.startsWith("MP ")).toBe(country === null || country === "Argentina");
        if (country && country !== "Argentina") expect(badge).toBe(`${LICENCE_NAMES[country]} ${number}`);
      }),
    );
  });

  test("shown twice is the same as shown once", () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[A-Za-z0-9. -]{3,20}$/),
        fc.constantFrom(null, ...COUNTRIES),
        (number, country) => {
          const badge = licenceBadge(number, country);
          expect(licenceBadge(badge, country)).toBe(badge);
        },
      ),
    );
  });
});

/** Text after a scheme, where user names and other hosts hide. */
const ANY_ADDRESS = fc
  .tuple(fc.constantFrom("http:", "https://", "HTTPS:\\\\", "javascript:", "//"), fc.string())
  .map((parts) => parts.join(""));

describe("a website", () => {
  test.each([
    ["https://rivarola.example.org", "https://rivarola.example.org/", "rivarola.example.org"],
    ["http://www.rivarola.example/citas?a=1", "http://www.rivarola.example/citas?a=1", "rivarola.example"],
    ["HTTPS://RIVAROLA.EXAMPLE", "https://rivarola.example/", "rivarola.example"],
  ])("%s leads to %s and is called %s", (website, href, label) => {
    expect(websiteLink(website)).toEqual({ href, label });
  });

  test.each([
    [null],
    [""],
    ["rivarola.example"],
    ["javascript:alert(1)"],
    ["java\nscript:alert(1)"],
    ["data:text/html,hola"],
    ["vbscript:x"],
    ["ftp://rivarola.example"],
    ["https://banco.example@evil.example"],
    ["https://:secreto@evil.example"],
    ["https://"],
  ])("%j leads nowhere", (website) => {
    expect(websiteLink(website)).toBeNull();
  });

  test("whatever was written, a link is http or https and names no user", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), ANY_ADDRESS), (website) => {
        const link = websiteLink(website);
        if (link) expect(link.href).toMatch(/^https?:\/\/[^@/]+\//);
      }),
    );
  });
});

describe("numbers to call", () => {
  test.each([
    ["+54 9 341 555 0147", null, "tel:+5493415550147", "https://wa.me/5493415550147"],
    ["+54 341 555 0147", "Argentina", "tel:+543415550147", "https://wa.me/5493415550147"],
    ["0341 (555) 0147", "Argentina", "tel:+543415550147", "https://wa.me/5493415550147"],
    ["0341 (555) 0147", null, "tel:03415550147", null],
    ["sin teléfono", "Argentina", null, null],
    ["", null, null, null],
    [null, null, null, null],
  ])("%s of %s", (number, country, phone, whatsapp) => {
    expect(phoneLink(number, country)).toBe(phone);
    expect(whatsappLink(number, country)).toBe(whatsapp);
  });

  test("whatever was written, only digits are left of it", () => {
    fc.assert(
      fc.property(fc.string(), (number) => {
        expect(phoneLink(number, "Chile") ?? "tel:0").toMatch(/^tel:\+?[0-9]+$/);
        expect(whatsappLink(number, "Chile") ?? "https://wa.me/0").toMatch(/^https:\/\/wa\.me\/[0-9]+$/);
      }),
    );
  });
});

describe("who reads a profile's statistics", () => {
  const ID = "10000000-0000-4000-8000-00000000000a";
  test.each([
    ["a visitor", null, "sign_in_required"],
    ["another psychologist", { id: "10000000-0000-4000-8000-00000000000b", has_gold: false }, "own_statistics_only"],
    [
      "another psychologist with Gold",
      { id: "10000000-0000-4000-8000-00000000000b", has_gold: true },
      "own_statistics_only",
    ],
    ["the owner without Gold", { id: ID, has_gold: false }, "statistics_need_gold"],
    ["the owner with Gold", { id: ID, has_gold: true }, null],
  ])("%s: %s", (_who, viewer, refusal) => {
    expect(whyCannotSeeStatistics(viewer, ID)).toBe(refusal);
  });
});

test("the day of a visit is the day in UTC", () => {
  expect(dayOf(new Date("2026-03-02T23:59:59.999Z"))).toBe("2026-03-02");
  expect(dayOf(new Date("2026-03-02T22:00:00.000-03:00"))).toBe("2026-03-03");
});
