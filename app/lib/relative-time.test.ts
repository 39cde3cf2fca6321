import { describe, expect, test } from "vitest";
import { DAY, HOUR, MINUTE, SECOND } from "#shared/time.ts";
import { formatDateTime, formatRelativeTime } from "./relative-time.ts";

const NOW = new Date("2026-11-21T02:00:00Z");

const ago = (milliseconds: number) => formatRelativeTime(new Date(NOW.getTime() - milliseconds), NOW);

describe("relative times", () => {
  test("writes 'ahora mismo' for the last minute", () => {
    expect(ago(0)).toBe("ahora mismo");
    expect(ago(59 * SECOND)).toBe("ahora mismo");
  });

  test("counts only whole units", () => {
    expect(ago(MINUTE)).toBe("hace 1 minuto");
    expect(ago(5 * MINUTE + 59 * SECOND)).toBe("hace 5 minutos");
    expect(ago(59 * MINUTE + 59 * SECOND)).toBe("hace 59 minutos");
    expect(ago(HOUR)).toBe("hace 1 hora");
    expect(ago(2 * HOUR)).toBe("hace 2 horas");
    expect(ago(DAY - SECOND)).toBe("hace 23 horas");
    expect(ago(3 * DAY)).toBe("hace 3 días");
    expect(ago(14 * DAY)).toBe("hace 2 semanas");
    expect(ago(122 * DAY)).toBe("hace 4 meses");
    expect(ago(366 * DAY)).toBe("hace 1 año");
    expect(ago(800 * DAY)).toBe("hace 2 años");
  });

  test("writes 'ayer' for one day but the number for two days", () => {
    expect(ago(DAY)).toBe("ayer");
    expect(ago(2 * DAY - SECOND)).toBe("ayer");
    expect(ago(2 * DAY)).toBe("hace 2 días");
  });

  test("changes to the next unit once one of it has passed", () => {
    expect(ago(7 * DAY - SECOND)).toBe("hace 6 días");
    expect(ago(7 * DAY)).toBe("hace 1 semana");
    expect(ago(30 * DAY)).toBe("hace 4 semanas");
    expect(ago(31 * DAY)).toBe("hace 1 mes");
    expect(ago(365 * DAY)).toBe("hace 11 meses");
  });

  test("writes 'ahora mismo' for a future date, because clocks may differ", () => {
    expect(ago(-30 * SECOND)).toBe("ahora mismo");
    expect(ago(-2 * DAY)).toBe("ahora mismo");
  });

  test("returns an empty string for an invalid date", () => {
    expect(formatRelativeTime(new Date("never"), NOW)).toBe("");
    expect(formatDateTime(new Date("never"), "UTC")).toBe("");
  });
});

describe("exact times", () => {
  test("writes date and time in Spanish and names UTC", () => {
    expect(formatDateTime(new Date("2026-11-20T23:40:00Z"), "UTC")).toBe("20 de noviembre de 2026, 23:40 UTC");
  });

  test("writes the time of another zone without naming it", () => {
    expect(formatDateTime(new Date("2026-11-20T23:40:00Z"), "America/Bogota")).toBe("20 de noviembre de 2026, 18:40");
  });

  test("writes midnight as 00, not 24", () => {
    expect(formatDateTime(new Date("2026-01-05T00:07:00Z"), "UTC")).toBe("5 de enero de 2026, 00:07 UTC");
  });
});
