import { describe, expect, test } from "vitest";
import { at, lifetime, monthly, NOW } from "#test/settlements.ts";
import { whyCannotSeePlans } from "../rules.ts";
import { LAUNCH_PLACES, PRICES, promotionPlaces } from "./price-rules.ts";
import { CHECKOUT_LIFETIME, isCheckoutOpen, providerNameFor, whyCannotSubscribe } from "./rules.ts";

describe("buying", () => {
  test("is for psychologists", () => {
    expect(whyCannotSeePlans(null)).toBe("psychologists_only");
    expect(whyCannotSeePlans({ user_type: "user" })).toBe("psychologists_only");
    expect(whyCannotSeePlans({ user_type: "psychologist" })).toBeNull();
  });

  test("is for verified psychologists without Gold; a month that is over is no Gold", () => {
    expect(whyCannotSubscribe({ is_verified: false }, null, "monthly", NOW)).toBe("subscribe_not_verified");
    expect(whyCannotSubscribe({ is_verified: true }, null, "monthly", NOW)).toBeNull();
    expect(whyCannotSubscribe({ is_verified: true }, monthly(at(-1)), "monthly", NOW)).toBeNull();
    expect(whyCannotSubscribe({ is_verified: true }, monthly(at(1)), "monthly", NOW)).toBe("already_subscribed");
    expect(whyCannotSubscribe({ is_verified: true }, lifetime(), "monthly", NOW)).toBe("already_subscribed");
  });

  test("is allowed as an upgrade from monthly to lifetime, and no other way", () => {
    expect(whyCannotSubscribe({ is_verified: true }, monthly(at(1)), "lifetime", NOW)).toBeNull();
    expect(whyCannotSubscribe({ is_verified: true }, lifetime(), "lifetime", NOW)).toBe("already_subscribed");
    expect(whyCannotSubscribe({ is_verified: true }, monthly(at(1)), null, NOW)).toBe("already_subscribed");
    expect(whyCannotSubscribe({ is_verified: false }, monthly(at(1)), "lifetime", NOW)).toBe("subscribe_not_verified");
  });

  test("costs what the specification says", () => {
    expect(PRICES).toEqual({
      paypal: { monthly: { amount: 499, currency: "USD" }, lifetime: { amount: 4999, currency: "USD" } },
      mercadopago: { monthly: { amount: 499_900, currency: "ARS" }, lifetime: { amount: 4_999_900, currency: "ARS" } },
    });
  });

  test("goes to the configured provider, in the demo to the test mode, else to none", () => {
    expect(providerNameFor("paypal", { demo: true, configured: [] })).toBe("test");
    expect(providerNameFor("paypal", { demo: true, configured: ["paypal"] })).toBe("paypal");
    expect(providerNameFor("mercadopago", { demo: true, configured: ["paypal"] })).toBe("test");
    expect(providerNameFor("mercadopago", { demo: false, configured: ["paypal"] })).toBeNull();
  });

  test("is open for a day and while nothing was decided", () => {
    const checkout = { status: "open", payment_pending: false, created_at: NOW };
    expect(isCheckoutOpen(checkout, at(CHECKOUT_LIFETIME - 1))).toBe(true);
    expect(isCheckoutOpen(checkout, at(CHECKOUT_LIFETIME))).toBe(false);
    // Cash takes days.
    expect(isCheckoutOpen({ ...checkout, payment_pending: true }, at(5 * CHECKOUT_LIFETIME))).toBe(true);
    for (const status of ["paid", "failed", "expired"])
      expect(isCheckoutOpen({ ...checkout, status }, NOW)).toBe(false);
  });
});

test("the promotion shows the places left until the hundredth is taken", () => {
  expect(promotionPlaces(0)).toEqual({ places: LAUNCH_PLACES, places_left: 100 });
  expect(promotionPlaces(99)).toEqual({ places: LAUNCH_PLACES, places_left: 1 });
  expect(promotionPlaces(100)).toBeNull();
  expect(promotionPlaces(101)).toBeNull();
});
