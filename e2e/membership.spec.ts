import type { Page } from "@playwright/test";
import { FULL_ONLY, toast } from "./fixtures.ts";
import { focusAndPress, tabTo } from "./keys.ts";
import {
  gold,
  membershipsOf,
  mercadopagoButton,
  notice,
  openMercadopago,
  openPaypal,
  openPlans,
  paypalButton,
  press,
  subscriptionOf,
  windowOf,
} from "./paying.ts";
import { type Buyer, expect, type PaymentProviders, test } from "./payment-fixtures.ts";
import { expectAccessible, expectNoSidewaysScroll } from "./screen-checks.ts";
import { ADMIN_EMAIL } from "./server.ts";

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

  test("a member can cancel here and at PayPal, and the dialog announces the end of Gold", async ({
    buyer,
    providers,
    hasGold,
  }) => {
    const psychologist = await member(buyer, providers);
    await cancel(psychologist.page);
    await expect(toast(psychologist.page, "Suscripción cancelada")).toBeVisible();
    expect(await hasGold(psychologist)).toBe(false);
    expect((await subscriptionOf(providers, psychologist)).status).toBe("CANCELLED");
    await expect(gold(psychologist.page)).toHaveCount(0);
    await expect(notice(psychologist.page, "Tu suscripción está cancelada")).toBeFocused();
  });

  test(
    "a psychologist can choose, pay and cancel a membership by keyboard",
    FULL_ONLY,
    async ({ buyer, providers, hasGold }) => {
      const psychologist = await buyer();
      const { page } = psychologist;
      await openPlans(page);
      await focusAndPress(page, page.getByRole("link", { name: /^Lifetime/ }));
      await expect(page).toHaveURL(/plan=lifetime/);
      const closed = await windowOf(page, () => focusAndPress(page, mercadopagoButton(page)));
      await closed.close();
      await expect(mercadopagoButton(page)).toBeEnabled();
      await focusAndPress(page, page.getByRole("link", { name: /Mensual/ }));
      await expect(page).toHaveURL(/plan=mensual/);
      const popup = await windowOf(page, () => focusAndPress(page, paypalButton(page)));
      await tabTo(popup, popup.getByRole("button", { name: "Suscribirse", exact: true }));
      // The window may close before the key is released.
      await popup.keyboard.press("Enter").catch(() => {});
      await expect(gold(page)).toBeVisible();
      expect(await hasGold(psychologist)).toBe(true);

      const opener = page.getByRole("link", { name: "Cancelar la suscripción" });
      await focusAndPress(page, opener);
      await expect(page.getByRole("dialog")).toContainText("Gold termina en este momento");
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog")).toBeHidden();
      await expect(opener).toBeFocused();
      await page.keyboard.press("Enter");
      await focusAndPress(page, page.getByRole("dialog").getByRole("button", { name: "Cancelar la suscripción" }));
      await expect(toast(page, "Suscripción cancelada")).toBeVisible();
      expect(await hasGold(psychologist)).toBe(false);
      expect((await subscriptionOf(providers, psychologist)).status).toBe("CANCELLED");
    },
  );

  test(
    "a member can upgrade from monthly to lifetime, which cancels the monthly subscription at PayPal",
    FULL_ONLY,
    async ({ buyer, providers, hasGold }) => {
      const psychologist = await member(buyer, providers);
      const { page } = psychologist;
      const monthly = (await subscriptionOf(providers, psychologist)).id;
      await expect(page.getByRole("heading", { name: "Pasar a Lifetime" })).toBeVisible();
      const popup = await openMercadopago(page);
      await press(popup, "Pagar");
      await expect(toast(page, "¡Pago exitoso!")).toBeVisible();
      await expect(page.getByText("Nunca: es de por vida")).toBeVisible();
      await expect(page.getByRole("link", { name: "Cancelar la suscripción" })).toHaveCount(0);
      await expectAccessible(page, "a membership for life");
      await expect.poll(() => providers.paypal.subscriptions.get(monthly)!.status).toBe("CANCELLED");
      expect(await hasGold(psychologist)).toBe(true);
      expect((await membershipsOf(providers, psychologist)).map(({ status }) => status)).toEqual([
        "cancelled",
        "active",
      ]);
    },
  );

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

  test(
    "a member with an uncharged month has no Gold and can cancel to stop PayPal's retries",
    FULL_ONLY,
    async ({ buyer, providers, hasGold }) => {
      const psychologist = await member(buyer, providers);
      const { page } = psychologist;
      const over = "now() - interval '1 hour'";
      await providers.sql(
        `with ended as (update subscriptions set next_billing_date = ${over} where psychologist_id = $1 returning checkout_id)
         update checkouts set state = 'suspended' from ended where id = checkout_id`,
        [psychologist.id],
      );
      await providers.sql(`update psychologist_profiles set gold_until = ${over} where id = $1`, [psychologist.id]);
      await openPlans(page);
      await expect(page.getByText("Sin Gold: en pausa, sin el cobro del mes")).toBeVisible();
      await expect(notice(page, "PayPal puede volver a intentar el cobro")).toBeVisible();
      await expectAccessible(page, "the plans with a month that was not charged");
      await expectNoSidewaysScroll(page);
      await press(page, "Cancelar la suscripción");
      await expect(toast(page, "Suscripción cancelada")).toBeVisible();
      await expect(notice(page, "PayPal puede volver a intentar el cobro")).toHaveCount(0);
      expect(await hasGold(psychologist)).toBe(false);
      expect((await subscriptionOf(providers, psychologist)).status).toBe("CANCELLED");
    },
  );
});

