import { describe, expect, test } from "vitest";
import { FULL_RUN } from "./full-run.ts";
import {
  begin,
  cancel,
  kill,
  type Method,
  mercadopago,
  type Plan,
  paid,
  pay,
  paymentOf,
  paypal,
  providerHasAny,
  providerStateOf,
  reconcile,
  referencesOf,
  salesOf,
  sendMercadopago,
  sendPaypal,
  sql,
  startReplacement,
  sweep,
  withKillableServer,
} from "./killable-server.ts";
import { insertUser, type TestUser } from "./people.ts";

// Each scenario kills the server twice during a call to a payment provider: before the provider handles the call, and
// before it responds. Each time another server starts. Finally a single sweep runs, and our database must match the
// providers.

withKillableServer();

type Scenario = {
  name: string;
  method: Method;
  /** True if the short run includes it. */
  short?: boolean;
  /** Prepares the scenario. @returns the call during which the server dies, and the action that causes the call */
  prepare(person: TestUser): Promise<{ call: RegExp; act: () => Promise<unknown> }>;
  /** Repeats the user's action after the kill. */
  again?(person: TestUser): Promise<unknown>;
  /** True if the user finally has Gold. */
  gold: boolean;
};

const escaped = (id: string) => id.replace(/[^\w]/g, "\\$&");
const of = (method: string, path: string) => new RegExp(`^${method} ${path}$`);

/** Kills the server while it creates a checkout at the provider. The user then pays another checkout. */
const opening = (name: string, method: Method, plan: Plan, call: RegExp, short = false): Scenario => ({
  name,
  method,
  short,
  prepare: async (person) => ({ call, act: () => begin(person, method, plan) }),
  again: (person) => paid(person, method, plan),
  gold: true,
});
/** Kills the server while it reads a payment because the browser returned. */
const returning = (
  name: string,
  method: Method,
  plan: Plan,
  path: (id: string) => string,
  short = false,
): Scenario => ({
  name,
  method,
  short,
  async prepare(person) {
    const checkout = await begin(person, method, plan);
    await pay(method, plan, checkout);
    return { call: of("GET", path(escaped(checkout.external_id))), act: () => reconcile(person, checkout) };
  },
  gold: true,
});

