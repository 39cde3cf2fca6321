/** What is sold and how it is paid (specification, sections 3 and 9). No zod: pages use it too. Prices stay on the server. */

export const PLAN_TYPES = ["monthly", "lifetime"] as const;
export type PlanType = (typeof PLAN_TYPES)[number];

/** How a plan can be paid: one card each on the plans screen. */
export const PAYMENT_METHODS = ["paypal", "mercadopago"] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

/** Who takes the payments; "test" is the demo's test mode. */
export const PROVIDERS = ["paypal", "mercadopago", "test"] as const;
export type Provider = (typeof PROVIDERS)[number];

export const CURRENCIES = ["USD", "ARS"] as const;
export type Currency = (typeof CURRENCIES)[number];

export const METHOD_NAMES: Record<PaymentMethod, string> = { paypal: "PayPal", mercadopago: "MercadoPago" };
export const PROVIDER_NAMES: Record<Provider, string> = { ...METHOD_NAMES, test: "modo de prueba" };
export const PLAN_NAMES: Record<PlanType, string> = { monthly: "Mensual", lifetime: "Lifetime" };

/** The statuses of a payment. */
export const PAYMENT_STATUSES = [
  "pending",
  "completed",
  "failed",
  "partially_refunded",
  "refunded",
  "reversed",
] as const;

/** What the administrator has to look at in payments. */
export const PAYMENT_PROBLEMS = [
  "mismatch",
  "unmatched",
  "paid_twice",
  "partial_refund",
  "earlier_refund",
  "dispute",
  "reversal",
  "paid_after_end",
] as const;

/** What is counted on the plans screen. */
export const ANALYTICS_EVENTS = ["view_premium_plans", "plan_selection", "subscription_success"] as const;
export type AnalyticsEvent = (typeof ANALYTICS_EVENTS)[number];

/** An amount in minor units as a number in Spanish, without its currency: "49,99", "49.999". Whole pesos show no cents. */
export function amountWords(minor: number, currency: Currency): string {
  const digits = currency === "ARS" && minor % 100 === 0 ? 0 : 2;
  return new Intl.NumberFormat("es", {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    useGrouping: "always",
  }).format(minor / 100);
}
