import { describe, expect, test } from "vitest";
import { DAY, HOUR, MINUTE } from "#shared/time.ts";
import { at, lifetime, monthly, NOW } from "#test/reconciliation-fixtures.ts";
import { CHECKOUT_LIFETIME, nextReading, statusOf, whyCannotSubscribe } from "./rules.ts";

describe("buying", () => {
  test("sells only to verified psychologists without a membership in force", () => {
    expect(whyCannotSubscribe({ is_verified: false }, null, "monthly", NOW)).toBe("verification_required");
    expect(whyCannotSubscribe({ is_verified: true }, null, "monthly", NOW)).toBeNull();
    expect(whyCannotSubscribe({ is_verified: true }, monthly(at(-1)), "monthly", NOW)).toBeNull();
    expect(whyCannotSubscribe({ is_verified: true }, monthly(at(1)), "monthly", NOW)).toBe("already_subscribed");
    expect(whyCannotSubscribe({ is_verified: true }, lifetime(), "monthly", NOW)).toBe("already_subscribed");
  });

  test("allows only the upgrade from monthly to lifetime", () => {
    expect(whyCannotSubscribe({ is_verified: true }, monthly(at(1)), "lifetime", NOW)).toBeNull();
    expect(whyCannotSubscribe({ is_verified: true }, lifetime(), "lifetime", NOW)).toBe("already_subscribed");
    expect(whyCannotSubscribe({ is_verified: true }, monthly(at(1)), null, NOW)).toBe("already_subscribed");
    expect(whyCannotSubscribe({ is_verified: false }, monthly(at(1)), "lifetime", NOW)).toBe("verification_required");
  });
});

describe("statusOf", () => {
  const row = { state: "pending", created_at: NOW, end_wanted_at: null, ended_by: null, status: null };
  test.each([
    ["open", at(CHECKOUT_LIFETIME - 1), {}],
    ["expired", at(CHECKOUT_LIFETIME), {}],
    // Cash takes days.
    ["open", at(5 * CHECKOUT_LIFETIME), { state: "paying" }],
    ["failed", NOW, { state: "failed" }],
    ["failed", NOW, { state: "cancelled" }],
    ["failed", NOW, { state: "failed", end_wanted_at: NOW }],
    ["expired", NOW, { state: "cancelled", end_wanted_at: NOW }],
    ["expired", NOW, { state: "expired" }],
    ["paid", at(DAY), { status: "active" }],
    ["paid", at(DAY), { status: "cancelled", ended_by: "refund" }],
    ["mismatch", NOW, { status: "cancelled", ended_by: "duplicate_payment" }],
    ["mismatch", NOW, { status: "cancelled", ended_by: "mismatch" }],
  ])("returns %s at %s: %o", (status, now, differs) => {
    expect(statusOf({ ...row, ...differs }, now)).toBe(status);
  });
});

