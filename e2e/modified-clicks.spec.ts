import type { Page } from "@playwright/test";
import { expect, test } from "./community.ts";
import { waitForHydration } from "./fixtures.ts";

/** Clicks a link with Shift and Alt, and expects that the page does not handle the click. */
async function staysTheBrowsers(page: Page, name: RegExp): Promise<void> {
  await waitForHydration(page);
  // This listener runs after the page's own ones. It prevents the window, because not every headless browser opens one.
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

test("leaves clicks with Shift or Alt on dialog links to the browser", async ({ visit, community }) => {
  const { threadFixture } = community;
  await staysTheBrowsers(await visit(threadFixture.author, `/consulta/${threadFixture.id}`), /^Eliminar tu consulta/);
  await staysTheBrowsers(await visit("user", "/?vista=ranking"), /^Calificar: /);
  await staysTheBrowsers(await visit("verified", "/"), /^Responder: /);
  await staysTheBrowsers(await visit("verified", "/"), /^Cargar más/);
  await staysTheBrowsers(await visit("admin", "/admin/consultas"), /^Eliminar/);
});
