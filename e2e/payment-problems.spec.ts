import type { Page } from "@playwright/test";
import { mailTo, toast, waitForHydration } from "./fixtures.ts";
import { focusAndPress, tabTo } from "./keys.ts";
import { deliver, notice } from "./paying.ts";
import { type Buyer, expect, type PaymentProviders, test } from "./payment-fixtures.ts";
import { expectAccessible, expectNoSidewaysScroll } from "./screen-checks.ts";
import { ADMIN_EMAIL } from "./server.ts";

/** Signs the administrator in. */
async function openDesk(buyer: (options?: object) => Promise<Buyer>, providers: PaymentProviders): Promise<Page> {
  await providers.sql("delete from profiles where email = $1", [ADMIN_EMAIL]);
  const { page } = await buyer({ type: "user", email: ADMIN_EMAIL, name: "Administración" });
  return page;
}

/** Begins a checkout with PayPal without a window. @returns PayPal's id of the subscription */
async function begin({ page }: Buyer, { url }: PaymentProviders): Promise<string> {
  const begun = await page.request.post(`${url}/api/checkouts`, {
    data: { plan_type: "monthly", method: "paypal" },
    headers: { origin: url },
  });
  return (await begun.json()).external_id;
}

/** Creates a paid PayPal subscription without a known owner, with the problem that the sweep reports. */
async function strayPayment(payer: Buyer, providers: PaymentProviders): Promise<string> {
  const external = await begin(payer, providers);
  await providers.sql("delete from checkouts where external_id = $1", [external]);
  providers.paypal.subscriptions.get(external)!.custom_id = "someone-of-another-site";
  await providers.paypal.approve(external);
  await providers.sql(
    "insert into payment_problems (kind, provider, external_id, created_at) values ('unmatched', 'paypal', $1, now())",
    [external],
  );
  return external;
}

