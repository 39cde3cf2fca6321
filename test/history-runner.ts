/** Plays histories through the front door: people buy and cancel, providers act and send events, the administrator decides. */
import { randomUUID } from "node:crypto";
import { DAY } from "#shared/time.ts";
import type { TestUser } from "./app.ts";
import type { PaypalFakeEvent } from "./fakes/paypal.ts";
import type { History, Plot, ProviderBehavior, What } from "./history-arbitraries.ts";
import {
  addSubscription,
  hasMalformedField,
  move,
  START,
  type Subscription,
  type Webhook,
  type World,
} from "./history-world.ts";
import { type Door, expectStatus, type OpenProblem } from "./payment-door.ts";

type Delivery = { webhook: Webhook; truth: Subscription; after: number; copies: number };
/** A person while their history is played. */
export type HistoryRun = {
  person: TestUser;
  history: History;
  story: string;
  bought: { truth: Subscription; plot: Plot }[];
  underWay: Delivery[];
  /** End of granted Gold; null if none was granted. */
  grantedUntil: number | null;
  goldEndedAt: number | null;
  deletedAt: number | null;
  met: Set<string>;
};

/** How the subscription can differ from its offer at all. */
const wrongOf = ({ method, plan, quirks: { wrong } }: Plot): ProviderBehavior["wrong"] =>
  wrong && method === "mercadopago" && (wrong === "altered" || plan === "lifetime") ? "less" : wrong;

/** The person begins a checkout, unless the product or the provider refuses. */
async function buy(door: Door, world: World, player: HistoryRun, plot: Plot): Promise<Subscription | null> {
  const { person, met } = player;
  const { method, plan } = plot;
  const email = method === "mercadopago" && plan === "monthly" ? { payer_email: `${randomUUID()}@mp.example` } : {};
  const made = await door.call("POST", "/checkouts", { plan_type: plan, method, ...email, key: randomUUID() }, person);
  expectStatus(made, 201, 409, 502, 503);
  if (made.status !== 201) return null;
  const quirks = { ...plot.quirks, wrong: wrongOf(plot) };
  const { id: checkout, external_id: id } = made.body;
  const truth = addSubscription(world, { id, method, plan, checkout, quirks, met });
  player.bought.push({ truth, plot });
  return truth;
}

const monthsBefore = ({ plan, past, ...plot }: Plot) =>
  plan === "monthly" && !wrongOf({ plan, past, ...plot }) ? past : 0;

/** When the first checkout of a history begins. */
export function beginningOf(history: History): number {
  const begun = new Date(START);
  begun.setUTCMonth(begun.getUTCMonth() - monthsBefore(history.plots[0]));
  return begun.getTime();
}

/**
 * Creates a person with a checkout at its provider and earlier paid months. The clock is at the history's beginning.
 */
export async function begin(door: Door, world: World, history: History): Promise<HistoryRun> {
  const player: HistoryRun = {
    ...{ person: await door.psychologist(), history, story: JSON.stringify(history), bought: [], underWay: [] },
    ...{ grantedUntil: null, goldEndedAt: null, deletedAt: null, met: new Set() },
  };
  const [plot] = history.plots;
  const truth = (await buy(door, world, player, plot))!;
  const months = monthsBefore(plot);
  if (months) {
    for (const webhook of await move(world, truth, "approve")) await deliver(door, world, truth, webhook);
    for (let month = 0; month < months; month++) {
      world.clock = truth.next!;
      const webhooks = await move(world, truth, "renew");
      if (month === months - 1)
        player.underWay.push(...webhooks.map((webhook) => ({ webhook, truth, after: -1, copies: 1 })));
    }
    world.clock = truth.begun;
  }
  if (history.second === "twice") await buy(door, world, player, history.plots[1]!);
  return player;
}

/** Hands over the events of the months before. */
export async function catchUp(door: Door, world: World, player: HistoryRun): Promise<void> {
  const { underWay } = player;
  player.underWay = [];
  for (const { truth, webhook } of underWay) await deliver(door, world, truth, webhook);
}

function tell({ told }: Subscription, { sale, at }: Webhook): void {
  if (sale) told.set(sale, Math.max(at, told.get(sale) ?? 0));
}

/** MercadoPago's other names of its topics. */
const OTHER_TOPICS: Record<string, string> = {
  topic_merchant_order_wh: "merchant_order",
  topic_chargebacks_wh: "chargebacks",
};

/** Delivers a webhook event at its time. The provider repeats an event that was not accepted. */
export async function deliver(door: Door, world: World, truth: Subscription, webhook: Webhook): Promise<void> {
  const { method, quirks, met } = truth;
  const { event } = webhook;
  let sent = event;
  if (!("event_type" in event)) {
    const type = (quirks.otherTopics && OTHER_TOPICS[event.type]) || event.type;
    if (type !== event.type) met.add("MercadoPago: topics by their other names");
    sent = { ...event, type };
    if (quirks.olderKind) {
      expectStatus({ status: await door.deliver(sent, webhook.id, true), body: null }, 200);
      met.add("MercadoPago: older kind of notification beside");
    }
  }
  const status = await door.deliver(sent, webhook.id);
  const mayFail = world.down[method] || hasMalformedField(world, truth, "needed") || quirks.limited;
  expectStatus({ status, body: webhook }, 200, ...(mayFail || status === 503 ? [503] : []));
  tell(truth, webhook);
}

/** Events of PayPal whose change a reading finds without them. Only events report disputes and reversals. */
const MAY_BE_LOST = /^BILLING\.|SALE\.(COMPLETED|REFUNDED|DENIED)$/;

