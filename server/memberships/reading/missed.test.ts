import { describe, expect, test } from "vitest";
import { openTestApp } from "#test/app.ts";
import {
  admin,
  advanceClock,
  app,
  begun,
  clock,
  context,
  DAY,
  deliver,
  HOUR,
  hasGold,
  KINDS,
  lastPayment,
  lastSale,
  MINUTE,
  mercadopago,
  pay,
  paypal,
  row,
} from "#test/payment-app.ts";
import { readNow, reportUnmatched } from "#test/payment-problems.ts";
import { checkoutRow, sweep, sweepFor, withSweeps } from "#test/payment-sweeps.ts";
import { openPaymentProviders } from "../providers/registry.ts";
import { PARALLEL_CALLS, workPayments } from "./jobs.ts";

withSweeps();

/** For providers that hang. */
const IMPATIENCE = { timeoutMs: 300 };

describe("the sweep", () => {
  test("reads PayPal's list of events: those that were never delivered are handled, the others are not", async () => {
    const made = await begun("lifetime", "paypal");
    await paypal.approve(made.external);
    advanceClock(5 * MINUTE);
    await sweep();
    expect(await hasGold(made.person)).toBe(true);
    // A dispute shows in no answer about the subscription, only in its webhook event.
    const sale = paypal.subscriptions.get(made.external)!.sales[0]!.id;
    advanceClock(HOUR);
    const [opened] = await paypal.dispute(sale);
    const problems = () =>
      app.sql("select kind from payment_problems where psychologist_id = $1 and settled_at is null", [made.person.id]);
    // The event may still be on its way, so the sweep waits.
    advanceClock(4 * MINUTE);
    await sweep();
    expect(await problems()).toEqual([]);
    advanceClock(10 * MINUTE);
    await sweep();
    expect(await problems()).toEqual([{ kind: "dispute" }]);
    await paypal.resolve(opened!.resource.dispute_id as string, "BUYER");
    advanceClock(10 * MINUTE);
    await sweep();
    expect(await problems()).toEqual([]);
    expect(await hasGold(made.person)).toBe(false);
    await sweepFor(HOUR);
    expect(await app.sql("select from webhook_events where done_at is null or attempts <> 1")).toEqual([]);
  });

  test("retries events without a known target, and reports those that have none after a day", async () => {
    const made = await begun("lifetime", "paypal");
    await paypal.approve(made.external);
    const lost = paypal.event("PAYMENT.SALE.COMPLETED", { id: "SALE-LATER" });
    const never = paypal.event("PAYMENT.SALE.COMPLETED", { id: "SALE-OF-NOBODY" });
    await deliver([lost, never]);
    // The sale appears a little later than its webhook event.
    const real = paypal.subscriptions.get(made.external)!.sales[0]!;
    paypal.sales.set("SALE-LATER", { ...real, id: "SALE-LATER" });
    advanceClock(2 * MINUTE);
    await sweep();
    expect(await hasGold(made.person)).toBe(true);
    await sweepFor(2 * HOUR);
    const status = async (id: string) =>
      (
        await app.sql<{ done: boolean; attempts: number }>(
          "select done_at is not null as done, attempts from webhook_events where event_id = $1",
          [id],
        )
      )[0]!;
    expect((await status(lost.id)).done).toBe(true);
    expect((await status(never.id)).done).toBe(false);
    advanceClock(DAY);
    await sweep();
    expect((await status(never.id)).done).toBe(true);
    const { body } = await app.call("GET", "/admin/payments", undefined, admin);
    expect(body.problems).toMatchObject([{ kind: "unmatched", external_id: "SALE-OF-NOBODY", psychologist: null }]);
    const { attempts } = await status(never.id);
    await sweepFor(HOUR);
    expect((await status(never.id)).attempts).toBe(attempts);
  });

  test("handles a webhook event that failed before", async () => {
    const made = await begun("lifetime", "mercadopago");
    const { webhooks } = await mercadopago.pay(made.external);
    mercadopago.injectFault(/^GET/, "receiving", { status: 500, body: {} }, 100);
    await deliver(webhooks.slice(0, 1));
    expect(await hasGold(made.person)).toBe(false);
    mercadopago.clearFaults();
    advanceClock(6 * MINUTE);
    await sweep();
    expect(await hasGold(made.person)).toBe(true);
    expect(await app.sql("select from webhook_events where done_at is null")).toEqual([]);
  });

  test.each([
    ["paypal", "I-FIRST", /transactions/],
    ["mercadopago", null, /^GET \/merchant_orders/],
  ] as const)(
    'reads a checkout that "Leer ahora" found by its reference at %s, although that reading failed',
    async (method, external_id, lastCall) => {
      const made = await begun("lifetime", method);
      await app.sql("update checkouts set external_id = $2, due_at = null where id = $1", [made.checkout, external_id]);
      await pay("lifetime", method, made.external);
      const fake = method === "paypal" ? paypal : mercadopago;
      const id = method === "paypal" ? lastSale(made.external) : lastPayment(made.external);
      await app.sql(
        "insert into webhook_events (provider, event_id, resource_type, resource_id, done_at, received_at) values ($1, 'WH', $2, $3, $4, $4)",
        [method, method === "paypal" ? "sale" : "payment", id, clock],
      );
      fake.injectFault(lastCall, "answering", () => fake.injectFault(/^GET/, "receiving", { status: 500 }, 1000));
      const { body } = await readNow(await reportUnmatched(method, String(id)));
      expect(body).toEqual({ code: "provider_unreachable" });
      fake.clearFaults();
      paypal.events.length = 0;
      advanceClock(MINUTE);
      await sweep();
      expect(await hasGold(made.person)).toBe(true);
    },
  );

  test("links an event to a checkout only if it makes the checkout due", async () => {
    const made = await begun("lifetime", "paypal");
    await app.sql("update checkouts set due_at = null where id = $1", [made.checkout]);
    const events = await paypal.approve(made.external);
    paypal.events.length = 0;
    await app.sql("alter table checkouts add constraint a_fault check (due_at is null)");
    await deliver(events.slice(0, 1));
    await app.sql("alter table checkouts drop constraint a_fault");
    advanceClock(2 * MINUTE);
    await sweep();
    expect(await hasGold(made.person)).toBe(true);
  });

  test("stops at a provider that does not answer, and goes on with the other", async () => {
    const waiting = [];
    for (let i = 0; i < 4 * PARALLEL_CALLS; i++) waiting.push(await begun("lifetime", "paypal"));
    const other = await begun("lifetime", "mercadopago");
    await mercadopago.pay(other.external);
    paypal.injectFault(/^GET/, "receiving", { status: 503, body: {} }, 1000);
    const before = paypal.calls.length;
    advanceClock(6 * MINUTE);
    await sweep();
    expect(paypal.calls.length - before).toBeLessThanOrEqual(4);
    expect(await hasGold(other.person)).toBe(true);
    expect(app.log.join("\n")).toContain('"event":"reading_failed"');
    paypal.clearFaults();
    for (const made of waiting) await paypal.approve(made.external);
    advanceClock(10 * MINUTE);
    await sweep();
    for (const made of waiting) expect(await hasGold(made.person)).toBe(true);
  });

  test.each(KINDS)(
    "finds a payment of %s at %s although an earlier call to the provider hung",
    async (plan, method) => {
      const made = await begun(plan, method);
      await pay(plan, method, made.external);
      advanceClock(6 * MINUTE);
      const { config } = context;
      const impatient = {
        ...context,
        paymentProviders: openPaymentProviders({
          ...config,
          paypal: { ...config.paypal!, ...IMPATIENCE },
          mercadopago: { ...config.mercadopago!, ...IMPATIENCE },
        }),
      };
      const fake = method === "paypal" ? paypal : mercadopago;
      fake.injectFault(/^GET/, "answering", "hang", 100);
      await workPayments(impatient);
      expect((await checkoutRow(made.checkout)).is_paid).toBe(false);
      fake.clearFaults();
      advanceClock(10 * MINUTE);
      await workPayments(impatient);
      expect((await checkoutRow(made.checkout)).is_paid).toBe(true);
      expect(await hasGold(made.person)).toBe(true);
    },
  );

  test("sends a cancellation until it is confirmed", async () => {
    const made = await begun("monthly", "paypal");
    await paypal.approve(made.external);
    await app.call("POST", `/checkouts/${made.checkout}/reconciliation`, {}, made.person);
    const { id } = (await row(made.person))!;
    paypal.injectFault(/POST .*cancel/, "receiving", { status: 500, body: {} }, 1000);
    expect((await app.call("DELETE", `/memberships/${id}`, {}, made.person)).body.provider).toBe("waiting");
    await sweepFor(3 * HOUR);
    const { failures } = (await row(made.person))!;
    expect(failures).toBeGreaterThan(2);
    expect(failures).toBeLessThan(10);
    paypal.clearFaults();
    await sweepFor(3 * HOUR);
    expect(paypal.subscriptions.get(made.external)!.status).toBe("CANCELLED");
    expect((await row(made.person))!.end_confirmed_at).not.toBeNull();
  });

  test("never sends anything about a test payment", async () => {
    const demo = await openTestApp();
    try {
      const person = await demo.person({ type: "psychologist" });
      const made = await demo.call("POST", "/checkouts", { plan_type: "monthly", method: "paypal" }, person);
      await demo.call("PUT", `/test-payments/${made.body.id}`, { decision: "approve" }, person);
      await workPayments(demo.context);
      const [own] = (await demo.call("GET", "/memberships", undefined, person)).body;
      expect(own).toMatchObject({ provider: "test", external_subscription_id: expect.stringMatching(/^TEST_/) });
      const gone = await demo.call("DELETE", `/memberships/${own.id}`, {}, person);
      expect(gone.body).toEqual({ done: true, provider: "not_needed" });
      const told = await demo.call(
        "POST",
        "/cancel-payment-subscription",
        { subscriptionId: own.external_subscription_id },
        person,
      );
      expect(told.body).toEqual({ provider: "not_needed" });
      expect(await demo.sql("select from checkouts where due_at is not null")).toEqual([]);
    } finally {
      await demo.close();
    }
  });

  test("runs every minute on one node, by the queue", async () => {
    const working = await openTestApp({ environment: { ...paypal.environment }, workers: true });
    try {
      // Anonymised texts are deleted at individual moments: rare runs would delete them in groups.
      expect(await working.sql("select name, cron from pgboss.schedule order by name")).toEqual([
        { name: "anonymised-texts", cron: "* * * * *" },
        { name: "digests", cron: "0 13 * * *" },
        { name: "housekeeping", cron: "17 * * * *" },
        { name: "payment-work", cron: "* * * * *" },
      ]);
      const person = await working.person({ type: "psychologist" });
      const made = await working.call("POST", "/checkouts", { plan_type: "lifetime", method: "paypal" }, person);
      await paypal.approve(made.body.external_id);
      await working.sql("update checkouts set due_at = now()");
      await working.context.boss.send("payment-work", {});
      await expect
        .poll(async () => (await working.call("GET", `/checkouts/${made.body.id}`, undefined, person)).body.status)
        .toBe("paid");
    } finally {
      await working.close();
    }
  });
});
