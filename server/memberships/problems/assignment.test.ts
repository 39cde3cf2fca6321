import { describe, expect, test } from "vitest";
import { DAY } from "#shared/time.ts";
import {
  admin,
  advanceClock,
  app,
  begun,
  cancel,
  deliver,
  hasGold,
  lastSale,
  member,
  membershipRows,
  mercadopago,
  paypal,
  psychologist,
  receipts,
  withPayments,
  work,
} from "#test/payment-app.ts";
import { problemOf, problemWith, reportUnmatched, tie } from "#test/payment-problems.ts";

withPayments({ start: new Date("2027-05-10T09:30:00.000Z") });

/** Creates a paid subscription without a checkout here, whose reference does not name a user. */
async function stray(method = "paypal") {
  const { external } = await begun("monthly", method);
  await app.sql("delete from checkouts where external_id = $1", [external]);
  if (method === "paypal") {
    paypal.subscriptions.get(external)!.custom_id = "someone-of-another-site";
    await paypal.approve(external);
  } else {
    mercadopago.preapprovals.get(external)!.external_reference = "someone-of-another-site";
    await mercadopago.authorize(external);
    await mercadopago.charge(external);
  }
  return { external, problem: await reportUnmatched(method, external) };
}

/** Creates a paid PayPal subscription whose reference names another user than its buyer. */
async function foreign() {
  const made = await begun("monthly", "paypal");
  paypal.subscriptions.get(made.external)!.custom_id = "00000000-0000-4000-8000-000000000001";
  await deliver(await paypal.approve(made.external));
  return { ...made, problem: (await problemOf(made.person)).id };
}

