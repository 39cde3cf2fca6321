import { expect, press, test } from "./paying.ts";

test.use({ javaScriptEnabled: false });

test("a psychologist without JavaScript can correct the payer's email and pay", async ({ buyer, watch }) => {
  watch.expectStatus(422);
  const { page, email } = await buyer();
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
