import { describe, expect, test } from "vitest";
import {
  app,
  begun,
  deliver,
  hasGold,
  lastSale,
  member,
  membershipRows,
  payments,
  paypal,
  reconcile,
  withPayments,
  work,
} from "#test/payment-app.ts";

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
    expect(await paypal.send(event!)).toEqual([500]);
  } finally {
    await app.sql("alter table webhook_events_away rename to webhook_events");
  }
  const { send } = app.context.boss;
  app.context.boss.send = async () => {
    throw new Error("a fault");
  };
  try {
    expect(await paypal.send(event!)).toEqual([500]);
    await work();
    expect(await membershipRows(made.person)).toEqual([]);
  } finally {
    app.context.boss.send = send;
  }
  expect(await paypal.send(event!)).toEqual([200]);
  await app.sql("update checkouts set due_at = now() where id = $1", [made.checkout]);
  await work();
  expect(await hasGold(made.person)).toBe(true);
});
