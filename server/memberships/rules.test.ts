import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PAYMENT_METHODS, PLAN_TYPES } from "#shared/plans.ts";
import {
  type Attempt,
  CHECKOUT_LIFETIME,
  goldUntil,
  isActive,
  isCheckoutOpen,
  LAUNCH_PLACES,
  MONTH,
  PRICES,
  promotionPlaces,
  providerFor,
  type Snapshot,
  type Subscription,
  settle,
  whyCannotCancel,
  whyCannotSubscribe,
  whyNotForPlans,
} from "./rules.ts";

const NOW = new Date("2026-11-21T12:00:00.000Z");
const at = (milliseconds: number) => new Date(NOW.getTime() + milliseconds);
const monthly = (next: Date | null, status = "active"): Subscription => ({
  plan_type: "monthly",
  status,
  next_billing_date: next,
});
const lifetime = (status = "active"): Subscription => ({ plan_type: "lifetime", status, next_billing_date: null });

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
});

describe("buying", () => {
  test("is for psychologists", () => {
    expect(whyNotForPlans(null)).toBe("psychologists_only");
    expect(whyNotForPlans({ user_type: "user" })).toBe("psychologists_only");
    expect(whyNotForPlans({ user_type: "psychologist" })).toBeNull();
  });

  test("is for who may answer and has no Gold; a month that is over is none", () => {
    expect(whyCannotSubscribe({ is_verified: false }, null, NOW)).toBe("subscribe_not_verified");
    expect(whyCannotSubscribe({ is_verified: true }, null, NOW)).toBeNull();
    expect(whyCannotSubscribe({ is_verified: true }, monthly(at(-1)), NOW)).toBeNull();
    expect(whyCannotSubscribe({ is_verified: true }, monthly(at(1)), NOW)).toBe("already_subscribed");
    expect(whyCannotSubscribe({ is_verified: true }, lifetime(), NOW)).toBe("already_subscribed");
  });

  test("costs what the specification says", () => {
    expect(PRICES).toEqual({
      paypal: { monthly: { amount: 499, currency: "USD" }, lifetime: { amount: 4999, currency: "USD" } },
      mercadopago: { monthly: { amount: 499_900, currency: "ARS" }, lifetime: { amount: 4_999_900, currency: "ARS" } },
    });
  });

  test("goes to the service that is set up, to the stand-in in the demo, else nowhere", () => {
    expect(providerFor("paypal", { demo: true, configured: [] })).toBe("test");
    expect(providerFor("paypal", { demo: true, configured: ["paypal"] })).toBe("paypal");
    expect(providerFor("mercadopago", { demo: true, configured: ["paypal"] })).toBe("test");
    expect(providerFor("mercadopago", { demo: false, configured: ["paypal"] })).toBeNull();
  });

  test("is open for a day and while nothing was decided", () => {
    const attempt = { status: "open", created_at: NOW };
    expect(isCheckoutOpen(attempt, at(CHECKOUT_LIFETIME - 1))).toBe(true);
    expect(isCheckoutOpen(attempt, at(CHECKOUT_LIFETIME))).toBe(false);
    for (const status of ["paid", "failed", "expired"]) expect(isCheckoutOpen({ ...attempt, status }, NOW)).toBe(false);
  });
});

test("the promotion shows the places left until the hundredth is taken", () => {
  expect(promotionPlaces(0)).toEqual({ places: LAUNCH_PLACES, places_left: 100 });
  expect(promotionPlaces(99)).toEqual({ places: LAUNCH_PLACES, places_left: 1 });
  expect(promotionPlaces(100)).toBeNull();
  expect(promotionPlaces(101)).toBeNull();
});

