import type { Mismatch, PaymentProblem } from "#shared/plans.ts";
import { DAY, HOUR } from "#shared/time.ts";
import type { Payment, Snapshot } from "../../integrations/payment-provider.ts";
import { cancellationStatus, type Decided, type WantedEnd } from "../rules.ts";
import { monthAfter } from "./entitlement-rules.ts";
import { countsAsPaid, type KnownState, type Offer, paymentMismatch, wasReceived } from "./payment-rules.ts";

/** Something that the administrator has to look at. */
export type Problem = {
  /** Kinds that belong to one provider subscription; the other kinds are found outside of settlements. */
  kind: Exclude<PaymentProblem, "unmatched" | "unreachable">;
  /** The provider's id of a payment; null if the problem concerns the provider subscription itself. */
  payment: string | null;
  reason: Mismatch | null;
};

/** Why a membership that was paid as offered ended by a decision of ours. */
export const ENDED_HERE = ["person", "replaced", "duplicate_payment", "admin"];

/** An end that its provider has not confirmed after this time is a problem. */
const NOT_CANCELLED_LIMIT = HOUR;

const HALF_MONTH = 14 * DAY;

/** Failed readings in a row that are a problem before the date of a membership. At its date, the first failure is a problem. */
const FAILURES_TO_REPORT = 3;

/**
 * True if the failed readings of a checkout are a problem. An outage does not count: it is reported once for the
 * provider.
 * @param failures in a row
 */
export const isUnreadableProblem = (
  failures: number,
  { status, next_billing_date: date }: { status: string | null; next_billing_date: Date | null },
  now: Date,
): boolean => failures >= FAILURES_TO_REPORT || (failures > 0 && status === "active" && date !== null && date <= now);

/** True if a wanted end has been unconfirmed for `NOT_CANCELLED_LIMIT`. Nothing is charged before the buyer's approval. */
export const isLongUnconfirmed = (end: WantedEnd & { state: string }, now: Date): boolean =>
  end.state !== "pending" &&
  cancellationStatus(end) === "waiting" &&
  now.getTime() - end.end_wanted_at!.getTime() >= NOT_CANCELLED_LIMIT;

/** Compares the snapshot with the offer. @returns the difference, or null */
export function mismatchOf(offer: Offer, snapshot: Snapshot): Mismatch | null {
  if (snapshot.plan_type !== offer.plan_type) return "plan";
  if (snapshot.reference !== offer.id && !offer.owner_confirmed_at && offer.psychologist_id) return "owner";
  if (snapshot.altered) return "altered";
  return snapshot.price && paymentMismatch(offer, snapshot.price);
}

/** Input from which the problems of a provider subscription are calculated; `payments` include the snapshot's. */
type ProblemGrounds = Pick<KnownState, "offer" | "payments" | "reported"> & {
  snapshot: Snapshot;
  /** Difference between the snapshot and the offer, or null. */
  mismatch: Mismatch | null;
  /** Payments that were accepted before: they match the offer. */
  accepted: Payment[];
  /** The membership after this settlement, if any. */
  membership: Pick<Decided, "ended_by" | "cancelled_at" | "next_billing_date"> | null;
  end: WantedEnd & { state: string };
  now: Date;
};

/**
 * True if a decision of ours ended the membership before a payment was made or known.
 *
 * A payment that covers the end of a membership that had run out was not known then: it gave no Gold.
 */
function isAfterEnd(membership: ProblemGrounds["membership"], { paid_at }: Payment): boolean {
  if (!membership?.cancelled_at || !ENDED_HERE.includes(membership.ended_by ?? "")) return false;
  const { cancelled_at, next_billing_date: date } = membership;
  // The payment of the month that ran out was made a month before its date.
  const isLater = date !== null && date < cancelled_at && date.getTime() - paid_at.getTime() < HALF_MONTH;
  return paid_at > cancelled_at || (isLater && monthAfter(paid_at) > cancelled_at);
}

/** The problems of one payment. */
function problemsOfPayment({ offer, membership, payments }: ProblemGrounds, payment: Payment): Problem["kind"][] {
  const kinds: Problem["kind"][] = [];
  const newest = Math.max(...payments.filter(wasReceived).map(({ paid_at }) => paid_at.getTime()));
  if (payment.status === "partially_refunded") kinds.push("partial_refund");
  if (payment.dispute === "open") kinds.push("dispute");
  if (payment.status === "reversed") kinds.push("chargeback");
  const givenBack = wasReceived(payment) && !countsAsPaid(payment);
  if (givenBack && offer.plan_type === "monthly" && payment.paid_at.getTime() < newest)
    kinds.push("previous_period_refund");
  if (isAfterEnd(membership, payment) && countsAsPaid(payment) && payment.currency === offer.currency)
    kinds.push("payment_after_end");
  return kinds;
}

/** How a payment differs from the offer, or null. */
function mismatchOfPayment(
  { offer, snapshot, mismatch, ...grounds }: ProblemGrounds,
  payment: Payment,
): Mismatch | null {
  const isThis = ({ external_payment_id }: Payment) => external_payment_id === payment.external_payment_id;
  if (grounds.accepted.some((one) => isThis(one) && wasReceived(one))) return paymentMismatch(offer, payment);
  if (mismatch) return mismatch;
  // After a 404 the provider shows no terms: how it differed is known from before.
  const wasMismatch = grounds.membership?.ended_by === "mismatch";
  const before = grounds.reported.find(({ external_id }) => external_id === payment.external_payment_id);
  const earlier = before ?? (wasMismatch ? grounds.reported[0] : undefined);
  const isConfirmed = earlier?.reason === "owner" && offer.owner_confirmed_at;
  return (snapshot.state === "gone" && !isConfirmed && earlier?.reason) || paymentMismatch(offer, payment);
}

/** All problems of a provider subscription, from its state. A stored problem that is not in the result is over. */
export function problemsOf(grounds: ProblemGrounds): Problem[] {
  const { snapshot, payments, mismatch, membership } = grounds;
  const problems: Problem[] = [];
  const add = (kind: Problem["kind"], payment: string | null, reason: Mismatch | null = null) =>
    problems.push({ kind, payment, reason });
  if (mismatch && !payments.some(wasReceived)) add("mismatch", null, mismatch);
  for (const payment of payments) {
    const id = payment.external_payment_id;
    const reason = wasReceived(payment) && mismatchOfPayment(grounds, payment);
    // One problem for each: handling one hides no later charge.
    if (reason) add("mismatch", id, reason);
    for (const kind of problemsOfPayment(grounds, payment)) add(kind, id);
  }
  const isKept = payments.some(countsAsPaid) || (!payments.length && snapshot.last_payment !== null);
  if (membership?.ended_by === "duplicate_payment" && isKept) add("duplicate_payment", null);
  if (snapshot.unreadable_payments) add("unreadable", null);
  for (const { type, id } of snapshot.unseen) if (type === "reversal") add("reversal", id);
  if (isLongUnconfirmed(grounds.end, grounds.now)) add("cancellation_unconfirmed", null);
  return problems;
}