test("the administrator can read a payment without an owner and tie it to a psychologist by keyboard", async ({
  buyer,
  providers,
  hasGold,
  watch,
}) => {
  watch.expectStatus(422);
  const payer = await buyer({ type: "psychologist", name: "Lic. Paula Ferrer" });
  const external = await strayPayment(payer, providers);
  const page = await openDesk(buyer, providers);
  await page.goto("/admin/membresias");
  await waitForHydration(page);
  const problem = page.getByRole("article").filter({ hasText: external });
  await focusAndPress(page, problem.getByRole("button", { name: /Leer ahora/ }));
  await expect(toast(page, "El servicio no dice de quién es")).toBeVisible();
  await expectAccessible(page, "payments with their actions");
  await expectNoSidewaysScroll(page);

  await focusAndPress(page, problem.getByRole("link", { name: /Vincular/ }));
  const address = page.getByLabel("Correo del psicólogo");
  await tabTo(page, address);
  await page.keyboard.type("nadie@correo.example");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Ningún psicólogo tiene una cuenta con este correo.").first()).toBeVisible();
  await address.fill(payer.email);
  await page.keyboard.press("Enter");
  await expect(toast(page, "Pago vinculado")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Lic. Paula Ferrer" })).toBeVisible();
  await page.goto("/admin/membresias");
  await expect(problem).toHaveCount(0);
  expect(await hasGold(payer)).toBe(true);
});

test("the administrator can grant, extend and end Gold after seeing the consequence", async ({
  buyer,
  providers,
  hasGold,
}) => {
  const person = await buyer({ type: "psychologist", name: "Lic. Teo Marín" });
  const page = await openDesk(buyer, providers);
  await page.goto("/admin/psicologos");
  await waitForHydration(page);
  await page.getByRole("link", { name: /Otorgar Gold.*Teo Marín/ }).click();
  await page.getByLabel("Último día").fill("2020-01-31");
  await page.getByLabel("Último día").evaluate((input: HTMLInputElement) => input.removeAttribute("min"));
  await page.getByRole("button", { name: "Ver qué pasaría" }).click();
  await expect(page.getByText("Elige un día a partir de hoy.")).toBeVisible();
  const nextYear = new Date().getUTCFullYear() + 1;
  await page.getByLabel("Último día").fill(`${nextYear}-01-31`);
  await page.getByRole("button", { name: "Ver qué pasaría" }).click();
  await expect(page.getByRole("main")).toContainText(`Lic. Teo Marín tiene Gold hasta el 31 de enero de ${nextYear}.`);
  expect(await hasGold(person)).toBe(false);
  await expectAccessible(page, "the consequences of granting Gold");
  await expectNoSidewaysScroll(page);
  await page.getByLabel("Motivo").fill("Por el corte del 3 de mayo");
  await page.getByRole("button", { name: "Otorgar Gold" }).click();
  await expect(toast(page, "Gold otorgado")).toBeVisible();
  expect(await hasGold(person)).toBe(true);
  await expectAccessible(page, "the Gold of a psychologist");

  await person.page.goto("/planes");
  const granted = person.page.getByRole("heading", { name: "Tienes Gold, otorgado por el equipo" });
  await expect(granted).toBeVisible();
  await expect(person.page.getByRole("main")).toContainText("No pagas nada por esto y no se renueva");
  await expectNoSidewaysScroll(person.page);
  await person.page.goto("/perfil");
  await expect(person.page.getByRole("main")).toContainText(
    /Gold hasta el 31 de enero de \d{4}, otorgado por el equipo/,
  );

  await page.getByRole("button", { name: "Sin fecha de fin" }).click();
  await expect(page.getByRole("heading", { name: "Alargar el Gold otorgado" })).toBeVisible();
  await page.getByLabel("Motivo").fill("Colabora con el equipo");
  await page.getByRole("button", { name: "Alargar" }).click();
  await expect(toast(page, "Gold otorgado")).toBeVisible();

  await page.getByRole("link", { name: "Ver qué pasaría" }).click();
  await expect(page.getByRole("main")).toContainText("Termina lo que el equipo le otorgó.");
  await page.getByLabel("Motivo").fill("Ya no colabora");
  await page.getByRole("button", { name: "Terminar su Gold" }).click();
  await expect(toast(page, "Gold terminado")).toBeVisible();
  expect(await hasGold(person)).toBe(false);
  await person.page.goto("/correo");
  await expect(await mailTo(person.page, person.email, /Tu Gold en .* ha terminado/)).toContainText(
    "ha terminado tu Gold. Tu cuenta sigue igual en todo lo demás.",
  );
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("the administrator can end a payer's Gold and close an unconfirmed cancellation", async ({
    buyer,
    providers,
    hasGold,
  }) => {
    const payer = await buyer({ type: "psychologist", name: "Lic. Noa Quiroga" });
    const external = await begin(payer, providers);
    await deliver(providers, await providers.paypal.approve(external));
    expect(await hasGold(payer)).toBe(true);
    providers.paypal.injectFault(/cancel$/, "receiving", { status: 503, body: {} }, 1000);

    const page = await openDesk(buyer, providers);
    await page.goto(`/admin/psicologo/${payer.id}/gold?terminar=1`);
    await expect(page.getByRole("main")).toContainText(`Se cancela su suscripción en PayPal (${external})`);
    await page.getByLabel("Motivo").fill("Uso contrario a los términos");
    await page.getByRole("button", { name: "Terminar su Gold" }).click();
    expect(await hasGold(payer)).toBe(false);

    await providers.sql("update checkouts set end_wanted_at = now() - interval '2 hours' where external_id = $1", [
      external,
    ]);
    await payer.page.goto("/planes");
    await payer.page.getByRole("button", { name: "Avisar otra vez" }).click();
    await page.goto("/admin/membresias");
    const cancellation = page.getByRole("article").filter({ hasText: external });
    await expect(cancellation).toContainText("Cancelación sin confirmar");
    await cancellation.getByRole("button", { name: /Dejar de intentarlo/ }).click();
    await expect(cancellation).toHaveCount(0);

    await payer.page.goto("/planes");
    await expect(notice(payer.page, "Comprueba en PayPal que tu suscripción ha terminado")).toBeVisible();
    await expect(payer.page.getByRole("main")).toContainText("La terminó el equipo el");
  });
});
