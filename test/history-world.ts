/** Subscriptions of histories at the simulated providers, and the moves that can happen to them. */
import { randomUUID } from "node:crypto";
import { DAY, MINUTE } from "#shared/time.ts";
import { type MercadopagoFakeWebhook, type MercadopagoSimulation, simulateMercadopago } from "./fakes/mercadopago.ts";
import { type PaypalFakeEvent, type PaypalSimulation, simulatePaypal } from "./fakes/paypal.ts";
import type { ProviderBehavior } from "./history-arbitraries.ts";
import { atMercadopago, atPaypal } from "./history-providers.ts";
import { PRICE } from "./payment-terms.ts";

export const START = new Date("2027-01-05T08:00:00.000Z").getTime();
/** Time after which a checkout is not approved any more, in milliseconds. */
const LAST_APPROVAL = 25 * DAY;
/** A payment in the provider's state, in terms that both providers share. */
export type Sale = {
  id: string;
  at: number;
  amount: number;
  /** Time of the last change. Only a webhook event reports the change of an old payment. */
  updated: number;
  refunded: number;
  status: "completed" | "failed" | "refunded" | "reversed";
  /** Charged back, and the chargeback was won. */
  reimbursed: boolean;
  dispute: "open" | "won" | "lost" | null;
};

export type State = "pending" | "active" | "suspended" | "cancelled" | "expired";
type Event = PaypalFakeEvent | MercadopagoFakeWebhook;
export type Move = (typeof MOVES)[number];
export const MOVES = [
  ...(["approve", "renew", "fail", "suspend", "resume", "cancel", "expire", "refund", "part", "complain"] as const),
  ...(["decide for the buyer", "decide for us", "reverse", "reimburse", "refuse sign-up"] as const),
];
/** A subscription in the state of its provider, and its moves there. A move may concern a payment. */
export type AtProvider = {
  state(): State;
  next(): Date | null;
  sales(): Omit<Sale, "updated">[];
  moves: Partial<Record<Move, (sale: string) => Promise<Event[]>>>;
};

/** A subscription, and what the product could know of it. */
export type Subscription = {
  id: string;
  method: "paypal" | "mercadopago";
  plan: "monthly" | "lifetime";
  checkout: string;
  price: { amount: number; currency: "USD" | "ARS" };
  readonly state: State;
  readonly next: number | null;
  readonly sales: Sale[];
  begun: number;
  approved: number | null;
  cancelledHere: number | null;
  quirks: ProviderBehavior;
  /** The behaviours that occurred in this history. */
  met: Set<string>;
  calls: number;
  /** State and payments at the last response about the subscription itself; null before the first. */
  shown: { state: State; sales: Sale[] } | null;
  /** Each payment as some response showed it last, by its id. */
  seen: Map<string, Sale>;
  /** The payments that a delivered or listed webhook event named, with the time of the last one. */
  told: Map<string, number>;
  /** Time of the last webhook event in PayPal's list. */
  listed: number;
  /** The administrator confirmed whose it is, so that another reference does not matter. */
  tied: boolean;
  /** The ids under which calls, webhook events and problems name it and its parts. */
  names: Set<string>;
  /** Times of the last changes of its payments. */
  changed: Map<string, number>;
  moves: AtProvider["moves"];
};

/** The providers, with the subscriptions of a group of histories, and their shared clock. */
export type World = {
  clock: number;
  round: number;
  paypal: PaypalSimulation;
  mercadopago: MercadopagoSimulation;
  /** The subscriptions by each of their names. */
  byName: Map<string, Subscription>;
  down: { paypal: boolean; mercadopago: boolean };
  /** Behaviours that pass are over. */
  isCalm: boolean;
};

export function newWorld(): World {
  const world: World = {
    ...{ clock: START, round: 0, paypal: simulatePaypal(), mercadopago: simulateMercadopago(), byName: new Map() },
    ...{ down: { paypal: false, mercadopago: false }, isCalm: true },
  };
  for (const provider of [world.paypal, world.mercadopago]) provider.now = () => new Date(world.clock);
  return world;
}