test("the administrator can see payment problems and mark them as handled", FULL_ONLY, async ({ buyer, providers }) => {
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
  await page.goto("/admin/membresias");
  const problem = page.getByRole("article").filter({ hasText: payer.email });
  await expect(problem).toContainText("Pago que no coincide con el plan: el importe es menor");
  await expect(problem).toContainText((await subscriptionOf(providers, payer)).sales[0]!.id);
  const unconfirmed = page.getByRole("article").filter({ hasText: (await subscriptionOf(providers, leaver)).id });
  await expect(unconfirmed).toContainText("La canceló la persona");
  await expect(unconfirmed).toContainText(leaver.email);
  await expectAccessible(page, "payments for the administrator");
  await expectNoSidewaysScroll(page);
  await problem.getByRole("button", { name: /Marcar como atendido/ }).click();
  await expect(toast(page, "Asunto atendido")).toBeVisible();
  await expect(problem).toHaveCount(0);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("a psychologist can pay with both providers in the same tab", async ({ buyer, hasGold }) => {
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

  test(
    "shows an error at the field for an invalid email without losing the input",
    FULL_ONLY,
    async ({ buyer, watch }) => {
      watch.expectStatus(422);
      const { page } = await buyer();
      await page.goto("/planes");
      await page.getByRole("link", { name: "Mensual" }).click();
      await page.getByLabel("Correo de tu cuenta de MercadoPago").fill("yo@x");
      await press(page, "Pagar con MercadoPago");
      await expect(page.getByRole("link", { name: "Mensual" })).toHaveAttribute("aria-current", "page");
      await expect(page.getByLabel("Correo de tu cuenta de MercadoPago")).toHaveAttribute("aria-invalid", "true");
      await expect(page.getByLabel("Correo de tu cuenta de MercadoPago")).toHaveValue("yo@x");
    },
  );
});

test("shows a toast when the session is lost before a payment", FULL_ONLY, async ({ buyer, watch }) => {
  watch.expectStatus(401);
  const { page, context } = await buyer();
  await openPlans(page);
  await expect(paypalButton(page)).toBeVisible();
  await context.clearCookies();
  await paypalButton(page).click();
  await expect(toast(page, "Debes iniciar sesión para suscribirte")).toBeVisible();
});
