import type { PaymentStatus } from "#shared/plans.ts";
import { DAY } from "#shared/time.ts";
import type { Mercadopago } from "../../../integrations/mercadopago-client.ts";
import type { MercadopagoPayment } from "../../../integrations/mercadopago-schemas.ts";
import {
  EMPTY_SNAPSHOT,
  type Hint,
  hinted,
  type Payment,
  type ProviderState,
  REFUNDABLE_FOR,
  type Snapshot,
  type SnapshotRequest,
} from "../../../integrations/payment-provider.ts";
import { ProviderError } from "../../../integrations/provider-error.ts";
import { CHECKOUT_TRACKING } from "../../checkouts/rules.ts";

/** Minimum time between two monthly charges, in milliseconds. */
const SHORTEST_MONTH = 28 * DAY;
/** How many payments that may still change are read one by one. */
const MAX_UNSHOWN = 8;

const STATES: Record<string, ProviderState> = {
  pending: "pending",
  authorized: "active",
  paused: "suspended",
  cancelled: "cancelled",
};
const PAYMENTS: Record<string, PaymentStatus> = {
  approved: "completed",
  in_mediation: "completed",
  refunded: "refunded",
  charged_back: "reversed",
  rejected: "failed",
  cancelled: "failed",
};

function seenPayment(payment: MercadopagoPayment, now: Date): Payment {
  // A chargeback that we won stays "charged_back". Only the detail shows that we got the money back.
  const isReimbursed = payment.status === "charged_back" && payment.status_detail === "reimbursed";
  const reported = isReimbursed ? "completed" : (PAYMENTS[payment.status] ?? "pending");
  const amount = payment.transaction_amount;
  const listed = payment.refunds.reduce((sum, refund) => sum + refund.amount, 0);
  const refunded = Math.max(payment.transaction_amount_refunded ?? 0, listed);
  const part = reported === "completed" && refunded > 0;
  const status = part ? (refunded < amount ? "partially_refunded" : "refunded") : reported;
  const disputed = payment.status === "in_mediation";
  return {
    external_payment_id: payment.id,
    amount,
    currency: payment.currency_id,
    status,
    refunded_amount: status === "refunded" ? amount : Math.min(amount, refunded),
    dispute: disputed ? "open" : null,
    external_dispute_id: disputed ? payment.id : null,
    paid_at: payment.date_approved ?? payment.date_created ?? now,
    provider_updated_at: payment.date_last_updated,
  };
}

/** Whether a payment only verifies a card: MercadoPago charges a small amount and refunds it. It pays for nothing. */
export const isCardValidation = (payment: MercadopagoPayment) => payment.operation_type === "card_validation";

/**
 * True if a payment of a subscription may only verify a card, because it is below the price and does not say that it recurs.
 *
 * MercadoPago does not promise `operation_type`. A charge has an invoice, a verification has none.
 */
const mayVerifyCard = (payment: MercadopagoPayment, price: Snapshot["price"]) =>
  payment.operation_type !== "recurring_payment" &&
  !(price && payment.currency_id === price.currency && payment.transaction_amount >= price.amount);

/** Payments as one reading found them. `isListed`: the search by reference found payments. */
type Found = Pick<Snapshot, "unreadable_payments" | "unseen"> & { found: MercadopagoPayment[]; isListed: boolean };

/**
 * Reads the payments that webhook events name, those that name a checkout, and known ones that may still change.
 *
 * Each appears once, as it was read first: by its id before the search, which lags and does not show all.
 * @param reference the checkout that the payments name; null searches for none
 * @param since reads payments made since then, and older ones that may still change; null reads all
 */
async function readPayments(
  mercadopago: Mercadopago,
  { payments: known, hints }: SnapshotRequest,
  reference: string | null,
  since: Date | null,
): Promise<Found> {
  const named: MercadopagoPayment[] = [];
  const unseen: Hint[] = [];
  for (const id of hinted(hints, "payment")) {
    const payment = await mercadopago.payment(id);
    if (!payment) unseen.push({ type: "payment", id });
    else if ((payment.external_reference ?? reference) === reference) named.push(payment);
  }
  const { payments: listed, unreadable } = reference
    ? await mercadopago.paymentsByReference(reference, since)
    : { payments: [], unreadable: 0 };
  const shown = new Set([...named, ...listed].map(({ id }) => id));
  const mayChange = ({ status, dispute, paid_at }: Payment) =>
    status === "pending" || dispute === "open" || (status !== "failed" && (!since || paid_at >= since));
  const unshown = known.filter((payment) => mayChange(payment) && !shown.has(payment.external_payment_id));
  for (const { external_payment_id: id } of unshown.slice(-MAX_UNSHOWN)) {
    const payment = await mercadopago.payment(id);
    if (payment) named.push(payment);
  }
  const read = new Map([...listed, ...named.toReversed()].map((payment) => [payment.id, payment]));
  return {
    found: [...read.values()].filter((payment) => !isCardValidation(payment)),
    isListed: listed.length > 0,
    unreadable_payments: unreadable,
    unseen,
  };
}

