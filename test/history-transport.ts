/**
 * Passes our clients' calls to the simulated providers without HTTP. Adds faults, and records what each response shows
 * and which behaviours occur.
 */
import type { FakeRequest } from "./fakes/fake-server.ts";
import { hasMalformedField, isForgotten, isFound, type Sale, type Subscription, type World } from "./history-world.ts";

/** A call about a subscription, with the state and the payments at its time. */
type Call = { world: World; one: Subscription; request: FakeRequest; state: Subscription["state"]; sales: Sale[] };
// biome-ignore lint/suspicious/noExplicitAny: the body of any response of a provider
type Body = any;

/** Converts a request of a client to one of the simulation. */
function requestOf(url: URL, init: RequestInit | undefined): FakeRequest {
  const headers = Object.fromEntries(new Headers(init?.headers));
  const path = url.pathname.replace(/(.)\/$/, "$1");
  return { method: init?.method ?? "GET", path, query: url.searchParams, headers, body: String(init?.body ?? "") };
}

/** Responds to a call of a client. */
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
  const call = one && { world, one, request, state: one.state, sales: one.sales };
  const { status, body, headers } = await answering;
  const shown = call && status !== 204 ? record(call, status, body) : body;
  const text = typeof shown === "string" || shown === undefined ? shown : JSON.stringify(shown);
  return new Response(text ?? null, { status, headers });
}

/** Whether a call about a subscription is refused for coming too often. The next ones are not. */
function isRefused(world: World, one: Subscription): boolean {
  if (!one.quirks.limited || world.isCalm || isForgotten(one) || ++one.calls % 13 !== 4) return false;
  one.met.add("429, Retry-After: 0");
  return true;
}

/** Records what a response shows, unless a needed field cannot be parsed. @returns the body with its strange fields */
function record(call: Call, status: number, body: Body): Body {
  const { world, one, request, state, sales } = call;
  const { path, method } = request;
  const isPaypal = one.method === "paypal";
  const isPayments = /^\/v1\/payments\/|\/transactions$/.test(path);
  const isItself = isPaypal ? path.endsWith(`/${one.id}`) : path === `/preapproval/${one.id}`;
  const isOwnList = isPaypal ? path.endsWith("/transactions") : one.plan === "lifetime" && path.endsWith("/search");
  if (status === 404 && isItself && isForgotten(one)) {
    one.met.add(isPaypal ? "PayPal: 404 for cancelled" : "MercadoPago: 404 for cancelled");
    if (one.shown) one.shown.state = "cancelled";
  }
  if (status !== 200) return body;
  if ((isItself || isOwnList) && hasMalformedField(world, one, "needed")) {
    one.met.add("a needed field strange");
    return isItself || isPaypal ? { id: 5 } : { paging: { total: 1 }, results: null };
  }
  if (isItself && isPaypal) recordPaypal(call, body);
  if (isItself || (isOwnList && !isPaypal))
    one.shown = { state: isPaypal && body.status === "APPROVAL_PENDING" ? "pending" : state, sales };
  if (isItself && one.quirks.wrong && one.shown!.state !== "pending") one.met.add(`mismatch: ${one.quirks.wrong}`);
  const text = JSON.stringify(body);
  for (const sale of sales) {
    const before = one.seen.get(sale.id);
    const isNamed = text.includes(`"${sale.id}"`) || text.includes(`"id":${sale.id},`);
    // A dispute shows nothing else of a payment, and PayPal's other responses show no dispute.
    if (isNamed && path.includes("/disputes/") && before) before.dispute = sale.dispute;
    if (isNamed && isPayments) one.seen.set(sale.id, isPaypal ? { ...sale, dispute: before?.dispute ?? null } : sale);
  }
  if (isPaypal) {
    if (one.quirks.oddAmounts && /"(value|total)":/.test(text)) one.met.add("PayPal: amounts written oddly");
    if (body.transactions?.some(({ id }: { id: string }) => id.startsWith("R")))
      one.met.add("PayPal: refunds as lines of their own");
  } else if (isPayments) {
    const isMonth = one.plan === "monthly";
    for (const payment of path.endsWith("/search") ? body.results : [body])
      recordPayment(one, payment, isMonth, hasMalformedField(world, one, "optional"));
  }
  if (!isPaypal && path.endsWith("/search")) {
    if (sales.some((sale) => !isFound(world, one, sale))) one.met.add("MercadoPago: search lags");
    if (body.paging.total > body.paging.limit) one.met.add("MercadoPago: more charges than a page");
  }
  if (/"status":"rejected"/.test(text) && one.approved === null) one.met.add("MercadoPago: sign-up refused first");
  if (isItself && method !== "POST" && hasMalformedField(world, one, "optional")) {
    one.met.add("an optional field strange");
    if (isPaypal) return { ...body, status_update_time: 20_270_101, create_time: "ayer" };
    // If the amount is unreadable, only the first charge reveals a wrong amount.
    const auto_recurring = one.quirks.wrong ? body.auto_recurring : "caro";
    return { ...body, last_modified: 20_270_101, auto_recurring };
  }
  return body;
}

function recordPaypal({ one, state }: Call, body: Body): void {
  if (body.status === "APPROVAL_PENDING" && state !== "pending") one.met.add("PayPal: APPROVAL_PENDING for a while");
  if (Date.parse(body.billing_info?.next_billing_time) <= one.begun) one.met.add("PayPal: next date in the past");
}

/** Records the behaviours that a payment of MercadoPago shows. Makes its metadata strange if this is in force. */
function recordPayment(one: Subscription, payment: Body, isMonth: boolean, isStrange: boolean): void {
  const { quirks, met } = one;
  if (quirks.longIds) met.add("MercadoPago: ids of 17 digits");
  if (payment.status_detail === "reimbursed") met.add("MercadoPago: chargeback won");
  if (isMonth && quirks.metadataNamesAnother) met.add("MercadoPago: metadata names another");
  if (payment.operation_type === "recurring_payment" && !payment.external_reference)
    met.add("MercadoPago: charges without reference");
  if (isStrange) payment.metadata = 7;
}
