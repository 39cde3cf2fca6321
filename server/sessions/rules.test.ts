import { describe, expect, test } from "vitest";
import { DAY, HOUR, MINUTE } from "#shared/time.ts";
import { isAdmin, LIFETIMES, sessionEnd } from "./rules.ts";

describe("sessionEnd", () => {
  const began = new Date("2026-03-01T10:00:00Z");
  const later = (ms: number) => new Date(began.getTime() + ms);
  const expires_at = later(LIFETIMES.session);

  test("returns 7 days after the last visit", () => {
    expect(sessionEnd({ created_at: began, seen_at: began, expires_at })).toEqual(later(7 * DAY));
    expect(sessionEnd({ created_at: began, seen_at: later(3 * DAY), expires_at })).toEqual(later(10 * DAY));
  });

  test("returns at most 30 days after the start", () => {
    const end = (seen: number) => sessionEnd({ created_at: began, seen_at: later(seen), expires_at });
    expect(end(29 * DAY)).toEqual(later(30 * DAY));
    expect(end(23 * DAY)).toEqual(later(30 * DAY));
    expect(end(23 * DAY - 1)).toEqual(later(30 * DAY - 1));
  });

  test("returns at most 8 h after the start for the administrator", () => {
    for (const seen of [0, 3 * HOUR, 8 * HOUR])
      expect(sessionEnd({ created_at: began, seen_at: later(seen), expires_at }, true)).toEqual(later(8 * HOUR));
    const short = { created_at: began, seen_at: began, expires_at: later(HOUR) };
    expect(sessionEnd(short, true)).toEqual(later(HOUR));
  });
});

test("LIFETIMES contains the durations that mails and pages announce", () => {
  expect(LIFETIMES).toMatchObject({
    registration: DAY,
    recovery: HOUR,
    session: 30 * DAY,
    sessionIdle: 7 * DAY,
    adminSession: 8 * HOUR,
    freshPassword: 10 * MINUTE,
    emailChange: DAY,
    emailUndo: 7 * DAY,
  });
});

describe("isAdmin", () => {
  test("returns true for the configured email in any letter case", () => {
    expect(isAdmin("Admin@Divan.example", "admin@divan.example")).toBe(true);
    expect(isAdmin("admin@divan.example", "ADMIN@divan.example")).toBe(true);
  });

  test.each([
    "admin@divan.example.evil.example",
    "xadmin@divan.example",
    "admin@divan.example ",
    "admin",
    "",
    "admin+1@divan.example",
  ])("returns false for %j", (address) => {
    expect(isAdmin(address, "admin@divan.example")).toBe(false);
  });
});
