import type { Page } from "@playwright/test";
import { alive, expectAccessible, expectNoSidewaysScroll, FULL_ONLY, holdBack, toast } from "./fixtures.ts";
import { pressOn, tabTo } from "./keys.ts";
import { type Buyer, expect, type PaymentProviders, test } from "./payment-fixtures.ts";
import { ADMIN_EMAIL } from "./server.ts";

const GOLD = "Ya tienes Membresía Gold";
const gold = (page: Page) => page.getByRole("heading", { name: GOLD });
const card = (page: Page, name: "PayPal" | "MercadoPago") => page.getByRole("region", { name: `Con ${name}` });
const paypalButton = (page: Page) => page.getByRole("button", { name: "PayPal · Suscribirse" });
const mercadopagoButton = (page: Page) => page.getByRole("button", { name: "Pagar con MercadoPago" });
const notice = (page: Page, title: string) => page.getByRole("status").filter({ hasText: title });

/** Opens the plans, and waits until they are hydrated. */
async function openPlans(page: Page, plan: "mensual" | "lifetime" = "mensual"): Promise<void> {
  await page.goto(`/planes?plan=${plan}`);
  await alive(page);
}

/** The window that a click opens, once its page is loaded. */
async function windowOf(page: Page, press: () => Promise<void>): Promise<Page> {
  const [popup] = await Promise.all([page.waitForEvent("popup"), press()]);
  await popup.waitForURL(/checkout.*id=/);
  return popup;
}
const openPaypal = (page: Page) => windowOf(page, () => paypalButton(page).click());
const openMercadopago = (page: Page) => windowOf(page, () => mercadopagoButton(page).click());
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

/** Chooses to pay a lifetime plan in cash. Returns the payment window. */
async function chooseCash(page: Page): Promise<Page> {
  await openPlans(page, "lifetime");
  const popup = await openMercadopago(page);
  await press(popup, "Dejar pendiente (efectivo)");
  await expect(notice(page, "Estamos confirmando tu pago")).toBeVisible();
  return popup;
}

/** Completes the last cash payment, and sends its webhook events. */
async function payInCash({ mercadopago }: PaymentProviders): Promise<void> {
  const [preference] = [...mercadopago.preferences.values()].slice(-1);
  for (const one of await mercadopago.approve(preference!.payments[0]!.id)) await mercadopago.send(one);
}

/** Calls that ask the server to read a payment provider. */
function countReadings(page: Page): () => number {
  let readings = 0;
  page.on("request", (request) => {
    if (request.url().endsWith("/reconciliation")) readings++;
  });
  return () => readings;
}

/** Counts the messages of a tab, each after the listeners of the page have handled it. */
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

/** The last PayPal subscription of a buyer. */
const subscriptionOf = ({ paypal }: PaymentProviders, { id }: Buyer) =>
  [...paypal.subscriptions.values()].findLast(({ custom_id }) => custom_id === id)!;
async function checkoutOf({ sql }: PaymentProviders, { id }: Buyer) {
  const rows = await sql<{ id: string; external_id: string; status: string }>(
    "select id, external_id, status from checkouts where psychologist_id = $1 order by created_at desc limit 1",
    [id],
  );
  return rows[0]!;
}
const membershipsOf = ({ sql }: PaymentProviders, { id }: Buyer) =>
  sql<{ provider: string; plan_type: string; status: string }>(
    "select provider, plan_type, status from subscriptions where psychologist_id = $1 order by created_at",
    [id],
  );

