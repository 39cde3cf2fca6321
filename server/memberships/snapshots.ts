import { type Currency, PLAN_TYPES, type PlanType, type Provider } from "#shared/plans.ts";
import type { Context } from "../context.ts";
import type { MercadopagoPayment } from "../outside/mercadopago.ts";
import type { PaypalDispute, PaypalTransaction } from "../outside/paypal.ts";
import type { Payment, ProviderState, Snapshot, SnapshotPayment } from "./rules.ts";
import { type CheckoutRow, type PaymentRow, testCheckout } from "./store.ts";

/**
 * What to read: a provider subscription by the provider's id, what we know of it, and what a webhook event names
 * besides it.
 */
export type SnapshotRequest = {
  external_id: string;
  checkout: CheckoutRow | null;
  payments: PaymentRow[];
  hints: { payment?: string; dispute?: string; reversal?: string };
};

/** Reads one provider. */
type Reader = (context: Context, subject: SnapshotRequest) => Promise<Snapshot | null>;

const DAY = 86_400_000;
/** Payments younger than this are read each time, since they may still be refunded; a webhook event names older ones. */
const REFUND_WINDOW = 365 * DAY;

const PAYPAL_STATES: Record<string, ProviderState> = {
  APPROVAL_PENDING: "pending",
  APPROVED: "pending",
  ACTIVE: "active",
  SUSPENDED: "suspended",
  CANCELLED: "cancelled",
  EXPIRED: "expired",
};
const PAYPAL_PAYMENTS: Record<string, Payment["status"]> = {
  COMPLETED: "completed",
  PARTIALLY_REFUNDED: "partially_refunded",
  REFUNDED: "refunded",
  DECLINED: "failed",
};
/** Outcomes of a dispute in which the buyer gets the money back. */
const LOST_OUTCOMES = ["RESOLVED_BUYER_FAVOUR", "ACCEPTED"];
/** States of a sale whose money was taken back. */
const REVERSED_STATES = ["refunded", "reversed", "denied"];

const disputeOf = (dispute: PaypalDispute): "open" | "won" | "lost" =>
  dispute.status !== "RESOLVED" ? "open" : LOST_OUTCOMES.includes(dispute.outcome ?? "") ? "lost" : "won";

function paypalPayment(transaction: PaypalTransaction): SnapshotPayment {
  const status = PAYPAL_PAYMENTS[transaction.status] ?? "pending";
  return {
    external_payment_id: transaction.id,
    amount: transaction.amount,
    currency: transaction.currency,
    status,
    // The list shows that a part was refunded, not how much.
    refunded_amount: status === "refunded" ? transaction.amount : status === "partially_refunded" ? null : 0,
    paid_at: transaction.time,
    as_of: null,
  };
}

const MERCADOPAGO_STATES: Record<string, ProviderState> = {
  pending: "pending",
  authorized: "active",
  paused: "suspended",
  cancelled: "cancelled",
};
const MERCADOPAGO_PAYMENTS: Record<string, Payment["status"]> = {
  approved: "completed",
  in_mediation: "completed",
  refunded: "refunded",
  charged_back: "reversed",
  rejected: "failed",
  cancelled: "failed",
};

