import type { Page } from "@playwright/test";
import { alive, expectAccessible, expectNoSidewaysScroll, FULL_ONLY, holdBack, toast } from "./fixtures.ts";
import { pressOn, tabTo } from "./keys.ts";
import { type Buyer, expect, type PaymentServices, test } from "./payment-fixtures.ts";
import { ADMIN_EMAIL } from "./server.ts";

const GOLD = "Ya tienes Membresía Gold";
const gold = (page: Page) => page.getByRole("heading", { name: GOLD });
const card = (page: Page, name: "PayPal" | "MercadoPago") => page.getByRole("region", { name: `Con ${name}` });
const paypalButton = (page: Page) => page.getByRole("button", { name: "PayPal · Suscribirse" });
const mercadopagoButton = (page: Page) => page.getByRole("button", { name: "Pagar con MercadoPago" });
const notice = (page: Page, title: string) => page.getByRole("status").filter({ hasText: title });

/** Opens the plans, and waits until they are alive. */
async function openPlans(page: Page, plan: "mensual" | "lifetime" = "mensual"): Promise<void> {
  await page.goto(`/planes?plan=${plan}`);
  await alive(page);
}

/** What a press opens, once its page is there. */
async function windowOf(page: Page, press: () => Promise<void>): Promise<Page> {
  const [popup] = await Promise.all([page.waitForEvent("popup"), press()]);
  await popup.waitForURL(/checkout.*id=/);
  return popup;
}
const openPaypal = (page: Page) => windowOf(page, () => paypalButton(page).click());
const openMercadopago = (page: Page) => windowOf(page, () => mercadopagoButton(page).click());
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

/** Leaves a lifetime plan to be paid in cash, in the window that is returned. */
async function promiseCash(page: Page): Promise<Page> {
  await openPlans(page, "lifetime");
  const popup = await openMercadopago(page);
  await press(popup, "Dejar pendiente (efectivo)");
  await expect(notice(page, "Estamos confirmando tu pago")).toBeVisible();
  return popup;
}

/** Pays what was promised last, and has MercadoPago tell us. */
async function payInCash({ mercadopago }: PaymentServices): Promise<void> {
  const [preference] = [...mercadopago.preferences.values()].slice(-1);
  for (const one of await mercadopago.approve(preference!.payments[0]!.id)) await mercadopago.send(one);
}

/** Calls that ask the server to read a payment service. */
function countReadings(page: Page): () => number {
  let readings = 0;
  page.on("request", (request) => {
    if (request.url().endsWith("/reconciliation")) readings++;
  });
  return () => readings;
}

/** Counts what a tab was told, each time after its own listeners heard it: whatever they do about it has begun by then. */
async function countMessages(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const told = { messages: 0 };
    const count = () => void told.messages++;
    addEventListener("message", count);
    const channel = new BroadcastChannel("payments");
    channel.addEventListener("message", count);
    Object.assign(window, { told, channel });
  });
  return () => page.evaluate(() => (window as unknown as { told: { messages: number } }).told.messages);
}

/** The one thing of its kind that was made for somebody. */
const subscriptionOf = ({ paypal }: PaymentServices, { id }: Buyer) =>
  [...paypal.subscriptions.values()].findLast(({ custom_id }) => custom_id === id)!;
async function attemptOf({ sql }: PaymentServices, { id }: Buyer) {
  const rows = await sql<{ id: string; external_id: string; status: string }>(
    "select id, external_id, status from checkouts where psychologist_id = $1 order by created_at desc limit 1",
    [id],
  );
  return rows[0]!;
}
const membershipsOf = ({ sql }: PaymentServices, { id }: Buyer) =>
  sql<{ provider: string; plan_type: string; status: string }>(
    "select provider, plan_type, status from subscriptions where psychologist_id = $1 order by created_at",
    [id],
  );

