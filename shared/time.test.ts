import { expect, test } from "vitest";
import { dayOf } from "./time.ts";

test("dayOf returns the day in UTC", () => {
  expect(dayOf(new Date("2026-03-02T23:59:59.999Z"))).toBe("2026-03-02");
  expect(dayOf(new Date("2026-03-02T22:00:00.000-03:00"))).toBe("2026-03-03");
});
