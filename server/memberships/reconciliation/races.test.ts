import { describe, expect, test } from "vitest";
import { FULL_RUN } from "#test/full-run.ts";
import {
  advanceClock,
  app,
  begin,
  begun,
  context,
  DAY,
  deliver,
  HOUR,
  logged,
  member,
  membershipRows,
  mercadopago,
  pay,
  payments,
  paypal,
  problems,
  psychologist,
  receipts,
  reconcile,
  SECOND,
  setClock,
  withPayments,
  work,
} from "#test/payment-app.ts";
import { readCheckout } from "../reading/checkout.ts";

withPayments({ workers: true });

/** How many payments are confirmed by browser and webhook event at the same time. */
const TIMES = FULL_RUN ? 50 : 4;

describe("one payment counts once", () => {
  test.each(["paypal", "mercadopago"] as const)(
    "30 identical webhook events of a renewal at %s at the same time extend once",
    async (method) => {
      const start = new Date("2027-03-10T09:00:00.000Z");
      setClock(start);
      const made = await member("monthly", method);
      const before = (await membershipRows(made.person))[0]!.next_billing_date!;
      setClock(new Date(before.getTime() + HOUR));
      const events =
        method === "paypal" ? await paypal.renew(made.external) : (await mercadopago.charge(made.external)).webhooks;
      const statuses = await Promise.all(
        events.map((event) =>
          "event_type" in event
            ? paypal.send(event, { times: 30, parallel: true })
            : mercadopago.send(event, { times: 30, parallel: true }),
        ),
      );
      expect(new Set(statuses.flat())).toEqual(new Set([200]));
      await work();
      // One reading takes at most 50 events.
      expect(await app.sql("select event_id from webhook_events where done_at is null")).toEqual([]);
      expect(await payments(made.person)).toHaveLength(2);
      expect(await receipts(made.person)).toHaveLength(2);
      const after = (await membershipRows(made.person))[0]!.next_billing_date!;
      expect(after.toISOString().slice(0, 10)).toBe("2027-05-10");
    },
  );

  test.runIf(FULL_RUN).each(["paypal", "mercadopago"])(
    "browser and webhook event of %s at the same time, many times: each checkout activates once",
    async (method) => {
      const people = await Promise.all(Array.from({ length: TIMES }, () => begun("lifetime", method)));
      for (const made of people) {
        const events = await pay("lifetime", method, made.external);
        const [read] = await Promise.all([
          reconcile(made.person, made.checkout),
          ...events.map((event) => deliver([event])),
        ]);
        expect(read.body.status).toBe("paid");
      }
      const found = await app.sql<{ n: number; rows: number; paid: number; gold: boolean }>(
        `select count(*)::int as n, sum(s.rows)::int as rows, sum(s.paid)::int as paid, bool_and(p.gold_until = 'infinity') as gold
       from psychologist_profiles p join lateral (select count(*) as rows, (select count(*) from payment_transactions t join subscriptions o on o.id = t.subscription_id where o.psychologist_id = p.id) as paid
         from subscriptions where psychologist_id = p.id and status = 'active') s on true where p.id = any($1)`,
        [people.map(({ person }) => person.id)],
      );
      expect(found).toEqual([{ n: TIMES, rows: TIMES, paid: TIMES, gold: true }]);
      const began = await app.sql(
        "select target_id from audit_log where action = 'membership_began' and target_id in (select id from subscriptions where psychologist_id = any($1))",
        [people.map(({ person }) => person.id)],
      );
      expect(began).toHaveLength(TIMES);
    },
  );

  test.each(["paypal", "mercadopago"] as const)(
    "a slow reading at %s undoes nothing of one that began later",
    async (method) => {
      const start = new Date("2027-06-10T09:00:00.000Z");
      setClock(start);
      const made = await member("monthly", method);
      const due = (await membershipRows(made.person))[0]!.next_billing_date!;
      setClock(new Date(due.getTime() + HOUR));
      const fake = method === "paypal" ? paypal : mercadopago;
      // The answer is ready before the month is charged and its webhook event handled, and arrives after that.
      fake.injectFault(/GET \/(v1\/billing\/subscriptions\/[^/]+|preapproval\/.*)$/, "answering", async () => {
        setClock(new Date(due.getTime() + HOUR + SECOND));
        const subscription = paypal.subscriptions.get(made.external);
        const preapproval = mercadopago.preapprovals.get(made.external);
        const [status_update_time, last_modified] = [subscription?.status_update_time, preapproval?.last_modified];
        const events =
          method === "paypal" ? await paypal.renew(made.external) : (await mercadopago.charge(made.external)).webhooks;
        // A renewal does not change the status, so the provider's clock does not distinguish the two answers.
        if (subscription) Object.assign(subscription, { status_update_time });
        if (preapproval) Object.assign(preapproval, { last_modified });
        await deliver(events);
      });
      await deliver([
        method === "paypal"
          ? paypal.event("BILLING.SUBSCRIPTION.UPDATED", { id: made.external })
          : mercadopago.webhook("subscription_preapproval", made.external),
      ]);
      setClock(new Date(due.getTime() + 2 * HOUR));
      const [row] = await membershipRows(made.person);
      expect(row!.next_billing_date!.getTime()).toBeGreaterThan(due.getTime() + 20 * DAY);
      expect(await payments(made.person)).toHaveLength(2);
    },
  );

  test("sends one receipt for a renewal that two concurrent readings see", async () => {
    const made = await member();
    setClock((await membershipRows(made.person))[0]!.next_billing_date!);
    await paypal.renew(made.external);
    // The second reading begins and ends while the answer to the first one, which has the payment, is on its way.
    paypal.injectFault(/GET .*transactions/, "answering", async () => {
      advanceClock(SECOND);
      await readCheckout(context, made.checkout);
    });
    await readCheckout(context, made.checkout);
    expect(await payments(made.person)).toHaveLength(2);
    expect(await receipts(made.person)).toHaveLength(2);
  });

  test.runIf(FULL_RUN)(
    "three subscriptions of one person paid at the same time: one gives Gold, the others do not",
    async () => {
      const people = await Promise.all(Array.from({ length: FULL_RUN ? 10 : 3 }, psychologist));
      for (const person of people) {
        const ids = (await Promise.all([begin(person), begin(person), begin(person)])).map(
          ({ body }) => body.external_id,
        );
        const events = (await Promise.all(ids.map((id) => paypal.approve(id)))).flat();
        const answers = await Promise.all(events.map((event) => paypal.send(event)));
        expect(new Set(answers.flat())).toEqual(new Set([200]));
        await work();
        expect((await membershipRows(person)).map(({ ended_by }) => ended_by).sort()).toEqual(
          [null, "duplicate_payment", "duplicate_payment"].sort(),
        );
        expect(await payments(person)).toHaveLength(3);
      }
    },
  );

  test("two subscriptions of one person paid at the same time: one gives Gold, the other is cancelled at its provider", async () => {
    const person = await psychologist();
    const one = await begin(person, "monthly", "paypal");
    const two = await begin(person, "monthly", "paypal");
    const events = [...(await paypal.approve(one.body.external_id)), ...(await paypal.approve(two.body.external_id))];
    await Promise.all(events.map((event) => paypal.send(event)));
    await work();
    const made = await membershipRows(person);
    expect(made.map(({ status }) => status).sort()).toEqual(["active", "cancelled"]);
    const twice = made.find(({ status }) => status === "cancelled")!;
    expect(twice).toMatchObject({ ended_by: "duplicate_payment", end_wanted_at: expect.any(Date) });
    expect(await payments(person)).toHaveLength(2);
    expect(await receipts(person)).toHaveLength(1);
    expect(await problems(person)).toEqual(["duplicate_payment"]);
    expect(logged()).toContain("payment_problem");
    await expect.poll(() => paypal.subscriptions.get(twice.external_subscription_id)!.status).toBe("CANCELLED");
  });
});
