import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { codeAt } from "#test/totp.ts";
import { DEMO_PASSWORD, expect, fillRegistration, mailTo, signIn, test, toast } from "./fixtures.ts";
import { expectAccessible } from "./screen-checks.ts";

const NEW_PASSWORD = "otra-sala-con-ventanas";

/** Registers a user who signs in with the mailed link. The session has not seen a password. */
async function register(page: Page, full_name: string): Promise<string> {
  const email = `cuenta-${randomUUID().slice(0, 8)}@example.com`;
  await page.goto("/auth?modo=registro");
  await fillRegistration(page, { full_name, email, password: DEMO_PASSWORD });
  await page.getByRole("button", { name: "Crear Cuenta Gratis" }).click();
  await expect(page.getByRole("heading", { name: "¡Registro exitoso!" })).toBeVisible();
  await page.goto("/correo");
  await (await mailTo(page, email, /Confirma tu correo/)).getByRole("link", { name: "/auth/confirmar" }).click();
  await page.getByRole("button", { name: "Confirmar mi correo" }).click();
  await expect(page).toHaveURL("/");
  return email;
}

const setting = (page: Page, name: string) =>
  page
    .getByRole("main")
    .locator("details")
    .filter({ has: page.locator("summary", { hasText: name }) });

/** Opens a section of the account unless a refused form left it open. */
async function open(page: Page, name: string) {
  const line = setting(page, name);
  if ((await line.getAttribute("open")) === null) await line.locator("summary").click();
  return line;
}

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("a user can change the email with the password, confirm it by mail and revert it from the old mailbox", async ({
    page,
    watch,
  }) => {
    watch.expectStatus(422);
    const before = await register(page, "Carmen Cambiacorreo");
    const after = `nuevo-${randomUUID().slice(0, 8)}@example.com`;
    await page.goto("/cuenta");
    const line = await open(page, "Correo");
    await line.getByLabel("Correo nuevo").fill(after);
    await line.getByLabel("Tu contraseña actual").fill("no es mi contraseña");
    await line.getByRole("button", { name: "Cambiar el correo" }).click();
    await expect(line.getByLabel("Tu contraseña actual")).toHaveAccessibleDescription(/Esa no es tu contraseña/);
    await expect(line.getByLabel("Correo nuevo")).toHaveValue(after);
    await line.getByLabel("Tu contraseña actual").fill(DEMO_PASSWORD);
    await line.getByRole("button", { name: "Cambiar el correo" }).click();
    await expect(page.getByText("Falta confirmar el correo nuevo")).toBeVisible();
    await expect(page.getByRole("main").getByText(before)).toBeVisible();

    await page.goto("/correo");
    const mail = await mailTo(page, after, /Confirma tu nuevo correo/);
    await mail.getByRole("link", { name: "/cuenta/correo" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Confirma tu correo nuevo" })).toBeVisible();
    await page.getByRole("button", { name: "Usar este correo" }).click();
    await expect(page).toHaveURL("/cuenta");
    await expect(toast(page, "Tu correo ha cambiado")).toBeVisible();
    await expect(setting(page, "Correo").locator("summary")).toContainText(after);

    await page.goto("/correo");
    const notice = await mailTo(page, before, /El correo de tu cuenta/);
    await notice.getByRole("link", { name: "/cuenta/correo" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Volver al correo de antes" })).toBeVisible();
    await page.getByRole("button", { name: "Volver a este correo" }).click();
    await expect(page).toHaveURL("/auth");
    await page.goto("/correo");
    const recovery = await mailTo(page, before, /contraseña nueva/);
    await recovery.getByRole("link", { name: "/auth/nueva-contrasena" }).click();
    await page.getByLabel("Contraseña nueva").fill(NEW_PASSWORD);
    await page.getByLabel("Confirmar contraseña").fill(NEW_PASSWORD);
    await page.getByRole("button", { name: "Guardar la contraseña" }).click();
    await expect(page).toHaveURL("/auth");
    await signIn(page, before, NEW_PASSWORD);
    await expect(page).toHaveURL("/");
  });

  test("a user can end another session, all others with a new password, or all", async ({ page, openPage, watch }) => {
    watch.expectStatus(401);
    const email = await register(page, "Pablo Dospuertas");
    const device = await openPage({ javaScriptEnabled: false });
    await device.goto("/auth");
    await signIn(device, email);
    await expect(device).toHaveURL("/");
    await page.goto("/cuenta");
    const places = page.getByRole("region", { name: "Dispositivos conectados" }).getByRole("listitem");
    await expect(places).toHaveCount(2);
    await expect(places.first()).toContainText("Este dispositivo");
    await places
      .nth(1)
      .getByRole("button", { name: /^Cerrar la sesión de/ })
      .click();
    await expect(places).toHaveCount(1);
    await expect(toast(page, "Sesión cerrada")).toBeVisible();
    await device.goto("/cuenta");
    await expect(device.getByText("Debes iniciar sesión para ver tu cuenta.")).toBeVisible();

    await device.getByRole("main").getByRole("link", { name: "Iniciar Sesión" }).click();
    await signIn(device, email);
    await expect(device).toHaveURL("/cuenta");
    const line = await open(page, "Contraseña");
    await line.getByLabel("Tu contraseña actual").fill(DEMO_PASSWORD);
    await line.getByLabel("Contraseña nueva").fill(NEW_PASSWORD);
    await line.getByLabel("Confirmar contraseña").fill(NEW_PASSWORD);
    await line.getByRole("button", { name: "Guardar la contraseña" }).click();
    await expect(toast(page, "Tu contraseña ha cambiado")).toBeVisible();
    await expect(places).toHaveCount(1);
    await device.goto("/cuenta");
    await expect(device.getByText("Debes iniciar sesión para ver tu cuenta.")).toBeVisible();

    await page.getByRole("button", { name: "Cerrar sesión en todos" }).click();
    await expect(toast(page, "Has cerrado todas las sesiones")).toBeVisible();
    await expect(page).toHaveURL("/");
  });

  test("a user can withdraw a consent, which prevents publishing, and give it again", async ({ page, watch, own }) => {
    watch.expectStatus(403);
    await page.goto("/auth?volver=/cuenta");
    await signIn(page, own("consents"));
    const consent = page.getByRole("listitem").filter({ hasText: "datos sobre tu salud" });
    await consent.locator("summary").click();
    await expect(consent.getByText(/no podrás publicar consultas/)).toBeVisible();
    await consent.getByRole("button", { name: "Retirar este permiso" }).click();
    await expect(consent.getByText("Retirado", { exact: true })).toBeVisible();

    await page.goto("/nueva-consulta");
    await page.getByLabel("Título").fill("Sin permiso para publicar");
    await page.getByLabel("Descripción detallada").fill("Quería saber si esto se publica sin mi permiso.");
    await page.getByRole("main").getByRole("combobox", { name: "País" }).selectOption("Perú");
    await page.getByRole("button", { name: "Publicar consulta" }).click();
    await expect(page.getByRole("main").getByText("Has retirado un permiso").first()).toBeVisible();
    await expect(page.getByLabel("Título")).toHaveValue("Sin permiso para publicar");

    await page.goto("/cuenta");
    await consent.getByRole("button", { name: "Darlo otra vez" }).click();
    await expect(toast(page, "Permiso guardado")).toBeVisible();
    await expect(consent.locator("summary")).toBeVisible();
  });

  test("a user can set up a second factor, sign in with a recovery code and turn the factor off", async ({
    page,
    openPage,
    watch,
  }) => {
    watch.expectStatus(422);
    const email = await register(page, "Dora Dospasos");
    await page.goto("/cuenta");
    await page.getByRole("link", { name: "Activar la verificación en dos pasos" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Verificación en dos pasos" })).toBeVisible();
    await page.getByLabel("Tu contraseña actual").fill(DEMO_PASSWORD);
    await page.getByRole("button", { name: "Empezar" }).click();
    await expect(page.getByRole("img", { name: "Código QR para tu aplicación" })).toBeVisible();
    const key = (await page.locator("code").textContent())!;
    await page.getByLabel("Código de 6 números").fill("000000");
    await page.getByRole("button", { name: "Activar" }).click();
    await expect(page.getByLabel("Código de 6 números")).toHaveAccessibleDescription(/Ese código no sirve/);
    await page.getByLabel("Código de 6 números").fill(codeAt(key, new Date()));
    await page.getByRole("button", { name: "Activar" }).click();
    await expect(page.getByRole("heading", { name: "Guarda tus códigos de recuperación" })).toBeVisible();
    const codes = await page.locator("code").allTextContents();
    expect(codes).toHaveLength(10);
    await page.getByRole("link", { name: "Ya los tengo guardados" }).click();
    await expect(page).toHaveURL("/cuenta");

    const device = await openPage({ javaScriptEnabled: false });
    await device.goto("/auth?volver=/perfil");
    await signIn(device, email);
    await expect(device).toHaveURL("/auth/codigo?volver=%2Fperfil");
    const code = device.getByRole("textbox", { name: "Código" });
    // The code of the current 30 s was used to turn the second factor on.
    await code.fill(codes[0]!);
    await device.getByRole("button", { name: "Entrar" }).click();
    await expect(device).toHaveURL("/perfil");

    await page.goto("/cuenta/segundo-paso");
    await expect(page.getByText("Te quedan 9 códigos")).toBeVisible();
    await setting(page, "Desactivar").locator("summary").click();
    await page.getByRole("button", { name: "Desactivar la verificación" }).click();
    await expect(page).toHaveURL("/cuenta");
    await expect(page.getByText("Desactivada", { exact: true })).toBeVisible();
  });
});

test("shows an error at the field for a refused password without losing the input", async ({
  openPage,
  own,
  watch,
}) => {
  watch.expectStatus(422);
  const email = own("refused");
  const signedIn = await openPage({ email });
  await signedIn.goto("/cuenta");
  const line = await open(signedIn, "Contraseña");
  await expect(line.getByLabel("Tu contraseña actual")).toHaveCount(0);
  await line.getByLabel("Contraseña nueva").fill("contraseña123");
  await line.getByLabel("Confirmar contraseña").fill("contraseña123");
  await line.getByRole("button", { name: "Mostrar contraseña" }).first().click();
  await expect(line.getByLabel("Contraseña nueva")).toHaveAttribute("type", "text");
  await line.getByRole("button", { name: "Guardar la contraseña" }).click();
  await expect(line.getByLabel("Contraseña nueva")).toHaveAttribute("aria-invalid", "true");
  // Resets the type, because browsers store and suggest values that are sent as text.
  await expect(line.getByLabel("Contraseña nueva")).toHaveAttribute("type", "password");
  await expectAccessible(signedIn, "account, refused");
  await expect(line.getByLabel("Contraseña nueva")).toHaveValue("contraseña123");
});
