import { describe, expect, test } from "vitest";
import {
  app,
  type Begun,
  begun,
  deliver,
  hasGold,
  lastSale,
  member,
  membershipRows,
  mercadopago,
  pay,
  payments,
  paypal,
  psychologist,
  receipts,
  reconcile,
  withPayments,
  work,
} from "#test/payment-app.ts";

withPayments();

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
    const sent = events.map((event) =>
      "event_type" in event
        ? paypal.send(event, { times: 10, parallel: true })
        : mercadopago.send(event, { times: 10, parallel: true }),
    );
    const asked = Array.from({ length: 10 }, () => reconcile(made.person, made.checkout));
    expect(new Set((await Promise.all(sent)).flat())).toEqual(new Set([200]));
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
