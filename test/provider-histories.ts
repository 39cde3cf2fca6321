/**
 * Subscriptions as their provider has them, what may happen to one, and clients of both providers that answer from them,
 * without HTTP, so that a thousand histories take seconds.
 */
import { randomUUID } from "node:crypto";
import type { Mercadopago } from "#server/memberships/providers/mercadopago/client.ts";
import type { MercadopagoPayment } from "#server/memberships/providers/mercadopago/schemas.ts";
import type { Paypal } from "#server/memberships/providers/paypal/client.ts";
import type { PaypalEvent } from "#server/memberships/providers/paypal/schemas.ts";
import { monthAfter } from "#server/memberships/settlement/entitlement-rules.ts";

/** When every history begins. */
export const START = new Date("2027-01-05T08:00:00.000Z").getTime();

export type Sale = {
  id: string;
  at: number;
  updated: number;
  refunded: number;
  status: "completed" | "failed" | "refunded" | "reversed";
  dispute: { id: string; state: "open" | "won" | "lost" } | null;
};
/** A subscription as its provider has it. */
export type Truth = {
  id: string;
  method: "paypal" | "mercadopago";
  plan: "monthly" | "lifetime";
  owner: string;
  checkout: string;
  price: { amount: number; currency: "USD" | "ARS" };
  state: "pending" | "active" | "suspended" | "cancelled" | "expired";
  updated: number;
  next: number | null;
  sales: Sale[];
  cancelledHere: number | null;
};
/** A webhook event: its id, its subject and its time. */
export type Webhook = { id: string; subject: string; subject_id: string; at: number };

export const MOVES = [
  "approve",
  "renew",
  "fail",
  "suspend",
  "resume",
  "cancel",
  "expire",
  "refund",
  "part",
  "complain",
  "decide for the buyer",
  "decide for us",
  "reverse",
  "cancel here",
  "browser",
] as const;
export type Move = (typeof MOVES)[number];

/** Changes a subscription and returns the webhook events that its provider sends. An impossible move does nothing. */
export function move(truth: Truth, what: Move, now: number): Webhook[] {
  const webhooks: Webhook[] = [];
  const tell = (subject: string, subject_id: string) =>
    webhooks.push({ id: `WH-${randomUUID()}`, subject, subject_id, at: now });
  const paypal = truth.method === "paypal";
  const ofSubscription = () =>
    paypal || truth.plan === "monthly" ? tell(paypal ? "subscription" : "preapproval", truth.id) : undefined;
  const ofSale = (sale: Sale) => tell(paypal ? "sale" : "payment", sale.id);
  const become = (state: Truth["state"]) => {
    truth.state = state;
    truth.updated = now;
    ofSubscription();
  };
  const sell = (status: Sale["status"]) => {
    const sale: Sale = {
      id: `S${randomUUID().slice(0, 13)}`,
      at: now,
      updated: now,
      refunded: 0,
      status,
      dispute: null,
    };
    truth.sales.push(sale);
    ofSale(sale);
    if (status === "completed" && truth.plan === "monthly") truth.next = monthAfter(new Date(now)).getTime();
  };
  const last = truth.sales.findLast(({ status }) => status === "completed");
  const change = (sale: Sale, more: Partial<Sale>) => Object.assign(sale, more, { updated: now });
  const running = truth.state === "active" || truth.state === "suspended";
  switch (what) {
    case "approve":
      if (truth.state === "pending") {
        become("active");
        sell("completed");
      }
      break;
    case "renew":
      // A provider charges at its date, not before.
      if (truth.state === "active" && truth.plan === "monthly" && truth.next && now >= truth.next) sell("completed");
      break;
    case "fail":
      if (truth.state === "active" && truth.plan === "monthly") sell("failed");
      break;
    case "suspend":
      if (truth.state === "active") become("suspended");
      break;
    case "resume":
      if (truth.state === "suspended") become("active");
      break;
    case "cancel":
      if (running) become("cancelled");
      break;
    case "expire":
      if (truth.state === "active" && truth.plan === "lifetime") become("expired");
      break;
    case "refund":
      if (last) {
        change(last, { status: "refunded", refunded: truth.price.amount });
        ofSale(last);
      }
      break;
    case "part":
      if (last && last.refunded === 0) {
        change(last, { refunded: 100 });
        ofSale(last);
      }
      break;
    case "complain":
      if (last && !last.dispute) {
        change(last, { dispute: { id: `D${randomUUID().slice(0, 13)}`, state: "open" } });
        if (paypal) tell("dispute", last.dispute!.id);
        else ofSale(last);
      }
      break;
    case "decide for the buyer":
    case "decide for us": {
      const open = truth.sales.find(({ dispute }) => dispute?.state === "open");
      if (!open) break;
      const lost = what === "decide for the buyer";
      open.dispute!.state = lost ? "lost" : "won";
      // MercadoPago reverses the payment; PayPal shows its decision only in the dispute.
      change(open, lost && !paypal && open.status === "completed" ? { status: "reversed" } : {});
      if (paypal) tell("dispute", open.dispute!.id);
      else ofSale(open);
      break;
    }
    case "reverse":
      if (last) {
        change(last, paypal ? { status: "refunded", refunded: truth.price.amount } : { status: "reversed" });
        ofSale(last);
      }
      break;
    default:
      break;
  }
  return webhooks;
}