test.describe("with PayPal", () => {
  test("PayPal's own button leads to Gold", async ({ buyer, providers, hasGold }) => {
    const psychologist = await buyer();
    const { page } = psychologist;
    await openPlans(page);
    await expect(paypalButton(page)).toBeVisible();
    await expectAccessible(page, "the plans with PayPal's button");
    await expectNoSidewaysScroll(page);
    const popup = await openPaypal(page);
    await expect(popup.getByText("4.99 USD")).toBeVisible();
    expect(await hasGold(psychologist)).toBe(false);
    await press(popup, "Suscribirse");
    await expect(toast(page, "¡Suscripción exitosa!")).toBeVisible();
    await expect(gold(page)).toBeVisible();
    expect(await hasGold(psychologist)).toBe(true);
    await expect(page.getByRole("table")).toContainText("4,99 USD · pagado");
    await expectAccessible(page, "the plans with a membership");
    await expectNoSidewaysScroll(page);
    expect(subscriptionOf(providers, psychologist)).toMatchObject({
      plan_id: "P-FAKEMONTHLY",
      custom_id: psychologist.id,
    });
  });

  test("its script is loaded with vault and the intent of a subscription, only on the plans", async ({
    buyer,
    providers,
  }) => {
    const { page } = await buyer();
    const scripts: URL[] = [];
    page.on("request", (request) => {
      if (request.url().startsWith(providers.paypal.url)) scripts.push(new URL(request.url()));
    });
    const response = await page.goto("/planes");
    await expect(paypalButton(page)).toBeVisible();
    expect(Object.fromEntries(scripts[0]!.searchParams)).toMatchObject({
      "client-id": providers.paypal.clientId,
      vault: "true",
      intent: "subscription",
      currency: "USD",
    });
    expect(response!.headers()["content-security-policy"]).toContain(providers.paypal.url);
    expect(response!.headers()["cross-origin-opener-policy"]).toBe("unsafe-none");
    // The policy also allows PayPal's styles, pictures, frames, calls, and scripts with the nonce.
    await expect(page.locator("html")).toHaveAttribute("data-paypal-inline", "ran");
    for (const path of ["/sdk/logo.svg", "/sdk/frame", "/sdk/log"])
      await expect.poll(() => providers.paypal.calls).toContain(`GET ${path}`);

    // Leaving is a full page load, without the wider policy.
    const asked = scripts.length;
    const [left] = await Promise.all([
      page.waitForResponse(
        (answer) => new URL(answer.url()).pathname === "/" && answer.request().isNavigationRequest(),
      ),
      page.getByRole("link", { name: "Diván", exact: true }).first().click(),
    ]);
    expect(left.headers()["content-security-policy"]).not.toContain(providers.paypal.url);
    // Where the router leads there, the document is loaded, and its policy with it.
    await alive(page);
    await page.evaluate(() => {
      history.pushState({}, "", "/planes");
      dispatchEvent(new PopStateEvent("popstate"));
    });
    await expect(paypalButton(page)).toBeVisible();
    expect(scripts.length).toBeGreaterThan(asked);
  });

  test("the webhook event may come first", FULL_ONLY, async ({ buyer, providers, hasGold }) => {
    providers.paypal.delivery = "automatic";
    const psychologist = await buyer();
    const { page } = psychologist;
    await openPlans(page, "lifetime");
    const popup = await openPaypal(page);
    await press(popup, "Suscribirse");
    await expect(toast(page, "¡Suscripción exitosa!")).toBeVisible();
    await expect(page.getByText("Nunca: es de por vida")).toBeVisible();
    expect(await hasGold(psychologist)).toBe(true);
    expect(await membershipsOf(providers, psychologist)).toHaveLength(1);
  });

  test("the webhook event may come last, and more than once", FULL_ONLY, async ({ buyer, providers }) => {
    const psychologist = await buyer();
    const { page } = psychologist;
    await openPlans(page);
    const popup = await openPaypal(page);
    await press(popup, "Suscribirse");
    await expect(gold(page)).toBeVisible();
    const { id } = subscriptionOf(providers, psychologist);
    const events = providers.paypal.events.filter(({ resource }) =>
      [resource.id, resource.billing_agreement_id].includes(id),
    );
    expect(events.length).toBeGreaterThanOrEqual(3);
    for (const event of events.toReversed())
      expect(await providers.paypal.send(event, { times: 2, parallel: true })).toEqual([200, 200]);
    expect(await membershipsOf(providers, psychologist)).toEqual([
      { provider: "paypal", plan_type: "monthly", status: "active" },
    ]);
    await page.reload();
    await expect(page.getByRole("table").getByRole("row")).toHaveCount(2);
  });

  test(
    "what PayPal still calls pending is confirmed a little later",
    FULL_ONLY,
    async ({ buyer, providers, hasGold }) => {
      providers.paypal.lag = 2;
      const psychologist = await buyer();
      const { page } = psychologist;
      await openPlans(page);
      const popup = await openPaypal(page);
      await press(popup, "Suscribirse");
      await expect(notice(page, "Estamos confirmando tu pago")).toBeVisible();
      expect(await hasGold(psychologist)).toBe(false);
      await expectAccessible(page, "the plans while a payment is confirmed");
      // No second payment is offered meanwhile, not even after a reload.
      await expect(paypalButton(page)).toHaveCount(0);
      await page.reload();
      await expect(notice(page, "Estamos confirmando tu pago")).toBeVisible();
      await expect(card(page, "PayPal").getByRole("button")).toBeDisabled();
      await expect(toast(page, "¡Suscripción exitosa!")).toBeVisible({ timeout: 20_000 });
      await expect(gold(page)).toBeVisible();
      expect(await hasGold(psychologist)).toBe(true);
    },
  );

  test("PayPal falls silent after the approval, and is there again", async ({ buyer, providers, hasGold }) => {
    const psychologist = await buyer();
    const { page } = psychologist;
    await openPlans(page);
    const popup = await openPaypal(page);
    providers.paypal.injectFault(/GET \/v1\/billing/, "receiving", { status: 503 }, 2);
    await press(popup, "Suscribirse");
    await expect(notice(page, "Estamos confirmando tu pago")).toBeVisible();
    expect(await hasGold(psychologist)).toBe(false);
    await expect(toast(page, "¡Suscripción exitosa!")).toBeVisible({ timeout: 20_000 });
    expect(await hasGold(psychologist)).toBe(true);
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
    await expectAccessible(page, "the plans while no one can be asked");
    await expect(toast(page, "¡Suscripción exitosa!")).toBeVisible({ timeout: 20_000 });
  });

  test(
    "a membership that the page loads meanwhile ends the pending payment",
    FULL_ONLY,
    async ({ buyer, providers, watch }) => {
      watch.expectStatus(503);
      const psychologist = await buyer();
      const { page } = psychologist;
      await openPlans(page);
      const popup = await openPaypal(page);
      await page.route("**/reconciliation", (route) => route.fulfill({ status: 503, json: { code: "unavailable" } }));
      providers.paypal.delivery = "automatic";
      await press(popup, "Suscribirse");
      await expect(notice(page, "Todavía no hemos podido comprobar tu pago")).toBeVisible();
      await expect.poll(async () => (await membershipsOf(providers, psychologist)).length).toBe(1);
      // As when the user comes back to the tab.
      await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
      await expect(gold(page)).toBeVisible();
      await expect(toast(page, "¡Suscripción exitosa!")).toBeVisible();
      await expect(notice(page, "Todavía no hemos podido comprobar tu pago")).toHaveCount(0);
      expect(await page.evaluate(() => sessionStorage.getItem("confirming"))).toBeNull();
    },
  );

  test(
    "a window closed while our own server is down is remembered over a reload",
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

  test("PayPal is silent from the start", FULL_ONLY, async ({ buyer, providers, watch }) => {
    watch.expectStatus(502);
    const psychologist = await buyer();
    const { page } = psychologist;
    await openPlans(page);
    providers.paypal.injectFault(/POST \/v1\/billing/, "receiving", { status: 500 });
    await expect(paypalButton(page)).toBeVisible();
    await paypalButton(page).click();
    await expect(toast(page, "Error de PayPal")).toBeVisible();
    await expect(toast(page, "Hubo un problema con el procesador de pagos")).toBeVisible();
    expect((await checkoutOf(providers, psychologist)).status).toBe("failed");
    const popup = await openPaypal(page);
    await press(popup, "Suscribirse");
    await expect(gold(page)).toBeVisible();
  });

  test("a buyer who leaves PayPal's window pays nothing and may try again", FULL_ONLY, async ({ buyer, hasGold }) => {
    const psychologist = await buyer();
    const { page } = psychologist;
    await openPlans(page);
    const first = await openPaypal(page);
    await press(first, "Cancelar y volver");
    await expect(notice(page, "El pago no se ha completado")).toBeVisible();
    await expectAccessible(page, "the plans after an unfinished payment");
    const second = await openPaypal(page);
    await expect(notice(page, "El pago no se ha completado")).toHaveCount(0);
    await second.close();
    await expect(notice(page, "El pago no se ha completado")).toBeVisible();
    expect(await hasGold(psychologist)).toBe(false);
    await expect(paypalButton(page)).toBeVisible();
  });

  test("where its script is blocked, the payment continues in this tab", async ({ buyer, providers, hasGold }) => {
    const psychologist = await buyer();
    const { page, context } = psychologist;
    await context.route(`${providers.paypal.url}/sdk/**`, (route) =>
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
    expect(await hasGold(psychologist)).toBe(true);
    await page.getByRole("link", { name: "Ver mi membresía" }).click();
    await expect(gold(page)).toBeVisible();
  });

  test("a payment that does not match the offer gives no Gold and is reported", async ({
    buyer,
    providers,
    hasGold,
  }) => {
    providers.paypal.chargeOverride = { cents: 99 };
    const psychologist = await buyer();
    const { page } = psychologist;
    await openPlans(page, "lifetime");
    const popup = await openPaypal(page);
    await press(popup, "Suscribirse");
    await expect(notice(page, "Tu pago necesita una revisión")).toBeVisible();
    await expectAccessible(page, "the plans after a payment that does not match");
    expect(await hasGold(psychologist)).toBe(false);
  });
});

test.describe("with MercadoPago", () => {
  test("a single payment in its window leads to Gold", async ({ buyer, hasGold }) => {
    const psychologist = await buyer();
    const { page } = psychologist;
    await openPlans(page, "lifetime");
    const popup = await openMercadopago(page);
    expect(popup.url()).toContain("/mp/checkout?pref_id=");
    await expect(page.getByRole("button", { name: "Esperando el pago…" })).toBeVisible();
    await expectAccessible(page, "the plans while a payment window is open");
    await press(popup, "Pagar");
    await expect(toast(page, "¡Pago exitoso!")).toBeVisible();
    expect(popup.isClosed()).toBe(true);
    await expect(gold(page)).toBeVisible();
    expect(await hasGold(psychologist)).toBe(true);
  });

  test("its window is opened with 600 by 700, in the click itself", FULL_ONLY, async ({ buyer }) => {
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
    providers,
    hasGold,
  }) => {
    const psychologist = await buyer();
    const { page } = psychologist;
    await openPlans(page);
    const address = page.getByLabel("Correo de tu cuenta de MercadoPago");
    await expect(address).toHaveValue(psychologist.email);
    await address.fill("otra.cuenta@example.com");
    const popup = await openMercadopago(page);
    await expect(popup.getByText("otra.cuenta@example.com")).toBeVisible();
    await press(popup, "Confirmar");
    await expect(toast(page, "¡Pago exitoso!")).toBeVisible();
    await expect(page.getByText("Por confirmar")).toBeVisible();
    await expectAccessible(page, "a provisional membership");
    expect(await hasGold(psychologist)).toBe(true);

    const { external_id } = await checkoutOf(providers, psychologist);
    const { webhooks } = await providers.mercadopago.charge(external_id);
    for (const one of webhooks) expect(await providers.mercadopago.send(one)).toEqual([200]);
    await page.reload();
    await expect(page.getByText("Por confirmar")).toHaveCount(0);
    await expect(page.getByRole("table")).toContainText("4.999 ARS · pagado");
    await expect(page.getByRole("table").getByRole("row")).toHaveCount(2);
  });

  test("a refused payment says so and can be tried again", async ({ buyer, hasGold }) => {
    const psychologist = await buyer();
    const { page } = psychologist;
    await openPlans(page, "lifetime");
    const popup = await openMercadopago(page);
    await press(popup, "Rechazar");
    await expect(toast(page, "Error en el pago")).toBeVisible();
    await expect(toast(page, "Hubo un problema al procesar tu pago. Inténtalo nuevamente.")).toBeVisible();
    expect(await hasGold(psychologist)).toBe(false);
    await expect(mercadopagoButton(page)).toBeEnabled();
  });

  test(
    "closing the window is no error, and a payment made in it is found",
    FULL_ONLY,
    async ({ buyer, providers, hasGold }) => {
      const psychologist = await buyer();
      const { page } = psychologist;
      await openPlans(page, "lifetime");
      const popup = await openMercadopago(page);
      await popup.close();
      await expect(notice(page, "El pago no se ha completado")).toBeVisible();
      await expect(page.getByRole("region", { name: "Avisos" })).not.toContainText("Error");
      await expect(mercadopagoButton(page)).toBeEnabled();

      const { webhooks } = await providers.mercadopago.pay((await checkoutOf(providers, psychologist)).external_id);
      for (const one of webhooks) expect(await providers.mercadopago.send(one)).toEqual([200]);
      await expect(toast(page, "¡Pago exitoso!")).toBeVisible();
      await expect(gold(page)).toBeVisible();
      expect(await hasGold(psychologist)).toBe(true);
    },
  );

  test("a buyer who goes back without paying sees that nothing was completed", FULL_ONLY, async ({ buyer }) => {
    const { page } = await buyer();
    await openPlans(page, "lifetime");
    const popup = await openMercadopago(page);
    await press(popup, "Volver al sitio");
    await expect(notice(page, "El pago no se ha completado")).toBeVisible();
    await expect.poll(() => popup.isClosed()).toBe(true);
  });

  test("cash that is paid later gives Gold later", async ({ buyer, providers, hasGold }) => {
    const psychologist = await buyer();
    const { page } = psychologist;
    await openPlans(page, "lifetime");
    const popup = await openMercadopago(page);
    await press(popup, "Dejar pendiente (efectivo)");
    await expect(popup.getByRole("heading", { name: "Estamos confirmando tu pago" })).toBeVisible();
    await expect(notice(page, "Estamos confirmando tu pago")).toBeVisible();
    expect(await hasGold(psychologist)).toBe(false);
    const [preference] = [...providers.mercadopago.preferences.values()].slice(-1);
    const [payment] = preference!.payments;
    for (const one of await providers.mercadopago.approve(payment!.id)) await providers.mercadopago.send(one);
    await expect(toast(page, "¡Pago exitoso!")).toBeVisible({ timeout: 20_000 });
    expect(await hasGold(psychologist)).toBe(true);
  });

  test(
    "a payment whose membership the page loads before it polls again is announced",
    FULL_ONLY,
    async ({ buyer, providers }) => {
      const { page } = await buyer();
      const popup = await chooseCash(page);
      await holdBack(page, /\/reconciliation$/);
      await popup.close();
      await payInCash(providers);
      // As when the user comes back from another tab.
      await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
      await expect(gold(page)).toBeVisible();
      await expect(toast(page, "¡Pago exitoso!")).toBeVisible();
    },
  );

  test(
    "a payment whose membership the page loads while it polls is announced once",
    FULL_ONLY,
    async ({ buyer, providers }) => {
      const { page } = await buyer();
      const popup = await chooseCash(page);
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
      await payInCash(providers);
      await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
      await expect(toast(page, "¡Pago exitoso!")).toBeVisible();
      await expect(gold(page)).toBeVisible();
      await expect(toast(page, "¡Pago exitoso!")).toHaveCount(1);
    },
  );

  test("cash that takes days is on the plans, so that no one pays twice", FULL_ONLY, async ({ buyer }) => {
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
    "a blocked window is explained, and the payment continues in this tab",
    FULL_ONLY,
    async ({ buyer, hasGold }) => {
      const psychologist = await buyer();
      const { page } = psychologist;
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
      expect(await hasGold(psychologist)).toBe(true);
    },
  );

  test("messages of other origins, of unknown kinds and about other payments are ignored", async ({
    buyer,
    providers,
  }) => {
    const psychologist = await buyer();
    const { page } = psychologist;
    const readings = countReadings(page);
    await openPlans(page, "lifetime");
    const popup = await openMercadopago(page);
    const { external_id } = await checkoutOf(providers, psychologist);
    const heard = await countMessages(page);
    // From the payment provider's own origin.
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
    await other.send({ checkout: "0f8fad5b-d9cb-469f-a165-70867728950e", outcome: "paid" });
    await other.send({ nonsense: true });
    await expect.poll(heard).toBe(9);
    expect(readings()).toBe(0);
    await expect(page.getByRole("button", { name: "Esperando el pago…" })).toBeVisible();
  });

  test("only messages about the payment of this window count", FULL_ONLY, async ({ buyer, providers }) => {
    const psychologist = await buyer();
    const { page } = psychologist;
    const readings = countReadings(page);
    await openPlans(page, "lifetime");
    const popup = await openMercadopago(page);
    const { external_id, id } = await checkoutOf(providers, psychologist);
    // A page of this site that may post to its opener, and posts nothing by itself.
    await popup.route("**/planes/pago/**", (route) =>
      route.fulfill({
        contentType: "text/html",
        headers: { "cross-origin-opener-policy": "unsafe-none" },
        body: "<title>Fin</title>",
      }),
    );
    await popup.goto(`${providers.url}/planes/pago/${id}/fin`);
    const heard = await countMessages(page);
    const say = (data: unknown) =>
      popup.evaluate((message) => window.opener.postMessage(message, location.origin), data);
    for (const data of [
      { type: "payment_success", preference_id: "123456789-psychologist-else" },
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
    // A message about the right checkout is a hint: the server is asked, and finds no payment.
    await say({ type: "payment_success", preference_id: external_id });
    await expect.poll(readings).toBe(1);
    await expect(notice(page, "Estamos confirmando tu pago")).toBeVisible();
    await expect(gold(page)).toHaveCount(0);
  });

  test(
    "the tab with the plans learns of a payment whose window has lost its opener",
    FULL_ONLY,
    async ({ buyer, providers, hasGold }) => {
      providers.mercadopago.pageHeaders = { "cross-origin-opener-policy": "same-origin" };
      const psychologist = await buyer();
      const { page } = psychologist;
      await openPlans(page, "lifetime");
      const popup = await openMercadopago(page);
      // For the tab with the plans the window looks closed from here on, and our own API reports no change.
      await page.route(/\/api\/checkouts\/[^/]+$/, (route) => route.fulfill({ json: { status: "open" } }));
      await expect(notice(page, "El pago no se ha completado")).toBeVisible();
      await press(popup, "Pagar");
      await expect(popup.getByRole("heading", { name: "¡Suscripción activada!" })).toBeVisible();
      await expect(toast(page, "¡Pago exitoso!")).toBeVisible();
      await expect(gold(page)).toBeVisible();
      expect(await hasGold(psychologist)).toBe(true);
    },
  );

  test(
    "with the webhook event first, and with MercadoPago silent and there again",
    FULL_ONLY,
    async ({ buyer, providers, hasGold }) => {
      providers.mercadopago.delivery = "automatic";
      const first = await buyer();
      await openPlans(first.page, "lifetime");
      await press(await openMercadopago(first.page), "Pagar");
      await expect(toast(first.page, "¡Pago exitoso!")).toBeVisible();
      expect(await membershipsOf(providers, first)).toHaveLength(1);

      providers.mercadopago.delivery = "manual";
      const second = await buyer();
      await openPlans(second.page, "lifetime");
      const popup = await openMercadopago(second.page);
      providers.mercadopago.injectFault(/GET \/v1\/payments/, "receiving", { status: 500 }, 3);
      await press(popup, "Pagar");
      await expect(notice(second.page, "Estamos confirmando tu pago")).toBeVisible();
      expect(await hasGold(second)).toBe(false);
      await expect(toast(second.page, "¡Pago exitoso!")).toBeVisible({ timeout: 20_000 });
      expect(await hasGold(second)).toBe(true);
    },
  );
});

/** Posts to the channel of this site from another tab. */
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
  /** A psychologist who has paid a month with PayPal. */
  async function member(buyer: () => Promise<Buyer>, providers: PaymentProviders): Promise<Buyer> {
    const psychologist = await buyer();
    await openPlans(psychologist.page);
    const popup = await openPaypal(psychologist.page);
    await press(popup, "Suscribirse");
    await expect(gold(psychologist.page)).toBeVisible();
    expect(subscriptionOf(providers, psychologist).status).toBe("ACTIVE");
    return psychologist;
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
    providers,
    hasGold,
  }) => {
    const psychologist = await member(buyer, providers);
    await cancel(psychologist.page);
    await expect(toast(psychologist.page, "Suscripción cancelada")).toBeVisible();
    expect(await hasGold(psychologist)).toBe(false);
    expect(subscriptionOf(providers, psychologist).status).toBe("CANCELLED");
    await expect(gold(psychologist.page)).toHaveCount(0);
  });

  test(
    "is chosen, paid with either service, and cancelled, by keyboard alone",
    FULL_ONLY,
    async ({ buyer, providers, hasGold }) => {
      const psychologist = await buyer();
      const { page } = psychologist;
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
      expect(await hasGold(psychologist)).toBe(true);

      const opener = page.getByRole("link", { name: "Cancelar la suscripción" });
      await pressOn(page, opener);
      await expect(page.getByRole("dialog")).toContainText("Gold termina en este momento");
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog")).toBeHidden();
      await expect(opener).toBeFocused();
      await page.keyboard.press("Enter");
      await pressOn(page, page.getByRole("dialog").getByRole("button", { name: "Cancelar la suscripción" }));
      await expect(toast(page, "Suscripción cancelada")).toBeVisible();
      expect(await hasGold(psychologist)).toBe(false);
      expect(subscriptionOf(providers, psychologist).status).toBe("CANCELLED");
    },
  );

  test(
    "is cancelled here while PayPal is down, and the cancellation is sent again",
    FULL_ONLY,
    async ({ buyer, providers, hasGold }) => {
      const psychologist = await member(buyer, providers);
      const { page } = psychologist;
      providers.paypal.injectFault(/\/cancel$/, "receiving", { status: 503 }, 50);
      await cancel(page);
      await expect(toast(page, "le avisamos otra vez hasta que lo haga")).toBeVisible();
      expect(await hasGold(psychologist)).toBe(false);
      await expect(notice(page, "PayPal todavía no ha confirmado")).toBeVisible();
      await expectAccessible(page, "the plans with a cancellation that is not confirmed");
      await expectNoSidewaysScroll(page);
      providers.paypal.clearFaults();
      await press(page, "Avisar otra vez");
      await expect(toast(page, "El servicio de pago lo ha confirmado")).toBeVisible();
      expect(subscriptionOf(providers, psychologist).status).toBe("CANCELLED");
      await expect(notice(page, "PayPal todavía no ha confirmado")).toHaveCount(0);
    },
  );

  test(
    "that could not be charged gives no Gold any more, and can be cancelled so that PayPal stops retrying",
    FULL_ONLY,
    async ({ buyer, providers, hasGold }) => {
      const psychologist = await member(buyer, providers);
      const { page } = psychologist;
      const over = "now() - interval '1 hour'";
      await providers.sql(
        `update subscriptions set next_billing_date = ${over}, grace_from = ${over}, provider_state = 'suspended' where psychologist_id = $1`,
        [psychologist.id],
      );
      await providers.sql(`update psychologist_profiles set gold_until = ${over} where id = $1`, [psychologist.id]);
      await openPlans(page);
      await expect(page.getByText("Sin Gold: no se pudo cobrar")).toBeVisible();
      await expect(notice(page, "PayPal puede volver a intentar el cobro")).toBeVisible();
      await expectAccessible(page, "the plans with a month that was not charged");
      await expectNoSidewaysScroll(page);
      await press(page, "Cancelar la suscripción");
      await expect(toast(page, "Suscripción cancelada")).toBeVisible();
      await expect(notice(page, "PayPal puede volver a intentar el cobro")).toHaveCount(0);
      expect(await hasGold(psychologist)).toBe(false);
      expect(subscriptionOf(providers, psychologist).status).toBe("CANCELLED");
    },
  );

  test("is upgraded from monthly to lifetime, and the monthly one is cancelled at PayPal", async ({
    buyer,
    providers,
    hasGold,
  }) => {
    const psychologist = await member(buyer, providers);
    const { page } = psychologist;
    const monthly = subscriptionOf(providers, psychologist).id;
    await expect(page.getByRole("heading", { name: "Pasar a Lifetime" })).toBeVisible();
    const popup = await openMercadopago(page);
    await press(popup, "Pagar");
    await expect(toast(page, "¡Pago exitoso!")).toBeVisible();
    await expect(page.getByText("Nunca: es de por vida")).toBeVisible();
    await expect(page.getByRole("link", { name: "Cancelar la suscripción" })).toHaveCount(0);
    await expectAccessible(page, "a membership for life");
    await expect.poll(() => providers.paypal.subscriptions.get(monthly)!.status).toBe("CANCELLED");
    expect(await hasGold(psychologist)).toBe(true);
    expect((await membershipsOf(providers, psychologist)).map(({ status }) => status)).toEqual(["cancelled", "active"]);
  });

  test("that was refunded is over, and its history says why", async ({ buyer, providers, hasGold }) => {
    const psychologist = await member(buyer, providers);
    const { paypal } = providers;
    for (const event of await paypal.refund(subscriptionOf(providers, psychologist).sales[0]!.id))
      await paypal.send(event);
    await psychologist.page.reload();
    await expect(gold(psychologist.page)).toHaveCount(0);
    await expect(psychologist.page.getByRole("table")).toContainText("devuelto");
    await expect(psychologist.page.getByRole("table")).toContainText("Terminó: se devolvió el pago");
    expect(await hasGold(psychologist)).toBe(false);
  });
});

