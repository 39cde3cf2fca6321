import { type PaymentStatus, PLAN_TYPES, type PlanType } from "#shared/plans.ts";
import { DAY } from "#shared/time.ts";
import {
  EMPTY_SNAPSHOT,
  type Hint,
  hinted,
  type Payment,
  type ProviderState,
  REFUNDABLE_FOR,
  type Snapshot,
  type SnapshotPayment,
  type SnapshotRequest,
} from "../../../integrations/payment-provider.ts";
import type { Paypal } from "../../../integrations/paypal-client.ts";
import type { PaypalDispute } from "../../../integrations/paypal-schemas.ts";
import { ProviderError } from "../../../integrations/provider-error.ts";

const STATES: Record<string, ProviderState> = {
  APPROVAL_PENDING: "pending",
  APPROVED: "pending",
  ACTIVE: "active",
  SUSPENDED: "suspended",
  CANCELLED: "cancelled",
  EXPIRED: "expired",
};
const PAYMENTS: Record<string, PaymentStatus> = {
  COMPLETED: "completed",
  PARTIALLY_REFUNDED: "partially_refunded",
  REFUNDED: "refunded",
  REVERSED: "reversed",
  DECLINED: "failed",
  DENIED: "failed",
};
/** Outcomes of a dispute in which the buyer gets the money back. */
const LOST_OUTCOMES = ["RESOLVED_BUYER_FAVOUR", "ACCEPTED"];
/** How many known payments are looked at for a refund that does not say of which. */
const MAX_REFUND_CANDIDATES = 8;
/** Statuses of received payments, which may be refunded later. */
const REFUNDABLE: PaymentStatus[] = ["completed", "partially_refunded"];
/** States of a sale without its money. */
const REVERSED_STATES = ["refunded", "reversed", "denied"];

const disputeOf = (dispute: PaypalDispute): "open" | "won" | "lost" =>
  dispute.status !== "RESOLVED"
    ? "open"
    : LOST_OUTCOMES.includes(dispute.dispute_outcome?.outcome_code ?? "")
      ? "lost"
      : "won";

function seenPayment(
  external_payment_id: string,
  shown: string,
  paid_at: Date,
  { amount, currency }: { amount: number; currency: string },
): SnapshotPayment {
  const status = PAYMENTS[shown] ?? "pending";
  // The list shows a partial refund, not its amount.
  const refunded_amount = status === "refunded" ? amount : status === "partially_refunded" ? null : 0;
  return { external_payment_id, amount, currency, status, refunded_amount, paid_at, provider_updated_at: null };
}

/** The payments that a reading of a subscription shows, and the known payments that it also checks. */
type Seen = { external_id: string; payments: SnapshotPayment[]; known: Payment[] };

/**
 * Finds a payment of a reading by its id. Copies a known payment if the list no longer contains it, and reads one that is
 * neither listed nor known: PayPal lists nothing after a 404.
 */
async function paymentOf(paypal: Paypal, seen: Seen, id: string): Promise<SnapshotPayment | null> {
  const isIt = (payment: { external_payment_id: string }) => payment.external_payment_id === id;
  const listed = seen.payments.find(isIt);
  if (listed) return listed;
  const older = seen.known.find(isIt);
  // This reading did not request its dispute, but another reading may have found one.
  const found = older
    ? { ...older, dispute: undefined, external_dispute_id: undefined }
    : await unlistedPayment(paypal, seen.external_id, id);
  if (found) seen.payments.push(found);
  return found;
}

/** Reads a payment by its id. @returns null if PayPal does not show it, or it belongs to another subscription */
async function unlistedPayment(paypal: Paypal, external_id: string, id: string): Promise<SnapshotPayment | null> {
  const sale = await paypal.sale(id);
  if (!sale?.create_time || sale.billing_agreement_id !== external_id) return null;
  return seenPayment(id, sale.state.toUpperCase(), sale.create_time, sale.amount);
}

/**
 * Adds what the sale of a payment shows: the list of payments does not always show refunds.
 * @param without its status if its money went back
 */
async function addSale(
  paypal: Paypal,
  seen: Seen,
  id: string,
  without: "refunded" | "reversed",
): Promise<SnapshotPayment | null> {
  const payment = await paymentOf(paypal, seen, id);
  const state = payment && (await paypal.sale(id))?.state;
  if (!payment || !state) return payment;
  if (REVERSED_STATES.includes(state)) {
    payment.status = without;
    if (without === "refunded") payment.refunded_amount = payment.amount;
  } else if (state === "partially_refunded" && payment.status !== "partially_refunded")
    Object.assign(payment, { status: "partially_refunded", refunded_amount: null });
  return payment;
}

/**
 * Adds the disputes of the payments: the open ones in our database, and the ones that webhook events name. A payment that
 * is newly disputed may be older than the listed ones, and refunded.
 */
async function addDisputes(paypal: Paypal, seen: Seen, { hints }: SnapshotRequest): Promise<void> {
  const open = seen.known.filter(({ dispute }) => dispute === "open").map((payment) => payment.external_dispute_id!);
  const named = hinted(hints, "dispute");
  for (const id of new Set([...open, ...named])) {
    const dispute = await paypal.dispute(id);
    for (const { seller_transaction_id: sale } of dispute?.disputed_transactions ?? []) {
      if (named.includes(id)) await addSale(paypal, seen, sale, "refunded");
      const payment = await paymentOf(paypal, seen, sale);
      if (payment) Object.assign(payment, { dispute: disputeOf(dispute!), external_dispute_id: id });
    }
  }
}

