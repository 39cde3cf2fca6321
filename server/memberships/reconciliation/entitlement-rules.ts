import { DAY, HOUR } from "#shared/time.ts";
import type { Payment, Snapshot } from "../../integrations/payment-provider.ts";
import type { Membership } from "../rules.ts";
import { countsAsPaid, type KnownState, paymentMismatch, wasReceived } from "./payment-rules.ts";

/** A month of the monthly plan, until the provider's own date is known (specification, section 4.3). */
export const MONTH = 30 * DAY;
/**
 * Duration of Gold before the first charge, if the provider charges some time after the buyer has agreed, in
 * milliseconds.
 */
export const PROVISIONAL_ACCESS = 72 * HOUR;

/** The same time a month later, on a day of the month, or on the last day of a shorter month. */
export function monthAfter(date: Date, day = date.getUTCDate()): Date {
  const next = new Date(date);
  next.setUTCMonth(date.getUTCMonth() + 1, day);
  // The 31st does not exist in every month: `setUTCMonth` has moved on to the next one, and day 0 returns to the last.
  if (next.getUTCDate() !== day) next.setUTCDate(0);
  return next;
}

/** How far the provider's date may lie beyond a month after the payment: from 28 February to 31 March. */
const MONTH_LENGTH_TOLERANCE = 4 * DAY;

/**
 * The provider's date for the end of a paid month, or null when it gives none that the payment covers. Its date may be in
 * the past just after activation, and a month too far ahead after a failed charge; then the date it gave before counts.
 */
function providerEndDate(snapshot: Snapshot, known: Membership | null, paidAt: Date): Date | null {
  const latest = monthAfter(paidAt).getTime() + MONTH_LENGTH_TOLERANCE;
  const dates = [snapshot.next_billing_date, known?.provider_next_billing_date ?? null];
  return dates.find((date) => date && date.getTime() > paidAt.getTime() + DAY && date.getTime() <= latest) ?? null;
}

/**
 * The end of a paid month for which the provider gives no usable date. After a payment on the last day of a shorter month it
 * is on the day of the earlier payments.
 */
function computedEndDate(grounds: EntitlementInput, paidAt: Date): Date {
  const { snapshot } = grounds;
  if (snapshot.state === "active" && !snapshot.next_billing_date) return new Date(paidAt.getTime() + MONTH);
  const isLastDay = new Date(paidAt.getTime() + DAY).getUTCDate() === 1;
  const days = isLastDay ? fullPayments(grounds).map(({ paid_at }) => paid_at.getUTCDate()) : [];
  return monthAfter(paidAt, Math.max(paidAt.getUTCDate(), ...days));
}

/** The entitlement that a provider subscription and its payments give. */
type Entitlement = {
  grants: "gold" | "refunded" | "none";
  /** The end of the paid time or of provisional access; null for lifetime. */
  date: Date | null;
  provider_next_billing_date: Date | null;
  provisional_until: Date | null;
};

/** Input from which an entitlement is calculated; `payments` include the snapshot's. */
type EntitlementInput = Omit<KnownState, "current" | "reported"> & { snapshot: Snapshot; now: Date };

/** Nothing granted: the dates stay as they are. */
const unchanged = ({ membership }: EntitlementInput): Entitlement => ({
  grants: "none",
  date: membership?.next_billing_date ?? null,
  provider_next_billing_date: membership?.provider_next_billing_date ?? null,
  provisional_until: membership?.provisional_until ?? null,
});

/** The received payments of the full price, the newest first. */
const fullPayments = ({ offer, payments }: EntitlementInput): Payment[] =>
  payments
    .filter((payment) => wasReceived(payment) && !paymentMismatch(offer, payment))
    .toSorted((one, other) => other.paid_at.getTime() - one.paid_at.getTime());

/** Date of the last payment, if the subscription shows it and the list of payments does not yet. */
function unlistedPayment({ offer, snapshot: { last_payment: last }, payments }: EntitlementInput): Date | null {
  if (!last || paymentMismatch(offer, last)) return null;
  // A tolerance of a day: the provider's two records need not agree to the second, and the month before is far away.
  const isNewest = payments.every(({ paid_at }) => paid_at.getTime() + DAY < last.paid_at.getTime());
  return isNewest ? last.paid_at : null;
}

/** Lifetime: Gold while any payment of it was not given back. */
function lifetimeEntitlement(grounds: EntitlementInput): Entitlement {
  const paid = fullPayments(grounds);
  if (unlistedPayment(grounds) || paid.some(countsAsPaid)) return { ...unchanged(grounds), grants: "gold", date: null };
  return { ...unchanged(grounds), grants: paid.length ? "refunded" : "none" };
}

/** The month that a payment pays for. */
function monthEntitlement(grounds: EntitlementInput, paidAt: Date): Entitlement {
  const { snapshot, membership } = grounds;
  const base = unchanged(grounds);
  const providerEnd = providerEndDate(snapshot, membership, paidAt);
  return {
    ...base,
    grants: "gold",
    date: providerEnd ?? computedEndDate(grounds, paidAt),
    provider_next_billing_date: providerEnd ?? base.provider_next_billing_date,
  };
}

/** Provisional access until the first charge, if the provider charges some time after the buyer has agreed. */
function provisionalEntitlement(grounds: EntitlementInput): Entitlement {
  const { snapshot, hadUnpaidProvisionalAccess, now } = grounds;
  const base = unchanged(grounds);
  if (!snapshot.charges_later || snapshot.state !== "active") return base;
  // Given once: otherwise a series of provider subscriptions that are never charged would be Gold for ever.
  if (hadUnpaidProvisionalAccess && !base.provisional_until) return base;
  const until = base.provisional_until ?? new Date(now.getTime() + PROVISIONAL_ACCESS);
  return { ...base, grants: "gold", date: until, provisional_until: until };
}

/** Calculates the entitlement from a snapshot and all known payments at a moment (specification, section 4.3). */
export function entitlementOf(grounds: EntitlementInput): Entitlement {
  if (grounds.offer.plan_type === "lifetime") return lifetimeEntitlement(grounds);
  const unlisted = unlistedPayment(grounds);
  if (unlisted) return monthEntitlement(grounds, unlisted);
  const [last] = fullPayments(grounds);
  if (!last) return provisionalEntitlement(grounds);
  return countsAsPaid(last) ? monthEntitlement(grounds, last.paid_at) : { ...unchanged(grounds), grants: "refunded" };
}
