import { describe, expect, test } from "vitest";
import type { CheckoutView } from "#shared/memberships.ts";
import { afterEvent, hasStoppedPolling, NO_CHECKOUT, pendingAfter } from "./checkout-state.ts";

const checkout = { id: "one", method: "paypal" } as CheckoutView;
const confirming = { checkout, kind: "confirming", outcome: "paid", polls: 0 } as const;

describe("what is pending after the server was asked", () => {
  test.each([
    ["paid", "paid", null],
    ["failed", "closed", null],
    ["failed", "error", null],
    ["failed", "paid", "confirming"],
    ["open", "paid", "confirming"],
    ["open", "closed", "unfinished"],
    ["open", "error", "unfinished"],
    ["expired", "paid", "unfinished"],
    ["mismatch", "paid", "review"],
    ["unreachable", "closed", "unreachable"],
  ] as const)("%s, where the window suggests %s: %s", (status, outcome, kind) => {
    expect(pendingAfter(checkout, status, outcome, 2)?.kind ?? null).toBe(kind);
  });

  test("what the window suggested stays while our server cannot be reached", () => {
    for (const outcome of ["paid", "closed", "error"] as const)
      expect(pendingAfter(checkout, "unreachable", outcome, 0)).toMatchObject({ kind: "unreachable", outcome });
  });

  test("a payment that the provider awaits, whatever the window suggests", () => {
    const awaited = { ...checkout, payment_pending: true };
    for (const outcome of ["paid", "closed", "error"] as const)
      expect(pendingAfter(awaited, "open", outcome, 2)?.kind).toBe("confirming");
  });
});

describe("what the plans page shows of paying", () => {
  test("a window that opens clears what was blocked and pending", () => {
    const before = { processing: null, blocked: "paypal", pending: confirming } as const;
    expect(afterEvent(before, { type: "window_opened", method: "mercadopago" })).toEqual({
      processing: "mercadopago",
      blocked: null,
      pending: null,
    });
  });

  test("a poll about a payment that is no longer shown changes nothing", () => {
    const state = { ...NO_CHECKOUT, pending: confirming };
    expect(afterEvent(state, { type: "polled", pending: { ...confirming } })).toBe(state);
    expect(afterEvent(state, { type: "polled", pending: confirming }).pending?.polls).toBe(1);
  });

  test("polling stops", () => {
    expect(hasStoppedPolling(confirming)).toBe(false);
    expect(hasStoppedPolling({ ...confirming, polls: 30 })).toBe(true);
  });
});
