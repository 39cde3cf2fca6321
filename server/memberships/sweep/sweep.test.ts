import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { openTestApp, type Person, type TestApp } from "#test/app.ts";
import { type MercadopagoFake, startMercadopagoFake } from "#test/fakes/mercadopago.ts";
import { type PaypalFake, startPaypalFake } from "#test/fakes/paypal.ts";
import type { Context } from "../../context.ts";
import { openPaymentProviders } from "../providers/all.ts";
import { runCancellation, sweepPayments } from "./jobs.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** For providers that hang. */
const IMPATIENCE = { timeoutMs: 300 };
const START = new Date("2027-05-10T09:30:00.000Z");

let paypal: PaypalFake;
let mercadopago: MercadopagoFake;
let app: TestApp;
let context: Context;
let admin: Person;
let clock = START;
beforeAll(async () => {
  paypal = await startPaypalFake();
  mercadopago = await startMercadopagoFake();
  app = await openTestApp({ environment: { ...paypal.environment, ...mercadopago.environment } });
  paypal.webhookUrl = `${app.url}/api/webhooks/paypal`;
  mercadopago.webhookUrl = `${app.url}/api/webhooks/mercadopago`;
  for (const fake of [paypal, mercadopago]) fake.now = () => clock;
  // Clients of this process, so that their errors are instances of the same class.
  context = {
    ...app.context,
    paymentProviders: openPaymentProviders(app.context.config, app.context.db),
  };
  setClock(START);
  admin = await app.admin();
});
afterAll(async () => {
  await app.close();
  await paypal.close();
  await mercadopago.close();
});
afterEach(async () => {
  paypal.clearFaults();
  mercadopago.clearFaults();
  paypal.lag = 0;
  paypal.events.length = 0;
  // So that no test reads what another has left open.
  await app.sql("delete from webhook_events");
  await app.sql("update checkouts set status = 'paid', settled_at = coalesce(settled_at, now()), payer_email = null");
  await app.sql("update psychologist_profiles set subscription_id = null, gold_until = null");
  await app.sql("delete from payment_transactions");
  await app.sql("delete from payment_problems");
  await app.sql("delete from subscriptions");
  await app.sql("delete from payment_sweeps");
  await app.sql("delete from abandoned_checkouts");
  setClock(START);
});

function setClock(now: Date) {
  clock = now;
  app.setNow(now);
}
const later = (span: number) => setClock(new Date(clock.getTime() + span));
const sweep = () => sweepPayments(context);
/** Moves the clock and sweeps every ten minutes, as the schedule does. */
async function sweepFor(span: number) {
  for (const until = clock.getTime() + span; clock.getTime() < until; ) {
    later(10 * MINUTE);
    await sweep();
  }
}

async function begun(plan: string, method: string) {
  const person = await app.person({ type: "psychologist" });
  const email = method === "mercadopago" && plan === "monthly" ? { payer_email: `${person.id}@mp.example` } : {};
  const made = await app.call("POST", "/checkouts", { plan_type: plan, method, ...email }, person);
  expect(made.status, made.text).toBe(201);
  return { person, checkout: made.body.id as string, external: made.body.external_id as string };
}
const row = async (person: Person) =>
  (
    await app.sql<{
      id: string;
      status: string;
      ended_by: string | null;
      next_billing_date: Date;
      cancel_confirmed_at: Date | null;
      cancel_tries: number;
    }>("select * from subscriptions where psychologist_id = $1 order by created_at desc limit 1", [person.id])
  )[0];
const hasGold = async (person: Person) =>
  (
    await app.sql<{ gold: boolean }>(
      "select coalesce(gold_until > $2, false) as gold from psychologist_profiles where id = $1",
      [person.id, clock],
    )
  )[0]!.gold;
const attempt = async (id: string) =>
  (
    await app.sql<{ status: string; read_at: Date | null }>("select status, read_at from checkouts where id = $1", [id])
  )[0]!;

const KINDS = [
  ["monthly", "paypal"],
  ["lifetime", "paypal"],
  ["monthly", "mercadopago"],
  ["lifetime", "mercadopago"],
] as const;
async function pay(plan: string, method: string, external: string) {
  if (method === "paypal") await paypal.approve(external);
  else if (plan === "lifetime") await mercadopago.pay(external);
  else {
    await mercadopago.authorize(external);
    await mercadopago.charge(external);
  }
}

