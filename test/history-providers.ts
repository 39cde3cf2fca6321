/** Connects the subscriptions of histories with the state of the simulated providers. */
import { MINUTE } from "#shared/time.ts";
import type { MercadopagoBehavior, MercadopagoFakePayment } from "./fakes/mercadopago.ts";
import type { PaypalBehavior, PaypalFakeSale } from "./fakes/paypal.ts";
import type { AtProvider, Sale, State, Subscription, World } from "./history-world.ts";

/** A reference that no checkout of ours has. */
const ANOTHER = "11111111-1111-4111-8111-111111111111";
type ProviderSale = Omit<Sale, "updated">;

export function atPaypal(world: World, one: Subscription): AtProvider {
  const { paypal } = world;
  const { id, quirks } = one;
  const behavior: PaypalBehavior = {
    decimal: (cents) =>
      (cents / 100).toFixed(quirks.oddAmounts && cents % 100 === 0 ? 1 : 2) +
      (quirks.oddAmounts && cents % 100 ? "00" : ""),
    refundLines: quirks.refundLines,
    forgetsCancelled: quirks.forgets,
    showsPastDate: quirks.pastDate,
    chargeOverride: quirks.wrong === "less" ? { cents: one.price.amount - 100 } : {},
    isLagging: () => !world.isCalm && world.clock - (one.approved ?? 0) < quirks.approvalLag * MINUTE,
  };
  const there = Object.assign(paypal.subscriptions.get(id)!, { behavior });
  if (quirks.wrong === "owner") there.custom_id = ANOTHER;
  there.plan_overridden = quirks.wrong === "altered";
  const disputeOf = (sale: string) =>
    [...paypal.disputes.values()].find(({ disputed_transactions: [of] }) => of.seller_transaction_id === sale);
  const saleOf = (sale: PaypalFakeSale): ProviderSale => {
    const dispute = disputeOf(sale.id);
    const favour = dispute?.dispute_outcome?.outcome_code === "RESOLVED_BUYER_FAVOUR" ? "lost" : "won";
    const states = { denied: "failed", refunded: sale.isReversed ? "reversed" : "refunded" } as const;
    return {
      ...{ id: sale.id, at: sale.time.getTime(), amount: sale.cents, refunded: sale.refunded, reimbursed: false },
      status: states[sale.state as keyof typeof states] ?? "completed",
      dispute: dispute ? (dispute.status === "RESOLVED" ? favour : "open") : null,
    };
  };
  return {
    state: () => (there.status === "APPROVAL_PENDING" ? "pending" : (there.status.toLowerCase() as State)),
    next: () => there.next_billing_time,
    sales: () => there.sales.map(saleOf),
    moves: {
      approve: () => paypal.approve(id),
      renew: () => paypal.renew(id),
      fail: () => paypal.failPayment(id),
      suspend: () => paypal.suspend(id),
      resume: () => paypal.resume(id),
      cancel: () => paypal.cancel(id),
      expire: () => paypal.expire(id),
      refund: (sale) => paypal.refund(sale),
      part: (sale) => paypal.refund(sale, 100),
      complain: (sale) => paypal.dispute(sale),
      "decide for the buyer": (sale) => paypal.resolve(disputeOf(sale)!.dispute_id, "BUYER"),
      "decide for us": (sale) => paypal.resolve(disputeOf(sale)!.dispute_id, "SELLER"),
      reverse: (sale) => paypal.reverse(sale),
    },
  };
}

/** Gives a subscription its behaviour at MercadoPago. Lifetime is a preference there. */
export function atMercadopago(world: World, one: Subscription): AtProvider {
  const { mercadopago } = world;
  const { id, plan, quirks } = one;
  const behavior: MercadopagoBehavior = {
    chargeOverride: {},
    unknownPreapprovalInMetadata: quirks.metadataNamesAnother,
    inheritsReference: quirks.inherits,
    get searchLag() {
      return world.isCalm ? 0 : quirks.searchLag * MINUTE;
    },
    longIds: quirks.longIds,
    forgetsCancelled: quirks.forgets,
  };
  const preapproval = mercadopago.preapprovals.get(id);
  const there = Object.assign(preapproval ?? mercadopago.preferences.get(id)!, { behavior });
  if (quirks.wrong === "owner") there.external_reference = ANOTHER;
  if (quirks.wrong === "less") there.cents -= 100;
  const saleOf = (payment: MercadopagoFakePayment): ProviderSale => {
    const reimbursed = payment.status_detail === "reimbursed";
    const statuses = {
      rejected: "failed",
      refunded: "refunded",
      charged_back: reimbursed ? "completed" : "reversed",
    } as const;
    return {
      ...{ id: payment.id, at: payment.date_created.getTime(), amount: payment.cents, refunded: payment.refunded },
      ...{ reimbursed, status: statuses[payment.status as keyof typeof statuses] ?? "completed" },
      dispute: payment.status === "in_mediation" ? "open" : null,
    };
  };
  const states = { pending: "pending", authorized: "active", paused: "suspended", cancelled: "cancelled" } as const;
  const sales = () => there.payments.filter((payment) => payment.operation_type !== "card_validation").map(saleOf);
  return {
    state: () => (preapproval ? states[preapproval.status] : sales().length ? "active" : "pending"),
    next: () => preapproval?.next_payment_date ?? null,
    sales,
    moves: {
      approve: async () => (plan === "monthly" ? mercadopago.authorize(id) : (await mercadopago.pay(id)).webhooks),
      renew: async () => (await mercadopago.charge(id)).webhooks,
      fail: async () => (await mercadopago.charge(id, "rejected")).webhooks,
      suspend: () => mercadopago.pause(id),
      resume: () => mercadopago.resume(id),
      cancel: () => mercadopago.cancel(id),
      refund: (sale) => mercadopago.refund(sale),
      part: (sale) => mercadopago.refund(sale, 100),
      complain: (sale) => mercadopago.mediate(sale),
      "decide for the buyer": (sale) => mercadopago.chargeBack(sale),
      "decide for us": (sale) => mercadopago.approve(sale),
      reverse: (sale) => mercadopago.chargeBack(sale),
      reimburse: (sale) => mercadopago.reimburse(sale),
      "refuse sign-up": () => mercadopago.refuseSignUp(id),
    },
  };
}