test.describe("with PayPal", () => {
  test("the button that PayPal brings leads to Gold", async ({ buyer, services, hasGold }) => {
    const somebody = await buyer();
    const { page } = somebody;
    await openPlans(page);
    await expect(paypalButton(page)).toBeVisible();
    await expectAccessible(page, "the plans with PayPal's button");
    await expectNoSidewaysScroll(page);
    const popup = await openPaypal(page);
    await expect(popup.getByText("4.99 USD")).toBeVisible();
    expect(await hasGold(somebody)).toBe(false);
    await press(popup, "Suscribirse");
    await expect(toast(page, "¡Suscripción exitosa!")).toBeVisible();
    await expect(gold(page)).toBeVisible();
    expect(await hasGold(somebody)).toBe(true);
    await expect(page.getByRole("table")).toContainText("4,99 USD · pagado");
    await expectAccessible(page, "the plans with a membership");
    await expectNoSidewaysScroll(page);
    expect(subscriptionOf(services, somebody)).toMatchObject({ plan_id: "P-FAKEMONTHLY", custom_id: somebody.id });
  });

  test("its script is asked for with vault and the intent of a subscription, on the plans alone", async ({
    buyer,
    services,
  }) => {
    const { page } = await buyer();
    const scripts: URL[] = [];
    page.on("request", (request) => {
      if (request.url().startsWith(services.paypal.url)) scripts.push(new URL(request.url()));
    });
    const response = await page.goto("/planes");
    await expect(paypalButton(page)).toBeVisible();
    expect(Object.fromEntries(scripts[0]!.searchParams)).toMatchObject({
      "client-id": services.paypal.clientId,
      vault: "true",
      intent: "subscription",
      currency: "USD",
    });
    expect(response!.headers()["content-security-policy"]).toContain(services.paypal.url);
    expect(response!.headers()["cross-origin-opener-policy"]).toBe("unsafe-none");
    // What PayPal's script does besides is let in too: styles, pictures, frames, calls, and scripts with the nonce.
    await expect(page.locator("html")).toHaveAttribute("data-paypal-inline", "ran");
    for (const path of ["/sdk/logo.svg", "/sdk/frame", "/sdk/log"])
      await expect.poll(() => services.paypal.calls).toContain(`GET ${path}`);

    // Leaving is a load of its own: the wider policy stays behind.
    const asked = scripts.length;
    const [left] = await Promise.all([
      page.waitForResponse(
        (answer) => new URL(answer.url()).pathname === "/" && answer.request().isNavigationRequest(),
      ),
      page.getByRole("link", { name: "Diván", exact: true }).first().click(),
    ]);
    expect(left.headers()["content-security-policy"]).not.toContain(services.paypal.url);
    // Whoever is led there by the router gets the document, and with it the policy, after all.
    await alive(page);
    await page.evaluate(() => {
      history.pushState({}, "", "/planes");
      dispatchEvent(new PopStateEvent("popstate"));
    });
    await expect(paypalButton(page)).toBeVisible();
    expect(scripts.length).toBeGreaterThan(asked);
  });

  test("the notification may come first", async ({ buyer, services, hasGold }) => {
    services.paypal.delivery = "at once";
    const somebody = await buyer();
    const { page } = somebody;
    await openPlans(page, "lifetime");
    const popup = await openPaypal(page);
    await press(popup, "Suscribirse");
    await expect(toast(page, "¡Suscripción exitosa!")).toBeVisible();
    await expect(page.getByText("Nunca: es de por vida")).toBeVisible();
    expect(await hasGold(somebody)).toBe(true);
    expect(await membershipsOf(services, somebody)).toHaveLength(1);
  });

  test("the notification may come last, and more than once", FULL_ONLY, async ({ buyer, services }) => {
    const somebody = await buyer();
    const { page } = somebody;
    await openPlans(page);
    const popup = await openPaypal(page);
    await press(popup, "Suscribirse");
    await expect(gold(page)).toBeVisible();
    const { id } = subscriptionOf(services, somebody);
    const events = services.paypal.events.filter(({ resource }) =>
      [resource.id, resource.billing_agreement_id].includes(id),
    );
    expect(events.length).toBeGreaterThanOrEqual(3);
    for (const event of events.toReversed())
      expect(await services.paypal.send(event, { times: 2, together: true })).toEqual([200, 200]);
    expect(await membershipsOf(services, somebody)).toEqual([
      { provider: "paypal", plan_type: "monthly", status: "active" },
    ]);
    await page.reload();
    await expect(page.getByRole("table").getByRole("row")).toHaveCount(2);
  });

  test(
    "what PayPal still calls pending is confirmed a little later",
    FULL_ONLY,
    async ({ buyer, services, hasGold }) => {
      services.paypal.lag = 2;
      const somebody = await buyer();
      const { page } = somebody;
      await openPlans(page);
      const popup = await openPaypal(page);
      await press(popup, "Suscribirse");
      await expect(notice(page, "Estamos confirmando tu pago")).toBeVisible();
      expect(await hasGold(somebody)).toBe(false);
      await expectAccessible(page, "the plans while a payment is confirmed");
      // Nobody pays twice because it takes a while, not even on a fresh page.
      await expect(paypalButton(page)).toHaveCount(0);
      await page.reload();
      await expect(notice(page, "Estamos confirmando tu pago")).toBeVisible();
      await expect(card(page, "PayPal").getByRole("button")).toBeDisabled();
      await expect(toast(page, "¡Suscripción exitosa!")).toBeVisible({ timeout: 20_000 });
      await expect(gold(page)).toBeVisible();
      expect(await hasGold(somebody)).toBe(true);
    },
  );

  test("PayPal falls silent after the approval, and is there again", async ({ buyer, services, hasGold }) => {
    const somebody = await buyer();
    const { page } = somebody;
    await openPlans(page);
    const popup = await openPaypal(page);
    services.paypal.trouble(/GET \/v1\/billing/, "receiving", { status: 503 }, 2);
    await press(popup, "Suscribirse");
    await expect(notice(page, "Estamos confirmando tu pago")).toBeVisible();
    expect(await hasGold(somebody)).toBe(false);
    await expect(toast(page, "¡Suscripción exitosa!")).toBeVisible({ timeout: 20_000 });
    expect(await hasGold(somebody)).toBe(true);
  });

  test("our own server falls silent after the approval, and is there again", FULL_ONLY, async ({ buyer, watch }) => {
    watch.expectStatus(503);
    const { page } = await buyer();
    await openPlans(page);
    const popup = await openPaypal(page);
    let refusals = 2;
    await page.route("**/reconciliation", (route) =>
      refusals-- > 0 ? route.fulfill({ status: 503, json: { code: "unavailable" } }) : route.continue(),
    );
    await press(popup, "Suscribirse");
    await expect(toast(page, "No se pudo activar la suscripción")).toBeVisible();
    await expect(notice(page, "Todavía no hemos podido comprobar tu pago")).toBeVisible();
    await expectAccessible(page, "the plans while nobody can be asked");
    await expect(toast(page, "¡Suscripción exitosa!")).toBeVisible({ timeout: 20_000 });
  });

  test("a membership that the page reads meanwhile ends the waiting", FULL_ONLY, async ({ buyer, services, watch }) => {
    watch.expectStatus(503);
    const somebody = await buyer();
    const { page } = somebody;
    await openPlans(page);
    const popup = await openPaypal(page);
    await page.route("**/reconciliation", (route) => route.fulfill({ status: 503, json: { code: "unavailable" } }));
    services.paypal.delivery = "at once";
    await press(popup, "Suscribirse");
    await expect(notice(page, "Todavía no hemos podido comprobar tu pago")).toBeVisible();
    await expect.poll(async () => (await membershipsOf(services, somebody)).length).toBe(1);
    // As on coming back to the tab.
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await expect(gold(page)).toBeVisible();
    await expect(toast(page, "¡Suscripción exitosa!")).toBeVisible();
    await expect(notice(page, "Todavía no hemos podido comprobar tu pago")).toHaveCount(0);
    expect(await page.evaluate(() => sessionStorage.getItem("confirming"))).toBeNull();
  });

  test(
    "a window closed while our own server is away is not forgotten by loading the page anew",
    FULL_ONLY,
    async ({ buyer, watch }) => {
      watch.expectStatus(503);
      const { page } = await buyer();
      await openPlans(page);
      const popup = await openPaypal(page);
      // Refused once; after that no answer comes at all.
      let asked = 0;
      await page.route("**/reconciliation", (route) =>
        asked++ ? undefined : route.fulfill({ status: 503, json: { code: "unavailable" } }),
      );
      await popup.close();
      await expect(notice(page, "Todavía no hemos podido comprobar tu pago")).toBeVisible();
      await page.reload();
      await expect(notice(page, "Estamos confirmando tu pago")).toBeVisible();
    },
  );

  test("PayPal is silent from the start", FULL_ONLY, async ({ buyer, services, watch }) => {
    watch.expectStatus(502);
    const somebody = await buyer();
    const { page } = somebody;
    await openPlans(page);
    services.paypal.trouble(/POST \/v1\/billing/, "receiving", { status: 500 });
    await expect(paypalButton(page)).toBeVisible();
    await paypalButton(page).click();
    await expect(toast(page, "Error de PayPal")).toBeVisible();
    await expect(toast(page, "Hubo un problema con el procesador de pagos")).toBeVisible();
    expect((await attemptOf(services, somebody)).status).toBe("failed");
    const popup = await openPaypal(page);
    await press(popup, "Suscribirse");
    await expect(gold(page)).toBeVisible();
  });

  test("whoever leaves PayPal's window pays nothing and may try again", FULL_ONLY, async ({ buyer, hasGold }) => {
    const somebody = await buyer();
    const { page } = somebody;
    await openPlans(page);
    const first = await openPaypal(page);
    await press(first, "Cancelar y volver");
    await expect(notice(page, "El pago no se ha completado")).toBeVisible();
    await expectAccessible(page, "the plans after an unfinished payment");
    const second = await openPaypal(page);
    await expect(notice(page, "El pago no se ha completado")).toHaveCount(0);
    await second.close();
    await expect(notice(page, "El pago no se ha completado")).toBeVisible();
    expect(await hasGold(somebody)).toBe(false);
    await expect(paypalButton(page)).toBeVisible();
  });

  test("where its script is blocked, paying goes on in this tab", async ({ buyer, services, hasGold }) => {
    const somebody = await buyer();
    const { page, context } = somebody;
    await context.route(`${services.paypal.url}/sdk/**`, (route) =>
      route.fulfill({ contentType: "text/javascript", body: "" }),
    );
    await openPlans(page);
    await expect(card(page, "PayPal")).toContainText("El botón de PayPal no se ha podido cargar");
    await press(page, "Pagar con PayPal");
    await expect(page.getByRole("heading", { name: "Pagar con PayPal" })).toBeVisible();
    await expectAccessible(page, "the way to PayPal");
    await page.getByRole("link", { name: "Ir a PayPal" }).click();
    await press(page, "Suscribirse");
    await expect(page.getByRole("heading", { name: "¡Suscripción activada!" })).toBeVisible();
    await expectAccessible(page, "the end of a payment");
    expect(await hasGold(somebody)).toBe(true);
    await page.getByRole("link", { name: "Ver mi membresía" }).click();
    await expect(gold(page)).toBeVisible();
  });

  test("what was paid but is not what was offered gives no Gold and is looked at", async ({
    buyer,
    services,
    hasGold,
  }) => {
    services.paypal.charges = { cents: 99 };
    const somebody = await buyer();
    const { page } = somebody;
    await openPlans(page, "lifetime");
    const popup = await openPaypal(page);
    await press(popup, "Suscribirse");
    await expect(notice(page, "Tu pago necesita una revisión")).toBeVisible();
    await expectAccessible(page, "the plans after a payment that does not match");
    expect(await hasGold(somebody)).toBe(false);
  });
});

