import { press } from "./paying.ts";
import { expect, test } from "./payment-fixtures.ts";

test.use({ javaScriptEnabled: false });

test("a psychologist without JavaScript can pay with both providers", async ({ buyer, hasGold, watch }) => {
  watch.expectStatus(422);
  const first = await buyer();
  await first.page.goto("/planes");
  await press(first.page, "Pagar con PayPal");
  await first.page.getByRole("link", { name: "Ir a PayPal" }).click();
  await press(first.page, "Suscribirse");
  await expect(first.page.getByRole("heading", { name: "¡Suscripción activada!" })).toBeVisible();
  expect(await hasGold(first)).toBe(true);

  const second = await buyer();
  await second.page.goto("/planes?plan=mensual");
  const payer = second.page.getByLabel("Correo de tu cuenta de MercadoPago");
  await expect(payer).toHaveValue(second.email);
  await payer.fill("yo@x");
  await press(second.page, "Pagar con MercadoPago");
  await expect(second.page.getByRole("link", { name: "Mensual" })).toHaveAttribute("aria-current", "page");
  await expect(payer).toHaveAttribute("aria-invalid", "true");
  await expect(payer).toHaveValue("yo@x");
  await payer.fill("yo@example.com");
  await press(second.page, "Pagar con MercadoPago");
  await second.page.getByRole("link", { name: "Ir a MercadoPago" }).click();
  await press(second.page, "Confirmar");
  await expect(second.page.getByRole("heading", { name: "¡Suscripción activada!" })).toBeVisible();
  expect(await hasGold(second)).toBe(true);
});
