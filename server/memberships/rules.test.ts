import { describe, expect, test } from "vitest";
import { DAY } from "#shared/time.ts";
import { at, lifetime, monthly, NOW } from "#test/reconciliation-fixtures.ts";
import { goldEnd } from "./gold-rules.ts";
import { MONTH } from "./reconciliation/entitlement-rules.ts";
import { membershipStatusOf } from "./rules.ts";

describe("a membership", () => {
  const MONTHLY = { ...monthly(at(MONTH)), ended_by: null, state: "active" };
  test.each([
    ["active", {}],
    ["active", { failing_since: at(-1) }],
    ["provisional", { provisional_until: at(MONTH) }],
    ["grace_period", { next_billing_date: at(-1) }],
    ["unreadable", { next_billing_date: at(-1), failing_since: at(-1) }],
    ["unreadable", { next_billing_date: at(-4 * DAY), failing_since: at(-1) }],
    ["past_due", { state: "suspended" }],
    ["ending", { state: "cancelled", failing_since: at(-1) }],
    ["ending", { state: "gone" }],
    ["past_due", { state: "suspended", next_billing_date: at(-1) }],
    ["ended", { next_billing_date: at(-4 * DAY) }],
    ["revoked", { status: "cancelled", ended_by: "refund" as const }],
  ])("shows the standing %s: %o", (standing, differs) => {
    expect(membershipStatusOf({ ...MONTHLY, ...differs }, NOW)).toBe(standing);
  });
});

describe("goldEnd", () => {
  const paid = monthly(NOW);
  const failing = { failing_since: at(-DAY) };
  test.each([
    ["at the end of what is paid once the provider has ended it", paid, { state: "cancelled" }, NOW],
    ["at the end of what is paid while charges are paused", paid, { state: "suspended", ...failing }, NOW],
    ["at the end of what is paid once the provider answers 404", paid, { state: "gone" }, NOW],
    ["3 days later while the provider says active", paid, { state: "active" }, at(3 * DAY)],
    ["17 days later while it cannot be read", paid, { state: "active", ...failing }, at(17 * DAY)],
    [
      "3 days later if a reading has shown the end, and others fail after it",
      paid,
      { state: "active", ...failing, read_at: at(3 * DAY) },
      at(3 * DAY),
    ],
    ["at the end of provisional access", { ...paid, provisional_until: NOW }, { state: "active" }, NOW],
    [
      "14 days later if the first charge cannot be read",
      { ...paid, provisional_until: NOW },
      { state: "active", ...failing },
      at(14 * DAY),
    ],
    ["at the end of a month of the test mode", { ...paid, provider: "test" }, { state: "active" }, NOW],
    ["never for lifetime", lifetime(), { state: "expired" }, "infinity"],
    ["at once when a membership was ended", monthly(NOW, "cancelled"), { state: "active" }, null],
  ])("ends %s", (_when, term, at, end) => {
    expect(goldEnd({ ...term, failing_since: null, ...at })).toEqual(end);
  });
});
