import type { Page } from "@playwright/test";
import { expect, PHONE_DEVICE, test, toast, waitForHydration } from "./fixtures.ts";
import { expectAccessible } from "./screen-checks.ts";

test.use(PHONE_DEVICE);

/** A verified demo psychologist without Gold. */
const BUYER = "antonia-larraguibel@divan.example";

const LABEL = /modo de prueba/i;
const pay = async (page: Page) => {
  const [popup] = await Promise.all([
    page.waitForEvent("popup"),
    page.getByRole("button", { name: "Pagar con MercadoPago" }).click(),
  ]);
  await popup.waitForURL(/\/planes\/pago\//);
  return popup;
};

test("a psychologist can approve, reject or close a test payment when no payment provider is configured", async ({
  openPage,
}) => {
  const page = await openPage({ email: BUYER });
  await page.goto("/planes?plan=lifetime");
  await waitForHydration(page);
  for (const name of ["PayPal", "MercadoPago"])
    await expect(page.getByRole("region", { name: `Con ${name}` })).toContainText(LABEL);
  await expectAccessible(page, "the plans in test mode");

  const closed = await pay(page);
  await expect(closed.getByRole("main")).toContainText(LABEL);
  await expectAccessible(closed, "the demo's payment window");
  await expect(page.getByRole("button", { name: "Esperando el pago…" })).toBeVisible();
  await closed.close();
  await expect(page.getByText("No se ha cobrado nada; puedes intentarlo otra vez.")).toBeVisible();

  const rejected = await pay(page);
  await rejected.getByRole("button", { name: "Rechazar el pago" }).click();
  await expect(toast(page, "Error en el pago")).toBeVisible();
  const refused = page.getByRole("status").filter({ hasText: "MercadoPago no aprobó el pago" });
  await expect(refused).toContainText("No se te cobró nada.");
  await refused.getByRole("link", { name: "Intentarlo otra vez" }).click();
  await expect(page.getByRole("button", { name: "Pagar con MercadoPago" })).toBeInViewport();

  const approved = await pay(page);
  await approved.getByRole("button", { name: "Aprobar el pago" }).click();
  await expect(toast(page, "¡Pago exitoso!")).toBeVisible();
  expect(approved.isClosed()).toBe(true);
  await expect(page.getByRole("heading", { name: "Ya tienes Membresía Gold" })).toBeVisible();
  await expect(page.getByText("Modo de prueba", { exact: true })).toBeVisible();
  await expect(page.getByRole("table")).toContainText(LABEL);
});
