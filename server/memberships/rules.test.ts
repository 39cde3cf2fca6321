import { describe, expect, test } from "vitest";
import { DAY } from "#shared/time.ts";
import { at, lifetime, monthly, NOW } from "#test/reconciliation-fixtures.ts";
import { goldEnd, goldUntil, isGrantActive } from "./gold-end-rules.ts";
import { MONTH } from "./reconciliation/entitlement-rules.ts";
import { canBeCancelled, cancellationStatus, givesGoldOrCharges, membershipStatusOf } from "./rules.ts";

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
    ["ended", { next_billing_date: at(-1), state: "cancelled" }],
    ["ended", { status: "cancelled", ended_by: "provider" as const }],
    ["revoked", { status: "cancelled", ended_by: "refund" as const }],
  ])("shows the standing %s: %o", (standing, differs) => {
    expect(membershipStatusOf({ ...MONTHLY, ...differs }, NOW)).toBe(standing);
  });

  const ended = { status: "cancelled", ended_by: "provider" } as const;
  test.each([
    [true, true, {}],
    [false, true, { state: "cancelled" }],
    [false, true, { plan_type: "lifetime" }],
    // Its provider may charge it again.
    [true, true, ended],
    [true, true, { ...ended, state: "suspended" }],
    [false, false, { ...ended, state: "expired" }],
    [false, false, { ...ended, ended_by: "person" as const }],
    [false, false, { ...ended, plan_type: "lifetime" }],
    [false, false, { ...ended, provider: "test" }],
  ])("returns canBeCancelled: %s, givesGoldOrCharges: %s for %o", (cancellable, endsWithGold, differs) => {
    const one = { ...MONTHLY, ...differs };
    expect([canBeCancelled(one), givesGoldOrCharges(one)]).toEqual([cancellable, endsWithGold]);
  });

  test.each([
    ["not_needed", {}],
    ["waiting", { end_wanted_at: NOW }],
    ["closed", { end_wanted_at: NOW, end_closed_at: NOW }],
    ["waiting", { end_wanted_at: at(1), end_closed_at: NOW }],
    ["confirmed", { end_wanted_at: NOW, end_confirmed_at: NOW, end_closed_at: NOW }],
  ])("shows its cancellation as %s: %o", (status, end) => {
    const none = { end_wanted_at: null, end_confirmed_at: null, end_closed_at: null };
    expect(cancellationStatus({ ...none, ...end })).toBe(status);
  });
});

describe("granted Gold", () => {
  const grant = (days: number | null, ended_at: Date | null = null) => ({
    ends_at: days === null ? null : at(days * DAY),
    ended_at,
  });
  const until = (days: number) => ({ ...monthly(at(days * DAY)), state: "cancelled" });
  test.each([
    [null, [], []],
    [at(DAY), [until(1)], []],
    [at(2 * DAY), [until(1)], [grant(2)]],
    [at(3 * DAY), [until(3)], [grant(2)]],
    [at(2 * DAY), [monthly(NOW, "cancelled")], [grant(2), grant(5, NOW)]],
    ["infinity", [lifetime()], [grant(2)]],
    ["infinity", [until(1)], [grant(2), grant(null)]],
  ])("lasts until the latest of memberships and grants: %s", (end, memberships, grants) => {
    expect(goldUntil(memberships, grants)).toEqual(end);
  });

  test.each([
    [true, grant(null)],
    [true, grant(1)],
    [false, grant(0)],
    [false, grant(null, at(-1))],
    [false, grant(1, at(-1))],
  ])("is in force: %s, %o", (active, one) => {
    expect(isGrantActive(one, NOW)).toBe(active);
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
      "17 days later if the last reading was before the 3 days were over",
      paid,
      { state: "active", ...failing, read_at: at(2 * DAY) },
      at(17 * DAY),
    ],
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
