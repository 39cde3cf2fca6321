/**
 * A server that tests kill and replace, with local fakes of both payment providers, and helpers to buy and pay.
 *
 * Each test file calls `withKillableServer()` once. It sets `paypal` and `mercadopago`.
 */
import pg from "pg";
import { PgBoss } from "pg-boss";
import { afterAll, beforeAll, expect, inject } from "vitest";
import { MINUTE } from "#shared/time.ts";
import { dataFolder, emptyDatabase, type Server, startServer } from "../e2e/server.ts";
import { type MercadopagoFake, type MercadopagoFakeWebhook, startMercadopagoFake } from "./fakes/mercadopago.ts";
import { type PaypalFake, type PaypalFakeEvent, startPaypalFake } from "./fakes/paypal.ts";
import type { TestUser } from "./people.ts";

/** Delay of the providers' clocks, in milliseconds. The sweep only handles events of at least this age. */
const BEHIND = 30 * MINUTE;

export let paypal: PaypalFake;
export let mercadopago: MercadopagoFake;
let database: { url: string; drop(): Promise<void> };
let environment: Record<string, string>;
let server: Server;
let pool: pg.Pool;
let folder: ReturnType<typeof dataFolder>;
export const sql = async <Row extends Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]> =>
  (await pool.query(text, values)).rows;

/** Opens the providers, an empty database and the server for a test file. */
export function withKillableServer(): void {
  beforeAll(async () => {
    folder = dataFolder();
    paypal = await startPaypalFake();
    mercadopago = await startMercadopagoFake();
    for (const fake of [paypal, mercadopago]) fake.now = () => new Date(Date.now() - BEHIND);
    database = await emptyDatabase(inject("postgres").admin);
    environment = {
      DATA_DIR: folder.path,
      DATABASE_URL: database.url,
      DEMO: "on",
      ...paypal.environment,
      ...mercadopago.environment,
    };
    server = await startServer(environment);
    // The next server must listen on the same port.
    environment.PORT = new URL(server.url).port;
    paypal.webhookUrl = `${server.url}/api/webhooks/paypal`;
    mercadopago.webhookUrl = `${server.url}/api/webhooks/mercadopago`;
    pool = new pg.Pool({ connectionString: database.url, max: 2 });
  });
  afterAll(async () => {
    await server.stop();
    await pool.end();
    await database.drop();
    folder.remove();
    await Promise.all([paypal.close(), mercadopago.close()]);
  });
}

/** Kills the server with SIGKILL, so that it cannot finish its work. */
export const kill = () => server.kill();
/** Starts a new server with the same URL. */
export async function startReplacement(): Promise<void> {
  server = await startServer(environment);
}

type Checkout = { id: string; external_id: string; status: string };
export type Plan = "monthly" | "lifetime";
export type Method = "paypal" | "mercadopago";

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
export const begin = (person: TestUser, method: Method, plan_type: Plan) =>
  call(person, "POST", "/checkouts", { method, plan_type, payer_email: "paga@example.com" });
export const reconcile = (person: TestUser, { id }: Checkout) =>
  call(person, "POST", `/checkouts/${id}/reconciliation`);
/** Approves and pays as the buyer does at the provider. */
export async function pay(method: Method, plan: Plan, { external_id }: Checkout) {
  if (method === "paypal") return paypal.approve(external_id);
  if (plan === "lifetime") return (await mercadopago.pay(external_id)).webhooks;
  await mercadopago.authorize(external_id);
  return (await mercadopago.charge(external_id)).webhooks;
}
/** Creates a completed checkout. */
export async function paid(person: TestUser, method: Method, plan: Plan): Promise<Checkout> {
  const checkout = await begin(person, method, plan);
  await pay(method, plan, checkout);
  expect((await reconcile(person, checkout)).status).toBe("paid");
  return checkout;
}
export const salesOf = (checkout: Checkout) => paypal.subscriptions.get(checkout.external_id)!.sales;
export const paymentOf = ({ external_id }: Checkout) =>
  mercadopago.preferences.get(external_id)?.payments.at(-1) ??
  [...mercadopago.payments.values()].findLast(
    ({ preapproval, operation_type }) => preapproval === external_id && operation_type === "recurring_payment",
  )!;
export const sendPaypal = (events: PaypalFakeEvent[], type: string) =>
  paypal.send(events.find(({ event_type }) => event_type === type)!);
export const sendMercadopago = (webhooks: MercadopagoFakeWebhook[], type: string) =>
  mercadopago.send(webhooks.findLast((webhook) => webhook.type === type)!);
export const cancel = async (person: TestUser) => {
  const [row] = await sql<{ id: string }>(
    "select id from subscriptions where psychologist_id = $1 and status = 'active'",
    [person.id],
  );
  return call(person, "DELETE", `/memberships/${row!.id}`);
};
export async function sweep(): Promise<void> {
  const boss = new PgBoss({
    connectionString: database.url,
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
export function providerStateOf(references: Set<string>) {
  const atPaypal = [...paypal.subscriptions.values()].filter((one) => references.has(one.custom_id));
  const atMercadopago = [...mercadopago.preapprovals.values()].filter((one) => references.has(one.external_reference));
  const monthly = (one: (typeof atPaypal)[number]) => !paypal.plans[one.plan_id]!.once;
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

export const referencesOf = async ({ id }: TestUser) =>
  new Set(
    (await sql<{ id: string }>("select id from checkouts where psychologist_id = $1", [id])).map((row) => row.id),
  );
/** True if a provider has a payment of a user, or a subscription that charges them. */
export async function providerHasAny(person: TestUser): Promise<boolean> {
  const { charging, kept } = providerStateOf(await referencesOf(person));
  return charging.length + kept.length > 0;
}
