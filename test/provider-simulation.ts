/**
 * Subscriptions at their provider, the moves that can happen to them, and the provider's behaviour.
 *
 * `paypal-answers.ts` and `mercadopago-answers.ts` contain the responses to our clients, without HTTP.
 */
import { randomUUID } from "node:crypto";
import { DAY, HOUR, MINUTE } from "#shared/time.ts";
import { monthLater, PRICE } from "./payment-terms.ts";

/** When every history begins. */
export const START = new Date("2027-01-05T08:00:00.000Z").getTime();
/** Time after which a checkout is not approved any more, in milliseconds. */
const LAST_APPROVAL = 25 * DAY;
/** MercadoPago charges a subscription for the first time so long after its approval. */
const FIRST_CHARGE = HOUR;

export type Sale = {
  id: string;
  /** Of MercadoPago's charge of the month. */
  invoice: string;
  at: number;
  amount: number;
  /** Time of the last change. Only a webhook event reports the change of an old payment. */
  updated: number;
  refunded: number;
  status: "completed" | "failed" | "refunded" | "reversed";
  /** Charged back, and the chargeback was won. */
  reimbursed: boolean;
  /** Found by searching only; the card was refused while the buyer subscribed. */
  ofSignUp: boolean;
  dispute: { id: string; state: "open" | "won" | "lost" } | null;
};

/** How the provider behaves towards one subscription. */
export type ProviderBehavior = {
  /** Minutes that MercadoPago's searches lag behind. */
  searchLag: number;
  /** Charges of MercadoPago name the checkout. */
  inherits: boolean;
  metadataNamesAnother: boolean;
  longIds: boolean;
  olderKind: boolean;
  otherTopics: boolean;
  /** The provider responds 404 for cancelled subscriptions. */
  forgets: boolean;
  /** The provider responds 429 with Retry-After: 0 to some calls. */
  limited: boolean;
  /** Refunds are separate lines in PayPal's list of payments. */
  refundLines: boolean;
  /** Amounts are written "4.9900". */
  oddAmounts: boolean;
  /** Minutes for which PayPal still shows APPROVAL_PENDING. */
  approvalLag: number;
  pastDate: boolean;
  /** Rounds in which an optional field, or a needed one, cannot be parsed. */
  strangeIn: { optional: number[]; needed: number[] };
  /** Difference between the subscription and the offer. */
  wrong: "altered" | "owner" | "less" | null;
};

/** A subscription in the provider's state. */
export type SimulatedSubscription = {
  id: string;
  method: "paypal" | "mercadopago";
  plan: "monthly" | "lifetime";
  owner: string;
  checkout: string;
  price: { amount: number; currency: "USD" | "ARS" };
  state: "pending" | "active" | "suspended" | "cancelled" | "expired";
  /** When the checkout began. */
  begun: number;
  approved: number | null;
  updated: number;
  next: number | null;
  sales: Sale[];
  cancelledHere: number | null;
  quirks: ProviderBehavior;
  /** The behaviours that occurred in this history. */
  met: Set<string>;
  calls: number;
  /** State and payments at the last response about the subscription itself; null before the first. */
  shown: { state: SimulatedSubscription["state"]; sales: Sale[] } | null;
  /** Each payment as some response showed it last, by its id. */
  seen: Map<string, Sale>;
  /** The payments that a delivered or listed webhook event named, with the time of the last one. */
  told: Map<string, number>;
  /** The administrator confirmed whose it is, so that another reference does not matter. */
  tied: boolean;
};

/** Returns a subscription that its buyer has not approved yet. */
export function newTruth(
  given: Pick<SimulatedSubscription, "id" | "method" | "plan" | "owner" | "begun" | "quirks"> &
    Partial<SimulatedSubscription>,
): SimulatedSubscription {
  return {
    ...{ checkout: "", price: PRICE[given.method][given.plan], state: "pending", approved: null, updated: given.begun },
    ...{ next: null, sales: [], cancelledHere: null, met: new Set(), calls: 0, shown: null, seen: new Map() },
    ...{ told: new Map(), tied: false },
    ...given,
  };
}

/** A webhook event as the provider sends it, and the payment that it names. */
export type Webhook = { id: string; type: string; resource: Record<string, string>; at: number; sale: Sale | null };

/** All subscriptions of a group of histories, their shared clock, and their shared state. */
export type ProviderSimulation = {
  clock: number;
  round: number;
  /** By the provider's ids. */
  truths: Map<string, SimulatedSubscription>;
  /** By the checkouts that they began with. */
  checkouts: Map<string, SimulatedSubscription>;
  /** PayPal's list of its events. */
  events: Webhook[];
  down: { paypal: boolean; mercadopago: boolean };
  /** Behaviours that pass are over. */
  isCalm: boolean;
  /** Subscription that the next call to create one creates. */
  opening: SimulatedSubscription | null;
};

