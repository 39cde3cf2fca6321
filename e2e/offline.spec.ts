import type { BrowserContextOptions, Page } from "@playwright/test";
import { COUNTRIES } from "#shared/countries.ts";
import { detail, expect, test } from "./community.ts";
import { goTo, PHONE_DEVICE, signOut, waitForHydration } from "./fixtures.ts";
import { expectAccessible } from "./screen-checks.ts";

const WITH_WORKER: BrowserContextOptions = { ...PHONE_DEVICE, serviceWorkers: "allow" };

/** Waits until the service worker runs. The offline page is stored before. */
const waitForWorker = (page: Page) =>
  page.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready;
    if (active?.state !== "activated")
      await new Promise((done) => active!.addEventListener("statechange", done, { once: true }));
  });

const stored = (page: Page) =>
  page.evaluate(async () => {
    const all: { path: string; text: string }[] = [];
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys())
        all.push({ path: new URL(request.url).pathname, text: await (await cache.match(request))!.text() });
    }
    return all;
  });

/** Files of pages that only users open. */
const ACCOUNT_FILES = /^\/assets\/(account|notifications)-/;

const countries = (page: Page) => page.getByRole("main").locator("details");
const opened = (page: Page) => page.getByRole("main").locator("details[open]");

test("a visitor without a network can call the help lines of every country", async ({ visit }) => {
  const page = await visit("visitor", "/", WITH_WORKER);
  await waitForWorker(page);
  expect((await stored(page)).map(({ path }) => path)).toContainEqual(expect.stringMatching(/^\/assets\/icons-/));
  const missing: string[] = [];
  page.on("requestfailed", (request) => missing.push(request.url()));
  await page.context().setOffline(true);
  await page.goto("/temas");
  await expect(page.getByRole("heading", { level: 1, name: "Sin conexión" })).toBeVisible();
  await expect(countries(page)).toHaveCount(COUNTRIES.length + 1);
  await expect(opened(page)).toHaveCount(0);
  await countries(page).filter({ hasText: "Chile" }).first().locator("summary").press("Enter");
  await expect(opened(page).locator("a[href^='tel:']").first()).toBeVisible();
  await expectAccessible(page);
  // It has its own styles and no scripts, and needs no file that is not stored.
  expect(missing.filter((url) => url.includes("/assets/"))).toEqual([]);
  expect(await page.evaluate(() => document.scripts.length)).toBe(0);
  expect(await page.getByRole("heading", { level: 1 }).evaluate((h1) => getComputedStyle(h1).fontFamily)).toMatch(
    /Bricolage/,
  );
  await page.context().setOffline(false);
  await page.getByRole("link", { name: "Reintentar" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Temas y países" })).toBeVisible();
  await expect(page).toHaveURL(/\/temas$/);
});

test("opens the stored help lines from a page without a network, or if the help page does not load", async ({
  visit,
}) => {
  const page = await visit("visitor", "/ayuda?pais=México", WITH_WORKER);
  await waitForWorker(page);
  // Some browsers do not notice that a network has no connection.
  for (const [path, onLine] of [
    ["/paises/mexico", false],
    ["/", true],
  ] as const) {
    await goTo(page, path);
    await page.context().setOffline(true);
    await page.evaluate((value) => Object.defineProperty(navigator, "onLine", { value }), onLine);
    await page.getByRole("banner").getByRole("link", { name: "Necesito ayuda ahora" }).click();
    await expect(page).toHaveURL(/\/ayuda/);
    await expect(countries(page)).toHaveCount(COUNTRIES.length + 1);
    if (!onLine) await expect(opened(page).locator("summary")).toContainText("México");
    await page.context().setOffline(false);
  }
});

test("shows the lines of the visited country first", async ({ visit, community }) => {
  const page = await visit("visitor", "/", WITH_WORKER);
  await waitForWorker(page);
  for (const from of ["/?pais=México", "/paises/mexico"]) {
    await page.goto(from);
    await page.context().setOffline(true);
    // A link names the page with the country as its referrer.
    await page.evaluate((path) => location.assign(path), `/consulta/${community.threadFixture.id}`);
    await expect(page.getByRole("heading", { level: 1, name: "Sin conexión" })).toBeVisible();
    await expect(opened(page)).toHaveCount(1);
    await expect(opened(page).locator("summary")).toContainText("México");
    const top = async (name: string) => (await countries(page).filter({ hasText: name }).first().boundingBox())!.y;
    expect(await top("México")).toBeLessThan(await top("Argentina"));
    await page.context().setOffline(false);
  }
});

test("stores files of the build and the help lines, and no page of the user", async ({ visit, community }) => {
  const author = await community.person({ name: "Canaria Secreta" });
  const own = await community.ask(author, { is_anonymous: true, title: "Algo que nadie debe encontrar aquí" });
  const page = await visit(author, "/", WITH_WORKER);
  await waitForWorker(page);
  for (const path of ["/perfil", "/cuenta", `/consulta/${own}`]) {
    await goTo(page, path);
  }
  await page.evaluate(() => fetch("/api/profile").then((response) => response.text()));
  const found = await stored(page);
  expect(found.length).toBeGreaterThan(5);
  for (const { path, text } of found) {
    expect(path).toMatch(/^\/(assets\/[\w.-]+|sin-conexion)$/);
    expect(text).not.toMatch(/Canaria|nadie debe encontrar/);
    expect(text).not.toContain(own);
    expect(text).not.toContain(author.id);
  }
  expect(found.filter(({ path }) => path === "/sin-conexion")).toHaveLength(1);
  expect(found.filter(({ path }) => ACCOUNT_FILES.test(path)).length).toBeGreaterThan(1);
  await signOut(page);
  await expect(page.getByRole("heading", { level: 1, name: /^Conecta con/ })).toBeVisible();
  // The server clears the site's data. The next page stores its own files again.
  const left = async () => (await stored(page)).map(({ path }) => path);
  expect((await left()).filter((path) => ACCOUNT_FILES.test(path))).toEqual([]);
  await expect.poll(left).toContain("/sin-conexion");
});

detail("loads the help lines again when they are older than an hour", async ({ visit }) => {
  const page = await visit("visitor", "/", WITH_WORKER);
  await waitForWorker(page);
  await page.evaluate(async () => {
    const headers = { "content-type": "text/html", date: new Date(Date.now() - 3_700_000).toUTCString() };
    await (await caches.open("offline")).put("/sin-conexion", new Response("viejo", { headers }));
  });
  await page.goto("/temas");
  const text = async () => (await stored(page)).find(({ path }) => path === "/sin-conexion")!.text;
  await expect.poll(text).toContain("Para llamar no hace falta internet");
});

test("a deploy while a tab is open loses no text", async ({ visit, community, watch }) => {
  watch.expectMissingCode();
  const { threadFixture } = community;
  const page = await visit("user", `/consulta/${threadFixture.id}`, PHONE_DEVICE);
  await page.waitForLoadState("networkidle");
  const answer = page.getByRole("article", { name: /^Respuesta de/ }).first();
  const reply = answer.getByRole("textbox", { name: "Tu comentario" });
  const open = () => answer.getByText("Comentar", { exact: true }).click();
  await open();
  await reply.fill("Escrito antes del despliegue");
  // The new version has other files: the server has none that this tab has not loaded yet.
  const loaded = new Set(await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name)));
  await page.route(/\/assets\//, (route) =>
    loaded.has(route.request().url()) ? route.continue() : route.fulfill({ status: 404, body: "" }),
  );
  // The code of the page's forms is loaded.
  const voted = page.waitForResponse(/voto\.data/);
  await answer.getByRole("button", { name: /a favor/ }).click();
  expect((await voted).status()).toBe(200);
  // A page whose code is missing makes the router load a document of the new version.
  const reloaded = page.waitForEvent("load");
  await page.evaluate(() => document.querySelector<HTMLAnchorElement>("a[href='/temas']")!.click());
  await reloaded;
  await page.unroute(/\/assets\//);
  await goTo(page, `/consulta/${threadFixture.id}`);
  if (!(await reply.isVisible())) await open();
  await expect(reply).toHaveValue("Escrito antes del despliegue");
  await answer.getByRole("button", { name: /^Comentar|^Enviar|^Publicar/ }).click();
  await expect(answer).toContainText("Escrito antes del despliegue");

  // Without the code of a part, the page offers to load again. Without a dialog's code, its page opens.
  const MISSING = /\/assets\/(ranking|new-consultation-dialog)-/;
  await page.route(MISSING, (route) => route.fulfill({ status: 404, body: "" }));
  await goTo(page, "/");
  await page.getByRole("link", { name: "Nueva Consulta" }).click();
  await expect(page).toHaveURL("/nueva-consulta");
  await page.goBack();
  await waitForHydration(page);
  await page.getByRole("link", { name: "Ranking" }).click();
  const again = page.getByRole("link", { name: "Reintentar" });
  await expect(again).toBeVisible();
  await page.unroute(MISSING);
  await again.click();
  await expect(page.getByRole("heading", { level: 1, name: "Psicólogos de todos los países" })).toBeVisible();
});