/** A psychologist who approved a monthly plan at MercadoPago and paused it before its first charge. */
async function pausedBeforeFirstCharge() {
  setClock(START);
  const made = await begun("monthly", "mercadopago");
  await mercadopago.authorize(made.external);
  later(5 * MINUTE);
  await sweep();
  await mercadopago.pause(made.external);
  later(DAY);
  await sweep();
  expect(await row(made.person)).toMatchObject({ status: "cancelled", ended_by: "provider" });
  return made;
}

describe("the sweep", () => {
  test.each(KINDS)(
    "finds a payment of %s at %s that neither browser nor webhook event reported",
    async (plan, method) => {
      setClock(START);
      const made = await begun(plan, method);
      await pay(plan, method, made.external);
      later(4 * MINUTE);
      await sweep();
      // Browser and webhook event have time to come first.
      expect((await attempt(made.checkout)).status).toBe("open");
      later(MINUTE);
      await sweep();
      expect((await attempt(made.checkout)).status).toBe("paid");
      expect(await hasGold(made.person)).toBe(true);
    },
  );

  test("reads an unpaid checkout less and less often, and finds its payment although it has expired here", async () => {
    setClock(START);
    const made = await begun("monthly", "paypal");
    const reads = () => paypal.calls.filter((call) => call === `GET /v1/billing/subscriptions/${made.external}`).length;
    await sweepFor(DAY - 10 * MINUTE);
    expect((await attempt(made.checkout)).status).toBe("open");
    expect(reads()).toBeGreaterThan(10);
    expect(reads()).toBeLessThan(40);
    await sweepFor(20 * MINUTE);
    expect((await attempt(made.checkout)).status).toBe("expired");
    const before = reads();
    await sweepFor(6 * HOUR);
    expect(reads() - before).toBeLessThanOrEqual(2);
    await paypal.approve(made.external);
    // PayPal's list of events does not have it either.
    paypal.events.length = 0;
    later(DAY);
    await sweep();
    expect((await attempt(made.checkout)).status).toBe("paid");
    expect(await hasGold(made.person)).toBe(true);
  });

  test("reads checkouts only at their own provider", async () => {
    setClock(START);
    const made = await begun("lifetime", "mercadopago");
    const before = paypal.calls.length;
    for (let times = 0; times < 2; times++) {
      later(10 * MINUTE);
      await sweep();
      expect((await attempt(made.checkout)).read_at).toEqual(clock);
    }
    expect(paypal.calls.slice(before).filter((call) => call.includes(made.external))).toEqual([]);
  });

  test("waits for cash as long as the provider does, and finds its payment without a webhook event", async () => {
    setClock(START);
    const made = await begun("lifetime", "mercadopago");
    const { payment } = await mercadopago.pay(made.external, "pending");
    await sweepFor(6 * HOUR);
    for (let day = 0; day < 5; day++) {
      later(DAY);
      await sweep();
    }
    expect((await attempt(made.checkout)).status).toBe("open");
    await mercadopago.approve(payment.id);
    later(DAY);
    await sweep();
    expect((await attempt(made.checkout)).status).toBe("paid");
    expect(await hasGold(made.person)).toBe(true);
  });

  test.each(["paypal", "mercadopago"])(
    "cancels at %s what the owner of a deleted account approved, before it is charged again",
    async (method) => {
      setClock(START);
      const made = await begun("monthly", method);
      await app.sql("update sessions set password_at = $1 where account_id = $2", [clock, made.person.id]);
      expect((await app.call("DELETE", "/account", { nameless: "delete" }, made.person)).status).toBe(200);
      expect(await app.sql("select from checkouts where id = $1", [made.checkout])).toEqual([]);
      const waiting = () => app.sql("select provider, external_id from abandoned_checkouts");
      expect(await waiting()).toEqual([{ provider: method, external_id: made.external }]);
      later(10 * MINUTE);
      await sweep();
      expect(await waiting()).toHaveLength(1);
      if (method === "paypal") await paypal.approve(made.external);
      else await mercadopago.authorize(made.external);
      later(10 * MINUTE);
      await sweep();
      if (method === "paypal") expect(paypal.subscriptions.get(made.external)!.status).toBe("CANCELLED");
      else expect(mercadopago.preapprovals.get(made.external)!.status).toBe("cancelled");
      expect(await waiting()).toEqual([]);
      const { body } = await app.call("GET", "/admin/payments", undefined, admin);
      // At PayPal a month was paid already, which the administrator refunds.
      expect(body.problems).toMatchObject(
        method === "paypal" ? [{ kind: "unmatched", external_id: made.external, psychologist: null }] : [],
      );
    },
  );

  test("cancels the subscription of a deleted account that gave no Gold any more, too", async () => {
    const made = await pausedBeforeFirstCharge();
    await app.sql("update sessions set password_at = $1 where account_id = $2", [clock, made.person.id]);
    expect((await app.call("DELETE", "/account", { nameless: "delete" }, made.person)).status).toBe(200);
    later(3 * HOUR);
    await sweep();
    expect(mercadopago.preapprovals.get(made.external)!.status).toBe("cancelled");
  });

  test("deletes after a month what it could neither read nor cancel, and reports it to the administrator", async () => {
    setClock(START);
    await app.sql(
      "insert into abandoned_checkouts (provider, external_id, created_at) values ('paypal', 'I-STUCK', $1)",
      [clock],
    );
    paypal.injectFault(/GET .*I-STUCK/, "receiving", { status: 403, body: {} }, 1000);
    await sweep();
    expect(await app.sql("select from abandoned_checkouts")).toHaveLength(1);
    later(31 * DAY + MINUTE);
    await sweep();
    expect(await app.sql("select from abandoned_checkouts")).toEqual([]);
    expect(await app.sql("select kind, external_id from payment_problems")).toEqual([
      { kind: "unmatched", external_id: "I-STUCK" },
    ]);
  });

  test("reads what the provider does not know no more often than the rest", async () => {
    setClock(START);
    const made = await begun("monthly", "paypal");
    paypal.subscriptions.delete(made.external);
    paypal.events.length = 0;
    const reads = () => paypal.calls.filter((call) => call === `GET /v1/billing/subscriptions/${made.external}`).length;
    await sweepFor(DAY);
    expect(reads()).toBeLessThan(40);
  });

  test("reports a webhook event whose subject the provider does not let us read", async () => {
    setClock(START);
    const made = await begun("lifetime", "paypal");
    await paypal.approve(made.external);
    later(5 * MINUTE);
    await sweep();
    const [opened] = await paypal.dispute(paypal.subscriptions.get(made.external)!.sales[0]!.id);
    paypal.injectFault(/GET .*disputes/, "receiving", { status: 403, body: { name: "NOT_AUTHORIZED" } }, 1000);
    expect(await paypal.send(opened!)).toEqual([503]);
    await sweepFor(HOUR);
    const { body: early } = await app.call("GET", "/admin/payments", undefined, admin);
    expect(early.problems).toEqual([]);
    later(DAY);
    await sweep();
    const { body } = await app.call("GET", "/admin/payments", undefined, admin);
    expect(body.problems).toMatchObject([{ kind: "unmatched", external_id: opened!.resource.dispute_id }]);
    const before = paypal.calls.length;
    await sweepFor(HOUR);
    expect(paypal.calls.slice(before).filter((call) => call.includes("disputes"))).toEqual([]);
  });

  test("keeps reading a subscription that was paused before its first charge, which can be cancelled meanwhile", async () => {
    const made = await pausedBeforeFirstCharge();
    const { body } = await app.call("GET", "/plans", undefined, made.person);
    expect(body.history).toMatchObject([{ can: { cancel: true } }]);
    mercadopago.preapprovals.get(made.external)!.status = "authorized";
    await mercadopago.charge(made.external);
    later(DAY);
    await sweep();
    expect(await hasGold(made.person)).toBe(true);
  });

  test("and cancelling it does not affect a lifetime plan that was paid meanwhile", async () => {
    const made = await pausedBeforeFirstCharge();
    const month = (await row(made.person))!.id;
    const life = await app.call("POST", "/checkouts", { plan_type: "lifetime", method: "paypal" }, made.person);
    await paypal.approve(life.body.external_id);
    later(5 * MINUTE);
    await sweep();
    expect(await hasGold(made.person)).toBe(true);
    expect((await app.call("DELETE", `/memberships/${month}`, {}, made.person)).status).toBe(200);
    expect(mercadopago.preapprovals.get(made.external)!.status).toBe("cancelled");
    expect(await hasGold(made.person)).toBe(true);
  });

  test("keeps Gold without a gap over a renewal without a webhook event", async () => {
    setClock(START);
    const made = await begun("monthly", "paypal");
    await paypal.approve(made.external);
    later(5 * MINUTE);
    await sweep();
    const due = (await row(made.person))!.next_billing_date;
    setClock(new Date(due.getTime() - 30 * MINUTE));
    for (let minute = 0; minute < 120; minute += 10) {
      later(10 * MINUTE);
      await sweep();
      expect([minute, await hasGold(made.person)]).toEqual([minute, true]);
      // Charged half an hour after its date, as providers do.
      if (minute === 60) await paypal.renew(made.external);
    }
    await sweepFor(HOUR);
    expect((await row(made.person))!.next_billing_date.toISOString().slice(0, 10)).toBe("2027-07-10");
  });

  test("lets Gold end after the grace period of a renewal that never comes, and reads it seldom from then on", async () => {
    setClock(START);
    const made = await begun("monthly", "mercadopago");
    await pay("monthly", "mercadopago", made.external);
    later(5 * MINUTE);
    await sweep();
    const due = (await row(made.person))!.next_billing_date;
    setClock(new Date(due.getTime() - 10 * MINUTE));
    await sweep();
    const end = (await row(made.person))!.next_billing_date;
    expect(end.getTime() - due.getTime()).toBe(3 * DAY);
    setClock(new Date(end.getTime() - 1000));
    expect(await hasGold(made.person)).toBe(true);
    setClock(end);
    expect(await hasGold(made.person)).toBe(false);
    const reads = () => mercadopago.calls.filter((call) => call === `GET /preapproval/${made.external}`).length;
    await sweepFor(DAY);
    const before = reads();
    for (let day = 0; day < 10; day++) {
      later(DAY);
      await sweep();
    }
    expect(reads() - before).toBeLessThanOrEqual(11);
    expect(await hasGold(made.person)).toBe(false);
    // The charge comes at last.
    await mercadopago.charge(made.external);
    later(DAY);
    await sweep();
    expect(await hasGold(made.person)).toBe(true);
  });

  test("sees within a day what was cancelled or refunded without a webhook event", async () => {
    setClock(START);
    const [one, other] = [await begun("monthly", "paypal"), await begun("monthly", "mercadopago")];
    await pay("monthly", "paypal", one.external);
    await pay("monthly", "mercadopago", other.external);
    later(5 * MINUTE);
    await sweep();
    await mercadopago.refund([...mercadopago.payments.values()].at(-1)!.id);
    await paypal.cancel(one.external);
    later(DAY);
    await sweep();
    expect(await hasGold(other.person)).toBe(false);
    const { body } = await app.call("GET", "/memberships", undefined, one.person);
    expect(body[0].standing).toBe("ending");
  });

  test("reads PayPal's list of events: those that were never delivered are handled, the others are not", async () => {
    setClock(START);
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
    setClock(START);
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
    setClock(START);
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
    setClock(START);
    const waiting = [];
    for (let i = 0; i < 8; i++) waiting.push(await begun("lifetime", "paypal"));
    const other = await begun("lifetime", "mercadopago");
    await mercadopago.pay(other.external);
    paypal.injectFault(/^GET/, "receiving", { status: 503, body: {} }, 1000);
    const before = paypal.calls.length;
    later(6 * MINUTE);
    await sweep();
    expect(paypal.calls.length - before).toBeLessThanOrEqual(4);
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
      setClock(START);
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
      expect((await attempt(made.checkout)).status).toBe("open");
      fake.clearFaults();
      later(10 * MINUTE);
      await sweepPayments(impatient);
      expect((await attempt(made.checkout)).status).toBe("paid");
      expect(await hasGold(made.person)).toBe(true);
    },
  );

  test("sends a cancellation until it is confirmed", async () => {
    setClock(START);
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
      // Nameless texts go at moments of their own: seldom visits would let them vanish in groups.
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
