import type { Page } from "@playwright/test";
import { SECOND } from "#shared/time.ts";
import { DATA, expect, goTo, PHONE_DEVICE, test } from "./fixtures.ts";

test.use(PHONE_DEVICE);

/** Opens a path when the session ends in `seconds` seconds by the browser's clock, which is then paused. */
async function beforeTheEnd(page: Page, seconds: number, path = "/"): Promise<void> {
  const { expires_at } = await (await page.request.get("/api/session")).json();
  const from = Date.parse(expires_at) - seconds * SECOND;
  await page.clock.install({ time: from - SECOND });
  await page.clock.pauseAt(from);
  await goTo(page, path);
}

test("checks a session every 30 s and renews it from 90 s before its end", async ({ visit }) => {
  const page = await visit("user", "about:blank");
  await beforeTheEnd(page, 119);
  let asked = 0;
  page.on("request", (request) => request.url().endsWith("/api/session/renewal") && asked++);
  // 89 s are left after 30 s. The page does not check at 90 s.
  await page.clock.runFor(30 * SECOND - 1);
  expect(asked).toBe(0);
  const renewed = page.waitForResponse("/api/session/renewal");
  // Then the page loads the new end of the session.
  const asksAgain = page.waitForResponse((response) => response.url().includes(".data"));
  await page.clock.runFor(1);
  expect((await renewed).status()).toBe(200);
  expect((await asksAgain).status()).toBe(200);
  expect(asked).toBe(1);
});

test("renews a session without dropping the response to a form", async ({ visit, watch }) => {
  watch.expectStatus(422);
  const page = await visit("user", "about:blank");
  await beforeTheEnd(page, 80, "/perfil");
  await page.getByRole("main").getByText("Nombre completo").first().click();
  await page.getByLabel("Nombre completo").fill("A");
  await page.getByRole("button", { name: "Guardar cambios" }).click();
  const refused = page.getByLabel("Nombre completo").and(page.locator("[aria-invalid]"));
  await expect(refused).toBeVisible();
  const reloads: string[] = [];
  page.on("request", (request) => DATA.test(request.url()) && reloads.push(request.url()));
  const renewed = page.waitForResponse("/api/session/renewal");
  await page.clock.runFor(30 * SECOND);
  expect((await renewed).status()).toBe(200);
  // A reload would be requested before.
  await page.evaluate(() => fetch("/api/session").then((response) => response.text()));
  expect(reloads).toEqual([]);
  await expect(refused).toBeVisible();
});

test("signs the user out when a renewal is refused with 401", async ({ visit, watch }) => {
  watch.expectStatus(401);
  const page = await visit("user", "about:blank");
  await beforeTheEnd(page, 60);
  await page.context().clearCookies();
  await page.clock.runFor(30 * SECOND);
  await expect(page.getByRole("heading", { level: 1, name: "Conecta con Psicólogos Profesionales" })).toBeVisible();
});
