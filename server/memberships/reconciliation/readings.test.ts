import { describe, expect, test } from "vitest";
import { SECOND } from "#shared/time.ts";
import { withRowsLocked } from "#test/locks.ts";
import {
  advanceClock,
  app,
  type Begun,
  begin,
  begun,
  context,
  deliver,
  hasGold,
  lastSale,
  logged,
  member,
  membershipRows,
  pay,
  payments,
  paypal,
  problems,
  psychologist,
  receipts,
  reconcile,
  send,
  setClock,
  withPayments,
  work,
} from "#test/payment-app.ts";
import type { MailJob } from "../../mail/queues.ts";
import { membershipMails } from "../mails.ts";
import { readCheckout } from "../reading/checkout.ts";

withPayments();

describe("two readings of one provider subscription", () => {
  /** The seller accepts a dispute, while the payment itself still shows as paid. Returns the webhook event. */
  async function lostDispute(external: string) {
    const [opened] = await paypal.dispute(lastSale(external));
    const [decided] = await paypal.resolve(opened!.resource.dispute_id as string, "BUYER", "ACCEPTED");
    return decided!;
  }

  test("the dispute about a payment is recorded although another reading supersedes it", async () => {
    const made = await member("monthly");
    const decided = await lostDispute(made.external);
    // The other one begins later, and ends first.
    paypal.injectFault(
      /GET .*transactions/,
      "receiving",
      async () => void (await reconcile(made.person, made.checkout)),
    );
    await deliver([decided]);
    expect(await payments(made.person)).toMatchObject([{ status: "completed", dispute: "lost" }]);
    expect((await membershipRows(made.person))[0]).toMatchObject({ status: "cancelled", ended_by: "refund" });
    expect(await hasGold(made.person)).toBe(false);
    const { body } = await app.call("GET", "/memberships", undefined, made.person);
    expect(body[0].payments).toMatchObject([{ status: "reversed" }]);
  });

  test("an event that arrives during a reading makes the checkout due again", async () => {
    const made = await member("monthly");
    const due = () => app.sql("select from checkouts where id = $1 and due_at <= now()", [made.checkout]);
    const arrive = async () => {
      await app.sql(
        "insert into webhook_events (provider, event_id, resource_type, resource_id, checkout_id, received_at) values ('paypal', 'LATE', 'subscription', $1, $2, now())",
        [made.external, made.checkout],
      );
    };
    paypal.injectFault(/GET .*transactions/, "answering", arrive);
    await reconcile(made.person, made.checkout);
    expect(await due()).toHaveLength(1);
    await reconcile(made.person, made.checkout);
    expect(await due()).toEqual([]);
  });
});

test("an outage of our own database loses nothing: the provider repeats the webhook event", async () => {
  const made = await begun("lifetime", "paypal");
  const [, event] = await paypal.approve(made.external);
  await app.sql("alter table webhook_events rename to webhook_events_away");
  try {
    expect(await paypal.send(event!)).toBe(500);
  } finally {
    await app.sql("alter table webhook_events_away rename to webhook_events");
  }
  const { send } = app.context.boss;
  app.context.boss.send = async () => {
    throw new Error("a fault");
  };
  try {
    expect(await paypal.send(event!)).toBe(500);
    await work();
    expect(await membershipRows(made.person)).toEqual([]);
  } finally {
    app.context.boss.send = send;
  }
  expect(await paypal.send(event!)).toBe(200);
  await app.sql("update checkouts set due_at = now() where id = $1", [made.checkout]);
  await work();
  expect(await hasGold(made.person)).toBe(true);
});

describe.each([
  ["lifetime", "paypal"],
  ["monthly", "mercadopago"],
] as const)("%s at %s", (plan, method) => {
  const check = async ({ person, checkout }: Begun) => {
    const [row, ...more] = await membershipRows(person);
    expect(more).toEqual([]);
    expect(row).toMatchObject({ status: "active", ended_by: null });
    expect((await payments(person)).map(({ status }) => status)).toEqual(["completed"]);
    expect(await receipts(person)).toHaveLength(1);
    expect(await hasGold(person)).toBe(true);
    const { body } = await app.call("GET", `/checkouts/${checkout}`, undefined, person);
    expect(body.status).toBe("paid");
    return row!;
  };

  test("counts once for ten concurrent webhook events and returns of the browser, and for later repetitions", async () => {
    const made = await begun(plan, method);
    const events = await pay(plan, method, made.external);
    // As providers do after a 503.
    const sendAgain = async (event: (typeof events)[number]): Promise<number> => {
      const status = await send(event);
      return status === 503 ? sendAgain(event) : status;
    };
    const sent = events.flatMap((event) => Array.from({ length: 10 }, () => sendAgain(event)));
    const asked = Array.from({ length: 10 }, () => reconcile(made.person, made.checkout));
    expect(new Set(await Promise.all(sent))).toEqual(new Set([200]));
    expect(new Set((await Promise.all(asked)).map(({ body }) => body.status))).toEqual(new Set(["paid"]));
    await work();
    const row = await check(made);
    await deliver([...events.toReversed(), ...events]);
    expect((await reconcile(made.person, made.checkout)).body.status).toBe("paid");
    expect(await check(made)).toEqual({ ...row, read_at: expect.any(Date), due_at: expect.any(Date) });
  });
});

test("frees the place of a refunded lifetime membership in the promotion", async () => {
  const placesLeft = async () => (await app.call("GET", "/plans", undefined, await psychologist())).body.promotion;
  const before = await placesLeft();
  const { external } = await member("lifetime", "paypal");
  expect(await placesLeft()).not.toEqual(before);
  await deliver(await paypal.refund(lastSale(external)));
  expect(await placesLeft()).toEqual(before);
});

describe("one payment counts once", () => {
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
    const jobs = (await receipts(made.person)).map(({ data }) => data as MailJob & { kind: "membership_receipt" });
    const mails = await Promise.all(jobs.map((job) => membershipMails.membership_receipt(app.context, job)));
    const texts = mails.flatMap((mail) => mail!.content.paragraphs).join("\n");
    expect(texts.match(/ha sido activada|se ha renovado/g)!.sort()).toEqual(["ha sido activada", "se ha renovado"]);
  });

  test("two subscriptions of one person paid at the same time: one gives Gold, the other is cancelled at its provider", async () => {
    const person = await psychologist();
    const one = await begin(person, "monthly", "paypal");
    const two = await begin(person, "monthly", "paypal");
    for (const { body } of [one, two]) await paypal.approve(body.external_id);
    const read = (made: typeof one) => () => readCheckout(context, made.body.id);
    const lock = "select from psychologist_profiles where id = $1 for update";
    await withRowsLocked(app, lock, [person.id], [read(one), read(two)]);
    const made = await membershipRows(person);
    expect(made.map(({ status }) => status).sort()).toEqual(["active", "cancelled"]);
    const twice = made.find(({ status }) => status === "cancelled")!;
    expect(twice).toMatchObject({ ended_by: "duplicate_payment", end_wanted_at: expect.any(Date) });
    expect(await payments(person)).toHaveLength(2);
    expect(await receipts(person)).toHaveLength(1);
    expect(await problems(person)).toEqual(["duplicate_payment"]);
    expect(logged()).toContain("payment_problem");
    expect(paypal.subscriptions.get(twice.external_subscription_id)!.status).toBe("CANCELLED");
  });
});
