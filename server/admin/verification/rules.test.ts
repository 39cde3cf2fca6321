import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DAY } from "#shared/time.ts";
import { isCheckDue, licenseCheckCutoff, whyCannotApprove } from "./rules.ts";

const moment = fc.date({ min: new Date("2020-01-01"), max: new Date("2090-01-01"), noInvalidDate: true });

describe("licence check", () => {
  test("lapses 12 months later, to the millisecond", () => {
    const checked = new Date("2026-03-02T12:00:00.000Z");
    expect(isCheckDue(checked, new Date("2027-03-02T11:59:59.999Z"))).toBe(false);
    expect(isCheckDue(checked, new Date("2027-03-02T12:00:00.000Z"))).toBe(true);
  });

  test("lapses after 365 to 366 days in every year", () => {
    fc.assert(
      fc.property(moment, (now) => {
        const age = (now.getTime() - licenseCheckCutoff(now).getTime()) / DAY;
        expect(age).toBeGreaterThanOrEqual(365);
        expect(age).toBeLessThanOrEqual(366);
      }),
    );
  });

  test("treats a psychologist who was never checked as pending, not due", () => {
    expect(isCheckDue(null, new Date())).toBe(false);
    expect(whyCannotApprove({ verified_at: null }, new Date())).toBeNull();
    expect(whyCannotApprove(undefined, new Date())).toBe("no_rows_updated");
  });

  test("allows an approval exactly when the check is due", () => {
    fc.assert(
      fc.property(moment, moment, (verified_at, now) => {
        expect(whyCannotApprove({ verified_at }, now) === null).toBe(isCheckDue(verified_at, now));
      }),
    );
  });
});
