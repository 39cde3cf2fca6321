import { describe, expect, test } from "vitest";
import { DAY } from "#shared/time.ts";
import { openTestApp, type TestUser } from "#test/app.ts";
import {
  admin,
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
import { retryWhileBusy } from "#test/threads.ts";

withPayments({ isTestMode: true, workers: true });

const plans = (as: TestUser | null) => app.call("GET", "/plans", undefined, as);
const decide = (as: TestUser | null, id: string, decision = "approve") =>
  retryWhileBusy(() => app.call("PUT", `/test-payments/${id}`, { decision }, as));

async function begun(as: TestUser, plan_type?: string, method?: string): Promise<string> {
  const made = await begin(as, plan_type, method);
  expect(made.status, made.text).toBe(201);
  return made.body.id as string;
}

async function member(plan_type = "monthly", method = "paypal") {
  const person = await psychologist();
  const id = await begun(person, plan_type, method);
  expect((await decide(person, id)).body.status).toBe("paid");
  return { person, subscription: (await membershipRows(person))[0]!.id };
}

describe("the plans", () => {
  test("responds 403 with an explanation to visitors, users and the administrator", async () => {
    for (const as of [null, await app.person(), admin]) {
      expect((await plans(as)).body).toEqual({ code: "psychologists_only" });
      const page = await app.page("/planes", as);
      expect(page.status).toBe(403);
      expect(page.text).toContain("Acceso solo para psicólogos</h1>");
      expect(page.text.includes("/auth?volver=/planes")).toBe(as === null);
      expect(page.text).not.toContain("49,99");
    }
  });

  test("shows the prices of the specification, and the test mode in the demo", async () => {
    const { body } = await plans(await psychologist());
    expect(body.prices).toEqual([
      { method: "paypal", plan_type: "monthly", amount: 499, currency: "USD" },
      { method: "paypal", plan_type: "lifetime", amount: 4999, currency: "USD" },
      { method: "mercadopago", plan_type: "monthly", amount: 499_900, currency: "ARS" },
      { method: "mercadopago", plan_type: "lifetime", amount: 4_999_900, currency: "ARS" },
    ]);
    expect(body.methods).toEqual([
      { method: "paypal", state: "test", asks_payer_email: [] },
      { method: "mercadopago", state: "test", asks_payer_email: [] },
    ]);
    expect(body).toMatchObject({ membership: null, history: [], refusal: null, paypal: null });
  });

  test("show both cards, the toggle as links, and that this is a test", async () => {
    const person = await psychologist();
    const monthly = await app.page("/planes?plan=mensual", person);
    expect(monthly.text).toMatch(/4,99<!-- --> <small>|4,99 <small>/);
    expect(monthly.text).toContain("Pagar con <!-- -->MercadoPago");
    expect(monthly.text).toContain('href="/planes?plan=lifetime"');
    expect(monthly.text).toContain("Modo de prueba");
    expect(monthly.text).not.toMatch(/(?<!asks_)payer_email|approval_url|owner_confirmed_at|failing_since|began_at/);
    const life = await app.page("/planes?plan=lifetime", person);
    expect(life.text).toContain("49,99");
    expect(life.text).toContain("49.999");
    expect(life.text).toContain("un solo pago");
  });

  test("shows the plans before verification, but refuses the purchase", async () => {
    const pending = await app.person({ type: "psychologist", verified: false });
    const page = await app.page("/planes", pending);
    expect(page.status).toBe(200);
    expect(page.text).toContain("Nadie paga antes de poder responder");
    expect(page.text).toMatch(/<button[^>]*disabled=""[^>]*>[^<]*Pagar con/);
    expect((await begin(pending)).body).toEqual({ code: "verification_required" });
    expect(await app.sql("select id from checkouts where psychologist_id = $1", [pending.id])).toEqual([]);
  });

  test("sends Cross-Origin-Opener-Policy: unsafe-none only for payment pages", async () => {
    const person = await psychologist();
    const id = await begun(person);
    for (const path of ["/planes", "/planes?plan=lifetime", `/planes/pago/${id}`, `/planes/pago/${id}/fin`])
      expect((await app.page(path, person)).headers.get("cross-origin-opener-policy"), path).toBe("unsafe-none");
    for (const path of ["/", "/planesx", "/contacto", "/api/plans"])
      expect((await app.page(path, person)).headers.get("cross-origin-opener-policy"), path).toBe("same-origin");
  });
});

test("counts lifetime memberships in the launch promotion, which ends with the hundredth", async () => {
  const person = await psychologist();
  const left = async () => (await plans(person)).body.promotion?.places_left ?? null;
  const before = await left();
  await member("lifetime");
  await member("monthly");
  expect(await left()).toBe(before - 1);
  const shown = (await app.page("/planes", person)).text;
  expect(shown).toContain("Lanzamiento: acceso de por vida por 50 USD");
  expect(shown.replaceAll("<!-- -->", "")).toContain(`>${101 - before} de 100 lugares ocupados<`);
  expect(shown).toMatch(/aria-current="page"[^>]*>Mensual</);
  // The promotion in the user's profile links to its plan.
  expect((await app.page("/perfil", person)).text).toContain('href="/planes?plan=lifetime"');
  expect((await app.page("/planes?plan=lifetime", person)).text).toMatch(/aria-current="page"[^>]*>Lifetime</);
  const others = await Promise.all(Array.from({ length: before - 1 }, () => psychologist()));
  await app.sql(
    `insert into checkouts (psychologist_id, provider, method, external_id, plan_type, amount, currency, created_at, status, began_at)
     select id, 'test', 'paypal', 'TEST_' || id, 'lifetime', 4999, 'USD', now(), 'active', now() from unnest($1::uuid[]) id`,
    [others.map(({ id }) => id)],
  );
  expect(await left()).toBeNull();
  const after = (await app.page("/planes", person)).text;
  expect(after).not.toContain("Lanzamiento");
  expect(after).toMatch(/aria-current="page"[^>]*>Mensual</);
  await app.sql("delete from checkouts where psychologist_id = any($1)", [others.map(({ id }) => id)]);
});

describe("events", () => {
  test("stores events by the hour without a user", async () => {
    await app.sql("delete from analytics_events");
    setClock(new Date("2027-03-05T10:59:59.999Z"));
    const person = await psychologist();
    await app.call("POST", "/events", { event: "view_premium_plans" }, person);
    await begun(person, "lifetime", "mercadopago");
    const found = await app.sql("select * from analytics_events where happened_at > '2027-01-01' order by name");
    expect(found).toEqual([
      {
        name: "plan_selection",
        plan_type: "lifetime",
        method: "mercadopago",
        happened_at: new Date("2027-03-05T10:00:00Z"),
      },
      { name: "view_premium_plans", plan_type: null, method: null, happened_at: new Date("2027-03-05T10:00:00Z") },
    ]);
    expect(JSON.stringify(found)).not.toContain(person.id);
  });

  test("refuses the server's events from a browser", async () => {
    const person = await psychologist();
    for (const event of ["subscription_success", "plan_selection", "x"])
      expect((await app.call("POST", "/events", { event }, person)).status).toBe(422);
    expect((await app.call("POST", "/events", { event: "view_premium_plans", user: person.id }, person)).status).toBe(
      422,
    );
  });

  test("reach the administrator as counts for 7, 30 and 90 days", async () => {
    const now = new Date("2028-06-30T12:00:00Z");
    setClock(now);
    await app.sql("update sessions set seen_at = $2, expires_at = $3 where account_id = $1", [
      admin.id,
      now,
      new Date(now.getTime() + DAY),
    ]);
    const row = (days: number, name: string) => [name, new Date(Date.UTC(2028, 5, 30, 12) - days * DAY)];
    for (const [name, at] of [
      row(0, "view_premium_plans"),
      row(6, "view_premium_plans"),
      row(8, "view_premium_plans"),
      row(20, "plan_selection"),
      row(80, "subscription_success"),
      row(91, "subscription_success"),
    ])
      await app.sql("insert into analytics_events (name, happened_at) values ($1, $2)", [name, at]);
    const { body } = await app.call("GET", "/admin/funnel", undefined, admin);
    expect(body).toEqual([
      { days: 7, view_premium_plans: 2, plan_selection: 0, subscription_success: 0 },
      { days: 30, view_premium_plans: 3, plan_selection: 1, subscription_success: 0 },
      { days: 90, view_premium_plans: 3, plan_selection: 1, subscription_success: 1 },
    ]);
  });
});

test("outside the demo, without payment providers, nothing can be bought and the cards say so", async () => {
  const live = await openTestApp({ environment: { DEMO: "off", SMTP_URL: "smtp://127.0.0.1:1" } });
  try {
    const person = await live.person({ type: "psychologist" });
    const { body } = await live.call("GET", "/plans", undefined, person);
    expect(body.methods.map(({ state }: { state: string }) => state)).toEqual(["unavailable", "unavailable"]);
    expect(await live.call("POST", "/checkouts", { plan_type: "monthly", method: "paypal" }, person)).toMatchObject({
      status: 409,
      body: { code: "payments_unavailable" },
    });
    const page = await live.page("/planes", person);
    expect(page.text).toContain("todavía no están disponibles");
    expect(page.text).not.toContain("Pagar con");
    // A test payment of an earlier demo cannot be completed any more.
    await live.sql(
      `insert into checkouts (id, psychologist_id, provider, method, external_id, plan_type, amount, currency, created_at)
       values ('00000000-0000-4000-8000-000000000001', $1, 'test', 'paypal', 'TEST_a', 'monthly', 499, 'USD', now())`,
      [person.id],
    );
    const decided = await live.call(
      "PUT",
      "/test-payments/00000000-0000-4000-8000-000000000001",
      { decision: "approve" },
      person,
    );
    expect(decided.body).toEqual({ code: "checkout_not_found" });
  } finally {
    await live.close();
  }
});

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
