import { describe, expect, test } from "vitest";
import { SECOND } from "#shared/time.ts";
import { withRowsLocked } from "#test/locks.ts";
import {
  advanceClock,
  app,
  begin,
  context,
  logged,
  member,
  membershipRows,
  payments,
  paypal,
  problems,
  psychologist,
  receipts,
  setClock,
  withPayments,
} from "#test/payment-app.ts";
import { readCheckout } from "../reading/checkout.ts";

withPayments({ workers: true });

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
    const mails = () =>
      app.sql<{ text: string }>("select text from demo_mails where recipient = $1", [made.person.email]);
    await expect.poll(mails).toHaveLength(2);
    const texts = (await mails()).map(({ text }) => text).join("\n");
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
    await expect.poll(() => paypal.subscriptions.get(twice.external_subscription_id)!.status).toBe("CANCELLED");
  });
});
