import { createSign, randomUUID } from "node:crypto";
import { crc32 } from "node:zlib";
import { monthLater } from "../payment-terms.ts";
import { type FakeAnswer, type FakeRequest, known, postWebhook, startFakeServer } from "./fake-server.ts";
import { openContract } from "./openapi/contract.ts";
import { type TestCertificate, testCertificate } from "./paypal-certificates.ts";
import { paypalPage } from "./paypal-pages.ts";
import { decimalOf, error, newPaypalId, paypalCall, saleView, viewOf } from "./paypal-rest.ts";

export type PaypalFakeSale = {
  id: string;
  cents: number;
  currency: string;
  time: Date;
  state: "completed" | "partially_refunded" | "refunded" | "pending" | "denied";
  refunded: number;
  refundTime?: Date;
  isReversed?: boolean;
  subscription: string;
};
/** Behaviour of PayPal that differs between accounts or times. */
export type PaypalBehavior = {
  /** Formats amounts. PayPal also sends "60.0". */
  decimal(cents: number): string;
  /** True if refunds are separate lines in the list of payments and the sale's line does not change. */
  refundLines: boolean;
  /** True if PayPal responds 404 for cancelled subscriptions. */
  forgetsCancelled: boolean;
  /** True if the next date is in the past until the second payment. */
  showsPastDate: boolean;
  chargeOverride: { cents?: number; currency?: string };
  /** True if a reading still shows APPROVAL_PENDING after the approval. */
  isLagging(one: PaypalFakeSubscription): boolean;
};
export type PaypalFakeSubscription = {
  id: string;
  plan_id: string;
  custom_id: string;
  status: "APPROVAL_PENDING" | "APPROVED" | "ACTIVE" | "SUSPENDED" | "CANCELLED" | "EXPIRED";
  plan_overridden: boolean;
  quantity: string;
  create_time: Date;
  status_update_time: Date;
  next_billing_time: Date | null;
  sales: PaypalFakeSale[];
  /** Number of further readings that show APPROVAL_PENDING. */
  lag: number;
  return_url: string | null;
  cancel_url: string | null;
  /** Behaviour towards this subscription; absent if it is the fake's. */
  behavior?: PaypalBehavior;
};
export type PaypalFakeDispute = {
  dispute_id: string;
  status: "WAITING_FOR_SELLER_RESPONSE" | "RESOLVED";
  update_time: string;
  disputed_transactions: [{ seller_transaction_id: string }];
  dispute_outcome?: { outcome_code: string };
};
export type PaypalFakeEvent = {
  id: string;
  event_type: string;
  create_time: string;
  resource: Record<string, unknown>;
};

export type PaypalWebhookOptions = {
  /** The defect of the signature. Valid by default. */
  forged?: "key" | "webhook id" | "algorithm" | "missing";
  certificate?: TestCertificate;
  mutate?: (body: string) => string;
};

export type PaypalSimulation = ReturnType<typeof simulatePaypal>;
export type PaypalFake = Awaited<ReturnType<typeof startPaypalFake>>;

export async function startPaypalFake() {
  const paypal = simulatePaypal();
  const server = await startFakeServer(
    openContract("paypal"),
    async (request) => (await paypalPage(paypal, request)) ?? paypal.answer(request),
  );
  return Object.assign(paypal, server);
}

/**
 * Stores the state of PayPal, and responds to calls of its REST API.
 *
 * The methods change the state and return the webhook events that PayPal would send.
 */