describe("what a payment service says", () => {
  const attempt: Attempt = { status: "open", plan_type: "monthly", amount: 499, currency: "USD" };
  const paid: Snapshot = {
    state: "active",
    plan_type: "monthly",
    amount: 499,
    currency: "USD",
    next_billing_date: null,
    payment: null,
  };

  test("begins a month of thirty days, or until the service's own date", () => {
    expect(settle(attempt, paid, null, null, NOW)).toEqual({
      kind: "grant",
      next_billing_date: at(MONTH),
      replaces: false,
    });
    const own = { ...paid, next_billing_date: at(5 * MONTH) };
    expect(settle(attempt, own, null, null, NOW)).toMatchObject({ next_billing_date: at(5 * MONTH) });
  });

  test("begins a life without a date, whatever date the service tells", () => {
    const life = { plan_type: "lifetime", amount: 4999 } as const;
    const snapshot = { ...paid, ...life, next_billing_date: at(MONTH) };
    expect(settle({ ...attempt, ...life }, snapshot, null, null, NOW)).toEqual({
      kind: "grant",
      next_billing_date: null,
      replaces: false,
    });
  });

  test.each([
    ["another plan", { plan_type: "lifetime" }],
    ["less money", { amount: 498 }],
    ["another currency", { currency: "ARS" }],
  ] as const)("grants nothing for %s", (_what, difference) => {
    expect(settle(attempt, { ...paid, ...difference }, null, null, NOW)).toEqual({ kind: "mismatch" });
  });

  test("grants to an attempt given up meanwhile: the money came", () => {
    expect(settle({ ...attempt, status: "expired" }, paid, null, null, NOW).kind).toBe("grant");
  });

  test("replaces a month that is over, and a month by a life", () => {
    expect(settle(attempt, paid, null, monthly(at(-1)), NOW)).toMatchObject({ kind: "grant", replaces: true });
    const life = { plan_type: "lifetime", amount: 4999 } as const;
    expect(settle({ ...attempt, ...life }, { ...paid, ...life }, null, monthly(at(1)), NOW)).toMatchObject({
      kind: "grant",
      replaces: true,
    });
  });

  test("is kept apart when Gold is in force already", () => {
    expect(settle(attempt, paid, null, monthly(at(1)), NOW)).toEqual({ kind: "paid_twice" });
    expect(settle(attempt, paid, null, lifetime(), NOW)).toEqual({ kind: "paid_twice" });
  });

  test("changes nothing the second time, nor before a decision, nor after a cancellation here", () => {
    const status = fc.constantFrom("open", "paid", "failed", "expired");
    const state = fc.constantFrom("pending", "active", "failed") as fc.Arbitrary<Snapshot["state"]>;
    const known = fc.constantFrom(monthly(at(1)), monthly(at(-1)), monthly(at(1), "cancelled"), lifetime());
    fc.assert(
      fc.property(status, state, known, (was, says, one) => {
        const held = one.status === "active" ? one : null;
        expect(settle({ ...attempt, status: was }, { ...paid, state: says }, one, held, NOW).kind).toBe("nothing");
        expect(settle({ ...attempt, status: was }, { ...paid, state: "pending" }, null, null, NOW).kind).toBe(
          "nothing",
        );
      }),
    );
  });

  test("grants only what was paid for in full, whatever else is so", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...PAYMENT_METHODS),
        fc.constantFrom(...PLAN_TYPES),
        fc.constantFrom(...PLAN_TYPES),
        fc.integer({ min: 1, max: 10_000_000 }),
        fc.constantFrom("USD" as const, "ARS" as const),
        (method, wanted, told, amount, currency) => {
          const price = PRICES[method][wanted];
          const made = { status: "open", plan_type: wanted, ...price };
          const next = settle(made, { ...paid, plan_type: told, amount, currency }, null, null, NOW);
          expect(next.kind === "grant").toBe(wanted === told && currency === price.currency && amount >= price.amount);
        },
      ),
    );
  });

  test("that it failed is written down once", () => {
    expect(settle(attempt, { ...paid, state: "failed" }, null, null, NOW)).toEqual({ kind: "failed" });
    expect(settle({ ...attempt, status: "failed" }, { ...paid, state: "failed" }, null, null, NOW).kind).toBe(
      "nothing",
    );
  });
});
