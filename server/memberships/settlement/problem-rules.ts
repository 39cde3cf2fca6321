import type { Mismatch, PaymentProblem } from "#shared/plans.ts";
import type { Payment, Snapshot } from "../../integrations/payment-provider.ts";
import { countsAsPaid, type Offer, shortfallOf, wasReceived } from "./payment-rules.ts";

/** What a settlement can find. The others are found where nothing is settled. */
type ProblemKind = Exclude<PaymentProblem, "unmatched" | "not_cancelled">;
/** Something that the administrator has to look at. */
export type Problem = {
  kind: ProblemKind;
  /** The provider's id of a payment; null where it concerns the provider subscription itself. */
  payment: string | null;
  reason: Mismatch | null;
};
/** Problems that are resolved when a later snapshot does not show them any more. */
export const SELF_RESOLVING_PROBLEMS = [
  "partial_refund",
  "earlier_refund",
  "dispute",
  "chargeback",
  "unreadable",
] as const satisfies PaymentProblem[];

/** How the snapshot differs from what was offered, or null. */
export function mismatchOf(offer: Offer, snapshot: Snapshot): Mismatch | null {
  if (snapshot.plan_type !== offer.plan_type) return "plan";
  const isOwners = snapshot.reference === offer.psychologist_id || snapshot.reference === offer.id;
  if (!isOwners && !offer.owner_confirmed_at) return "owner";
  if (snapshot.altered) return "altered";
  return snapshot.price && shortfallOf(offer, snapshot.price);
}

/** The problems of what could not be read with certainty. */
function problemsOfReading({ unreadable_payments, unconfirmed_reversal }: Snapshot): Problem[] {
  const problems: Problem[] = [];
  if (unreadable_payments) problems.push({ kind: "unreadable", payment: null, reason: null });
  if (unconfirmed_reversal) problems.push({ kind: "reversal", payment: unconfirmed_reversal, reason: null });
  return problems;
}

/**
 * The problems that a snapshot shows.
 * @param mismatch how the snapshot differs from what was offered; payments that were accepted before do not
 */
export function problemsOf(
  offer: Offer,
  snapshot: Snapshot,
  payments: Payment[],
  { mismatch, accepted }: { mismatch: Mismatch | null; accepted: Payment[] },
): Problem[] {
  const problems: Problem[] = [];
  const add = (kind: ProblemKind, payment: string | null, reason: Mismatch | null = null) =>
    problems.push({ kind, payment, reason });
  const received = payments.filter(wasReceived);
  const wasAccepted = new Set(accepted.filter(wasReceived).map((payment) => payment.external_payment_id));
  if (mismatch && !received.length) add("mismatch", null, mismatch);
  const newest = Math.max(...received.map(({ paid_at }) => paid_at.getTime()));
  for (const payment of payments) {
    const id = payment.external_payment_id;
    // One problem for each: handling one hides no later charge.
    const reason = (wasAccepted.has(id) ? null : mismatch) ?? shortfallOf(offer, payment);
    if (wasReceived(payment) && reason) add("mismatch", id, reason);
    if (payment.status === "partially_refunded") add("partial_refund", id);
    if (payment.dispute === "open") add("dispute", id);
    if (payment.status === "reversed") add("chargeback", id);
    const givenBack = wasReceived(payment) && !countsAsPaid(payment);
    if (givenBack && offer.plan_type === "monthly" && payment.paid_at.getTime() < newest) add("earlier_refund", id);
  }
  return [...problems, ...problemsOfReading(snapshot)];
}