/** Reads the payments of a preference: lifetime is one payment, found by the checkout that it names. */
async function readPreference(
  mercadopago: Mercadopago,
  checkout: NonNullable<SnapshotRequest["checkout"]>,
  request: SnapshotRequest,
): Promise<Snapshot> {
  const { found, isListed, ...missing } = await readPayments(mercadopago, request, checkout.id, null);
  const payments = found.map((payment) => seenPayment(payment, request.now));
  const has = (...statuses: PaymentStatus[]) => payments.some(({ status }) => statuses.includes(status));
  const paid = has("completed", "partially_refunded", "refunded", "reversed");
  const isOld = request.now.getTime() - checkout.created_at.getTime() > CHECKOUT_TRACKING;
  const unpaid = isOld ? "expired" : has("failed") ? "failed" : "pending";
  const state = paid ? "active" : has("pending") ? "pending" : unpaid;
  return { ...EMPTY_SNAPSHOT, ...missing, state, reference: checkout.id, plan_type: "lifetime", payments };
}

/** Whether a month is paid for now, by the payments that are known. */
const isMonthPaid = (payments: { status: PaymentStatus; paid_at: Date }[], now: Date): boolean =>
  payments.some(
    ({ status, paid_at }) =>
      (status === "completed" || status === "partially_refunded") && paid_at.getTime() + SHORTEST_MONTH > now.getTime(),
  );

type Charges = Pick<Snapshot, "payments" | "unreadable_payments" | "unseen">;
/**
 * Reads the charges of a preapproval that are new, may have changed, or are named by a webhook event.
 *
 * Charges name the checkout that the preapproval names, and are searched by it. If that finds no charge at all, or none
 * for this month, they are also searched by their invoices. A payment that may only verify a card counts once an
 * invoice names it.
 */
async function readCharges(
  mercadopago: Mercadopago,
  request: SnapshotRequest,
  reference: string | null,
  price: Snapshot["price"],
): Promise<Charges> {
  const { external_id, payments: recorded, read_at, now } = request;
  const since = read_at && new Date(read_at.getTime() - REFUNDABLE_FOR);
  const { found, isListed, ...missing } = await readPayments(mercadopago, request, reference, since);
  const known = new Set(recorded.map((payment) => payment.external_payment_id));
  const payments = found
    .filter((payment) => known.has(payment.id) || !mayVerifyCard(payment, price))
    .map((payment) => seenPayment(payment, now));
  if (isListed && isMonthPaid([...recorded, ...payments], now)) return { ...missing, payments };
  for (const payment of payments) known.add(payment.external_payment_id);
  for (const invoice of await mercadopago.newestInvoicesOf(external_id)) {
    const id = invoice.payment?.id;
    const payment = id && !known.has(id) ? await mercadopago.payment(id) : null;
    if (payment && !isCardValidation(payment)) payments.push(seenPayment(payment, now));
  }
  return { ...missing, payments };
}

/**
 * Reads the charges of a known preapproval for which MercadoPago responds 404.
 *
 * MercadoPago deletes cancelled preapprovals while their chargebacks are still undecided, and before its search shows
 * their last charge.
 */
async function readGone(mercadopago: Mercadopago, request: SnapshotRequest): Promise<Snapshot | null> {
  const { checkout } = request;
  if (!checkout) return null;
  const charges = await readCharges(mercadopago, request, checkout.id, null);
  return { ...EMPTY_SNAPSHOT, ...charges, state: "gone", reference: checkout.id, plan_type: "monthly" };
}

/** Reads a preapproval: monthly, charged each month. @throws ProviderError unreadable if its state is unknown */
async function readPreapproval(mercadopago: Mercadopago, request: SnapshotRequest): Promise<Snapshot | null> {
  const preapproval = await mercadopago.preapproval(request.external_id);
  if (!preapproval) return readGone(mercadopago, request);
  const state = STATES[preapproval.status];
  if (!state) throw new ProviderError("unreadable", "MercadoPago", "a preapproval is in an unknown state");
  const { external_reference, auto_recurring: price } = preapproval;
  const ours = request.checkout?.id ?? external_reference;
  // Under another checkout's reference the search finds the payments of that one.
  const reference = (external_reference ?? ours) === ours ? ours : null;
  const mayBePaid = state !== "pending" || hinted(request.hints, "payment").length > 0;
  return {
    ...EMPTY_SNAPSHOT,
    ...(mayBePaid && (await readCharges(mercadopago, request, reference, price))),
    state,
    provider_updated_at: preapproval.last_modified,
    reference: external_reference,
    plan_type: "monthly",
    price,
    charges_later: true,
    next_billing_date: preapproval.next_payment_date,
  };
}

/** Reads what a checkout began at MercadoPago: a preference for lifetime, else a preapproval. */
export const readSubscription = async (mercadopago: Mercadopago, request: SnapshotRequest): Promise<Snapshot | null> =>
  request.checkout?.plan_type === "lifetime"
    ? readPreference(mercadopago, request.checkout, request)
    : readPreapproval(mercadopago, request);
