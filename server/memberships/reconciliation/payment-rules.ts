import type { Mismatch } from "#shared/plans.ts";
import type { Payment, Snapshot, SnapshotPayment } from "../../integrations/payment-provider.ts";
import type { Term } from "../gold-end-rules.ts";
import type { Membership } from "../rules.ts";

/** The offer, its psychologist, and its known state at the provider. */
export type Offer = Pick<Membership, "provider" | "plan_type" | "end_wanted_at" | "end_closed_at"> & {
  /** The checkout's. */
  id: string;
  /** Null without an account. */
  psychologist_id: string | null;
  amount: number;
  currency: string;
  created_at: Date;
  /** The administrator has confirmed the psychologist, even if the provider stores another reference. */
  owner_confirmed_at: Date | null;
  /** When the last snapshot was so, by the provider's clock. */
  provider_updated_at: Date | null;
};

/** Our database's state before a snapshot is settled. */
export type KnownState = {
  offer: Offer;
  /** The membership of this provider subscription, once there is one, and its payments. */
  membership: Membership | null;
  payments: Payment[];
  /** The psychologist's other membership whose status is active, if any. */
  current: Term | null;
  /** They had provisional access with another provider subscription, which was never paid. */
  hadUnpaidProvisionalAccess: boolean;
  /** The payments that were reported as a mismatch before, by the provider's ids. */
  reported: { external_id: string; reason: Mismatch | null }[];
};

/** True if the money was received, even if it was refunded later. */
export const wasReceived = (payment: Pick<Payment, "status">): boolean =>
  payment.status !== "pending" && payment.status !== "failed";
/** True if the money was received and not refunded. An open dispute changes nothing until it is decided. */
export const countsAsPaid = (payment: Payment) =>
  (payment.status === "completed" || payment.status === "partially_refunded") && payment.dispute !== "lost";
/** Why a payment does not cover the price, or null. */
export const paymentMismatch = (
  offer: Offer,
  payment: { amount: number; currency: string },
): "currency" | "amount" | null =>
  payment.currency !== offer.currency ? "currency" : payment.amount < offer.amount ? "amount" : null;

/** The order in which a payment's status moves. */
const STATUS_ORDER: Record<Payment["status"], number> = {
  pending: 0,
  failed: 1,
  completed: 2,
  partially_refunded: 3,
  refunded: 4,
  reversed: 5,
};

/** The dispute of a payment: the known one if the snapshot did not request it or still shows the same one as open. */
function mergeDispute(
  known: Payment | undefined,
  seen: SnapshotPayment,
): Pick<Payment, "dispute" | "external_dispute_id"> {
  const had = { dispute: known?.dispute ?? null, external_dispute_id: known?.external_dispute_id ?? null };
  if (seen.dispute === undefined) return had;
  const same = seen.external_dispute_id === had.external_dispute_id;
  if (same && had.dispute && seen.dispute === "open") return had;
  return { dispute: seen.dispute, external_dispute_id: seen.external_dispute_id ?? null };
}

/** The newer of the known and the read payment: by the provider's clock, else by the order of its statuses. */
function mergePayment(known: Payment | undefined, seen: SnapshotPayment): Payment {
  if (known?.provider_updated_at && seen.provider_updated_at)
    return seen.provider_updated_at < known.provider_updated_at
      ? known
      : { dispute: null, external_dispute_id: null, ...seen };
  const dispute = mergeDispute(known, seen);
  // Winning a dispute returns a reversed payment; a dispute that was won before does not undo a later reversal.
  const isWon = known?.dispute !== "won" && dispute.dispute === "won";
  const back = known?.status === "reversed" && isWon && seen.status !== "refunded";
  return { ...(!known || back || STATUS_ORDER[seen.status] >= STATUS_ORDER[known.status] ? seen : known), ...dispute };
}

/** Merges the known payments and the snapshot's. Each payment appears once, as it was shown last. */
export function mergePayments(known: Payment[], seen: SnapshotPayment[]): Payment[] {
  const before = new Map(known.map((payment) => [payment.external_payment_id, payment]));
  const merged = new Map(before);
  for (const one of seen) merged.set(one.external_payment_id, mergePayment(before.get(one.external_payment_id), one));
  return [...merged.values()];
}

/** True if the fields of `after` differ from the known row. */
export const isChanged = (before: Record<string, unknown> | undefined, after: object): boolean =>
  Object.entries(after).some(([name, value]) => JSON.stringify([value]) !== JSON.stringify([before?.[name]]));

/**
 * True if a payment has begun and is not complete: cash not handed over, or a provider subscription whose first charge
 * is due. Until then the buyer is not asked to pay again.
 */
export const hasPendingPayment = (snapshot: Snapshot): boolean =>
  snapshot.payments.some(({ status }) => status === "pending") ||
  (snapshot.charges_later && snapshot.state === "active");
