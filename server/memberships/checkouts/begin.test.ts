import { afterEach, describe, expect, test } from "vitest";
import { MINUTE } from "#shared/time.ts";
import {
  advanceClock,
  app,
  begin,
  begun,
  deliver,
  hasGold,
  logged,
  mercadopago,
  pay,
  paypal,
  psychologist,
  setClock,
  withPayments,
} from "#test/payment-app.ts";
import { ask } from "#test/threads.ts";

withPayments();

describe("beginning a checkout", () => {
  test("returns the settings of each method with the plans", async () => {
    const { body } = await app.call("GET", "/plans", undefined, await psychologist());
    expect(body.methods).toEqual([
      { method: "paypal", state: "ready", asks_payer_email: [] },
      { method: "mercadopago", state: "ready", asks_payer_email: ["monthly"] },
    ]);
    expect(body.paypal).toEqual({ client_id: paypal.clientId, sdk_base: paypal.url });
  });

  test("creates a PayPal subscription to our plan for this psychologist, at the plan's price", async () => {
    const { person, checkout, external } = await begun("lifetime", "paypal");
    const made = paypal.subscriptions.get(external)!;
    expect(made).toMatchObject({
      plan_id: "P-FAKELIFETIME000000000000",
      custom_id: checkout,
      status: "APPROVAL_PENDING",
    });
    const asked = paypal.requests.findLast(({ path }) => path === "/v1/billing/subscriptions")!;
    expect(asked.headers["paypal-request-id"]).toBe(checkout);
    expect(JSON.parse(asked.body).application_context).toEqual({
      brand_name: "Diván",
      shipping_preference: "NO_SHIPPING",
      user_action: "SUBSCRIBE_NOW",
      return_url: `${app.url}/planes/pago/${checkout}/fin`,
      cancel_url: `${app.url}/planes`,
    });
    const { body } = await app.call("GET", `/checkouts/${checkout}`, undefined, person);
    expect(body).toMatchObject({
      status: "open",
      is_test: false,
      amount: 4999,
      currency: "USD",
      external_id: external,
    });
    expect(body.url).toMatch(new RegExp(`^${paypal.url}/checkoutnow`));
    // The demo's decisions are only about test payments.
    const decided = await app.call("PUT", `/test-payments/${checkout}`, { decision: "approve" }, person);
    expect(decided.body).toEqual({ code: "checkout_not_found" });
    expect(await hasGold(person)).toBe(false);
  });

  test("responds 401 if the account is deleted while the provider opens the payment page", async () => {
    const person = await psychologist();
    const deletion = async () => {
      await app.sql("delete from checkouts where psychologist_id = $1", [person.id]);
      await app.sql("delete from profiles where id = $1", [person.id]);
    };
    paypal.injectFault(/POST .*subscriptions/, "receiving", async () => void (await deletion()));
    expect(await begin(person, "monthly", "paypal")).toMatchObject({ status: 401, body: { code: "sign_in_required" } });
  });

  test("creates a MercadoPago preference for lifetime and a preapproval for monthly, at our prices", async () => {
    const life = await begun("lifetime", "mercadopago");
    expect(mercadopago.preferences.get(life.external)).toMatchObject({
      cents: 4_999_900,
      currency: "ARS",
      external_reference: life.checkout,
      back_urls: { success: `${app.url}/planes/pago/${life.checkout}/fin` },
    });
    // Webhook events go to the address in the panel, whose secret signs them.
    expect(mercadopago.requests.at(-1)!.body).not.toContain("notification_url");
    const month = await begun("monthly", "mercadopago");
    expect(mercadopago.preapprovals.get(month.external)).toMatchObject({
      cents: 499_900,
      currency: "ARS",
      external_reference: month.checkout,
      payer_email: `${month.person.id}@mp.example`,
    });
  });

  test("monthly at MercadoPago requires the payer's e-mail, and a payment page that is still open is used again", async () => {
    const person = await psychologist();
    const refused = await begin(person, "monthly", "mercadopago");
    expect(refused).toMatchObject({
      status: 422,
      body: { code: "invalid_input", fields: { payer_email: expect.stringMatching(/MercadoPago\.$/) } },
    });
    const before = mercadopago.preapprovals.size;
    const first = await begin(person, "monthly", "mercadopago", { payer_email: "uno@mp.example" });
    const second = await begin(person, "monthly", "mercadopago", { payer_email: "UNO@mp.example" });
    expect([second.body.id, second.body.url]).toEqual([first.body.id, first.body.url]);
    const other = await begin(person, "monthly", "mercadopago", { payer_email: "dos@mp.example" });
    expect(other.body.id).not.toBe(first.body.id);
    expect(mercadopago.preapprovals.size).toBe(before + 2);
    // Not one that is being ended.
    await app.sql("update checkouts set end_wanted_at = now() where id = $1", [other.body.id]);
    const another = await begin(person, "monthly", "mercadopago", { payer_email: "dos@mp.example" });
    expect([another.status, another.body.id === other.body.id]).toEqual([201, false]);
    // The e-mail is deleted once the checkout is closed.
    await deliver(await pay("monthly", "mercadopago", first.body.external_id));
    const kept = await app.sql("select payer_email from checkouts where id = $1", [first.body.id]);
    expect(kept).toEqual([{ payer_email: null }]);
  });

  test("reports a provider that fails, with its debug id in the log, and leaves nothing to pay", async () => {
    const person = await psychologist();
    const fault = { status: 500, body: {}, headers: { "paypal-debug-id": "debug0001" } };
    for (const [method, fake] of [
      ["paypal", paypal],
      ["mercadopago", mercadopago],
    ] as const) {
      fake.injectFault(/POST \/(v1\/billing|checkout)/, "receiving", fault);
      const refused = await begin(person, "lifetime", method);
      expect(refused).toMatchObject({ status: 502, body: { code: "payment_provider_failed" } });
    }
    const attempts = await app.sql("select state from checkouts where psychologist_id = $1", [person.id]);
    expect(attempts).toEqual([{ state: "failed" }, { state: "failed" }]);
    expect(logged()).toContain("checkout_failed");
    expect(logged()).toContain("debug0001");
  });

  test.each([
    { plan: "monthly", method: "paypal", fake: () => paypal, made: () => paypal.subscriptions },
    { plan: "lifetime", method: "mercadopago", fake: () => mercadopago, made: () => mercadopago.preferences },
  ] as const)(
    "repeats the request at $method on a second press if the answer to the first was lost",
    async ({ plan, method, fake, made }) => {
      const person = await psychologist();
      const before = made().size;
      fake().injectFault(/POST .*(subscriptions|preferences)/, "answering", "cut");
      expect((await begin(person, plan, method)).body.code).toBe("payment_provider_failed");
      expect((await begin(person, plan, method)).status).toBe(201);
      expect(made().size).toBe(before + 1);
      // Not after an hour.
      await app.sql(
        "update checkouts set state = 'failed', external_id = null, created_at = now() - interval '1 hour'",
      );
      expect((await begin(person, plan, method)).status).toBe(201);
      expect(made().size).toBe(before + 2);
    },
  );

  test("refuses a checkout for 30 minutes after the buyer's first return while PayPal shows APPROVAL_PENDING", async () => {
    setClock(new Date("2027-04-01T12:00:00.000Z"));
    paypal.lag = 100;
    const { person, checkout, external } = await begun("monthly", "paypal");
    const events = await paypal.approve(external);
    const end = async () => (await app.page(`/planes/pago/${checkout}/fin`, person)).text;
    expect(await end()).toContain("Estamos confirmando tu pago");
    for (const [plan, method] of [
      ["monthly", "paypal"],
      ["lifetime", "mercadopago"],
    ] as const)
      expect(await begin(person, plan, method)).toMatchObject({ status: 409, body: { code: "payment_confirming" } });
    advanceClock(29 * MINUTE);
    await end();
    advanceClock(2 * MINUTE);
    expect((await begin(person, "lifetime", "mercadopago")).status).toBe(201);
    paypal.subscriptions.get(external)!.lag = 0;
    await deliver(events);
    expect((await app.page("/planes", person)).text).not.toContain("Estamos confirmando tu pago");
  });

  describe("after a refused card and a return that reports the payment of a second card", () => {
    /** The address of the return, with the fields that MercadoPago sends. */
    const returned = (checkout: string, payment: string) =>
      `/planes/pago/${checkout}/fin?payment_id=${payment}&status=approved&external_reference=${checkout}`;

    afterEach(() => {
      mercadopago.searchLag = 0;
    });

    async function refusedOnce() {
      setClock(new Date());
      const made = await begun("lifetime", "mercadopago");
      await mercadopago.pay(made.external, "rejected");
      await app.page(`/planes/pago/${made.checkout}/fin?payment_id=null&status=rejected`, made.person);
      mercadopago.searchLag = 10 * MINUTE;
      advanceClock(11 * MINUTE);
      return { ...made, second: (await mercadopago.pay(made.external)).payment.id };
    }

    test("gives Gold at once, although MercadoPago's search shows the payment later", async () => {
      const { person, checkout, second } = await refusedOnce();
      expect((await app.page(returned(checkout, second), person)).text).toContain("¡Suscripción activada!");
      expect(await hasGold(person)).toBe(true);
    });

    test("ignores a payment of another checkout", async () => {
      const { second } = await refusedOnce();
      const { person, checkout } = await begun("lifetime", "mercadopago");
      expect((await app.page(returned(checkout, second), person)).status).toBe(200);
      expect(await hasGold(person)).toBe(false);
    });

    test("refuses another checkout while MercadoPago cannot be read", async () => {
      const { person, checkout, second } = await refusedOnce();
      mercadopago.injectFault(/^GET/, "receiving", { status: 503, body: {} }, 1_000);
      await app.page(returned(checkout, second), person);
      expect((await app.page("/planes", person)).text).toContain("Estamos confirmando tu pago");
      expect((await begin(person, "lifetime", "paypal")).body).toEqual({ code: "payment_confirming" });
      mercadopago.clearFaults();
      await app.page(`/planes/pago/${checkout}/fin?payment_id=null&status=rejected`, person);
      expect((await begin(person, "lifetime", "paypal")).status).toBe(201);
    });
  });

  test("offers no checkout on any screen while a payment is being confirmed", async () => {
    paypal.lag = 100;
    const { person, checkout, external } = await begun("monthly", "paypal");
    await app.sql("update psychologist_profiles set free_responses_used = 3 where id = $1", [person.id]);
    const consultation = await ask(app, await app.person());
    const screens = ["/", "/perfil", `/psicologo/${person.id}`, `/consulta/${consultation}`];
    const OFFER = /Ver la membresía Gold|Ver los planes Gold|Ver planes Gold/;
    for (const path of screens) expect((await app.page(path, person)).text, path).toMatch(OFFER);
    await paypal.approve(external);
    await app.call("POST", `/checkouts/${checkout}/reconciliation`, { returned: true }, person);
    for (const path of [...screens, "/planes", "/planes?otra=1"]) {
      const { text } = await app.page(path, person);
      expect(text, path).toContain("Estamos confirmando tu pago");
      expect(text, path).not.toMatch(OFFER);
      expect(text, path).not.toContain("Pagar con");
      expect(text.includes("; estamos confirmando tu pago de Gold."), path).toBe(path === "/perfil");
    }
    expect((await begin(person, "monthly", "paypal")).body).toEqual({ code: "payment_confirming" });
  });
});
