import { describe, expect, test } from "vitest";
import { RATE_LIMITS, type RateLimitedAction } from "#server/limits/rate-limit-rules.ts";
import { formatRetryTime, resolveMessage } from "./client-error-messages.ts";
import { errorMessage } from "./error-messages.ts";

const at = (day: number, hour: number, minute: number, second = 0) => new Date(2026, 10, day, hour, minute, second);

describe("wait time of a rate limit", () => {
  test.each([
    [at(20, 22, 15), at(20, 22, 3), "hasta las 22:15"],
    [at(20, 22, 14, 1), at(20, 22, 3), "hasta las 22:15"],
    [at(20, 1, 0), at(20, 0, 30), "hasta la 1:00"],
    [at(21, 0, 15), at(20, 23, 50), "hasta las 0:15"],
    [at(21, 9, 5), at(20, 21, 0), "hasta mañana a las 9:05"],
    [at(20, 14, 0), at(20, 1, 0), "hasta las 14:00"],
  ])("formats %s, seen at %s, as %s", (until, now, said) => {
    expect(formatRetryTime(until, now)).toBe(said);
  });

  const details = { action: "contact", until: at(20, 22, 15).toISOString(), retry_after_seconds: 700 };

  test("uses the local time in a browser, but a duration on the server", () => {
    const inBrowser = {
      code: "too_many_requests",
      details,
      words: errorMessage("too_many_requests", details, true),
    } as const;
    expect(resolveMessage(inBrowser).description).toContain("Espera hasta las 22:15 e inténtalo otra vez.");
    expect(errorMessage("too_many_requests", details).description).toContain("Espera 12 minutos e inténtalo otra vez.");
  });

  test.each([
    [1, "1 segundo"],
    [59, "59 segundos"],
    [60, "1 minuto"],
    [61, "2 minutos"],
    [59 * 60 + 1, "1 hora"],
    [3601, "2 horas"],
  ])("rounds up a duration: %s seconds are %s", (retry_after_seconds, said) => {
    expect(errorMessage("too_many_requests", { retry_after_seconds }).description).toContain(
      `Espera ${said} e inténtalo`,
    );
  });

  test("shows a separate message for each rate-limited action", () => {
    const actions = Object.keys(RATE_LIMITS) as RateLimitedAction[];
    for (const action of actions) {
      const { title, description } = errorMessage("too_many_requests", { ...details, action });
      expect(title, action).toMatch(/^Demasiad/);
      expect(description, action).toMatch(/demasiad[oa]s/);
    }
    const { description } = errorMessage("too_many_requests", { retry_after_seconds: 1 });
    expect(description).toContain("Espera 1 segundo e");
  });

  test("mentions the written text only if the action sends one", () => {
    const kept = (action: string) =>
      errorMessage("too_many_requests", { ...details, action }).description.includes(
        "Lo que has escrito no se pierde.",
      );
    const actions = Object.keys(RATE_LIMITS).filter(kept);
    expect(actions).toEqual(["ask", "answer", "reply", "correct", "review", "profile", "contact"]);
  });
});
