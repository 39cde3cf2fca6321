/**
 * The built application with local fakes of both payment providers, and helpers for tests of payments.
 *
 * Each test file calls `withPayments()` once. It sets `app`, `paypal`, `mercadopago`, `admin` and `clock`.
 */
import { setTimeout } from "node:timers/promises";
import type { Selectable } from "kysely";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import type { Context } from "#server/context.ts";
import type { Checkouts } from "#server/database/types.ts";
import { openPaymentProviders } from "#server/memberships/providers/registry.ts";
import { workPayments } from "#server/memberships/reading/jobs.ts";
import { openTestApp, type TestApp, type TestUser } from "./app.ts";
import { type MercadopagoFake, type MercadopagoFakeWebhook, startMercadopagoFake } from "./fakes/mercadopago.ts";
import { type PaypalFake, type PaypalFakeEvent, startPaypalFake } from "./fakes/paypal.ts";
import { retryWhileBusy } from "./threads.ts";

export let paypal: PaypalFake;
export let mercadopago: MercadopagoFake;
export let app: TestApp;
export let admin: TestUser;
/** The server's context with providers of this process, so that their errors are instances of the same class. */
export let context: Context;
let hasWorkers = false;
/** One clock for this server and both providers; null while it is the real one. */
export let clock: Date | null = null;

export function setClock(now: Date | null) {
  clock = now;
  app.setNow(now);
}
/** Moves a clock that was set, by milliseconds. */
export const advanceClock = (span: number) => setClock(new Date(clock!.getTime() + span));

/**
 * Opens the application and the providers for a test file.
 * @param start time at the beginning of each test; null for the real time
 * @param workers true to run jobs
 * @param isTestMode true to configure no provider: the demo's test payments replace them
 */
export function withPayments({
  start = null,
  workers = false,
  isTestMode = false,
}: {
  start?: Date | null;
  workers?: boolean;
  isTestMode?: boolean;
} = {}): void {
  beforeAll(async () => {
    [paypal, mercadopago] = await Promise.all([startPaypalFake(), startMercadopagoFake()]);
    const environment = isTestMode ? {} : { ...paypal.environment, ...mercadopago.environment };
    app = await openTestApp({ environment, workers });
    paypal.webhookUrl = `${app.url}/api/webhooks/paypal`;
    mercadopago.webhookUrl = `${app.url}/api/webhooks/mercadopago`;
    for (const fake of [paypal, mercadopago]) fake.now = () => clock ?? new Date();
    setClock(start);
    admin = await app.admin();
    context = { ...app.context, paymentProviders: openPaymentProviders(app.context.config) };
    hasWorkers = workers;
  });
  afterEach(async () => {
    setClock(start);
    await app.sql("update payment_sweeps set paused_until = null");
    for (const fake of [paypal, mercadopago]) {
      Object.assign(fake, { chargeOverride: {}, delivery: "manual" });
      fake.clearFaults();
    }
    paypal.lag = 0;
  });
  afterAll(async () => {
    // Checks here that the log contains no personal data, because all lines exist now.
    expect(logged()).not.toMatch(/comprador|@mp\.example|@example\.com|Persona /);
    await app.close();
    await Promise.all([paypal.close(), mercadopago.close()]);
  });
}

/**
 * Does what is due at the providers, as the server's worker does every minute and when it is woken.
 * @param after milliseconds by which the clock moves before
 */
export async function work(after = 0): Promise<void> {
  if (after) advanceClock(after);
  await workPayments(context);
  if (!hasWorkers) return;
  // The server's own worker may have taken some of it. An event after one attempt may be in its hands, or wait for a
  // second attempt.
  for (let polls = 0; polls < 200; polls++) {
    const open = await app.sql<{ is_new: boolean; is_taken: boolean }>(
      `select checkout_id is not null or due_at is null as is_new, due_at < received_at + interval '2 minutes' as is_taken
       from webhook_events where done_at is null`,
    );
    if (!open.some(({ is_new, is_taken }) => is_new || (is_taken && polls < 10))) return;
    await setTimeout(50);
    await workPayments(context);
  }
}

export const logged = () => app.log.join("\n");

export const psychologist = () => app.person({ type: "psychologist" });
export const begin = (as: TestUser, plan_type = "monthly", method = "paypal", more: object = {}) =>
  app.call("POST", "/checkouts", { plan_type, method, ...more }, as);
/** Reconciles like the page does, which retries when the server asks for it. */
export const reconcile = (as: TestUser, id: string) =>
  retryWhileBusy(() => app.call("POST", `/checkouts/${id}/reconciliation`, {}, as));
