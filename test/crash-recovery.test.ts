import { PgBoss } from "pg-boss";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { MINUTE } from "#shared/time.ts";
import { startPrivateServer } from "../e2e/server.ts";
import { type MercadopagoFake, startMercadopagoFake } from "./fakes/mercadopago.ts";
import { type PaypalFake, type PaypalFakeEvent, startPaypalFake } from "./fakes/paypal.ts";
import { FULL_RUN } from "./full-run.ts";
import { insertUser, type TestUser } from "./people.ts";

// Each scenario kills the server twice during a call to a payment provider: before the provider handles the call, and
// before it responds. Each time another server starts. Finally a single sweep runs, and our database must match the
// providers.

/** Delay of the providers' clocks, in milliseconds. The sweep only handles events of at least this age. */
const BEHIND = 30 * MINUTE;

let paypal: PaypalFake;
let mercadopago: MercadopagoFake;
let server: Awaited<ReturnType<typeof startPrivateServer>>;
const sql = <Row extends Record<string, unknown>>(text: string, values?: unknown[]) => server.sql<Row>(text, values);

beforeAll(async () => {
  paypal = await startPaypalFake();
  mercadopago = await startMercadopagoFake();
  for (const fake of [paypal, mercadopago]) fake.now = () => new Date(Date.now() - BEHIND);
  const environment = { ...paypal.environment, ...mercadopago.environment };
  server = await startPrivateServer(inject("postgres").admin, environment);
  paypal.webhookUrl = `${server.url}/api/webhooks/paypal`;
  mercadopago.webhookUrl = `${server.url}/api/webhooks/mercadopago`;
});
afterAll(async () => {
  await server.close();
  await Promise.all([paypal.close(), mercadopago.close()]);
});

type Checkout = { id: string; external_id: string; status: string };
type Plan = "monthly" | "lifetime";
type Method = "paypal" | "mercadopago";

