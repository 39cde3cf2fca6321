import type { Page } from "@playwright/test";
import { expect, test } from "./community.ts";
import { alive } from "./fixtures.ts";

/** Clicks a link with keys that ask for a new window or a download, and sees that the page leaves both to the browser. */
async function staysTheBrowsers(page: Page, name: RegExp): Promise<void> {
  await alive(page);
  // After the page's own listeners. The window itself is not opened: not every headless browser does.
  await page.evaluate(() => {
    const taken: boolean[] = [];
    Object.assign(window, { taken });
    window.addEventListener("click", (event) => {
      taken.push(event.defaultPrevented);
      event.preventDefault();
    });
  });
  const link = page.getByRole("main").getByRole("link", { name }).first();
  await link.click({ modifiers: ["Shift"] });
  await link.click({ modifiers: ["Alt"] });
  expect(await page.evaluate(() => (window as unknown as { taken: boolean[] }).taken)).toEqual([false, false]);
  await expect(page.getByRole("dialog")).toHaveCount(0);
}

test("links that open a dialog are the browser's when they are clicked with Shift or Alt", async ({
  visit,
  community,
}) => {
  const { talked } = community;
  await staysTheBrowsers(await visit(talked.author, `/consulta/${talked.id}`), /^Eliminar tu consulta/);
  await staysTheBrowsers(await visit("user", "/?vista=ranking"), /^Calificar: /);
  await staysTheBrowsers(await visit("verified", "/"), /^Responder: /);
  await staysTheBrowsers(await visit("verified", "/"), /^Cargar más/);
  await staysTheBrowsers(await visit("admin", "/admin?vista=consultas"), /^Eliminar/);
});
