import { describe, expect, test } from "vitest";
import { DAY, HOUR, MINUTE } from "#shared/time.ts";
import {
  advanceClock,
  app,
  begin,
  begun,
  cancel,
  deliver,
  hasGold,
  member,
  mercadopago,
  payments,
  paypal,
  problems,
  row,
  setClock,
} from "#test/payment-app.ts";
import { checkoutRow, sweep, withSweeps } from "#test/payment-sweeps.ts";

withSweeps();

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
