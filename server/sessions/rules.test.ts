import { describe, expect, test } from "vitest";
import { DAY, HOUR, MINUTE } from "#shared/time.ts";
import { isAdmin, LIFETIMES, sessionEnd } from "./rules.ts";

describe("the end of a session", () => {
  const began = new Date("2026-03-01T10:00:00Z");
  const later = (ms: number) => new Date(began.getTime() + ms);
  const expires_at = later(LIFETIMES.session);

  test("is a week after the last visit", () => {
    expect(sessionEnd({ created_at: began, seen_at: began, expires_at })).toEqual(later(7 * DAY));
    expect(sessionEnd({ created_at: began, seen_at: later(3 * DAY), expires_at })).toEqual(later(10 * DAY));
  });

  test("is 30 days after it began, however often it is used", () => {
    const end = (seen: number) => sessionEnd({ created_at: began, seen_at: later(seen), expires_at });
    expect(end(29 * DAY)).toEqual(later(30 * DAY));
    expect(end(23 * DAY)).toEqual(later(30 * DAY));
    expect(end(23 * DAY - 1)).toEqual(later(30 * DAY - 1));
  });

  test("is 8 hours after it began for the administrator, however often it is used", () => {
    for (const seen of [0, 3 * HOUR, 8 * HOUR])
      expect(sessionEnd({ created_at: began, seen_at: later(seen), expires_at }, true)).toEqual(later(8 * HOUR));
    const short = { created_at: began, seen_at: began, expires_at: later(HOUR) };
    expect(sessionEnd(short, true)).toEqual(later(HOUR));
  });
});

test("links and sessions last as long as the mails and pages say", () => {
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

describe("the administrator", () => {
  test("is the account with the configured address, however it is written", () => {
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
  ])("is not %j", (address) => {
    expect(isAdmin(address, "admin@divan.example")).toBe(false);
  });
});
