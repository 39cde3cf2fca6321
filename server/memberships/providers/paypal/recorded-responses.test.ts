import { afterEach, describe, expect, test } from "vitest";
import {
  advanceClock,
  app,
  begun,
  cancel,
  context,
  DAY,
  deliver,
  hasGold,
  lastSale,
  member,
  membershipRows,
  payments,
  paypal,
  problems,
} from "#test/payment-app.ts";
import { withSweeps } from "#test/payment-sweeps.ts";
import { readCheckout } from "../../reading/checkout.ts";

// Behaviour of PayPal that others measured and its documentation does not describe.

withSweeps();
afterEach(() => {
  Object.assign(paypal, { refundLines: false, forgetsCancelled: false });
});

test("a subscription is created with a request id of at most 38 characters", async () => {
  const made = await begun("monthly", "paypal");
  const [request] = paypal.requests.filter(({ path }) => path === "/v1/billing/subscriptions").slice(-1);
  expect(request!.headers["paypal-request-id"]).toBe(made.checkout);
  const longer = await fetch(`${paypal.url}/v1/billing/subscriptions`, {
    method: "POST",
    headers: { ...request!.headers, "paypal-request-id": "x".repeat(39) } as unknown as Record<string, string>,
    body: request!.body,
  });
  expect(longer.status).toBe(400);
});

describe("a refund with a separate line in the list of payments", () => {
  test.each([["with its webhook event"], ["without any webhook event"]])("ends lifetime, %s", async (how) => {
    paypal.refundLines = true;
    const made = await member("lifetime", "paypal");
    advanceClock(DAY);
    const events = await paypal.refund(lastSale(made.external));
    if (how.startsWith("with its")) await deliver(events);
    else await readCheckout(context, made.checkout);
    expect(await hasGold(made.person)).toBe(false);
    expect(await payments(made.person)).toMatchObject([{ status: "refunded", amount: 4999 }]);
  });

  test.each([["by its webhook event"], ["without any"]])(
    "finds the refund of a two-year-old payment %s",
    async (how) => {
      const made = await member("lifetime", "paypal");
      for (let week = 0; week < 104; week += 26) {
        advanceClock(26 * 7 * DAY);
        await readCheckout(context, made.checkout);
      }
      paypal.refundLines = true;
      const events = await paypal.refund(lastSale(made.external));
      if (how.startsWith("by its")) await deliver(events);
      else await readCheckout(context, made.checkout);
      expect(await hasGold(made.person)).toBe(false);
    },
  );

  test("counts no refund for a refused charge", async () => {
    paypal.refundLines = true;
    const made = await member("monthly", "paypal");
    await paypal.refund(lastSale(made.external), 100);
    await paypal.failPayment(made.external);
    await readCheckout(context, made.checkout);
    expect((await payments(made.person)).map(({ status }) => status)).toEqual(["partially_refunded", "failed"]);
  });

  test("keeps Gold after a partial refund, and reports a problem", async () => {
    paypal.refundLines = true;
    const made = await member("monthly", "paypal");
    await deliver(await paypal.refund(lastSale(made.external), 100));
    expect(await hasGold(made.person)).toBe(true);
    expect(await problems(made.person)).toEqual(["partial_refund"]);
  });
});

test("a cancelled subscription that PayPal no longer knows counts as cancelled", async () => {
  const made = await member("monthly", "paypal");
  paypal.forgetsCancelled = true;
  await paypal.cancel(made.external);
  expect((await cancel(made.person, made.subscription)).body).toMatchObject({ provider: "confirmed" });
  expect((await membershipRows(made.person))[0]!.end_confirmed_at).not.toBeNull();
});

describe("a dispute about a payment of a subscription that PayPal no longer knows", () => {
  test("tells of a payment that no reading has shown, which gives Gold", async () => {
    const made = await begun("lifetime", "paypal");
    await paypal.approve(made.external);
    paypal.forgetsCancelled = true;
    await paypal.cancel(made.external);
    await deliver(await paypal.dispute(lastSale(made.external)));
    expect(await problems(made.person)).toEqual(["dispute"]);
    expect(await hasGold(made.person)).toBe(true);
  });

  test("tells of a refund whose event was lost", async () => {
    const made = await member("monthly", "paypal");
    paypal.forgetsCancelled = true;
    await paypal.cancel(made.external);
    advanceClock(60 * DAY);
    await paypal.refund(lastSale(made.external), 100);
    await deliver(await paypal.dispute(lastSale(made.external)));
    expect(await problems(made.person)).toEqual(["dispute", "partial_refund"]);
    expect(await payments(made.person)).toMatchObject([{ status: "partially_refunded" }]);
  });
});

test("a reading makes no more calls after two years than after one month", async () => {
  const made = await member("monthly", "paypal");
  const calls = async () => {
    const before = paypal.calls.length;
    await readCheckout(context, made.checkout);
    return paypal.calls.slice(before).filter((call) => !call.endsWith("/oauth2/token"));
  };
  const young = await calls();
  for (let month = 0; month < 24; month++) {
    advanceClock(30 * DAY);
    await paypal.renew(made.external);
    await calls();
  }
  expect(await calls()).toEqual(young);
  expect(young).toHaveLength(2);
  const [request] = paypal.requests.filter(({ path }) => path.endsWith("/transactions")).slice(-1);
  const since = new Date(request!.query.get("start_time")!);
  expect(since.getTime()).toBeGreaterThan(Date.parse("2029-01-01"));
});

describe("what is not as offered", () => {
  test.each([
    ["altered terms", { plan_overridden: true }],
    ["two of it", { quantity: "2" }],
    ["another person", { custom_id: "11111111-1111-4111-8111-111111111111" }],
  ])("%s: it ends at PayPal, and gives no Gold", async (_what, change) => {
    const made = await begun("monthly", "paypal");
    Object.assign(paypal.subscriptions.get(made.external)!, change);
    await deliver(await paypal.approve(made.external));
    const [row] = await membershipRows(made.person);
    expect(row).toMatchObject({ status: "cancelled", ended_by: "mismatch" });
    expect(row!.end_wanted_at).not.toBeNull();
    expect(
      (await app.call("POST", "/cancel-payment-subscription", { subscriptionId: made.external }, made.person)).body,
    ).toEqual({ provider: "confirmed" });
    expect(paypal.subscriptions.get(made.external)!.status).toBe("CANCELLED");
    expect(await hasGold(made.person)).toBe(false);
    expect(await payments(made.person)).toHaveLength(1);
  });
});
