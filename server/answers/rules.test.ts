import { describe, expect, test } from "vitest";
import { HOUR } from "#shared/time.ts";
import { answeringState, nextReplyAllowedAt } from "./rules.ts";

const FRESH = { is_verified: true, has_gold: false, free_responses_used: 0, max_free_responses: 3 };

describe("answeringState", () => {
  test.each([
    [{}, "free", 3],
    [{ free_responses_used: 2 }, "free", 1],
    [{ free_responses_used: 3 }, "limit_reached", 0],
    [{ free_responses_used: 4 }, "limit_reached", 0],
    [{ free_responses_used: 3, has_gold: true }, "unlimited", 0],
    [{ is_verified: false, has_gold: true }, "pending", 3],
    [{ is_verified: false, free_responses_used: 3 }, "pending", 0],
    [{ free_responses_used: 3, max_free_responses: 5 }, "free", 2],
    [{ max_free_responses: 0 }, "limit_reached", 0],
  ] as const)("returns for %j the state %s with %i left", (more, state, free_answers_left) => {
    const psychologist = { ...FRESH, ...more };
    const { free_responses_used, max_free_responses } = psychologist;
    const shown = { state, free_responses_used, max_free_responses, free_answers_left };
    expect(answeringState(psychologist)).toEqual(shown);
  });
});

describe("nextReplyAllowedAt", () => {
  const now = new Date("2026-03-02T12:00:00Z");
  const hoursAgo = (hours: number) => new Date(now.getTime() - hours * HOUR);
  test("returns null until 20 replies are within 24 h, then the time 24 h after the first of them", () => {
    const nineteen = Array.from({ length: 19 }, (_, n) => hoursAgo(n));
    expect(nextReplyAllowedAt(nineteen, now)).toBeNull();
    expect(nextReplyAllowedAt([...nineteen, hoursAgo(23)], now)).toEqual(new Date("2026-03-02T13:00:00Z"));
    expect(nextReplyAllowedAt([...nineteen, hoursAgo(24)], now)).toBeNull();
    // More replies than the limit: the 20th newest decides.
    expect(nextReplyAllowedAt([hoursAgo(23.5), ...nineteen, hoursAgo(20)], now)).toEqual(
      new Date("2026-03-02T16:00:00Z"),
    );
  });
});