/**
 * Adds the refunds, disputes and reversals that are not in the list of payments.
 * @returns the reversals that PayPal does not show yet
 */
async function addHinted(
  paypal: Paypal,
  seen: Seen,
  refunded: readonly string[],
  request: SnapshotRequest,
): Promise<Hint[]> {
  const { hints } = request;
  for (const id of new Set([...refunded, ...hinted(hints, "refund")])) await addSale(paypal, seen, id, "refunded");
  await addDisputes(paypal, seen, request);
  const unseen: Hint[] = [];
  for (const id of hinted(hints, "reversal")) {
    const payment = await addSale(paypal, seen, id, "reversed");
    if (!payment || !["refunded", "reversed"].includes(payment.status)) unseen.push({ type: "reversal", id });
  }
  return unseen;
}

/**
 * Start of the list of payments: all of a new subscription, later only payments that may have changed since the last
 * reading.
 */
function listedSince(createTime: Date | null, { read_at }: SnapshotRequest): Date {
  const begun = (createTime?.getTime() ?? 0) - DAY;
  return new Date(read_at ? Math.max(begun, read_at.getTime() - REFUNDABLE_FOR) : begun);
}

/** Reads the payments of a subscription, with the refunds, reversals and disputes that are to be looked at. */
async function readPayments(
  paypal: Paypal,
  createTime: Date | null,
  request: SnapshotRequest,
): Promise<Pick<Snapshot, "payments" | "unreadable_payments" | "unseen">> {
  const { external_id, now, read_at } = request;
  const since = listedSince(createTime, request);
  const to = new Date(now.getTime() + DAY);
  const { items: lines, unreadable } = await paypal.transactions(external_id, since, to);
  const moneyOf = (line: (typeof lines)[number]) => line.amount_with_breakdown.gross_amount;
  const charges = lines.filter((line) => moneyOf(line).amount > 0);
  const refunds = lines.filter((line) => moneyOf(line).amount <= 0);
  const shown = charges.map((line) => seenPayment(line.id, line.status, line.time, moneyOf(line)));
  const seen: Seen = { external_id, payments: shown, known: request.payments };
  // A refund may be a separate line that does not name its payment: a new line may belong to any known payment.
  const isNew = ({ time }: { time: Date }) => !read_at || time.getTime() > read_at.getTime() - DAY;
  const known = refunds.some(isNew) ? request.payments.slice(-MAX_REFUND_CANDIDATES) : [];
  const candidates = [...known, ...(refunds.length ? seen.payments : [])];
  const refunded = candidates
    .filter(({ status }) => REFUNDABLE.includes(status))
    .map((payment) => payment.external_payment_id);
  const unseen = await addHinted(paypal, seen, refunded, request);
  return { payments: seen.payments, unreadable_payments: unreadable, unseen };
}

/** Reads recent payments, and those named by webhook events, of a known subscription for which PayPal responds 404. */
async function readGone(paypal: Paypal, request: SnapshotRequest): Promise<Snapshot | null> {
  const { external_id, checkout, payments, read_at, now } = request;
  if (!checkout) return null;
  const since = (read_at ?? now).getTime() - REFUNDABLE_FOR;
  const recent = payments
    .filter(({ status, paid_at }) => REFUNDABLE.includes(status) && paid_at.getTime() > since)
    .map((payment) => payment.external_payment_id);
  const seen: Seen = { external_id, payments: [], known: payments };
  const unseen = await addHinted(paypal, seen, recent, request);
  const plan_type = checkout.plan_type as PlanType;
  return { ...EMPTY_SNAPSHOT, state: "gone", reference: checkout.id, plan_type, payments: seen.payments, unseen };
}

/**
 * Reads a subscription of PayPal.
 * @param plans our plans' ids at PayPal
 * @throws ProviderError unreadable if its state is unknown
 */
export async function readSubscription(
  paypal: Paypal,
  plans: Record<PlanType, string>,
  request: SnapshotRequest,
): Promise<Snapshot | null> {
  const { external_id, checkout } = request;
  const subscription = await paypal.subscription(external_id);
  if (!subscription) return readGone(paypal, request);
  const state = STATES[subscription.status];
  if (!state) throw new ProviderError("unreadable", "PayPal", "a subscription is in an unknown state");
  const shown = state === "pending" ? EMPTY_SNAPSHOT : await readPayments(paypal, subscription.create_time, request);
  const { plan_id = null, custom_id = null, quantity, billing_info: billing } = subscription;
  const last = billing?.last_payment;
  return {
    ...EMPTY_SNAPSHOT,
    ...shown,
    state,
    provider_updated_at: subscription.status_update_time,
    reference: custom_id,
    plan_type:
      checkout?.provider_plan_id === plan_id
        ? (checkout.plan_type as PlanType)
        : (PLAN_TYPES.find((plan) => plans[plan] === plan_id) ?? null),
    plan_id,
    altered: subscription.plan_overridden === true || (quantity ?? "1") !== "1",
    next_billing_date: billing?.next_billing_time ?? null,
    last_payment: last?.time ? { ...last.amount, paid_at: last.time } : null,
  };
}
