import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { at, lifetime, monthly, NOW } from "#test/settlements.ts";
import { goldUntil, isActive, standingOf, whyCannotCancel } from "./rules.ts";
import { MONTH } from "./settlement/entitlement-rules.ts";

describe("a membership", () => {
  test("for a month is active until its date, not at it", () => {
    expect(isActive(monthly(at(1)), NOW)).toBe(true);
    expect(isActive(monthly(at(0)), NOW)).toBe(false);
    expect(isActive(monthly(at(-1)), NOW)).toBe(false);
    expect(isActive(monthly(null), NOW)).toBe(false);
  });

  test("for life is active while its status is, and so is one of any other plan", () => {
    expect(isActive(lifetime(), NOW)).toBe(true);
    expect(isActive({ plan_type: "yearly", status: "active", next_billing_date: at(-1) }, NOW)).toBe(true);
    expect(isActive(lifetime("cancelled"), NOW)).toBe(false);
    expect(isActive(monthly(at(MONTH), "cancelled"), NOW)).toBe(false);
  });

  test("is active exactly while the clock is before the moment that the database keeps", () => {
    const subscription = fc.record({
      plan_type: fc.constantFrom("monthly", "lifetime", "yearly"),
      status: fc.constantFrom("active", "cancelled"),
      next_billing_date: fc.option(fc.integer({ min: -2 * MONTH, max: 2 * MONTH }).map(at)),
    });
    fc.assert(
      fc.property(subscription, fc.integer({ min: -MONTH, max: MONTH }).map(at), (one, now) => {
        const until = goldUntil(one);
        expect(until === "infinity" || (until !== null && until > now)).toBe(isActive(one, now));
      }),
    );
  });

  test("can be cancelled unless it is for life", () => {
    expect(whyCannotCancel({ plan_type: "monthly" })).toBeNull();
    expect(whyCannotCancel({ plan_type: "lifetime" })).toBe("lifetime_not_cancelled");
  });

  const MONTHLY = {
    ...monthly(at(MONTH)),
    ended_by: null,
    provider_state: "active",
    provisional_until: null,
    grace_from: null,
    unreadable_from: null,
  };
  test.each([
    ["active", {}],
    ["provisional", { provisional_until: at(MONTH) }],
    ["grace_period", { grace_from: at(-1) }],
    ["unreadable", { unreadable_from: at(-1) }],
    ["unreadable", { unreadable_from: at(-1), grace_from: at(-1) }],
    ["past_due", { provider_state: "suspended" }],
    ["ending", { provider_state: "cancelled", unreadable_from: at(-1) }],
    ["past_due", { provider_state: "suspended", next_billing_date: at(-1) }],
    ["ended", { next_billing_date: at(-1) }],
    ["revoked", { status: "cancelled", ended_by: "refund" }],
  ])("is %s: %o", (standing, differs) => {
    expect(standingOf({ ...MONTHLY, ...differs }, NOW)).toBe(standing);
  });
});