const SCENARIOS: Scenario[] = [
  opening("a token is requested", "paypal", "monthly", of("POST", "/v1/oauth2/token")),
  opening("a subscription is created", "paypal", "monthly", of("POST", "/v1/billing/subscriptions"), true),
  returning("a subscription is read", "paypal", "monthly", (id) => `/v1/billing/subscriptions/${id}`),
  returning("its payments are read", "paypal", "lifetime", (id) => `/v1/billing/subscriptions/${id}/transactions`),
  {
    name: "the certificate of a webhook event is read",
    method: "paypal",
    async prepare(person) {
      const checkout = await begin(person, "paypal", "lifetime");
      const events = await paypal.approve(checkout.external_id);
      return {
        call: /certs/,
        act: () => sendPaypal(events, "BILLING.SUBSCRIPTION.ACTIVATED"),
      };
    },
    gold: true,
  },
  {
    name: "a renewal is read after its webhook event",
    method: "paypal",
    async prepare(person) {
      const checkout = await paid(person, "paypal", "monthly");
      const events = await paypal.renew(checkout.external_id);
      return {
        call: of("GET", `/v1/billing/subscriptions/${escaped(checkout.external_id)}`),
        act: () => sendPaypal(events, "PAYMENT.SALE.COMPLETED"),
      };
    },
    gold: true,
  },
  {
    name: "a refund is read after its webhook event",
    method: "paypal",
    async prepare(person) {
      const checkout = await paid(person, "paypal", "monthly");
      const events = await paypal.refund(salesOf(checkout)[0]!.id);
      return {
        call: of("GET", `/v1/billing/subscriptions/${escaped(checkout.external_id)}/transactions`),
        act: () => sendPaypal(events, "PAYMENT.SALE.REFUNDED"),
      };
    },
    gold: false,
  },
  {
    name: "a sale that was reversed is read",
    method: "paypal",
    async prepare(person) {
      const checkout = await paid(person, "paypal", "lifetime");
      const [sale] = salesOf(checkout);
      const events = await paypal.reverse(sale!.id);
      return {
        call: of("GET", `/v1/payments/sale/${sale!.id}`),
        act: () => sendPaypal(events, "PAYMENT.SALE.REVERSED"),
      };
    },
    gold: false,
  },
  {
    name: "a dispute that was lost is read",
    method: "paypal",
    async prepare(person) {
      const checkout = await paid(person, "paypal", "lifetime");
      const [opened] = await paypal.dispute(salesOf(checkout)[0]!.id);
      const id = opened!.resource.dispute_id as string;
      const events = await paypal.resolve(id, "BUYER");
      return {
        call: of("GET", `/v1/customer/disputes/${escaped(id)}`),
        act: () => sendPaypal(events, "CUSTOMER.DISPUTE.RESOLVED"),
      };
    },
    gold: false,
  },
  {
    name: "a cancellation is sent",
    method: "paypal",
    short: true,
    async prepare(person) {
      const checkout = await paid(person, "paypal", "monthly");
      return {
        call: of("POST", `/v1/billing/subscriptions/${escaped(checkout.external_id)}/cancel`),
        act: () => cancel(person),
      };
    },
    gold: false,
  },
  {
    name: "the monthly subscription that lifetime replaces is cancelled",
    method: "paypal",
    async prepare(person) {
      const month = await paid(person, "paypal", "monthly");
      const life = await begin(person, "paypal", "lifetime");
      await paypal.approve(life.external_id);
      return {
        call: of("POST", `/v1/billing/subscriptions/${escaped(month.external_id)}/cancel`),
        // A job cancels it after the response to the browser.
        act: () => reconcile(person, life),
      };
    },
    gold: true,
  },
  {
    name: "the list of events is read",
    method: "paypal",
    async prepare(person) {
      const checkout = await begin(person, "paypal", "monthly");
      await paypal.approve(checkout.external_id);
      // It is read every 10 minutes.
      await sql("update payment_sweeps set events_synced_until = null");
      return { call: of("GET", "/v1/notifications/webhooks-events"), act: sweep };
    },
    gold: true,
  },
  opening("a preference is created", "mercadopago", "lifetime", of("POST", "/checkout/preferences")),
  opening("a preapproval is created", "mercadopago", "monthly", of("POST", "/preapproval")),
  returning("payments are searched for", "mercadopago", "lifetime", () => "/v1/payments/search", true),
  returning("a preapproval is read", "mercadopago", "monthly", (id) => `/preapproval/${id}`),
  {
    name: "its charges are read",
    method: "mercadopago",
    async prepare(person) {
      const checkout = await begin(person, "mercadopago", "monthly");
      // Only its invoices lead to a charge that does not name the checkout.
      mercadopago.inheritsReference = false;
      await pay("mercadopago", "monthly", checkout);
      mercadopago.inheritsReference = true;
      return { call: of("GET", "/authorized_payments/search"), act: () => reconcile(person, checkout) };
    },
    gold: true,
  },
  {
    name: "a payment is read after its webhook event",
    method: "mercadopago",
    async prepare(person) {
      const checkout = await begin(person, "mercadopago", "lifetime");
      const { payment, webhooks } = await mercadopago.pay(checkout.external_id);
      return { call: of("GET", `/v1/payments/${payment.id}`), act: () => sendMercadopago(webhooks, "payment") };
    },
    gold: true,
  },
  {
    name: "an order is read after its webhook event",
    method: "mercadopago",
    async prepare(person) {
      const checkout = await begin(person, "mercadopago", "lifetime");
      const { payment, webhooks } = await mercadopago.pay(checkout.external_id);
      return {
        call: of("GET", `/merchant_orders/${payment.order}`),
        act: () => sendMercadopago(webhooks, "topic_merchant_order_wh"),
      };
    },
    gold: true,
  },
  {
    name: "a charge is read after its webhook event",
    method: "mercadopago",
    async prepare(person) {
      const checkout = await paid(person, "mercadopago", "monthly");
      const { invoice, webhooks } = await mercadopago.charge(checkout.external_id);
      return {
        call: of("GET", `/authorized_payments/${invoice.id}`),
        act: () => sendMercadopago(webhooks, "subscription_authorized_payment"),
      };
    },
    gold: true,
  },
  {
    name: "a chargeback is read",
    method: "mercadopago",
    async prepare(person) {
      const checkout = await paid(person, "mercadopago", "lifetime");
      const webhooks = await mercadopago.chargeBack(paymentOf(checkout).id);
      const { id } = webhooks.find(({ type }) => type === "topic_chargebacks_wh")!;
      return {
        call: of("GET", `/v1/chargebacks/${id}`),
        act: () => sendMercadopago(webhooks, "topic_chargebacks_wh"),
      };
    },
    gold: false,
  },
  {
    name: "a cancellation is sent",
    method: "mercadopago",
    short: true,
    async prepare(person) {
      const checkout = await paid(person, "mercadopago", "monthly");
      return { call: of("PUT", `/preapproval/${checkout.external_id}`), act: () => cancel(person) };
    },
    gold: false,
  },
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
    if (scenario.name.includes("token")) paypal.revokeTokens();
    const { call, act } = await scenario.prepare(person);
    const dead = new Promise<void>((done) => {
      fake.injectFault(call, scenario.moment, async () => {
        await kill();
        done();
      });
    });
    await Promise.all([dead, act().catch(() => {})]);
    fake.clearFaults();
    await startReplacement();
    // Gold in our database without a payment at the provider is an error. Lagging behind a refund is allowed.
    const [before] = await sql<{ gold: boolean }>(
      "select coalesce(gold_until > now(), false) as gold from psychologist_profiles where id = $1",
      [person.id],
    );
    if (before!.gold && scenario.gold) expect(await providerHasAny(person)).toBe(true);
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
      const [profile] = await sql<{ gold: boolean }>(
        "select coalesce(gold_until > now(), false) as gold from psychologist_profiles where id = $1",
        [person.id],
      );
      const payments = await sql<{ id: string }>(
        `select external_payment_id as id from payment_transactions payment
        join subscriptions on subscriptions.id = payment.subscription_id
        where psychologist_id = $1 and payment.status = 'completed' order by 1`,
        [person.id],
      );
      const active = await sql<{ id: string; plan_type: string }>(
        "select external_subscription_id as id, plan_type from subscriptions where psychologist_id = $1 and status = 'active'",
        [person.id],
      );
      expect(profile!.gold, what).toBe(gold);
      expect(active, what).toHaveLength(gold ? 1 : 0);
      // Providers charge only for active memberships, and every payment is stored exactly once.
      expect(
        atProviders.charging.filter((id) => !active.some((one) => one.id === id)),
        what,
      ).toEqual([]);
      expect(
        payments.map(({ id }) => id),
        what,
      ).toEqual(atProviders.kept);
    }
  });
});
