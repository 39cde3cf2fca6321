import { goTo, toast } from "./fixtures.ts";
import { focusAndPress, tabTo } from "./keys.ts";
import { type Buyer, expect, type PaymentProviders, test } from "./payment-fixtures.ts";
import { expectAccessible, expectNoSidewaysScroll } from "./screen-checks.ts";
import { ADMIN_EMAIL } from "./server.ts";

/** Creates a paid PayPal subscription without a known owner, with the problem that the sweep reports. */
async function strayPayment(payer: Buyer, providers: PaymentProviders): Promise<string> {
  const begun = await payer.page.request.post(`${providers.url}/api/checkouts`, {
    data: { plan_type: "monthly", method: "paypal" },
    headers: { origin: providers.url },
  });
  const { external_id: external } = await begun.json();
  await providers.sql("delete from checkouts where external_id = $1", [external]);
  providers.paypal.subscriptions.get(external)!.custom_id = "someone-of-another-site";
  await providers.paypal.approve(external);
  await providers.sql(
    "insert into payment_problems (kind, provider, external_id, created_at) values ('unmatched', 'paypal', $1, now())",
    [external],
  );
  return external;
}

test("the administrator can tie a payment to a psychologist by keyboard", async ({
  buyer,
  providers,
  hasGold,
  watch,
}) => {
  watch.expectStatus(422);
  const payer = await buyer({ type: "psychologist", name: "Lic. Paula Ferrer" });
  const external = await strayPayment(payer, providers);
  const { page } = await buyer({ type: "user", email: ADMIN_EMAIL, name: "Administración" });
  await goTo(page, "/admin/membresias");
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