/** Creates the subscription for a checkout of ours. @returns null if none was expected */
export function open(world: ProviderSimulation, checkout: string): SimulatedSubscription | null {
  const truth = world.opening;
  world.opening = null;
  if (!truth) return null;
  truth.checkout = checkout;
  world.truths.set(truth.id, truth);
  world.checkouts.set(checkout, truth);
  return truth;
}

/** A move that may happen to a subscription. */
export type Move = keyof typeof PLAYED;

let made = 0;
const newId = ({ method, quirks }: SimulatedSubscription) =>
  method === "paypal"
    ? `S${randomUUID().slice(0, 13)}`
    : quirks.longIds
      ? `9007199254${String(1_000_001 + 2 * made++)}`
      : String(1_300_000_000 + made++);

/** Context of a move: the subscription, its time and the webhook events that it causes. */
class MoveContext {
  readonly webhooks: Webhook[] = [];
  readonly truth: SimulatedSubscription;
  readonly now: number;
  constructor(truth: SimulatedSubscription, now: number) {
    this.truth = truth;
    this.now = now;
  }
  get isPaypal() {
    return this.truth.method === "paypal";
  }
  get last() {
    return this.truth.sales.findLast(({ status }) => status === "completed");
  }
  tell(type: string, resource: Record<string, string>, sale: Sale | null = null) {
    this.webhooks.push({ id: `WH-${randomUUID()}`, type, resource, at: this.now, sale });
  }
  become(state: SimulatedSubscription["state"], event: string) {
    const { truth } = this;
    truth.state = state;
    truth.updated = this.now;
    if (this.isPaypal) this.tell(`BILLING.SUBSCRIPTION.${event}`, { id: truth.id });
    else if (truth.plan === "monthly") this.tell("subscription_preapproval", { id: truth.id });
  }
  /** Sends the event of a payment. @param event PayPal's name of the event */
  tellOf(sale: Sale, event: string) {
    const { truth } = this;
    if (this.isPaypal)
      this.tell(`PAYMENT.SALE.${event}`, { id: sale.id, sale_id: sale.id, billing_agreement_id: truth.id }, sale);
    else this.tell("payment", { id: sale.id }, sale);
    const topics = { order: truth.quirks.otherTopics ? "merchant_order" : "topic_merchant_order_wh" };
    if (this.isPaypal || event === "REVERSED") return;
    if (truth.plan === "lifetime") this.tell(topics.order, { id: sale.invoice }, sale);
    else this.tell("subscription_authorized_payment", { id: sale.invoice }, sale);
  }
  sell(status: Sale["status"], ofSignUp = false) {
    const { truth, now } = this;
    const amount = truth.price.amount - (truth.quirks.wrong === "less" ? 100 : 0);
    const sale: Sale = {
      id: newId(truth),
      invoice: newId(truth),
      at: now,
      amount,
      updated: now,
      refunded: 0,
      status,
      reimbursed: false,
      ofSignUp,
      dispute: null,
    };
    truth.sales.push(sale);
    this.tellOf(sale, status === "completed" ? "COMPLETED" : "DENIED");
    if (status === "completed" && truth.plan === "monthly") truth.next = monthLater(now);
  }
  change(sale: Sale, more: Partial<Sale>) {
    Object.assign(sale, more, { updated: this.now });
  }
  tellOfDispute(sale: Sale) {
    if (this.isPaypal) this.tell("CUSTOMER.DISPUTE.UPDATED", { dispute_id: sale.dispute!.id }, sale);
    else this.tellOf(sale, "UPDATED");
  }
}

function approve(story: MoveContext): void {
  const { truth, now, isPaypal } = story;
  if (truth.state !== "pending" || now > truth.begun + LAST_APPROVAL) return;
  truth.approved = now;
  if (isPaypal || truth.plan === "monthly") story.become("active", "ACTIVATED");
  else truth.state = "active";
  if (isPaypal || truth.plan === "lifetime") story.sell("completed");
  else truth.next = now + FIRST_CHARGE;
}

function giveBack(story: MoveContext, part: boolean): void {
  const { last } = story;
  if (!last || (part && last.refunded > 0)) return;
  story.change(last, part ? { refunded: 100 } : { status: "refunded", refunded: last.amount });
  story.tellOf(last, "REFUNDED");
}

function decide(story: MoveContext, lost: boolean): void {
  const { truth, isPaypal } = story;
  const open = truth.sales.find(({ dispute }) => dispute?.state === "open");
  if (!open) return;
  open.dispute!.state = lost ? "lost" : "won";
  // MercadoPago reverses the payment; PayPal shows its decision only in the dispute.
  story.change(open, lost && !isPaypal && open.status === "completed" ? { status: "reversed" } : {});
  story.tellOfDispute(open);
}

function reverse(story: MoveContext): void {
  const { last, isPaypal, truth } = story;
  if (!last) return;
  story.change(
    last,
    isPaypal ? { status: "reversed", refunded: last.amount } : { status: "reversed", reimbursed: false },
  );
  story.tellOf(last, "REVERSED");
  if (!isPaypal)
    story.tell(truth.quirks.otherTopics ? "chargebacks" : "topic_chargebacks_wh", { id: `21${last.id}` }, last);
}

