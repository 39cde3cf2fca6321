import type { Currency, PaymentMethod, PlanType } from "#shared/plans.ts";

type Price = { amount: number; currency: Currency };

/** Prices in minor units (specification, section 9). A price that a browser sends is ignored. */
export const PRICES: Record<PaymentMethod, Record<PlanType, Price>> = {
  paypal: { monthly: { amount: 499, currency: "USD" }, lifetime: { amount: 4999, currency: "USD" } },
  mercadopago: { monthly: { amount: 499_900, currency: "ARS" }, lifetime: { amount: 4_999_900, currency: "ARS" } },
};

/** Places of the launch promotion. */
const LAUNCH_PLACES = 100;

/** Places left in the launch promotion, or null when it is over. */
export const promotionPlaces = (lifetimeSold: number): { places: number; places_left: number } | null =>
  lifetimeSold < LAUNCH_PLACES ? { places: LAUNCH_PLACES, places_left: LAUNCH_PLACES - lifetimeSold } : null;