test.describe("with MercadoPago", () => {
  test("a single payment in its window leads to Gold", async ({ buyer, hasGold }) => {
    const somebody = await buyer();
    const { page } = somebody;
    await openPlans(page, "lifetime");
    const popup = await openMercadopago(page);
    expect(popup.url()).toContain("/mp/checkout?pref_id=");
    await expect(page.getByRole("button", { name: "Esperando el pago…" })).toBeVisible();
    await expectAccessible(page, "the plans while a payment window is open");
    await press(popup, "Pagar");
    await expect(toast(page, "¡Pago exitoso!")).toBeVisible();
    expect(popup.isClosed()).toBe(true);
    await expect(gold(page)).toBeVisible();
    expect(await hasGold(somebody)).toBe(true);
  });

  test("its window is asked for with 600 by 700, at the press itself", FULL_ONLY, async ({ buyer }) => {
    const { page } = await buyer();
    await page.addInitScript(() => {
      const real = window.open;
      window.open = (...given) => {
        Object.assign(window, { opened: given, active: navigator.userActivation.isActive });
        return real.apply(window, given);
      };
    });
    await openPlans(page, "lifetime");
    await openMercadopago(page);
    expect(await page.evaluate(() => Reflect.get(window, "opened"))).toEqual([
      "about:blank",
      "pago",
      "popup,width=600,height=700",
    ]);
    expect(await page.evaluate(() => Reflect.get(window, "active"))).toBe(true);
  });

  test("a subscription asks for the address of the account, and is trusted until its first charge", async ({
    buyer,
    services,
    hasGold,
  }) => {
    const somebody = await buyer();
    const { page } = somebody;
    await openPlans(page);
    const address = page.getByLabel("Correo de tu cuenta de MercadoPago");
    await expect(address).toHaveValue(somebody.email);
    await address.fill("otra.cuenta@example.com");
    const popup = await openMercadopago(page);
    await expect(popup.getByText("otra.cuenta@example.com")).toBeVisible();
    await press(popup, "Confirmar");
    await expect(toast(page, "¡Pago exitoso!")).toBeVisible();
    await expect(page.getByText("Por confirmar")).toBeVisible();
    await expectAccessible(page, "a membership on trust");
    expect(await hasGold(somebody)).toBe(true);

    const { external_id } = await attemptOf(services, somebody);
    const { notices } = await services.mercadopago.charge(external_id);
    for (const one of notices) expect(await services.mercadopago.send(one)).toEqual([200]);
    await page.reload();
    await expect(page.getByText("Por confirmar")).toHaveCount(0);
    await expect(page.getByRole("table")).toContainText("4.999 ARS · pagado");
    await expect(page.getByRole("table").getByRole("row")).toHaveCount(2);
  });

  test("a refused payment says so and can be tried again", async ({ buyer, hasGold }) => {
    const somebody = await buyer();
    const { page } = somebody;
    await openPlans(page, "lifetime");
    const popup = await openMercadopago(page);
    await press(popup, "Rechazar");
    await expect(toast(page, "Error en el pago")).toBeVisible();
    await expect(toast(page, "Hubo un problema al procesar tu pago. Inténtalo nuevamente.")).toBeVisible();
    expect(await hasGold(somebody)).toBe(false);
    await expect(mercadopagoButton(page)).toBeEnabled();
  });

  test(
    "a window that is closed is no error, and what was paid in it is found",
    FULL_ONLY,
    async ({ buyer, services, hasGold }) => {
      const somebody = await buyer();
      const { page } = somebody;
      await openPlans(page, "lifetime");
      const popup = await openMercadopago(page);
      await popup.close();
      await expect(notice(page, "El pago no se ha completado")).toBeVisible();
      await expect(page.getByRole("region", { name: "Avisos" })).not.toContainText("Error");
      await expect(mercadopagoButton(page)).toBeEnabled();

      const { notices } = await services.mercadopago.pay((await attemptOf(services, somebody)).external_id);
      for (const one of notices) expect(await services.mercadopago.send(one)).toEqual([200]);
      await expect(toast(page, "¡Pago exitoso!")).toBeVisible();
      await expect(gold(page)).toBeVisible();
      expect(await hasGold(somebody)).toBe(true);
    },
  );

  test("whoever goes back without paying reads that nothing was completed", FULL_ONLY, async ({ buyer }) => {
    const { page } = await buyer();
    await openPlans(page, "lifetime");
    const popup = await openMercadopago(page);
    await press(popup, "Volver al sitio");
    await expect(notice(page, "El pago no se ha completado")).toBeVisible();
    await expect.poll(() => popup.isClosed()).toBe(true);
  });

  test("cash that is paid later gives Gold later", async ({ buyer, services, hasGold }) => {
    const somebody = await buyer();
    const { page } = somebody;
    await openPlans(page, "lifetime");
    const popup = await openMercadopago(page);
    await press(popup, "Dejar pendiente (efectivo)");
    await expect(popup.getByRole("heading", { name: "Estamos confirmando tu pago" })).toBeVisible();
    await expect(notice(page, "Estamos confirmando tu pago")).toBeVisible();
    expect(await hasGold(somebody)).toBe(false);
    const [preference] = [...services.mercadopago.preferences.values()].slice(-1);
    const [payment] = preference!.payments;
    for (const one of await services.mercadopago.approve(payment!.id)) await services.mercadopago.send(one);
    await expect(toast(page, "¡Pago exitoso!")).toBeVisible({ timeout: 20_000 });
    expect(await hasGold(somebody)).toBe(true);
  });

  test(
    "a payment that the page meets as a membership, before it asks again, is told all the same",
    FULL_ONLY,
    async ({ buyer, services }) => {
      const { page } = await buyer();
      const popup = await promiseCash(page);
      await holdBack(page, /\/reconciliation$/);
      await popup.close();
      await payInCash(services);
      // Somebody who was in another tab comes back.
      await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
      await expect(gold(page)).toBeVisible();
      await expect(toast(page, "¡Pago exitoso!")).toBeVisible();
    },
  );

  test(
    "a payment that the page meets as a membership at the very moment it asks is told once",
    FULL_ONLY,
    async ({ buyer, services }) => {
      const { page } = await buyer();
      const popup = await promiseCash(page);
      await page.evaluate(() => {
        const { fetch } = window;
        const both = Promise.withResolvers<void>();
        let answers = 0;
        window.fetch = async (...request) => {
          const response = await fetch(...request);
          if (!/\/reconciliation$|\/planes\.data/.test(response.url)) return response;
          const body = await response.blob();
          if (++answers === 2) both.resolve();
          await both.promise;
          return new Response(body, response);
        };
      });
      await popup.close();
      await payInCash(services);
      await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
      await expect(toast(page, "¡Pago exitoso!")).toBeVisible();
      await expect(gold(page)).toBeVisible();
      await expect(toast(page, "¡Pago exitoso!")).toHaveCount(1);
    },
  );

  test("cash that takes days is on the plans, so that nobody pays twice", FULL_ONLY, async ({ buyer }) => {
    const { page } = await buyer();
    await openPlans(page, "lifetime");
    const popup = await openMercadopago(page);
    await press(popup, "Dejar pendiente (efectivo)");
    await expect(popup.getByRole("heading", { name: "Estamos confirmando tu pago" })).toBeVisible();
    await expect(notice(page, "Estamos confirmando tu pago")).toBeVisible();
    await popup.close();
    await openPlans(page);
    await expect(notice(page, "Estamos confirmando tu pago")).toContainText("no hace falta que pagues otra vez");
    await expect(paypalButton(page)).toHaveCount(0);
    await expectAccessible(page, "the plans with a payment under way");
    await expectNoSidewaysScroll(page);
    await page.getByRole("link", { name: "Comprobar ahora" }).click();
    await expect(page.getByRole("heading", { name: "Estamos confirmando tu pago" })).toBeVisible();
    await page.goBack();
    await alive(page);
    await page.getByRole("link", { name: "Pagar de otra manera" }).click();
    await expect(paypalButton(page)).toBeVisible();
    await expect(mercadopagoButton(page)).toBeEnabled();
  });

  test(
    "a window that the browser blocks is explained, and paying goes on in this tab",
    FULL_ONLY,
    async ({ buyer, hasGold }) => {
      const somebody = await buyer();
      const { page } = somebody;
      await page.addInitScript(() => {
        window.open = () => null;
      });
      await openPlans(page, "lifetime");
      await mercadopagoButton(page).click();
      const words = "No se pudo abrir MercadoPago. Verifica que no esté bloqueado el popup.";
      await expect(toast(page, words)).toBeVisible();
      await expect(card(page, "MercadoPago").getByRole("alert")).toContainText(words);
      await expectAccessible(page, "the plans with a blocked window");
      await press(page, "Pagar en esta pestaña");
      await page.getByRole("link", { name: "Ir a MercadoPago" }).click();
      await press(page, "Pagar");
      await expect(page.getByRole("heading", { name: "¡Suscripción activada!" })).toBeVisible();
      expect(await hasGold(somebody)).toBe(true);
    },
  );

  test("messages of strangers, of unknown kinds and about other payments are not heard", async ({
    buyer,
    services,
  }) => {
    const somebody = await buyer();
    const { page } = somebody;
    const readings = countReadings(page);
    await openPlans(page, "lifetime");
    const popup = await openMercadopago(page);
    const { external_id } = await attemptOf(services, somebody);
    const heard = await countMessages(page);
    // From the payment service's own origin.
    await popup.evaluate((preference_id) => {
      window.opener.postMessage({ type: "payment_success", preference_id }, "*");
      window.opener.postMessage({ type: "payment_error", message: "x" }, "*");
    }, external_id);
    // From our own origin, but from another window than the one that pays.
    await page.evaluate((preference_id) => {
      window.postMessage({ type: "payment_success", preference_id }, location.origin);
      const frame = document.createElement("iframe");
      document.body.append(frame);
      for (const data of [null, "payment_success", 5, { type: "payment_success", preference_id }])
        dispatchEvent(new MessageEvent("message", { data, origin: location.origin, source: frame.contentWindow }));
      frame.remove();
    }, external_id);
    const other = new BroadcastMessages(page);
    await other.send({ checkout: "0f8fad5b-d9cb-469f-a165-70867728950e", said: "paid" });
    await other.send({ nonsense: true });
    await expect.poll(heard).toBe(9);
    expect(readings()).toBe(0);
    await expect(page.getByRole("button", { name: "Esperando el pago…" })).toBeVisible();
  });

  test(
    "a page of the window may speak only of the payment that it was opened for",
    FULL_ONLY,
    async ({ buyer, services }) => {
      const somebody = await buyer();
      const { page } = somebody;
      const readings = countReadings(page);
      await openPlans(page, "lifetime");
      const popup = await openMercadopago(page);
      const { external_id, id } = await attemptOf(services, somebody);
      // A page of ours that may speak with its opener, and says nothing by itself.
      await popup.route("**/planes/pago/**", (route) =>
        route.fulfill({
          contentType: "text/html",
          headers: { "cross-origin-opener-policy": "unsafe-none" },
          body: "<title>Fin</title>",
        }),
      );
      await popup.goto(`${services.url}/planes/pago/${id}/fin`);
      const heard = await countMessages(page);
      const say = (data: unknown) =>
        popup.evaluate((message) => window.opener.postMessage(message, location.origin), data);
      for (const data of [
        { type: "payment_success", preference_id: "123456789-somebody-else" },
        { type: "payment_success" },
        { type: "payment_succeeded", preference_id: external_id },
        { preference_id: external_id },
        "payment_success",
        null,
      ])
        await say(data);
      await expect.poll(heard).toBe(6);
      expect(readings()).toBe(0);
      await expect(page.getByRole("button", { name: "Esperando el pago…" })).toBeVisible();
      // What is said of the right one is a hint: the server is asked, and knows of no payment.
      await say({ type: "payment_success", preference_id: external_id });
      await expect.poll(readings).toBe(1);
      await expect(notice(page, "Estamos confirmando tu pago")).toBeVisible();
      await expect(gold(page)).toHaveCount(0);
    },
  );

  test(
    "the tab with the plans hears of a payment whose window has lost it",
    FULL_ONLY,
    async ({ buyer, services, hasGold }) => {
      services.mercadopago.pageHeaders = { "cross-origin-opener-policy": "same-origin" };
      const somebody = await buyer();
      const { page } = somebody;
      await openPlans(page, "lifetime");
      const popup = await openMercadopago(page);
      // To the tab with the plans the window looks closed from here on; and our server has nothing new to say by itself.
      await page.route(/\/api\/checkouts\/[^/]+$/, (route) => route.fulfill({ json: { status: "open" } }));
      await expect(notice(page, "El pago no se ha completado")).toBeVisible();
      await press(popup, "Pagar");
      await expect(popup.getByRole("heading", { name: "¡Suscripción activada!" })).toBeVisible();
      await expect(toast(page, "¡Pago exitoso!")).toBeVisible();
      await expect(gold(page)).toBeVisible();
      expect(await hasGold(somebody)).toBe(true);
    },
  );

  test(
    "with the notification first, and with MercadoPago silent and there again",
    FULL_ONLY,
    async ({ buyer, services, hasGold }) => {
      services.mercadopago.delivery = "at once";
      const first = await buyer();
      await openPlans(first.page, "lifetime");
      await press(await openMercadopago(first.page), "Pagar");
      await expect(toast(first.page, "¡Pago exitoso!")).toBeVisible();
      expect(await membershipsOf(services, first)).toHaveLength(1);

      services.mercadopago.delivery = "by hand";
      const second = await buyer();
      await openPlans(second.page, "lifetime");
      const popup = await openMercadopago(second.page);
      services.mercadopago.trouble(/GET \/v1\/payments/, "receiving", { status: 500 }, 3);
      await press(popup, "Pagar");
      await expect(notice(second.page, "Estamos confirmando tu pago")).toBeVisible();
      expect(await hasGold(second)).toBe(false);
      await expect(toast(second.page, "¡Pago exitoso!")).toBeVisible({ timeout: 20_000 });
      expect(await hasGold(second)).toBe(true);
    },
  );
});

