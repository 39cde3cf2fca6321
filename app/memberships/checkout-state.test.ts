import { describe, expect, test } from "vitest";
import { RATE_LIMITS } from "#server/limits/rate-limit-rules.ts";
import type { CheckoutView, MembershipView } from "#shared/memberships.ts";
import { hasStoppedPolling, isPaidFor, MAX_POLLS, nextPendingPayment } from "./checkout-state.ts";

const checkout = { id: "one", method: "paypal" } as CheckoutView;
const confirming = { checkout, kind: "confirming", outcome: "paid", polls: 0 } as const;

describe("nextPendingPayment", () => {
  test.each([
    ["paid", "paid", null],
    ["failed", "closed", "refused"],
    ["failed", "error", "refused"],
    ["failed", "paid", "confirming"],
    ["open", "paid", "confirming"],
    ["open", "closed", "unfinished"],
    ["open", "error", "unfinished"],
    ["expired", "paid", "unfinished"],
    ["expired", "closed", "unfinished"],
    ["mismatch", "paid", "review"],
    ["unreachable", "closed", "unreachable"],
  ] as const)("maps status %s after outcome %s of the popup to: %s", (status, outcome, kind) => {
    expect(nextPendingPayment(checkout, status, outcome, 2)?.kind ?? null).toBe(kind);
  });

  test("keeps the outcome of the popup while our server is unreachable", () => {
    for (const outcome of ["paid", "closed", "error"] as const)
      expect(nextPendingPayment(checkout, "unreachable", outcome, 0)).toMatchObject({ kind: "unreachable", outcome });
  });

  test("keeps an awaited payment as confirming for every outcome of the popup", () => {
    const awaited = { ...checkout, payment_pending: true };
    for (const outcome of ["paid", "closed", "error"] as const)
      expect(nextPendingPayment(awaited, "open", outcome, 2)?.kind).toBe("confirming");
  });
});

test.each([
  ["monthly", "monthly", true],
  ["monthly", "lifetime", true],
  ["lifetime", "lifetime", true],
  ["lifetime", "monthly", false],
  ["monthly", null, false],
] as const)("decides if a pending %s payment has arrived with a %s membership: %s", (bought, has, paid) => {
  const pending = { ...confirming, checkout: { ...checkout, plan_type: bought } };
  const membership = has && ({ plan_type: has } as MembershipView);
  expect(isPaidFor(pending, membership)).toBe(paid);
  expect(isPaidFor({ ...pending, kind: "refused" }, membership)).toBe(false);
});

test("stops polling after 30 polls", () => {
  expect(hasStoppedPolling(confirming)).toBe(false);
  expect(hasStoppedPolling({ ...confirming, polls: 30 })).toBe(true);
});

test("reads the state of ten payments in an hour without a refusal by the server's limit", () => {
  expect(10 * MAX_POLLS).toBeLessThanOrEqual(RATE_LIMITS.reconciliation.person.points);
});
