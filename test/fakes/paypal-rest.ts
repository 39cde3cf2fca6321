import { randomBytes, randomUUID } from "node:crypto";
import type { FakeAnswer, FakeRequest } from "./fake-server.ts";
import type { PaypalFakeSale, PaypalFakeSubscription, PaypalSimulation } from "./paypal.ts";

export const newPaypalId = (prefix: string) => prefix + randomBytes(8).toString("hex").toUpperCase();

export const decimalOf = (fake: PaypalSimulation, { subscription }: PaypalFakeSale) =>
  (fake.subscriptions.get(subscription)?.behavior ?? fake).decimal;

export function viewOf(fake: PaypalSimulation, one: PaypalFakeSubscription, lagging = false): Record<string, unknown> {
  const { decimal, showsPastDate } = one.behavior ?? fake;
  const money = (cents: number, currency: string) => ({ currency_code: currency, value: decimal(cents) });
  const waiting = lagging || one.status === "APPROVAL_PENDING";
  const last = one.sales.filter((sale) => sale.state !== "denied" && sale.state !== "pending").at(-1);
  const plan = fake.plans[one.plan_id];
  const next = showsPastDate && one.sales.length === 1 ? one.create_time : one.next_billing_time;
  return {
    id: one.id,
    plan_id: one.plan_id,
    custom_id: one.custom_id,
    status: waiting ? "APPROVAL_PENDING" : one.status,
    status_update_time: one.status_update_time.toISOString(),
    create_time: one.create_time.toISOString(),
    plan_overridden: one.plan_overridden,
    quantity: one.quantity,
    ...(waiting
      ? {}
      : {
          subscriber: { email_address: "comprador@example.com", payer_id: "FAKEPAYER2345" },
          billing_info: {
            outstanding_balance: money(0, plan?.currency ?? "USD"),
            ...(last && {
              last_payment: { amount: money(last.cents, last.currency), time: last.time.toISOString() },
            }),
            // PayPal omits it if no further charge will follow.
            ...(one.next_billing_time &&
              one.status !== "CANCELLED" &&
              one.status !== "EXPIRED" && { next_billing_time: next!.toISOString() }),
            failed_payments_count: 0,
          },
        }),
  };
}
export const saleView = (fake: PaypalSimulation, sale: PaypalFakeSale): Record<string, unknown> => ({
  id: sale.id,
  state: sale.state,
  amount: { total: decimalOf(fake, sale)(sale.cents), currency: sale.currency },
  billing_agreement_id: sale.subscription,
  create_time: sale.time.toISOString(),
});

/** An error response. Its texts contain personal data, because PayPal's may. */
export const error = (status: number, name: string, issue?: string): FakeAnswer => ({
  status,
  headers: { "paypal-debug-id": "fakedebug0001" },
  body: {
    name,
    message: "Buyer comprador@example.com could not be served.",
    debug_id: "fakedebug0001",
    ...(issue && { details: [{ issue, description: "comprador@example.com" }] }),
  },
});

export async function paypalCall(fake: PaypalSimulation, request: FakeRequest): Promise<FakeAnswer> {
  const { method, path, headers } = request;
  const call = `${method} ${path}`;
  if (call === "POST /v1/oauth2/token") return giveToken(fake, request);
  if (!fake.tokens.has(headers.authorization?.replace("Bearer ", "") ?? ""))
    return error(401, "AUTHENTICATION_FAILURE");
  if (call === "POST /v1/billing/subscriptions") return createSubscription(fake, request);
  if (call === "GET /v1/notifications/webhooks-events") return listEvents(fake, request);
  const [, id, action = ""] = /^\/v1\/billing\/subscriptions\/([^/]+)(?:\/(\w+))?$/.exec(path) ?? [];
  if (id) return ofSubscription(fake, request, decodeURIComponent(id), action);
  const [, kind, thing] = /^\/v1\/(payments\/sale|customer\/disputes)\/([^/]+)$/.exec(path) ?? [];
  if (kind && method === "GET") {
    const sale = fake.sales.get(thing!);
    const found = kind === "payments/sale" ? sale && saleView(fake, sale) : fake.disputes.get(thing!);
    return found ? { status: 200, body: found } : error(404, "RESOURCE_NOT_FOUND");
  }
  return error(404, "RESOURCE_NOT_FOUND");
}

