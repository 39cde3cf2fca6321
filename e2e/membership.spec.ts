import type { Page } from "@playwright/test";
import { FULL_ONLY, toast } from "./fixtures.ts";
import { gold, notice, openPaypal, openPlans, press, subscriptionOf } from "./paying.ts";
import { type Buyer, expect, type PaymentProviders, test } from "./payment-fixtures.ts";
import { expectAccessible, expectNoSidewaysScroll } from "./screen-checks.ts";

test.describe("a member", () => {
  /** Creates a psychologist who has paid a month with PayPal. */
  async function member(buyer: () => Promise<Buyer>, providers: PaymentProviders): Promise<Buyer> {
    const psychologist = await buyer();
    await openPlans(psychologist.page);
    const popup = await openPaypal(psychologist.page);
    await press(popup, "Suscribirse");
    await expect(gold(psychologist.page)).toBeVisible();
    expect((await subscriptionOf(providers, psychologist)).status).toBe("ACTIVE");
    return psychologist;
  }
  const cancel = async (page: Page) => {
    await page.goto("/perfil");
    await page.getByRole("main").getByRole("link", { name: "Cancelar", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog).toContainText("Gold termina en este momento");
    await expectAccessible(page, "the dialog that cancels");
    await press(page, "Cancelar la suscripción");
  };

  test(
    "a member can cancel while PayPal is down, and send the cancellation again",
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
      expect((await subscriptionOf(providers, psychologist)).status).toBe("CANCELLED");
      await expect(notice(page, "PayPal todavía no ha confirmado")).toHaveCount(0);
    },
  );
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("a psychologist can pay with both providers in the same tab", async ({ buyer, hasGold, watch }) => {
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
});
