import { describe, expect, test } from "vitest";
import { DAY, HOUR, SECOND } from "#shared/time.ts";
import { UNUSED_WEEKLY_LIMIT, usedAfterRemoval, type WeeklyUse, weeklyLimit } from "./rules.ts";

const START = new Date("2026-03-02T15:04:05.678Z");

const later = (milliseconds: number, start = START) => new Date(start.getTime() + milliseconds);
const used = (start: Date | null = START, count = 1): WeeklyUse => ({
  weekly_consultations_used: count,
  weekly_window_started_at: start,
});
describe("weeklyLimit", () => {
  test.each([
    ["none was used", used(null, 0), START],
    ["the use of the window was restored", used(START, 0), later(DAY)],
    ["the window just ended", used(), later(7 * DAY)],
  ])("returns one unused consultation and 7 days if %s", (_when, use, now) => {
    const unused = { used: 0, max_consultations: 1, days_until_reset: 7, resets_at: null };
    expect(weeklyLimit(use, now)).toEqual(unused);
    expect(UNUSED_WEEKLY_LIMIT).toEqual(unused);
  });

  test.each([
    ["if the clock went backwards", -3 * DAY, 7],
    ["at the moment of asking", 0, 7],
    ["when a day has passed", DAY, 6],
    ["one second after a day has passed", DAY + SECOND, 6],
    ["one millisecond before the window ends", 7 * DAY - 1, 1],
  ])("%s returns one used, with whole days rounded up", (_when, passed, days) => {
    expect(weeklyLimit(used(), later(passed))).toEqual({
      used: 1,
      max_consultations: 1,
      days_until_reset: days,
      resets_at: later(7 * DAY),
    });
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