/** A client of PayPal that answers from these subscriptions. */
export function paypalOf(truths: Map<string, Truth>, events: PaypalEvent[]): Paypal {
  const sales = () => [...truths.values()].flatMap((truth) => truth.sales.map((sale) => ({ truth, sale })));
  const status = { completed: "COMPLETED", failed: "DECLINED", refunded: "REFUNDED", reversed: "REFUNDED" };
  return {
    async subscription(id: string) {
      const truth = truths.get(id);
      if (!truth) return null;
      const paid = truth.sales.findLast((sale) => sale.status !== "failed");
      const over = truth.state === "cancelled" || truth.state === "expired";
      return {
        id,
        status: truth.state === "pending" ? "APPROVAL_PENDING" : truth.state.toUpperCase(),
        statusUpdateTime: new Date(truth.updated),
        createTime: new Date(START),
        planId: truth.plan === "monthly" ? "P-MONTHLY" : "P-LIFETIME",
        customId: truth.owner,
        planOverridden: false,
        quantity: "1",
        lastPayment: paid ? { ...truth.price, time: new Date(paid.at) } : null,
        nextBillingTime: truth.next && !over ? new Date(truth.next) : null,
        failedPaymentsCount: 0,
      };
    },
    transactions: async (id: string) =>
      truths.get(id)!.sales.map((sale) => ({
        id: sale.id,
        status: sale.status === "completed" && sale.refunded ? "PARTIALLY_REFUNDED" : status[sale.status],
        time: new Date(sale.at),
        ...truths.get(id)!.price,
      })),
    async cancel(id: string) {
      const truth = truths.get(id)!;
      if (truth.state !== "active" && truth.state !== "suspended") return "already_over" as const;
      truth.state = "cancelled";
      return "cancelled" as const;
    },
    async sale(id: string) {
      const found = sales().find(({ sale }) => sale.id === id);
      return found
        ? {
            id,
            state: "completed",
            subscriptionId: found.truth.id,
            createTime: null,
            updateTime: null,
            ...found.truth.price,
          }
        : null;
    },
    async dispute(id: string) {
      const found = sales().find(({ sale }) => sale.dispute?.id === id);
      if (!found) return null;
      const { state } = found.sale.dispute!;
      const outcome = state === "open" ? null : state === "lost" ? "RESOLVED_BUYER_FAVOUR" : "RESOLVED_SELLER_FAVOUR";
      return {
        id,
        status: state === "open" ? "UNDER_REVIEW" : "RESOLVED",
        outcome,
        updateTime: null,
        saleIds: [found.sale.id],
      };
    },
    webhookEvents: async (from: Date, to: Date) =>
      events.filter(({ createTime }) => createTime! >= from && createTime! <= to),
  } as Partial<Paypal> as Paypal;
}

export function mercadopagoOf(truths: Map<string, Truth>): Mercadopago {
  const view = (truth: Truth, sale: Sale): MercadopagoPayment => ({
    id: sale.id,
    status:
      sale.status === "failed"
        ? "rejected"
        : sale.status === "refunded"
          ? "refunded"
          : sale.status === "reversed"
            ? "charged_back"
            : sale.dispute?.state === "open"
              ? "in_mediation"
              : "approved",
    statusDetail: null,
    externalReference: truth.plan === "lifetime" ? truth.checkout : null,
    ...truth.price,
    amountRefunded: sale.refunded,
    operationType: "recurring_payment",
    dateCreated: new Date(sale.at),
    dateApproved: new Date(sale.at),
    dateLastUpdated: new Date(sale.updated),
    preapprovalId: truth.plan === "monthly" ? truth.id : null,
    merchantOrderId: null,
  });
  const all = () => [...truths.values()].flatMap((truth) => truth.sales.map((sale) => view(truth, sale)));
  const states = {
    pending: "pending",
    active: "authorized",
    suspended: "paused",
    cancelled: "cancelled",
    expired: "cancelled",
  };
  return {
    async preapproval(id: string) {
      const truth = truths.get(id);
      if (truth?.plan !== "monthly") return null;
      return {
        id,
        status: states[truth.state],
        externalReference: truth.checkout,
        initPoint: null,
        nextPaymentDate: truth.next ? new Date(truth.next) : null,
        dateCreated: new Date(START),
        lastModified: new Date(truth.updated),
        ...truth.price,
      };
    },
    async cancelPreapproval(id: string) {
      const truth = truths.get(id)!;
      if (truth.state !== "active" && truth.state !== "suspended") return "already_over" as const;
      truth.state = "cancelled";
      return "cancelled" as const;
    },
    newestInvoicesOf: async (id: string) =>
      truths.get(id)!.sales.map((sale) => ({
        id: sale.id,
        preapprovalId: id,
        status: "processed",
        debitDate: new Date(sale.at),
        paymentId: sale.id,
      })),
    payment: async (id: string) => all().find((payment) => payment.id === id) ?? null,
    paymentsByReference: async (reference: string) => all().filter((one) => one.externalReference === reference),
  } as Partial<Mercadopago> as Mercadopago;
}
