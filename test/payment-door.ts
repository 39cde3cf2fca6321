/**
 * The front door of the product for histories of payments: requests of people, of the administrator and of providers, and
 * its job of payments. Nothing else of these tests depends on tables or on how the code is divided.
 */
import { afterAll, expect } from "vitest";
import type { Context } from "#server/context.ts";
import { openPaymentProviders } from "#server/memberships/providers/registry.ts";
import { workPayments } from "#server/memberships/reading/jobs.ts";
import type { MembershipView } from "#shared/memberships.ts";
import { openTestApp, type TestApp, type TestUser } from "./app.ts";
import type { MercadopagoFakeWebhook } from "./fakes/mercadopago.ts";
import type { PaypalFakeEvent } from "./fakes/paypal.ts";
import { respond } from "./history-transport.ts";
import { newWorld, START, type World } from "./history-world.ts";
import { setUpOnce } from "./suite-setup.ts";

/** Keeps a person signed in, with a recent password, even if a test moves the clock far. */
async function stayIn(app: TestApp, person: TestUser): Promise<TestUser> {
  const far =
    "created_at = '2100-01-01', seen_at = '2100-01-01', password_at = '2100-01-01', expires_at = '2200-01-01'";
  await app.sql(`update sessions set ${far} where account_id = $1`, [person.id]);
  return person;
}

async function call(app: TestApp, method: string, path: string, { cookie }: TestUser, body?: unknown) {
  const headers = { origin: app.url, cookie, "content-type": "application/json" };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await app.handle(new Request(`${app.url}/api${path}`, { method, headers, ...sent }));
  // biome-ignore lint/suspicious/noExplicitAny: the shape of a response is what the tests look at
  return { status: response.status, body: (await response.json()) as any };
}

export type OpenProblem = {
  id: string;
  kind: string;
  external_id: string;
  subscription: string | null;
  owner: string | null;
};

