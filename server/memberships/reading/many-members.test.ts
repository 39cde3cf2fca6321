import { afterAll, test as anyTest, beforeAll, expect, vi } from "vitest";
import { DAY, HOUR, MINUTE } from "#shared/time.ts";
import { openTestApp, type TestApp } from "#test/app.ts";
import { FULL_RUN } from "#test/full-run.ts";
import { mercadopagoAnswers } from "#test/mercadopago-answers.ts";
import { paypalAnswers } from "#test/paypal-answers.ts";
import {
  move,
  newTruth,
  type ProviderBehavior,
  type ProviderSimulation,
  type SimulatedSubscription,
} from "#test/provider-simulation.ts";
import type { Context } from "../../context.ts";
import type { Fetch } from "../../integrations/json-client.ts";
import { openMercadopago } from "../providers/mercadopago/provider.ts";
import { openPaypal } from "../providers/paypal/provider.ts";
import { PARALLEL_CALLS, workPayments } from "./jobs.ts";

// Measures the worker's load with many members and without webhook events (docs/payments.md).

/** Takes 10 to 20 minutes, so only the full run does it. */
const test = anyTest.runIf(FULL_RUN);
vi.setConfig({ testTimeout: 40 * MINUTE });

const MEMBERS = 10_000;
/** Hours of ordinary sweeps, and of the outage after them. */
const ORDINARY_HOURS = 24;
const OUTAGE_HOURS = 6;
/** How long a provider takes to answer a call. */
const LATENCY = 250;
const INTERVAL = MINUTE;
const START = Date.parse("2027-05-10T00:00:00.000Z");
const METHODS = ["paypal", "mercadopago"] as const;
const PLAN_IDS = { monthly: "P-MONTHLY", lifetime: "P-LIFETIME" };
const ORDINARY: ProviderBehavior = {
  ...{
    searchLag: 0,
    inherits: true,
    metadataNamesAnother: false,
    longIds: false,
    olderKind: false,
    otherTopics: false,
  },
  ...{ forgets: false, limited: false, refundLines: false, oddAmounts: false, approvalLag: 0, pastDate: false },
  ...{ strangeIn: { optional: [], needed: [] }, wrong: null },
};

let app: TestApp;
let world: ProviderSimulation;
let context: Context;
/** The calls of a sweep by provider. */
const calls = { paypal: 0, mercadopago: 0 };

/** Calculates the duration of the calls, which run in parallel. */
const virtual = (method: (typeof METHODS)[number]) => (calls[method] * LATENCY) / PARALLEL_CALLS;
const longest = () => Math.max(...METHODS.map(virtual));

/** Counts the calls. */
const counting =
  (method: (typeof METHODS)[number], answers: Fetch): Fetch =>
  (input, init) => {
    calls[method]++;
    return answers(input, init);
  };

/** How long after its charge the newest payment of each renewed member was here, by the end of a sweep. */
const late = new Map<string, number>();

/** The members as their provider has them: their dates are spread over a month, their readings over a day. */
function membersOf(method: (typeof METHODS)[number], many: number): { truth: SimulatedSubscription; readAt: number }[] {
  return Array.from({ length: many }, (_, n) => {
    const paid = START - ((n + 1) * 30 * DAY) / many;
    const owner = crypto.randomUUID();
    const truth = newTruth({
      ...{ id: `${method}-${n}`, method, plan: "monthly", owner, checkout: crypto.randomUUID(), begun: paid },
      quirks: ORDINARY,
    });
    move(truth, "approve", paid);
    if (!truth.sales.length) move(truth, "renew", truth.next!);
    // Not the order of the dates.
    return { truth, readAt: START - ((n * 7919) % many) * (DAY / many) };
  });
}