describe("nextReading", () => {
  const row = {
    provider: "paypal",
    plan_type: "monthly",
    state: "active",
    created_at: at(-100 * DAY),
    failures: 0,
    failing_since: null,
    end_wanted_at: null,
    end_confirmed_at: null,
    over_at: null,
    ...{ status: null, next_billing_date: null, cancelled_at: null, end_closed_at: null },
  };
  const month = { status: "active", next_billing_date: at(10 * DAY), cancelled_at: null, end_closed_at: null };
  const overdue = (span: number) => ({ ...month, next_billing_date: at(-span) });
  const ended = { ...month, status: "cancelled", cancelled_at: at(-10 * DAY) };
  const pastEnd = { ...ended, next_billing_date: at(-DAY) };
  const unpaid = (age: number) => ({ ...row, state: "pending", created_at: at(-age) });
  const wanted = (span: number) => ({ ...row, end_wanted_at: at(-span) });

  test.each([
    ["an unpaid checkout of 5 min", unpaid(5 * MINUTE), null, 5 * MINUTE],
    ["an unpaid checkout of 6 h", unpaid(6 * HOUR), null, HOUR],
    ["an unpaid checkout of 20 days", unpaid(20 * DAY), null, DAY],
    ["an unpaid checkout of 31 days", unpaid(31 * DAY), null, 7 * DAY],
    ["a month before its date", row, month, DAY],
    ["a month on the last day", row, { ...month, next_billing_date: at(HOUR) }, HOUR],
    ["a month at its date", row, overdue(0), 10 * MINUTE],
    ["a month 6 h after its date", row, overdue(6 * HOUR), HOUR],
    ["a month 4 h before the end of its grace period", row, overdue(68 * HOUR), 4 * HOUR],
    ["a month 89 days after its date", row, overdue(89 * DAY), DAY],
    ["a month 117 days after its date", row, overdue(117 * DAY), 7 * DAY],
    ["lifetime", { ...row, plan_type: "lifetime" }, { ...month, next_billing_date: null }, 7 * DAY],
    ["what ended here and not there", row, ended, DAY],
    ["the same 200 days later", row, { ...ended, cancelled_at: at(-200 * DAY) }, 7 * DAY],
    ["an end wanted a minute ago", wanted(MINUTE), ended, 5 * MINUTE],
    ["an end wanted for 3 h", wanted(3 * HOUR), ended, 3 * HOUR],
    ["an end wanted for a month", wanted(30 * DAY), ended, DAY],
    ["an end that the administrator closed", wanted(DAY), { ...ended, end_closed_at: NOW }, 7 * DAY],
    ["what failed in an outage", { ...row, failing_since: NOW }, month, 5 * MINUTE],
    ["what failed once before its date", { ...row, failing_since: NOW, failures: 1 }, month, 30 * MINUTE],
    ["what failed four times before its date", { ...row, failing_since: NOW, failures: 4 }, month, 40 * MINUTE],
    ["what failed once after its date", { ...row, failing_since: NOW, failures: 1 }, overdue(DAY), 5 * MINUTE],
    ["what failed once and was ended here", { ...row, failing_since: NOW, failures: 1 }, pastEnd, 30 * MINUTE],
    ["what failed 20 times before its date", { ...row, failing_since: NOW, failures: 20 }, month, DAY],
    ["what failed 20 times after its date", { ...row, failing_since: NOW, failures: 20 }, overdue(DAY), HOUR],
    ["an end that its provider shows for the first time", { ...row, state: "gone" }, null, DAY],
    ["an end that its provider showed an hour ago", { ...row, state: "gone", over_at: at(-HOUR) }, ended, DAY],
    ["a month ended at its provider, paid until later", { ...row, state: "cancelled" }, month, DAY],
    ["the same two days later", { ...row, state: "cancelled", over_at: at(-2 * DAY) }, month, DAY],
    ["an end that its provider confirmed but does not show", { ...wanted(DAY), end_confirmed_at: NOW }, null, 7 * DAY],
    ["lifetime that ended here", { ...row, plan_type: "lifetime" }, ended, 7 * DAY],
  ])("schedules %s", (_what, checkout, membership, span) => {
    expect(nextReading({ ...checkout, ...membership }, NOW)).toEqual(at(span));
  });

  test.each(["cancelled", "expired", "gone"])(
    "returns null once the provider has shown the end (%s) for a day and no Gold depends on it",
    (state) => {
      const over = { ...row, state, over_at: at(-DAY) };
      expect(nextReading({ ...over, ...ended }, NOW)).toBeNull();
      expect(nextReading(over, NOW)).toBeNull();
    },
  );

  test("never returns null before the provider shows the end", () => {
    for (const state of ["pending", "paying", "active", "suspended", "failed"])
      for (const age of [0, 91 * DAY, 181 * DAY, 3000 * DAY])
        for (const membership of [null, overdue(age), { ...ended, cancelled_at: at(-age) }])
          expect(nextReading({ ...row, state, created_at: at(-age), ...membership }, NOW)).not.toBeNull();
  });

  test("tries an unconfirmed cancellation between 10 and 20 times in its first week", () => {
    const end = { ...row, ...ended, end_wanted_at: NOW };
    let tries = 0;
    for (let now = NOW; now < at(7 * DAY); tries++) now = nextReading(end, now)!;
    expect(tries).toBeGreaterThan(10);
    expect(tries).toBeLessThan(20);
  });

  test("returns null in the test mode", () => {
    expect(nextReading({ ...row, ...month, provider: "test" }, NOW)).toBeNull();
  });
});