function reimburse(story: MoveContext): void {
  const { truth } = story;
  const back = truth.sales.findLast(({ status }) => status === "reversed");
  if (!back || story.isPaypal) return;
  const dispute = back.dispute && { ...back.dispute, state: "won" as const };
  story.change(back, { status: "completed", reimbursed: true, dispute });
  story.tellOf(back, "UPDATED");
}

const PLAYED = {
  approve,
  renew(story: MoveContext) {
    const { state, plan, next } = story.truth;
    // A provider charges at its date, not before.
    if (state === "active" && plan === "monthly" && next && story.now >= next) story.sell("completed");
  },
  fail(story: MoveContext) {
    if (story.truth.state === "active" && story.truth.plan === "monthly") story.sell("failed");
  },
  suspend(story: MoveContext) {
    if (story.truth.state === "active" && story.truth.plan === "monthly") story.become("suspended", "SUSPENDED");
  },
  resume(story: MoveContext) {
    if (story.truth.state === "suspended") story.become("active", "RE-ACTIVATED");
  },
  cancel(story: MoveContext) {
    const { state, plan } = story.truth;
    const canBeCancelled = story.isPaypal || plan === "monthly";
    if (canBeCancelled && (state === "active" || state === "suspended")) story.become("cancelled", "CANCELLED");
  },
  expire(story: MoveContext) {
    if (story.isPaypal && story.truth.state === "active" && story.truth.plan === "lifetime")
      story.become("expired", "EXPIRED");
  },
  refund: (story: MoveContext) => giveBack(story, false),
  part: (story: MoveContext) => giveBack(story, true),
  complain(story: MoveContext) {
    const { last } = story;
    if (!last || last.dispute || last.reimbursed) return;
    story.change(last, { dispute: { id: `D${randomUUID().slice(0, 13)}`, state: "open" } });
    story.tellOfDispute(last);
  },
  "decide for the buyer": (story: MoveContext) => decide(story, true),
  "decide for us": (story: MoveContext) => decide(story, false),
  reverse,
  reimburse,
  "refuse sign-up"(story: MoveContext) {
    const { state, plan } = story.truth;
    if (state === "pending" && plan === "monthly" && !story.isPaypal) story.sell("failed", true);
  },
};

export const MOVES = Object.keys(PLAYED) as Move[];

/** Changes a subscription and returns the webhook events that its provider sends. An impossible move does nothing. */
export function move(truth: SimulatedSubscription, what: Move, now: number): Webhook[] {
  const story = new MoveContext(truth, now);
  PLAYED[what](story);
  return story.webhooks;
}

/** Whether a behaviour that passes is in force now for a subscription. */
export const hasMalformedField = (
  world: ProviderSimulation,
  { quirks }: SimulatedSubscription,
  field: "optional" | "needed",
): boolean => !world.isCalm && quirks.strangeIn[field].includes(world.round);

/** Whether a call about a subscription is refused for coming too often. The next ones are not. */
export function isRefused(world: ProviderSimulation, truth: SimulatedSubscription): boolean {
  if (!truth.quirks.limited || world.isCalm || ++truth.calls % 13 !== 4) return false;
  truth.met.add("429, Retry-After: 0");
  return true;
}

/** Stores what a response shows of a subscription. */
export function show(truth: SimulatedSubscription, state: SimulatedSubscription["state"] = truth.state): void {
  truth.shown = { state, sales: structuredClone(truth.sales) };
}

/** Stores what a response shows of a payment. @param dispute as it shows it; absent if it shows none */
export function showSale(
  truth: SimulatedSubscription,
  sale: Sale,
  dispute = truth.seen.get(sale.id)?.dispute ?? null,
): void {
  truth.seen.set(sale.id, structuredClone({ ...sale, dispute }));
}

/** True if the provider responds to a cancelled subscription with 404. */
export const isForgotten = ({ quirks, state }: SimulatedSubscription): boolean =>
  quirks.forgets && state === "cancelled";

/** Records the end of a subscription for which the provider responds 404. */
export function showGone(truth: SimulatedSubscription): void {
  if (truth.shown) truth.shown.state = "cancelled";
}

/** The payment with an id, and the subscription that it belongs to. */
export function saleBy(
  world: ProviderSimulation,
  has: (sale: Sale) => boolean,
): { truth: SimulatedSubscription; sale: Sale } | null {
  for (const truth of world.truths.values()) {
    const sale = truth.sales.find(has);
    if (sale) return { truth, sale };
  }
  return null;
}

/** An answer as the provider writes it. */
export const answer = (status: number, body: unknown = null, headers: Record<string, string> = {}): Response =>
  new Response(status === 204 ? null : JSON.stringify(body), { status, headers });

export const TOO_MANY = () => answer(429, {}, { "retry-after": "0" });

/** Whether a search shows a payment by now. */
export const isFound = (world: ProviderSimulation, { quirks }: SimulatedSubscription, sale: Sale): boolean =>
  world.isCalm || world.clock - sale.at >= quirks.searchLag * MINUTE;
