import { toast } from "./fixtures.ts";
import { card, detail, expect, gold, notice, openPlans, openWindow, paypalButton, press, test } from "./paying.ts";
import { expectAccessible, expectNoSidewaysScroll } from "./screen-checks.ts";

test("a psychologist can pay once in the window and gets Gold", async ({ buyer }) => {
  const { page } = await buyer();
  await openPlans(page, "lifetime");
  const popup = await openWindow(page, "Pagar con MercadoPago");
  expect(popup.url()).toContain("/mp/checkout?pref_id=");
  await expect(page.getByRole("button", { name: "Esperando el pago…" })).toBeVisible();
  await expectAccessible(page, "the plans while a payment window is open");
  await press(popup, "Pagar");
  await expect(toast(page, "¡Pago exitoso!")).toBeVisible();
  expect(popup.isClosed()).toBe(true);
  await expect(gold(page)).toBeVisible();
  await expect(page.getByRole("heading", { name: "Tu membresía Gold" })).toBeFocused();
});

detail("shows a cash payment as pending instead of payment buttons", async ({ buyer }) => {
  const { page } = await buyer();
  await openPlans(page, "lifetime");
  const popup = await openWindow(page, "Pagar con MercadoPago");
  await press(popup, "Dejar pendiente (efectivo)");
  await expect(notice(page, "Estamos confirmando tu pago")).toBeVisible();
  expect(popup.isClosed()).toBe(false);
  await popup.close();
  await openPlans(page);
  await expect(notice(page, "Estamos confirmando tu pago")).toBeVisible();
  await expect(paypalButton(page)).toHaveCount(0);
  await expectAccessible(page, "the plans with a payment under way");
  await expectNoSidewaysScroll(page);
  await page.getByRole("link", { name: "Pagar de otra manera" }).click();
  await expect(paypalButton(page)).toBeVisible();
});

detail("a psychologist can pay in the same tab when the browser blocks the window", async ({ buyer }) => {
  const { page } = await buyer();
  await page.addInitScript(() => {
    window.open = () => null;
  });
  await openPlans(page, "mensual");
  await page.getByLabel("Correo de tu cuenta de MercadoPago").fill("otra@mp.example");
  await press(page, "Pagar con MercadoPago");
  await expect(page.locator("input[type=hidden][name=payer_email]")).toHaveValue("otra@mp.example");
  await openPlans(page, "lifetime");
  await press(page, "Pagar con MercadoPago");
  const words = "No se pudo abrir MercadoPago. Verifica que no esté bloqueado el popup.";
  await expect(toast(page, words)).toBeVisible();
  await expect(card(page, "MercadoPago").getByRole("alert")).toContainText(words);
  await expectAccessible(page, "the plans with a blocked window");
  await press(page, "Pagar en esta pestaña");
  await expect(page.getByRole("link", { name: "Ir a MercadoPago" })).toBeVisible();
});

detail("reads the provider only for a message of this site about its window", async ({ buyer, providers }) => {
  const { page, id } = await buyer();
  let readings = 0;
  page.on("request", (request) => request.url().endsWith("/reconciliation") && readings++);
  await openPlans(page, "lifetime");
  const popup = await openWindow(page, "Pagar con MercadoPago");
  const [checkout] = await providers.sql("select id, external_id from checkouts where psychologist_id = $1", [id]);
  const say = (...messages: unknown[]) =>
    popup.evaluate((all) => {
      for (const message of all) window.opener.postMessage(message, "*");
    }, messages);
  const paid = { type: "payment_success", preference_id: checkout!.external_id };
  // From the payment provider's origin.
  await say(paid, { type: "payment_error", message: "x" });

  // A page of this site that can post to its opener but does not do so by itself.
  await popup.route("**/planes/pago/**", (route) =>
    route.fulfill({
      contentType: "text/html",
      headers: { "cross-origin-opener-policy": "unsafe-none" },
      body: "<title>Fin</title>",
    }),
  );
  await popup.goto(`${providers.url}/planes/pago/${checkout!.id}/fin`);
  await say({ ...paid, preference_id: "123456789-someone-else" }, { ...paid, type: "payment_succeeded" }, null);
  await expect(page.getByRole("button", { name: "Esperando el pago…" })).toBeVisible();
  expect(readings).toBe(0);
  // The right message makes the server read the provider, which has no payment.
  await say(paid);
  await expect(notice(page, "Estamos confirmando tu pago")).toBeVisible();
  expect(readings).toBe(1);
  await expect(gold(page)).toHaveCount(0);
});

detail("finds a payment when its window has lost its opener", async ({ buyer, providers }) => {
  providers.mercadopago.pageHeaders = { "cross-origin-opener-policy": "same-origin" };
  const { page } = await buyer();
  await openPlans(page, "lifetime");
  const popup = await openWindow(page, "Pagar con MercadoPago");
  // Now the window looks closed to the tab with the plans, and our API reports no change.
  await page.route(/\/api\/checkouts\/[^/]+$/, async (route) => {
    const checkout = await (await route.fetch()).json();
    await route.fulfill({ json: { ...checkout, status: "open" } });
  });
  await expect(notice(page, "El pago no se ha completado")).toBeVisible();
  await press(popup, "Pagar");
  await expect(popup.getByRole("heading", { name: "¡Suscripción activada!" })).toBeVisible();
  await expect(toast(page, "¡Pago exitoso!")).toBeVisible();
  await expect(gold(page)).toBeVisible();
});

test("a psychologist without JavaScript can correct the payer's email and pay", async ({ buyer, watch }) => {
  watch.expectStatus(422);
  const { page, email } = await buyer({ javaScriptEnabled: false });
  await page.goto("/planes?plan=mensual");
  const payer = page.getByLabel("Correo de tu cuenta de MercadoPago");
  await expect(payer).toHaveValue(email);
  await payer.fill("yo@x");
  await press(page, "Pagar con MercadoPago");
  await expect(page.getByRole("link", { name: "Mensual" })).toHaveAttribute("aria-current", "page");
  await expect(payer).toHaveAttribute("aria-invalid", "true");
  await expect(payer).toHaveValue("yo@x");
  await payer.fill("yo@example.com");
  await press(page, "Pagar con MercadoPago");
  await page.getByRole("link", { name: "Ir a MercadoPago" }).click();
  await press(page, "Confirmar");
  await expect(page.getByRole("heading", { name: "¡Suscripción activada!" })).toBeVisible();
});
