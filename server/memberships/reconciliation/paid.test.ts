import { describe, expect, test } from "vitest";
import {
  admin,
  app,
  type Begun,
  begun,
  deliver,
  hasGold,
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

  test("counts a payment a day after the checkout began whose events arrive in an outage", async () => {
    const made = await begun(plan, method);
    await app.sql("update checkouts set created_at = created_at - interval '25 hours' where id = $1", [made.checkout]);
    const { body } = await app.call("GET", `/checkouts/${made.checkout}`, undefined, made.person);
    expect(body.status).toBe("expired");
    const fake = method === "paypal" ? paypal : mercadopago;
    fake.injectFault(/^GET (?!.*certs)/, "receiving", { status: 500, body: {} }, 1000);
    await deliver(await pay(plan, method, made.external));
    expect(logged()).toContain("reading_failed");
    expect(await membershipRows(made.person)).toEqual([]);
    fake.clearFaults();
    await resume();
    await app.sql("update checkouts set due_at = now() where id = $1", [made.checkout]);
    await work();
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
      await deliver(await pay(plan, method, made.external));
      // An approval at MercadoPago gives provisional access until the first charge, which then does not match.
      const [row, ...more] = await membershipRows(made.person);
      expect(more).toEqual([]);
      if (method === "paypal") expect(row).toMatchObject({ status: "cancelled", ended_by: "mismatch" });
      if (method === "paypal") expect(await hasGold(made.person)).toBe(false);
      // A subscription that charges each month is ended at its provider.
      else expect(row!.end_wanted_at).not.toBeNull();
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

  test("a partial refund and an open dispute keep Gold and are problems; a reversal ends Gold at once", async () => {
    const made = await member(plan, method);
    const sale = method === "paypal" ? lastSale(made.external) : lastPayment(made.external);
    const shown = async () => [await hasGold(made.person), ...(await problems(made.person))];
    await deliver(method === "paypal" ? await paypal.refund(sale, 100) : await mercadopago.refund(sale, 100));
    expect((await payments(made.person))[0]).toMatchObject({ status: "partially_refunded" });
    expect(await shown()).toEqual([true, "partial_refund"]);
    const opened = method === "paypal" ? await paypal.dispute(sale) : await mercadopago.mediate(sale);
    await deliver(opened);
    expect(await shown()).toEqual(expect.arrayContaining([true, "dispute"]));
    await deliver(
      "event_type" in opened[0]!
        ? await paypal.resolve(opened[0].resource.dispute_id as string, "SELLER")
        : await mercadopago.approve(sale),
    );
    expect(await shown()).toEqual([true, "partial_refund"]);
    await deliver(method === "paypal" ? await paypal.reverse(sale) : await mercadopago.chargeBack(sale));
    expect(await shown()).toEqual([false, "chargeback"]);
    expect((await membershipRows(made.person))[0]).toMatchObject({ ended_by: "refund" });
  });
});
