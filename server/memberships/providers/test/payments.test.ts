import { describe, expect, test } from "vitest";
import { DAY } from "#shared/time.ts";
import type { TestUser } from "#test/app.ts";
import {
  app,
  begin,
  cancel,
  hasGold,
  membershipRows,
  payments,
  psychologist,
  reconcile,
  setClock,
  withPayments,
} from "#test/payment-app.ts";
import { begun, decide, member } from "#test/test-payments.ts";

withPayments({ isTestMode: true, workers: true });

type Profile = { gold_until: Date | number | null; subscription_id: string | null };
async function profile({ id }: TestUser): Promise<Profile> {
  const select = "select gold_until, subscription_id from psychologist_profiles where id = $1";
  return (await app.sql<Profile>(select, [id]))[0]!;
}

describe("paying", () => {
  test.each([
    ["lifetime", "paypal", 4999, "USD"],
    ["monthly", "mercadopago", 499_900, "ARS"],
  ])(
    "stores membership, Gold, payment and event of %s with %s in one transaction",
    async (plan, method, amount, currency) => {
      const now = new Date("2026-12-01T10:20:30.000Z");
      setClock(now);
      const person = await psychologist();
      const events = () =>
        app.sql<{ n: number }>("select count(*)::int as n from analytics_events where name = 'subscription_success'");
      const [before] = await events();
      const made = await begin(person, plan, method);
      expect(made.body).toMatchObject({ plan_type: plan, method, amount, currency, status: "open", is_test: true });
      expect(made.body.external_id).toMatch(/^TEST_/);
      expect(await hasGold(person)).toBe(false);

      const decided = await decide(person, made.body.id);
      expect(decided.body).toMatchObject({ id: made.body.id, status: "paid" });
      const next = plan === "monthly" ? new Date(now.getTime() + 30 * DAY) : null;
      const stored = await membershipRows(person);
      expect(stored).toMatchObject([
        {
          provider: "test",
          external_subscription_id: made.body.external_id,
          ...{ plan_type: plan, amount, currency, status: "active", next_billing_date: next, cancelled_at: null },
        },
      ]);
      expect(await payments(person)).toMatchObject([
        { external_payment_id: expect.stringMatching(/^TEST_/), amount, currency, status: "completed" },
      ]);
      expect(await profile(person)).toEqual({
        gold_until: next ?? Number.POSITIVE_INFINITY,
        subscription_id: stored[0]!.id,
      });
      expect(await hasGold(person)).toBe(true);
      const [after] = await events();
      expect(after!.n).toBe(before!.n + 1);
    },
  );

  test("30 approvals of one payment at once make one membership, one payment, one receipt, one event", async () => {
    const person = await psychologist();
    const id = await begun(person, "lifetime");
    const count = () =>
      app.sql<{ n: number }>("select count(*)::int as n from analytics_events where name = 'subscription_success'");
    const [before] = await count();
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, i) => (i % 3 ? decide(person, id) : reconcile(person, id))),
    );
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(await membershipRows(person)).toHaveLength(1);
    expect(await payments(person)).toHaveLength(1);
    expect((await count())[0]!.n).toBe(before!.n + 1);
    await app.mailTo(person.email, /Recibo/);
    const mails = await app.sql("select id from demo_mails where recipient = $1", [person.email]);
    const jobs = await app.sql("select id from pgboss.job where name = 'mail' and data ->> 'subscription_id' = $1", [
      (await membershipRows(person))[0]!.id,
    ]);
    expect([mails.length, jobs.length]).toEqual([1, 1]);
  });

  test("accepts one of 30 concurrent checkouts, responds 409 to the other 29", async () => {
    const person = await psychologist();
    const ids = await Promise.all(Array.from({ length: 30 }, () => begun(person)));
    const answers = await Promise.all(ids.map((id) => decide(person, id)));
    expect(answers.filter(({ body }) => body.status === "paid")).toHaveLength(1);
    expect(answers.filter(({ body }) => body.code === "already_subscribed")).toHaveLength(29);
    expect(await membershipRows(person)).toMatchObject([{ status: "active" }]);
    expect(await payments(person)).toHaveLength(1);
    expect(
      await app.sql("select from checkouts where psychologist_id = $1 and state = 'pending'", [person.id]),
    ).toHaveLength(29);
  });

  test("rejected at the payment page gives nothing, and cannot be approved afterwards", async () => {
    const person = await psychologist();
    const id = await begun(person);
    expect((await decide(person, id, "reject")).body.status).toBe("failed");
    expect((await decide(person, id)).body).toEqual({ code: "checkout_closed" });
    // The page at the end of a payment with PayPal reports a return.
    expect((await app.page(`/planes/pago/${id}/fin`, person)).status).toBe(200);
    expect((await reconcile(person, id)).body.status).toBe("failed");
    expect(await membershipRows(person)).toEqual([]);
    expect((await begin(person)).status).toBe(201);
  });

  test("another person's checkout does not exist", async () => {
    const owner = await psychologist();
    const other = await psychologist();
    const id = await begun(owner);
    expect((await decide(null, id)).body).toEqual({ code: "sign_in_to_subscribe" });
    for (const got of [
      await app.call("GET", `/checkouts/${id}`, undefined, other),
      await decide(other, id),
      await reconcile(other, id),
    ])
      expect(got.body).toEqual({ code: "checkout_not_found" });
    expect((await app.page(`/planes/pago/${id}`, other)).status).toBe(404);
    expect((await reconcile(owner, id)).body.status).toBe("open");
  });

  test("works without JavaScript: form, payment page, end", async () => {
    const person = await psychologist();
    const sent = await app.form("/planes", { intent: "pay", plan_type: "monthly", method: "mercadopago" }, person);
    expect(sent.status).toBe(302);
    const till = sent.headers.get("location")!;
    expect(till).toMatch(/^\/planes\/pago\//);
    const page = await app.page(till, person);
    expect(page.text).toContain("Modo de prueba");
    expect(page.text).toContain("4.999");
    const decided = await app.form(till, { intent: "approve" }, person);
    expect(decided.headers.get("location")).toBe(`${till}/fin`);
    expect((await app.page(`${till}/fin`, person)).text).toContain("¡Suscripción activada!</h1>");
    expect((await app.page(till, person)).headers.get("location")).toBe(`${till}/fin`);
    const after = await app.page("/planes", person);
    expect(after.text).toContain("Ya tienes Membresía Gold");
    // A month is left to be exchanged for a life; another month is not offered.
    expect(after.text).toContain("Pasar a Lifetime");
    expect(after.text).not.toContain('name="plan_type" value="monthly"');
  });
});

