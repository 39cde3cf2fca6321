import { describe, expect, test } from "vitest";
import { DAY } from "#shared/time.ts";
import { openTestApp } from "#test/app.ts";
import { admin, app, begin, psychologist, setClock, withPayments } from "#test/payment-app.ts";
import { begun, member, plans } from "#test/test-payments.ts";

withPayments({ isTestMode: true });

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
