import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { FULL_RUN } from "#test/full-run.ts";
import { testApp } from "#test/made-before.ts";
import {
  MOVES,
  type Move,
  mercadopagoOf,
  move,
  paypalOf,
  type Sale,
  START,
  type Truth,
  type Webhook,
} from "#test/provider-histories.ts";
import type { Context } from "../../context.ts";
import { cancelMembership } from "../cancellation/commands.ts";
import { sendCancellation } from "../cancellation/send.ts";
import { PRICES } from "../checkout/price-rules.ts";
import { mercadopagoProvider } from "../providers/mercadopago/provider.ts";
import { paypalProvider } from "../providers/paypal/provider.ts";
import type { PaypalEvent } from "../providers/paypal/schemas.ts";
import { acceptWebhookEvent } from "../webhooks/receive.ts";
import { GRACE_LEAD, GRACE_PERIOD, monthAfter } from "./entitlement-rules.ts";
import { reconcile } from "./reconcile.ts";

// Histories run on the real database through the code of webhook events, browsers and the sweep. The providers are replaced
// by their answers, without HTTP, so that a thousand histories take seconds.

const HOUR = 3600_000;
/** How many random histories, other ones in each run. */
const HISTORIES = FULL_RUN ? 1000 : 100;
/** How many people at a time, each with a history of their own. */
const TOGETHER = 20;

const app = testApp();

const step = fc.record({
  what: fc.oneof(
    { weight: 3, arbitrary: fc.constant<Move>("approve") },
    { weight: 4, arbitrary: fc.constant<Move>("renew") },
    { weight: 9, arbitrary: fc.constantFrom(...MOVES) },
  ),
  hours: fc.integer({ min: 1, max: 24 * 25 }),
  /** The deliveries of its webhook events: how many, and how many moves later. */
  copies: fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 2 }),
  /** Its webhook events are delivered in parallel. */
  together: fc.boolean(),
});
const history = fc.record({
  method: fc.constantFrom("paypal" as const, "mercadopago" as const),
  plan: fc.constantFrom("monthly" as const, "monthly" as const, "lifetime" as const),
  steps: fc.array(step, { minLength: 1, maxLength: 8 }),
  /** Hours from the last move to the sweep. */
  rest: fc.integer({ min: 1, max: 24 * 50 }),
});
type History = typeof history extends fc.Arbitrary<infer Value> ? Value : never;

const PLAN_IDS = { monthly: "P-MONTHLY", lifetime: "P-LIFETIME" };

/** A webhook event as PayPal lists it. */
function asListed({ id, subject, subject_id, at }: Webhook): PaypalEvent {
  const type =
    { sale: "PAYMENT.SALE.REFUNDED", dispute: "CUSTOMER.DISPUTE.UPDATED" }[subject] ?? "BILLING.SUBSCRIPTION.UPDATED";
  return {
    id,
    type,
    createTime: new Date(at),
    resource: { id: subject_id, sale_id: subject_id, dispute_id: subject_id },
  };
}

