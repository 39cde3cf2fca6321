import type { Page } from "@playwright/test";
import { breakRequests, detail, expect, expectToast, test } from "./community.ts";
import { PHONE_DEVICE } from "./fixtures.ts";
import { openWindow, press } from "./paying.ts";

test.use(PHONE_DEVICE);

const pay = (page: Page, method: "PayPal" | "MercadoPago") => openWindow(page, `Pagar con ${method}`);

test("a psychologist can approve a test payment after errors, and cancel the subscription", async ({
  visit,
  community,
  watch,
}) => {
  for (const status of [502, 503]) watch.expectStatus(status);
  const page = await visit(await community.person({ type: "psychologist" }), "/planes?plan=mensual");
  // The server repeats the refusal of a request that it has answered: each press sends another one.
  const keys = new Set<string>();
  await page.route(/\/api\/checkouts$/, (route) => {
    keys.add(route.request().postDataJSON().key);
    return route.fulfill({ status: 502, json: { code: "payment_provider_failed" } });
  });
  for (const presses of [1, 2]) {
    await press(page, "Pagar con PayPal");
    await expect.poll(() => keys.size).toBe(presses);
  }
  await page.unroute(/\/api\/checkouts$/);
  await breakRequests(page, /\/api\/checkouts$/);
  await press(page, "Pagar con PayPal");
  await expectToast(page, "Error de PayPalHubo un problema con el procesador de pagos");
  await page.unroute(/\/api\/checkouts$/);
  await breakRequests(page, /\/reconciliation$/);
  await press(await pay(page, "PayPal"), "Rechazar el pago");
  await expectToast(page, "No se pudo activar la suscripción");
  // The first payment may still be confirmed.
  await expect(page.getByRole("button", { name: "Pagar con PayPal" })).toBeDisabled();
  // A reload does not change that, before our server has responded and if it does not respond.
  let giveUp = () => {};
  const waiting = new Promise<void>((go) => {
    giveUp = go;
  });
  await page.route(/\/api\/checkouts\//, (route) => waiting.then(() => route.fulfill({ status: 503 })));
  await page.reload();
  await expect(page.getByRole("button", { name: "Pagar con PayPal" })).toBeDisabled();
  giveUp();
  await expect(page.getByText("Todavía no hemos podido comprobar tu pago")).toBeVisible();
  await expect(page.getByRole("button", { name: "Pagar con PayPal" })).toBeDisabled();
  await page.unroute(/\/api\/checkouts\//);
  await page.unroute(/\/reconciliation$/);
  await expectToast(page, "Error en la suscripciónHubo un problema al procesar tu pago");

  const window = await pay(page, "PayPal");
  await expect(window.getByRole("main")).toContainText(/modo de prueba/i);
  await press(window, "Aprobar el pago");
  await expectToast(page, "¡Suscripción exitosa!");
  expect(window.isClosed()).toBe(true);
  await expect(page.getByRole("heading", { name: "Ya tienes Membresía Gold" })).toBeVisible();
  await expect(page.getByRole("table")).toContainText(/modo de prueba/i);

  await page.getByRole("link", { name: "Cancelar la suscripción" }).click();
  const cancel = page.getByRole("dialog").getByRole("button", { name: "Cancelar la suscripción" });
  await breakRequests(page, /\/planes\.data/);
  await cancel.click();
  // Everything outside the dialog is inert.
  await expect(page.getByRole("dialog").getByText("No se pudo cancelar la suscripción")).toBeVisible();
  await page.unroute(/\/planes\.data/);
  await cancel.click();
  await expectToast(page, "Suscripción cancelada");
});

detail("a psychologist can close, reject or approve a test payment with MercadoPago", async ({ visit, community }) => {
  const psychologist = await community.person({ type: "psychologist" });
  const page = await visit(psychologist, "/planes?plan=lifetime");
  const closed = await pay(page, "MercadoPago");
  await expect(page.getByRole("button", { name: "Esperando el pago…" })).toBeVisible();
  await closed.close();
  const unpaid = page.getByText("No se ha cobrado nada; puedes intentarlo otra vez.");
  await expect(unpaid).toBeVisible();
  expect(await page.getByRole("region", { name: "Avisos" }).textContent()).toBe("");

  await press(await pay(page, "MercadoPago"), "Rechazar el pago");
  await expectToast(page, "Error en el pagoHubo un problema al procesar tu pago. Inténtalo nuevamente.");
  const refused = page.getByRole("status").filter({ hasText: "MercadoPago no aprobó el pago" });
  await expect(refused).toContainText("No se te cobró nada.");
  await refused.getByRole("link", { name: "Intentarlo otra vez" }).click();
  await expect(page.getByRole("button", { name: "Pagar con MercadoPago" })).toBeInViewport();

  // The page polls after its window closes, and finds a payment that the buyer approves elsewhere.
  const last = await pay(page, "MercadoPago");
  const [, id] = /pago\/([^/?]+)/.exec(last.url())!;
  await last.close();
  await expect(unpaid).toBeVisible();
  await community.call(psychologist, "PUT", `/test-payments/${id}`, { decision: "approve" });
  await expectToast(page, "¡Pago exitoso!");
});
