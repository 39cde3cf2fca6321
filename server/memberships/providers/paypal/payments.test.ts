import { afterEach, describe, expect, test } from "vitest";
import { DAY } from "#shared/time.ts";
import {
  advanceClock,
  app,
  begun,
  context,
  deliver,
  hasGold,
  lastSale,
  member,
  membershipRows,
  payments,
  paypal,
  problems,
  type Row,
  reconcile,
  setClock,
  withPayments,
} from "#test/payment-app.ts";
import { problemOf, readNow } from "#test/payment-problems.ts";
import { membershipMails } from "../../mails.ts";
import { readCheckout } from "../../reading/checkout.ts";

withPayments();
afterEach(() => {
  Object.assign(paypal, { refundLines: false, forgetsCancelled: false });
});

describe("at PayPal", () => {
  test.each([
    ["another plan of ours", { plan_id: "P-FAKELIFETIME000000000000" }, "plan"],
    ["a plan that is none of ours", { plan_id: "P-ANYTHING" }, "plan"],
    ["two at once", { quantity: "2" }, "altered"],
  ])("a subscription for %s grants nothing, and the administrator sees it", async (_what, change, reason) => {
    const made = await begun("monthly", "paypal");
    paypal.plans["P-ANYTHING"] = { cents: 1, currency: "USD", once: false, name: "Otra cosa" };
    Object.assign(paypal.subscriptions.get(made.external)!, change);
    await paypal.approve(made.external);
    expect((await reconcile(made.person, made.checkout)).body.status).toBe("mismatch");
    expect(await membershipRows(made.person)).toMatchObject([{ status: "cancelled", ended_by: "mismatch" }]);
    // Lifetime charges nothing more; everything else is ended at PayPal.
    const isLifetime = "plan_id" in change && change.plan_id === paypal.environment.PAYPAL_PLAN_LIFETIME;
    expect(paypal.subscriptions.get(made.external)!.status).toBe(isLifetime ? "ACTIVE" : "CANCELLED");
    expect(await hasGold(made.person)).toBe(false);
    expect(await problems(made.person)).toContain(`mismatch:${reason}`);
    expect(await payments(made.person)).toHaveLength(1);
  });

  test("a receipt names the amount that was paid, which may be more than the price", async () => {
    const { person, external } = await begun("monthly", "paypal");
    const plan = paypal.plans[paypal.environment.PAYPAL_PLAN_MONTHLY]!;
    const { cents } = plan;
    plan.cents = 599;
    await deliver(await paypal.approve(external));
    plan.cents = cents;
    const [[membership], [payment]] = [await membershipRows(person), await payments(person)];
    const job = { subscription_id: membership!.id, payment_id: payment!.id };
    const mail = await membershipMails.membership_receipt(app.context, { kind: "membership_receipt", ...job });
    expect(mail!.content.paragraphs).toContain("Importe: 5,99 USD");
  });

  test("a subscription whose creation got no answer is found by the reference that PayPal keeps", async () => {
    const { person, checkout, external } = await begun("monthly", "paypal");
    await app.sql("update checkouts set external_id = null, due_at = null, state = 'failed' where id = $1", [checkout]);
    await deliver(await paypal.approve(external));
    expect(await hasGold(person)).toBe(true);
    expect((await payments(person)).map(({ status }) => status)).toEqual(["completed"]);
  });

  test("a second subscription for the same checkout is a separate one", async () => {
    const { person, checkout, external } = await begun("monthly", "paypal");
    await app.sql("update checkouts set external_id = 'I-FIRST', due_at = null where id = $1", [checkout]);
    await deliver(await paypal.approve(external));
    expect(await membershipRows(person)).toMatchObject([{ status: "active", external_subscription_id: external }]);
  });

  test("a reversal that the payment does not show is reported to the administrator, and Gold stays", async () => {
    const made = await member("monthly", "paypal");
    const sale = lastSale(made.external);
    await deliver([paypal.event("PAYMENT.SALE.REVERSED", { id: sale, state: "completed" })]);
    expect(await hasGold(made.person)).toBe(true);
    await app.sql("update webhook_events set done_at = now()");
    expect((await readNow((await problemOf(made.person)).id)).body).toEqual({ outcome: "open" });
    expect(await problems(made.person)).toEqual(["reversal"]);
  });
});

test("a new PayPal plan in the configuration changes nothing for members of the old one", async () => {
  setClock(new Date("2027-06-01T12:00:00.000Z"));
  const month = await member("monthly");
  const life = await member("lifetime");
  setClock(new Date("2027-07-01T12:00:00.000Z"));
  const { plans } = app.context.config.paypal!;
  const before = { ...plans };
  Object.assign(plans, { monthly: "P-NEWMONTHLY", lifetime: "P-NEWLIFETIME" });
  try {
    const [{ next_billing_date: due }] = (await membershipRows(month.person)) as [Row];
    await deliver(await paypal.renew(month.external));
    expect((await membershipRows(month.person))[0]!.next_billing_date!.getTime()).toBeGreaterThan(due!.getTime());
    expect(await problems(month.person)).toEqual([]);
    await deliver(await paypal.refund(lastSale(life.external)));
    expect(await hasGold(life.person)).toBe(false);
  } finally {
    Object.assign(plans, before);
  }
});

// Behaviour of PayPal that others measured and its documentation does not describe.

describe("a refund with a separate line in the list of payments", () => {
  test("ends lifetime two years after the payment without any webhook event", async () => {
    setClock(new Date("2027-05-10T09:30:00.000Z"));
    const made = await member("lifetime", "paypal");
    for (let half = 0; half < 4; half++) {
      advanceClock(182 * DAY);
      await readCheckout(context, made.checkout);
    }
    paypal.refundLines = true;
    await paypal.refund(lastSale(made.external));
    await readCheckout(context, made.checkout);
    expect(await hasGold(made.person)).toBe(false);
    expect(await payments(made.person)).toMatchObject([{ status: "refunded", amount: 4999 }]);
  });

  test("counts as no refund of a refused charge", async () => {
    paypal.refundLines = true;
    const made = await member("monthly", "paypal");
    await paypal.refund(lastSale(made.external), 100);
    await paypal.failPayment(made.external);
    await readCheckout(context, made.checkout);
    expect((await payments(made.person)).map(({ status }) => status)).toEqual(["partially_refunded", "failed"]);
  });
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
    setClock(new Date(Date.now() + 60 * DAY));
    await paypal.refund(lastSale(made.external), 100);
    await deliver(await paypal.dispute(lastSale(made.external)));
    expect(await problems(made.person)).toEqual(["dispute", "partial_refund"]);
    expect(await payments(made.person)).toMatchObject([{ status: "partially_refunded" }]);
  });
});

test("a reading makes no more calls after eight months than after one", async () => {
  setClock(new Date("2027-05-10T09:30:00.000Z"));
  const made = await member("monthly", "paypal");
  const calls = async () => {
    const before = paypal.calls.length;
    await readCheckout(context, made.checkout);
    return paypal.calls.slice(before).filter((call) => !call.endsWith("/oauth2/token"));
  };
  const young = await calls();
  for (let month = 0; month < 7; month++) {
    advanceClock(30 * DAY);
    await paypal.renew(made.external);
    await calls();
  }
  expect(await calls()).toEqual(young);
  expect(young).toHaveLength(2);
  const [request] = paypal.requests.filter(({ path }) => path.endsWith("/transactions")).slice(-1);
  const since = new Date(request!.query.get("start_time")!);
  expect(since.getTime()).toBeGreaterThan(Date.parse("2027-06-01"));
});
