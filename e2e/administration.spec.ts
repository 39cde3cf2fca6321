import type { Page } from "@playwright/test";
import { expect, expectToast, test, toastWith } from "./community.ts";
import { FULL_ONLY, PHONE, waitForHydration } from "./fixtures.ts";
import { focusAndPress, tabTo, typeInto } from "./keys.ts";
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

test(
  "the administrator can search for a consultation and delete it in a dialog",
  FULL_ONLY,
  async ({ visit, community }) => {
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
    await expect(toastWith(page, "Consulta eliminada")).toContainText("el crédito se devolvió si correspondía");

    await list.getByLabel("Buscar en título y texto").fill("aguja en este pajar");
    await list.getByRole("button", { name: "Buscar" }).click();
    await expect(list).toContainText("Ninguna consulta con «aguja en este pajar»");
    await list.getByRole("link", { name: "Ver las más recientes" }).click();
    await expect(rows).toHaveCount(10);
  },
);

test(
  "the administrator can filter psychologists by state, country and membership",
  FULL_ONLY,
  async ({ visit, community }) => {
    const { people } = community;
    const page = await visit("admin", "/admin/psicologos");
    await waitForHydration(page);
    const list = page.getByRole("region", { name: "Todos los psicólogos" });
    const row = (role: "pending" | "verified" | "gold") =>
      list.getByRole("article", { name: people[role]!.full_name, exact: true });
    const filter = async (state: string, country: string, gold: string) => {
      await list.getByLabel("Estado").selectOption(state);
      await list.getByLabel("País").selectOption(country);
      await list.getByLabel("Gold", { exact: true }).selectOption(gold);
      await list.getByRole("button", { name: "Filtrar" }).click();
      await expect(page).toHaveURL((url) => url.searchParams.get("gold") !== null);
      await expect(list.getByLabel("Estado")).toHaveValue(state);
    };
    await expect(row("pending")).toContainText("Pendiente de verificación");
    await expect(row("gold")).toContainText("GOLD");
    await expect(row("verified").getByRole("link", { name: people.verified!.email })).toBeVisible();

    await filter("pendientes", "Chile", "");
    await expect(row("pending")).toBeVisible();
    await expect(row("gold")).toHaveCount(0);
    await filter("verificados", "Argentina", "si");
    await expect(row("gold")).toBeVisible();
    await expect(row("pending")).toHaveCount(0);
    await filter("pendientes", "Argentina", "si");
    await expect(list).toContainText("Nadie con estos filtros.");
    await expectAccessible(page, "an empty list with filters");
    await list.getByRole("link", { name: "Quitar los filtros" }).click();
    await expect(row("verified")).toBeVisible();
    // The browser's back button restores the filters.
    await page.goBack();
    await expect(list.getByLabel("Estado")).toHaveValue("pendientes");
  },
);

test("updates the numbers above the tabs when the administrator decides or undoes", async ({ visit, community }) => {
  await community.person({ type: "psychologist", verified: false, name: "Nadia Nueva" });
  const page = await visit("admin", "/admin");
  await waitForHydration(page);
  const number = (label: string) =>
    page.getByRole("list", { name: "Resumen" }).getByRole("listitem").filter({ hasText: label }).locator("b");
  const before = {
    pending: await number("Pendientes").textContent(),
    verified: await number("Verificados").textContent(),
  };
  await page
    .getByRole("article", { name: "Nadia Nueva" })
    .getByRole("button", { name: /^Aprobar/ })
    .click();
  await expectToast(page, "Psicólogo aprobado");
  await expect(number("Pendientes")).toHaveText(String(Number(before.pending) - 1));
  await expect(number("Verificados")).toHaveText(String(Number(before.verified) + 1));
  const toast = toastWith(page, "Psicólogo aprobado");
  await toast.getByRole("button", { name: "Deshacer" }).click();
  await expectToast(page, "Decisión deshecha");
  await expect(toast).toHaveCount(0);
  await expect(number("Pendientes")).toHaveText(before.pending!);
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

test("the administrator can use the administration by keyboard", FULL_ONLY, async ({ visit, community }) => {
  const approved = await community.person({ type: "psychologist", verified: false, name: "Aprobada Ayala" });
  await community.person({ type: "psychologist", verified: false, name: "Rechazado Ríos" });
  await community.ask(await community.person(), { title: "Lo que el administrador borra con el teclado" });
  const page = await visit("admin", "/admin");
  await waitForHydration(page);
  const { keyboard } = page;
  const applicant = (name: string) => page.getByRole("article", { name });
  await focusAndPress(page, applicant("Aprobada Ayala").getByRole("button", { name: /^Aprobar/ }));
  await expectToast(page, "Psicólogo aprobado");
  await expect(applicant("Aprobada Ayala")).toHaveCount(0);

  const rejected = applicant("Rechazado Ríos");
  await focusAndPress(page, rejected.locator("summary", { hasText: "Rechazar" }));
  await typeInto(page, rejected.getByLabel("Motivo"), "Falta la provincia.");
  await focusAndPress(page, rejected.getByRole("button", { name: "Confirmar el rechazo" }));
  await expectToast(page, "Psicólogo rechazado");

  const sections = page.getByRole("navigation", { name: "Secciones" });
  await focusAndPress(page, sections.getByRole("link", { name: "Psicólogos" }));
  const state = page.getByLabel("Estado");
  await tabTo(page, state);
  await keyboard.type("Ver");
  await focusAndPress(page, page.getByRole("button", { name: "Filtrar" }));
  await expect(page).toHaveURL(/estado=verificados/);
  await expect(page.getByRole("article", { name: approved.full_name })).toBeVisible();

  await focusAndPress(page, sections.getByRole("link", { name: "Consultas" }));
  await typeInto(page, page.getByLabel("Buscar en título y texto"), "borra con el teclado");
  await keyboard.press("Enter");
  const found = page.getByRole("article", { name: "Lo que el administrador borra con el teclado" });
  await expect(page.getByRole("article")).toHaveCount(1);
  const remove = found.getByRole("link", { name: /^Eliminar/ });
  const confirm = page.getByRole("dialog", { name: "¿Eliminar esta consulta?" });
  await focusAndPress(page, remove);
  await keyboard.press("Escape");
  await expect(confirm).toBeHidden();
  await expect(remove).toBeFocused();
  await keyboard.press("Enter");
  await focusAndPress(page, confirm.getByRole("button", { name: "Eliminar" }));
  await expectToast(page, "Consulta eliminada");
});
