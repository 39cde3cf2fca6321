import { type PaymentStatus, PLAN_TYPES, type PlanType } from "#shared/plans.ts";
import { DAY } from "#shared/time.ts";
import type {
  ProviderState,
  Snapshot,
  SnapshotPayment,
  SnapshotRequest,
} from "../../../integrations/payment-provider.ts";
import type { Paypal } from "./client.ts";
import type { PaypalDispute, PaypalTransaction } from "./schemas.ts";

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
  DECLINED: "failed",
};
/** Outcomes of a dispute in which the buyer gets the money back. */
const LOST_OUTCOMES = ["RESOLVED_BUYER_FAVOUR", "ACCEPTED"];
/** States of a sale whose money was taken back. */
const REVERSED_STATES = ["refunded", "reversed", "denied"];

const disputeOf = (dispute: PaypalDispute): "open" | "won" | "lost" =>
  dispute.status !== "RESOLVED" ? "open" : LOST_OUTCOMES.includes(dispute.outcome ?? "") ? "lost" : "won";

function seenPayment(transaction: PaypalTransaction): SnapshotPayment {
  const status = PAYMENTS[transaction.status] ?? "pending";
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

/** Adds the disputes of the payments: those that are open here, and the one that a webhook event names. */
async function addDisputes(paypal: Paypal, seen: SnapshotPayment[], { payments, hints }: SnapshotRequest) {
  const open = payments.filter(({ dispute }) => dispute === "open").map((payment) => payment.external_dispute_id!);
  for (const id of new Set([...open, ...(hints.dispute ? [hints.dispute] : [])])) {
    const dispute = await paypal.dispute(id);
    for (const payment of seen)
      if (dispute?.saleIds.includes(payment.external_payment_id))
        Object.assign(payment, { dispute: disputeOf(dispute), external_dispute_id: id });
  }
}

/**
 * Marks the payment that a webhook event calls reversed, where its sale shows that.
 * @returns the id of the payment where it does not show it
 */
async function addReversal(
  paypal: Paypal,
  seen: SnapshotPayment[],
  { hints }: SnapshotRequest,
): Promise<string | null> {
  if (!hints.reversal) return null;
  const sale = await paypal.sale(hints.reversal);
  const payment = seen.find(({ external_payment_id }) => external_payment_id === hints.reversal);
  if (payment && sale && REVERSED_STATES.includes(sale.state)) payment.status = "reversed";
  else if (!payment || !["refunded", "reversed"].includes(payment.status)) return hints.reversal;
  return null;
}

/** Reads a subscription of PayPal. @param plans our plans' ids at PayPal */
export async function readSubscription(
  paypal: Paypal,
  plans: Record<PlanType, string>,
  request: SnapshotRequest,
): Promise<Snapshot | null> {
  const { external_id, checkout, now } = request;
  const subscription = await paypal.subscription(external_id);
  if (!subscription) return null;
  const state = STATES[subscription.status] ?? "pending";
  const since = subscription.createTime ?? new Date(0);
  const listed =
    state === "pending"
      ? []
      : await paypal.transactions(external_id, new Date(since.getTime() - DAY), new Date(now.getTime() + DAY));
  const seen = listed.map(seenPayment);
  await addDisputes(paypal, seen, request);
  const unconfirmed_reversal = await addReversal(paypal, seen, request);
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
}
