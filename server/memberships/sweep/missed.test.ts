import { describe, expect, test } from "vitest";
import { openTestApp } from "#test/app.ts";
import { checkoutRow, context, row, sweep, sweepFor, withSweeps } from "#test/payment-sweeps.ts";
import {
  admin,
  app,
  begun,
  DAY,
  HOUR,
  hasGold,
  KINDS,
  later,
  MINUTE,
  mercadopago,
  pay,
  paypal,
} from "#test/payment-world.ts";
import { openPaymentProviders } from "../providers/all.ts";
import { runCancellation, sweepPayments } from "./jobs.ts";
import { PARALLEL_STEPS } from "./pace.ts";

withSweeps();

/** For providers that hang. */
const IMPATIENCE = { timeoutMs: 300 };

describe("the sweep", () => {
  test("reads PayPal's list of events: those that were never delivered are handled, the others are not", async () => {
    const made = await begun("lifetime", "paypal");
    await paypal.approve(made.external);
    later(5 * MINUTE);
    await sweep();
    expect(await hasGold(made.person)).toBe(true);
    // A dispute shows in no answer about the subscription, only in its webhook event.
    const sale = paypal.subscriptions.get(made.external)!.sales[0]!.id;
    later(HOUR);
    const [opened] = await paypal.dispute(sale);
    const problems = () =>
      app.sql("select kind from payment_problems where psychologist_id = $1 and settled_at is null", [made.person.id]);
    // The event may still be on its way, so the sweep waits.
    later(4 * MINUTE);
    await sweep();
    expect(await problems()).toEqual([]);
    later(10 * MINUTE);
    await sweep();
    expect(await problems()).toEqual([{ kind: "dispute" }]);
    await paypal.resolve(opened!.resource.dispute_id as string, "BUYER");
    later(10 * MINUTE);
    await sweep();
    expect(await problems()).toEqual([]);
    expect(await hasGold(made.person)).toBe(false);
    const tries = await app.sql("select event_id, tries from webhook_events where tries <> 1");
    await sweepFor(HOUR);
    expect(await app.sql("select event_id, tries from webhook_events where tries <> 1")).toEqual(tries);
  });

  test("retries events without a known target, and reports those that have none after a day", async () => {
    const made = await begun("lifetime", "paypal");
    await paypal.approve(made.external);
    const lost = paypal.event("PAYMENT.SALE.COMPLETED", { id: "SALE-LATER" });
    const never = paypal.event("PAYMENT.SALE.COMPLETED", { id: "SALE-OF-NOBODY" });
    expect([await paypal.send(lost), await paypal.send(never)]).toEqual([[200], [200]]);
    // The sale appears a little later than its webhook event.
    const real = paypal.subscriptions.get(made.external)!.sales[0]!;
    paypal.sales.set("SALE-LATER", { ...real, id: "SALE-LATER" });
    later(2 * MINUTE);
    await sweep();
    expect(await hasGold(made.person)).toBe(true);
    await sweepFor(2 * HOUR);
    const status = async (id: string) =>
      (
        await app.sql<{ status: string; tries: number }>(
          "select status, tries from webhook_events where event_id = $1",
          [id],
        )
      )[0]!;
    expect((await status(lost.id)).status).toBe("done");
    expect((await status(never.id)).status).toBe("unmatched");
    later(DAY);
    await sweep();
    expect((await status(never.id)).status).toBe("given_up");
    const { body } = await app.call("GET", "/admin/payments", undefined, admin);
    expect(body.problems).toMatchObject([{ kind: "unmatched", external_id: "SALE-OF-NOBODY", psychologist: null }]);
    const { tries } = await status(never.id);
    await sweepFor(HOUR);
    expect((await status(never.id)).tries).toBe(tries);
  });

  test("handles a webhook event that failed before", async () => {
    const made = await begun("lifetime", "mercadopago");
    const { webhooks } = await mercadopago.pay(made.external);
    mercadopago.injectFault(/^GET/, "receiving", { status: 500, body: {} }, 100);
    expect(await mercadopago.send(webhooks[0]!)).toEqual([503]);
    mercadopago.clearFaults();
    later(2 * MINUTE);
    await sweep();
    expect(await hasGold(made.person)).toBe(true);
    expect(await app.sql("select status from webhook_events")).toEqual([{ status: "done" }]);
  });

  test("stops at a provider that does not answer, and goes on with the other", async () => {
    const waiting = [];
    for (let i = 0; i < 4 * PARALLEL_STEPS; i++) waiting.push(await begun("lifetime", "paypal"));
    const other = await begun("lifetime", "mercadopago");
    await mercadopago.pay(other.external);
    paypal.injectFault(/^GET/, "receiving", { status: 503, body: {} }, 1000);
    const before = paypal.calls.length;
    later(6 * MINUTE);
    await sweep();
    expect(paypal.calls.length - before).toBeLessThanOrEqual(2 * PARALLEL_STEPS + 1);
    expect(await hasGold(other.person)).toBe(true);
    expect(app.log.join("\n")).toContain('"event":"sweep_failed"');
    paypal.clearFaults();
    for (const made of waiting) await paypal.approve(made.external);
    later(10 * MINUTE);
    await sweep();
    for (const made of waiting) expect(await hasGold(made.person)).toBe(true);
  });

  test.each(KINDS)(
    "finds a payment of %s at %s although an earlier call to the provider hung",
    async (plan, method) => {
      const made = await begun(plan, method);
      await pay(plan, method, made.external);
      later(6 * MINUTE);
      const { config, db } = context;
      const impatient = {
        ...context,
        paymentProviders: openPaymentProviders(
          {
            ...config,
            paypal: { ...config.paypal!, ...IMPATIENCE },
            mercadopago: { ...config.mercadopago!, ...IMPATIENCE },
          },
          db,
        ),
      };
      const fake = method === "paypal" ? paypal : mercadopago;
      fake.injectFault(/^GET/, "answering", "hang", 100);
      await sweepPayments(impatient);
      expect((await checkoutRow(made.checkout)).status).toBe("open");
      fake.clearFaults();
      later(10 * MINUTE);
      await sweepPayments(impatient);
      expect((await checkoutRow(made.checkout)).status).toBe("paid");
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
    // The job fails, so that the queue retries it.
    await expect(runCancellation(context, { subscription_id: id })).rejects.toThrow("not confirmed");
    expect((await row(made.person))!.cancel_tries).toBe(2);
    await sweepFor(3 * HOUR);
    const { cancel_tries } = (await row(made.person))!;
    expect(cancel_tries).toBeGreaterThan(2);
    expect(cancel_tries).toBeLessThan(5);
    paypal.clearFaults();
    await sweepFor(3 * HOUR);
    expect(paypal.subscriptions.get(made.external)!.status).toBe("CANCELLED");
    expect((await row(made.person))!.cancel_confirmed_at).not.toBeNull();
    await runCancellation(context, { subscription_id: id });
  });

  test("never sends anything about a test payment", async () => {
    const demo = await openTestApp();
    try {
      const person = await demo.person({ type: "psychologist" });
      const made = await demo.call("POST", "/checkouts", { plan_type: "monthly", method: "paypal" }, person);
      await demo.call("PUT", `/test-payments/${made.body.id}`, { decision: "approve" }, person);
      await sweepPayments(demo.context);
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
      expect(await demo.sql("select from pgboss.job where name = 'cancellations'")).toEqual([]);
    } finally {
      await demo.close();
    }
  });

  test("runs every ten minutes on one node, by the queue", async () => {
    const working = await openTestApp({ environment: { ...paypal.environment }, workers: true });
    try {
      // Anonymised texts go at moments of their own: seldom visits would let them vanish in groups.
      expect(await working.sql("select name, cron from pgboss.schedule order by name")).toEqual([
        { name: "housekeeping", cron: "17 * * * *" },
        { name: "loose-texts", cron: "* * * * *" },
        { name: "payment-sweep", cron: "*/10 * * * *" },
      ]);
      const person = await working.person({ type: "psychologist" });
      const made = await working.call("POST", "/checkouts", { plan_type: "lifetime", method: "paypal" }, person);
      await paypal.approve(made.body.external_id);
      await working.sql("update checkouts set created_at = created_at - interval '10 minutes'");
      await working.context.boss.send("payment-sweep", {});
      await expect
        .poll(async () => (await working.call("GET", `/checkouts/${made.body.id}`, undefined, person)).body.status)
        .toBe("paid");
    } finally {
      await working.close();
    }
  });
});
