import { expect, expectToast, test } from "./community.ts";
import { PHONE } from "./fixtures.ts";
import { expectAccessible, expectNoSidewaysScroll } from "./screen-checks.ts";

test("the administrator can delete a consultation in a dialog over the list and undo the removal", async ({
  visit,
  community,
}) => {
  const author = await community.person({ name: "Berta Búsqueda" });
  await community.ask(author, { title: "Una aguja en este pajar", is_anonymous: true });
  const page = await visit("admin", "/admin/consultas?q=aguja");
  const rows = page.getByRole("region", { name: /^Consultas/ }).getByRole("article");
  const confirm = page.getByRole("dialog", { name: "¿Eliminar esta consulta?" });
  await rows.getByRole("link", { name: /^Eliminar/ }).click();
  await expect(confirm).toContainText("Una aguja en este pajar");
  await expectAccessible(page, "the dialog that deletes a consultation");
  await confirm.getByRole("button", { name: "Cancelar" }).click();
  await expect(confirm).toBeHidden();
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
});

test("shows the tab of help lines to be checked in view on a phone when it is open", async ({ visit }) => {
  const page = await visit("admin", "/admin/ayuda", { viewport: PHONE });
  const tab = page.getByRole("navigation", { name: "Secciones" }).getByRole("link", { name: /^Ayuda/ });
  await expect(tab).toHaveAttribute("aria-current", "page");
  await expect(tab).toBeInViewport({ ratio: 1 });
});
