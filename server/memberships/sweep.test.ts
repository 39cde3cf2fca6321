import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { openTestApp, type Person, type TestApp } from "#test/app.ts";
import { type MercadopagoFake, startMercadopagoFake } from "#test/fakes/mercadopago.ts";
import { type PaypalFake, startPaypalFake } from "#test/fakes/paypal.ts";
import type { Context } from "../context.ts";
import { createMercadopago } from "../outside/mercadopago.ts";
import { createPaypal } from "../outside/paypal.ts";
import { runCancellation, sweepPayments } from "./jobs.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
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
  // As the workers have it; made here, so that both know each other's errors.
  context = {
    ...app.context,
    paypal: createPaypal(app.context.config.paypal!),
    mercadopago: createMercadopago(app.context.config.mercadopago!),
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
  paypal.calm();
  mercadopago.calm();
  paypal.lag = 0;
  paypal.events.length = 0;
  // What one test left open is not to be read by the next.
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
/** Sweeps as time goes by, every ten minutes as the schedule has it. */
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

/** Somebody who agreed to a month at MercadoPago and halted it there before its first charge, as far as we know by now. */
async function halted() {
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
    "finds a payment of %s at %s of which neither browser nor notification told",
    async (plan, method) => {
      setClock(START);
      const made = await begun(plan, method);
      await pay(plan, method, made.external);
      later(4 * MINUTE);
      await sweep();
      // Browser and notification come first.
      expect((await attempt(made.checkout)).status).toBe("open");
      later(MINUTE);
      await sweep();
      expect((await attempt(made.checkout)).status).toBe("paid");
      expect(await hasGold(made.person)).toBe(true);
    },
  );

  test("asks about what nobody pays less and less often, and finds it though it was given up here", async () => {
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
    // Of this its own list says nothing either.
    paypal.events.length = 0;
    later(DAY);
    await sweep();
    expect((await attempt(made.checkout)).status).toBe("paid");
    expect(await hasGold(made.person)).toBe(true);
  });

  test("reads only checkouts of the service that it asks", async () => {
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

  test("waits for cash as long as the service does, and finds it paid though nothing told of it", async () => {
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
    "ends at %s what somebody agreed to who has left, before it is charged again",
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
      // Of PayPal a month was paid already: that is for a person to give back.
      expect(body.problems).toMatchObject(
        method === "paypal" ? [{ kind: "unmatched", external_id: made.external, psychologist: null }] : [],
      );
    },
  );

  test("ends for somebody who has left a month that gave no Gold any more, too", async () => {
    const made = await halted();
    await app.sql("update sessions set password_at = $1 where account_id = $2", [clock, made.person.id]);
    expect((await app.call("DELETE", "/account", { nameless: "delete" }, made.person)).status).toBe(200);
    later(3 * HOUR);
    await sweep();
    expect(mercadopago.preapprovals.get(made.external)!.status).toBe("cancelled");
  });

  test("forgets after a month what it could neither read nor end, and leaves it to the administrator", async () => {
    setClock(START);
    await app.sql(
      "insert into abandoned_checkouts (provider, external_id, created_at) values ('paypal', 'I-STUCK', $1)",
      [clock],
    );
    paypal.trouble(/GET .*I-STUCK/, "receiving", { status: 403, body: {} }, 1000);
    await sweep();
    expect(await app.sql("select from abandoned_checkouts")).toHaveLength(1);
    later(31 * DAY + MINUTE);
    await sweep();
    expect(await app.sql("select from abandoned_checkouts")).toEqual([]);
    expect(await app.sql("select kind, external_id from payment_problems")).toEqual([
      { kind: "unmatched", external_id: "I-STUCK" },
    ]);
  });

  test("asks about what its service does not know no more often than about the rest", async () => {
    setClock(START);
    const made = await begun("monthly", "paypal");
    paypal.subscriptions.delete(made.external);
    paypal.events.length = 0;
    const reads = () => paypal.calls.filter((call) => call === `GET /v1/billing/subscriptions/${made.external}`).length;
    await sweepFor(DAY);
    expect(reads()).toBeLessThan(40);
  });

  test("puts before the administrator a notification that its service does not let us follow", async () => {
    setClock(START);
    const made = await begun("lifetime", "paypal");
    await paypal.approve(made.external);
    later(5 * MINUTE);
    await sweep();
    const [opened] = await paypal.dispute(paypal.subscriptions.get(made.external)!.sales[0]!.id);
    paypal.trouble(/GET .*disputes/, "receiving", { status: 403, body: { name: "NOT_AUTHORIZED" } }, 1000);
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

  test("keeps an eye on an agreement that was halted before its first charge, and can be ended meanwhile", async () => {
    const made = await halted();
    const { body } = await app.call("GET", "/plans", undefined, made.person);
    expect(body.history).toMatchObject([{ can: { cancel: true } }]);
    mercadopago.preapprovals.get(made.external)!.status = "authorized";
    await mercadopago.charge(made.external);
    later(DAY);
    await sweep();
    expect(await hasGold(made.person)).toBe(true);
  });

  test("and ending it takes nothing from a life that was paid meanwhile", async () => {
    const made = await halted();
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

  test("keeps Gold over a renewal of which no notification comes, without a gap", async () => {
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
      // Charged half an hour after its date, as services do.
      if (minute === 60) await paypal.renew(made.external);
    }
    await sweepFor(HOUR);
    expect((await row(made.person))!.next_billing_date.toISOString().slice(0, 10)).toBe("2027-07-10");
  });

  test("lets Gold end three days after a renewal that never comes, and reads it seldom from then on", async () => {
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

  test("sees within a day what was cancelled or given back while nobody told", async () => {
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

  test("goes through PayPal's own list of what it notified: what never came is followed, what came is not", async () => {
    setClock(START);
    const made = await begun("lifetime", "paypal");
    await paypal.approve(made.external);
    later(5 * MINUTE);
    await sweep();
    expect(await hasGold(made.person)).toBe(true);
    // A complaint is in no answer about the subscription: only its notification tells.
    const sale = paypal.subscriptions.get(made.external)!.sales[0]!.id;
    later(HOUR);
    const [opened] = await paypal.dispute(sale);
    const problems = () =>
      app.sql("select kind from payment_problems where psychologist_id = $1 and settled_at is null", [made.person.id]);
    // It may be on its way still; the next time it is looked for again.
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

  test("follows what led nowhere at first, and puts before the administrator what still does after a day", async () => {
    setClock(START);
    const made = await begun("lifetime", "paypal");
    await paypal.approve(made.external);
    const lost = paypal.event("PAYMENT.SALE.COMPLETED", { id: "SALE-LATER" });
    const never = paypal.event("PAYMENT.SALE.COMPLETED", { id: "SALE-OF-NOBODY" });
    expect([await paypal.send(lost), await paypal.send(never)]).toEqual([[200], [200]]);
    // The sale is there a little later than its notification.
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

  test("takes up a notification that our own fault left behind", async () => {
    setClock(START);
    const made = await begun("lifetime", "mercadopago");
    const { notices } = await mercadopago.pay(made.external);
    mercadopago.trouble(/^GET/, "receiving", { status: 500, body: {} }, 100);
    expect(await mercadopago.send(notices[0]!)).toEqual([503]);
    mercadopago.calm();
    later(2 * MINUTE);
    await sweep();
    expect(await hasGold(made.person)).toBe(true);
    expect(await app.sql("select status from webhook_events")).toEqual([{ status: "done" }]);
  });

  test("leaves a service that does not answer alone, and goes on with the other", async () => {
    setClock(START);
    const waiting = [];
    for (let i = 0; i < 8; i++) waiting.push(await begun("lifetime", "paypal"));
    const other = await begun("lifetime", "mercadopago");
    await mercadopago.pay(other.external);
    paypal.trouble(/^GET/, "receiving", { status: 503, body: {} }, 1000);
    const before = paypal.calls.length;
    later(6 * MINUTE);
    await sweep();
    expect(paypal.calls.length - before).toBeLessThanOrEqual(4);
    expect(await hasGold(other.person)).toBe(true);
    expect(app.log.join("\n")).toContain('"event":"sweep_failed"');
    paypal.calm();
    for (const made of waiting) await paypal.approve(made.external);
    later(10 * MINUTE);
    await sweep();
    for (const made of waiting) expect(await hasGold(made.person)).toBe(true);
  });

  test.each(KINDS)(
    "finds a payment of %s at %s though the service hung when it was asked before",
    async (plan, method) => {
      setClock(START);
      const made = await begun(plan, method);
      await pay(plan, method, made.external);
      later(6 * MINUTE);
      const impatient = {
        ...context,
        paypal: createPaypal({ ...app.context.config.paypal!, timeoutMs: 300 }),
        mercadopago: createMercadopago({ ...app.context.config.mercadopago!, timeoutMs: 300 }),
      };
      const fake = method === "paypal" ? paypal : mercadopago;
      fake.trouble(/^GET/, "answering", "hang", 100);
      await sweepPayments(impatient);
      expect((await attempt(made.checkout)).status).toBe("open");
      fake.calm();
      later(10 * MINUTE);
      await sweepPayments(impatient);
      expect((await attempt(made.checkout)).status).toBe("paid");
      expect(await hasGold(made.person)).toBe(true);
    },
  );

  test("tells a service of an end for as long as it takes", async () => {
    setClock(START);
    const made = await begun("monthly", "paypal");
    await paypal.approve(made.external);
    await app.call("POST", `/checkouts/${made.checkout}/reconciliation`, {}, made.person);
    const { id } = (await row(made.person))!;
    paypal.trouble(/POST .*cancel/, "receiving", { status: 500, body: {} }, 1000);
    expect((await app.call("DELETE", `/memberships/${id}`, {}, made.person)).body.provider).toBe("waiting");
    // The queue's job fails, so that it comes again.
    await expect(runCancellation(context, { subscription_id: id })).rejects.toThrow("not confirmed");
    expect((await row(made.person))!.cancel_tries).toBe(2);
    await sweepFor(3 * HOUR);
    const { cancel_tries } = (await row(made.person))!;
    expect(cancel_tries).toBeGreaterThan(2);
    expect(cancel_tries).toBeLessThan(5);
    paypal.calm();
    await sweepFor(3 * HOUR);
    expect(paypal.subscriptions.get(made.external)!.status).toBe("CANCELLED");
    expect((await row(made.person))!.cancel_confirmed_at).not.toBeNull();
    await runCancellation(context, { subscription_id: id });
  });

  test("never sends anything of a test payment anywhere", async () => {
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
