import type { Page } from "@playwright/test";
import { expect, holdRequests, PHONE_DEVICE, test, waitForHydration } from "./fixtures.ts";

test.use(PHONE_DEVICE);

test("opens a dialog to rate in the ranking and restores the focus", async ({ openPage }) => {
  const page = await openPage({ as: "user" });
  await page.goto("/?vista=ranking");
  await waitForHydration(page, ".ranking-entry");
  const rate = page.getByRole("link", { name: /^Calificar: / }).first();
  const name = (await rate.getAttribute("aria-label"))!;
  await rate.press("Enter");
  const dialog = page.getByRole("dialog", { name });
  await expect(dialog.getByRole("radio", { name: /^5 de 5/ })).toBeChecked();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(rate).toBeFocused();
});

/** Counts the frames in which the page shows neither the list nor its skeleton. */
const watchForGaps = () => {
  const state = window as unknown as { gaps: number };
  state.gaps = 0;
  const look = () => {
    if (document.body && !document.querySelector("#lista, main [aria-busy=true]")) state.gaps++;
    requestAnimationFrame(look);
  };
  document.addEventListener("DOMContentLoaded", look);
};
const gaps = (page: Page) => page.evaluate(() => (window as unknown as { gaps: number }).gaps);

test("shows a skeleton without a gap until a late ranking arrives", async ({ page }) => {
  await page.addInitScript(watchForGaps);
  const part = /\/assets\/ranking-/;
  const arrives = await holdRequests(page, part);
  await page.goto("/");
  await waitForHydration(page);
  await page.getByRole("link", { name: "Ranking de Psicólogos" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Cargando el ranking" })).toBeAttached();
  arrives();
  const heading = page.getByRole("heading", { name: "Psicólogos de todos los países" });
  await expect(heading).toBeVisible();
  expect(await gaps(page)).toBe(0);
});