/** Speaks on our own channel from another tab. */
class BroadcastMessages {
  readonly #page: Page;
  constructor(page: Page) {
    this.#page = page;
  }
  async send(message: unknown) {
    const tab = await this.#page.context().newPage();
    await tab.goto("/ayuda");
    await tab.evaluate((data) => new BroadcastChannel("payments").postMessage(data), message);
    await tab.close();
  }
}

test.describe("a membership", () => {
  /** Somebody who has paid a month with PayPal. */
  async function member(buyer: () => Promise<Buyer>, services: PaymentServices): Promise<Buyer> {
    const somebody = await buyer();
    await openPlans(somebody.page);
    const popup = await openPaypal(somebody.page);
    await press(popup, "Suscribirse");
    await expect(gold(somebody.page)).toBeVisible();
    expect(subscriptionOf(services, somebody).status).toBe("ACTIVE");
    return somebody;
  }
  const cancel = async (page: Page) => {
    await page.getByRole("link", { name: "Cancelar la suscripción" }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog).toContainText("Gold termina en este momento");
    await expectAccessible(page, "the dialog that cancels");
    await press(page, "Cancelar la suscripción");
  };

  test("is cancelled here and at PayPal, and the dialog says beforehand that Gold ends", async ({
    buyer,
    services,
    hasGold,
  }) => {
    const somebody = await member(buyer, services);
    await cancel(somebody.page);
    await expect(toast(somebody.page, "Suscripción cancelada")).toBeVisible();
    expect(await hasGold(somebody)).toBe(false);
    expect(subscriptionOf(services, somebody).status).toBe("CANCELLED");
    await expect(gold(somebody.page)).toHaveCount(0);
  });

  test(
    "is chosen, paid with either service, and cancelled, by keyboard alone",
    FULL_ONLY,
    async ({ buyer, services, hasGold }) => {
      const somebody = await buyer();
      const { page } = somebody;
      await openPlans(page);
      await pressOn(page, page.getByRole("link", { name: /^Lifetime/ }));
      await expect(page).toHaveURL(/plan=lifetime/);
      const closed = await windowOf(page, () => pressOn(page, mercadopagoButton(page)));
      await closed.close();
      await expect(mercadopagoButton(page)).toBeEnabled();
      await pressOn(page, page.getByRole("link", { name: /Mensual/ }));
      await expect(page).toHaveURL(/plan=mensual/);
      const popup = await windowOf(page, () => pressOn(page, paypalButton(page)));
      await tabTo(popup, popup.getByRole("button", { name: "Suscribirse", exact: true }));
      // The window may close before the key is up again.
      await popup.keyboard.press("Enter").catch(() => {});
      await expect(gold(page)).toBeVisible();
      expect(await hasGold(somebody)).toBe(true);

      const opener = page.getByRole("link", { name: "Cancelar la suscripción" });
      await pressOn(page, opener);
      await expect(page.getByRole("dialog")).toContainText("Gold termina en este momento");
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog")).toBeHidden();
      await expect(opener).toBeFocused();
      await page.keyboard.press("Enter");
      await pressOn(page, page.getByRole("dialog").getByRole("button", { name: "Cancelar la suscripción" }));
      await expect(toast(page, "Suscripción cancelada")).toBeVisible();
      expect(await hasGold(somebody)).toBe(false);
      expect(subscriptionOf(services, somebody).status).toBe("CANCELLED");
    },
  );

  test(
    "is cancelled here while PayPal is silent, and PayPal is told again",
    FULL_ONLY,
    async ({ buyer, services, hasGold }) => {
      const somebody = await member(buyer, services);
      const { page } = somebody;
      services.paypal.trouble(/\/cancel$/, "receiving", { status: 503 }, 50);
      await cancel(page);
      await expect(toast(page, "le avisamos otra vez hasta que lo haga")).toBeVisible();
      expect(await hasGold(somebody)).toBe(false);
      await expect(notice(page, "PayPal todavía no ha confirmado")).toBeVisible();
      await expectAccessible(page, "the plans with a cancellation that is not confirmed");
      await expectNoSidewaysScroll(page);
      services.paypal.calm();
      await press(page, "Avisar otra vez");
      await expect(toast(page, "El servicio de pago lo ha confirmado")).toBeVisible();
      expect(subscriptionOf(services, somebody).status).toBe("CANCELLED");
      await expect(notice(page, "PayPal todavía no ha confirmado")).toHaveCount(0);
    },
  );

  test(
    "that could not be charged gives no Gold any more, and can be ended so that PayPal stops trying",
    FULL_ONLY,
    async ({ buyer, services, hasGold }) => {
      const somebody = await member(buyer, services);
      const { page } = somebody;
      const over = "now() - interval '1 hour'";
      await services.sql(
        `update subscriptions set next_billing_date = ${over}, grace_from = ${over}, provider_state = 'suspended' where psychologist_id = $1`,
        [somebody.id],
      );
      await services.sql(`update psychologist_profiles set gold_until = ${over} where id = $1`, [somebody.id]);
      await openPlans(page);
      await expect(page.getByText("Sin Gold: no se pudo cobrar")).toBeVisible();
      await expect(notice(page, "PayPal puede volver a intentar el cobro")).toBeVisible();
      await expectAccessible(page, "the plans with a month that was not charged");
      await expectNoSidewaysScroll(page);
      await press(page, "Cancelar la suscripción");
      await expect(toast(page, "Suscripción cancelada")).toBeVisible();
      await expect(notice(page, "PayPal puede volver a intentar el cobro")).toHaveCount(0);
      expect(await hasGold(somebody)).toBe(false);
      expect(subscriptionOf(services, somebody).status).toBe("CANCELLED");
    },
  );

  test("of a month becomes one for life, and the month ends at PayPal", async ({ buyer, services, hasGold }) => {
    const somebody = await member(buyer, services);
    const { page } = somebody;
    const monthly = subscriptionOf(services, somebody).id;
    await expect(page.getByRole("heading", { name: "Pasar a Lifetime" })).toBeVisible();
    const popup = await openMercadopago(page);
    await press(popup, "Pagar");
    await expect(toast(page, "¡Pago exitoso!")).toBeVisible();
    await expect(page.getByText("Nunca: es de por vida")).toBeVisible();
    await expect(page.getByRole("link", { name: "Cancelar la suscripción" })).toHaveCount(0);
    await expectAccessible(page, "a membership for life");
    await expect.poll(() => services.paypal.subscriptions.get(monthly)!.status).toBe("CANCELLED");
    expect(await hasGold(somebody)).toBe(true);
    expect((await membershipsOf(services, somebody)).map(({ status }) => status)).toEqual(["cancelled", "active"]);
  });

  test("whose money went back is over, and its history says why", async ({ buyer, services, hasGold }) => {
    const somebody = await member(buyer, services);
    const { paypal } = services;
    for (const event of await paypal.refund(subscriptionOf(services, somebody).sales[0]!.id)) await paypal.send(event);
    await somebody.page.reload();
    await expect(gold(somebody.page)).toHaveCount(0);
    await expect(somebody.page.getByRole("table")).toContainText("devuelto");
    await expect(somebody.page.getByRole("table")).toContainText("Terminó: se devolvió el pago");
    expect(await hasGold(somebody)).toBe(false);
  });
});

