import { createSign, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { addMonths, type FakeAnswer, postWebhook, repeat, startFakeServer } from "./fake-server.ts";
import { openContract } from "./openapi/contract.ts";
import { type TestCertificate, testAuthority } from "./paypal-certificates.ts";
import { paypalPage } from "./paypal-pages.ts";
import { error, newPaypalId, paypalCall, saleView, viewOf } from "./paypal-rest.ts";

export type PaypalFakeSale = {
  id: string;
  cents: number;
  currency: string;
  time: Date;
  state: "completed" | "partially_refunded" | "refunded" | "pending" | "denied";
  refunded: number;
  /** Of its last refund. */
  refundTime?: Date;
  subscription: string;
};
/** A subscription as PayPal has it. Tests may change any field. */
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
  failed_payments_count: number;
  sales: PaypalFakeSale[];
  /** How many more readings show APPROVAL_PENDING. */
  lag: number;
  return_url: string | null;
  cancel_url: string | null;
};
export type PaypalFakeEvent = {
  id: string;
  event_type: string;
  create_time: string;
  resource: Record<string, unknown>;
};

export type PaypalWebhookOptions = {
  times?: number;
  /** In parallel instead of one after another. */
  parallel?: boolean;
  /** How the signature is wrong; valid by default. */
  forged?: "key" | "webhook id" | "algorithm" | "missing" | "certificate host" | "certificate path";
  /**
   * The certificate that is named and signed with. `alone` comes without the intermediate one, `moved` is a redirect,
   * `usurped` was issued by a good certificate that is no authority.
   */
  certificate?: TestCertificate;
  /** Changes the body after it was signed. */
  mutate?: (body: string) => string;
};

export type PaypalFake = Awaited<ReturnType<typeof startPaypalFake>>;

/**
 * PayPal on a free port of this machine: its REST calls for subscriptions, its button and its approval window. It holds the
 * provider's state; methods change it and return the webhook events that PayPal would send. Once started, this process
 * trusts its certificate authority; other processes do with `NODE_EXTRA_CA_CERTS` of its `environment`.
 */
