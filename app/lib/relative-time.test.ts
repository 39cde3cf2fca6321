import { expect, test } from "vitest";
import { DAY, HOUR, MINUTE, SECOND } from "#shared/time.ts";
import { formatDateTime, formatRelativeTime } from "./relative-time.ts";

const NOW = new Date("2026-11-21T02:00:00Z");

test.each([
  ["ahora mismo", 0],
  ["ahora mismo", 59 * SECOND],
  ["hace 1 minuto", MINUTE],
  ["hace 5 minutos", 5 * MINUTE + 59 * SECOND],
  ["hace 59 minutos", 59 * MINUTE + 59 * SECOND],
  ["hace 1 hora", HOUR],
  ["hace 23 horas", DAY - SECOND],
  ["ayer", DAY],
  ["ayer", 2 * DAY - SECOND],
  ["hace 2 días", 2 * DAY],
  ["hace 6 días", 7 * DAY - SECOND],
  ["hace 1 semana", 7 * DAY],
  ["hace 4 semanas", 30 * DAY],
  ["hace 1 mes", 31 * DAY],
  ["hace 11 meses", 365 * DAY],
  ["hace 1 año", 366 * DAY],
  ["hace 2 años", 800 * DAY],
  // Clocks may differ.
  ["ahora mismo", -2 * DAY],
])("formatRelativeTime writes %s after %i ms", (words, passed) => {
  expect(formatRelativeTime(new Date(NOW.getTime() - passed), NOW)).toBe(words);
});

test("returns an empty string for an invalid date", () => {
  expect(formatRelativeTime(new Date("never"), NOW)).toBe("");
  expect(formatDateTime(new Date("never"), "UTC")).toBe("");
});

test.each([
  ["2026-11-20T23:40:00Z", "UTC", "20 de noviembre de 2026, 23:40 UTC"],
  ["2026-11-20T23:40:00Z", "America/Bogota", "20 de noviembre de 2026, 18:40"],
  // Not 24.
  ["2026-01-05T00:07:00Z", "UTC", "5 de enero de 2026, 00:07 UTC"],
])("formatDateTime writes %s in the zone %s as %s", (at, zone, words) => {
  expect(formatDateTime(new Date(at), zone)).toBe(words);
});
