/** Prices and periods as the specification and `docs/payments.md` promise them: never imported from the code under test. */
import { DAY, HOUR } from "#shared/time.ts";

type Price = { amount: number; currency: "USD" | "ARS" };
/** Prices in minor units. */
export const PRICE: Record<"paypal" | "mercadopago", Record<"monthly" | "lifetime", Price>> = {
  paypal: { monthly: { amount: 499, currency: "USD" }, lifetime: { amount: 4_999, currency: "USD" } },
  mercadopago: { monthly: { amount: 499_900, currency: "ARS" }, lifetime: { amount: 4_999_900, currency: "ARS" } },
};

/** Time for which Gold lasts beyond its month while the provider shows it as active. */
export const GRACE = 3 * DAY;
/** Time for which Gold lasts beyond its month while the provider cannot be read. */
export const UNREADABLE = 14 * DAY;
/** Time for which Gold lasts before the first charge. */
export const PROVISIONAL = 72 * HOUR;

/** Returns the same time of the next month on this day, or on its last day if the month is shorter. */
export function monthLater(at: number, day = new Date(at).getUTCDate()): number {
  const from = new Date(at);
  const [year, month] = [from.getUTCFullYear(), from.getUTCMonth() + 1];
  const days = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(day, days)) + (at % DAY);
}
