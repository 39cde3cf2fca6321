/** PayPal's responses about the subscriptions of histories, passed to our client without HTTP. */
import { randomUUID } from "node:crypto";
import { HOUR, MINUTE } from "#shared/time.ts";
import {
  answer,
  hasMalformedField,
  isForgotten,
  isRefused,
  open,
  type ProviderSimulation,
  type Sale,
  type SimulatedSubscription,
  saleBy,
  show,
  showGone,
  showSale,
  TOO_MANY,
} from "./provider-simulation.ts";

/** Maximum number of events on a page of PayPal's list. */
const EVENT_PAGE = 20;
/** Our plans' ids at PayPal. */
export const PLAN_IDS = { monthly: "P-MONTHLY", lifetime: "P-LIFETIME" };

const iso = (at: number) => new Date(at).toISOString();
/** Formats an amount, sometimes in an unusual form such as "4.9900" or "60.0". */
function decimal({ quirks, met }: SimulatedSubscription, cents: number): string {
  if (!quirks.oddAmounts) return (cents / 100).toFixed(2);
  met.add("PayPal: amounts written oddly");
  return cents % 100 ? `${(cents / 100).toFixed(2)}00` : `${cents / 100}.0`;
}
const money = (truth: SimulatedSubscription, cents: number) => ({
  currency_code: truth.price.currency,
  value: decimal(truth, cents),
});

/** Returns the state that PayPal shows, which can lag behind the approval. */
function stateOf(world: ProviderSimulation, truth: SimulatedSubscription): SimulatedSubscription["state"] {
  const lag = truth.quirks.approvalLag * MINUTE;
  if (truth.state === "pending" || world.isCalm || world.clock - truth.approved! >= lag) return truth.state;
  truth.met.add("PayPal: APPROVAL_PENDING for a while");
  return "pending";
}

function subscriptionView(world: ProviderSimulation, truth: SimulatedSubscription): Record<string, unknown> {
  const { quirks, met } = truth;
  const state = stateOf(world, truth);
  show(truth, state);
  const paid = truth.sales.findLast((sale) => sale.status !== "failed");
  const over = state === "cancelled" || state === "expired";
  const isPast = quirks.pastDate && truth.sales.length === 1 && truth.next !== null;
  if (isPast) met.add("PayPal: next date in the past");
  if (quirks.wrong && state !== "pending") met.add(`mismatch: ${quirks.wrong}`);
  const strange = hasMalformedField(world, truth, "optional");
  if (strange) met.add("an optional field strange");
  return {
    id: truth.id,
    status: state === "pending" ? "APPROVAL_PENDING" : state.toUpperCase(),
    status_update_time: strange ? 20_270_101 : iso(truth.updated),
    create_time: strange ? "ayer" : iso(truth.begun),
    plan_id: PLAN_IDS[truth.plan],
    custom_id: quirks.wrong === "owner" ? "11111111-1111-4111-8111-111111111111" : truth.checkout,
    plan_overridden: quirks.wrong === "altered",
    quantity: "1",
    ...(state !== "pending" && {
      billing_info: {
        ...(paid && { last_payment: { amount: money(truth, paid.amount), time: iso(paid.at) } }),
        ...(truth.next && !over && { next_billing_time: iso(isPast ? truth.approved! - HOUR : truth.next) }),
        failed_payments_count: 0,
      },
    }),
  };
}

/** Returns the lines of a payment in PayPal's list. */
function linesOf(truth: SimulatedSubscription, sale: Sale): unknown[] {
  const { quirks, met } = truth;
  const apart = quirks.refundLines && sale.refunded > 0;
  if (apart) met.add("PayPal: refunds as lines of their own");
  const status = { completed: "COMPLETED", failed: "DECLINED", refunded: "REFUNDED", reversed: "REFUNDED" };
  const line = (id: string, status: string, at: number, cents: number) => ({
    id,
    status,
    time: iso(at),
    amount_with_breakdown: {
      gross_amount: {
        ...money(truth, Math.abs(cents)),
        value: `${cents < 0 ? "-" : ""}${decimal(truth, Math.abs(cents))}`,
      },
    },
  });
  const shown = apart
    ? "COMPLETED"
    : sale.status === "completed" && sale.refunded
      ? "PARTIALLY_REFUNDED"
      : status[sale.status];
  return [
    line(sale.id, shown, sale.at, sale.amount),
    ...(apart ? [line(`R${sale.id}`, "COMPLETED", sale.updated, -sale.refunded)] : []),
  ];
}

