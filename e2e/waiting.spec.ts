import type { Page } from "@playwright/test";
import { alive, DATA, expect, holdBack, openMenu, test } from "./fixtures.ts";
import { expectAccessible } from "./screen-checks.ts";

/** What the next page needs. */
const skeleton = (page: Page) => page.locator("[aria-busy=true] .skeleton__line").first();
const topOf = async (page: Page, selector: string) => (await page.locator(selector).first().boundingBox())!.y;

test("a visitor's first load brings no skeletons, and they come with the first press", async ({ page }) => {
  const scripts: string[] = [];
  page.on("request", (request) => {
    if (request.resourceType() === "script") scripts.push(new URL(request.url()).pathname);
  });
  await page.goto("/");
  await alive(page);
  await page.waitForLoadState("networkidle");
  expect(scripts.filter((path) => path.includes("skeleton"))).toEqual([]);
  await page.keyboard.press("Tab");
  await expect.poll(() => scripts.filter((path) => path.includes("skeleton")).length).toBe(1);
});

test("only what takes longer than someone notices shows a skeleton", async ({ page, talked }) => {
  await page.clock.install();
  await page.goto("/?orden=respondidas");
  await alive(page);
  await page.keyboard.press("Tab");
  await page.waitForLoadState("networkidle");
  const release = await holdBack(page, DATA);
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.getByRole("link", { name: talked.title, exact: true }).click();
  await page.clock.runFor(140);
  await expect(page.locator("main .skeleton__line")).toHaveCount(0);
  await expect(page.getByRole("link", { name: talked.title, exact: true })).toBeVisible();
  // However late the browser came to count.
  await expect(async () => {
    await page.clock.runFor(20);
    await expect(page.getByText("Cargando la consulta…")).toBeVisible({ timeout: 500 });
  }).toPass();
  release();
  await expect(page.getByRole("heading", { level: 1, name: talked.title })).toBeVisible();
});

test("a page that takes long is preceded by its shape, at its top and where it will stand", async ({
  page,
  talked,
  isMobile,
}) => {
  await page.goto("/?orden=respondidas");
  await alive(page);
  let release = await holdBack(page, DATA);
  const link = page.getByRole("link", { name: talked.title, exact: true });
  await link.click();
  await expect(page.getByText("Cargando la consulta…")).toBeVisible();
  await expect(skeleton(page)).toBeVisible();
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await expectAccessible(page, "the skeleton of a consultation");
  const before = await topOf(page, ".question");
  release();
  await expect(page.getByRole("heading", { level: 1, name: talked.title })).toBeVisible();
  expect(Math.abs((await topOf(page, ".question")) - before)).toBeLessThan(2);
  await expect(skeleton(page)).toHaveCount(0);

  release = await holdBack(page, DATA);
  await page.getByRole("article").getByRole("link", { name: talked.psychologist.full_name }).first().click();
  await expect(page.getByText("Cargando el perfil…")).toBeVisible();
  const card = await topOf(page, ".identity");
  release();
  await expect(page.getByRole("heading", { level: 1, name: talked.psychologist.full_name })).toBeVisible();
  expect(Math.abs((await topOf(page, ".identity")) - card)).toBeLessThan(2);

  // Back again: the list, where it was. Between pages with the quick exit one leaves no trace of the other.
  await page.goBack();
  await expect(link).toBeVisible();
  if (!isMobile) await expect(link).toBeInViewport();
});