/** Writes members as they are after a reading. */
async function insertMembers(members: { truth: SimulatedSubscription; readAt: number }[]): Promise<void> {
  const rows = members.map(({ truth, readAt }) => ({
    ...{ id: truth.owner, external: truth.id, checkout: truth.checkout, method: truth.method },
    ...{
      amount: truth.price.amount,
      currency: truth.price.currency,
      plan: truth.method === "paypal" ? PLAN_IDS.monthly : null,
    },
    ...{ begun: new Date(truth.begun), next: new Date(truth.next!), read: new Date(readAt) },
    ...{ sale: truth.sales[0]!.id, paid: new Date(truth.sales[0]!.at) },
  }));
  const given = `with given as (select * from json_to_recordset($1) as g (id uuid, external text, checkout uuid, method text,
    amount int, currency text, plan text, begun timestamptz, next timestamptz, read timestamptz, sale text, paid timestamptz))`;
  const write = (text: string) => app.sql(`${given} ${text}`, [JSON.stringify(rows)]);
  await write(
    "insert into profiles (id, full_name, email, user_type) select id, 'Persona', id || '@example.com', 'psychologist' from given",
  );
  await write(
    "insert into psychologist_profiles (id, license_number, country, verified_at) select id, 'MP 1', 'Argentina', now() from given",
  );
  await write(`insert into checkouts (id, psychologist_id, provider, method, external_id, plan_type, amount, currency, state, created_at, read_at, due_at, provider_plan_id)
    select checkout, id, method, method, external, 'monthly', amount, currency, 'active', begun, read, least(read + interval '1 day', next), plan from given`);
  await write(`insert into subscriptions (checkout_id, psychologist_id, provider, external_subscription_id, plan_type, amount, currency, status, next_billing_date, provider_next_billing_date, created_at)
    select checkout, id, method, external, 'monthly', amount, currency, 'active', next, next, begun from given`);
  await write(`insert into payment_transactions (subscription_id, provider, external_payment_id, amount, currency, status, paid_at)
    select s.id, method, sale, g.amount, g.currency, 'completed', paid from given g join subscriptions s on s.external_subscription_id = external`);
  await write(`update psychologist_profiles p set gold_until = next + interval '3 days', subscription_id = s.id from given g join subscriptions s on s.external_subscription_id = external
    where p.id = g.id`);
}

beforeAll(async () => {
  if (!FULL_RUN) return;
  app = await openTestApp();
  const members = METHODS.flatMap((method) => membersOf(method, MEMBERS / METHODS.length));
  const truths = members.map(({ truth }) => truth);
  world = {
    ...{ clock: START, round: 0, events: [], down: { paypal: false, mercadopago: false }, isCalm: true, opening: null },
    truths: new Map(truths.map((truth) => [truth.id, truth])),
    checkouts: new Map(truths.map((truth) => [truth.checkout, truth])),
  };
  const { publicUrl } = app.context.config;
  const apiBase = "https://provider.example";
  const paypal = {
    ...{ apiBase, clientId: "id", clientSecret: "secret", webhookId: "WH", plans: PLAN_IDS, sdkBase: "" },
    fetch: counting("paypal", paypalAnswers(world)),
  };
  const mercadopago = {
    ...{ apiBase, accessToken: "token", webhookSecret: "" },
    fetch: counting("mercadopago", mercadopagoAnswers(world)),
  };
  context = {
    ...app.context,
    now: () => new Date(world.clock + longest()),
    paymentProviders: new Map([
      ["paypal", openPaypal(paypal, publicUrl)],
      ["mercadopago", openMercadopago(mercadopago, publicUrl)],
    ]),
  } as Context;
  await insertMembers(members);
});
afterAll(() => app?.close());

/** The charges since a sweep: every member is charged at the date. No webhook event is delivered. */
function charge(): void {
  for (const truth of world.truths.values()) {
    if (truth.next! > world.clock) continue;
    const events = move(truth, "renew", truth.next!);
    if (truth.method === "paypal") world.events.push(...events);
  }
}

async function noteRenewed(): Promise<void> {
  const end = world.clock + longest();
  const rows = await app.sql<{ id: string; paid_at: Date }>(
    "select external_payment_id as id, paid_at from payment_transactions where paid_at > $1 and created_at > $2",
    [new Date(START), new Date(world.clock - 1)],
  );
  for (const { id, paid_at } of rows) if (!late.has(id)) late.set(id, end - paid_at.getTime());
}

