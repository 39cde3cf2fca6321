import type { Page } from "@playwright/test";
import { DATA, expect, goTo, holdRequests, openMenu, PHONE_DEVICE, test, waitForHydration } from "./fixtures.ts";
import { expectAccessible } from "./screen-checks.ts";

test.use(PHONE_DEVICE);

const skeleton = (page: Page) => page.locator("[aria-busy=true] .skeleton__line").first();
const topOf = async (page: Page, selector: string) => (await page.locator(selector).first().boundingBox())!.y;

test("hydrates the start page before the code of the panels or of the ranking arrives", async ({ visit }) => {
  const page = await visit("user", "about:blank");
  for (const [path, code, part] of [
    ["/", /own-panels-/, page.getByRole("heading", { name: "Tu semana" })],
    ["/?vista=ranking", /ranking-/, page.getByRole("heading", { name: "Psicólogos de todos los países" })],
  ] as const) {
    const arrive = await holdRequests(page, code);
    // The held code delays the load event.
    await page.goto(path, { waitUntil: "commit" });
    await waitForHydration(page);
    await expect(part).toBeVisible();
    const loaded = page.waitForResponse(code);
    arrive();
    await loaded;
    await expect(part).toBeVisible();
  }
});

test("shows a skeleton at the top after 140 ms of a navigation, in the page's positions", async ({
  page,
  threadFixture,
}) => {
  await page.clock.install();
  await goTo(page, "/?orden=respondidas");
  await page.keyboard.press("Tab");
  await page.waitForLoadState("networkidle");
  let release = await holdRequests(page, DATA);
  const link = page.getByRole("link", { name: threadFixture.title, exact: true });
  await page.clock.pauseAt(Date.now() + 60_000);
  await link.click();
  await page.clock.runFor(140);
  await expect(page.locator("main .skeleton__line")).toHaveCount(0);
  await expect(link).toBeVisible();
  // The browser may start its timer late.
  await expect(async () => {
    await page.clock.runFor(20);
    await expect(page.getByText("Cargando la consulta…")).toBeVisible({ timeout: 500 });
  }).toPass();
  await page.clock.resume();
  await expect(skeleton(page)).toBeVisible();
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await expectAccessible(page, "the skeleton of a consultation");
  const before = await topOf(page, ".question");
  release();
  await expect(page.getByRole("heading", { level: 1, name: threadFixture.title })).toBeVisible();
  expect(Math.abs((await topOf(page, ".question")) - before)).toBeLessThan(2);
  await expect(skeleton(page)).toHaveCount(0);

  release = await holdRequests(page, DATA);
  await page.getByRole("article").getByRole("link", { name: threadFixture.psychologist.full_name }).first().click();
  await expect(page.getByText("Cargando el perfil…")).toBeVisible();
  const card = await topOf(page, ".identity");
  release();
  await expect(page.getByRole("heading", { level: 1, name: threadFixture.psychologist.full_name })).toBeVisible();
  expect(Math.abs((await topOf(page, ".identity")) - card)).toBeLessThan(2);

  await page.goBack();
  await expect(link).toBeVisible();
});

test("shows a skeleton of the list below the filters while it loads", async ({ page }) => {
  await goTo(page, "/");
  let release = await holdRequests(page, DATA);
  const sort = page.getByRole("combobox", { name: "Ordenar" });
  await sort.focus();
  await sort.selectOption("Más votadas");
  await expect(page.getByRole("status").filter({ hasText: "Cargando consultas" })).toBeAttached();
  await expect(page.locator(".feed[aria-busy=true] .consultation-card")).toHaveCount(3);
  await expect(sort).toBeVisible();
  release();
  await expect(page.getByRole("article")).toHaveCount(20);
  await expect(sort).toBeFocused();

  release = await holdRequests(page, DATA);
  await page.getByRole("link", { name: "Ranking de Psicólogos" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Cargando el ranking" })).toBeAttached();
  await expect(page.getByRole("link", { name: "Ranking de Psicólogos" })).toHaveAttribute("aria-current", "page");
  release();
  await expect(page.getByRole("heading", { name: "Psicólogos de todos los países" })).toBeVisible();
  await expect(skeleton(page)).toHaveCount(0);
});

test("keeps the filters of the administration and their focus while a filtered list loads", async ({ visit }) => {
  const page = await visit("admin", "/admin/psicologos");
  await page.getByRole("combobox", { name: "Estado" }).selectOption("Verificados");
  const filter = page.getByRole("button", { name: "Filtrar" });
  const release = await holdRequests(page, DATA);
  await filter.press("Enter");
  const list = page.locator(".admin__content");
  await expect(list).toHaveAttribute("aria-busy", "true");
  await expect(filter).toBeFocused();
  release();
  await expect(page).toHaveURL(/estado=verificados/);
  await expect(list).not.toHaveAttribute("aria-busy");
  await expect(filter).toBeFocused();
  await page.goBack();
  await expect(page.getByRole("combobox", { name: "Estado" })).toHaveValue("");
});

test("shows progress until the question dialog is available", async ({ visit }) => {
  const page = await visit("user", "about:blank");
  const release = await holdRequests(page, /\/assets\/new-consultation-dialog-/);
  await goTo(page, "/");
  const opener = page.getByRole("link", { name: /^(Nueva Consulta|Límite alcanzado)$/ });
  await opener.click();
  await expect(opener).toHaveAttribute("aria-busy", "true");
  release();
  await expect(page.getByRole("dialog")).toBeVisible();
  await expect(opener).not.toHaveAttribute("aria-busy", "true");
});

test("leaves a menu open that was opened before the hydration", async ({ visit }) => {
  const page = await visit("user", "about:blank");
  const release = await holdRequests(page, /\.js$/);
  await page.goto("/ayuda", { waitUntil: "commit" });
  // With the styles, each width shows only one of the two menus.
  await expect(page.getByRole("banner").getByRole("button", { name: /^(Menú de|Abrir el menú)/ })).toHaveCount(1);
  await openMenu(page);
  const signOut = page.getByRole("button", { name: "Cerrar Sesión", exact: true });
  await expect(signOut).toBeVisible();
  release();
  await waitForHydration(page);
  // Effects run after the browser has painted.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
  await expect(signOut).toBeVisible();
});