test("a list that takes long is replaced by its shape, and its filters stay", async ({ page }) => {
  await page.goto("/");
  await alive(page);
  let release = await holdBack(page, DATA);
  const sort = page.getByRole("combobox", { name: "Ordenar" });
  await sort.selectOption("Más votadas");
  await expect(page.getByRole("status").filter({ hasText: "Cargando consultas" })).toBeAttached();
  await expect(page.locator(".feed[aria-busy=true] .consultation-card")).toHaveCount(3);
  await expect(sort).toBeVisible();
  release();
  await expect(page.getByRole("article")).toHaveCount(20);

  release = await holdBack(page, DATA);
  await page.getByRole("link", { name: "Ranking de Psicólogos" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Cargando el ranking" })).toBeAttached();
  await expect(page.getByRole("link", { name: "Ranking de Psicólogos" })).toHaveAttribute("aria-current", "page");
  release();
  await expect(page.getByRole("heading", { name: "Psicólogos de todos los países" })).toBeVisible();
  await expect(skeleton(page)).toHaveCount(0);
});

test("answers in another order, and another tab of the administration, are waited for in their shape", async ({
  someone,
  talked,
}) => {
  const page = await someone({ as: "admin" });
  await page.goto(`/consulta/${talked.id}`);
  await alive(page);
  let release = await holdBack(page, DATA);
  await page.keyboard.press("Tab");
  await page.getByRole("combobox", { name: "Ordenar respuestas" }).selectOption("Antiguas");
  await expect(page.locator(".answers[aria-busy=true] .answer")).toHaveCount(2);
  await expect(page.getByRole("heading", { level: 1, name: talked.title })).toBeVisible();
  release();
  await expect(page.getByRole("article", { name: /^Respuesta de/ }).first()).toBeVisible();

  await page.goto("/admin");
  await alive(page);
  release = await holdBack(page, DATA);
  await page.keyboard.press("Tab");
  await page.getByRole("main").getByRole("link", { name: "Mensajes" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Cargando la lista" })).toBeAttached();
  release();
  await expect(page.getByRole("heading", { level: 2, name: "Mensajes" })).toBeVisible();
});

test("what could not be loaded says so and can be tried again, and more of a list that failed loses nothing", async ({
  page,
  watch,
}) => {
  watch.expectFailedLoad();
  await page.goto("/");
  await alive(page);
  await page.route("/api/consultations?**", (route) => route.abort());
  const cards = page.getByRole("article");
  await page.getByRole("link", { name: "Cargar más" }).click();
  const alert = page.getByRole("alert").filter({ hasText: "No se pudieron cargar las consultas" });
  await expect(alert).toBeVisible();
  await expect(cards).toHaveCount(20);
  await expectAccessible(page, "more could not be loaded");
  await page.unroute("/api/consultations?**");
  await alert.getByRole("button", { name: "Reintentar" }).click();
  await expect(cards).toHaveCount(40);
  await expect(alert).toHaveCount(0);

  await page.route(DATA, (route) => route.abort());
  await cards.first().getByRole("heading").getByRole("link").click();
  await expect(page.getByRole("link", { name: "Reintentar" })).toBeVisible();
  await page.unroute(DATA);
  await page.getByRole("link", { name: "Reintentar" }).click();
  await expect(page.locator(".question")).toBeVisible();
});

test("the dialog for asking is fetched before it is wanted, and says that it is coming while it is not there", async ({
  someone,
}) => {
  const fetched = await someone({ as: "user" });
  const early = fetched.waitForRequest(/\/assets\/ask-dialog-/);
  await fetched.goto("/");
  await early;

  const page = await someone({ as: "user" });
  const release = await holdBack(page, /\/assets\/ask-dialog-/);
  await page.goto("/");
  await alive(page);
  const opener = page.getByRole("link", { name: /^(Nueva Consulta|Límite alcanzado)$/ });
  await opener.click();
  await expect(opener).toHaveAttribute("aria-busy", "true");
  release();
  await expect(page.getByRole("dialog")).toBeVisible();
  await expect(opener).not.toHaveAttribute("aria-busy", "true");
});

test("a menu opened before the page is alive stays open", async ({ someone }) => {
  const page = await someone({ as: "user" });
  const release = await holdBack(page, /\.js$/);
  await page.goto("/ayuda", { waitUntil: "commit" });
  // With the styles each width has one of the two menus.
  await expect(page.getByRole("banner").getByRole("button", { name: /^(Menú de|Abrir el menú)/ })).toHaveCount(1);
  await openMenu(page);
  const signOut = page.getByRole("button", { name: "Cerrar Sesión", exact: true });
  await expect(signOut).toBeVisible();
  release();
  await alive(page);
  // Effects run after the browser has painted what they belong to.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
  await expect(signOut).toBeVisible();
});
