import { afterEach, describe, expect, test, vi } from "vitest";
import { DAY, HOUR, SECOND } from "#shared/time.ts";
import type { Viewer } from "../sessions/viewer.ts";
import { UNUSED_WEEKLY_LIMIT, usedAfterRemoval, type WeeklyUse, weeklyLimit, whyCannotAsk } from "./rules.ts";

const START = new Date("2026-03-02T15:04:05.678Z");

const later = (milliseconds: number, start = START) => new Date(start.getTime() + milliseconds);
const used = (start: Date | null = START, count = 1): WeeklyUse => ({
  weekly_consultations_used: count,
  weekly_window_started_at: start,
});
const viewer = (more: Partial<Viewer> = {}): Viewer => ({
  id: "00000000-0000-4000-8000-000000000001",
  full_name: "Alguien",
  email: "alguien@example.com",
  user_type: "user",
  avatar_url: null,
  is_admin: false,
  second_factor: false,
  notify_on_answers: true,
  new_answers: 0,
  new_notifications: 0,
  consent_withdrawn: false,
  is_verified: false,
  has_gold: false,
  free_responses_used: 0,
  max_free_responses: 0,
  ...more,
});

afterEach(() => vi.unstubAllEnvs());

describe("weeklyLimit", () => {
  test.each([
    ["none was used", used(null, 0), START],
    ["the use of the window was restored", used(START, 0), later(DAY)],
    ["the window just ended", used(), later(7 * DAY)],
    ["the window ended months ago", used(), later(100 * DAY)],
  ])("returns one unused consultation and 7 days if %s", (_when, use, now) => {
    const unused = { used: 0, max_consultations: 1, days_until_reset: 7, resets_at: null };
    expect(weeklyLimit(use, now)).toEqual(unused);
    expect(UNUSED_WEEKLY_LIMIT).toEqual(unused);
  });

  test.each([
    ["if the clock went backwards", -3 * DAY, 7],
    ["at the moment of asking", 0, 7],
    ["one millisecond later", 1, 7],
    ["one second before a day has passed", DAY - SECOND, 7],
    ["when a day has passed", DAY, 6],
    ["one second after a day has passed", DAY + SECOND, 6],
    ["in the middle of the fourth day", 3.5 * DAY, 4],
    ["when six days have passed", 6 * DAY, 1],
    ["one second before the window ends", 7 * DAY - SECOND, 1],
    ["one millisecond before the window ends", 7 * DAY - 1, 1],
  ])("%s returns one used, with whole days rounded up", (_when, passed, days) => {
    expect(weeklyLimit(used(), later(passed))).toEqual({
      used: 1,
      max_consultations: 1,
      days_until_reset: days,
      resets_at: later(7 * DAY),
    });
  });

  test("counts a week as 168 h across a change of daylight saving time", () => {
    vi.stubEnv("TZ", "Europe/Madrid");
    const start = new Date("2026-03-28T23:30:00.000Z");
    expect(weeklyLimit(used(start), later(168 * HOUR - SECOND, start))).toEqual({
      used: 1,
      max_consultations: 1,
      days_until_reset: 1,
      resets_at: later(168 * HOUR, start),
    });
    expect(weeklyLimit(used(start), later(168 * HOUR, start))).toEqual(UNUSED_WEEKLY_LIMIT);
  });
});

describe("whyCannotAsk", () => {
  const full = weeklyLimit(used(), START);

  test.each([
    ["a user who used more than allowed", viewer(), weeklyLimit(used(START, 5), START), "weekly_limit_reached"],
    ["the administrator at the limit", viewer({ is_admin: true }), full, "weekly_limit_reached"],
    ["a psychologist at the limit", viewer({ user_type: "psychologist" }), full, "psychologists_cannot_ask"],
  ] as const)("returns for %s the error: %#", (_who, as, limit, error) => {
    expect(whyCannotAsk(as, limit)).toBe(error);
  });
});

describe("usedAfterRemoval", () => {
  test("returns one less for a consultation of the current window", () => {
    expect(usedAfterRemoval(used(), START, later(HOUR))).toBe(0);
    expect(usedAfterRemoval(used(START, 2), later(HOUR), later(2 * HOUR))).toBe(1);
  });

  test("returns null for a consultation of an earlier window", () => {
    expect(usedAfterRemoval(used(), later(-1), later(HOUR))).toBeNull();
  });

  test("returns null if the window is over or nothing was used", () => {
    expect(usedAfterRemoval(used(), START, later(7 * DAY))).toBeNull();
    expect(usedAfterRemoval(used(START, 0), START, later(HOUR))).toBeNull();
    expect(usedAfterRemoval(used(null, 0), START, later(HOUR))).toBeNull();
  });
});
