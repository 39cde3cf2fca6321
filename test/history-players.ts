/**
 * Plays histories on the real database through the code of webhook events, browsers and the sweep, and through the real
 * clients. What these are answered is made in this process, without HTTP, so that thousands of histories take minutes.
 */
import { createHmac, randomUUID } from "node:crypto";
import { expect } from "vitest";
import type { Context } from "#server/context.ts";
import { isTransient } from "#server/database/faults.ts";
import { createMercadopago } from "#server/integrations/mercadopago-client.ts";
import { createPaypal } from "#server/integrations/paypal-client.ts";
import { ProviderError } from "#server/integrations/provider-error.ts";
import { PRICES } from "#server/memberships/checkouts/price-rules.ts";
import { cancelMembership } from "#server/memberships/ending/commands.ts";
import { endIfWanted } from "#server/memberships/ending/send.ts";
import { mercadopagoProvider } from "#server/memberships/providers/mercadopago/provider.ts";
import { subjectOf } from "#server/memberships/providers/paypal/events.ts";
import { paypalProvider } from "#server/memberships/providers/paypal/provider.ts";
import { readCheckout } from "#server/memberships/reading/checkout.ts";
import { receiveWebhook } from "#server/memberships/reading/events.ts";
import { insertEvent } from "#server/memberships/reading/store.ts";
import { DAY } from "#shared/time.ts";
import type { History } from "./history-arbitraries.ts";
import { testApp } from "./made-before.ts";
import { mercadopagoAnswers } from "./mercadopago-answers.ts";
import { paypalAnswers } from "./paypal-answers.ts";
import { move, type Quirks, START, type Truth, type Webhook, type World } from "./provider-truths.ts";

const SECRET = "a secret of webhooks";
const PLAN_IDS = { monthly: "P-MONTHLY", lifetime: "P-LIFETIME" };

export const app = testApp();

/** A history while it is played. */
export type Player = {
  truth: Truth;
  history: History;
  story: string;
  underWay: { webhook: Webhook; after: number; copies: number }[];
};

/** How the subscription can differ from its offer at all. */
const wrongOf = ({ method, plan, quirks: { wrong } }: History): Quirks["wrong"] =>
  wrong && method === "mercadopago" && (wrong === "altered" || plan === "lifetime") ? "less" : wrong;

/** A person with a checkout at its provider, and the months that were paid before. */
export async function begin(history: History): Promise<Player> {
  const { method, plan, past } = history;
  const person = await app.person({ type: "psychologist" });
  const price = PRICES[method][plan] as Truth["price"];
  const id = method === "paypal" ? `I-${randomUUID()}` : randomUUID().replaceAll("-", "");
  const months = plan === "monthly" && !wrongOf(history) ? past : 0;
  const begun = new Date(START);
  begun.setUTCMonth(begun.getUTCMonth() - months);
  const [checkout] = await app.sql<{ id: string }>(
    `insert into checkouts (psychologist_id, provider, method, external_id, plan_type, amount, currency, created_at, provider_plan_id, due_at)
     values ($1, $2, $2, $3, $4, $5, $6, $7, $8, $7) returning id`,
    [person.id, method, id, plan, price.amount, price.currency, begun, method === "paypal" ? PLAN_IDS[plan] : null],
  );
  const truth: Truth = {
    ...{ id, method, plan, owner: person.id, checkout: checkout!.id, price, begun: begun.getTime() },
    ...{ state: "pending", approved: null, updated: START, next: null, sales: [], cancelledHere: null },
    ...{ quirks: { ...history.quirks, wrong: wrongOf(history) }, met: new Set(), calls: 0, shown: null },
  };
  if (months) {
    move(truth, "approve", truth.begun);
    for (let month = 0; month < months; month++) move(truth, "renew", Math.max(truth.next!, truth.begun));
  }
  return { truth, history, story: JSON.stringify(history), underWay: [] };
}

/** Our code with real clients on what the world answers. @param onDisturbance a step of a sweep failed by itself */
export function contextOf(world: World, onDisturbance: () => void): Context {
  // Readings that run at the same time begin one after another.
  let tick = 0;
  let last = 0;
  const now = () => {
    last = Math.max(world.clock + (world.clock > last ? 0 : tick++), last + 1);
    return new Date(last);
  };
  const { publicUrl } = app.context.config;
  const apiBase = "https://provider.example";
  const paypal = createPaypal({
    apiBase,
    clientId: "id",
    clientSecret: "secret",
    webhookId: "WH",
    fetch: paypalAnswers(world),
  });
  const mercadopago = createMercadopago({ apiBase, accessToken: "token", fetch: mercadopagoAnswers(world) });
  const log = Object.create(app.context.log, {
    error: { value: ({ reason }: { reason?: string }) => reason && onDisturbance() },
  }) as Context["log"];
  return {
    ...app.context,
    log,
    now,
    paymentProviders: new Map([
      ["paypal", paypalProvider(paypal, { plans: PLAN_IDS, publicUrl })],
      ["mercadopago", mercadopagoProvider(mercadopago, { webhookSecret: SECRET, publicUrl })],
    ]),
  } as Context;
}

