import type { ErrorCode } from "#shared/errors.ts";
import type { Currency, PaymentMethod, PlanType, Provider } from "#shared/plans.ts";
import type { Viewer } from "../accounts/rules.ts";

const HOUR = 3600_000;
const DAY = 24 * HOUR;

/** A month of the monthly plan, until the payment service's own date is known (specification, section 9). */
export const MONTH = 30 * DAY;
/** A payment page left open for a day belongs to nobody any more; the services' own pages end sooner. */
export const CHECKOUT_LIFETIME = DAY;
/** Places of the launch promotion. */
export const LAUNCH_PLACES = 100;

type Price = { amount: number; currency: Currency };

/** Prices in minor units (specification, section 9). A price that a browser sends is never looked at. */
export const PRICES: Record<PaymentMethod, Record<PlanType, Price>> = {
  paypal: { monthly: { amount: 499, currency: "USD" }, lifetime: { amount: 4999, currency: "USD" } },
  mercadopago: { monthly: { amount: 499_900, currency: "ARS" }, lifetime: { amount: 4_999_900, currency: "ARS" } },
};

export type Subscription = { plan_type: string; status: string; next_billing_date: Date | null };

/** Whether a membership is in force (specification, section 4): lifetime, a month not over yet, or any other plan, while its status is active. */
export function isActive(subscription: Subscription, now: Date): boolean {
  if (subscription.status !== "active") return false;
  if (subscription.plan_type !== "monthly") return true;
  return subscription.next_billing_date !== null && subscription.next_billing_date > now;
}

/** Until when Gold lasts: the same rule as a moment, so that SQL can compare it with the clock. */
export function goldUntil(subscription: Subscription): Date | "infinity" | null {
  if (subscription.status !== "active") return null;
  return subscription.plan_type === "monthly" ? subscription.next_billing_date : "infinity";
}

/** Who takes the payment of a card of the plans screen, or null while nobody does. */
export const providerFor = (
  method: PaymentMethod,
  payments: { demo: boolean; configured: readonly PaymentMethod[] },
): Provider | null => (payments.configured.includes(method) ? method : payments.demo ? "test" : null);

/** Places left in the launch promotion, or null when it is over. */
export const promotionPlaces = (lifetimeSold: number): { places: number; places_left: number } | null =>
  lifetimeSold < LAUNCH_PLACES ? { places: LAUNCH_PLACES, places_left: LAUNCH_PLACES - lifetimeSold } : null;

/** Why somebody may not see plans and memberships, or null: they are for psychologists. */
export const whyNotForPlans = (viewer: Pick<Viewer, "user_type"> | null): ErrorCode | null =>
  viewer?.user_type === "psychologist" ? null : "psychologists_only";

/** Why a psychologist may not buy now, or null. Nobody pays before they may answer, and nobody pays twice. */
export function whyCannotSubscribe(
  psychologist: { is_verified: boolean },
  held: Subscription | null,
  now: Date,
): "subscribe_not_verified" | "already_subscribed" | null {
  if (held && isActive(held, now)) return "already_subscribed";
  return psychologist.is_verified ? null : "subscribe_not_verified";
}

/** Why a membership cannot be cancelled, or null. Lifetime was paid once and stays. */
export const whyCannotCancel = (subscription: Pick<Subscription, "plan_type">): ErrorCode | null =>
  subscription.plan_type === "lifetime" ? "lifetime_not_cancelled" : null;

/** Whether somebody can still pay here. */
export const isCheckoutOpen = (attempt: { status: string; created_at: Date }, now: Date): boolean =>
  attempt.status === "open" && now.getTime() - attempt.created_at.getTime() < CHECKOUT_LIFETIME;

/** What a payment service says about one external id, in our words. */
export type Snapshot = {
  state: "pending" | "active" | "failed";
  plan_type: PlanType;
  amount: number;
  currency: Currency;
  /** The service's own date; null while it has not told one. */
  next_billing_date: Date | null;
  payment: { external_payment_id: string; amount: number; currency: Currency; status: string } | null;
};

export type Attempt = { status: string; plan_type: PlanType; amount: number; currency: Currency };

export type Settlement =
  | { kind: "nothing" }
  | { kind: "failed" }
  /** What was paid is not what was offered: a person has to look. */
  | { kind: "mismatch" }
  /** A membership begins; `replaces` says that an earlier one ends with it. */
  | { kind: "grant"; next_billing_date: Date | null; replaces: boolean }
  /** Paid although Gold is in force: kept as cancelled, so that the money is on record. */
  | { kind: "paid_twice" };

/**
 * What follows from what a payment service says (specification, section 4). Pure: the same answer whoever asked, the
 * browser's return, a notification or the sweep.
 * @param known the membership of this very external id, once there is one
 * @param held the psychologist's membership with status active, if any
 */
export function settle(
  attempt: Attempt,
  snapshot: Snapshot,
  known: Subscription | null,
  held: Subscription | null,
  now: Date,
): Settlement {
  if (known || snapshot.state === "pending") return { kind: "nothing" };
  if (snapshot.state === "failed") return attempt.status === "open" ? { kind: "failed" } : { kind: "nothing" };
  if (
    snapshot.plan_type !== attempt.plan_type ||
    snapshot.currency !== attempt.currency ||
    snapshot.amount < attempt.amount
  )
    return { kind: "mismatch" };
  const upgrade = attempt.plan_type === "lifetime" && held?.plan_type === "monthly";
  if (held && isActive(held, now) && !upgrade) return { kind: "paid_twice" };
  return {
    kind: "grant",
    next_billing_date:
      attempt.plan_type === "monthly" ? (snapshot.next_billing_date ?? new Date(now.getTime() + MONTH)) : null,
    replaces: held !== null,
  };
}