/** Plays the step of one subscription in a round, and delivers its webhook events that arrive at once. */
export async function runMove(
  door: Door,
  world: World,
  player: HistoryRun,
  { truth, plot }: HistoryRun["bought"][number],
): Promise<void> {
  const { what, copies, together, isListed } = plot.steps[world.round]!;
  const isHere = what === "cancel here" || what === "browser";
  const webhooks = isHere ? [] : await move(world, truth, what);
  const name = truth.method === "paypal" ? "PayPal: events lost but listed" : "MercadoPago: events lost";
  const { events } = world.paypal;
  if (truth.method === "paypal") {
    const listed = webhooks.filter(({ event }) => isListed || !MAY_BE_LOST.test((event as PaypalFakeEvent).event_type));
    for (const webhook of listed) tell(truth, webhook);
    if (listed.length) truth.listed = world.clock;
    const lost = webhooks.filter((webhook) => !listed.includes(webhook)).map(({ event }) => event);
    for (const event of lost as PaypalFakeEvent[]) events.splice(events.indexOf(event), 1);
    if (listed.length < webhooks.length && !copies.length) truth.met.add("PayPal: events lost and not listed");
  }
  if (webhooks.length && !copies.length) truth.met.add(name);
  if (isHere && player.deletedAt === null) await actHere(door, player, truth, what, world.clock);
  // Empty: lost. Otherwise each number is a delivery, so many rounds later.
  for (const webhook of webhooks)
    for (const after of copies)
      player.underWay.push({ webhook, truth, after: world.round + after, copies: together ? 3 : 1 });
  const due = player.underWay.filter((one) => one.truth === truth && one.after === world.round).toReversed();
  player.underWay = player.underWay.filter((one) => !due.includes(one));
  const crowds = due.map(({ webhook, copies: times }) => Array.from({ length: times }, () => webhook));
  for (const crowd of together ? [crowds.flat()] : crowds)
    await Promise.all(crowd.map((webhook) => deliver(door, world, truth, webhook)));
}

async function actHere(
  door: Door,
  { person }: HistoryRun,
  truth: Subscription,
  what: What,
  now: number,
): Promise<void> {
  if (what === "browser") {
    expectStatus(await door.call("POST", `/checkouts/${truth.checkout}/reconciliation`, {}, person), 200);
    return;
  }
  const memberships = await door.memberships(person);
  const own = memberships.find((one) => one.external_subscription_id === truth.id);
  if (!own?.can.cancel) return;
  expectStatus(await door.call("DELETE", `/memberships/${own.id}`, {}, person), 200);
  truth.cancelledHere = now;
  truth.met.add("cancelled here");
}

/** Plays the decisions of the person and the administrator in a round, before the providers act. */
export async function decide(door: Door, world: World, player: HistoryRun): Promise<void> {
  const { history, person } = player;
  if (player.deletedAt !== null) return;
  const [, second] = history.plots;
  if (second && history.second !== "twice" && history.secondIn === world.round) await buy(door, world, player, second);
  if (history.grant.in === world.round) await grant(door, world, player);
  if (history.grant.in !== null && history.grant.endsIn === world.round) await endGold(door, world, player);
  if (history.deletedIn === world.round) {
    expectStatus(await door.call("DELETE", "/account", { anonymous_texts: "delete" }, person), 200);
    player.deletedAt = world.clock;
    player.met.add("account deleted");
  }
}

const goldOf = (player: HistoryRun) => `/admin/psychologists/${player.person.id}/gold`;
const REASON = "Porque así se acordó con esta persona.";

async function grant(door: Door, world: World, player: HistoryRun): Promise<void> {
  const { version } = (await door.asAdmin("GET", goldOf(player))).body;
  const { days } = player.history.grant;
  const last_day = days ? new Date(world.clock + days * DAY).toISOString().slice(0, 10) : "never";
  expectStatus(await door.asAdmin("PUT", goldOf(player), { version, last_day, reason: REASON }), 200);
  player.grantedUntil = days ? Date.parse(`${last_day}T23:59:59.999Z`) : Number.POSITIVE_INFINITY;
  player.met.add("Gold granted");
}

async function endGold(door: Door, world: World, player: HistoryRun): Promise<void> {
  const { version } = (await door.asAdmin("GET", goldOf(player))).body;
  const ended = await door.asAdmin("DELETE", goldOf(player), { version, reason: REASON });
  expectStatus(ended, 200, 409, 404);
  if (ended.status !== 200) return;
  if (player.grantedUntil !== null && player.grantedUntil > world.clock) player.grantedUntil = null;
  player.goldEndedAt = world.clock;
  player.met.add("Gold ended by the administrator");
}

/** The administrator ties what names another owner to the person who paid. */
export async function tie(door: Door, player: HistoryRun, problems: readonly OpenProblem[]): Promise<void> {
  if (!player.history.ties || player.deletedAt !== null) return;
  for (const { truth } of player.bought) {
    const names = [truth.id, ...truth.sales.map(({ id }) => id)];
    const problem = problems.find(({ kind, external_id }) => kind === "mismatch:owner" && names.includes(external_id));
    if (!problem) continue;
    const path = `/admin/payments/${problem.id}/owner`;
    const { email } = player.person;
    const tied = await door.asAdmin("PUT", path, { email });
    expectStatus(tied, 200, 400, 409, 422, 502, 503);
    if (tied.status !== 200) continue;
    truth.tied = true;
    player.met.add("tied by the administrator");
  }
}
