import { createHmac, randomBytes, randomUUID } from "node:crypto";
import { HOUR } from "#shared/time.ts";
import { monthLater } from "../payment-terms.ts";
import { type FakeAnswer, type FakeRequest, known, postWebhook, startFakeServer } from "./fake-server.ts";
import { mercadopagoPage } from "./mercadopago-pages.ts";
import { iso, mercadopagoCall } from "./mercadopago-rest.ts";
import { openContract } from "./openapi/contract.ts";

type Statuses = "pending" | "approved" | "in_process" | "in_mediation" | "rejected" | "refunded" | "charged_back";
export type MercadopagoFakePayment = {
  id: string;
  status: Statuses;
  status_detail: string;
  /** Amount in hundredths of the currency. */
  cents: number;
  refunded: number;
  currency: string;
  external_reference: string | null;
  operation_type: "regular_payment" | "recurring_payment" | "card_validation";
  date_created: Date;
  date_approved: Date | null;
  date_last_updated: Date;
  preapproval: string | null;
};
/** Behaviour of MercadoPago that differs between accounts or times. */
export type MercadopagoBehavior = {
  chargeOverride: { cents?: number; currency?: string };
  /**
   * True if subscription payments name an unknown preapproval, as observed in production. The invoice names the right
   * one.
   */
  unknownPreapprovalInMetadata: boolean;
  /** True if subscription payments name the checkout of their preapproval. */
  inheritsReference: boolean;
  /** Delay until a payment or an invoice appears in searches, in milliseconds. */
  searchLag: number;
  /** True if payments and invoices have ids of 17 digits, which exceed the safe integers of JavaScript. */
  longIds: boolean;
  /** True if MercadoPago responds 404 for cancelled preapprovals. */
  forgetsCancelled: boolean;
};
/** The payments of a preference or preapproval, and the behaviour towards it; absent if it is the fake's. */
type Payable = { payments: MercadopagoFakePayment[]; behavior?: MercadopagoBehavior };
export type MercadopagoFakePreference = Payable & {
  id: string;
  title: string;
  cents: number;
  currency: string;
  external_reference: string;
  back_urls: { success?: string; failure?: string; pending?: string };
};
export type MercadopagoFakePreapproval = Payable & {
  id: string;
  reason: string;
  status: "pending" | "authorized" | "paused" | "cancelled";
  payer_email: string;
  back_url: string;
  external_reference: string;
  cents: number;
  currency: string;
  date_created: Date;
  last_modified: Date;
  next_payment_date: Date | null;
};
export type Invoice = {
  id: string;
  preapproval: string;
  debit_date: Date;
  payment: MercadopagoFakePayment;
  /** True if only searches find the invoice, and reading its id responds 404. */
  onlyInSearch: boolean;
};

export type MercadopagoFakeWebhook = { type: string; action: string; id: string };
export type MercadopagoWebhookOptions = {
  forged?: "secret" | "missing" | "id";
  /** The older notification (IPN), without a signature or with one that does not prove anything. */
  legacy?: "unsigned" | "signed";
  mutate?: (body: string) => string;
};

export type MercadopagoSimulation = ReturnType<typeof simulateMercadopago>;
export type MercadopagoFake = Awaited<ReturnType<typeof startMercadopagoFake>>;

function signedHeaders(
  webhookSecret: string,
  id: string,
  now: Date,
  forged: MercadopagoWebhookOptions["forged"],
): Record<string, string> {
  const requestId = randomUUID();
  const ts = now.getTime();
  const manifest = `id:${forged === "id" ? "1" : id.toLowerCase()};request-id:${requestId};ts:${ts};`;
  const secret = forged === "secret" ? "another secret" : webhookSecret;
  const v1 = createHmac("sha256", secret).update(manifest).digest("hex");
  return { "x-request-id": requestId, ...(forged !== "missing" && { "x-signature": `ts=${ts},v1=${v1}` }) };
}

export async function startMercadopagoFake() {
  const mercadopago = simulateMercadopago();
  const server = await startFakeServer(
    openContract("mercadopago"),
    async (request) => (await mercadopagoPage(mercadopago, request)) ?? mercadopago.answer(request),
  );
  return Object.assign(mercadopago, server);
}

/**
 * Stores the state of MercadoPago: preferences, preapprovals, payments and invoices. Responds to calls of its REST API.
 *
 * The methods change the state and return the webhook events that MercadoPago would send.
 */