async function call<Body = Checkout>(
  person: TestUser,
  method: string,
  path: string,
  body: unknown = {},
): Promise<Body> {
  const answer = await fetch(`${server.url}/api${path}`, {
    method,
    headers: { "content-type": "application/json", origin: server.url, cookie: person.cookie },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return JSON.parse(text) as Body;
}
const begin = (person: TestUser, method: Method, plan_type: Plan) =>
  call(person, "POST", "/checkouts", { method, plan_type, payer_email: "paga@example.com" });
const reconcile = (person: TestUser, { id }: Checkout) => call(person, "POST", `/checkouts/${id}/reconciliation`);
async function pay(method: Method, plan: Plan, { external_id }: Checkout) {
  if (method === "paypal") return paypal.approve(external_id);
  if (plan === "lifetime") return (await mercadopago.pay(external_id)).webhooks;
  await mercadopago.authorize(external_id);
  return (await mercadopago.charge(external_id)).webhooks;
}
async function paid(person: TestUser, method: Method, plan: Plan): Promise<Checkout> {
  const checkout = await begin(person, method, plan);
  await pay(method, plan, checkout);
  expect((await reconcile(person, checkout)).status).toBe("paid");
  return checkout;
}
const sendPaypal = (events: PaypalFakeEvent[], type: string) =>
  paypal.send(events.find(({ event_type }) => event_type === type)!);
const cancel = async (person: TestUser) => {
  const [row] = await sql<{ id: string }>(
    "select id from subscriptions where psychologist_id = $1 and status = 'active'",
    [person.id],
  );
  return call(person, "DELETE", `/memberships/${row!.id}`);
};
async function sweep(): Promise<void> {
  const boss = new PgBoss({
    connectionString: server.databaseUrl,
    migrate: false,
    createSchema: false,
    supervise: false,
    schedule: false,
  });
  await boss.start();
  // Null if a job waits already; the job of a killed server stays active for minutes.
  const sent = await boss.send("payment-work", {});
  const waiting = "select id from pgboss.job where name = 'payment-work' and state = 'created'";
  const id = sent ?? (await sql<{ id: string }>(waiting))[0]?.id;
  const state = async () => (await sql("select state from pgboss.job where id = $1", [id]))[0]?.state;
  if (id) await expect.poll(state).toBe("completed");
  await boss.stop();
}

/** The subscriptions that the providers will go on charging, and the payments that they kept, of one person. */
function providerStateOf(references: Set<string>) {
  const atPaypal = [...paypal.subscriptions.values()].filter((one) => references.has(one.custom_id));
  const atMercadopago = [...mercadopago.preapprovals.values()].filter((one) => references.has(one.external_reference));
  const monthly = (one: { plan_id: string }) => !paypal.plans[one.plan_id]!.once;
  return {
    charging: [
      ...atPaypal.filter((one) => one.status === "ACTIVE" && monthly(one)),
      ...atMercadopago.filter((one) => one.status === "authorized"),
    ].map((one) => one.id),
    kept: [
      ...atPaypal.flatMap((one) => one.sales.filter(({ state }) => state === "completed").map((sale) => sale.id)),
      ...[...mercadopago.payments.values()]
        .filter(({ status, operation_type }) => status === "approved" && operation_type !== "card_validation")
        .filter((payment) =>
          payment.preapproval
            ? atMercadopago.some((one) => one.id === payment.preapproval)
            : references.has(payment.external_reference ?? ""),
        )
        .map((payment) => String(payment.id)),
    ].sort(),
  };
}

const hasGold = async ({ id }: TestUser) =>
  (await sql("select from psychologist_profiles where id = $1 and gold_until > now()", [id])).length > 0;
const referencesOf = async ({ id }: TestUser) =>
  new Set(
    (await sql<{ id: string }>("select id from checkouts where psychologist_id = $1", [id])).map((row) => row.id),
  );

/** The call during which the server dies, and the action that causes the call. */
type Prepared = [call: RegExp, act: () => Promise<unknown>];
type Scenario = {
  name: string;
  method: Method;
  prepare(person: TestUser): Promise<Prepared>;
  gold: boolean;
  again?(person: TestUser): Promise<unknown>;
  short?: boolean;
};
const scenario = (
  name: string,
  method: Method,
  prepare: Scenario["prepare"],
  more: Partial<Scenario> = {},
): Scenario => ({ name, method, prepare, gold: true, ...more });

/** Matches a request to a provider. Letters and digits need no escape. */
const of = (method: string, path: string) => new RegExp(`^${method} ${path.replace(/[-.]/g, "\\$&")}$`);
const atPaypal = (id: string) => `/v1/billing/subscriptions/${id}`;

/** Kills the server while it creates a checkout at the provider. The user then pays another checkout. */
const opening = (name: string, method: Method, call: RegExp, short = false) =>
  scenario(name, method, async (person) => [call, () => begin(person, method, "monthly")], {
    again: (person) => paid(person, method, "monthly"),
    short,
  });
/** Kills the server while it reads a payment because the browser returned. */
const returning = (name: string, method: Method, plan: Plan, path: (id: string) => string, short = false) =>
  scenario(
    name,
    method,
    async (person) => {
      const checkout = await begin(person, method, plan);
      await pay(method, plan, checkout);
      return [of("GET", path(checkout.external_id)), () => reconcile(person, checkout)];
    },
    { short },
  );
const cancelling = (method: Method, call: (id: string) => RegExp) =>
  scenario(
    "a cancellation is sent",
    method,
    async (person) => [call((await paid(person, method, "monthly")).external_id), () => cancel(person)],
    { gold: false, short: true },
  );

const SCENARIOS: Scenario[] = [
  opening("a subscription is created", "paypal", of("POST", "/v1/billing/subscriptions"), true),
  returning("a subscription is read", "paypal", "monthly", atPaypal),
  scenario("a renewal is read after its webhook event", "paypal", async (person) => {
    const { external_id } = await paid(person, "paypal", "monthly");
    const events = await paypal.renew(external_id);
    return [of("GET", atPaypal(external_id)), () => sendPaypal(events, "PAYMENT.SALE.COMPLETED")];
  }),
  scenario(
    "a refund is read after its webhook event",
    "paypal",
    async (person) => {
      const { external_id } = await paid(person, "paypal", "monthly");
      const events = await paypal.refund(paypal.subscriptions.get(external_id)!.sales[0]!.id);
      return [of("GET", `${atPaypal(external_id)}/transactions`), () => sendPaypal(events, "PAYMENT.SALE.REFUNDED")];
    },
    { gold: false },
  ),
  cancelling("paypal", (id) => of("POST", `${atPaypal(id)}/cancel`)),
  scenario("the monthly subscription that lifetime replaces is cancelled", "paypal", async (person) => {
    const month = await paid(person, "paypal", "monthly");
    const life = await begin(person, "paypal", "lifetime");
    await paypal.approve(life.external_id);
    // A job cancels it after the response to the browser.
    return [of("POST", `${atPaypal(month.external_id)}/cancel`), () => reconcile(person, life)];
  }),
  scenario("the list of events is read", "paypal", async (person) => {
    await paypal.approve((await begin(person, "paypal", "monthly")).external_id);
    // It is read every 10 minutes.
    await sql("update payment_sweeps set events_synced_until = null");
    return [of("GET", "/v1/notifications/webhooks-events"), sweep];
  }),
  opening("a preapproval is created", "mercadopago", of("POST", "/preapproval")),
  returning("payments are searched for", "mercadopago", "lifetime", () => "/v1/payments/search", true),
  scenario("a charge is read after its webhook event", "mercadopago", async (person) => {
    const { external_id } = await paid(person, "mercadopago", "monthly");
    const { invoice, webhooks } = await mercadopago.charge(external_id);
    const act = () => mercadopago.send(webhooks.findLast(({ type }) => type === "subscription_authorized_payment")!);
    return [of("GET", `/authorized_payments/${invoice.id}`), act];
  }),
  cancelling("mercadopago", (id) => of("PUT", `/preapproval/${id}`)),
];

const MOMENTS = ["receiving", "answering"] as const;
// The short run alternates between the two moments.
const chosen = SCENARIOS.filter(({ short }) => short || FULL_RUN).flatMap((scenario, nth) =>
  MOMENTS.filter((_, which) => FULL_RUN || which === nth % MOMENTS.length).map((moment) => ({ ...scenario, moment })),
);
const people: { person: TestUser; gold: boolean; what: string }[] = [];

// The sweep must be last, because it reads the checkouts of all previous tests.
describe("a server", { shuffle: false }, () => {
  test.each(chosen)("never grants unpaid Gold if it is killed while $name ($method), $moment", async (scenario) => {
    const person = await insertUser(sql, { type: "psychologist" });
    const fake = scenario.method === "paypal" ? paypal : mercadopago;
    const [call, act] = await scenario.prepare(person);
    const dead = new Promise<void>((done) => {
      fake.injectFault(call, scenario.moment, async () => {
        await server.kill();
        done();
      });
    });
    await Promise.all([dead, act().catch(() => {})]);
    fake.clearFaults();
    await server.startAgain();
    // Gold in our database without a payment at the provider is an error. Lagging behind a refund is allowed.
    if (scenario.gold && (await hasGold(person))) {
      const { charging, kept } = providerStateOf(await referencesOf(person));
      expect([...charging, ...kept]).not.toEqual([]);
    }
    await scenario.again?.(person);
    people.push({ person, gold: scenario.gold, what: `${scenario.name} (${scenario.method}), ${scenario.moment}` });
  });

  test("matches every membership with its provider after one sweep", async () => {
    expect(people).toHaveLength(chosen.length);
    await sql("update checkouts set due_at = now() where due_at is not null");
    await sql("update webhook_events set received_at = received_at - interval '20 minutes'");
    await sql("update payment_sweeps set paused_until = null, events_synced_until = null");
    await sweep();
    const unconfirmed = "select from checkouts where end_wanted_at is not null and end_confirmed_at is null";
    expect(await sql(unconfirmed)).toEqual([]);
    for (const { person, gold, what } of people) {
      const atProviders = providerStateOf(await referencesOf(person));
      const payments = await sql<{ id: string }>(
        `select external_payment_id as id from payment_transactions payment
        join subscriptions on subscriptions.id = payment.subscription_id
        where psychologist_id = $1 and payment.status = 'completed' order by 1`,
        [person.id],
      );
      const active = await sql<{ id: string }>(
        "select external_subscription_id as id from subscriptions where psychologist_id = $1 and status = 'active'",
        [person.id],
      );
      expect(await hasGold(person), what).toBe(gold);
      expect(active, what).toHaveLength(gold ? 1 : 0);
      // Providers charge only for active memberships, and every payment is stored exactly once.
      const charged = new Set(active.map(({ id }) => id));
      const stored = { what, unknown: [], kept: payments.map(({ id }) => id) };
      const { charging, kept } = atProviders;
      expect({ what, unknown: charging.filter((id) => !charged.has(id)), kept }).toEqual(stored);
    }
  });
});