export function simulatePaypal() {
  const [clientId, clientSecret] = ["fake-client", "fake-secret"];
  const webhookId = newPaypalId("W");
  const plans: Record<string, { cents: number; currency: string; once: boolean; name: string }> = {
    "P-FAKEMONTHLY0000000000000": { cents: 499, currency: "USD", once: false, name: "Mensual" },
    "P-FAKELIFETIME000000000000": { cents: 4999, currency: "USD", once: true, name: "Lifetime" },
  };
  const subscriptions = new Map<string, PaypalFakeSubscription>();
  const sales = new Map<string, PaypalFakeSale>();
  const disputes = new Map<string, PaypalFakeDispute>();
  const events: PaypalFakeEvent[] = [];

  /** Records events as PayPal lists them, and sends them if delivery is automatic. */
  async function emit(...made: [type: string, resource: Record<string, unknown>][]): Promise<PaypalFakeEvent[]> {
    const written = made.map(([event_type, resource]) => fake.event(event_type, resource));
    events.push(...written);
    if (fake.delivery === "automatic") for (const event of written) await fake.send(event);
    return written;
  }
  function setStatus(one: PaypalFakeSubscription, status: PaypalFakeSubscription["status"]) {
    one.status = status;
    one.status_update_time = fake.now();
  }
  function become(subscription: string, status: "SUSPENDED" | "CANCELLED" | "EXPIRED"): Promise<PaypalFakeEvent[]> {
    const one = known(subscriptions, subscription);
    setStatus(one, status);
    return emit([`BILLING.SUBSCRIPTION.${status}`, viewOf(fake, one)]);
  }
  /** PayPal charges at its date or later. */
  function setNextBilling(one: PaypalFakeSubscription) {
    const from = Math.max(fake.now().getTime(), one.next_billing_time?.getTime() ?? 0);
    one.next_billing_time = plans[one.plan_id]!.once ? null : new Date(monthLater(from));
  }
  function sell(one: PaypalFakeSubscription, state: PaypalFakeSale["state"] = "completed"): PaypalFakeSale {
    const { cents, currency } = { ...plans[one.plan_id]!, ...(one.behavior ?? fake).chargeOverride };
    const sale = { id: newPaypalId("S"), cents, currency, time: fake.now(), state, refunded: 0, subscription: one.id };
    sales.set(sale.id, sale);
    one.sales.push(sale);
    return sale;
  }

  function certificate(name: string): FakeAnswer {
    const headers = { "content-type": "application/x-pem-file" };
    if (name === "moved") return { status: 302, headers: { location: `${fake.url}/v1/notifications/certs/good` } };
    if (name === "nonsense") return { status: 200, headers, body: "no certificate" };
    if (name === "gone") return error(404, "RESOURCE_NOT_FOUND");
    return { status: 200, headers, body: testCertificate(name).pem };
  }

  const fake = {
    url: "https://paypal.example",
    clientId,
    clientSecret,
    webhookId,
    get environment() {
      return {
        PAYPAL_CLIENT_ID: clientId,
        PAYPAL_CLIENT_SECRET: clientSecret,
        PAYPAL_WEBHOOK_ID: webhookId,
        PAYPAL_PLAN_MONTHLY: "P-FAKEMONTHLY0000000000000",
        PAYPAL_PLAN_LIFETIME: "P-FAKELIFETIME000000000000",
        PAYPAL_API_BASE: fake.url,
        PAYPAL_SDK_BASE: fake.url,
      };
    },
    /** Responds to a call of the API, or for a certificate. The state of a reading is the state at the call. */
    async answer(request: FakeRequest): Promise<FakeAnswer> {
      const [, name] = /^\/v1\/notifications\/certs\/(\w+)$/.exec(request.path) ?? [];
      return name ? certificate(name) : paypalCall(fake, request);
    },
    subscriptions,
    sales,
    disputes,
    events,
    plans,
    emit,
    /** Responses by request id. */
    replays: new Map<string, FakeAnswer>(),
    tokens: new Set<string>(),

    now: (): Date => new Date(),
    decimal: (cents: number): string => (cents / 100).toFixed(2),
    refundLines: false,
    forgetsCancelled: false,
    showsPastDate: false,
    chargeOverride: {} as PaypalBehavior["chargeOverride"],
    tokenSeconds: 32_400,
    isLagging: (one: PaypalFakeSubscription): boolean => one.lag-- > 0,
    /** Number of readings after an approval that show APPROVAL_PENDING. */
    lag: 0,
    webhookUrl: null as string | null,
    /** Whether the fake sends webhook events itself or leaves that to the test. */
    delivery: "manual" as "automatic" | "manual",

    revokeTokens() {
      fake.tokens = new Set();
    },

    async approve(subscription: string): Promise<PaypalFakeEvent[]> {
      const one = known(subscriptions, subscription);
      setStatus(one, "ACTIVE");
      one.lag = fake.lag;
      const sale = sell(one);
      setNextBilling(one);
      return emit(
        ["BILLING.SUBSCRIPTION.ACTIVATED", viewOf(fake, one)],
        ["PAYMENT.SALE.COMPLETED", saleView(fake, sale)],
      );
    },
    async renew(subscription: string): Promise<PaypalFakeEvent[]> {
      const one = known(subscriptions, subscription);
      setStatus(one, "ACTIVE");
      const sale = sell(one);
      setNextBilling(one);
      return emit(["PAYMENT.SALE.COMPLETED", saleView(fake, sale)]);
    },
    /** Fails to charge a month. PayPal retries, and its list of payments shows the attempt. */
    async failPayment(subscription: string): Promise<PaypalFakeEvent[]> {
      const one = known(subscriptions, subscription);
      sell(one, "denied");
      return emit(["BILLING.SUBSCRIPTION.PAYMENT.FAILED", viewOf(fake, one)]);
    },
    resume(subscription: string): Promise<PaypalFakeEvent[]> {
      const one = known(subscriptions, subscription);
      setStatus(one, "ACTIVE");
      return emit(["BILLING.SUBSCRIPTION.RE-ACTIVATED", viewOf(fake, one)]);
    },
    suspend: (subscription: string) => become(subscription, "SUSPENDED"),
    cancel: (subscription: string) => become(subscription, "CANCELLED"),
    expire: (subscription: string) => become(subscription, "EXPIRED"),
    /** Refunds the rest of a payment, or `cents` of it. */
    async refund(saleId: string, cents?: number): Promise<PaypalFakeEvent[]> {
      const sale = known(sales, saleId);
      const back = cents ?? sale.cents - sale.refunded;
      sale.refunded += back;
      sale.refundTime = fake.now();
      sale.state = sale.refunded >= sale.cents ? "refunded" : "partially_refunded";
      const refund = {
        id: newPaypalId("R"),
        sale_id: sale.id,
        state: "completed",
        amount: { total: decimalOf(fake, sale)(back), currency: sale.currency },
      };
      return emit(["PAYMENT.SALE.REFUNDED", refund]);
    },
    async reverse(saleId: string): Promise<PaypalFakeEvent[]> {
      const sale = known(sales, saleId);
      Object.assign(sale, { refunded: sale.cents, state: "refunded", refundTime: fake.now(), isReversed: true });
      const amount = { total: `-${decimalOf(fake, sale)(sale.cents)}`, currency: sale.currency };
      return emit(["PAYMENT.SALE.REVERSED", { ...saleView(fake, sale), amount }]);
    },
    /** Opens a dispute as the buyer. @returns the webhook event, whose resource has the dispute's id */
    async dispute(saleId: string): Promise<PaypalFakeEvent[]> {
      const dispute: PaypalFakeDispute = {
        dispute_id: newPaypalId("PP-D-"),
        status: "WAITING_FOR_SELLER_RESPONSE",
        update_time: fake.now().toISOString(),
        disputed_transactions: [{ seller_transaction_id: known(sales, saleId).id }],
      };
      disputes.set(dispute.dispute_id, dispute);
      return emit(["CUSTOMER.DISPUTE.CREATED", dispute]);
    },
    /** Decides a dispute. Only the dispute shows that the buyer got the money back. */
    async resolve(
      disputeId: string,
      favour: "BUYER" | "SELLER",
      outcome_code = `RESOLVED_${favour}_FAVOUR`,
    ): Promise<PaypalFakeEvent[]> {
      const before = disputes.get(disputeId)!;
      const dispute: PaypalFakeDispute = {
        ...before,
        status: "RESOLVED",
        update_time: fake.now().toISOString(),
        dispute_outcome: { outcome_code },
      };
      disputes.set(disputeId, dispute);
      return emit(["CUSTOMER.DISPUTE.RESOLVED", dispute]);
    },
    event: (event_type: string, resource: Record<string, unknown>): PaypalFakeEvent => ({
      id: `WH-${randomUUID()}`,
      event_type,
      create_time: fake.now().toISOString(),
      resource,
    }),

    /** Returns headers and body of a webhook event, signed as PayPal does by default. */
    signed(event: PaypalFakeEvent, { forged, certificate = "good", mutate }: PaypalWebhookOptions = {}) {
      const body = JSON.stringify(event);
      const transmissionId = randomUUID();
      const time = fake.now().toISOString();
      const { key } = testCertificate(forged === "key" ? "another" : certificate);
      const webhook = forged === "webhook id" ? "SOMEONEELSE" : webhookId;
      const signature = createSign("sha256")
        .update(`${transmissionId}|${time}|${webhook}|${crc32(body)}`)
        .sign(key, "base64");
      return {
        body: mutate ? mutate(body) : body,
        headers: {
          "paypal-transmission-id": transmissionId,
          "paypal-transmission-time": time,
          ...(forged === "missing" ? {} : { "paypal-transmission-sig": signature }),
          "paypal-cert-url": `${fake.url}/v1/notifications/certs/${certificate}`,
          "paypal-auth-algo": forged === "algorithm" ? "none" : "SHA256withRSA",
        } as Record<string, string>,
      };
    },
    /** Sends a webhook event, with a new signature each time. @returns the status, or 0 without a response */
    async send(event: PaypalFakeEvent, options: PaypalWebhookOptions = {}): Promise<number> {
      if (!fake.webhookUrl) throw new Error("Set webhookUrl before sending a webhook event.");
      const { body, headers } = fake.signed(event, options);
      return postWebhook(fake.webhookUrl, body, headers);
    },
  };
  return fake;
}
