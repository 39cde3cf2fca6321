import { createSign, randomBytes, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { crc32 } from "node:zlib";
import { type Issued, issueCertificate } from "./certificates.ts";
import {
  addMonths,
  type FakeAnswer,
  type FakeRequest,
  fakePage,
  html,
  postWebhook,
  repeat,
  startFakeServer,
} from "./fake-server.ts";

const DAY = 86_400_000;
const NAME = "messageverificationcerts.sandbox.paypal.com";

export type PaypalFakeSale = {
  id: string;
  cents: number;
  currency: string;
  time: Date;
  state: "completed" | "partially_refunded" | "refunded" | "pending" | "denied";
  refunded: number;
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
  certificate?: "good" | "alone" | "usurped" | "expired" | "stranger" | "misnamed" | "moved" | "gone" | "nonsense";
  /** Changes the body after it was signed. */
  mutate?: (body: string) => string;
};

/** One certificate authority for the process, since verifiers cache the roots they trust. */
let authority: { root: Issued; middle: Issued; certificates: Record<string, { key: Issued; pem: string }> } | undefined;
function testAuthority() {
  if (authority) return authority;
  const root = issueCertificate("Fake payments root", { authority: true });
  const middle = issueCertificate("Fake payments intermediate", { authority: true, by: root });
  const chain = (key: Issued, above: Issued | null = middle) => ({ key, pem: key.pem + (above?.pem ?? "") });
  const good = issueCertificate(NAME, { by: middle });
  const usurped = issueCertificate(NAME, { by: good });
  const stranger = issueCertificate("A root no one trusts", { authority: true });
  const past = { from: new Date(Date.now() - 30 * DAY), until: new Date(Date.now() - DAY) };
  authority = {
    root,
    middle,
    certificates: {
      good: chain(good),
      alone: chain(good, null),
      usurped: { key: usurped, pem: usurped.pem + good.pem + middle.pem },
      expired: chain(issueCertificate(NAME, { by: middle, ...past })),
      stranger: chain(issueCertificate(NAME, { by: stranger }), stranger),
      misnamed: chain(issueCertificate("paypal.com.example.org", { by: middle })),
      moved: chain(good),
      gone: chain(good),
      nonsense: chain(good),
    },
  };
  setDefaultCACertificates([...getCACertificates("default"), root.pem]);
  return authority;
}

export type PaypalFake = Awaited<ReturnType<typeof startPaypalFake>>;

/**
 * PayPal on a free port of this machine: its REST calls for subscriptions, its button and its approval window. It holds the
 * provider's state; methods change it and return the webhook events that PayPal would send. Once started, this process
 * trusts its certificate authority; other processes do with `NODE_EXTRA_CA_CERTS` of its `environment`.
 */
export async function startPaypalFake({ clientId = "fake-client", clientSecret = "fake-secret" } = {}) {
  const webhookId = `WH-FAKE-${randomUUID()}`;
  const plans: Record<string, { cents: number; currency: string; once: boolean; name: string }> = {
    "P-FAKEMONTHLY": { cents: 499, currency: "USD", once: false, name: "Mensual" },
    "P-FAKELIFETIME": { cents: 4999, currency: "USD", once: true, name: "Lifetime" },
  };
  const { certificates, root } = testAuthority();
  const subscriptions = new Map<string, PaypalFakeSubscription>();
  const sales = new Map<string, PaypalFakeSale>();
  const disputes = new Map<string, Record<string, unknown>>();
  const events: PaypalFakeEvent[] = [];
  const replays = new Map<string, FakeAnswer>();
  let tokens = new Set<string>();
  const folder = mkdtempSync(join(tmpdir(), "divan-fake-paypal-"));
  const rootFile = join(folder, "root.pem");
  writeFileSync(rootFile, root.pem);

  const id = (prefix: string) => prefix + randomBytes(8).toString("hex").toUpperCase();
  const money = (cents: number, currency: string) => ({ currency_code: currency, value: fake.decimal(cents) });
  const olderMoney = (cents: number, currency: string) => ({ total: fake.decimal(cents), currency });
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

  function viewOf(one: PaypalFakeSubscription, lagging = false) {
    const waiting = lagging || one.status === "APPROVAL_PENDING";
    const last = one.sales.filter((sale) => sale.state !== "denied" && sale.state !== "pending").at(-1);
    const plan = plans[one.plan_id];
    const paid = one.sales.length;
    return {
      id: one.id,
      plan_id: one.plan_id,
      custom_id: one.custom_id,
      status: waiting ? "APPROVAL_PENDING" : one.status,
      status_update_time: one.status_update_time.toISOString(),
      create_time: one.create_time.toISOString(),
      start_time: one.create_time.toISOString(),
      plan_overridden: one.plan_overridden,
      quantity: one.quantity,
      ...(waiting
        ? {}
        : {
            subscriber: { email_address: "comprador@example.com", payer_id: "FAKEPAYER" },
            billing_info: {
              outstanding_balance: money(0, plan?.currency ?? "USD"),
              cycle_executions: [
                {
                  tenure_type: "REGULAR",
                  sequence: 1,
                  cycles_completed: paid,
                  cycles_remaining: 0,
                  total_cycles: plan?.once ? 1 : 0,
                },
              ],
              ...(last && {
                last_payment: { amount: money(last.cents, last.currency), time: last.time.toISOString() },
              }),
              // PayPal omits it once nothing more will be charged.
              ...(one.next_billing_time &&
                one.status !== "CANCELLED" &&
                one.status !== "EXPIRED" && { next_billing_time: one.next_billing_time.toISOString() }),
              failed_payments_count: one.failed_payments_count,
            },
          }),
      links: [{ rel: "self", href: `${fake.url}/v1/billing/subscriptions/${one.id}`, method: "GET" }],
    };
  }
  const saleView = (sale: PaypalFakeSale) => ({
    id: sale.id,
    state: sale.state,
    amount: olderMoney(sale.cents, sale.currency),
    billing_agreement_id: sale.subscription,
    create_time: sale.time.toISOString(),
    update_time: fake.now().toISOString(),
  });

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
    const sale = { id: id("S"), cents, currency, time: fake.now(), state, refunded: 0, subscription: one.id };
    sales.set(sale.id, sale);
    one.sales.push(sale);
    return sale;
  }

  const error = (status: number, name: string, issue?: string): FakeAnswer => ({
    status,
    headers: { "paypal-debug-id": "fakedebug0001" },
    body: {
      name,
      message: "Buyer comprador@example.com could not be served.",
      debug_id: "fakedebug0001",
      ...(issue && { details: [{ issue, description: "comprador@example.com" }] }),
    },
  });

  async function rest(request: FakeRequest): Promise<FakeAnswer> {
    const { method, path, query, headers, body } = request;
    if (path === "/v1/oauth2/token" && method === "POST") {
      const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`;
      if (headers.authorization !== basic || body !== "grant_type=client_credentials")
        return { status: 401, body: { error: "invalid_client", error_description: "Client Authentication failed" } };
      const access_token = `A21-fake-${randomUUID()}`;
      tokens.add(access_token);
      return {
        status: 200,
        body: {
          scope: "https://uri.paypal.com/services/subscriptions",
          access_token,
          token_type: "Bearer",
          app_id: "APP-FAKE",
          expires_in: fake.tokenSeconds,
          nonce: randomUUID(),
        },
      };
    }
    if (!tokens.has(headers.authorization?.replace("Bearer ", "") ?? "")) return error(401, "AUTHENTICATION_FAILURE");

    if (path === "/v1/billing/subscriptions" && method === "POST") {
      const requestId = headers["paypal-request-id"] as string | undefined;
      const replay = requestId && replays.get(requestId);
      if (replay) return replay;
      const asked = JSON.parse(body) as {
        plan_id: string;
        custom_id: string;
        application_context?: { return_url?: string; cancel_url?: string };
      };
      if (!plans[asked.plan_id]) return error(404, "RESOURCE_NOT_FOUND", "INVALID_RESOURCE_ID");
      const one: PaypalFakeSubscription = {
        id: id("I-FAKE"),
        plan_id: asked.plan_id,
        custom_id: asked.custom_id,
        status: "APPROVAL_PENDING",
        plan_overridden: false,
        quantity: "1",
        create_time: fake.now(),
        status_update_time: fake.now(),
        next_billing_time: null,
        failed_payments_count: 0,
        sales: [],
        lag: 0,
        return_url: asked.application_context?.return_url ?? null,
        cancel_url: asked.application_context?.cancel_url ?? null,
      };
      subscriptions.set(one.id, one);
      const made: FakeAnswer = {
        status: 201,
        body: {
          ...viewOf(one),
          links: [{ rel: "approve", href: `${fake.url}/checkoutnow?id=${one.id}&alone=1`, method: "GET" }],
        },
      };
      if (requestId) replays.set(requestId, made);
      await emit(["BILLING.SUBSCRIPTION.CREATED", viewOf(one)]);
      return made;
    }

    const [, subscriptionId, action] = /^\/v1\/billing\/subscriptions\/([^/]+)(?:\/(\w+))?$/.exec(path) ?? [];
    if (subscriptionId) {
      const one = subscriptions.get(decodeURIComponent(subscriptionId));
      if (!one) return error(404, "RESOURCE_NOT_FOUND", "INVALID_RESOURCE_ID");
      if (!action && method === "GET") return { status: 200, body: viewOf(one, one.lag-- > 0) };
      if (action === "transactions" && method === "GET") {
        const from = new Date(query.get("start_time") ?? "");
        const to = new Date(query.get("end_time") ?? "");
        const inside = one.sales.filter(({ time }) => time >= from && time <= to);
        const status = (sale: PaypalFakeSale) => (sale.state === "denied" ? "DECLINED" : sale.state.toUpperCase());
        const transactions = inside.map((sale) => ({
          id: sale.id,
          status: status(sale),
          payer_email: "comprador@example.com",
          time: sale.time.toISOString(),
          amount_with_breakdown: { gross_amount: money(sale.cents, sale.currency) },
        }));
        return { status: 200, body: { transactions, total_items: transactions.length, total_pages: 1 } };
      }
      if (action === "cancel" && method === "POST") {
        if (one.status !== "ACTIVE" && one.status !== "SUSPENDED")
          return error(422, "UNPROCESSABLE_ENTITY", "SUBSCRIPTION_STATUS_INVALID");
        await fake.cancel(one.id);
        return { status: 204 };
      }
    }

    const [, kind, thing] = /^\/v1\/(payments\/sale|customer\/disputes)\/([^/]+)$/.exec(path) ?? [];
    if (kind && method === "GET") {
      const sale = sales.get(thing!);
      const found = kind === "payments/sale" ? sale && saleView(sale) : disputes.get(thing!);
      return found ? { status: 200, body: found } : error(404, "RESOURCE_NOT_FOUND");
    }

    if (path === "/v1/notifications/webhooks-events" && method === "GET") {
      const from = new Date(query.get("start_time") ?? 0);
      const to = new Date(query.get("end_time") ?? 8.64e15);
      const size = Number(query.get("page_size") ?? 10);
      const page = Number(query.get("page") ?? 1);
      const inside = events.filter((event) => new Date(event.create_time) >= from && new Date(event.create_time) <= to);
      const here = inside.slice((page - 1) * size, page * size);
      const next = new URLSearchParams(query);
      next.set("page", String(page + 1));
      const href = `${fake.url}${path}?${next}`;
      const links = inside.length > page * size ? [{ rel: "next", href, method: "GET" }] : [];
      return { status: 200, body: { events: here, count: here.length, links } };
    }
    if (path === "/v1/notifications/verify-webhook-signature" && method === "POST") {
      const raw = body.slice(body.indexOf('"webhook_event":') + '"webhook_event":'.length, -1);
      const told = JSON.parse(body) as Record<string, string>;
      const right = signatures.has(`${told.transmission_id}|${told.webhook_id}|${crc32(raw)}|${told.transmission_sig}`);
      return { status: 200, body: { verification_status: right ? "SUCCESS" : "FAILURE" } };
    }
    return error(404, "RESOURCE_NOT_FOUND");
  }

  /** The signatures that the fake has made, for its own verification. */
  const signatures = new Set<string>();

  function certificate(name: string): FakeAnswer {
    const headers = { "content-type": "application/x-pem-file" };
    if (name === "moved") return { status: 302, headers: { location: `${fake.url}/v1/notifications/certs/good` } };
    if (name === "nonsense") return { status: 200, headers, body: "no certificate" };
    const found = name === "gone" ? undefined : certificates[name];
    return found ? { status: 200, headers, body: found.pem } : error(404, "RESOURCE_NOT_FOUND");
  }

  /** The approval page, opened in a window by the button, or in the tab by the link of the subscription. */
  async function pages({ method, path, query, body }: FakeRequest): Promise<FakeAnswer | null> {
    if (path === "/sdk/js") return { status: 200, headers: { "content-type": "text/javascript" }, body: buttonScript };
    if (path === "/sdk/logo.svg")
      return {
        status: 200,
        headers: { "content-type": "image/svg+xml" },
        body: '<svg xmlns="http://www.w3.org/2000/svg"/>',
      };
    if (path === "/sdk/frame") return { status: 200, body: "<!doctype html><title>PayPal</title>" };
    if (path === "/sdk/log") return { status: 204, headers: { "access-control-allow-origin": "*" } };
    if (path === "/checkoutnow" && method === "GET") {
      const one = subscriptions.get(query.get("id") ?? "");
      if (!one)
        return { status: 200, body: fakePage("PayPal", "#003087", "Un momento", "<main><p>Cargando…</p></main>") };
      const plan = plans[one.plan_id]!;
      const hidden = `<input type="hidden" name="id" value="${html(one.id)}"><input type="hidden" name="alone" value="${html(query.get("alone"))}">`;
      return {
        status: 200,
        body: fakePage(
          "PayPal",
          "#003087",
          "Suscribirse",
          `<main><h1>Membresía, ${html(plan.name)}</h1><p class="sum">${fake.decimal(plan.cents)} ${plan.currency}</p>
<p>${plan.once ? "Un solo pago." : "Cada mes, hasta que canceles."} Pagas como comprador@example.com.</p>
<form method="post" action="/checkoutnow">${hidden}<button class="first" name="decision" value="approved">Suscribirse</button>
<button name="decision" value="cancelled">Cancelar y volver</button></form></main>`,
        ),
      };
    }
    if (path === "/checkoutnow" && method === "POST") {
      const form = new URLSearchParams(body);
      const one = known(form.get("id") ?? "");
      const approved = form.get("decision") === "approved";
      if (approved && one.status === "APPROVAL_PENDING") await fake.approve(one.id);
      const back = approved ? one.return_url : one.cancel_url;
      if (form.get("alone") && back) {
        const location = new URL(back);
        location.searchParams.set("subscription_id", one.id);
        return { status: 303, headers: { location: location.href } };
      }
      const message = JSON.stringify({ fakePaypal: approved ? "approved" : "cancelled", id: one.id });
      return {
        status: 200,
        body: fakePage(
          "PayPal",
          "#003087",
          "Listo",
          `<main><h1>Listo</h1><p>Puedes cerrar esta ventana.</p></main>
<script>
  // The opener checks whether the window is closed, and must know the outcome by then.
  addEventListener("message", ({ source, data }) => { if (source === opener && data.fakePaypal === "heard") close(); });
  if (opener) opener.postMessage(${message}, "*"); else close();
</script>`,
        ),
      };
    }
    if (path === "/" && method === "GET") return { status: 200, body: panel() };
    const [, action, which] = /^\/panel\/(\w+)\/([\w-]+)$/.exec(path) ?? [];
    if (action && method === "POST") {
      const moves = { approve: 1, renew: 1, failPayment: 1, suspend: 1, cancel: 1, expire: 1, refund: 1, reverse: 1 };
      if (action in moves) await fake[action as keyof typeof moves](which!);
      return { status: 303, headers: { location: "/" } };
    }
    return null;
  }
  /** For `npm run dev`: everything that can happen at PayPal, as buttons. */
  function panel(): string {
    const button = (action: string, which: string, label: string) =>
      `<form method="post" action="/panel/${action}/${which}"><button>${label}</button></form>`;
    const rows = [...subscriptions.values()].map((one) => {
      const last = one.sales.at(-1);
      return `<tr><td><code>${one.id}</code><br>${plans[one.plan_id]!.name}</td><td>${one.status}</td><td>${one.sales
        .map((sale) => `${fake.decimal(sale.cents)} ${sale.currency} ${sale.state}`)
        .join(
          "<br>",
        )}</td><td>${button("approve", one.id, "Aprobar")}${button("renew", one.id, "Cobrar un mes")}${button(
        "failPayment",
        one.id,
        "Cobro fallido",
      )}${button("suspend", one.id, "Suspender")}${button("cancel", one.id, "Cancelar")}${button("expire", one.id, "Vencer")}${
        last ? button("refund", last.id, "Reembolsar") + button("reverse", last.id, "Contracargo") : ""
      }</td></tr>`;
    });
    return fakePage(
      "PayPal",
      "#003087",
      "Panel",
      `<main class="wide"><h1>Suscripciones</h1><p>Cada botón mueve la verdad de PayPal y envía el aviso.</p><table>${rows.join("")}</table></main>`,
    );
  }

  const server = await startFakeServer(async (request) => {
    const [, name] = /^\/v1\/notifications\/certs\/(\w+)$/.exec(request.path) ?? [];
    if (name) return certificate(name);
    return (await pages(request)) ?? rest(request);
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
      PAYPAL_PLAN_MONTHLY: "P-FAKEMONTHLY",
      PAYPAL_PLAN_LIFETIME: "P-FAKELIFETIME",
      PAYPAL_API_BASE: server.url,
      PAYPAL_SDK_BASE: server.url,
      NODE_EXTRA_CA_CERTS: rootFile,
    },
    subscriptions,
    sales,
    events,
    plans,

    /** The provider's clock; tests may replace it. */
    now: (): Date => new Date(),
    /** How amounts are written; PayPal also sends "60.0". */
    decimal: (cents: number): string => (cents / 100).toFixed(2),
    tokenSeconds: 32_400,
    /** How many readings after an approval show APPROVAL_PENDING. */
    lag: 0,
    /** Charged instead of the plan's price. */
    chargeOverride: {} as { cents?: number; currency?: string },
    /** The address that webhook events are posted to. */
    webhookUrl: null as string | null,
    /** Whether webhook events are sent when something happens, or by the test. */
    delivery: "manual" as "automatic" | "manual",

    /** Invalidates every token given so far. */
    revokeTokens() {
      tokens = new Set();
    },

    /** The buyer approves and pays at once. */
    async approve(subscription: string) {
      const one = known(subscription);
      setStatus(one, "ACTIVE");
      one.lag = fake.lag;
      const sale = sell(one);
      one.next_billing_time = plans[one.plan_id]!.once ? null : nextBilling(fake.now());
      return emit(["BILLING.SUBSCRIPTION.ACTIVATED", viewOf(one)], ["PAYMENT.SALE.COMPLETED", saleView(sale)]);
    },
    /** Another month is paid. */
    async renew(subscription: string) {
      const one = known(subscription);
      setStatus(one, "ACTIVE");
      const sale = sell(one);
      one.next_billing_time = nextBilling(one.next_billing_time ?? fake.now());
      return emit(["PAYMENT.SALE.COMPLETED", saleView(sale)]);
    },
    /** A month could not be charged; PayPal retries. */
    async failPayment(subscription: string) {
      const one = known(subscription);
      one.failed_payments_count++;
      return emit(["BILLING.SUBSCRIPTION.PAYMENT.FAILED", viewOf(one)]);
    },
    async suspend(subscription: string) {
      const one = known(subscription);
      setStatus(one, "SUSPENDED");
      return emit(["BILLING.SUBSCRIPTION.SUSPENDED", viewOf(one)]);
    },
    /** Cancelled by the buyer at PayPal, or by a call. */
    async cancel(subscription: string) {
      const one = known(subscription);
      setStatus(one, "CANCELLED");
      return emit(["BILLING.SUBSCRIPTION.CANCELLED", viewOf(one)]);
    },
    async expire(subscription: string) {
      const one = known(subscription);
      setStatus(one, "EXPIRED");
      return emit(["BILLING.SUBSCRIPTION.EXPIRED", viewOf(one)]);
    },
    /** Refunds all that is left, or some cents. */
    async refund(saleId: string, cents?: number) {
      const sale = knownSale(saleId);
      const back = cents ?? sale.cents - sale.refunded;
      sale.refunded += back;
      sale.state = sale.refunded >= sale.cents ? "refunded" : "partially_refunded";
      const refund = { id: id("R"), sale_id: sale.id, state: "completed", amount: olderMoney(back, sale.currency) };
      return emit(["PAYMENT.SALE.REFUNDED", refund]);
    },
    /** PayPal reverses a payment. */
    async reverse(saleId: string) {
      const sale = knownSale(saleId);
      sale.refunded = sale.cents;
      sale.state = "refunded";
      const amount = { total: `-${fake.decimal(sale.cents)}`, currency: sale.currency };
      return emit(["PAYMENT.SALE.REVERSED", { ...saleView(sale), amount }]);
    },
    /** The buyer opens a dispute. Returns the webhook event; the dispute's id is in its resource. */
    async dispute(saleId: string) {
      const dispute = {
        dispute_id: id("PP-D-"),
        status: "WAITING_FOR_SELLER_RESPONSE",
        update_time: fake.now().toISOString(),
        disputed_transactions: [{ seller_transaction_id: knownSale(saleId).id }],
      };
      disputes.set(dispute.dispute_id, dispute);
      return emit(["CUSTOMER.DISPUTE.CREATED", dispute]);
    },
    /** PayPal decides a dispute; for the buyer it refunds the payment. */
    async resolve(disputeId: string, favour: "BUYER" | "SELLER", outcome_code = `RESOLVED_${favour}_FAVOUR`) {
      const before = disputes.get(disputeId)!;
      const dispute = {
        ...before,
        status: "RESOLVED",
        update_time: fake.now().toISOString(),
        dispute_outcome: { outcome_code },
      };
      disputes.set(disputeId, dispute);
      const [{ seller_transaction_id: saleId }] = before.disputed_transactions as [{ seller_transaction_id: string }];
      if (favour === "BUYER")
        Object.assign(knownSale(saleId), { state: "refunded", refunded: knownSale(saleId).cents });
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
      const key = forged === "key" ? certificates.stranger!.key : certificates[certificate]!.key;
      const webhook = forged === "webhook id" ? "WH-SOMEONE-ELSE" : webhookId;
      const signature = createSign("sha256")
        .update(`${transmissionId}|${time}|${webhook}|${crc32(body)}`)
        .sign(key.key, "base64");
      if (!forged) signatures.add(`${transmissionId}|${webhook}|${crc32(body)}|${signature}`);
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
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return fake;
}

/**
 * The part of PayPal's script that is used: a button that opens PayPal's window, asks the page for a subscription, and
 * reports how that ended.
 */
const buttonScript = `(() => {
  const origin = new URL(document.currentScript.src).origin;
  const nonce = document.currentScript.getAttribute("data-csp-nonce");
  // Everything in PayPal's script that a page's policy may forbid: a style, a picture, a frame, a call, an inline script.
  const furnish = (element) => {
    const style = document.createElement("style");
    style.textContent = ".fake-paypal{display:block}";
    const picture = new Image(1, 1);
    picture.src = origin + "/sdk/logo.svg";
    picture.alt = "";
    const frame = document.createElement("iframe");
    frame.src = origin + "/sdk/frame";
    frame.title = "PayPal";
    frame.hidden = true;
    const inline = document.createElement("script");
    inline.nonce = nonce;
    inline.textContent = "document.documentElement.dataset.paypalInline = 'ran'";
    element.append(style, picture, frame, inline);
    void fetch(origin + "/sdk/log").catch(() => {});
  };
  window.paypal = {
    version: "fake",
    Buttons(options) {
      let button = null;
      let watching = 0;
      const error = (problem) => { if (options.onError) options.onError(problem); };
      const press = () => {
        const popup = window.open(origin + "/checkoutnow", "paypal_window", "popup,width=500,height=640");
        if (!popup) return error(new Error("The window was blocked."));
        const end = (what) => {
          window.removeEventListener("message", hear);
          clearInterval(watching);
          what();
        };
        let id = null;
        const hear = (event) => {
          if (event.origin !== origin || event.source !== popup || !event.data || event.data.id !== id) return;
          popup.postMessage({ fakePaypal: "heard" }, origin);
          if (event.data.fakePaypal === "approved")
            end(() => Promise.resolve(options.onApprove({ subscriptionID: id, orderID: "" }, {})).catch(error));
          if (event.data.fakePaypal === "cancelled") end(() => options.onCancel && options.onCancel({}));
        };
        Promise.resolve()
          .then(() => options.createSubscription({}, {}))
          .then((made) => {
            if (typeof made !== "string" || !made) throw new Error("There is no subscription.");
            id = made;
            window.addEventListener("message", hear);
            popup.location = origin + "/checkoutnow?id=" + encodeURIComponent(id);
            watching = setInterval(() => { if (popup.closed) end(() => options.onCancel && options.onCancel({})); }, 500);
          })
          .catch((problem) => { popup.close(); error(problem); });
      };
      return {
        isEligible: () => true,
        render(target) {
          const element = typeof target === "string" ? document.querySelector(target) : target;
          button = document.createElement("button");
          button.type = "button";
          button.textContent = "PayPal · Suscribirse";
          button.setAttribute("style", "display:block;width:100%;min-height:48px;border:0;border-radius:24px;background:#ffc439;color:#111;font:600 1rem system-ui;cursor:pointer");
          button.addEventListener("click", press);
          furnish(element);
          element.append(button);
          return Promise.resolve();
        },
        close() { if (button) button.parentElement.replaceChildren(); button = null; clearInterval(watching); return Promise.resolve(); },
        updateProps(more) { Object.assign(options, more); return Promise.resolve(); },
      };
    },
  };
})();`;
