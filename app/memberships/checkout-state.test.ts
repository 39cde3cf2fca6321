import { describe, expect, test } from "vitest";
import type { CheckoutView } from "#shared/memberships.ts";
import { hasStoppedPolling, nextPendingPayment } from "./checkout-state.ts";

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

test("stops polling after 30 polls", () => {
  expect(hasStoppedPolling(confirming)).toBe(false);
  expect(hasStoppedPolling({ ...confirming, polls: 30 })).toBe(true);
});