/** A webhook event as the provider sends it, and the payment that it names. */
export type Webhook = { id: string; event: Event; at: number; sale: string | null };

/** Adds a subscription that its buyer has not approved yet. */
export function addSubscription(
  world: World,
  given: Pick<Subscription, "id" | "method" | "plan" | "checkout" | "quirks" | "met">,
): Subscription {
  const { id, method, plan, checkout } = given;
  const one: Subscription = {
    ...{ price: PRICE[method][plan], begun: world.clock, approved: null, cancelledHere: null, calls: 0, shown: null },
    ...{ seen: new Map(), told: new Map(), listed: 0, tied: false, names: new Set(), changed: new Map() },
    ...given,
    get state() {
      return at.state();
    },
    get next() {
      return at.next()?.getTime() ?? null;
    },
    get sales() {
      return at.sales().map((sale) => ({ ...sale, updated: one.changed.get(sale.id) ?? sale.at }));
    },
    moves: {},
  };
  const at = (method === "paypal" ? atPaypal : atMercadopago)(world, one);
  one.moves = at.moves;
  name(world, one, id, checkout);
  return one;
}

function name(world: World, one: Subscription, ...names: unknown[]): void {
  for (const each of names)
    if (typeof each === "string") {
      one.names.add(each);
      world.byName.set(each, one);
    }
}

/** Whether a move is possible now: true, or the payment that it concerns. */
function possible(one: Subscription, what: Move, now: number): boolean | Sale | undefined {
  const { state, plan, next, sales, method } = one;
  const isMonthly = plan === "monthly";
  const isCharged = isMonthly && state === "active";
  const last = sales.findLast(({ status }) => status === "completed");
  const disputed = sales.find(({ dispute }) => dispute === "open");
  const conditions: Record<Move, boolean | Sale | undefined> = {
    approve: state === "pending" && now <= one.begun + LAST_APPROVAL,
    // A provider charges at its date, not before.
    renew: isCharged && next !== null && now >= next,
    fail: isCharged,
    suspend: isCharged,
    resume: state === "suspended",
    cancel: (isMonthly || method === "paypal") && (state === "active" || state === "suspended"),
    expire: !isMonthly && state === "active",
    refund: last,
    reverse: last,
    part: last && !last.refunded && last,
    complain: last && !last.dispute && !last.reimbursed && last,
    "decide for the buyer": disputed,
    "decide for us": disputed,
    reimburse: sales.findLast(({ status }) => status === "reversed"),
    "refuse sign-up": isMonthly && state === "pending",
  };
  return conditions[what];
}

/** Changes a subscription and returns the webhook events that its provider sends. An impossible move does nothing. */
export async function move(world: World, one: Subscription, what: Move): Promise<Webhook[]> {
  const on = possible(one, what, world.clock);
  const play = one.moves[what];
  if (!on || !play) return [];
  const at = world.clock;
  const before = new Set(one.sales.map(({ id }) => id));
  if (what === "approve") one.approved = at;
  const playing = play(on === true ? "" : on.id);
  const sale = on === true ? (one.sales.find(({ id }) => !before.has(id))?.id ?? null) : on.id;
  if (sale) one.changed.set(sale, at);
  const events = await playing;
  for (const event of events) {
    const { id, sale_id, dispute_id } = "event_type" in event ? event.resource : { id: event.id };
    name(world, one, sale, id, sale_id, dispute_id);
  }
  return events.map((event) => ({ id: randomUUID(), event, at, sale }));
}

/** Whether a behaviour that passes is in force now for a subscription. */
export const hasMalformedField = (world: World, { quirks }: Subscription, field: "optional" | "needed"): boolean =>
  !world.isCalm && quirks.strangeIn[field].includes(world.round);

/** True if the provider responds to a cancelled subscription with 404. */
export const isForgotten = ({ quirks, state }: Subscription): boolean => quirks.forgets && state === "cancelled";

/** Whether a search shows a payment by now. */
export const isFound = (world: World, { quirks }: Subscription, sale: Sale): boolean =>
  world.isCalm || world.clock - sale.at >= quirks.searchLag * MINUTE;
