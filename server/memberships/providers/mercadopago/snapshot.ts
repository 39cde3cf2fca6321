import type { PaymentStatus } from "#shared/plans.ts";
import { DAY } from "#shared/time.ts";
import type { Payment, ProviderState, Snapshot, SnapshotRequest } from "../../../integrations/payment-provider.ts";
import type { Mercadopago } from "./client.ts";
import type { MercadopagoPayment } from "./schemas.ts";

/** Payments younger than this are read each time, since they may still be refunded; a webhook event names older ones. */
const REFUND_WINDOW = 365 * DAY;

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
  const reported = PAYMENTS[payment.status] ?? "pending";
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
    as_of: payment.dateLastUpdated,
  };
}

/** Whether a payment only verifies a card: MercadoPago charges a small amount and refunds it. It pays for nothing. */
export const isCardValidation = (payment: MercadopagoPayment) => payment.operationType === "card_validation";

/** What no snapshot of MercadoPago has. */
const ABSENT = { plan_id: null, altered: false, last_payment: null, unconfirmed_reversal: null } as const;

/** Reads the payments of a preference: lifetime is one payment, found by the checkout that it names. */
async function readPreference(
  mercadopago: Mercadopago,
  checkoutId: string,
  { payments, hints, now }: SnapshotRequest,
): Promise<Snapshot> {
  const listed = await mercadopago.paymentsByReference(checkoutId);
  // The search lags behind: payments that are known, or named by a webhook event, are read one by one.
  const missing = new Set([...payments.map((payment) => payment.external_payment_id), hints.payment]);
  for (const payment of listed) missing.delete(payment.id);
  for (const id of missing) {
    const payment = id ? await mercadopago.payment(id) : null;
    if (payment?.externalReference === checkoutId) listed.push(payment);
  }
  const seen = listed.filter((payment) => !isCardValidation(payment)).map((payment) => seenPayment(payment, now));
  const has = (...statuses: PaymentStatus[]) => seen.some(({ status }) => statuses.includes(status));
  const paid = has("completed", "partially_refunded", "refunded", "reversed");
  return {
    ...ABSENT,
    state: paid ? "active" : has("failed") && !has("pending") ? "failed" : "pending",
    as_of: null,
    reference: checkoutId,
    plan_type: "lifetime",
    price: null,
    charges_later: false,
    next_billing_date: null,
    payments: seen,
  };
}

/** The payments of a preapproval that are new, may have changed, or are named by a webhook event, the newest first. */
async function readCharges(
  mercadopago: Mercadopago,
  { external_id, payments, hints, now }: SnapshotRequest,
): Promise<Payment[]> {
  const charged = (await mercadopago.invoicesOf(external_id))
    .flatMap(({ paymentId, debitDate }) => (paymentId ? [{ paymentId, debitDate }] : []))
    .toSorted((one, other) => (other.debitDate?.getTime() ?? 0) - (one.debitDate?.getTime() ?? 0));
  const settled = new Set(
    payments
      .filter(({ status, dispute }) => status !== "pending" && dispute !== "open")
      .map((payment) => payment.external_payment_id),
  );
  const since = now.getTime() - REFUND_WINDOW;
  const again = charged.filter(
    ({ paymentId, debitDate }) =>
      (debitDate?.getTime() ?? since) >= since || !settled.has(paymentId) || paymentId === hints.payment,
  );
  const seen: Payment[] = [];
  for (const { paymentId } of again) {
    const payment = await mercadopago.payment(paymentId);
    if (payment && !isCardValidation(payment)) seen.push(seenPayment(payment, now));
  }
  return seen;
}

/** Reads a preapproval: monthly, charged each month. */
async function readPreapproval(mercadopago: Mercadopago, request: SnapshotRequest): Promise<Snapshot | null> {
  const preapproval = await mercadopago.preapproval(request.external_id);
  if (!preapproval) return null;
  const state = STATES[preapproval.status] ?? "pending";
  const { amount, currency } = preapproval;
  return {
    ...ABSENT,
    state,
    as_of: preapproval.lastModified,
    reference: preapproval.externalReference,
    plan_type: "monthly",
    price: amount !== null && currency !== null ? { amount, currency } : null,
    charges_later: true,
    next_billing_date: preapproval.nextPaymentDate,
    payments: state === "pending" ? [] : await readCharges(mercadopago, request),
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