/** A webhook request of MercadoPago; one of the older kind has another signature. */
function mercadopagoRequest({ id, type, resource }: Webhook, older: boolean): [Request, Uint8Array] {
  const about = resource.id!;
  const signed = createHmac("sha256", SECRET)
    .update(`id:${older ? "1" : about};request-id:${id};ts:1;`)
    .digest("hex");
  const query = older ? `topic=${type}&id=${about}` : `data.id=${about}&type=${type}`;
  const body = Buffer.from(JSON.stringify({ id, type, action: "updated", data: { id: about } }));
  const headers = { "x-signature": `ts=1,v1=${signed}`, "x-request-id": id };
  return [new Request(`https://divan.example/?${query}`, { method: "POST", headers }), body];
}

/** What a provider does not answer, or could not be handled now, is left to the sweep. */
export async function unlessUnavailable(work: Promise<unknown>): Promise<unknown> {
  try {
    return await work;
  } catch (error) {
    // On a busy machine, deliveries in parallel may wait too long for each other.
    if (!(error instanceof ProviderError) && !isTransient(error)) throw error;
  }
}

/** Hands over a webhook event as it comes from its provider. */
export async function deliver(context: Context, { method, quirks, met }: Truth, webhook: Webhook): Promise<void> {
  if (method === "paypal") {
    const subject = subjectOf({ ...webhook, createTime: null });
    if (subject)
      await insertEvent(context.db, { id: webhook.id, provider: method, subject, received_at: context.now() });
    return;
  }
  if (quirks.olderKind) {
    expect(await receiveWebhook(context, method, ...mercadopagoRequest(webhook, true))).toBe(200);
    met.add("MercadoPago: older kind of notification beside");
  }
  if (["merchant_order", "chargebacks"].includes(webhook.type)) met.add("MercadoPago: topics by their other names");
  const received = receiveWebhook(context, method, ...mercadopagoRequest(webhook, false));
  expect(await unlessUnavailable(received)).not.toBe(401);
}

/** Whether only this webhook event tells of a change: older charges are not read again, and MercadoPago lists no events. */
const isOnlyTold = ({ method, plan }: Truth, { sale, at }: Webhook): boolean =>
  method === "mercadopago" && plan === "monthly" && sale !== null && sale.at < at - 40 * DAY;

/** Plays one move, with the deliveries of its webhook events that come at once. */
export async function play(context: Context, world: World, player: Player): Promise<void> {
  const { truth, history, underWay } = player;
  const { what, copies, together } = history.steps[world.round]!;
  const webhooks = what === "cancel here" || what === "browser" ? [] : move(truth, what, world.clock);
  if (truth.method === "paypal") world.events.push(...webhooks);
  if (webhooks.length && !copies.length && truth.method === "paypal") truth.met.add("PayPal: events lost but listed");
  if (webhooks.length && !copies.length && truth.method === "mercadopago") truth.met.add("MercadoPago: events lost");
  if (what === "cancel here") await cancelHere(context, truth, world.clock);
  if (what === "browser") await unlessUnavailable(readCheckout(context, truth.checkout));
  // Empty: lost. Otherwise each number is a delivery, so many rounds later.
  for (const webhook of webhooks)
    for (const after of isOnlyTold(truth, webhook) ? [0] : copies)
      underWay.push({ webhook, after: world.round + after, copies: together ? 3 : 1 });
  const due = underWay.filter(({ after }) => after === world.round).toReversed();
  player.underWay = underWay.filter(({ after }) => after !== world.round);
  const crowds = due.map(({ webhook, copies: times }) => Array.from({ length: times }, () => webhook));
  for (const crowd of together ? [crowds.flat()] : crowds)
    await Promise.all(crowd.map((webhook) => deliver(context, truth, webhook)));
}

/** The psychologist cancels here, where there is something to cancel. */
async function cancelHere(context: Context, truth: Truth, now: number): Promise<void> {
  const viewer = { id: truth.owner, user_type: "psychologist" } as Parameters<typeof cancelMembership>[1];
  const [row] = await app.sql<{ id: string; status: string }>(
    "select id, status from subscriptions where psychologist_id = $1",
    [truth.owner],
  );
  if (!row || truth.plan !== "monthly") return;
  if (row.status === "active") truth.cancelledHere = now;
  await cancelMembership(context, viewer, row.id);
}

/** The cancellations that wait, as their queue sends them. */
export async function runQueue(context: Context, players: Player[]): Promise<void> {
  const waiting = await app.sql<{ id: string }>(
    "select id from checkouts where psychologist_id = any($1) and end_wanted_at is not null and end_confirmed_at is null",
    [players.map(({ truth }) => truth.owner)],
  );
  for (const { id } of waiting) await endIfWanted(context, id);
}