/** Plays one person's history and compares how it ends. */
async function live({ method, plan, steps, rest }: History): Promise<void> {
  const person = await app.person({ type: "psychologist" });
  const price = PRICES[method][plan] as Truth["price"];
  const id = `${method === "paypal" ? "I-" : ""}${randomUUID()}`;
  const [checkout] = await app.sql<{ id: string }>(
    `insert into checkouts (psychologist_id, provider, method, external_id, plan_type, amount, currency, created_at)
     values ($1, $2, $2, $3, $4, $5, $6, $7) returning id`,
    [person.id, method, id, plan, price.amount, price.currency, new Date(START)],
  );
  const truth: Truth = {
    id,
    method,
    plan,
    owner: person.id,
    checkout: checkout!.id,
    price,
    state: "pending",
    updated: START,
    next: null,
    sales: [],
    cancelledHere: null,
  };
  const truths = new Map([[id, truth]]);
  const { publicUrl } = app.context.config;
  const events: PaypalEvent[] = [];
  let now = START;
  // Readings that run at the same time begin one after another.
  let tick = 0;
  const context = {
    ...app.context,
    now: () => new Date(now + tick++),
    paymentProviders: new Map([
      ["paypal", paypalProvider(paypalOf(truths, events), { plans: PLAN_IDS, publicUrl })],
      ["mercadopago", mercadopagoProvider(mercadopagoOf(truths), { webhookSecret: "", publicUrl })],
    ]),
  } as Context;
  const deliver = ({ id: event, subject, subject_id }: Webhook) =>
    acceptWebhookEvent(context, method, event, { subject, subject_id });

  const underWay: Delivery[] = [];
  for (const [n, { what, hours, copies, together }] of steps.entries()) {
    now += hours * HOUR;
    const webhooks = move(truth, what, now);
    events.push(...webhooks.map(asListed));
    if (what === "cancel here") await cancelHere(context, truth, now);
    if (what === "browser") await reconcile(context, method, id);
    // Empty: lost. Otherwise each number is a delivery, so many moves later.
    for (const webhook of webhooks)
      for (const after of copies) underWay.push({ webhook, after: n + after, copies: together ? 5 : 1 });
    await deliverDue(underWay.filter(({ after }) => after === n).toReversed(), together, deliver);
  }
  now += rest * HOUR;
  for (const { webhook } of underWay.filter(({ after }) => after >= steps.length)) await deliver(webhook);
  // Two sweeps: the first cancels at the provider what it ends, the second reads that.
  for (let i = 0; i < 2; i++) {
    now += 10 * 60_000;
    await sweep(context, truth);
  }
  await compare(truth, person.id, now, JSON.stringify({ method, plan, steps, rest }));
}

/** Webhook events that are delivered after this move, this many times. */
type Delivery = { webhook: Webhook; after: number; copies: number };

/** Delivers everything that is due in parallel, or one event after another. */
async function deliverDue(due: Delivery[], together: boolean, deliver: (webhook: Webhook) => Promise<void>) {
  const coming = due.map(({ webhook, copies: times }) => Array.from({ length: times }, () => webhook));
  for (const crowd of together ? [coming.flat()] : coming) await Promise.all(crowd.map(deliver));
}

/** The psychologist cancels here, where there is something to cancel. */
async function cancelHere(context: Context, truth: Truth, now: number): Promise<void> {
  const viewer = { id: truth.owner, user_type: "psychologist" } as Parameters<typeof cancelMembership>[1];
  const [row] = await app.sql<{ id: string; status: string }>(
    "select id, status from subscriptions where psychologist_id = $1",
    [truth.owner],
  );
  if (!row || truth.plan !== "monthly") return;
  await cancelMembership(context, viewer, row.id);
  if (row.status === "active") truth.cancelledHere = now;
}

/** The sweep for one person: each has a clock and providers of their own. */
async function sweep(context: Context, { id, method, owner }: Truth): Promise<void> {
  if (method === "paypal")
    for (const event of await context.paymentProviders.get(method)!.missedEvents!(new Date(START), context.now()))
      await acceptWebhookEvent(context, method, event.id, event.subject!);
  await reconcile(context, method, id);
  const wanting = await app.sql<{ id: string }>(
    "select id from subscriptions where psychologist_id = $1 and cancel_requested_at is not null",
    [owner],
  );
  for (const membership of wanting) await sendCancellation(context, membership.id);
}

const wasKept = (sale: Sale) => sale.status === "completed" && sale.dispute?.state !== "lost";

/** Until when Gold lasts by the provider's state and our own cancellation; null where there is none. @param came the received payments */
function goldUntil({ plan, state, cancelledHere }: Truth, came: Sale[], now: number): number | null {
  const newest = came.at(-1)!;
  const isPaid = plan === "lifetime" ? came.some(wasKept) : wasKept(newest);
  if (cancelledHere || !isPaid) return null;
  if (plan === "lifetime") return Number.POSITIVE_INFINITY;
  const month = monthAfter(new Date(newest.at)).getTime();
  return state === "active" && month <= now + GRACE_LEAD ? month + GRACE_PERIOD : month;
}