export async function startPaypalFake({ clientId = "fake-client", clientSecret = "fake-secret" } = {}) {
  const webhookId = newPaypalId("W");
  const plans: Record<string, { cents: number; currency: string; once: boolean; name: string }> = {
    "P-FAKEMONTHLY0000000000000": { cents: 499, currency: "USD", once: false, name: "Mensual" },
    "P-FAKELIFETIME000000000000": { cents: 4999, currency: "USD", once: true, name: "Lifetime" },
  };
  const { certificate: issued, isCertificate, root } = testAuthority();
  const subscriptions = new Map<string, PaypalFakeSubscription>();
  const sales = new Map<string, PaypalFakeSale>();
  const disputes = new Map<string, Record<string, unknown>>();
  const events: PaypalFakeEvent[] = [];
  const folder = mkdtempSync(join(tmpdir(), "divan-fake-paypal-"));
  const rootFile = join(folder, "root.pem");
  writeFileSync(rootFile, root.pem);

  const known = (subscription: string) => {
    const found = subscriptions.get(subscription);
    if (!found) throw new Error(`The fake has no subscription ${subscription}.`);
    return found;
  };
  const knownSale = (sale: string) => {
    const found = sales.get(sale);
    if (!found) throw new Error(`The fake has no sale ${sale}.`);
    return found;
  };

  /** Records events as PayPal lists them, and sends them in automatic delivery. */
  async function emit(...made: [type: string, resource: Record<string, unknown>][]): Promise<PaypalFakeEvent[]> {
    const written = made.map(([event_type, resource]) => ({
      id: `WH-${randomUUID()}`,
      event_version: "1.0",
      create_time: fake.now().toISOString(),
      event_type,
      resource,
    }));
    events.push(...written);
    if (fake.delivery === "automatic") for (const event of written) await fake.send(event);
    return written;
  }
  function setStatus(one: PaypalFakeSubscription, status: PaypalFakeSubscription["status"]) {
    one.status = status;
    one.status_update_time = fake.now();
  }
  function nextBilling(from: Date): Date {
    const next = addMonths(from, 1);
    next.setUTCHours(10, 0, 0, 0);
    return next;
  }
  function sell(one: PaypalFakeSubscription, state: PaypalFakeSale["state"] = "completed"): PaypalFakeSale {
    const { cents, currency } = { ...plans[one.plan_id]!, ...fake.chargeOverride };
    const sale = { id: newPaypalId("S"), cents, currency, time: fake.now(), state, refunded: 0, subscription: one.id };
    sales.set(sale.id, sale);
    one.sales.push(sale);
    return sale;
  }

  function certificate(name: string): FakeAnswer {
    const headers = { "content-type": "application/x-pem-file" };
    if (name === "moved") return { status: 302, headers: { location: `${fake.url}/v1/notifications/certs/good` } };
    if (name === "nonsense") return { status: 200, headers, body: "no certificate" };
    if (name === "gone" || !isCertificate(name)) return error(404, "RESOURCE_NOT_FOUND");
    return { status: 200, headers, body: issued(name).pem };
  }

  const server = await startFakeServer(openContract("paypal"), async (request) => {
    const [, name] = /^\/v1\/notifications\/certs\/(\w+)$/.exec(request.path) ?? [];
    if (name) return certificate(name);
    return (await paypalPage(fake, request)) ?? paypalCall(fake, request);
  });

  const fake = {
    ...server,
    clientId,
    clientSecret,
    webhookId,
    trustedRoot: root.pem,
    /** The environment of a server that uses this fake. */
    environment: {
      PAYPAL_CLIENT_ID: clientId,
      PAYPAL_CLIENT_SECRET: clientSecret,
      PAYPAL_WEBHOOK_ID: webhookId,
      PAYPAL_PLAN_MONTHLY: "P-FAKEMONTHLY0000000000000",
      PAYPAL_PLAN_LIFETIME: "P-FAKELIFETIME000000000000",
      PAYPAL_API_BASE: server.url,
      PAYPAL_SDK_BASE: server.url,
      NODE_EXTRA_CA_CERTS: rootFile,
    },
    subscriptions,
    sales,
    disputes,
    events,
    plans,
    known,
    emit,
    /** The answers to calls with a request id. */
    replays: new Map<string, FakeAnswer>(),
    /** The tokens that are valid. */
    tokens: new Set<string>(),
    /** The signatures that the fake has made, for its own verification. */
    signatures: new Set<string>(),

    /** The provider's clock; tests may replace it. */
    now: (): Date => new Date(),
    /** How amounts are written; PayPal also sends "60.0". */
    decimal: (cents: number): string => (cents / 100).toFixed(2),
    tokenSeconds: 32_400,
    /** How many readings after an approval show APPROVAL_PENDING. */
    lag: 0,
    /** Refunds are lines of their own in the list of payments, and the sale's line stays as it was. */
    refundLines: false,
    /** Cancelled subscriptions are answered with 404. */
    forgetsCancelled: false,
    /** Charged instead of the plan's price. */
    chargeOverride: {} as { cents?: number; currency?: string },
    /** The address that webhook events are posted to. */
    webhookUrl: null as string | null,
    /** Whether webhook events are sent when something happens, or by the test. */
    delivery: "manual" as "automatic" | "manual",

    /** Invalidates every token given so far. */
    revokeTokens() {
      fake.tokens = new Set();
    },

    /** The buyer approves and pays at once. */
    async approve(subscription: string): Promise<PaypalFakeEvent[]> {
      const one = known(subscription);
      setStatus(one, "ACTIVE");
      one.lag = fake.lag;
      const sale = sell(one);
      one.next_billing_time = plans[one.plan_id]!.once ? null : nextBilling(fake.now());
      return emit(
        ["BILLING.SUBSCRIPTION.ACTIVATED", viewOf(fake, one)],
        ["PAYMENT.SALE.COMPLETED", saleView(fake, sale)],
      );
    },
    /** Another month is paid. */
    async renew(subscription: string): Promise<PaypalFakeEvent[]> {
      const one = known(subscription);
      setStatus(one, "ACTIVE");
      const sale = sell(one);
      one.next_billing_time = nextBilling(one.next_billing_time ?? fake.now());
      return emit(["PAYMENT.SALE.COMPLETED", saleView(fake, sale)]);
    },
    /** A month could not be charged; PayPal retries. The list of payments shows the attempt. */
    async failPayment(subscription: string): Promise<PaypalFakeEvent[]> {
      const one = known(subscription);
      sell(one, "denied");
      one.failed_payments_count++;
      return emit(["BILLING.SUBSCRIPTION.PAYMENT.FAILED", viewOf(fake, one)]);
    },
    async suspend(subscription: string): Promise<PaypalFakeEvent[]> {
      const one = known(subscription);
      setStatus(one, "SUSPENDED");
      return emit(["BILLING.SUBSCRIPTION.SUSPENDED", viewOf(fake, one)]);
    },
    /** Cancelled by the buyer at PayPal, or by a call. */
    async cancel(subscription: string): Promise<PaypalFakeEvent[]> {
      const one = known(subscription);
      setStatus(one, "CANCELLED");
      return emit(["BILLING.SUBSCRIPTION.CANCELLED", viewOf(fake, one)]);
    },
    async expire(subscription: string): Promise<PaypalFakeEvent[]> {
      const one = known(subscription);
      setStatus(one, "EXPIRED");
      return emit(["BILLING.SUBSCRIPTION.EXPIRED", viewOf(fake, one)]);
    },
    /** Refunds all that is left, or some cents. */
    async refund(saleId: string, cents?: number): Promise<PaypalFakeEvent[]> {
      const sale = knownSale(saleId);
      const back = cents ?? sale.cents - sale.refunded;
      sale.refunded += back;
      sale.refundTime = fake.now();
      sale.state = sale.refunded >= sale.cents ? "refunded" : "partially_refunded";
      const refund = {
        id: newPaypalId("R"),
        sale_id: sale.id,
        state: "completed",
        amount: { total: fake.decimal(back), currency: sale.currency },
      };
      return emit(["PAYMENT.SALE.REFUNDED", refund]);
    },
    /** PayPal reverses a payment. */
    async reverse(saleId: string): Promise<PaypalFakeEvent[]> {
      const sale = knownSale(saleId);
      Object.assign(sale, { refunded: sale.cents, state: "refunded", refundTime: fake.now() });
      const amount = { total: `-${fake.decimal(sale.cents)}`, currency: sale.currency };
      return emit(["PAYMENT.SALE.REVERSED", { ...saleView(fake, sale), amount }]);
    },
    /** The buyer opens a dispute. Returns the webhook event; the dispute's id is in its resource. */
    async dispute(saleId: string): Promise<PaypalFakeEvent[]> {
      const dispute = {
        dispute_id: newPaypalId("PP-D-"),
        status: "WAITING_FOR_SELLER_RESPONSE",
        update_time: fake.now().toISOString(),
        disputed_transactions: [{ seller_transaction_id: knownSale(saleId).id }],
      };
      disputes.set(dispute.dispute_id, dispute);
      return emit(["CUSTOMER.DISPUTE.CREATED", dispute]);
    },
    /** PayPal decides a dispute; for the buyer it refunds the payment. */
    async resolve(
      disputeId: string,
      favour: "BUYER" | "SELLER",
      outcome_code = `RESOLVED_${favour}_FAVOUR`,
    ): Promise<PaypalFakeEvent[]> {
      const before = disputes.get(disputeId)!;
      const dispute = {
        ...before,
        status: "RESOLVED",
        update_time: fake.now().toISOString(),
        dispute_outcome: { outcome_code },
      };
      disputes.set(disputeId, dispute);
      const [{ seller_transaction_id: saleId }] = before.disputed_transactions as [{ seller_transaction_id: string }];
      if (favour === "BUYER") {
        const sale = knownSale(saleId);
        Object.assign(sale, { state: "refunded", refunded: sale.cents, refundTime: fake.now() });
      }
      return emit(["CUSTOMER.DISPUTE.RESOLVED", dispute]);
    },
    /** Any other webhook event. */
    event: (event_type: string, resource: Record<string, unknown>): PaypalFakeEvent => ({
      id: `WH-${randomUUID()}`,
      event_type,
      create_time: fake.now().toISOString(),
      resource,
    }),

    /** Headers and body of a webhook event, signed as PayPal does by default. */
    signed(event: PaypalFakeEvent, { forged, certificate = "good", mutate }: PaypalWebhookOptions = {}) {
      const body = JSON.stringify(event);
      const transmissionId = randomUUID();
      const time = fake.now().toISOString();
      const key = forged === "key" ? issued("stranger").key : issued(certificate).key;
      const webhook = forged === "webhook id" ? "SOMEONEELSE" : webhookId;
      const signature = createSign("sha256")
        .update(`${transmissionId}|${time}|${webhook}|${crc32(body)}`)
        .sign(key.key, "base64");
      if (!forged) fake.signatures.add(`${transmissionId}|${webhook}|${crc32(body)}|${signature}`);
      const host = forged === "certificate host" ? "http://localhost:9" : fake.url;
      const folder = forged === "certificate path" ? "/certs" : "/v1/notifications/certs";
      return {
        body: mutate ? mutate(body) : body,
        headers: {
          "paypal-transmission-id": transmissionId,
          "paypal-transmission-time": time,
          ...(forged === "missing" ? {} : { "paypal-transmission-sig": signature }),
          "paypal-cert-url": `${host}${folder}/${certificate}`,
          "paypal-auth-algo": forged === "algorithm" ? "none" : "SHA256withRSA",
        } as Record<string, string>,
      };
    },
    /** Sends a webhook event, signed again each time as PayPal does. Returns the statuses, 0 without an answer. */
    async send(event: PaypalFakeEvent, options: PaypalWebhookOptions = {}): Promise<number[]> {
      const { times = 1, parallel = false } = options;
      const url = fake.webhookUrl;
      if (!url) throw new Error("The fake does not know where to send: set webhookUrl.");
      return repeat(times, parallel, () => {
        const { body, headers } = fake.signed(event, options);
        return postWebhook(url, body, headers);
      });
    },
    async close() {
      rmSync(folder, { recursive: true, force: true });
      await server.close();
    },
  };
  return fake;
}