test("the administrator sees what a person has to look at, and puts it aside", async ({ buyer, services }) => {
  const { paypal } = services;
  const [payer, leaver] = [await buyer(), await buyer()];
  paypal.charges = { cents: 99 };
  await openPlans(payer.page);
  await press(await openPaypal(payer.page), "Suscribirse");
  await expect(notice(payer.page, "Tu pago necesita una revisión")).toBeVisible();
  paypal.charges = {};
  await openPlans(leaver.page);
  await press(await openPaypal(leaver.page), "Suscribirse");
  await expect(gold(leaver.page)).toBeVisible();
  paypal.trouble(/\/cancel$/, "receiving", { status: 503 }, 50);
  await leaver.page.goto("/planes?cancelar=1");
  await press(leaver.page, "Cancelar la suscripción");
  await expect(notice(leaver.page, "PayPal todavía no ha confirmado")).toBeVisible();

  await services.sql("delete from profiles where email = $1", [ADMIN_EMAIL]);
  const { page } = await buyer({ type: "user", email: ADMIN_EMAIL });
  await page.goto("/admin?vista=membresias");
  const problem = page.getByRole("article").filter({ hasText: payer.email });
  await expect(problem).toContainText("Pago que no coincide con el plan: el importe es menor");
  await expect(problem).toContainText(subscriptionOf(services, payer).sales[0]!.id);
  const untold = page.getByRole("article").filter({ hasText: subscriptionOf(services, leaver).id });
  await expect(untold).toContainText("La canceló la persona");
  await expect(untold).toContainText(leaver.email);
  await expectAccessible(page, "payments for the administrator");
  await expectNoSidewaysScroll(page);
  await problem.getByRole("button", { name: /Marcar como atendido/ }).click();
  await expect(toast(page, "Asunto atendido")).toBeVisible();
  await expect(problem).toHaveCount(0);
});

