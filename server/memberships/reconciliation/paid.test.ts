import { describe, expect, test } from "vitest";
import {
  admin,
  app,
  type Begun,
  begun,
  deliver,
  hasGold,
  KINDS,
  lastPayment,
  lastSale,
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
  resume,
  withPayments,
  work,
} from "#test/payment-app.ts";

withPayments();

describe.each(KINDS)("%s at %s", (plan, method) => {
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

  test("the webhook event arrives before the browser returns", async () => {
    const made = await begun(plan, method);
    await deliver(await pay(plan, method, made.external));
    const row = await check(made);
    expect((await reconcile(made.person, made.checkout)).body.status).toBe("paid");
    expect(await check(made)).toEqual({ ...row, read_at: expect.any(Date), due_at: expect.any(Date) });
  });

  test("the browser returns before the webhook event arrives", async () => {
    const made = await begun(plan, method);
    const events = await pay(plan, method, made.external);
    expect((await reconcile(made.person, made.checkout)).body.status).toBe("paid");
    await check(made);
    await deliver(events);
    await check(made);
  });

  test("both arrive at the same time, ten times each", async () => {
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
    await check(made);
  });

  test("webhook events arrive in reverse order, and twice", async () => {
    const made = await begun(plan, method);
    const events = (await pay(plan, method, made.external)).toReversed();
    await deliver([...events, ...events]);
    await check(made);
  });

  test("the provider fails while it is read, and is read again later: its webhook events are accepted once", async () => {
    const made = await begun(plan, method);
    const events = await pay(plan, method, made.external);
    const fake = method === "paypal" ? paypal : mercadopago;
    for (const what of ["cut", { status: 500, body: {} }, { status: 429, body: {} }] as const) {
      fake.injectFault(/^GET (?!.*certs)/, "receiving", what, 1000);
      await deliver(events);
      expect(logged()).toContain("reading_failed");
      expect((await reconcile(made.person, made.checkout)).body.status).toBe("open");
      expect(await membershipRows(made.person)).toEqual([]);
      fake.clearFaults();
      await resume();
    }
    await app.sql("update checkouts set due_at = now() where id = $1", [made.checkout]);
    await work();
    await check(made);
  });

  test("grants Gold for a payment a day after the popup was closed", async () => {
    const made = await begun(plan, method);
    await app.sql("update checkouts set created_at = created_at - interval '25 hours' where id = $1", [made.checkout]);
    const { body } = await app.call("GET", `/checkouts/${made.checkout}`, undefined, made.person);
    expect(body.status).toBe("expired");
    await deliver(await pay(plan, method, made.external));
    await check(made);
  });

  test("grants nothing for less than the price or another currency, and reports a problem", async () => {
    const fake = method === "paypal" ? paypal : mercadopago;
    for (const [chargeOverride, reason] of [
      [{ cents: 1 }, "amount"],
      [{ currency: method === "paypal" ? "ARS" : "USD" }, "currency"],
    ] as const) {
      fake.chargeOverride = chargeOverride;
      const made = await begun(plan, method);
      const events = await pay(plan, method, made.external);
      await reconcile(made.person, made.checkout);
      await deliver(events);
      // An approval at MercadoPago gives provisional access until the first charge, which then does not match.
      const [row, ...more] = await membershipRows(made.person);
      expect(more).toEqual([]);
      if (plan === "lifetime" || method === "paypal")
        expect(row).toMatchObject({ status: "cancelled", ended_by: "mismatch" });
      if (plan === "lifetime" || method === "paypal") expect(await hasGold(made.person)).toBe(false);
      // A subscription that charges each month is ended at its provider.
      if (plan === "monthly") expect(row!.end_wanted_at).not.toBeNull();
      expect(await problems(made.person)).toEqual([`mismatch:${reason}`]);
      const { body } = await app.call("GET", "/admin/payments", undefined, admin);
      expect(body.problems).toContainEqual({
        id: expect.any(String),
        kind: "mismatch",
        provider: method,
        external_id: expect.any(String),
        reason,
        payment: reason === "amount" ? expect.objectContaining({ amount: 1, refunded_amount: 0 }) : null,
        psychologist: { id: made.person.id, full_name: made.person.full_name, email: made.person.email },
        can: expect.any(Object),
        created_at: expect.any(String),
        version: expect.any(String),
      });
    }
  });

  test("refunded in full ends Gold at once, and its place in the promotion is free again", async () => {
    const placesLeft = async () => (await app.call("GET", "/plans", undefined, await psychologist())).body.promotion;
    // Other tests sell more lifetime plans than the promotion has places.
    await app.sql("update subscriptions set plan_type = 'monthly' where plan_type = 'lifetime' and status = 'active'");
    const before = await placesLeft();
    const made = await member(plan, method);
    if (plan === "lifetime") expect(await placesLeft()).not.toEqual(before);
    await deliver(
      method === "paypal"
        ? await paypal.refund(lastSale(made.external))
        : await mercadopago.refund(lastPayment(made.external)),
    );
    expect(await hasGold(made.person)).toBe(false);
    expect(await placesLeft()).toEqual(before);
    expect((await membershipRows(made.person))[0]).toMatchObject({ status: "cancelled", ended_by: "refund" });
    expect((await payments(made.person))[0]).toMatchObject({ status: "refunded", refunded_amount: expect.any(Number) });
    const { body } = await app.call("GET", "/memberships", undefined, made.person);
    expect(body[0]).toMatchObject({
      membership_status: "revoked",
      in_force: false,
      payments: [{ status: "refunded" }],
    });
  });

  test("refunded in part keeps Gold, and the administrator sees it", async () => {
    const made = await member(plan, method);
    await deliver(
      method === "paypal"
        ? await paypal.refund(lastSale(made.external), 100)
        : await mercadopago.refund(lastPayment(made.external), 100),
    );
    expect(await hasGold(made.person)).toBe(true);
    expect((await payments(made.person))[0]).toMatchObject({ status: "partially_refunded" });
    expect(await problems(made.person)).toEqual(["partial_refund"]);
  });

  test("reversed by the bank ends Gold at once", async () => {
    const made = await member(plan, method);
    await deliver(
      method === "paypal"
        ? await paypal.reverse(lastSale(made.external))
        : await mercadopago.chargeBack(lastPayment(made.external)),
    );
    expect(await hasGold(made.person)).toBe(false);
    expect((await membershipRows(made.person))[0]).toMatchObject({ ended_by: "refund" });
    expect(await problems(made.person)).toEqual(["chargeback"]);
  });

  test("disputed keeps Gold while the dispute is open, and the administrator sees it", async () => {
    const made = await member(plan, method);
    if (method === "paypal") {
      const [opened] = await paypal.dispute(lastSale(made.external));
      await deliver([opened!]);
      expect(await problems(made.person)).toEqual(["dispute"]);
      expect(await hasGold(made.person)).toBe(true);
      await deliver(await paypal.resolve(opened!.resource.dispute_id as string, "SELLER"));
      expect(await problems(made.person)).toEqual([]);
      const [again] = await paypal.dispute(lastSale(made.external));
      await deliver([again!, ...(await paypal.resolve(again!.resource.dispute_id as string, "BUYER"))]);
    } else {
      const payment = lastPayment(made.external);
      await deliver(await mercadopago.mediate(payment));
      expect(await problems(made.person)).toEqual(["dispute"]);
      expect(await hasGold(made.person)).toBe(true);
      await deliver(await mercadopago.approve(payment));
      expect(await problems(made.person)).toEqual([]);
      await deliver(await mercadopago.chargeBack(payment));
    }
    expect(await hasGold(made.person)).toBe(false);
  });
});