function mercadopagoPayment(payment: MercadopagoPayment, now: Date): Payment {
  const reported = MERCADOPAGO_PAYMENTS[payment.status] ?? "pending";
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

/** How each provider is read. Null: it knows no provider subscription with this id. */
const READERS: Record<Provider, Reader> = {
  async paypal({ paypal, config, now }, { external_id, checkout, payments, hints }) {
    const subscription = await paypal?.subscription(external_id);
    if (!subscription) return null;
    const state = PAYPAL_STATES[subscription.status] ?? "pending";
    const { plans } = config.paypal!;
    const since = subscription.createTime ?? new Date(0);
    const listed =
      state === "pending"
        ? []
        : await paypal!.transactions(external_id, new Date(since.getTime() - DAY), new Date(now().getTime() + DAY));
    const seen = listed.map(paypalPayment);

    const open = payments.filter(({ dispute }) => dispute === "open").map((payment) => payment.external_dispute_id!);
    for (const id of new Set([...open, ...(hints.dispute ? [hints.dispute] : [])])) {
      const dispute = await paypal!.dispute(id);
      for (const payment of seen)
        if (dispute?.saleIds.includes(payment.external_payment_id))
          Object.assign(payment, { dispute: disputeOf(dispute), external_dispute_id: id });
    }
    let unconfirmed_reversal: string | null = null;
    if (hints.reversal) {
      const sale = await paypal!.sale(hints.reversal);
      const payment = seen.find(({ external_payment_id }) => external_payment_id === hints.reversal);
      if (payment && sale && REVERSED_STATES.includes(sale.state)) payment.status = "reversed";
      else if (!payment || !["refunded", "reversed"].includes(payment.status)) unconfirmed_reversal = hints.reversal;
    }
    const { lastPayment } = subscription;
    return {
      state,
      as_of: subscription.statusUpdateTime,
      reference: subscription.customId,
      plan_type:
        checkout?.provider_plan_id === subscription.planId
          ? (checkout.plan_type as PlanType)
          : (PLAN_TYPES.find((plan) => plans[plan] === subscription.planId) ?? null),
      plan_id: subscription.planId,
      price: null,
      altered: subscription.planOverridden || subscription.quantity !== "1",
      charges_later: false,
      next_billing_date: subscription.nextBillingTime,
      payments: seen,
      last_payment: lastPayment?.time ? { ...lastPayment, paid_at: lastPayment.time } : null,
      unconfirmed_reversal,
    };
  },

  async mercadopago({ mercadopago, now }, { external_id, checkout, payments, hints }) {
    if (!mercadopago) return null;
    const defaults = { altered: false, last_payment: null, unconfirmed_reversal: null };
    const read = async (id: string) => mercadopago.payment(id);

    if (checkout?.plan_type === "lifetime") {
      const listed = await mercadopago.paymentsByReference(checkout.id);
      // The search lags behind: payments that are known, or named by a webhook event, are read one by one.
      const missing = new Set([...payments.map((payment) => payment.external_payment_id), hints.payment]);
      for (const payment of listed) missing.delete(payment.id);
      for (const id of missing) {
        const payment = id ? await read(id) : null;
        if (payment?.externalReference === checkout.id) listed.push(payment);
      }
      const seen = listed
        .filter((payment) => !isCardValidation(payment))
        .map((payment) => mercadopagoPayment(payment, now()));
      const has = (...statuses: Payment["status"][]) => seen.some(({ status }) => statuses.includes(status));
      const paid = has("completed", "partially_refunded", "refunded", "reversed");
      return {
        ...defaults,
        state: paid ? "active" : has("failed") && !has("pending") ? "failed" : "pending",
        as_of: null,
        reference: checkout.id,
        plan_type: "lifetime",
        plan_id: null,
        price: null,
        charges_later: false,
        next_billing_date: null,
        payments: seen,
      };
    }

    const preapproval = await mercadopago.preapproval(external_id);
    if (!preapproval) return null;
    const state = MERCADOPAGO_STATES[preapproval.status] ?? "pending";
    const charged = (state === "pending" ? [] : await mercadopago.invoicesOf(external_id))
      .flatMap(({ paymentId, debitDate }) => (paymentId ? [{ paymentId, debitDate }] : []))
      .toSorted((one, other) => (other.debitDate?.getTime() ?? 0) - (one.debitDate?.getTime() ?? 0));
    const settled = new Set(
      payments
        .filter(({ status, dispute }) => status !== "pending" && dispute !== "open")
        .map((payment) => payment.external_payment_id),
    );
    const since = now().getTime() - REFUND_WINDOW;
    const again = charged.filter(
      ({ paymentId, debitDate }) =>
        (debitDate?.getTime() ?? since) >= since || !settled.has(paymentId) || paymentId === hints.payment,
    );
    const seen: Payment[] = [];
    for (const { paymentId } of again) {
      const payment = await read(paymentId);
      if (payment && !isCardValidation(payment)) seen.push(mercadopagoPayment(payment, now()));
    }
    const { amount, currency } = preapproval;
    return {
      ...defaults,
      state,
      as_of: preapproval.lastModified,
      reference: preapproval.externalReference,
      plan_type: "monthly",
      plan_id: null,
      price: amount !== null && currency !== null ? { amount, currency } : null,
      charges_later: true,
      next_billing_date: preapproval.nextPaymentDate,
      payments: seen,
    };
  },

  async test({ db, now }, { external_id, checkout }) {
    const row = await testCheckout(db, external_id);
    if (!row) return null;
    const money = { amount: row.amount, currency: row.currency as Currency };
    const paid = row.status === "approved";
    const payment: Payment = {
      external_payment_id: row.payment_id,
      ...money,
      status: "completed",
      refunded_amount: 0,
      dispute: null,
      external_dispute_id: null,
      paid_at: row.decided_at ?? now(),
      as_of: null,
    };
    return {
      state: paid ? "active" : row.status === "rejected" ? "failed" : "pending",
      as_of: null,
      reference: checkout?.id ?? null,
      plan_type: row.plan_type as PlanType,
      plan_id: null,
      price: money,
      altered: false,
      charges_later: false,
      next_billing_date: null,
      payments: paid ? [payment] : [],
      last_payment: null,
      unconfirmed_reversal: null,
    };
  },
};

/**
 * Reads a provider subscription at its provider.
 * @returns null when the provider knows none with this id, or is no longer configured
 * @throws ProviderError
 */
export const readSnapshot = (
  context: Context,
  provider: Provider,
  subject: SnapshotRequest,
): Promise<Snapshot | null> => READERS[provider](context, subject);