export function openDoor() {
  const world = newWorld();
  const { paypal, mercadopago } = world;
  let [tick, last] = [0, 0];
  /** Readings that run at the same time begin one after another. */
  const now = () => {
    const { clock } = world;
    last = Math.max(clock + (clock > last ? 0 : tick++), last + 1);
    return new Date(last);
  };
  const realFetch = globalThis.fetch;
  const answering: typeof globalThis.fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : String(input));
    if (url.origin === paypal.url) return respond(world, "paypal", url, init);
    if (url.origin === mercadopago.url) return respond(world, "mercadopago", url, init);
    return realFetch(input, init);
  };
  const opened = setUpOnce(async () => {
    globalThis.fetch = answering;
    const environment = { ...paypal.environment, ...mercadopago.environment };
    const app = await openTestApp({ environment, overrides: { now } });
    const context: Context = { ...app.context, paymentProviders: openPaymentProviders(app.context.config) };
    return { app, context, admin: await stayIn(app, await app.admin()) };
  });
  afterAll(async () => {
    globalThis.fetch = realFetch;
    await opened.app.close();
  });
  const sql = <Row extends Record<string, unknown>>(text: string, values?: unknown[]) =>
    opened.app.sql<Row>(text, values);

  return {
    /** Begins a new world: deletes all payments, here and at the providers. */
    async enter(): Promise<World> {
      Object.assign(world, { clock: START, round: 0, isCalm: true });
      paypal.webhookUrl = `${opened.app.url}/api/webhooks/paypal`;
      mercadopago.webhookUrl = `${opened.app.url}/api/webhooks/mercadopago`;
      world.byName.clear();
      [tick, last] = [0, 0];
      for (const state of [paypal.subscriptions, paypal.sales, paypal.disputes, paypal.replays]) state.clear();
      for (const state of [mercadopago.preferences, mercadopago.preapprovals, mercadopago.payments]) state.clear();
      for (const state of [mercadopago.invoices, mercadopago.chargebacks, mercadopago.replays]) state.clear();
      paypal.events.length = 0;
      await sql("update psychologist_profiles set subscription_id = null, gold_until = null");
      await sql("delete from pgboss.job");
      for (const table of [
        ...["payment_transactions", "payment_problems", "gold_grants", "webhook_events", "checkouts"],
        "payment_sweeps",
      ])
        await sql(`delete from ${table}`);
      return world;
    },

    /** A verified psychologist whose session outlasts every history. */
    psychologist: async (): Promise<TestUser> => stayIn(opened.app, await opened.app.person({ type: "psychologist" })),
    call: (method: string, path: string, body: unknown, as: TestUser) => call(opened.app, method, path, as, body),
    asAdmin: (method: string, path: string, body?: unknown) => call(opened.app, method, path, opened.admin, body),
    memberships: async (as: TestUser): Promise<MembershipView[]> =>
      (await call(opened.app, "GET", "/memberships", as)).body,

    /**
     * Hands over a webhook event, signed as its provider does.
     * @param id identifies the event; a repeated delivery has the same
     * @returns the HTTP status
     */
    async deliver(event: PaypalFakeEvent | MercadopagoFakeWebhook, id: string, isOlderKind = false): Promise<number> {
      const mutate = (body: string) => JSON.stringify({ ...JSON.parse(body), id });
      const { url, headers, body } =
        "event_type" in event
          ? { url: paypal.webhookUrl!, ...paypal.signed(event) }
          : mercadopago.signed(event, { mutate, ...(isOlderKind && { legacy: "signed" }) });
      const request = { method: "POST", headers: { ...headers, "content-type": "application/json" }, body };
      return (await opened.app.handle(new Request(url, request))).status;
    },

    tick: () => workPayments(opened.context),

    /** Until when Gold lasts, as the rest of the product reads it, by the psychologist's id; null without Gold. */
    async gold(people: string[]): Promise<Map<string, number | null>> {
      const rows = await sql<{ id: string; gold_until: Date | number | null }>(
        "select id, gold_until from psychologist_profiles where id = any($1)",
        [people],
      );
      return new Map(rows.map(({ id, gold_until }) => [id, gold_until === null ? null : Number(gold_until)]));
    },
    /** When the last reading of each subscription began that succeeded, and whether later ones failed, by the provider's id. */
    async readings(): Promise<Map<string, { at: number; isFailing: boolean }>> {
      const rows = await sql<{ id: string; at: Date | null; failing: boolean }>(
        "select external_id as id, read_at as at, failing_since is not null as failing from checkouts where external_id is not null",
      );
      return new Map(rows.map(({ id, at, failing }) => [id, { at: Number(at ?? 0), isFailing: failing }]));
    },
    /** Ids in the webhook events that are not handled yet. */
    async waiting(): Promise<Set<string>> {
      const rows = await sql<{ resource_id: string }>("select resource_id from webhook_events where done_at is null");
      return new Set(rows.map(({ resource_id }) => resource_id));
    },
    problems: () =>
      sql<OpenProblem>(
        `select p.id, kind || coalesce(':' || reason, '') as kind, p.external_id, c.external_id as subscription, psychologist_id as owner
         from payment_problems p left join checkouts c on c.id = checkout_id where settled_at is null and handled_at is null`,
      ),
    /** Mails about payments that were queued, with the payment of a receipt by the provider's id. */
    mails: () =>
      sql<{ kind: string; subscription: string | null; payment: string | null; person: string | null }>(
        `select data ->> 'kind' as kind, s.external_subscription_id as subscription, p.external_payment_id as payment, s.psychologist_id as person
         from pgboss.job j left join subscriptions s on s.id::text = data ->> 'subscription_id'
         left join payment_transactions p on p.id::text = data ->> 'payment_id' where j.name = 'mail'`,
      ),
  };
}
export type Door = ReturnType<typeof openDoor>;

export function expectStatus({ status, body }: { status: number; body: unknown }, ...allowed: number[]): void {
  expect(allowed, JSON.stringify(body)).toContain(status);
}