export function simulateMercadopago() {
  const accessToken = "APP_USR-fake";
  const webhookSecret = randomBytes(32).toString("hex");
  const preferences = new Map<string, MercadopagoFakePreference>();
  const preapprovals = new Map<string, MercadopagoFakePreapproval>();
  const payments = new Map<string, MercadopagoFakePayment>();
  const invoices = new Map<string, Invoice>();
  const chargebacks = new Map<string, MercadopagoFakePayment>();
  let counter = 1_300_000_000 + Math.floor(Math.random() * 1_000_000);

  /** Records webhook events, and sends them if delivery is automatic. */
  async function emit(...made: [type: string, action: string, id: string][]) {
    const written = made.map(([type, action, id]): MercadopagoFakeWebhook => ({ type, action, id }));
    if (fake.delivery === "automatic") for (const webhook of written) await fake.send(webhook);
    return written;
  }

  const newId = ({ longIds }: MercadopagoBehavior) => (longIds ? `900719${++counter}1` : fake.nextId());

  function makePayment(
    of: MercadopagoFakePreference | MercadopagoFakePreapproval,
    given: Partial<MercadopagoFakePayment>,
  ) {
    const now = fake.now();
    const behavior = of.behavior ?? fake;
    const payment: MercadopagoFakePayment = {
      id: newId(behavior),
      cents: of.cents,
      currency: of.currency,
      status: "approved",
      status_detail: given.status === "rejected" ? "cc_rejected_other_reason" : "accredited",
      refunded: 0,
      external_reference: null,
      operation_type: "regular_payment",
      date_created: now,
      date_approved: (given.status ?? "approved") === "approved" ? now : null,
      date_last_updated: now,
      preapproval: null,
      ...given,
      ...behavior.chargeOverride,
    };
    payments.set(payment.id, payment);
    of.payments.push(payment);
    return payment;
  }
  function changed(payment: MercadopagoFakePayment, changes: Partial<MercadopagoFakePayment>) {
    Object.assign(payment, changes, { date_last_updated: fake.now() });
    return emit(["payment", "payment.updated", payment.id]);
  }
  function changePreapproval(one: MercadopagoFakePreapproval, changes: Partial<MercadopagoFakePreapproval>) {
    Object.assign(one, changes, { last_modified: fake.now() });
    return emit(["subscription_preapproval", "updated", one.id]);
  }

  async function bill(one: MercadopagoFakePreapproval, status: "approved" | "rejected", onlyInSearch = false) {
    const behavior = one.behavior ?? fake;
    const payment = makePayment(one, {
      status,
      operation_type: "recurring_payment",
      preapproval: one.id,
      external_reference: behavior.inheritsReference ? one.external_reference : null,
    });
    const invoice: Invoice = {
      id: newId(behavior),
      preapproval: one.id,
      debit_date: fake.now(),
      payment,
      onlyInSearch,
    };
    invoices.set(invoice.id, invoice);
    const webhooks = await emit(
      ["payment", "payment.created", payment.id],
      ["subscription_authorized_payment", "created", invoice.id],
    );
    return { payment, invoice, webhooks };
  }

  const fake = {
    url: "https://mercadopago.example",
    accessToken,
    webhookSecret,
    get environment() {
      return {
        MERCADOPAGO_ACCESS_TOKEN: accessToken,
        MERCADOPAGO_WEBHOOK_SECRET: webhookSecret,
        MERCADOPAGO_API_BASE: fake.url,
      };
    },
    /** Responds to a call of the API. The state of a reading is the state at the call. */
    answer: (request: FakeRequest): Promise<FakeAnswer> => mercadopagoCall(fake, request),
    preferences,
    preapprovals,
    payments,
    invoices,
    chargebacks,
    changePreapproval,
    nextId: (): string => String(++counter),
    /** Responses by idempotency key. */
    replays: new Map<string, FakeAnswer>(),

    now: (): Date => new Date(),
    chargeOverride: {} as MercadopagoBehavior["chargeOverride"],
    unknownPreapprovalInMetadata: false,
    inheritsReference: true,
    searchLag: 0,
    longIds: false,
    forgetsCancelled: false,
    /** True if payments show the refunded amount. Otherwise only their list of refunds does. */
    showsRefundedAmount: true,
    /** True if payments show `operation_type`, which the documentation does not guarantee. */
    showsOperationType: true,
    pageSize: 10,
    invoiceSearch: "/authorized_payments/search" as "/authorized_payments/search" | "/authorized_payments",
    /** Headers of the payment pages, for example one that isolates them from their opener. */
    pageHeaders: {} as Record<string, string>,
    webhookUrl: null as string | null,
    /** Whether the fake sends webhook events itself or leaves that to the test. */
    delivery: "manual" as "automatic" | "manual",

    async pay(preferenceId: string, status: "approved" | "pending" | "in_process" | "rejected" = "approved") {
      const one = known(preferences, preferenceId);
      const payment = makePayment(one, { status, external_reference: one.external_reference });
      const webhooks = await emit(
        ["payment", "payment.created", payment.id],
        ["topic_merchant_order_wh", "create", fake.nextId()],
      );
      return { payment, webhooks };
    },
    /** Completes a pending payment, or closes a claim for the seller. */
    approve(paymentId: string) {
      const payment = known(payments, paymentId);
      const date_approved = payment.date_approved ?? fake.now();
      return changed(payment, { status: "approved", status_detail: "accredited", date_approved });
    },
    /**
     * Authorizes a subscription as the buyer. A small payment validates the card. The first charge follows one hour
     * later.
     */
    async authorize(preapprovalId: string) {
      const one = known(preapprovals, preapprovalId);
      const check = makePayment(one, {
        cents: 1_500,
        operation_type: "card_validation",
        preapproval: one.id,
      });
      const sent = await changePreapproval(one, {
        status: "authorized",
        next_payment_date: new Date(fake.now().getTime() + HOUR),
      });
      return [...sent, ...(await emit(["payment", "payment.created", check.id]))];
    },
    async charge(preapprovalId: string, status: "approved" | "rejected" = "approved") {
      const one = known(preapprovals, preapprovalId);
      one.last_modified = fake.now();
      if (status === "rejected") return bill(one, status);
      one.next_payment_date = new Date(
        monthLater(Math.max(fake.now().getTime(), one.next_payment_date?.getTime() ?? 0)),
      );
      return bill(one, status);
    },
    /** Rejects the card during the sign-up. The preapproval remains pending but has an invoice. */
    async refuseSignUp(preapprovalId: string) {
      return (await bill(known(preapprovals, preapprovalId), "rejected", true)).webhooks;
    },
    resume: (preapprovalId: string) => changePreapproval(known(preapprovals, preapprovalId), { status: "authorized" }),
    pause: (preapprovalId: string) => changePreapproval(known(preapprovals, preapprovalId), { status: "paused" }),
    cancel: (preapprovalId: string) => changePreapproval(known(preapprovals, preapprovalId), { status: "cancelled" }),
    /** Refunds the rest of a payment, or `cents` of it. */
    refund(paymentId: string, cents?: number) {
      const payment = known(payments, paymentId);
      const refunded = payment.refunded + (cents ?? payment.cents - payment.refunded);
      return changed(payment, { refunded, status: refunded >= payment.cents ? "refunded" : payment.status });
    },
    async chargeBack(paymentId: string) {
      const payment = known(payments, paymentId);
      // 17 digits exceed the safe integers of JavaScript.
      const id = `2170000${++counter}`;
      chargebacks.set(id, payment);
      const sent = await changed(payment, { status: "charged_back", status_detail: "settled" });
      return [...sent, ...(await emit(["topic_chargebacks_wh", "created", id]))];
    },
    /** Decides a chargeback for the seller. Only the status detail shows that the money is returned. */
    reimburse: (paymentId: string) => changed(known(payments, paymentId), { status_detail: "reimbursed" }),
    mediate: (paymentId: string) => changed(known(payments, paymentId), { status: "in_mediation" }),
    webhook: (type: string, id: string): MercadopagoFakeWebhook => ({ type, id, action: "updated" }),

    /** Returns URL, headers and body of a webhook event, signed as MercadoPago does by default. */
    signed(webhook: MercadopagoFakeWebhook, options: MercadopagoWebhookOptions = {}) {
      const { legacy, mutate, forged } = options;
      if (!fake.webhookUrl) throw new Error("Set webhookUrl before sending a webhook event.");
      const url = new URL(fake.webhookUrl);
      const { id, type, action } = webhook;
      const now = fake.now();
      const body = JSON.stringify({
        id: ++counter,
        live_mode: false,
        type,
        date_created: iso(now),
        user_id: 123456789,
        api_version: "v1",
        action,
        data: { id },
      });
      if (legacy) {
        url.searchParams.set("topic", type);
        url.searchParams.set("id", id);
        return { url: url.href, body, headers: legacy === "signed" ? signedHeaders(webhookSecret, id, now, "id") : {} };
      }
      url.searchParams.set("data.id", id);
      url.searchParams.set("type", type);
      const headers = signedHeaders(webhookSecret, id, now, forged);
      return { url: url.href, body: mutate ? mutate(body) : body, headers };
    },
    /** Sends a webhook event. @returns the status, or 0 without a response */
    async send(webhook: MercadopagoFakeWebhook, options: MercadopagoWebhookOptions = {}): Promise<number> {
      const { url, body, headers } = fake.signed(webhook, options);
      return postWebhook(url, body, headers);
    },
  };
  return fake;
}
