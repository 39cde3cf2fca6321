import type { PaymentMethod, PlanType, Provider } from "#shared/plans.ts";
import { DAY, MINUTE } from "#shared/time.ts";
import { isActive, type MembershipTerm } from "../rules.ts";

/** A checkout that no one has paid expires after this; the providers' own payment pages end sooner. */
export const CHECKOUT_LIFETIME = DAY;
/** Checkouts are read for this long, also after they expired here: cash takes days, and a webhook event may be lost. */
export const CHECKOUT_TRACKING = 30 * DAY;

/** The name of the provider that takes the payments of a method, or null while none does. */
export const providerNameFor = (
  method: PaymentMethod,
  payments: { demo: boolean; configured: readonly PaymentMethod[] },
): Provider | null => (payments.configured.includes(method) ? method : payments.demo ? "test" : null);

/** Whether a plan may be bought while another membership is in force: only lifetime, instead of monthly. */
export const isUpgrade = (plan: string, current: Pick<MembershipTerm, "plan_type">): boolean =>
  plan === "lifetime" && current.plan_type === "monthly";

/**
 * Why a psychologist may not buy now, or null: they must be verified and have no membership in force, except for an upgrade.
 * @param plan the plan to buy; null where none is chosen yet, so that an upgrade does not count
 */
export function whyCannotSubscribe(
  psychologist: { is_verified: boolean },
  current: MembershipTerm | null,
  plan: PlanType | null,
  now: Date,
): "subscribe_not_verified" | "already_subscribed" | null {
  if (current && isActive(current, now) && !(plan && isUpgrade(plan, current))) return "already_subscribed";
  return psychologist.is_verified ? null : "subscribe_not_verified";
}

/** How long after the buyer's return a provider may show nothing of the payment: no second one is begun meanwhile. */
export const CONFIRMATION_TIME = 30 * MINUTE;

/** Whether a checkout can still be paid, or a payment for it is pending. */
export const isCheckoutOpen = (
  checkout: { status: string; payment_pending: boolean; created_at: Date },
  now: Date,
): boolean =>
  checkout.status === "open" &&
  (checkout.payment_pending || now.getTime() - checkout.created_at.getTime() < CHECKOUT_LIFETIME);
