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
  type Snapshot,
  type SnapshotRequest,
} from "../../../integrations/payment-provider.ts";
import { ProviderError } from "../../../integrations/provider-error.ts";
import { CHECKOUT_TRACKING } from "../../checkouts/rules.ts";

/**
 * Charges that were made at most so long before the last reading are read again, since they may have been refunded; a
 * webhook event names older ones.
 */
const RECENT = 40 * DAY;
/** Minimum time between two monthly charges, in milliseconds. */
const SHORTEST_MONTH = 28 * DAY;
/** How many payments that may still change are read one by one. */
const MAX_UNSHOWN = 5;

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
  const isReimbursed = payment.status === "charged_back" && payment.statusDetail === "reimbursed";
  const reported = isReimbursed ? "completed" : (PAYMENTS[payment.status] ?? "pending");
  const part = reported === "completed" && payment.amountRefunded > 0;
  const status = part ? (payment.amountRefunded < payment.amount ? "partially_refunded" : "refunded") : reported;
  const disputed = payment.status === "in_mediation";
  return {
    external_payment_id: payment.id,
    amount: payment.amount,
    currency: payment.currency,
    status,
    refunded_amount: status === "refunded" ? payment.amount : Math.min(payment.amount, payment.amountRefunded),
    dispute: disputed ? "open" : null,
    external_dispute_id: disputed ? payment.id : null,
    paid_at: payment.dateApproved ?? payment.dateCreated ?? now,
    provider_updated_at: payment.dateLastUpdated,
  };
}

/** Whether a payment only verifies a card: MercadoPago charges a small amount and refunds it. It pays for nothing. */
export const isCardValidation = (payment: MercadopagoPayment) => payment.operationType === "card_validation";

/**
 * True if a payment of a subscription may only verify a card, because it is below the price and does not say that it recurs.
 *
 * MercadoPago does not promise `operation_type`. A charge has an invoice, a verification has none.
 */
const mayVerifyCard = ({ operationType, amount, currency }: MercadopagoPayment, price: Snapshot["price"]) =>
  operationType !== "recurring_payment" && !(price && currency === price.currency && amount >= price.amount);

/**
 * The payments that webhook events name, read by their ids: no search has them for sure. `unseen` holds the ids that
 * MercadoPago does not show yet.
 * @param reference what a payment for this checkout names
 */
async function readNamed(
  mercadopago: Mercadopago,
  hints: readonly Hint[],
  reference: string | null,
): Promise<{ named: MercadopagoPayment[]; unseen: string[] }> {
  const named: MercadopagoPayment[] = [];
  const unseen: string[] = [];
  for (const id of hinted(hints, "payment")) {
    const payment = await mercadopago.payment(id);
    if (!payment) unseen.push(id);
    else if ((payment.externalReference ?? reference) === reference) named.push(payment);
  }
  return { named, unseen };
}

/** The known payments that may still change and that no search showed, the newest few. */
async function readUnshown(
  mercadopago: Mercadopago,
  known: SnapshotRequest["payments"],
  seen: MercadopagoPayment[],
  since: Date,
): Promise<MercadopagoPayment[]> {
  const shown = new Set(seen.map(({ id }) => id));
  const mayChange = ({ status, dispute, paid_at }: Payment) =>
    status === "pending" || dispute === "open" || paid_at >= since;
  const unshown = known.filter((payment) => mayChange(payment) && !shown.has(payment.external_payment_id));
  const read: MercadopagoPayment[] = [];
  for (const { external_payment_id: id } of unshown.slice(-MAX_UNSHOWN)) {
    const payment = await mercadopago.payment(id);
    if (payment) read.push(payment);
  }
  return read;
}

/** Each payment once, as it was read first: by its id before the search, which lags. */
const distinct = (payments: MercadopagoPayment[]): MercadopagoPayment[] => [
  ...new Map(payments.toReversed().map((payment) => [payment.id, payment])).values(),
];

/** Reads the payments of a preference: lifetime is one payment, found by the checkout that it names. */
async function readPreference(
  mercadopago: Mercadopago,
  checkoutId: string,
  { payments, hints, now, checkout }: SnapshotRequest,
): Promise<Snapshot> {
  const { named, unseen } = await readNamed(mercadopago, hints, checkoutId);
  const { payments: listed, unreadable } = await mercadopago.paymentsByReference(checkoutId);
  const unshown = await readUnshown(mercadopago, payments, [...named, ...listed], new Date(0));
  const seen = distinct([...named, ...unshown, ...listed])
    .filter((payment) => !isCardValidation(payment))
    .map((payment) => seenPayment(payment, now));
  const has = (...statuses: PaymentStatus[]) => seen.some(({ status }) => statuses.includes(status));
  const paid = has("completed", "partially_refunded", "refunded", "reversed");
  const isOld = checkout !== null && now.getTime() - checkout.created_at.getTime() > CHECKOUT_TRACKING;
  const unpaid = isOld ? "expired" : has("failed") ? "failed" : "pending";
  return {
    ...EMPTY_SNAPSHOT,
    state: paid ? "active" : has("pending") ? "pending" : unpaid,
    reference: checkoutId,
    plan_type: "lifetime",
    payments: seen,
    unreadable_payments: unreadable,
    unseen,
  };
}

