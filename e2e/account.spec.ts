import { codeAt } from "#test/totp.ts";
import { expect, test } from "./community.ts";
import { PHONE_DEVICE, toast, waitForHydration } from "./fixtures.ts";
import { expectAccessible } from "./screen-checks.ts";

test.use(PHONE_DEVICE);

test("a user can copy the recovery codes, one per line, and sees an error if the browser refuses", async ({
  visit,
  community,
}) => {
  const user = await community.person();
  // Otherwise the page asks for the password again.
  await community.sql("update sessions set password_at = now() where account_id = $1", [user.id]);
  const page = await visit(user, "/cuenta/segundo-paso", { permissions: ["clipboard-read", "clipboard-write"] });
  await page.getByRole("button", { name: "Empezar" }).click();
  const code = page.getByLabel("Código de 6 números");
  await expect(code).toBeVisible();
  await code.fill(codeAt((await page.locator("code").textContent())!, new Date()));
  await page.getByRole("button", { name: "Activar" }).click();
  await expect(page.getByRole("heading", { name: "Guarda tus códigos de recuperación" })).toBeVisible();
  await waitForHydration(page);
  const codes = await page.locator("code").allTextContents();
  await expectAccessible(page, "recovery codes");
  const copy = page.getByRole("main").getByRole("button", { name: /^Copia/ });
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => {
      Reflect.deleteProperty(navigator.clipboard, "writeText");
      return Promise.reject(new DOMException("refused", "NotAllowedError"));
    };
  });
  await copy.click();
  await expect(toast(page, "No se han copiado los códigos")).toContainText("copiarlos a mano");
  await expect(copy).toHaveText("Copiar");
  await copy.click();
  await expect(copy).toHaveText("Copiados");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(codes.join("\n"));
});

test("empties the fields of a new password when it is stored", async ({ visit, community }) => {
  const user = await community.person();
  await community.sql("update sessions set password_at = now() where account_id = $1", [user.id]);
  const page = await visit(user, "/cuenta");
  await page.locator("#contrasena summary").click();
  const fields = [page.getByLabel("Contraseña nueva"), page.getByLabel("Confirmar contraseña")];
  for (const field of fields) await field.fill("una mecedora en el patio");
  const button = page.getByRole("button", { name: "Guardar la contraseña" });
  await button.click();
  await expect(toast(page, "Tu contraseña ha cambiado")).toBeVisible();
  for (const field of fields) await expect(field).toHaveValue("");
  await expect(button).toBeFocused();
});
