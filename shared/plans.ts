/**
 * Plans and payment methods (specification, sections 3 and 9). Imports no zod, because pages use it. Prices stay on the
 * server.
 */

export const PLAN_TYPES = ["monthly", "lifetime"] as const;
export type PlanType = (typeof PLAN_TYPES)[number];

/** One card each on the plans screen. */
export const PAYMENT_METHODS = ["paypal", "mercadopago"] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

/** "test" is the demo's test mode. */
export const PROVIDERS = ["paypal", "mercadopago", "test"] as const;
export type Provider = (typeof PROVIDERS)[number];

export const CURRENCIES = ["USD", "ARS"] as const;
export type Currency = (typeof CURRENCIES)[number];

/** The id of a payment, as MercadoPago's return to our page names it. */
export const RETURNED_PAYMENT_ID = /^\d{1,20}$/;

export const METHOD_NAMES: Record<PaymentMethod, string> = { paypal: "PayPal", mercadopago: "MercadoPago" };
export const PROVIDER_NAMES: Record<Provider, string> = { ...METHOD_NAMES, test: "modo de prueba" };
export const PLAN_NAMES: Record<PlanType, string> = { monthly: "Mensual", lifetime: "Lifetime" };

export const PAYMENT_STATUSES = [
  "pending",
  "completed",
  "failed",
  "partially_refunded",
  "refunded",
  "reversed",
] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/**
 * State of a membership.
 * - `provisional` until the first payment
 * - `active`
 * - `grace_period` while the renewal is overdue
 * - `unreadable` while the provider cannot show whether it was renewed
 * - `past_due` if it was not paid
 * - `ending` if it does not renew
 * - `ended`
 * - `revoked` if the payment was refunded
 */
export const MEMBERSHIP_STATUSES = [
  "provisional",
  "active",
  "grace_period",
  "unreadable",
  "past_due",
  "ending",
  "ended",
  "revoked",
] as const;
export type MembershipStatus = (typeof MEMBERSHIP_STATUSES)[number];

/**
 * Why a membership ended: by its owner, its provider, a refund, an upgrade, another membership in force, a difference
 * to the offer, or the administrator.
 */
export const END_REASONS = [
  "person",
  "provider",
  "refund",
  "replaced",
  "duplicate_payment",
  "mismatch",
  "admin",
] as const;
export type EndReason = (typeof END_REASONS)[number];

/**
 * State of a cancellation at the provider: nothing to cancel, not confirmed yet, confirmed, or closed by the
 * administrator without a confirmation.
 */
export const CANCELLATION_STATUSES = ["not_needed", "waiting", "confirmed", "closed"] as const;
export type CancellationStatus = (typeof CANCELLATION_STATUSES)[number];

/**
 * Result of a reading that the administrator requested: the problem is over, or still open; the buyer has not approved
 * it yet; or the provider does not know it or its owner.
 */
export const REFRESH_OUTCOMES = ["settled", "open", "waiting", "unknown"] as const;
export type RefreshOutcome = (typeof REFRESH_OUTCOMES)[number];

export const PAYMENT_PROBLEMS = [
  "mismatch",
  "unmatched",
  "duplicate_payment",
  "partial_refund",
  "previous_period_refund",
  "dispute",
  "chargeback",
  "reversal",
  "payment_after_end",
  "unreadable",
  "cancellation_unconfirmed",
  "unreachable",
] as const;
export type PaymentProblem = (typeof PAYMENT_PROBLEMS)[number];

/** The provider's page of a payment, for the administrator; null for the test mode. */
export const PAYMENT_PAGES: Record<Provider, ((payment: string) => string) | null> = {
  paypal: (payment) => `https://www.paypal.com/activity/payment/${payment}`,
  mercadopago: (payment) => `https://www.mercadopago.com.ar/activities/detail/${payment}`,
  test: null,
};

/** Differences to the offer. */
export const MISMATCHES = ["plan", "owner", "altered", "amount", "currency"] as const;
export type Mismatch = (typeof MISMATCHES)[number];

export type AnalyticsEvent = "view_premium_plans" | "plan_selection" | "subscription_success";

/** Formats an amount in minor units in Spanish without its currency: "49,99", "49.999". Whole pesos show no cents. */
export function formatAmount(minor: number, currency: Currency): string {
  const digits = currency === "ARS" && minor % 100 === 0 ? 0 : 2;
  return new Intl.NumberFormat("es", {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    useGrouping: "always",
  }).format(minor / 100);
}
