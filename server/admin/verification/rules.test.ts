import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DAY } from "#shared/time.ts";
import { isCheckDue, lapsedChecks, whyCannotApprove } from "./rules.ts";

const moment = fc.date({ min: new Date("2020-01-01"), max: new Date("2090-01-01"), noInvalidDate: true });

describe("the check of a licence", () => {
  test("holds for twelve months, and lapses at that very moment", () => {
    const checked = new Date("2026-03-02T12:00:00.000Z");
    expect(isCheckDue(checked, new Date("2027-03-02T11:59:59.999Z"))).toBe(false);
    expect(isCheckDue(checked, new Date("2027-03-02T12:00:00.000Z"))).toBe(true);
  });

  test("is due no earlier than after 365 days and no later than after 366, whatever the year", () => {
    fc.assert(
      fc.property(moment, (now) => {
        const age = (now.getTime() - lapsedChecks(now).getTime()) / DAY;
        expect(age).toBeGreaterThanOrEqual(365);
        expect(age).toBeLessThanOrEqual(366);
      }),
    );
  });

  test("that never took place is not due again: it waits for the first time", () => {
    expect(isCheckDue(null, new Date())).toBe(false);
    expect(whyCannotApprove({ verified_at: null }, new Date())).toBeNull();
    expect(whyCannotApprove(undefined, new Date())).toBe("nothing_updated");
  });

  test("and approving agree", () => {
    fc.assert(
      fc.property(moment, moment, (verified_at, now) => {
        expect(whyCannotApprove({ verified_at }, now) === null).toBe(isCheckDue(verified_at, now));
      }),
    );
  });
});