test.describe("who may buy", () => {
  test("nobody before being verified, with the reason, and no script of PayPal's", async ({ buyer }) => {
    const { page } = await buyer({ type: "psychologist", verified: false });
    await openPlans(page);
    await expect(card(page, "PayPal").getByRole("button")).toBeDisabled();
    await expect(card(page, "MercadoPago").getByRole("button")).toBeDisabled();
    await expect(paypalButton(page)).toHaveCount(0);
    await expect(page.getByRole("status").first()).toContainText(/verific/i);
    await expectAccessible(page, "the plans before verification");
  });

  test("no user and no visitor", async ({ buyer, page, watch }) => {
    watch.expectStatus(403);
    const user = await buyer({ type: "user" });
    for (const each of [user.page, page]) {
      await each.goto("/planes");
      await expect(each.getByRole("heading", { name: "Acceso solo para psicólogos" })).toBeVisible();
    }
  });

  test("nobody whose session is lost meanwhile", async ({ buyer, watch }) => {
    watch.expectStatus(401);
    const { page, context } = await buyer();
    await openPlans(page);
    await expect(paypalButton(page)).toBeVisible();
    await context.clearCookies();
    await paypalButton(page).click();
    await expect(toast(page, "Debes iniciar sesión para suscribirte")).toBeVisible();
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("both services are paid in this tab", async ({ buyer, hasGold }) => {
    const first = await buyer();
    await first.page.goto("/planes");
    await press(first.page, "Pagar con PayPal");
    await first.page.getByRole("link", { name: "Ir a PayPal" }).click();
    await press(first.page, "Suscribirse");
    await expect(first.page.getByRole("heading", { name: "¡Suscripción activada!" })).toBeVisible();
    expect(await hasGold(first)).toBe(true);

    const second = await buyer();
    await second.page.goto("/planes?plan=mensual");
    await second.page.getByLabel("Correo de tu cuenta de MercadoPago").fill("yo@example.com");
    await press(second.page, "Pagar con MercadoPago");
    await second.page.getByRole("link", { name: "Ir a MercadoPago" }).click();
    await press(second.page, "Confirmar");
    await expect(second.page.getByRole("heading", { name: "¡Suscripción activada!" })).toBeVisible();
    expect(await hasGold(second)).toBe(true);
  });

  test("an address that is none is said beside its field, and stays", async ({ buyer, watch }) => {
    watch.expectStatus(422);
    const { page } = await buyer();
    await page.goto("/planes");
    await page.getByRole("link", { name: "Mensual" }).click();
    await page.getByLabel("Correo de tu cuenta de MercadoPago").fill("yo@x");
    await press(page, "Pagar con MercadoPago");
    await expect(page.getByRole("link", { name: "Mensual" })).toHaveAttribute("aria-current", "page");
    await expect(page.getByLabel("Correo de tu cuenta de MercadoPago")).toHaveAttribute("aria-invalid", "true");
    await expect(page.getByLabel("Correo de tu cuenta de MercadoPago")).toHaveValue("yo@x");
  });
});
