import type { Page } from "@playwright/test";
import { breakRequests, expect, expectToast, test } from "./community.ts";
import { DATA, holdRequests, PHONE_DEVICE, toast } from "./fixtures.ts";
import { expectAccessible } from "./screen-checks.ts";

test.use(PHONE_DEVICE);

const cut = (page: Page) => page.route(DATA, (route) => route.abort());
const cards = (page: Page) => page.getByRole("main").getByRole("article");

test("adds more of a user's own consultations to the list on the profile, after an error", async ({ visit }) => {
  const page = await visit("user", "/perfil");
  await expect(cards(page)).toHaveCount(20);
  await page.route(/\/api\/profile\/consultations/, (route) => route.abort(), { times: 1 });
  await page.getByRole("link", { name: "Cargar más" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "No se pudieron cargar" })).toBeVisible();
  await expectAccessible(page, "more could not be loaded");
  await page.getByRole("link", { name: "Reintentar" }).click();
  await expect(cards(page)).toHaveCount(25);
  expect(new URL(page.url()).search).toBe("");
  // The pressed link is gone after the last page.
  await expect(cards(page).nth(20).getByRole("link").first()).toBeFocused();
});

test("leaves the focus where the user moved it while more consultations load", async ({ visit }) => {
  const page = await visit("visitor", "/");
  const release = await holdRequests(page, DATA);
  await page.getByRole("link", { name: "Cargar más" }).click();
  const order = page.getByRole("combobox", { name: "Ordenar" });
  await order.focus();
  release();
  await expect(cards(page)).not.toHaveCount(20);
  await expect(order).toBeFocused();
});

test("returns to the added cards through the link to the consultations", async ({ visit, community }) => {
  const page = await visit("visitor", "/");
  await page.getByRole("link", { name: "Cargar más" }).click();
  const card = cards(page).nth(23);
  const title = (await card.getByRole("heading").textContent())!;
  await card.getByRole("link", { name: title, exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
  const back = page.getByRole("link", { name: "Volver a las consultas" });
  await back.click();
  await expect(cards(page).nth(23).getByRole("heading")).toBeInViewport();
  expect(await page.evaluate(() => history.state.idx)).toBe(0);

  // The ranking replaced a list in the history, so the link must open the list instead of the ranking.
  await page.getByRole("link", { name: "Estrés", exact: true }).click();
  await expect(cards(page)).toHaveCount(1);
  await page.goBack();
  await expect(cards(page)).not.toHaveCount(1);
  await page.getByRole("link", { name: "Ranking de Psicólogos" }).click();
  await page.getByRole("link", { name: "Guido Gold", exact: true }).click();
  await page.getByRole("link", { name: community.threadFixture.title, exact: true }).click();
  await back.click();
  await expect(page).toHaveURL("/#consultas");
  await expect(cards(page)).toHaveCount(20);
});

test("shows a vote on an added card if its response arrives after the return", async ({ visit, community, watch }) => {
  watch.expectStatus(503);
  const page = await visit(await community.person(), "/?orden=antiguas");
  await page.getByRole("link", { name: "Cargar más" }).click();
  const title = (await cards(page).nth(20).getByRole("heading").textContent())!;
  const card = cards(page).filter({ has: page.getByRole("heading", { name: title, exact: true }) });
  const votes = card.getByText("A favor:").locator("..");
  const before = Number((await votes.textContent())!.replace(/\D/g, ""));
  const up = page.getByRole("button", { name: /votos? a favor de la consulta/ });
  const vote = /\/voto\.data/;
  for (const fails of [true, false]) {
    await card.getByRole("link", { name: title, exact: true }).click();
    if (fails) await breakRequests(page, vote);
    const letGo = await holdRequests(page, vote);
    const answered = page.waitForResponse(vote);
    await up.click();
    await expect(up).toContainText(String(before + 1));
    await page.goBack();
    await expect(votes).toHaveText(new RegExp(`A favor:\\s*${before}$`));
    letGo();
    await answered;
    await expect(votes).toHaveText(new RegExp(`A favor:\\s*${fails ? before : before + 1}$`));
    await page.unroute(vote);
  }
});

test("leaves the list in place when a filter, an order or a tab does not load", async ({ visit }) => {
  const page = await visit("visitor", "/");
  await page.waitForLoadState("networkidle");
  const first = await cards(page).first().getByRole("heading").textContent();
  const stays = async (words: string) => {
    await expect(toast(page, words).last()).toBeVisible();
    await expect(page.getByRole("main").getByText(words)).toBeVisible();
    await expect(page).toHaveURL(/\/(#consultas)?$/);
    await expect(cards(page)).toHaveCount(20);
    await expect(cards(page).first().getByRole("heading")).toHaveText(first!);
  };
  const again = page.getByRole("main").getByRole("link", { name: "Reintentar" });
  await cut(page);
  const order = page.getByRole("main").getByLabel("Ordenar");
  await order.selectOption("antiguas");
  await stays("No se pudieron cargar las consultas");
  await expect(order).toHaveValue("recientes");
  await page.getByRole("link", { name: "Ranking de Psicólogos" }).click();
  await stays("No se pudieron cargar los psicólogos");

  await page.getByRole("link", { name: "Familia", exact: true }).click();
  await stays("No se pudieron cargar las consultas");
  await expect(page.getByRole("link", { name: "Todas", exact: true })).toHaveAttribute("aria-current", "true");
  await page.unroute(DATA);
  await again.click();
  await expect(page).toHaveURL(/categoria=Familia/);
  await expect(page.getByRole("link", { name: "Familia", exact: true })).toHaveAttribute("aria-current", "true");
  await expect(again).toHaveCount(0);
});

test("leaves the open section of the administration in place and names a section that does not load", async ({
  visit,
}) => {
  const page = await visit("admin", "/admin");
  await page.waitForLoadState("networkidle");
  await cut(page);
  const tabs = page.getByRole("navigation", { name: "Secciones" });
  for (const [tab, what] of [
    ["Mensajes", "los mensajes"],
    ["Membresías", "las membresías"],
    ["Ayuda", "las líneas de ayuda"],
    ["Consultas", "las consultas"],
    ["Psicólogos", "los psicólogos"],
  ] as const) {
    await tabs.getByRole("link", { name: new RegExp(`^${tab}`) }).click();
    await expect(toast(page, `No se pudieron cargar ${what}`).last()).toBeVisible();
    await expect(page).toHaveURL("/admin");
    await expect(tabs.getByRole("link", { name: /^Pendientes/ })).toHaveAttribute("aria-current", "page");
    await expect(page.getByText("Pedro Pendiente").first()).toBeVisible();
  }
});

test("shows the previous list when a visitor presses Back without a network", async ({ visit }) => {
  const page = await visit("visitor", "/");
  await page.getByRole("link", { name: "Estrés", exact: true }).click();
  await expect(page).toHaveURL(/categoria=Estr/);
  await expect(cards(page)).toHaveCount(1);
  await page.waitForLoadState("networkidle");
  await page.context().setOffline(true);
  await page.goBack();
  await expect(cards(page)).toHaveCount(20);
  await expectToast(page, "No se pudieron cargar las consultas");
  await page.goForward();
  await expect(cards(page)).toHaveCount(1);
});
