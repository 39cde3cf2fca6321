import { afterAll, test as anyTest, beforeAll, expect, vi } from "vitest";
import { DAY, HOUR, MINUTE } from "#shared/time.ts";
import { openTestApp, type TestApp } from "#test/app.ts";
import { FULL_RUN } from "#test/full-run.ts";
import type { ProviderBehavior } from "#test/history-arbitraries.ts";
import { respond } from "#test/history-transport.ts";
import { addSubscription, move, newWorld, type Subscription } from "#test/history-world.ts";
import { PRICE } from "#test/payment-terms.ts";
import type { Context } from "../../context.ts";
import type { PaymentProvider } from "../../integrations/payment-provider.ts";
import { openPaymentProviders } from "../providers/registry.ts";
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
const world = newWorld();
const members: Member[] = [];
let context: Context;
/** The calls of a sweep by provider. */
const calls = { paypal: 0, mercadopago: 0 };

/** Calculates the duration of the calls, which run in parallel. */
const virtual = (method: (typeof METHODS)[number]) => (calls[method] * LATENCY) / PARALLEL_CALLS;
const longest = () => Math.max(...METHODS.map(virtual));

/** Passes calls to the simulation, and counts them. */
const counting: typeof globalThis.fetch = (input, init) => {
  const url = new URL(String(input));
  const method = url.origin === world.paypal.url ? "paypal" : "mercadopago";
  calls[method]++;
  return respond(world, method, url, init);
};

/** How long after its charge the newest payment of each renewed member was here, by the end of a sweep. */
const late = new Map<string, number>();

type Member = { truth: Subscription; owner: string; readAt: number };
/** The members as their provider has them: their dates are spread over a month, their readings over a day. */
async function membersOf(provider: PaymentProvider, method: (typeof METHODS)[number], many: number): Promise<Member[]> {
  const members: Member[] = [];
  for (let n = 0; n < many; n++) {
    world.clock = START - ((n + 1) * 30 * DAY) / many;
    const checkout = crypto.randomUUID();
    const asked = {
      id: checkout,
      plan_type: "monthly" as const,
      ...PRICE[method].monthly,
      payer_email: "a@mp.example",
    };
    const { external_id: id } = await provider.openCheckout({ ...asked, created_at: new Date(world.clock) });
    const truth = addSubscription(world, { id, method, plan: "monthly", checkout, quirks: ORDINARY, met: new Set() });
    await move(world, truth, "approve");
    if (!truth.sales.length) {
      world.clock = truth.next!;
      await move(world, truth, "renew");
    }
    // Not the order of the dates.
    members.push({ truth, owner: crypto.randomUUID(), readAt: START - ((n * 7919) % many) * (DAY / many) });
  }
  return members;
}

/** Writes members as they are after a reading. */
async function insertMembers(members: Member[]): Promise<void> {
  const rows = members.map(({ truth, owner, readAt }) => ({
    ...{ id: owner, external: truth.id, checkout: truth.checkout, method: truth.method, ...truth.price },
    plan: truth.method === "paypal" ? world.paypal.environment.PAYPAL_PLAN_MONTHLY : null,
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
  await write(`insert into checkouts (id, psychologist_id, provider, method, external_id, plan_type, amount, currency, state, created_at, read_at, due_at, provider_plan_id, status, began_at, next_billing_date, provider_next_billing_date)
    select checkout, id, method, method, external, 'monthly', amount, currency, 'active', begun, read, least(read + interval '1 day', next), plan, 'active', begun, next, next from given`);
  await write(`insert into payment_transactions (subscription_id, provider, external_payment_id, amount, currency, status, paid_at)
    select checkout, method, sale, amount, currency, 'completed', paid from given`);
  await write(`update psychologist_profiles p set gold_until = next + interval '3 days', subscription_id = checkout from given g
    where p.id = g.id`);
}

beforeAll(async () => {
  if (!FULL_RUN) return;
  app = await openTestApp({ environment: { ...world.paypal.environment, ...world.mercadopago.environment } });
  vi.stubGlobal("fetch", counting);
  const paymentProviders = openPaymentProviders(app.context.config);
  context = { ...app.context, now: () => new Date(world.clock + longest()), paymentProviders };
  for (const method of METHODS)
    members.push(...(await membersOf(paymentProviders.get(method)!, method, MEMBERS / METHODS.length)));
  world.clock = START;
  world.paypal.events.length = 0;
  await insertMembers(members);
});
afterAll(() => app?.close());

/** The charges since a sweep: every member is charged at the date. No webhook event is delivered. */
async function charge(): Promise<void> {
  for (const { truth } of members) if (truth.next! <= world.clock) await move(world, truth, "renew");
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
  await charge();
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
  const newest = members.map(({ truth }) => truth.sales.at(-1)!);
  const charged = newest.filter(({ at }) => at > outageFrom && at <= outageEnd);
  for (let n = 0; n < 90; n++) {
    world.clock += INTERVAL;
    afterOutage = Math.max(afterOutage, await virtualSweep());
    expect(await withoutGold()).toBe(0);
    const isDone = charged.every(({ id }) => late.has(id)) && (await toRead()) === 0;
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
