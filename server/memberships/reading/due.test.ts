import { describe, expect, test } from "vitest";
import { FULL_RUN } from "#test/full-run.ts";
import {
  admin,
  advanceClock,
  app,
  begin,
  begun,
  clock,
  DAY,
  deliver,
  HOUR,
  hasGold,
  KINDS,
  lastSale,
  MINUTE,
  mercadopago,
  pay,
  payments,
  paypal,
  row,
  setClock,
} from "#test/payment-app.ts";

import { checkoutRow, sweep, sweepFor, withSweeps } from "#test/payment-sweeps.ts";

withSweeps();

/** A psychologist who approved a monthly plan at MercadoPago and paused it before its first charge. */
async function pausedBeforeFirstCharge() {
  const made = await begun("monthly", "mercadopago");
  await mercadopago.authorize(made.external);
  advanceClock(5 * MINUTE);
  await sweep();
  await mercadopago.pause(made.external);
  advanceClock(DAY);
  await sweep();
  expect(await row(made.person)).toMatchObject({ status: "cancelled", ended_by: "provider" });
  return made;
}

describe("the sweep", () => {
  test.each(KINDS)(
    "finds a payment of %s at %s that neither browser nor webhook event reported",
    async (plan, method) => {
      const made = await begun(plan, method);
      await pay(plan, method, made.external);
      advanceClock(4 * MINUTE);
      await sweep();
      // The browser's return or a webhook event may arrive first.
      expect((await checkoutRow(made.checkout)).read_at).toBeNull();
      advanceClock(MINUTE);
      await sweep();
      expect((await checkoutRow(made.checkout)).is_paid).toBe(true);
      expect(await hasGold(made.person)).toBe(true);
    },
  );

  test.runIf(FULL_RUN)(
    "reads an unpaid checkout less and less often, and finds its payment although it has expired here",
    async () => {
      const made = await begun("monthly", "paypal");
      const reads = () =>
        paypal.calls.filter((call) => call === `GET /v1/billing/subscriptions/${made.external}`).length;
      await sweepFor(DAY - 10 * MINUTE);
      expect(reads()).toBeGreaterThan(10);
      expect(reads()).toBeLessThan(40);
      await sweepFor(20 * MINUTE);
      const before = reads();
      await sweepFor(6 * HOUR);
      expect(reads() - before).toBeLessThanOrEqual(2);
      await paypal.approve(made.external);
      // PayPal's list of events does not have it either.
      paypal.events.length = 0;
      advanceClock(DAY);
      await sweep();
      expect((await checkoutRow(made.checkout)).is_paid).toBe(true);
      expect(await hasGold(made.person)).toBe(true);
    },
  );

  test("reads checkouts only at their own provider", async () => {
    const made = await begun("lifetime", "mercadopago");
    const before = paypal.calls.length;
    for (let times = 0; times < 2; times++) {
      advanceClock(10 * MINUTE);
      await sweep();
      expect((await checkoutRow(made.checkout)).read_at).toEqual(clock);
    }
    expect(paypal.calls.slice(before).filter((call) => call.includes(made.external))).toEqual([]);
  });

  test("waits for cash as long as the provider does, and finds its payment without a webhook event", async () => {
    const made = await begun("lifetime", "mercadopago");
    const { payment } = await mercadopago.pay(made.external, "pending");
    await sweepFor(6 * HOUR);
    for (let day = 0; day < 5; day++) {
      advanceClock(DAY);
      await sweep();
    }
    expect((await checkoutRow(made.checkout)).state).toBe("paying");
    await mercadopago.approve(payment.id);
    advanceClock(DAY);
    await sweep();
    expect((await checkoutRow(made.checkout)).is_paid).toBe(true);
    expect(await hasGold(made.person)).toBe(true);
  });

  test.each(["paypal", "mercadopago"])(
    "cancels at %s what the owner of a deleted account approved, before it is charged again",
    async (method) => {
      const made = await begun("monthly", method);
      const paid = method === "paypal";
      if (!paid) mercadopago.injectFault(/^PUT/, "receiving", { status: 500, body: {} }, 1000);
      await app.sql("update sessions set password_at = $1 where account_id = $2", [clock, made.person.id]);
      expect((await app.call("DELETE", "/account", { anonymous_texts: "delete" }, made.person)).status).toBe(200);
      const left = () =>
        app.sql("select psychologist_id, payer_email, external_id from checkouts where id = $1", [made.checkout]);
      expect(await left()).toEqual([{ psychologist_id: null, payer_email: null, external_id: made.external }]);
      advanceClock(10 * MINUTE);
      await sweep();
      expect(await left()).toHaveLength(1);
      if (paid) await paypal.approve(made.external);
      else await mercadopago.authorize(made.external);
      mercadopago.clearFaults();
      advanceClock(HOUR);
      await sweep();
      if (paid) expect(paypal.subscriptions.get(made.external)!.status).toBe("CANCELLED");
      else expect(mercadopago.preapprovals.get(made.external)!.status).toBe("cancelled");
      // An ended checkout is read a last time, then deleted if it has no payment.
      expect(await left()).toHaveLength(1);
      advanceClock(DAY);
      await sweep();
      expect(await left()).toHaveLength(paid ? 1 : 0);
      const { body } = await app.call("GET", "/admin/payments", undefined, admin);
      // At PayPal a month was paid already, which the administrator refunds.
      expect(body.problems).toMatchObject(
        paid ? [{ kind: "payment_after_end", external_id: lastSale(made.external), psychologist: null }] : [],
      );
      expect(await app.sql("select from checkouts where due_at is not null")).toEqual([]);
    },
  );

  test("cancels the subscription of a deleted account that gave no Gold any more, too", async () => {
    const made = await pausedBeforeFirstCharge();
    await app.sql("update sessions set password_at = $1 where account_id = $2", [clock, made.person.id]);
    expect((await app.call("DELETE", "/account", { anonymous_texts: "delete" }, made.person)).status).toBe(200);
    advanceClock(3 * HOUR);
    await sweep();
    expect(mercadopago.preapprovals.get(made.external)!.status).toBe("cancelled");
  });

  test("reads what the provider does not know no more often than the rest", async () => {
    const made = await begun("monthly", "paypal");
    paypal.subscriptions.delete(made.external);
    paypal.events.length = 0;
    const reads = () => paypal.calls.filter((call) => call === `GET /v1/billing/subscriptions/${made.external}`).length;
    await sweepFor(DAY);
    expect(reads()).toBeLessThan(40);
  });

  test("looks up an unknown payment once if its event waited for 23 h", async () => {
    const received_at = new Date(clock!.getTime() - 23 * HOUR);
    await app.sql(
      "insert into webhook_events (provider, event_id, resource_type, resource_id, received_at) values ('mercadopago', 'waiting', 'payment', '999', $1)",
      [received_at],
    );
    const before = mercadopago.calls.length;
    await sweep();
    advanceClock(MINUTE);
    await sweep();
    expect(mercadopago.calls.slice(before)).toEqual(["GET /v1/payments/999"]);
  });

  test("reports a webhook event whose subject the provider does not let us read", async () => {
    const made = await begun("lifetime", "paypal");
    await paypal.approve(made.external);
    advanceClock(5 * MINUTE);
    await sweep();
    const [opened] = await paypal.dispute(paypal.subscriptions.get(made.external)!.sales[0]!.id);
    paypal.injectFault(/GET .*disputes/, "receiving", { status: 403, body: { name: "NOT_AUTHORIZED" } }, 1000);
    await deliver([opened!]);
    await sweepFor(HOUR);
    const { body: early } = await app.call("GET", "/admin/payments", undefined, admin);
    expect(early.problems).toEqual([]);
    advanceClock(DAY);
    await sweep();
    const { body } = await app.call("GET", "/admin/payments", undefined, admin);
    expect(body.problems).toMatchObject([{ kind: "unmatched", external_id: opened!.resource.dispute_id }]);
    const before = paypal.calls.length;
    await sweepFor(HOUR);
    expect(paypal.calls.slice(before).filter((call) => call.includes("disputes"))).toEqual([]);
  });

  test("keeps reading a subscription that was paused before its first charge, so that its owner can cancel it", async () => {
    const made = await pausedBeforeFirstCharge();
    const { body } = await app.call("GET", "/plans", undefined, made.person);
    expect(body.history).toMatchObject([{ can: { cancel: true } }]);
    mercadopago.preapprovals.get(made.external)!.status = "authorized";
    await mercadopago.charge(made.external);
    advanceClock(DAY);
    await sweep();
    expect(await hasGold(made.person)).toBe(true);
  });

  test("keeps a lifetime plan when a paused subscription is cancelled", async () => {
    const made = await pausedBeforeFirstCharge();
    const month = (await row(made.person))!.id;
    const life = await app.call("POST", "/checkouts", { plan_type: "lifetime", method: "paypal" }, made.person);
    await paypal.approve(life.body.external_id);
    advanceClock(5 * MINUTE);
    await sweep();
    expect(await hasGold(made.person)).toBe(true);
    expect((await app.call("DELETE", `/memberships/${month}`, {}, made.person)).status).toBe(200);
    expect(mercadopago.preapprovals.get(made.external)!.status).toBe("cancelled");
    expect(await hasGold(made.person)).toBe(true);
  });

  test("ends a past-due month at PayPal once another month is paid at MercadoPago", async () => {
    const made = await begun("monthly", "paypal");
    await paypal.approve(made.external);
    advanceClock(5 * MINUTE);
    await sweep();
    await deliver(await paypal.suspend(made.external));
    await app.sql("update subscriptions set next_billing_date = $1", [clock]);
    advanceClock(MINUTE);
    const email = { payer_email: "otra@mp.example" };
    const other = await begin(made.person, "monthly", "mercadopago", email);
    expect(other.status).toBe(201);
    await deliver(await pay("monthly", "mercadopago", other.body.external_id));
    expect(paypal.subscriptions.get(made.external)!.status).toBe("CANCELLED");
    expect(await row(made.person)).toMatchObject({ provider: "mercadopago", status: "active" });
    expect(await hasGold(made.person)).toBe(true);
  });

  test.each(["paypal", "mercadopago"])(
    "shows a membership as ending that %s answers with 404, without a problem that it is unreadable",
    async (method) => {
      const made = await begun("monthly", method);
      await pay("monthly", method, made.external);
      advanceClock(5 * MINUTE);
      await sweep();
      const { id } = (await row(made.person))!;
      await app.sql(
        "insert into payment_problems (kind, provider, external_id, external_subscription_id, subscription_id, created_at) values ('unreadable', $1, $2, $2, $3, now())",
        [method, made.external, id],
      );
      (method === "paypal" ? paypal.subscriptions : mercadopago.preapprovals).delete(made.external);
      advanceClock(DAY);
      await sweep();
      const { body } = await app.call("GET", "/memberships", undefined, made.person);
      expect(body).toMatchObject([{ membership_status: "ending", in_force: true, can: { cancel: false } }]);
      expect(await app.sql("select kind from payment_problems where settled_at is null")).toEqual([]);
    },
  );

  test("keeps Gold without a gap over a renewal without a webhook event", async () => {
    const made = await begun("monthly", "paypal");
    await paypal.approve(made.external);
    advanceClock(5 * MINUTE);
    await sweep();
    const due = (await row(made.person))!.next_billing_date!;
    setClock(new Date(due.getTime() - 30 * MINUTE));
    for (let minute = 0; minute < 120; minute += 10) {
      advanceClock(10 * MINUTE);
      await sweep();
      expect([minute, await hasGold(made.person)]).toEqual([minute, true]);
      // Charged half an hour after its date, as providers do.
      if (minute === 60) await paypal.renew(made.external);
    }
    await sweepFor(HOUR);
    expect((await row(made.person))!.next_billing_date!.toISOString().slice(0, 10)).toBe("2027-07-10");
  });

  test.runIf(FULL_RUN)(
    "lets Gold end after the grace period of a renewal that never comes, and reads it seldom from then on",
    async () => {
      const made = await begun("monthly", "mercadopago");
      await pay("monthly", "mercadopago", made.external);
      advanceClock(5 * MINUTE);
      await sweep();
      const due = (await row(made.person))!.next_billing_date!;
      setClock(new Date(due.getTime() - 10 * MINUTE));
      await sweep();
      const end = new Date(due.getTime() + 3 * DAY);
      setClock(new Date(end.getTime() - 1000));
      expect(await hasGold(made.person)).toBe(true);
      setClock(end);
      expect(await hasGold(made.person)).toBe(false);
      const reads = () => mercadopago.calls.filter((call) => call === `GET /preapproval/${made.external}`).length;
      await sweepFor(DAY);
      const before = reads();
      for (let day = 0; day < 10; day++) {
        advanceClock(DAY);
        await sweep();
      }
      expect(reads() - before).toBeLessThanOrEqual(11);
      expect(await hasGold(made.person)).toBe(false);
      // The late charge.
      await mercadopago.charge(made.external);
      advanceClock(DAY);
      await sweep();
      expect(await hasGold(made.person)).toBe(true);
    },
  );

  test("gives Gold within 8 days for a charge 117 days after the date, without a webhook event", async () => {
    const made = await begun("monthly", "mercadopago");
    await pay("monthly", "mercadopago", made.external);
    advanceClock(5 * MINUTE);
    await sweep();
    const due = (await row(made.person))!.next_billing_date!;
    setClock(new Date(due.getTime() + 95 * DAY));
    await sweep();
    const reads = () => mercadopago.calls.filter((call) => call === `GET /preapproval/${made.external}`).length;
    const before = reads();
    for (let day = 95; day < 117; day++) {
      advanceClock(DAY);
      await sweep();
    }
    expect(reads() - before).toBe(3);
    expect(await hasGold(made.person)).toBe(false);
    await mercadopago.charge(made.external);
    for (let day = 0; day < 8; day++) {
      advanceClock(DAY);
      await sweep();
    }
    expect(await hasGold(made.person)).toBe(true);
  });

  test("gives Gold within 8 days for a charge 200 days after the provider paused it", async () => {
    const made = await pausedBeforeFirstCharge();
    advanceClock(200 * DAY);
    await sweep();
    mercadopago.preapprovals.get(made.external)!.status = "authorized";
    await mercadopago.charge(made.external);
    for (let day = 0; day < 8; day++) {
      advanceClock(DAY);
      await sweep();
    }
    expect(await hasGold(made.person)).toBe(true);
  });

  test("reads a renewal with three notices of MercadoPago in at most 6 calls", async () => {
    const made = await begun("monthly", "mercadopago");
    await pay("monthly", "mercadopago", made.external);
    advanceClock(5 * MINUTE);
    await sweep();
    advanceClock(30 * DAY);
    await sweep();
    const { webhooks } = await mercadopago.charge(made.external);
    const notices = [...webhooks, mercadopago.webhook("subscription_preapproval", made.external)];
    expect(notices.length).toBeGreaterThanOrEqual(3);
    const before = mercadopago.calls.length;
    for (const one of notices) expect(await mercadopago.send(one)).toEqual([200]);
    await sweep();
    expect(await payments(made.person)).toHaveLength(2);
    expect(mercadopago.calls.length - before).toBeLessThanOrEqual(6);
  });

  test("sees within a day what was cancelled or refunded without a webhook event", async () => {
    const [one, other] = [await begun("monthly", "paypal"), await begun("monthly", "mercadopago")];
    await pay("monthly", "paypal", one.external);
    await pay("monthly", "mercadopago", other.external);
    advanceClock(5 * MINUTE);
    await sweep();
    await mercadopago.refund([...mercadopago.payments.values()].at(-1)!.id);
    await paypal.cancel(one.external);
    advanceClock(DAY);
    await sweep();
    expect(await hasGold(other.person)).toBe(false);
    const { body } = await app.call("GET", "/memberships", undefined, one.person);
    expect(body[0].membership_status).toBe("ending");
  });
});