export const cancel = (as: TestUser, id: string) => app.call("DELETE", `/memberships/${id}`, {}, as);
/** Deletes an account, as its owner does who has just entered the password. */
export async function deleteAccount(person: TestUser): Promise<void> {
  await app.sql("update sessions set password_at = $1 where account_id = $2", [clock, person.id]);
  expect((await app.call("DELETE", "/account", { anonymous_texts: "delete" }, person)).status).toBe(200);
}
/** True if Gold is active now, as other queries read it. */
export const hasGold = async (person: TestUser) =>
  (
    await app.sql<{ gold: boolean }>(
      "select coalesce(gold_until > $2, false) as gold from psychologist_profiles where id = $1",
      [person.id, clock ?? new Date()],
    )
  )[0]!.gold;

export type Row = Selectable<Checkouts> & { external_subscription_id: string; status: string };
export const membershipRows = (person: TestUser) =>
  app.sql<Row>(
    "select *, external_id as external_subscription_id from checkouts where psychologist_id = $1 and status is not null order by began_at, id",
    [person.id],
  );
export const row = async (person: TestUser) => (await membershipRows(person)).at(-1);
export const payments = (person: TestUser) =>
  app.sql<{ id: string; external_payment_id: string; status: string; amount: number; dispute: string | null }>(
    "select p.* from payment_transactions p join subscriptions s on s.id = p.subscription_id where psychologist_id = $1 order by paid_at",
    [person.id],
  );
export const problems = async (person: TestUser) =>
  (
    await app.sql<{ kind: string; reason: string | null }>(
      `select kind, reason from payment_problems join checkouts on checkouts.id = checkout_id
       where psychologist_id = $1 and settled_at is null order by kind`,
      [person.id],
    )
  ).map(({ kind, reason }) => (reason ? `${kind}:${reason}` : kind));
const mailJobs = (kind: string) => (person: TestUser) =>
  app.sql(
    "select data from pgboss.job where name = 'mail' and data ->> 'kind' = $2 and data ->> 'subscription_id' in (select id::text from subscriptions where psychologist_id = $1)",
    [person.id, kind],
  );
export const receipts = mailJobs("membership_receipt");
export const cancellationMails = mailJobs("membership_cancelled");

type Event = PaypalFakeEvent | MercadopagoFakeWebhook;
/** Sends a webhook event as its provider does. @returns the status */
export const send = (event: Event): Promise<number> =>
  "event_type" in event ? paypal.send(event) : mercadopago.send(event);
/** Sends webhook events one after another; each is accepted, and the worker handles it. */
export async function deliver(events: readonly Event[]) {
  for (const event of events) {
    expect(await send(event)).toBe(200);
    await work();
  }
}

export type Begun = { person: TestUser; checkout: string; external: string };
/** Creates a psychologist with a checkout. `external` is the provider's id of the checkout. */
export async function begun(plan: string, method: string, more: object = {}): Promise<Begun> {
  const person = await psychologist();
  const email = method === "mercadopago" && plan === "monthly" ? { payer_email: `${person.id}@mp.example` } : {};
  const made = await begin(person, plan, method, { ...email, ...more });
  expect(made.status, made.text).toBe(201);
  return { person, checkout: made.body.id, external: made.body.external_id };
}

/** Approves and pays as the buyer does at the provider. @returns the provider's webhook events */
export async function pay(plan: string, method: string, external: string) {
  if (method === "paypal") return paypal.approve(external);
  if (plan === "lifetime") return (await mercadopago.pay(external)).webhooks;
  const agreed = await mercadopago.authorize(external);
  return [...agreed, ...(await mercadopago.charge(external)).webhooks];
}

export async function member(plan = "monthly", method = "paypal") {
  const made = await begun(plan, method);
  for (const event of await pay(plan, method, made.external)) expect(await send(event)).toBe(200);
  await work();
  const [row, ...more] = await membershipRows(made.person);
  expect(more).toEqual([]);
  expect(row).toMatchObject({ status: "active", plan_type: plan, provider: method });
  return { ...made, subscription: row!.id };
}
export const lastSale = (external: string) => paypal.subscriptions.get(external)!.sales.at(-1)!.id;
export const lastPayment = (external: string) =>
  [...mercadopago.payments.values()]
    .filter(
      (one) =>
        (one.preapproval === external || mercadopago.preferences.get(external)?.payments.includes(one)) &&
        one.operation_type !== "card_validation",
    )
    .at(-1)!.id;
