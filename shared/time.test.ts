import { expect, test } from "vitest";
import { toIsoDay } from "./time.ts";

test("toIsoDay returns the day in UTC", () => {
  expect(toIsoDay(new Date("2026-03-02T23:59:59.999Z"))).toBe("2026-03-02");
  expect(toIsoDay(new Date("2026-03-02T22:00:00.000-03:00"))).toBe("2026-03-03");
});
