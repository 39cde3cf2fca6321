import { randomUUID } from "node:crypto";
import { DEMO_PASSWORD, demoUser, expect, goTo, holdRequests, test, toast } from "./fixtures.ts";
import { focusAndPress, tabTo } from "./keys.ts";

test("a user can sign in, ask, vote and sign out by keyboard", async ({ page }) => {
  const { keyboard } = page;
  await goTo(page, "/");

  await keyboard.press("Tab");
  const skip = page.getByRole("link", { name: "Saltar al contenido" });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await keyboard.press("Enter");
  await keyboard.press("Tab");
  // The next stop is within the content, after the whole header.
  await expect(page.getByRole("textbox", { name: "Escribe aquí" })).toBeFocused();

  const signInLink = page.getByRole("banner").getByRole("link", { name: "Iniciar Sesión" });
  await tabTo(page, signInLink, "Shift+Tab");
  await keyboard.press("Enter");
  await expect(page).toHaveURL("/auth");

  const mail = page.getByLabel("Correo electrónico");
  await tabTo(page, mail);
  await keyboard.type((await demoUser()).email);
  const password = page.getByLabel("Contraseña", { exact: true });
  await tabTo(page, password);
  await keyboard.type(DEMO_PASSWORD);
  await focusAndPress(page, page.getByRole("button", { name: "Mostrar contraseña" }), "Space");
  await expect(password).toHaveAttribute("type", "text");
  await tabTo(page, password, "Shift+Tab");
  // Browsers store and suggest values that are sent as text.
  const letGo = await holdRequests(page, /\/auth\.data/);
  await keyboard.press("Enter");
  await expect(password).toHaveAttribute("type", "password");
  letGo();
  await expect(page).toHaveURL("/");
  const opener = page.getByRole("link", { name: "Nueva Consulta" });
  await expect(opener).toBeVisible();

  // The dialog takes and traps the focus. Escape closes it and restores the focus.
  await tabTo(page, opener);
  await keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Nueva Consulta" });
  await expect(dialog).toBeVisible();
  expect(await dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  for (let presses = 0; presses < 14; presses++) {
    await keyboard.press("Tab");
    // Between the last and the first stop the focus is on the browser's own controls.
    const where = await dialog.evaluate((element) => {
      const at = document.activeElement;
      return !at || at === document.body || element.contains(at) ? null : at.outerHTML.slice(0, 120);
    });
    expect(where, "the focus stays within the dialog").toBeNull();
  }
  await keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();

  // A pointer that was pressed inside does not close it, as when text is selected beyond the edge. One outside does.
  await keyboard.press("Enter");
  const { x, y } = (await dialog.boundingBox())!;
  await page.mouse.move(x + 30, y + 30);
  await page.mouse.down();
  await page.mouse.move(x - 30, y + 30);
  await page.mouse.up();
  await expect(dialog).toBeVisible();
  await page.mouse.click(x - 30, y + 30);
  await expect(dialog).toBeHidden();
  await opener.focus();

  const title = `Solo con el teclado, ${randomUUID().slice(0, 8)}`;
  await keyboard.press("Enter");
  await tabTo(page, dialog.getByLabel("Título"));
  await keyboard.type(title);
  await tabTo(page, dialog.getByLabel("Descripción detallada"));
  await keyboard.type("No uso el ratón desde que me duele la mano, y quería saber si se puede.");
  const country = dialog.getByRole("combobox", { name: "País" });
  await tabTo(page, country);
  await keyboard.type("Uru");
  await expect(country).toHaveValue("Uruguay");
  const anonymous = dialog.getByRole("checkbox", { name: "Publicar de forma anónima" });
  await tabTo(page, anonymous);
  await keyboard.press("Space");
  await expect(anonymous).toBeChecked();
  await tabTo(page, dialog.getByRole("button", { name: "Publicar consulta" }));
  await keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
  await expect(toast(page, "¡Consulta creada!")).toBeVisible();

  const up = page.getByRole("button", { name: /votos? a favor de la consulta/ });
  await tabTo(page, up);
  await keyboard.press("Enter");
  await expect(up).toHaveAttribute("aria-pressed", "true");
  await expect(up).toHaveAccessibleName(/^1 /);
  await expect(up).toBeFocused();
  await keyboard.press("Space");
  await expect(up).toHaveAttribute("aria-pressed", "false");

  // The theme's button is replaced by its counterpart, which receives the focus.
  await tabTo(page, page.getByRole("button", { name: "Cambiar al tema oscuro" }), "Shift+Tab");
  await keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Cambiar al tema claro" })).toBeFocused();
  const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  for (const frame of await page.locator("meta[name=theme-color]").all())
    await expect(frame).toHaveAttribute("content", background);

  const menu = page.getByRole("banner").getByRole("button", { name: /^(Menú de|Abrir el menú)/ });
  await tabTo(page, menu, "Shift+Tab");
  await keyboard.press("Enter");
  await focusAndPress(page, page.getByRole("link", { name: "Cuenta y seguridad" }));
  await expect(page).toHaveURL("/cuenta");
  await expect(page.getByRole("navigation", { name: /^Menú de/ })).toBeHidden();
  await tabTo(page, menu, "Shift+Tab");
  await keyboard.press("Enter");
  await keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Mi Perfil" })).toBeFocused();
  await focusAndPress(page, page.getByRole("button", { name: "Cerrar Sesión", exact: true }));
  const announced = page.getByRole("region", { name: "Avisos" }).getByRole("status");
  await expect(announced).toContainText("Has cerrado sesión");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
});
