import { comeBack, toast, waitForHydration } from "./fixtures.ts";
import {
  card,
  detail,
  expect,
  gold,
  notice,
  openPlans,
  openWindow,
  PAYPAL,
  paypalButton,
  press,
  test,
} from "./paying.ts";
import { expectAccessible, expectNoSidewaysScroll } from "./screen-checks.ts";

test("a psychologist can pay with PayPal's button and cancel", async ({ buyer }) => {
  const { page } = await buyer();
  await openPlans(page);
  await expect(paypalButton(page)).toBeVisible();
  await expectAccessible(page, "the plans with PayPal's button");
  await expectNoSidewaysScroll(page);
  const popup = await openWindow(page, PAYPAL);
  await expect(popup.getByText("4.99 USD")).toBeVisible();
  await press(popup, "Suscribirse");
  await expect(toast(page, "¡Suscripción exitosa!")).toBeVisible();
  await expect(gold(page)).toBeVisible();
  await expect(page.getByRole("table")).toContainText("4,99 USD · pagado");
  await expectAccessible(page, "the plans with a membership");
  await expectNoSidewaysScroll(page);

  await page.goto("/perfil");
  await page.getByRole("main").getByRole("link", { name: "Cancelar", exact: true }).click();
  await expect(page.getByRole("dialog")).toContainText("Gold termina en este momento");
  await expectAccessible(page, "the dialog that cancels");
  await press(page, "Cancelar la suscripción");
  await expect(toast(page, "Suscripción cancelada")).toBeVisible();
  await expect(notice(page, "Tu suscripción está cancelada")).toBeFocused();
  await expect(gold(page)).toHaveCount(0);
});

detail("loads PayPal's script for subscriptions only on the plans", async ({ buyer, providers }) => {
  const { page } = await buyer();
  const scripts: URL[] = [];
  page.on("request", (request) => {
    if (request.url().startsWith(providers.paypal.url)) scripts.push(new URL(request.url()));
  });
  await page.goto("/planes");
  await expect(paypalButton(page)).toBeVisible();
  expect(Object.fromEntries(scripts[0]!.searchParams)).toMatchObject({
    "client-id": providers.paypal.clientId,
    vault: "true",
    intent: "subscription",
    currency: "USD",
  });
  // The policy also allows PayPal's styles, images, frames, requests, and scripts with the nonce.
  await expect(page.locator("html")).toHaveAttribute("data-paypal-inline", "ran");
  for (const path of ["/sdk/logo.svg", "/sdk/frame", "/sdk/log"])
    await expect.poll(() => providers.paypal.calls).toContain(`GET ${path}`);

  // Leaving the page loads a full document with the narrow policy.
  const asked = scripts.length;
  const [left] = await Promise.all([
    page.waitForResponse((answer) => new URL(answer.url()).pathname === "/" && answer.request().isNavigationRequest()),
    page.getByRole("link", { name: "Diván", exact: true }).first().click(),
  ]);
  expect(left.headers()["content-security-policy"]).not.toContain(providers.paypal.url);
  // If the router navigates there, it loads a full document with the wide policy.
  await waitForHydration(page);
  await page.evaluate(() => {
    history.pushState({}, "", "/planes");
    dispatchEvent(new PopStateEvent("popstate"));
  });
  await expect(paypalButton(page)).toBeVisible();
  expect(scripts.length).toBeGreaterThan(asked);
});

detail("ends the pending payment when the page loads Gold", async ({ buyer, providers, watch }) => {
  watch.expectStatus(503);
  const { page } = await buyer();
  await openPlans(page);
  const popup = await openWindow(page, PAYPAL);
  await page.route("**/reconciliation", (route) => route.fulfill({ status: 503, json: { code: "unavailable" } }));
  providers.paypal.delivery = "automatic";
  await press(popup, "Suscribirse");
  await expect(notice(page, "Todavía no hemos podido comprobar tu pago")).toBeVisible();
  await expect(async () => {
    await comeBack(page);
    await expect(gold(page)).toBeVisible({ timeout: 500 });
  }).toPass();
  await expect(toast(page, "¡Suscripción exitosa!")).toBeVisible();
  await expect(notice(page, "Todavía no hemos podido comprobar tu pago")).toHaveCount(0);
  expect(await page.evaluate(() => sessionStorage.getItem("draft:unconfirmed-payment"))).toBeNull();
});

detail("a psychologist can pay in the same tab when PayPal's script is blocked", async ({ buyer, providers }) => {
  const { page } = await buyer();
  await page.route(`${providers.paypal.url}/sdk/**`, (route) =>
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
  await page.getByRole("link", { name: "Ver mi membresía" }).click();
  await expect(gold(page)).toBeVisible();
});
