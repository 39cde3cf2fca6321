import type { Page } from "@playwright/test";
import { PASSWORD, registration, type TestUser, uniqueEmail } from "#test/people.ts";
import { type Community, expect, expectToast, test, toastWith } from "./community.ts";
import { mailTo, PHONE_DEVICE, turnOnSecondFactor, waitForHydration } from "./fixtures.ts";
import { expectAccessible } from "./screen-checks.ts";

test.use(PHONE_DEVICE);

/** Creates a user who does not need to enter the password again for a change. */
async function justSignedIn({ person, sql }: Community): Promise<TestUser> {
  const openPage = await person();
  await sql("update sessions set password_at = now() where account_id = $1", [openPage.id]);
  return openPage;
}

async function showRecoveryCodes(page: Page): Promise<string[]> {
  await turnOnSecondFactor(page);
  await waitForHydration(page);
  return page.locator("code").allTextContents();
}

const copyButton = (page: Page) => page.getByRole("main").getByRole("button", { name: /^Copia/ });

test("a user can copy the recovery codes, one per line", async ({ visit, community }) => {
  const page = await visit(await justSignedIn(community), "/cuenta/segundo-paso", {
    permissions: ["clipboard-read", "clipboard-write"],
  });
  const codes = await showRecoveryCodes(page);
  await expectAccessible(page, "recovery codes");
  await copyButton(page).click();
  await expect(copyButton(page)).toHaveText("Copiados");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(codes.join("\n"));
});

test("shows an error when the browser refuses to copy the recovery codes", async ({ visit, community }) => {
  const page = await visit(await justSignedIn(community), "/cuenta/segundo-paso");
  await page.addInitScript(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException("refused", "NotAllowedError"));
  });
  await page.reload();
  await showRecoveryCodes(page);
  await copyButton(page).click();
  await expect(toastWith(page, "No se han copiado los códigos")).toContainText("copiarlos a mano");
  await expect(copyButton(page)).toHaveText("Copiar");
});

test("a user can set up the second factor again after its setup expired", async ({ visit, community, watch }) => {
  watch.expectStatus(409);
  const user = await justSignedIn(community);
  const page = await visit(user, "/cuenta/segundo-paso");
  await page.getByRole("button", { name: "Empezar" }).click();
  await page.getByLabel("Código de 6 números").fill("123456");
  await community.sql("update second_factors set created_at = created_at - interval '1 hour' where account_id = $1", [
    user.id,
  ]);
  await page.getByRole("button", { name: "Activar" }).click();
  await expect(page.getByRole("main").getByRole("alert")).toContainText("Empieza otra vez");
  await turnOnSecondFactor(page);
});

test("empties the fields of a new password when it is stored", async ({ visit, community }) => {
  const page = await visit(await justSignedIn(community), "/cuenta");
  await waitForHydration(page);
  await page.locator("#contrasena summary").click();
  const fields = [page.getByLabel("Contraseña nueva"), page.getByLabel("Confirmar contraseña")];
  for (const field of fields) await field.fill("una mecedora en el patio");
  const button = page.getByRole("button", { name: "Guardar la contraseña" });
  await button.click();
  await expect(toastWith(page, "Tu contraseña ha cambiado")).toBeVisible();
  for (const field of fields) await expect(field).toHaveValue("");
  await expect(button).toBeFocused();
});

test("a user can finish the registration in the browser of the mail program", async ({ visit, community }) => {
  const email = uniqueEmail();
  await community.call(await community.person(), "POST", "/registrations", registration(email));
  const page = await visit("visitor", "/correo");
  await (await mailTo(page, email, /Confirma tu correo/)).getByRole("link", { name: "/auth/confirmar" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Termina tu registro" })).toBeVisible();
  await waitForHydration(page);
  const asks = page.getByRole("link", { name: /^Quiero preguntar/ });
  await expect(asks).toHaveAttribute("aria-current", "true");
  await expect(asks.locator(".account-type__dot")).toHaveCSS("display", "block");
  await expectAccessible(page);
  await page.getByLabel("Contraseña", { exact: true }).fill(PASSWORD);
  await page.getByLabel("Confirmar contraseña").fill(PASSWORD);
  for (const consent of await page.getByRole("checkbox").all()) await consent.check();
  await page.getByRole("button", { name: "Confirmar mi correo" }).click();
  await expect(page).toHaveURL("/");
  await expectToast(page, "¡Bienvenido!");
});