function ofSubscription(
  world: ProviderSimulation,
  truth: SimulatedSubscription | undefined,
  method: string,
  action: string,
  query: URLSearchParams,
) {
  if (!truth) return answer(404, { name: "RESOURCE_NOT_FOUND" });
  if (isForgotten(truth)) {
    truth.met.add("PayPal: 404 for cancelled");
    showGone(truth);
    return answer(404, { name: "RESOURCE_NOT_FOUND" });
  }
  if (isRefused(world, truth)) return TOO_MANY();
  if (method === "GET" && hasMalformedField(world, truth, "needed")) {
    truth.met.add("a needed field strange");
    return answer(200, { id: 5 });
  }
  if (method === "POST" && action === "cancel") {
    if (truth.state !== "active" && truth.state !== "suspended")
      return answer(422, { name: "UNPROCESSABLE_ENTITY", details: [{ issue: "SUBSCRIPTION_STATUS_INVALID" }] });
    truth.state = "cancelled";
    truth.updated = world.clock;
    return answer(204);
  }
  if (action === "transactions") {
    const [from, to] = [Date.parse(query.get("start_time")!), Date.parse(query.get("end_time")!)];
    const inside = truth.sales.flatMap((sale) => {
      const lines = linesOf(truth, sale).filter((line) => {
        const at = Date.parse((line as { time: string }).time);
        return at >= from && at <= to;
      });
      if (lines.length) showSale(truth, sale);
      return lines;
    });
    return answer(200, { transactions: inside, total_items: inside.length, total_pages: 1 });
  }
  return answer(200, subscriptionView(world, truth));
}

function ofSale(world: ProviderSimulation, id: string) {
  const found = saleBy(world, (sale) => sale.id === id);
  if (!found) return answer(404, {});
  const { truth, sale } = found;
  if (isRefused(world, truth)) return TOO_MANY();
  showSale(truth, sale);
  const states = { completed: "completed", failed: "denied", refunded: "refunded", reversed: "refunded" };
  return answer(200, {
    id,
    state: sale.status === "completed" && sale.refunded ? "partially_refunded" : states[sale.status],
    amount: { total: decimal(truth, sale.amount), currency: truth.price.currency },
    billing_agreement_id: truth.id,
    create_time: iso(sale.at),
  });
}

function ofDispute(world: ProviderSimulation, id: string) {
  const found = saleBy(world, (sale) => sale.dispute?.id === id);
  if (!found) return answer(404, {});
  const { state } = found.sale.dispute!;
  // It shows nothing else of the payment, such as a refund.
  const seen = found.truth.seen.get(found.sale.id);
  if (seen) seen.dispute = { ...found.sale.dispute! };
  return answer(200, {
    dispute_id: id,
    status: state === "open" ? "UNDER_REVIEW" : "RESOLVED",
    ...(state !== "open" && {
      dispute_outcome: { outcome_code: state === "lost" ? "RESOLVED_BUYER_FAVOUR" : "RESOLVED_SELLER_FAVOUR" },
    }),
    disputed_transactions: [{ seller_transaction_id: found.sale.id }],
  });
}

function eventPage(world: ProviderSimulation, url: URL) {
  const query = url.searchParams;
  const [from, to] = [Date.parse(query.get("start_time")!), Date.parse(query.get("end_time")!)];
  const inside = world.events.filter(({ at }) => at >= from && at <= to);
  const page = Number(query.get("page") ?? 1);
  const next = new URL(url);
  next.searchParams.set("page", String(page + 1));
  return answer(200, {
    events: inside
      .slice((page - 1) * EVENT_PAGE, page * EVENT_PAGE)
      .map(({ id, type, at, resource }) => ({ id, event_type: type, create_time: iso(at), resource })),
    links: inside.length > page * EVENT_PAGE ? [{ rel: "next", href: next.href, method: "GET" }] : [],
  });
}

function create(world: ProviderSimulation, init: RequestInit): Response {
  const { plan_id, custom_id } = JSON.parse(String(init.body));
  const id = new Headers(init.headers).get("paypal-request-id") ?? randomUUID();
  const truth = open(world, id);
  if (!truth || custom_id !== id || PLAN_IDS[truth.plan] !== plan_id) return answer(400, { name: "INVALID_REQUEST" });
  const links = [{ rel: "approve", href: `https://paypal.example/approve/${truth.id}`, method: "GET" }];
  return answer(201, { id: truth.id, status: "APPROVAL_PENDING", links });
}

/** PayPal's responses about the subscriptions of a world. */
export function paypalAnswers(world: ProviderSimulation): typeof globalThis.fetch {
  return async (input, init) => {
    if (world.down.paypal) throw new TypeError("fetch failed");
    const url = new URL(String(input));
    const [, version, area = "", kind = "", id = "", action = ""] = url.pathname.split("/");
    if (version !== "v1") return answer(404, {});
    if (area === "oauth2") return answer(200, { access_token: "token", expires_in: 32_400 });
    if (area === "notifications") return eventPage(world, url);
    if (kind === "sale") return ofSale(world, id);
    if (kind === "disputes") return ofDispute(world, id);
    if (!id && init?.method === "POST") return create(world, init);
    return ofSubscription(world, world.truths.get(id), init?.method ?? "GET", action, url.searchParams);
  };
}
