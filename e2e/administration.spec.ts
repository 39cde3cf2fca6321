import type { Page } from "@playwright/test";
import { expect, expectToast, test } from "./community.ts";
import { PHONE, waitForHydration } from "./fixtures.ts";
import { expectAccessible, expectNoSidewaysScroll } from "./screen-checks.ts";

/** Sends a message to the team. */
async function write(page: Page, name: string, email: string, message: string): Promise<void> {
  await waitForHydration(page);
  await page.getByLabel("Nombre").fill(name);
  await page.getByLabel("Correo electrónico").fill(email);
  await page.getByLabel("Mensaje").fill(message);
  await page.getByRole("button", { name: "Enviar mensaje" }).click();
}

test("a visitor can write to the team, and the administrator sees messages of Gold members first", async ({
  visit,
  community,
  watch,
}) => {
  watch.expectStatus(422);
  const visitor = await visit("visitor", "/contacto");
  await waitForHydration(visitor);
  await write(visitor, "Vito Visitante", "esto no es un correo", "Primero lo mío, que llegué antes.");
  await expect(visitor.getByLabel("Correo electrónico")).toHaveAttribute("aria-invalid", "true");
  await expect(visitor.getByLabel("Correo electrónico")).toBeFocused();
  await expect(visitor.getByLabel("Mensaje")).toHaveValue("Primero lo mío, que llegué antes.");
  await expectAccessible(visitor, "contact, refused");
  await visitor.getByLabel("Correo electrónico").fill("vito@example.com");
  await visitor.getByRole("button", { name: "Enviar mensaje" }).click();
  await expect(visitor.getByText("¡Mensaje enviado!")).toBeVisible();
  await visitor.getByRole("link", { name: "Escribir otro mensaje" }).click();
  await expect(visitor.getByLabel("Mensaje")).toHaveValue("");

  // The form of a signed-in user contains the name and the email.
  const gold = await visit("gold", "/contacto");
  await waitForHydration(gold);
  await expect(gold.getByLabel("Nombre")).toHaveValue(community.people.gold!.full_name);
  await expect(gold.getByRole("main")).toContainText("con Gold, primero");
  await gold.getByLabel("Mensaje").fill("Con Gold, aunque llegué después.");
  await gold.getByRole("button", { name: "Enviar mensaje" }).click();
  await expect(gold.getByText("¡Mensaje enviado!")).toBeVisible();

  const admin = await visit("admin", "/admin/mensajes");
  await waitForHydration(admin);
  await expect(admin.getByRole("main")).toContainText("2 mensajes esperan");
  const waiting = admin.getByRole("region", { name: "Mensajes" }).getByRole("article");
  await expect(waiting.first()).toContainText("Con Gold, aunque llegué después.");
  await expect(waiting.first()).toContainText("GOLD");
  await expect(waiting.nth(1)).toContainText("Primero lo mío, que llegué antes.");
  await expect(waiting.nth(1).getByRole("link", { name: "vito@example.com" })).toHaveAttribute("href", /^mailto:/);
  await expectAccessible(admin, "waiting messages");
  await waiting
    .first()
    .getByRole("button", { name: /^Marcar como atendido/ })
    .click();
  await expectToast(admin, "Mensaje atendido");
  await expect(admin.getByRole("main")).toContainText("1 mensaje espera");
  await admin.getByText("Últimos mensajes atendidos").click();
  await expect(admin.locator("details[open]").getByRole("article")).toContainText("Con Gold, aunque llegué después.");
});

test("the administrator can search for a consultation, delete it in a dialog and undo the removal", async ({
  visit,
  community,
}) => {
  const author = await community.person({ name: "Berta Búsqueda" });
  await community.ask(author, { title: "Una aguja en este pajar", is_anonymous: true });
  const page = await visit("admin", "/admin/consultas");
  await waitForHydration(page);
  const list = page.getByRole("region", { name: /^Consultas/ });
  const rows = list.getByRole("article");
  await expect(rows).toHaveCount(10);
  await list.getByRole("link", { name: "Ver anteriores" }).click();
  await expect(page).toHaveURL(/cursor=/);
  await expect(list.getByRole("heading", { level: 2, name: "Consultas anteriores" })).toBeVisible();

  await list.getByLabel("Buscar en título y texto").fill("aguja en este pajar");
  await list.getByRole("button", { name: "Buscar" }).click();
  await expect(page).toHaveURL(/q=aguja/);
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText("Anónimo");
  await expect(page.getByRole("main")).not.toContainText("Berta");

  const confirm = page.getByRole("dialog", { name: "¿Eliminar esta consulta?" });
  await rows.getByRole("link", { name: /^Eliminar/ }).click();
  await expect(confirm).toContainText("Una aguja en este pajar");
  await expectAccessible(page, "the dialog that deletes a consultation");
  await confirm.getByRole("button", { name: "Cancelar" }).click();
  await expect(confirm).toBeHidden();
  await expect(rows).toHaveCount(1);
  await rows.getByRole("link", { name: /^Eliminar/ }).click();
  await confirm.getByRole("button", { name: "Eliminar" }).click();
  const strip = page.locator(".undo-banner").filter({ hasText: "Una aguja en este pajar" });
  await expect(strip).toContainText(/Se borra en \d+ segundos?\./);
  await expect(page).toHaveURL(/q=aguja/);
  await expectAccessible(page, "a removal that can be undone");
  await expectNoSidewaysScroll(page);
  await strip.getByRole("button", { name: /^Deshacer/ }).click();
  await expectToast(page, "Decisión deshecha");
  await expect(rows.filter({ hasText: "Una aguja en este pajar" })).toHaveCount(1);

  await list.getByLabel("Buscar en título y texto").fill("una aguja en otro pajar");
  await list.getByRole("button", { name: "Buscar" }).click();
  await expect(list).toContainText("Ninguna consulta con «una aguja en otro pajar»");
  await list.getByRole("link", { name: "Ver las más recientes" }).click();
  await expect(rows).toHaveCount(10);
});

test("shows the tab of help lines to be checked in view on a phone when it is open", async ({ visit }) => {
  const page = await visit("admin", "/admin/ayuda", { viewport: PHONE });
  await waitForHydration(page);
  const tabs = page.getByRole("navigation", { name: "Secciones" });
  const tab = tabs.getByRole("link", { name: /^Ayuda/ });
  // The tab is the last one, because nothing is decided there.
  await expect(tabs.getByRole("link").last()).toHaveAccessibleName(/^Ayuda \(\d+ por comprobar\)$/);
  await expect(tab).toHaveAttribute("aria-current", "page");
  await expect(tab).toBeInViewport({ ratio: 1 });
  const list = page.getByRole("region", { name: "Líneas de ayuda" });
  await expect(list).toContainText("una nueva comprobación");
  await expect(list.getByRole("article").first()).toContainText("Comprobada hace");
  await expect(page.getByRole("main")).not.toContainText(".json");
  await expectNoSidewaysScroll(page);
  await expectAccessible(page, "help lines to be checked");
});
