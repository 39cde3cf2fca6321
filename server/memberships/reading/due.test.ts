import { describe, expect, test } from "vitest";
import { DAY, HOUR, MINUTE } from "#shared/time.ts";
import { openTestApp } from "#test/app.ts";
import {
  admin,
  advanceClock,
  app,
  begin,
  begun,
  cancel,
  clock,
  deleteAccount,
  deliver,
  hasGold,
  lastSale,
  member,
  mercadopago,
  pay,
  payments,
  paypal,
  problems,
  row,
  setClock,
} from "#test/payment-app.ts";
import { checkoutRow, openProblems, sweep, withSweeps } from "#test/payment-sweeps.ts";
import { paymentsOf } from "../store.ts";

withSweeps();

describe("the sweep", () => {
  test.each([
    ["lifetime", "paypal"],
    ["monthly", "mercadopago"],
  ])("finds a payment of %s at %s that neither browser nor webhook event reported", async (plan, method) => {
    const made = await begun(plan, method);
    await pay(plan, method, made.external);
    await sweep(4 * MINUTE);
    // The browser's return or a webhook event may arrive first.
    expect((await checkoutRow(made.checkout)).read_at).toBeNull();
    await sweep(MINUTE);
    expect((await checkoutRow(made.checkout)).is_paid).toBe(true);
    expect(await hasGold(made.person)).toBe(true);
  });

  test.each(["paypal", "mercadopago"])(
    "cancels at %s what the owner of a deleted account approved, before it is charged again",
    async (method) => {
      const made = await begun("monthly", method);
      const paid = method === "paypal";
      if (!paid) mercadopago.injectFault(/^PUT/, "receiving", { status: 500, body: {} }, 1000);
      await deleteAccount(made.person);
      const left = () =>
        app.sql("select psychologist_id, payer_email, approval_url from checkouts where id = $1", [made.checkout]);
      expect(await left()).toEqual([{ psychologist_id: null, payer_email: null, approval_url: null }]);
      await sweep(10 * MINUTE);
      expect(await left()).toHaveLength(1);
      // The payment page of a month never expires there, so its end is also sent before an approval.
      if (!paid) expect(mercadopago.calls).toContain(`PUT /preapproval/${made.external}`);
      if (paid) await paypal.approve(made.external);
      else await mercadopago.authorize(made.external);
      mercadopago.clearFaults();
      await sweep(HOUR);
      if (paid) expect(paypal.subscriptions.get(made.external)!.status).toBe("CANCELLED");
      else expect(mercadopago.preapprovals.get(made.external)!.status).toBe("cancelled");
      // An ended checkout is read a last time, then deleted if it has no payment.
      expect(await left()).toHaveLength(1);
      await sweep(DAY);
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
    const { person, external } = await begun("monthly", "mercadopago");
    await mercadopago.authorize(external);
    await sweep(5 * MINUTE);
    await mercadopago.pause(external);
    await sweep(DAY);
    const { id, cancelled_at, ended_by } = (await row(person))!;
    expect(ended_by).toBe("provider");
    await deleteAccount(person);
    await sweep(3 * HOUR);
    expect(mercadopago.preapprovals.get(external)!.status).toBe("cancelled");
    expect(await app.sql("select ended_by, cancelled_at from subscriptions where id = $1", [id])).toEqual([
      { ended_by: "person", cancelled_at },
    ]);
  });

  test("reads a checkout of 12 h again after 2 h if the provider responds 404", async () => {
    const made = await begun("monthly", "paypal");
    paypal.subscriptions.delete(made.external);
    await sweep(12 * HOUR);
    const due_at = new Date(clock!.getTime() + 2 * HOUR);
    expect(await checkoutRow(made.checkout)).toMatchObject({ state: "pending", due_at });
  });

  test("looks up an unknown payment once if its event waited for 23 h", async () => {
    const received_at = new Date(clock!.getTime() - 23 * HOUR);
    await app.sql(
      "insert into webhook_events (provider, event_id, resource_type, resource_id, received_at) values ('mercadopago', 'waiting', 'payment', '999', $1)",
      [received_at],
    );
    const before = mercadopago.calls.length;
    await sweep();
    await sweep(MINUTE);
    expect(mercadopago.calls.slice(before)).toEqual(["GET /v1/payments/999"]);
    // Another event reports the payment of an invoice.
    await app.sql("update webhook_events set resource_type = 'invoice', due_at = null");
    await sweep(DAY);
    expect(await app.sql("select from payment_problems")).toEqual([]);
    expect(await app.sql("select from webhook_events where done_at is null")).toEqual([]);
  });

  test.each([
    ["refuses", { status: 403, body: { name: "NOT_AUTHORIZED" } }, 1 / 24, 1],
    ["shows unreadably", { status: 200, body: { id: 5 } }, 13, 10],
  ])("reports a webhook event whose subject PayPal %s", async (_how, answer, first, more) => {
    const made = await begun("lifetime", "paypal");
    await paypal.approve(made.external);
    await sweep(5 * MINUTE);
    const [opened] = await paypal.dispute(paypal.subscriptions.get(made.external)!.sales[0]!.id);
    paypal.injectFault(/GET .*disputes/, "receiving", answer, 1000);
    await deliver([opened!]);
    await sweep(first * DAY);
    const reported = () => app.sql("select kind, external_id from payment_problems where settled_at is null");
    expect(await reported()).toEqual([]);
    await sweep(more * DAY);
    expect(await reported()).toEqual([{ kind: "unmatched", external_id: opened!.resource.dispute_id }]);
    const before = paypal.calls.length;
    await sweep(DAY);
    expect(paypal.calls.slice(before).filter((call) => call.includes("disputes"))).toEqual([]);
  });

  test.each(["paypal", "mercadopago"])(
    "shows a membership as ending that %s answers with 404, without a problem that it is unreadable",
    async (method) => {
      const made = await begun("monthly", method);
      await pay("monthly", method, made.external);
      await sweep(5 * MINUTE);
      await app.sql(
        "insert into payment_problems (kind, provider, external_id, checkout_id, created_at) values ('unreadable', $1, $2, $3, now())",
        [method, made.external, made.checkout],
      );
      (method === "paypal" ? paypal.subscriptions : mercadopago.preapprovals).delete(made.external);
      await sweep(DAY);
      const { body } = await app.call("GET", "/memberships", undefined, made.person);
      expect(body).toMatchObject([{ membership_status: "ending", in_force: true, can: { cancel: false } }]);
      expect(await openProblems()).toEqual([]);
    },
  );

  test.each(["paypal", "mercadopago"] as const)(
    "finds a refund 174 days after the payment without its event at %s",
    async (method) => {
      const { person, external } = await member("monthly", method);
      const first = (await payments(person))[0]!.external_payment_id;
      for (let month = 1; month <= 5; month++) {
        advanceClock(30 * DAY);
        await deliver(
          method === "paypal" ? await paypal.renew(external) : (await mercadopago.charge(external)).webhooks,
        );
      }
      await sweep(24 * DAY);
      await (method === "paypal" ? paypal.refund(first) : mercadopago.refund(first));
      paypal.events.length = 0;
      await sweep(DAY);
      expect((await payments(person))[0]).toMatchObject({ external_payment_id: first, status: "refunded" });
    },
  );

  test("reads a renewal with three notices of MercadoPago in at most 6 calls", async () => {
    const made = await begun("monthly", "mercadopago");
    await pay("monthly", "mercadopago", made.external);
    await sweep(5 * MINUTE);
    await sweep(30 * DAY);
    const { webhooks } = await mercadopago.charge(made.external);
    const notices = [...webhooks, mercadopago.webhook("subscription_preapproval", made.external)];
    expect(notices.length).toBeGreaterThanOrEqual(3);
    const before = mercadopago.calls.length;
    for (const one of notices) expect(await mercadopago.send(one)).toBe(200);
    await sweep();
    expect(await payments(made.person)).toHaveLength(2);
    expect(mercadopago.calls.length - before).toBeLessThanOrEqual(6);
    const [newest, oldest] = await paymentsOf(app.context.db, made.person.id);
    expect(newest!.paid_at > oldest!.paid_at).toBe(true);
    const changed = "select details -> 'after' as after from audit_log where target_id = $1 and action = $2";
    const after = { status: "active", date: (await row(made.person))!.next_billing_date!.toISOString() };
    expect(await app.sql(changed, [newest!.subscription_id, "membership_date_changed"])).toEqual([{ after }]);
  });

  test("reads the longest due checkout first", async () => {
    const [late, early] = [await begun("lifetime", "paypal"), await begun("lifetime", "paypal")];
    advanceClock(5 * MINUTE);
    await app.sql("update checkouts set due_at = due_at - interval '1 minute' where id = $1", [early.checkout]);
    const before = paypal.calls.length;
    await sweep();
    const read = paypal.calls.slice(before).filter((call) => call.startsWith("GET /v1/billing"));
    expect(read.map((call) => call.split("/").at(-1))).toEqual([early.external, late.external]);
  });

  test("retries an event without a known target, and reports one that has none after a day", async () => {
    const made = await begun("lifetime", "paypal");
    await paypal.approve(made.external);
    const lost = paypal.event("PAYMENT.SALE.COMPLETED", { id: "SALE-LATER" });
    const never = paypal.event("PAYMENT.SALE.COMPLETED", { id: "SALE-OF-NOBODY" });
    await deliver([lost, never]);
    // The sale appears a little later than its webhook event.
    const real = paypal.subscriptions.get(made.external)!.sales[0]!;
    paypal.sales.set("SALE-LATER", { ...real, id: "SALE-LATER" });
    await sweep(2 * MINUTE);
    expect(await hasGold(made.person)).toBe(true);
    const open = () => app.sql("select event_id from webhook_events where done_at is null");
    expect(await open()).toEqual([{ event_id: never.id }]);
    await sweep(DAY);
    expect(await open()).toEqual([]);
    const { body } = await app.call("GET", "/admin/payments", undefined, admin);
    expect(body.problems).toMatchObject([{ kind: "unmatched", external_id: "SALE-OF-NOBODY", psychologist: null }]);
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

test("closes a payment page that never expires after 30 days without a payment", async () => {
  const made = await begun("monthly", "mercadopago");
  const paid = await begun("monthly", "mercadopago");
  advanceClock(30 * DAY + HOUR);
  await mercadopago.authorize(paid.external);
  await mercadopago.charge(paid.external);
  await sweep();
  expect(mercadopago.preapprovals.get(made.external)!.status).toBe("cancelled");
  expect(mercadopago.preapprovals.get(paid.external)!.status).toBe("authorized");
  expect((await checkoutRow(paid.checkout)).is_paid).toBe(true);
  expect(await hasGold(paid.person)).toBe(true);
  // The last reading is a day after its end.
  await sweep(DAY);
  expect(await checkoutRow(made.checkout)).toMatchObject({ state: "cancelled", due_at: null });
});

test("closes a payment page that never expires within a day after another payment gave Gold", async () => {
  const made = await begun("monthly", "mercadopago");
  advanceClock(HOUR);
  const other = await begin(made.person, "monthly", "paypal");
  await deliver(await paypal.approve(other.body.external_id));
  expect(await hasGold(made.person)).toBe(true);
  await sweep(DAY);
  expect(mercadopago.preapprovals.get(made.external)!.status).toBe("cancelled");
  expect(await hasGold(made.person)).toBe(true);
});

describe("a cancellation", () => {
  test.each([
    ["responds 404 and charges name no checkout", { forgetsCancelled: true, inheritsReference: false }],
    ["shows the end", {}],
  ])("finds the last charge, which the search shows an hour later, if MercadoPago %s", async (_what, behavior) => {
    const made = await member("monthly", "mercadopago");
    const before = { forgetsCancelled: false, inheritsReference: true, searchLag: 0 };
    setClock((await row(made.person))!.next_billing_date!);
    Object.assign(mercadopago, { searchLag: HOUR, ...behavior });
    try {
      await mercadopago.charge(made.external);
      advanceClock(10 * MINUTE);
      await deliver(await mercadopago.cancel(made.external));
      expect(await row(made.person)).toMatchObject({ ended_by: "provider" });
      await sweep(DAY);
      expect(await payments(made.person)).toHaveLength(2);
      expect(await hasGold(made.person)).toBe(true);
      for (const days of [40, 1]) await sweep(days * DAY);
      expect(await row(made.person)).toMatchObject({ ended_by: "provider", due_at: null });
    } finally {
      Object.assign(mercadopago, before);
    }
  });

  test.each([
    ["shows a payment without a date", /transactions/, { status: 200, body: { transactions: [{ id: "STRANGE" }] } }],
    ["responds 500", /^GET \/v1\/billing/, { status: 500, body: {} }],
  ])("goes out although readings fail for a day: PayPal %s", async (_what, call, answer) => {
    const made = await member("monthly", "paypal");
    paypal.injectFault(/POST .*cancel/, "receiving", { status: 503, body: {} }, 1);
    expect((await cancel(made.person, made.subscription)).body).toMatchObject({ provider: "waiting" });
    paypal.injectFault(call, "receiving", answer, 1_000_000);
    for (let hours = 0; hours < 2; hours++) await sweep(HOUR);
    expect(paypal.subscriptions.get(made.external)!.status).toBe("ACTIVE");
    await sweep(DAY);
    expect(paypal.subscriptions.get(made.external)!.status).toBe("CANCELLED");
    expect(await row(made.person)).toMatchObject({ status: "cancelled", end_confirmed_at: expect.any(Date) });
  });

  test("becomes a problem after an hour in which MercadoPago refuses our credentials for another checkout", async () => {
    const made = await member("monthly", "mercadopago");
    const other = await begun("lifetime", "mercadopago");
    mercadopago.injectFault(/./, "receiving", { status: 401, body: {} }, 1_000_000);
    await sweep(DAY);
    await cancel(made.person, made.subscription);
    for (let tens = 0; tens < 6; tens++) {
      // It is read before the pause, the cancelled checkout is due in the pause.
      await app.sql("update checkouts set due_at = due_at - interval '1 minute' where id = $1", [other.checkout]);
      await sweep(10 * MINUTE);
    }
    expect(await problems(made.person)).toEqual(["cancellation_unconfirmed"]);
  });

  test("becomes a problem after an hour without a confirmation, until a reading or another try confirms it", async () => {
    const [read, again] = [await member("monthly", "mercadopago"), await member("monthly", "mercadopago")];
    mercadopago.injectFault(/^PUT \/preapproval/, "receiving", { status: 409, body: {} }, 1_000_000);
    for (const made of [read, again]) await cancel(made.person, made.subscription);
    await sweep(59 * MINUTE);
    expect(await problems(read.person)).toEqual([]);
    // The hour is over although one of them cannot be read, either.
    mercadopago.injectFault(new RegExp(`^GET /preapproval/${again.external}`), "receiving", { status: 400 }, 1_000);
    await sweep(DAY);
    expect(await problems(read.person)).toEqual(["cancellation_unconfirmed"]);
    expect(await problems(again.person)).toEqual(["cancellation_unconfirmed"]);
    await deliver(await mercadopago.cancel(read.external));
    expect(await row(read.person)).toMatchObject({ end_confirmed_at: expect.any(Date) });
    const confirmed = "select from audit_log where target_id = $1 and action = 'cancellation_confirmed'";
    expect(await app.sql(confirmed, [read.subscription])).toHaveLength(1);
    mercadopago.clearFaults();
    await sweep(DAY);
    for (const made of [read, again]) expect(await problems(made.person)).toEqual([]);
    expect(mercadopago.preapprovals.get(again.external)!.status).toBe("cancelled");
  });
});