/** Whether a month is paid for now, by the payments that are known. */
const isMonthPaid = (payments: { status: PaymentStatus; paid_at: Date }[], now: Date): boolean =>
  payments.some(
    ({ status, paid_at }) =>
      (status === "completed" || status === "partially_refunded") && paid_at.getTime() + SHORTEST_MONTH > now.getTime(),
  );

/**
 * Reads the charges of a preapproval that are new, may have changed, or are named by a webhook event.
 *
 * Charges name the checkout that the preapproval names, and are searched by it. If that finds no charge at all, or none
 * for this month, they are also searched by their invoices. A payment that may only verify a card counts once an
 * invoice names it.
 */
async function readCharges(
  mercadopago: Mercadopago,
  { external_id, payments, hints, read_at, now }: SnapshotRequest,
  reference: string | null,
  price: Snapshot["price"],
): Promise<{ charges: Payment[]; unseen: string[]; unreadable: number }> {
  const { named, unseen } = await readNamed(mercadopago, hints, reference);
  const since = read_at && new Date(read_at.getTime() - RECENT);
  const { payments: listed, unreadable } = reference
    ? await mercadopago.paymentsByReference(reference, since)
    : { payments: [], unreadable: 0 };
  const unshown = await readUnshown(mercadopago, payments, [...named, ...listed], since ?? new Date(0));
  const recorded = new Set(payments.map((payment) => payment.external_payment_id));
  const charges = distinct([...named, ...unshown, ...listed]).filter(
    (payment) => !isCardValidation(payment) && (recorded.has(payment.id) || !mayVerifyCard(payment, price)),
  );
  const seen = charges.map((payment) => seenPayment(payment, now));
  if (listed.length && isMonthPaid([...payments, ...seen], now)) return { charges: seen, unseen, unreadable };
  const known = new Set([...payments, ...seen].map((payment) => payment.external_payment_id));
  for (const { paymentId } of await mercadopago.newestInvoicesOf(external_id)) {
    const payment = paymentId && !known.has(paymentId) ? await mercadopago.payment(paymentId) : null;
    if (payment && !isCardValidation(payment)) seen.push(seenPayment(payment, now));
  }
  return { charges: seen, unseen, unreadable };
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
  const { charges, unseen, unreadable } = await readCharges(mercadopago, request, checkout.id, null);
  if (!charges.length && !unseen.length && !unreadable) return null;
  return {
    ...EMPTY_SNAPSHOT,
    state: "gone",
    reference: checkout.id,
    plan_type: "monthly",
    payments: charges,
    unreadable_payments: unreadable,
    unseen,
  };
}

/** Reads a preapproval: monthly, charged each month. @throws ProviderError unreadable if its state is unknown */
async function readPreapproval(mercadopago: Mercadopago, request: SnapshotRequest): Promise<Snapshot | null> {
  const preapproval = await mercadopago.preapproval(request.external_id);
  if (!preapproval) return readGone(mercadopago, request);
  const state = STATES[preapproval.status];
  if (!state) throw new ProviderError("unreadable", "MercadoPago", "a preapproval is in an unknown state");
  const { amount, currency, externalReference } = preapproval;
  const ours = request.checkout?.id ?? externalReference;
  // Under another checkout's reference the search finds the payments of that one.
  const reference = (externalReference ?? ours) === ours ? ours : null;
  const price = amount !== null && currency !== null ? { amount, currency } : null;
  const { charges, unseen, unreadable } =
    state === "pending" && !hinted(request.hints, "payment").length
      ? { charges: [], unseen: [], unreadable: 0 }
      : await readCharges(mercadopago, request, reference, price);
  return {
    ...EMPTY_SNAPSHOT,
    state,
    provider_updated_at: preapproval.lastModified,
    reference: externalReference,
    plan_type: "monthly",
    price,
    charges_later: true,
    next_billing_date: preapproval.nextPaymentDate,
    payments: charges,
    unreadable_payments: unreadable,
    unseen,
  };
}

/** Reads what a checkout began at MercadoPago: a preference for lifetime, else a preapproval. */
export const readSubscription = async (
  mercadopago: Mercadopago,
  request: SnapshotRequest,
): Promise<Snapshot | null> => {
  const { checkout } = request;
  return checkout?.plan_type === "lifetime"
    ? readPreference(mercadopago, checkout.id, request)
    : readPreapproval(mercadopago, request);
};
