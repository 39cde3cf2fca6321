import { describe, expect, test } from "vitest";
import {
  app,
  begun,
  DAY,
  deliver,
  hasGold,
  lastSale,
  member,
  membershipRows,
  payments,
  paypal,
  problems,
  psychologist,
  type Row,
  reconcile,
  setClock,
  withPayments,
} from "#test/payment-app.ts";

withPayments();

describe("at PayPal", () => {
  test.each([
    ["another plan of ours", { plan_id: "P-FAKELIFETIME000000000000" }, "plan"],
    ["a plan that is none of ours", { plan_id: "P-ANYTHING" }, "plan"],
    ["an unknown person", { custom_id: "nobody" }, "owner"],
    ["altered terms", { plan_overridden: true }, "altered"],
    ["two at once", { quantity: "2" }, "altered"],
  ])("a subscription for %s grants nothing, and the administrator sees it", async (_what, change, reason) => {
    const made = await begun("monthly", "paypal");
    paypal.plans["P-ANYTHING"] = { cents: 1, currency: "USD", once: false, name: "Otra cosa" };
    Object.assign(paypal.subscriptions.get(made.external)!, change);
    const events = await paypal.approve(made.external);
    expect((await reconcile(made.person, made.checkout)).body.status).toBe("mismatch");
    await deliver(events);
    expect(await membershipRows(made.person)).toMatchObject([{ status: "cancelled", ended_by: "mismatch" }]);
    // Lifetime charges nothing more; everything else is ended at PayPal.
    const isLifetime = "plan_id" in change && change.plan_id === paypal.environment.PAYPAL_PLAN_LIFETIME;
    expect(paypal.subscriptions.get(made.external)!.status).toBe(isLifetime ? "ACTIVE" : "CANCELLED");
    expect(await hasGold(made.person)).toBe(false);
    expect(await problems(made.person)).toContain(`mismatch:${reason}`);
  });

  test("a subscription made for another person gives Gold to neither", async () => {
    const made = await begun("monthly", "paypal");
    const other = await psychologist();
    paypal.subscriptions.get(made.external)!.custom_id = other.id;
    const events = await paypal.approve(made.external);
    expect((await reconcile(other, made.checkout)).body.code).toBe("checkout_not_found");
    await reconcile(made.person, made.checkout);
    await deliver(events);
    expect(await membershipRows(made.person)).toMatchObject([{ status: "cancelled", ended_by: "mismatch" }]);
    expect(await membershipRows(other)).toEqual([]);
    for (const person of [made.person, other]) expect(await hasGold(person)).toBe(false);
    expect(await problems(made.person)).toEqual(["mismatch:owner"]);
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

  test("APPROVAL_PENDING right after the approval leaves the checkout open until ACTIVE follows", async () => {
    paypal.lag = 3;
    const made = await begun("monthly", "paypal");
    const events = await paypal.approve(made.external);
    for (let i = 0; i < 3; i++) {
      expect((await reconcile(made.person, made.checkout)).body.status).toBe("open");
      expect(await hasGold(made.person)).toBe(false);
    }
    await deliver(events);
    expect((await reconcile(made.person, made.checkout)).body.status).toBe("paid");
    expect(await hasGold(made.person)).toBe(true);
  });

  test("EXPIRED and CANCELLED change nothing for lifetime", async () => {
    const made = await member("lifetime", "paypal");
    await deliver(await paypal.expire(made.external));
    await deliver(await paypal.cancel(made.external));
    setClock(new Date(Date.now() + 40 * 365 * DAY));
    expect(await hasGold(made.person)).toBe(true);
    expect((await membershipRows(made.person))[0]).toMatchObject({ status: "active", next_billing_date: null });
  });

  test("amounts are read in every format that PayPal uses", async () => {
    const { decimal } = paypal;
    paypal.decimal = (cents) => String(cents / 100);
    try {
      await member("lifetime", "paypal");
    } finally {
      paypal.decimal = decimal;
    }
  });

  test("a reversal that the payment does not show is reported to the administrator, and Gold stays", async () => {
    const made = await member("monthly", "paypal");
    const sale = lastSale(made.external);
    await deliver([paypal.event("PAYMENT.SALE.REVERSED", { id: sale, state: "completed" })]);
    expect(await hasGold(made.person)).toBe(true);
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
