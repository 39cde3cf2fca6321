import { createHmac, randomBytes, randomUUID } from "node:crypto";
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

const HOUR = 3_600_000;
const BLUE = "#0a6cc4";

type Statuses = "pending" | "approved" | "in_process" | "in_mediation" | "rejected" | "refunded" | "charged_back";
export type MercadopagoFakePayment = {
  id: number;
  status: Statuses;
  status_detail: string;
  /** In hundredths. */
  cents: number;
  refunded: number;
  currency: string;
  external_reference: string | null;
  operation_type: "regular_payment" | "recurring_payment" | "card_validation";
  date_created: Date;
  date_approved: Date | null;
  date_last_updated: Date;
  preapproval: string | null;
  order: number | null;
};
export type MercadopagoFakePreference = {
  id: string;
  title: string;
  cents: number;
  currency: string;
  external_reference: string;
  back_urls: { success?: string; failure?: string; pending?: string };
  notification_url: string | null;
  order: number | null;
  payments: MercadopagoFakePayment[];
};
export type MercadopagoFakePreapproval = {
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
type Invoice = {
  id: number;
  preapproval: string;
  status: "scheduled" | "processed" | "recycling" | "cancelled";
  debit_date: Date;
  retry_attempt: number;
  payment: MercadopagoFakePayment;
};

/** A webhook event: topic, action and subject. */
export type MercadopagoFakeWebhook = { type: string; action: string; id: string; url: string | null };
export type MercadopagoWebhookOptions = {
  times?: number;
  /** In parallel instead of one after another. */
  parallel?: boolean;
  forged?: "secret" | "missing" | "id" | "nonsense";
  /** The unit of `ts`. */
  ts?: "ms" | "s";
  /** The address has the id in capitals. `signed` tells which case of it was signed. */
  upperCase?: boolean;
  signed?: "lower case" | "as sent";
  /** Without the header x-request-id. */
  noRequestId?: boolean;
  /** The old, unsigned kind. */
  legacy?: boolean;
  mutate?: (body: string) => string;
};

export type MercadopagoFake = Awaited<ReturnType<typeof startMercadopagoFake>>;

/**
 * MercadoPago on a free port of this machine: preferences, preapprovals, payments, invoices, merchant orders, and the
 * pages where people pay. It holds the provider's state; methods change it and return the webhook events that
 * MercadoPago would send.
 */
export async function startMercadopagoFake({ accessToken = "APP_USR-fake" } = {}) {
  const webhookSecret = randomBytes(32).toString("hex");
  const preferences = new Map<string, MercadopagoFakePreference>();
  const preapprovals = new Map<string, MercadopagoFakePreapproval>();
  const payments = new Map<number, MercadopagoFakePayment>();
  const invoices = new Map<number, Invoice>();
  const orders = new Map<number, MercadopagoFakePreference>();
  const chargebacks = new Map<string, MercadopagoFakePayment>();
  const replays = new Map<string, FakeAnswer>();
  const webhooks: MercadopagoFakeWebhook[] = [];
  let counter = 1_300_000_000 + Math.floor(Math.random() * 1_000_000);

  function known<Key, Value>(map: Map<Key, Value>, key: Key): Value {
    const found = map.get(key);
    if (!found) throw new Error(`The fake knows nothing of ${key}.`);
    return found;
  }
  const iso = (date: Date | null) => date?.toISOString().replace("Z", "+00:00") ?? null;

  const preferenceView = (one: MercadopagoFakePreference) => ({
    id: one.id,
    init_point: `${fake.url}/mp/checkout?pref_id=${one.id}`,
    sandbox_init_point: `${fake.url}/mp/checkout?pref_id=${one.id}`,
    external_reference: one.external_reference,
    collector_id: 123456789,
    back_urls: one.back_urls,
  });
  const preapprovalView = (one: MercadopagoFakePreapproval) => ({
    id: one.id,
    status: one.status,
    reason: one.reason,
    external_reference: one.external_reference,
    payer_id: 987654321,
    payer_email: "",
    back_url: one.back_url,
    init_point: `${fake.url}/mp/subscriptions/checkout?preapproval_id=${one.id}`,
    date_created: iso(one.date_created),
    last_modified: iso(one.last_modified),
    next_payment_date: iso(one.next_payment_date),
    auto_recurring: {
      frequency: 1,
      frequency_type: "months",
      transaction_amount: one.cents / 100,
      currency_id: one.currency,
    },
  });
  const paymentView = (one: MercadopagoFakePayment) => ({
    id: one.id,
    status: one.status,
    status_detail: one.status_detail,
    external_reference: one.external_reference,
    transaction_amount: one.cents / 100,
    transaction_amount_refunded: one.refunded / 100,
    currency_id: one.currency,
    operation_type: one.operation_type,
    payment_type_id: "credit_card",
    date_created: iso(one.date_created),
    date_approved: iso(one.date_approved),
    date_last_updated: iso(one.date_last_updated),
    payer: { id: "987654321", email: "comprador@example.com" },
    collector_id: 123456789,
    live_mode: false,
    metadata: one.preapproval
      ? { preapproval_id: fake.unknownPreapprovalInMetadata ? randomUUID() : one.preapproval }
      : {},
    order: one.order ? { id: String(one.order), type: "mercadopago" } : {},
    refunds: [],
  });
  const invoiceView = (one: Invoice) => ({
    id: one.id,
    preapproval_id: one.preapproval,
    status: one.status,
    transaction_amount: one.payment.cents / 100,
    currency_id: one.payment.currency,
    debit_date: iso(one.debit_date),
    retry_attempt: one.retry_attempt,
    next_retry_date: null,
    payment: { id: one.payment.id, status: one.payment.status, status_detail: one.payment.status_detail },
  });
  const orderView = (one: MercadopagoFakePreference) => ({
    id: one.order,
    preference_id: one.id,
    external_reference: one.external_reference,
    status: one.payments.some(({ status }) => status === "approved") ? "closed" : "opened",
    order_status: one.payments.some(({ status }) => status === "approved") ? "paid" : "payment_required",
    total_amount: one.cents / 100,
    paid_amount:
      one.payments.filter(({ status }) => status === "approved").reduce((sum, { cents }) => sum + cents, 0) / 100,
    payments: one.payments.map(({ id, status, cents, currency }) => ({
      id,
      status,
      transaction_amount: cents / 100,
      currency_id: currency,
    })),
  });

  /** Records webhook events, and sends them in automatic delivery. */
  async function emit(url: string | null, ...made: [type: string, action: string, id: string | number][]) {
    const written = made.map(([type, action, id]): MercadopagoFakeWebhook => ({ type, action, id: String(id), url }));
    webhooks.push(...written);
    if (fake.delivery === "automatic") for (const webhook of written) await fake.send(webhook);
    return written;
  }

  function makePayment(given: Partial<MercadopagoFakePayment> & { cents: number; currency: string }) {
    const now = fake.now();
    const payment: MercadopagoFakePayment = {
      id: ++counter,
      status: "approved",
      status_detail: given.status === "rejected" ? "cc_rejected_other_reason" : "accredited",
      refunded: 0,
      external_reference: null,
      operation_type: "regular_payment",
      date_created: now,
      date_approved: (given.status ?? "approved") === "approved" ? now : null,
      date_last_updated: now,
      preapproval: null,
      order: null,
      ...given,
      ...fake.chargeOverride,
    };
    payments.set(payment.id, payment);
    return payment;
  }
  function changed(payment: MercadopagoFakePayment, changes: Partial<MercadopagoFakePayment>) {
    Object.assign(payment, changes, { date_last_updated: fake.now() });
    const preference = payment.order ? orders.get(payment.order) : undefined;
    return emit(preference?.notification_url ?? null, ["payment", "payment.updated", payment.id]);
  }
  function changePreapproval(one: MercadopagoFakePreapproval, changes: Partial<MercadopagoFakePreapproval>) {
    Object.assign(one, changes, { last_modified: fake.now() });
    return emit(null, ["subscription_preapproval", "updated", one.id]);
  }

  const refusal = (status: number, error: string, code?: string): FakeAnswer => ({
    status,
    headers: { "x-request-id": "fake-request-0001" },
    body: {
      status,
      error,
      message: "The payer comprador@example.com could not be served",
      cause: code ? [{ code, description: "comprador@example.com" }] : [],
    },
  });

  async function rest({ method, path, query, headers, body }: FakeRequest): Promise<FakeAnswer> {
    if (headers.authorization !== `Bearer ${accessToken}`) return refusal(401, "unauthorized");
    const found = (view: unknown): FakeAnswer => (view ? { status: 200, body: view } : refusal(404, "not_found"));

    if (path === "/checkout/preferences" && method === "POST") {
      const key = headers["x-idempotency-key"] as string | undefined;
      const replay = key && replays.get(key);
      if (replay) return replay;
      const asked = JSON.parse(body);
      if (asked.auto_return && !asked.back_urls?.success) return refusal(400, "invalid_auto_return");
      const [item] = asked.items;
      const one: MercadopagoFakePreference = {
        id: `123456789-${randomUUID()}`,
        title: item.title,
        cents: Math.round(item.unit_price * item.quantity * 100),
        currency: item.currency_id,
        external_reference: asked.external_reference,
        back_urls: asked.back_urls ?? {},
        notification_url: asked.notification_url ?? null,
        order: null,
        payments: [],
      };
      preferences.set(one.id, one);
      const made = { status: 201, body: preferenceView(one) };
      if (key) replays.set(key, made);
      return made;
    }
    if (path === "/preapproval" && method === "POST") {
      const asked = JSON.parse(body);
      if (!asked.payer_email) return refusal(400, "bad_request", "payer_email_required");
      const one: MercadopagoFakePreapproval = {
        id: randomBytes(16).toString("hex"),
        reason: asked.reason,
        status: "pending",
        payer_email: asked.payer_email,
        back_url: asked.back_url,
        external_reference: asked.external_reference,
        cents: Math.round(asked.auto_recurring.transaction_amount * 100),
        currency: asked.auto_recurring.currency_id,
        date_created: fake.now(),
        last_modified: fake.now(),
        next_payment_date: null,
      };
      preapprovals.set(one.id, one);
      return { status: 201, body: preapprovalView(one) };
    }

    if (path === "/v1/payments/search") {
      const of = [...payments.values()].filter((one) => one.external_reference === query.get("external_reference"));
      return { status: 200, body: { paging: {}, results: of.reverse().map(paymentView) } };
    }
    if (path === "/merchant_orders/search") {
      const one = preferences.get(query.get("preference_id") ?? "");
      const elements = one?.order ? [orderView(one)] : null;
      return { status: 200, body: { elements, next_offset: 0, total: elements?.length ?? 0 } };
    }
    if (path === fake.invoiceSearch) {
      const of = [...invoices.values()].filter((one) => one.preapproval === query.get("preapproval_id"));
      return { status: 200, body: { paging: {}, results: of.map(invoiceView) } };
    }

    const [, kind, id = "", rest] =
      /^\/(checkout\/preferences|preapproval|v1\/payments|authorized_payments|merchant_orders|v1\/chargebacks)\/([^/]+)(\/refunds)?$/.exec(
        path,
      ) ?? [];
    if (kind === "preapproval" && method === "PUT") {
      const one = preapprovals.get(id);
      if (!one) return refusal(404, "not_found");
      const { status } = JSON.parse(body);
      if (one.status === "cancelled") return refusal(400, "bad_request", "invalid_transition");
      await changePreapproval(one, { status });
      return { status: 200, body: preapprovalView(one) };
    }
    if (kind === "v1/payments" && rest && method === "POST") {
      const payment = payments.get(Number(id));
      if (!payment) return refusal(404, "not_found");
      const { amount } = JSON.parse(body || "{}");
      await fake.refund(payment.id, amount === undefined ? undefined : Math.round(amount * 100));
      return { status: 201, body: { id: ++counter, payment_id: payment.id, amount: amount ?? payment.cents / 100 } };
    }
    if (method !== "GET" || rest) return refusal(404, "not_found");
    const one = <Value>(value: Value | undefined, view: (value: Value) => unknown) => found(value && view(value));
    if (kind === "checkout/preferences") return one(preferences.get(id), preferenceView);
    if (kind === "preapproval") return one(preapprovals.get(id), preapprovalView);
    if (kind === "v1/payments") return one(payments.get(Number(id)), paymentView);
    if (kind === "authorized_payments") return one(invoices.get(Number(id)), invoiceView);
    if (kind === "merchant_orders") return one(orders.get(Number(id)), orderView);
    if (kind === "v1/chargebacks")
      return one(chargebacks.get(id), (payment) => ({ id, payments: [payment.id], coverage_applied: null }));
    return refusal(404, "not_found");
  }

  const page = (title: string, content: string) => ({
    status: 200,
    headers: fake.pageHeaders,
    body: fakePage("MercadoPago", BLUE, title, content),
  });
  const price = (cents: number, currency: string) =>
    `${(cents / 100).toLocaleString("es-AR", { minimumFractionDigits: 2 })} ${currency}`;

  /** The pages where people pay and from which they are sent back. */
  async function pages({ method, path, query, body }: FakeRequest): Promise<FakeAnswer | null> {
    const buttons = (pay: string, pending: boolean) =>
      `<button class="first" name="decision" value="approved">${pay}</button>${
        pending ? '<button name="decision" value="pending">Dejar pendiente (efectivo)</button>' : ""
      }<button name="decision" value="rejected">Rechazar</button><button name="decision" value="">Volver al sitio</button>`;
    if (path === "/mp/checkout" && method === "GET") {
      const one = preferences.get(query.get("pref_id") ?? "");
      if (!one) return page("Error", "<main><h1>Algo salió mal</h1><p>Esta página de pago no existe.</p></main>");
      return page(
        "Pagar",
        `<main><h1>${html(one.title)}</h1><p class="sum">${price(one.cents, one.currency)}</p><p>Un solo pago, como comprador@example.com.</p>
<form method="post" action="/mp/checkout"><input type="hidden" name="pref_id" value="${html(one.id)}">${buttons("Pagar", true)}</form></main>`,
      );
    }
    if (path === "/mp/checkout" && method === "POST") {
      const form = new URLSearchParams(body);
      const one = known(preferences, form.get("pref_id") ?? "");
      const decision = form.get("decision") as "approved" | "pending" | "rejected" | "";
      const payment = decision ? (await fake.pay(one.id, decision)).payment : null;
      const { success, failure, pending } = one.back_urls;
      const to = decision === "approved" ? success : decision === "pending" ? pending : failure;
      if (!to) return page("Listo", "<main><h1>Listo</h1></main>");
      const location = new URL(to);
      // As MercadoPago sends people back: absent values are written "null".
      for (const [name, value] of Object.entries({
        collection_id: payment?.id,
        collection_status: payment?.status,
        payment_id: payment?.id,
        status: payment?.status,
        external_reference: payment?.external_reference,
        payment_type: payment && "credit_card",
        merchant_order_id: payment && one.order,
        preference_id: one.id,
        site_id: "MLA",
        processing_mode: "aggregator",
        merchant_account_id: null,
      }))
        location.searchParams.set(name, String(value ?? "null"));
      return { status: 303, headers: { location: location.href } };
    }
    if (path === "/mp/subscriptions/checkout" && method === "GET") {
      const one = preapprovals.get(query.get("preapproval_id") ?? "");
      if (!one) return page("Error", "<main><h1>Algo salió mal</h1><p>Esta suscripción no existe.</p></main>");
      return page(
        "Suscribirse",
        `<main><h1>${html(one.reason)}</h1><p class="sum">${price(one.cents, one.currency)}</p><p>Cada mes, con la cuenta ${html(one.payer_email)}.</p>
<form method="post" action="/mp/subscriptions/checkout"><input type="hidden" name="preapproval_id" value="${html(one.id)}">${buttons("Confirmar", false)}</form></main>`,
      );
    }
    if (path === "/mp/subscriptions/checkout" && method === "POST") {
      const form = new URLSearchParams(body);
      const one = known(preapprovals, form.get("preapproval_id") ?? "");
      if (form.get("decision") === "approved" && one.status === "pending") await fake.authorize(one.id);
      const location = new URL(one.back_url);
      location.searchParams.set("preapproval_id", one.id);
      return { status: 303, headers: { location: location.href } };
    }
    if (path === "/" && method === "GET") return page("Panel", panel());
    const [, action, which] = /^\/panel\/(\w+)\/([\w-]+)$/.exec(path) ?? [];
    if (action && method === "POST") {
      if (action === "authorize" || action === "cancel" || action === "pause") await fake[action](which!);
      if (action === "charge") await fake.charge(which!);
      if (action === "chargeFails") await fake.charge(which!, "rejected");
      if (action === "refund" || action === "chargeBack" || action === "mediate" || action === "approve")
        await fake[action](Number(which));
      return { status: 303, headers: { location: "/" } };
    }
    return null;
  }
  /** For `npm run dev`: everything that can happen at MercadoPago, as buttons. */
  function panel(): string {
    const button = (action: string, which: string | number, label: string) =>
      `<form method="post" action="/panel/${action}/${which}"><button>${label}</button></form>`;
    const subscribed = [...preapprovals.values()].map(
      (one) =>
        `<tr><td><code>${one.id}</code></td><td>${one.status}</td><td>${price(one.cents, one.currency)}</td><td>${button("authorize", one.id, "Autorizar")}${button("charge", one.id, "Cobrar")}${button("chargeFails", one.id, "Cobro fallido")}${button("pause", one.id, "Pausar")}${button("cancel", one.id, "Cancelar")}</td></tr>`,
    );
    const paid = [...payments.values()].map(
      (one) =>
        `<tr><td><code>${one.id}</code></td><td>${one.status}</td><td>${price(one.cents, one.currency)}</td><td>${button("approve", one.id, "Aprobar")}${button("refund", one.id, "Reembolsar")}${button("mediate", one.id, "Reclamo")}${button("chargeBack", one.id, "Contracargo")}</td></tr>`,
    );
    return `<main class="wide"><h1>Suscripciones y pagos</h1><p>Cada botón mueve la verdad de MercadoPago y envía el aviso.</p><table>${subscribed.join("")}${paid.join("")}</table></main>`;
  }

  const server = await startFakeServer(async (request) => (await pages(request)) ?? rest(request));

  const fake = {
    ...server,
    accessToken,
    webhookSecret,
    /** The environment of a server that uses this fake. */
    environment: {
      MERCADOPAGO_ACCESS_TOKEN: accessToken,
      MERCADOPAGO_WEBHOOK_SECRET: webhookSecret,
      MERCADOPAGO_API_BASE: server.url,
    },
    preferences,
    preapprovals,
    payments,
    invoices,
    webhooks,

    /** The provider's clock; tests may replace it. */
    now: (): Date => new Date(),
    /** Charged instead of the price. */
    chargeOverride: {} as { cents?: number; currency?: string },
    /** Payments of subscriptions name an unknown preapproval, as was seen in practice; the invoice names the right one. */
    unknownPreapprovalInMetadata: false,
    /** Which of the two paths lists invoices. */
    invoiceSearch: "/authorized_payments/search" as "/authorized_payments/search" | "/authorized_payments",
    /** Headers of the pages where people pay, such as one that cuts them off from their opener. */
    pageHeaders: {} as Record<string, string>,
    /** Where webhook events without an address of their own are posted. */
    webhookUrl: null as string | null,
    /** Whether webhook events are sent when something happens, or by the test. */
    delivery: "manual" as "automatic" | "manual",

    /** The buyer pays a preference, or tries to. */
    async pay(preferenceId: string, status: "approved" | "pending" | "in_process" | "rejected" = "approved") {
      const one = known(preferences, preferenceId);
      one.order ??= ++counter;
      orders.set(one.order, one);
      const payment = makePayment({
        status,
        cents: one.cents,
        currency: one.currency,
        external_reference: one.external_reference,
        order: one.order,
      });
      one.payments.push(payment);
      const sent = await emit(
        one.notification_url,
        ["payment", "payment.created", payment.id],
        ["topic_merchant_order_wh", "create", one.order],
      );
      return { payment, webhooks: sent };
    },
    /** A pending payment is completed. */
    approve(paymentId: number) {
      return changed(known(payments, paymentId), {
        status: "approved",
        status_detail: "accredited",
        date_approved: fake.now(),
      });
    },
    /** The buyer authorizes a subscription: a small payment validates the card and is refunded; the first charge comes an hour later. */
    async authorize(preapprovalId: string) {
      const one = known(preapprovals, preapprovalId);
      const check = makePayment({
        cents: 1_500,
        currency: one.currency,
        operation_type: "card_validation",
        preapproval: one.id,
      });
      const sent = await changePreapproval(one, {
        status: "authorized",
        next_payment_date: new Date(fake.now().getTime() + HOUR),
      });
      return [...sent, ...(await emit(null, ["payment", "payment.created", check.id]))];
    },
    /** A month of a subscription is charged, or fails and will be retried. */
    async charge(preapprovalId: string, status: "approved" | "rejected" = "approved") {
      const one = known(preapprovals, preapprovalId);
      const payment = makePayment({
        status,
        cents: one.cents,
        currency: one.currency,
        operation_type: "recurring_payment",
        preapproval: one.id,
      });
      const invoice: Invoice = {
        id: ++counter,
        preapproval: one.id,
        status: status === "approved" ? "processed" : "recycling",
        debit_date: fake.now(),
        retry_attempt: status === "approved" ? 0 : 1,
        payment,
      };
      invoices.set(invoice.id, invoice);
      if (status === "approved") one.next_payment_date = addMonths(one.next_payment_date ?? fake.now(), 1);
      one.last_modified = fake.now();
      const sent = await emit(
        null,
        ["payment", "payment.created", payment.id],
        ["subscription_authorized_payment", "created", invoice.id],
      );
      return { payment, invoice, webhooks: sent };
    },
    pause: (preapprovalId: string) => changePreapproval(known(preapprovals, preapprovalId), { status: "paused" }),
    /** Cancelled by the person at MercadoPago. */
    cancel: (preapprovalId: string) => changePreapproval(known(preapprovals, preapprovalId), { status: "cancelled" }),
    /** Refunds all that is left, or some cents. */
    refund(paymentId: number, cents?: number) {
      const payment = known(payments, paymentId);
      const refunded = payment.refunded + (cents ?? payment.cents - payment.refunded);
      return changed(payment, { refunded, status: refunded >= payment.cents ? "refunded" : payment.status });
    },
    /** The card's bank charges the payment back. */
    async chargeBack(paymentId: number) {
      const payment = known(payments, paymentId);
      const id = String(++counter);
      chargebacks.set(id, payment);
      const sent = await changed(payment, { status: "charged_back", status_detail: "settled" });
      return [...sent, ...(await emit(null, ["topic_chargebacks_wh", "created", id]))];
    },
    /** The buyer opens a claim. */
    mediate: (paymentId: number) => changed(known(payments, paymentId), { status: "in_mediation" }),
    /** Any other webhook event, about any id. */
    webhook: (type: string, id: string, action = "updated"): MercadopagoFakeWebhook => ({
      type,
      id,
      action,
      url: null,
    }),

    /** Address, headers and body of a webhook event, signed as MercadoPago does by default. */
    signed(webhook: MercadopagoFakeWebhook, options: MercadopagoWebhookOptions = {}) {
      const { forged, ts: unit = "ms", upperCase, signed = "lower case", noRequestId, legacy, mutate } = options;
      const to = webhook.url ?? fake.webhookUrl;
      if (!to) throw new Error("The fake does not know where to send: set webhookUrl.");
      const url = new URL(to);
      const id = upperCase ? webhook.id.toUpperCase() : webhook.id;
      const now = fake.now();
      const body = JSON.stringify({
        id: ++counter,
        live_mode: false,
        type: webhook.type,
        date_created: iso(now),
        user_id: 123456789,
        api_version: "v1",
        action: webhook.action,
        data: { id },
      });
      if (legacy) {
        url.searchParams.set("topic", webhook.type);
        url.searchParams.set("id", id);
        return { url: url.href, body, headers: {} as Record<string, string> };
      }
      url.searchParams.set("data.id", id);
      url.searchParams.set("type", webhook.type);
      const requestId = randomUUID();
      const ts = unit === "ms" ? now.getTime() : Math.floor(now.getTime() / 1000);
      const signedId = forged === "id" ? "1" : signed === "as sent" ? id : id.toLowerCase();
      const manifest = `id:${signedId};${noRequestId ? "" : `request-id:${requestId};`}ts:${ts};`;
      const secret = forged === "secret" ? "another secret" : webhookSecret;
      const v1 = createHmac("sha256", secret).update(manifest).digest("hex");
      const headers: Record<string, string> = {
        ...(noRequestId ? {} : { "x-request-id": requestId }),
        ...(forged === "missing" ? {} : { "x-signature": forged === "nonsense" ? "ts=,v1=" : `ts=${ts},v1=${v1}` }),
      };
      return { url: url.href, body: mutate ? mutate(body) : body, headers };
    },
    /** Sends a webhook event. Returns the statuses, 0 without an answer. */
    async send(webhook: MercadopagoFakeWebhook, options: MercadopagoWebhookOptions = {}): Promise<number[]> {
      const { times = 1, parallel = false } = options;
      return repeat(times, parallel, () => {
        const { url, body, headers } = fake.signed(webhook, options);
        return postWebhook(url, body, headers);
      });
    },
  };
  return fake;
}