describe("a payment without an owner", () => {
  test.each(["paypal", "mercadopago"])("assigns the payment of %s to a psychologist for good", async (method) => {
    const { external, problem } = await stray(method);
    const person = await psychologist();
    const tied = await tie(problem, person.email);
    expect([tied.status, tied.body]).toEqual([200, { psychologist_id: person.id }]);
    expect(await hasGold(person)).toBe(true);
    const [row] = await membershipRows(person);
    expect(row).toMatchObject({ status: "active", external_subscription_id: external });
    expect(await receipts(person)).toHaveLength(1);
    expect(await problemWith(problem)).toBeUndefined();
    expect(
      await app.sql("select actor_id, details from audit_log where action = 'payment_assigned' and target_id = $1", [
        problem,
      ]),
    ).toMatchObject([{ actor_id: admin.id, details: { psychologist: person.id, external_id: external } }]);
    // The renewal is theirs as well, even though the provider still stores the old reference.
    advanceClock(31 * DAY);
    if (method === "paypal") await deliver(await paypal.renew(external));
    else await deliver((await mercadopago.charge(external)).webhooks);
    expect(await receipts(person)).toHaveLength(2);
    expect(await hasGold(person)).toBe(true);
    expect(
      await app.sql(
        "select kind from payment_problems join checkouts on checkouts.id = checkout_id where checkouts.external_id = $1 and settled_at is null",
        [external],
      ),
    ).toEqual([]);
  });

  test("gives Gold, which its page shows after the assignment", async () => {
    const { problem } = await stray();
    const person = await psychologist();
    const send = (email: string) => app.form(`/admin/pago/${problem}/vincular`, { email }, admin);
    expect((await send("nadie@correo.example")).text).toContain("Ningún psicólogo tiene una cuenta con este correo.");
    const sent = await send(person.email);
    expect(sent.headers.get("location")).toBe(`/admin/psicologo/${person.id}/gold`);
    expect(sent.headers.get("set-cookie")).toContain("notice=payment_assigned");
  });

  test("assigns a payment once for 5 concurrent requests", async () => {
    const { problem } = await stray();
    const person = await psychologist();
    const all = await Promise.all(Array.from({ length: 5 }, () => tie(problem, person.email)));
    expect(all.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
    expect(await membershipRows(person)).toHaveLength(1);
    expect(await receipts(person)).toHaveLength(1);
  });

  test("refuses an unknown, unverified or already paying psychologist", async () => {
    const { problem } = await stray();
    const words = async (email: string) => (await tie(problem, email)).body.fields?.email;
    expect(await words("nadie@correo.example")).toBe("Ningún psicólogo tiene una cuenta con este correo.");
    expect(await words((await app.person()).email)).toBe("Ningún psicólogo tiene una cuenta con este correo.");
    const pending = await app.person({ type: "psychologist", verified: false });
    expect(await words(pending.email)).toMatch(/no está verificada/);
    const paying = await member("monthly", "paypal");
    expect(await words(paying.person.email)).toMatch(/ya tiene una membresía en vigor: devuelve este pago/);
    expect(await membershipRows(paying.person)).toHaveLength(1);
    expect(await problemWith(problem)).toBeDefined();
  });

  test("gives no Gold for a payment that was refunded, is unknown or was cancelled here", async () => {
    const { external, problem } = await stray();
    const person = await psychologist();
    await paypal.refund(lastSale(external));
    expect((await tie(problem, person.email)).body).toEqual({ code: "payment_not_eligible" });
    const nowhere = await reportUnmatched("paypal", "I-ELSEWHERE");
    expect((await tie(nowhere, person.email)).body).toEqual({ code: "payment_not_found" });
    const gone = await begun("monthly", "paypal");
    paypal.subscriptions.delete(gone.external);
    const lost = await reportUnmatched("paypal", gone.external);
    expect((await tie(lost, person.email)).body).toEqual({ code: "payment_not_found" });
    // An end decided here is final.
    const ended = await member("monthly", "paypal");
    await cancel(ended.person, ended.subscription);
    const again = await reportUnmatched("paypal", ended.external);
    expect((await tie(again, ended.person.email)).body).toEqual({ code: "payment_not_eligible" });
    paypal.injectFault(/GET/, "receiving", "cut", 1000);
    expect((await tie(problem, person.email)).body).toEqual({ code: "provider_unreachable" });
  });
});

describe("a payment that names another person", () => {
  test("assigns the payment to the psychologist who began the checkout, and cancels nothing afterwards", async () => {
    paypal.injectFault(/\/cancel$/, "receiving", "cut", 1000);
    const made = await foreign();
    expect(await hasGold(made.person)).toBe(false);
    expect((await tie(made.problem, made.person.email)).status).toBe(200);
    expect(await hasGold(made.person)).toBe(true);
    expect((await membershipRows(made.person)).filter(({ status }) => status === "active")).toHaveLength(1);
    paypal.clearFaults();
    await work(DAY);
    expect(paypal.subscriptions.get(made.external)!.status).toBe("ACTIVE");
  });

  test("moves the membership to another psychologist", async () => {
    const made = await foreign();
    const other = await psychologist();
    expect((await tie(made.problem, other.email)).status).toBe(200);
    expect([await hasGold(made.person), await hasGold(other)]).toEqual([false, true]);
    expect(await membershipRows(made.person)).toEqual([]);
    await deliver(await paypal.cancel(made.external));
    expect([await hasGold(made.person), await hasGold(other)]).toEqual([false, true]);
  });

  test("reads an ended checkout again if a refused assignment has shown its refund", async () => {
    const made = await foreign();
    for (let day = 0; day < 3; day++) {
      await advanceClock(DAY);
      await work();
    }
    await paypal.refund(lastSale(made.external));
    expect((await tie(made.problem, made.person.email)).body).toEqual({ code: "payment_not_eligible" });
    await work();
    const payments = await app.sql("select status from payment_transactions where external_payment_id = $1", [
      lastSale(made.external),
    ]);
    expect(payments).toEqual([{ status: "refunded" }]);
  });

  test("refuses to assign a partial refund", async () => {
    const made = await member("monthly", "paypal");
    await deliver(await paypal.refund(lastSale(made.external), 100));
    const problem = await problemOf(made.person);
    expect(problem.can).toEqual({ tie: false });
    expect((await tie(problem.id, made.person.email)).body).toEqual({ code: "no_rows_updated" });
  });
});
