import { describe, expect, test } from "vitest";
import { licenceBadge, phoneLink, websiteLink, whatsappLink } from "./rules.ts";

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
])("licenceBadge maps %s in %s to %s", (number, country, badge) => {
  expect(licenceBadge(number, country)).toBe(badge);
});

describe("websiteLink", () => {
  test.each([
    ["https://rivarola.example.org", "https://rivarola.example.org/", "rivarola.example.org"],
    ["http://www.rivarola.example/citas?a=1", "http://www.rivarola.example/citas?a=1", "rivarola.example"],
    ["HTTPS://RIVAROLA.EXAMPLE", "https://rivarola.example/", "rivarola.example"],
  ])("maps %s to %s with the label %s", (website, href, label) => {
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
  ])("returns null for %j", (website) => {
    expect(websiteLink(website)).toBeNull();
  });
});

test.each([
  ["+54 9 341 555 0147", null, "tel:+5493415550147", "https://wa.me/5493415550147"],
  ["+54 341 555 0147", "Argentina", "tel:+543415550147", "https://wa.me/5493415550147"],
  ["0341 (555) 0147", "Argentina", "tel:+543415550147", "https://wa.me/5493415550147"],
  ["0341 (555) 0147", null, "tel:03415550147", null],
  ["sin teléfono", "Argentina", null, null],
  ["", null, null, null],
  [null, null, null, null],
])("phoneLink and whatsappLink map %s of %s to valid links or null", (number, country, phone, whatsapp) => {
  expect(phoneLink(number, country)).toBe(phone);
  expect(whatsappLink(number, country)).toBe(whatsapp);
});