function giveToken(fake: PaypalSimulation, { headers, body }: FakeRequest): FakeAnswer {
  const basic = `Basic ${Buffer.from(`${fake.clientId}:${fake.clientSecret}`).toString("base64")}`;
  if (headers.authorization !== basic || body !== "grant_type=client_credentials")
    return { status: 401, body: { error: "invalid_client", error_description: "Client Authentication failed" } };
  const access_token = `A21-fake-${randomUUID()}`;
  fake.tokens.add(access_token);
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

async function createSubscription(fake: PaypalSimulation, { headers, body }: FakeRequest): Promise<FakeAnswer> {
  const requestId = headers["paypal-request-id"] as string | undefined;
  if (requestId && requestId.length > 38) return error(400, "INVALID_REQUEST", "INVALID_STRING_MAX_LENGTH");
  const replay = requestId && fake.replays.get(requestId);
  if (replay) return replay;
  const asked = JSON.parse(body) as {
    plan_id: string;
    custom_id: string;
    application_context?: { return_url?: string; cancel_url?: string };
  };
  if (!fake.plans[asked.plan_id]) return error(404, "RESOURCE_NOT_FOUND", "INVALID_RESOURCE_ID");
  const one: PaypalFakeSubscription = {
    id: newPaypalId("I-FAKE"),
    plan_id: asked.plan_id,
    custom_id: asked.custom_id,
    status: "APPROVAL_PENDING",
    plan_overridden: false,
    quantity: "1",
    create_time: fake.now(),
    status_update_time: fake.now(),
    next_billing_time: null,
    sales: [],
    lag: 0,
    return_url: asked.application_context?.return_url ?? null,
    cancel_url: asked.application_context?.cancel_url ?? null,
  };
  fake.subscriptions.set(one.id, one);
  const made: FakeAnswer = {
    status: 201,
    body: {
      ...viewOf(fake, one),
      links: [{ rel: "approve", href: `${fake.url}/checkoutnow?id=${one.id}&alone=1`, method: "GET" }],
    },
  };
  if (requestId) fake.replays.set(requestId, made);
  await fake.emit(["BILLING.SUBSCRIPTION.CREATED", viewOf(fake, one)]);
  return made;
}

async function ofSubscription(
  fake: PaypalSimulation,
  { method, query }: FakeRequest,
  id: string,
  action: string,
): Promise<FakeAnswer> {
  const one = fake.subscriptions.get(id);
  const behavior = one?.behavior ?? fake;
  const { refundLines, forgetsCancelled, decimal } = behavior;
  if (!one || (forgetsCancelled && one.status === "CANCELLED"))
    return error(404, "RESOURCE_NOT_FOUND", "INVALID_RESOURCE_ID");
  if (!action && method === "GET") return { status: 200, body: viewOf(fake, one, behavior.isLagging(one)) };
  if (action === "transactions" && method === "GET") {
    const from = new Date(query.get("start_time") ?? "");
    const to = new Date(query.get("end_time") ?? "");
    const status = ({ state, refunded }: PaypalFakeSale) =>
      state === "denied" ? "DECLINED" : refundLines && refunded ? "COMPLETED" : state.toUpperCase();
    const line = (id: string, status: string, time: Date, { currency }: PaypalFakeSale, value: string) => ({
      id,
      status,
      payer_email: "comprador@example.com",
      time: time.toISOString(),
      amount_with_breakdown: { gross_amount: { currency_code: currency, value } },
    });
    const lines = one.sales.flatMap((sale) => [
      line(sale.id, status(sale), sale.time, sale, decimal(sale.cents)),
      ...(refundLines && sale.refunded
        ? [line(`R${sale.id}`, "COMPLETED", sale.refundTime!, sale, `-${decimal(sale.refunded)}`)]
        : []),
    ]);
    const transactions = lines.filter(({ time }) => new Date(time) >= from && new Date(time) <= to);
    return { status: 200, body: { transactions, total_items: transactions.length, total_pages: 1 } };
  }
  if (action === "cancel" && method === "POST") {
    if (one.status !== "ACTIVE" && one.status !== "SUSPENDED")
      return error(422, "UNPROCESSABLE_ENTITY", "SUBSCRIPTION_STATUS_INVALID");
    await fake.cancel(one.id);
    return { status: 204 };
  }
  return error(404, "RESOURCE_NOT_FOUND");
}

/** Returns a page of the events. The link to the next page is escaped for HTML, as in PayPal's samples. */
function listEvents(fake: PaypalSimulation, { path, query }: FakeRequest): FakeAnswer {
  const from = new Date(query.get("start_time") ?? 0);
  const to = new Date(query.get("end_time") ?? 8.64e15);
  const size = Number(query.get("page_size") ?? 10);
  const begin = Number(query.get("index_id") ?? 0);
  const inside = fake.events.filter(
    (event) => new Date(event.create_time) >= from && new Date(event.create_time) <= to,
  );
  const here = inside.slice(begin, begin + size);
  const next = new URLSearchParams(query);
  const place = { move_to: "next", index_time: here.at(-1)?.create_time ?? "", index_id: String(begin + size) };
  for (const [name, value] of Object.entries(place)) next.set(name, value);
  const href = `${fake.url}${path}/?${next}`.replaceAll("&", "&amp;");
  const links = inside.length > begin + size ? [{ rel: "next", href, method: "GET" }] : [];
  return { status: 200, body: { events: here, count: here.length, links } };
}