test("the administrator sees payment problems and marks them as handled", async ({ buyer, providers }) => {
  const { paypal } = providers;
  const [payer, leaver] = [await buyer(), await buyer()];
  paypal.chargeOverride = { cents: 99 };
  await openPlans(payer.page);
  await press(await openPaypal(payer.page), "Suscribirse");
  await expect(notice(payer.page, "Tu pago necesita una revisión")).toBeVisible();
  paypal.chargeOverride = {};
  await openPlans(leaver.page);
  await press(await openPaypal(leaver.page), "Suscribirse");
  await expect(gold(leaver.page)).toBeVisible();
  paypal.injectFault(/\/cancel$/, "receiving", { status: 503 }, 50);
  await leaver.page.goto("/planes?cancelar=1");
  await press(leaver.page, "Cancelar la suscripción");
  await expect(notice(leaver.page, "PayPal todavía no ha confirmado")).toBeVisible();

  await providers.sql("delete from profiles where email = $1", [ADMIN_EMAIL]);
  const { page } = await buyer({ type: "user", email: ADMIN_EMAIL });
  await page.goto("/admin?vista=membresias");
  const problem = page.getByRole("article").filter({ hasText: payer.email });
  await expect(problem).toContainText("Pago que no coincide con el plan: el importe es menor");
  await expect(problem).toContainText(subscriptionOf(providers, payer).sales[0]!.id);
  const unconfirmed = page.getByRole("article").filter({ hasText: subscriptionOf(providers, leaver).id });
  await expect(unconfirmed).toContainText("La canceló la persona");
  await expect(unconfirmed).toContainText(leaver.email);
  await expectAccessible(page, "payments for the administrator");
  await expectNoSidewaysScroll(page);
  await problem.getByRole("button", { name: /Marcar como atendido/ }).click();
  await expect(toast(page, "Asunto atendido")).toBeVisible();
  await expect(problem).toHaveCount(0);
});

test.describe("who may buy", () => {
  test("not before being verified, with the reason, and without PayPal's script", async ({ buyer }) => {
    const { page } = await buyer({ type: "psychologist", verified: false });
    await openPlans(page);
    await expect(card(page, "PayPal").getByRole("button")).toBeDisabled();
    await expect(card(page, "MercadoPago").getByRole("button")).toBeDisabled();
    await expect(paypalButton(page)).toHaveCount(0);
    await expect(page.getByRole("status").first()).toContainText(/verific/i);
    await expectAccessible(page, "the plans before verification");
  });

  test("not users and visitors", async ({ buyer, page, watch }) => {
    watch.expectStatus(403);
    const user = await buyer({ type: "user" });
    for (const each of [user.page, page]) {
      await each.goto("/planes");
      await expect(each.getByRole("heading", { name: "Acceso solo para psicólogos" })).toBeVisible();
    }
  });

  test("not after the session is lost", async ({ buyer, watch }) => {
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

  test("both providers are paid in this tab", async ({ buyer, hasGold }) => {
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

  test("an invalid e-mail is reported beside its field, and stays", async ({ buyer, watch }) => {
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