test("announces no charge of a test membership on any page or in its receipt, and says that it is a test", async () => {
  for (const [plan, terms] of [
    ["monthly", ["Plan: Mensual", "Importe: 4.999 ARS"]],
    ["lifetime", ["Plan: Lifetime", "Importe: 49.999 ARS"]],
  ] as const) {
    const { person } = await member(plan, "mercadopago");
    for (const path of ["/perfil", "/planes"]) {
      const { text } = await app.page(path, person);
      expect(text, `${plan} ${path}`).toContain("Modo de prueba");
      expect(text, `${plan} ${path}`).not.toMatch(/Próximo (cobro|pago)/);
    }
    expect((await app.page("/planes?cancelar=1", person)).text).not.toContain("aunque ya hayas pagado");
    const { text } = await app.mailTo(person.email, /Recibo de tu Membresía Gold/);
    for (const term of [...terms, "modo de prueba", `${app.url}/planes`]) expect(text).toContain(term);
    expect(text).not.toContain("Próximo pago");
  }
});

describe("cancelling", () => {
  test("a month needs no provider, ends its Gold and leaves the next month's", async () => {
    const { person, subscription } = await member();
    expect((await cancel(person, subscription)).body).toEqual({ done: true, provider: "not_needed" });
    const [row] = await membershipRows(person);
    expect(row).toMatchObject({ status: "cancelled", cancelled_at: expect.any(Date) });
    expect(await profile(person)).toEqual({ gold_until: null, subscription_id: null });
    const subscriptionId = row!.external_subscription_id;
    const told = await app.call("POST", "/cancel-payment-subscription", { subscriptionId }, person);
    expect(told.body).toEqual({ provider: "not_needed" });
    await decide(person, await begun(person));
    expect((await cancel(person, subscription)).status).toBe(200);
    expect(await hasGold(person)).toBe(true);
    expect(await app.sql("select from checkouts where due_at is not null")).toEqual([]);
  });

  test("a membership for life is refused", async () => {
    const { person, subscription } = await member("lifetime");
    expect(await cancel(person, subscription)).toMatchObject({
      status: 409,
      body: { code: "lifetime_not_cancellable" },
    });
    expect(await hasGold(person)).toBe(true);
    const page = await app.page("/planes", person);
    expect(page.text).toContain("no se cancela");
    expect(page.text).not.toContain("/planes?cancelar=1");
  });

  test("another person's membership is not found; the own membership ends by form, too", async () => {
    const { person, subscription } = await member();
    expect((await cancel(await psychologist(), subscription)).body).toEqual({ code: "subscription_not_found" });
    expect(await hasGold(person)).toBe(true);
    const sent = await app.form("/planes", { intent: "cancel", id: subscription }, person);
    expect(sent.headers.get("location")).toBe("/planes");
    expect(sent.headers.get("set-cookie")).toContain("notice=subscription_cancelled");
  });
});