/** Who ended a membership with this Gold; null where no one did. */
function endedBy({ cancelledHere, state }: Truth, until: number | null, now: number): string | null {
  if (cancelledHere) return "person";
  if (until === null) return "refund";
  return until <= now && state === "cancelled" ? "provider" : null;
}

/** Compares our rows with what follows from the provider's state. */
async function compare(truth: Truth, person: string, now: number, story: string): Promise<void> {
  const subscriptions = await app.sql<{
    status: string;
    ended_by: string | null;
    next_billing_date: Date | null;
    plan_type: string;
    id: string;
    cancel_confirmed_at: Date | null;
    cancel_requested_at: Date | null;
  }>("select * from subscriptions where psychologist_id = $1", [person]);
  const paid = await app.sql<{
    external_payment_id: string;
    status: string;
    refunded_amount: number | null;
    dispute: string | null;
  }>(
    "select p.* from payment_transactions p join subscriptions s on s.id = p.subscription_id where psychologist_id = $1 order by paid_at, external_payment_id",
    [person],
  );
  const [profile] = await app.sql<{ gold_until: Date | number | null; subscription_id: string | null }>(
    "select gold_until, subscription_id from psychologist_profiles where id = $1",
    [person],
  );
  const came = truth.sales.filter(({ status }) => status !== "failed");
  if (!came.length) {
    expect([subscriptions.length, profile!.gold_until], story).toEqual([0, null]);
    return;
  }
  expect(subscriptions.length, story).toBe(1);
  const [row] = subscriptions;
  const statusOf = (sale: Sale) => (sale.status === "completed" && sale.refunded ? "partially_refunded" : sale.status);
  expect(
    paid.map((one) => [one.external_payment_id, one.status]),
    story,
  ).toEqual(
    truth.sales.toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1)).map((sale) => [sale.id, statusOf(sale)]),
  );
  if (truth.method === "paypal")
    expect(
      paid.map(({ dispute }) => dispute),
      story,
    ).toEqual(truth.sales.map(({ dispute }) => dispute?.state ?? null));

  const until = goldUntil(truth, came, now);
  const gold = profile!.gold_until === null ? null : Number(profile!.gold_until);
  // A membership that ran out keeps its date; one that its provider ended has none.
  if (until !== null && until <= now) expect(gold === null || gold === until, story).toBe(true);
  else expect(gold, story).toBe(until);
  expect(row!.ended_by, story).toBe(endedBy(truth, until, now));
  expect(profile!.subscription_id, story).toBe(row!.status === "active" ? row!.id : null);
  if (row!.cancel_requested_at) expect(["cancelled", "expired"], story).toContain(truth.state);
  const receipts = await app.sql<{ n: number; distinct: number }>(
    "select count(*)::int as n, count(distinct data ->> 'payment_id')::int as distinct from pgboss.job where name = 'mail' and data ->> 'subscription_id' = $1",
    [row!.id],
  );
  expect(receipts[0]!.n, story).toBe(receipts[0]!.distinct);
  const began = await app.sql("select from audit_log where target_id = $1 and action = 'membership_began'", [row!.id]);
  expect(began.length, story).toBeLessThanOrEqual(came.length + 1);
}

test(`${HISTORIES} histories, whatever the order, number and loss of their webhook events, end in the provider's state`, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(history, { minLength: TOGETHER, maxLength: TOGETHER }), async (histories) => {
      await Promise.all(histories.map(live));
    }),
    // The message names the history that failed; shrinking all that ran beside it would take minutes.
    { numRuns: HISTORIES / TOGETHER, endOnFailure: true },
  );
});
