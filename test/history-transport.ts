/**
 * Passes our clients' calls to the simulated providers without HTTP. Adds faults, and records what each response shows
 * and which behaviours occur.
 */
import type { FakeRequest } from "./fakes/fake-server.ts";
import { hasMalformedField, isForgotten, isFound, type Sale, type Subscription, type World } from "./history-world.ts";

/** A call about a subscription, with the state and the payments at its time. */
type Call = {
  world: World;
  one: Subscription;
  path: string;
  state: Subscription["state"];
  sales: Sale[];
  /** It reads or changes the subscription itself. */
  isItself: boolean;
  isPayments: boolean;
  isSearch: boolean;
};
// biome-ignore lint/suspicious/noExplicitAny: the body of any response of a provider
type Body = any;

function requestOf(url: URL, init: RequestInit | undefined): FakeRequest {
  const headers = Object.fromEntries(new Headers(init?.headers));
  const path = url.pathname.replace(/(.)\/$/, "$1");
  return { method: init?.method ?? "GET", path, query: url.searchParams, headers, body: String(init?.body ?? "") };
}

export async function respond(
  world: World,
  method: "paypal" | "mercadopago",
  url: URL,
  init: RequestInit | undefined,
): Promise<Response> {
  if (world.down[method] && method === "paypal") throw new TypeError("fetch failed");
  if (world.down[method]) return new Response("{}", { status: 503 });
  const request = requestOf(url, init);
  const names = [...request.path.split("/"), ...request.query.values()];
  const one = names.map((each) => world.byName.get(each)).find((found) => found !== undefined);
  if (one && isRefused(world, one)) return new Response("{}", { status: 429, headers: { "retry-after": "0" } });
  const answering = world[method].answer(request);
  const call = one && callOf(world, one, request.path);
  const { status, body, headers } = await answering;
  if (call && status === 404) recordGone(call);
  const shown = call && status === 200 ? record(call, body) : body;
  const text = typeof shown === "string" || shown === undefined ? shown : JSON.stringify(shown);
  return new Response(text ?? null, { status, headers });
}

/** Whether a call about a subscription is refused for coming too often. The next ones are not. */
function isRefused(world: World, one: Subscription): boolean {
  if (!one.quirks.limited || world.isCalm || isForgotten(one) || ++one.calls % 13 !== 4) return false;
  one.met.add("429, Retry-After: 0");
  return true;
}

const callOf = (world: World, one: Subscription, path: string): Call => ({
  ...{ world, one, path, state: one.state, sales: one.sales },
  isItself: path === (one.method === "paypal" ? "/v1/billing/subscriptions/" : "/preapproval/") + one.id,
  isPayments: /^\/v1\/payments\/|\/transactions$/.test(path),
  isSearch: path.endsWith("/search"),
});

function recordGone({ one, isItself }: Call): void {
  if (!isItself || !isForgotten(one)) return;
  one.met.add(one.method === "paypal" ? "PayPal: 404 for cancelled" : "MercadoPago: 404 for cancelled");
  if (one.shown) one.shown.state = "cancelled";
}

/** Records what a response shows, unless a needed field is strange. @returns the body, with its strange fields */
function record(call: Call, body: Body): Body {
  const { world, one, isItself, isSearch, path } = call;
  const isPaypal = one.method === "paypal";
  const isNeeded = isItself || (isPaypal ? path.endsWith("/transactions") : one.plan === "lifetime" && isSearch);
  if (isNeeded && hasMalformedField(world, one, "needed")) {
    one.met.add("a needed field strange");
    return isSearch ? { paging: { total: 1 }, results: null } : { id: 5 };
  }
  const text = JSON.stringify(body);
  recordState(call, body);
  recordSales(call, text);
  if (isPaypal) countOfPaypal(call, body, text);
  else countOfMercadopago(call, body, text);
  return hasMalformedField(world, one, "optional") ? withStrangeFields(call, body) : body;
}

/** Records the state that a response shows. The search by its checkout shows a preference's. */
function recordState({ one, state, sales, isItself, isSearch }: Call, body: Body): void {
  const { method, plan, quirks, met } = one;
  const isPreference = method === "mercadopago" && plan === "lifetime";
  if (!isItself && !(isPreference && isSearch)) return;
  // PayPal shows no payment before it shows the approval.
  one.shown = body.status === "APPROVAL_PENDING" ? { state: "pending", sales: [] } : { state, sales };
  if (isItself && quirks.wrong && one.shown.state !== "pending") met.add(`mismatch: ${quirks.wrong}`);
}

function recordSales({ one, path, sales, isPayments }: Call, text: string): void {
  for (const sale of sales) {
    if (!text.includes(`"${sale.id}"`) && !text.includes(`"id":${sale.id},`)) continue;
    const before = one.seen.get(sale.id);
    // A dispute shows nothing else of a payment, and PayPal's other responses show no dispute.
    if (path.includes("/disputes/") && before) before.dispute = sale.dispute;
    const dispute = one.method === "paypal" ? (before?.dispute ?? null) : sale.dispute;
    if (isPayments) one.seen.set(sale.id, { ...sale, dispute });
  }
}

function countOfPaypal({ one, state }: Call, body: Body, text: string): void {
  const { met, quirks, begun } = one;
  const lines: { id: string }[] = body.transactions ?? [];
  if (quirks.oddAmounts && /"(value|total)":/.test(text)) met.add("PayPal: amounts written oddly");
  if (lines.some(({ id }) => id.startsWith("R"))) met.add("PayPal: refunds as lines of their own");
  if (body.status === "APPROVAL_PENDING" && state !== "pending") met.add("PayPal: APPROVAL_PENDING for a while");
  if (Date.parse(body.billing_info?.next_billing_time) <= begun) met.add("PayPal: next date in the past");
}

function countOfMercadopago({ world, one, sales, isPayments, isSearch }: Call, body: Body, text: string): void {
  const { met, quirks, plan, approved } = one;
  if (/"status":"rejected"/.test(text) && approved === null) met.add("MercadoPago: sign-up refused first");
  if (isSearch && sales.some((sale) => !isFound(world, one, sale))) met.add("MercadoPago: search lags");
  if (isSearch && body.paging.total > body.paging.limit) met.add("MercadoPago: more charges than a page");
  if (!isPayments) return;
  for (const payment of isSearch ? body.results : [body]) {
    const isCharge = payment.operation_type === "recurring_payment";
    if (quirks.longIds) met.add("MercadoPago: ids of 17 digits");
    if (payment.status_detail === "reimbursed") met.add("MercadoPago: chargeback won");
    if (plan === "monthly" && quirks.metadataNamesAnother) met.add("MercadoPago: metadata names another");
    if (isCharge && !payment.external_reference) met.add("MercadoPago: charges without reference");
  }
}

function withStrangeFields({ one, isItself, isPayments, isSearch }: Call, body: Body): Body {
  if (isItself) one.met.add("an optional field strange");
  if (one.method === "paypal")
    return isItself ? { ...body, status_update_time: 20_270_101, create_time: "ayer" } : body;
  if (isPayments && isSearch) return { ...body, results: body.results.map((one: Body) => ({ ...one, metadata: 7 })) };
  if (isPayments) return { ...body, metadata: 7 };
  // If the amount is unreadable, only the first charge reveals a wrong amount.
  const auto_recurring = one.quirks.wrong ? body.auto_recurring : "caro";
  return isItself ? { ...body, last_modified: 20_270_101, auto_recurring } : body;
}