/** A virtual sweep. Returns how long it takes. */
async function virtualSweep(): Promise<number> {
  charge();
  Object.assign(calls, { paypal: 0, mercadopago: 0 });
  await workPayments(context);
  await noteRenewed();
  return longest();
}

/** Members whose payment is here in time, and who have Gold. */
const withoutGold = async () =>
  (
    await app.sql<{ n: number }>("select count(*)::int as n from psychologist_profiles where gold_until <= $1", [
      new Date(world.clock),
    ])
  )[0]!.n;

const toRead = async () =>
  (
    await app.sql<{ n: number }>("select count(*)::int as n from checkouts where read_at <= $1", [
      new Date(world.clock - DAY - INTERVAL),
    ])
  )[0]!.n;

const minutes = (span: number) => Math.round(span / 6000) / 10;

test(`${MEMBERS} members and ${LATENCY} ms for a call: an ordinary day, then six hours without an answer`, async () => {
  const sweeps = (ORDINARY_HOURS * HOUR) / INTERVAL;
  let made = 0;
  let longestSweep = 0;
  for (let n = 0; n < sweeps; n++) {
    world.clock += INTERVAL;
    longestSweep = Math.max(longestSweep, await virtualSweep());
    made += calls.paypal + calls.mercadopago;
    expect(await withoutGold()).toBe(0);
  }
  const perDay = (made / MEMBERS) * (24 / ORDINARY_HOURS);
  const longestWait = Math.max(...late.values());
  const renewed = late.size;

  const outageFrom = world.clock;
  world.down = { paypal: true, mercadopago: true };
  let inOutage = 0;
  for (let n = 0; n < (OUTAGE_HOURS * HOUR) / INTERVAL; n++) {
    world.clock += INTERVAL;
    await virtualSweep();
    inOutage = Math.max(inOutage, calls.paypal + calls.mercadopago);
    expect(await withoutGold()).toBe(0);
  }
  world.down = { paypal: false, mercadopago: false };
  const outageEnd = world.clock;
  let afterOutage = 0;
  let caughtUp: number | null = null;
  const charged = [...world.truths.values()].filter(
    ({ sales }) => sales.at(-1)!.at > outageFrom && sales.at(-1)!.at <= outageEnd,
  );
  for (let n = 0; n < 90; n++) {
    world.clock += INTERVAL;
    afterOutage = Math.max(afterOutage, await virtualSweep());
    expect(await withoutGold()).toBe(0);
    const isDone = charged.every(({ sales }) => late.has(sales.at(-1)!.id)) && (await toRead()) === 0;
    if (isDone) caughtUp ??= world.clock + longest() - outageEnd;
  }
  console.info(
    [
      `${MEMBERS} members, ${LATENCY} ms for a call, ${PARALLEL_CALLS} at the same time at each provider, every minute`,
      `calls per member and day: ${perDay.toFixed(2)}`,
      `longest sweep of an ordinary day: ${minutes(longestSweep)} minutes`,
      `longest wait of ${renewed} due members, from the charge: ${minutes(longestWait)} minutes`,
      `most calls of a sweep in the outage: ${inOutage}`,
      `longest sweep after six hours of outage: ${minutes(afterOutage)} minutes`,
      `caught up after ${caughtUp === null ? "more than 90" : minutes(caughtUp)} minutes`,
    ].join("\n"),
  );
  expect(perDay).toBeLessThanOrEqual(3);
  expect(longestSweep).toBeLessThanOrEqual(8 * MINUTE);
  expect(longestWait).toBeLessThanOrEqual(5 * MINUTE);
  expect(inOutage).toBeLessThanOrEqual(10);
  expect(afterOutage).toBeLessThanOrEqual(8 * MINUTE);
  expect(caughtUp ?? Number.POSITIVE_INFINITY).toBeLessThanOrEqual(HOUR);
});
