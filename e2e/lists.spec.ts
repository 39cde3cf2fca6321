import type { Locator, Page } from "@playwright/test";
import { breakRequests, expect, expectToast, test, toastWith } from "./community.ts";
import { DATA, holdRequests, PHONE_DEVICE, signOut, waitForHydration } from "./fixtures.ts";

test.use(PHONE_DEVICE);

const cut = (page: Page) => page.route(DATA, (route) => route.abort());
const cards = (page: Page) => page.getByRole("main").getByRole("article");

test("adds more of a user's own consultations to the list on the profile", async ({ visit }) => {
  const page = await visit("user", "/perfil");
  await waitForHydration(page);
  await expect(cards(page)).toHaveCount(20);
  await page.getByRole("link", { name: "Cargar más" }).click();
  await expect(cards(page)).toHaveCount(25);
  expect(new URL(page.url()).search).toBe("");
  // The pressed link is gone after the last page.
  await expect(cards(page).nth(20).getByRole("link").first()).toBeFocused();
});

test("shows only the consultations of a category that is chosen after loading more", async ({ visit, community }) => {
  const page = await visit("visitor", "/");
  await waitForHydration(page);
  await expect(cards(page)).toHaveCount(20);
  await page.getByRole("link", { name: "Cargar más" }).click();
  await expect(cards(page).nth(20).getByRole("link").first()).toBeFocused();
  await page.getByRole("link", { name: "Estrés", exact: true }).click();
  await expect(page).toHaveURL(/categoria=Estr/);
  await expect(cards(page)).toHaveCount(1);
  await expect(cards(page).getByRole("heading")).toHaveText(community.threadFixture.title);
});

test("keeps the focus on the order after it changes the list", async ({ visit }) => {
  const page = await visit("user", "/");
  await waitForHydration(page);
  const order = page.getByRole("combobox", { name: "Ordenar" });
  await order.focus();
  await order.selectOption("Más votadas");
  await expect(page).toHaveURL(/orden=votadas/);
  await expect(page.locator("[aria-busy]")).toHaveCount(0);
  await expect(order).toBeFocused();
  await page.goBack();
  await expect(order).toHaveValue("recientes");
});

test("restores country, category and order when a visitor returns to the consultations", async ({
  visit,
  community,
}) => {
  const page = await visit("visitor", "/?pais=Uruguay&categoria=Estr%C3%A9s&orden=antiguas");
  await waitForHydration(page);
  await page.getByRole("link", { name: community.threadFixture.title, exact: true }).click();
  await page.getByRole("combobox", { name: "Ordenar respuestas" }).selectOption("Antiguas");
  await expect(page).toHaveURL(/orden=antiguas/);
  await page.getByRole("link", { name: "Volver a las consultas" }).click();
  await expect(page).toHaveURL("/?pais=Uruguay&categoria=Estr%C3%A9s&orden=antiguas");
  await expect(cards(page)).toHaveCount(1);
});

test("returns to the added cards at the same position through the link to the consultations", async ({
  visit,
  community,
}) => {
  const page = await visit("visitor", "/");
  await waitForHydration(page);
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

/** Opens a card that was loaded later. @returns its vote button, its votes, and where they are after Back */
async function openLaterCard(page: Page) {
  await waitForHydration(page);
  await page.getByRole("link", { name: "Cargar más" }).click();
  await expect(cards(page).nth(20)).toBeVisible();
  const card = cards(page).nth(20);
  const votesOf = (shown: Locator) => shown.getByText("A favor:").locator("..");
  const title = (await card.getByRole("heading").textContent())!;
  const before = Number((await votesOf(card).textContent())!.replace(/\D/g, ""));
  await card.getByRole("link", { name: title, exact: true }).click();
  const again = cards(page).filter({ has: page.getByRole("heading", { name: title, exact: true }) });
  return { up: page.getByRole("button", { name: /votos? a favor de la consulta/ }), before, votes: votesOf(again) };
}

test("shows a vote on a card that was loaded later if the response arrives after the voter has returned to it", async ({
  visit,
  community,
}) => {
  const page = await visit(await community.person(), "/?orden=antiguas");
  const { up, before, votes } = await openLaterCard(page);
  const letGo = await holdRequests(page, /\/voto\.data/);
  await up.click();
  await expect(up).toContainText(String(before + 1));
  await page.goBack();
  await expect(votes).toHaveText(new RegExp(`A favor:\\s*${before}$`));
  letGo();
  await expect(votes).toHaveText(new RegExp(`A favor:\\s*${before + 1}$`));
});

test("shows no vote on a card that was loaded later if it fails after the voter has returned to it", async ({
  visit,
  community,
  watch,
}) => {
  watch.expectStatus(503);
  const page = await visit(await community.person(), "/?orden=antiguas");
  const { up, before, votes } = await openLaterCard(page);
  await breakRequests(page, /\/voto\.data/);
  const letGo = await holdRequests(page, /\/voto\.data/);
  const failed = page.waitForResponse(/\/voto\.data/);
  await up.click();
  await page.goBack();
  await expect(votes).toBeVisible();
  letGo();
  await failed;
  await expect(votes).toHaveText(new RegExp(`A favor:\\s*${before}$`));
});

test("leaves the list in place with an error when a filter, an order or a tab does not load", async ({
  visit,
  watch,
}) => {
  watch.expectFailedLoad();
  const page = await visit("visitor", "/");
  await waitForHydration(page);
  await page.waitForLoadState("networkidle");
  const first = await cards(page).first().getByRole("heading").textContent();
  const stays = async (words: string) => {
    await expect(toastWith(page, words).last()).toBeVisible();
    await expect(page.getByRole("main").getByText(words)).toBeVisible();
    await expect(page).toHaveURL(/\/(#consultas)?$/);
    await expect(cards(page)).toHaveCount(20);
    await expect(cards(page).first().getByRole("heading")).toHaveText(first!);
  };
  const again = page.getByRole("main").getByRole("link", { name: "Reintentar" });
  await cut(page);
  await page.getByRole("link", { name: "Familia", exact: true }).click();
  await stays("No se pudieron cargar las consultas");
  await expect(page.getByRole("link", { name: "Todas", exact: true })).toHaveAttribute("aria-current", "true");
  const order = page.getByRole("main").getByLabel("Ordenar");
  await order.selectOption("antiguas");
  await stays("No se pudieron cargar las consultas");
  await expect(order).toHaveValue("recientes");
  await page.getByRole("link", { name: "Ranking de Psicólogos" }).click();
  await stays("No se pudieron cargar los psicólogos");

  await page.getByRole("link", { name: "Familia", exact: true }).click();
  await stays("No se pudieron cargar las consultas");
  await page.unroute(DATA);
  await again.click();
  await expect(page).toHaveURL(/categoria=Familia/);
  await expect(page.getByRole("link", { name: "Familia", exact: true })).toHaveAttribute("aria-current", "true");
  await expect(again).toHaveCount(0);
});

test("leaves the open section of the administration in place and names a section that does not load", async ({
  visit,
  watch,
}) => {
  watch.expectFailedLoad();
  const page = await visit("admin", "/admin");
  await waitForHydration(page);
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
    await expect(toastWith(page, `No se pudieron cargar ${what}`).last()).toBeVisible();
    await expect(page).toHaveURL("/admin");
    await expect(tabs.getByRole("link", { name: /^Pendientes/ })).toHaveAttribute("aria-current", "page");
    await expect(page.getByText("Pedro Pendiente").first()).toBeVisible();
  }
});

test("shows the previous list when a visitor presses Back without a network", async ({ visit, watch }) => {
  watch.expectOffline();
  const page = await visit("visitor", "/");
  await waitForHydration(page);
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

test("shows no data of the previous user when the next user presses Back without a network", async ({
  visit,
  community,
  watch,
}) => {
  watch.expectOffline();
  const page = await visit(await community.person({ name: "Perla Privada" }), "/perfil");
  await waitForHydration(page);
  await expect(page.getByLabel("Nombre completo")).toHaveValue("Perla Privada");
  await page
    .getByRole("banner")
    .getByRole("link", { name: /^Diván/ })
    .click();
  await expect(cards(page)).toHaveCount(20);
  await signOut(page);
  await expect(page.getByRole("heading", { level: 1, name: /^Conecta con Psicólogos/ })).toBeVisible();
  await page.waitForLoadState("networkidle");
  await page.context().setOffline(true);
  while (new URL(page.url()).pathname !== "/perfil") await page.goBack();
  await expect(page.getByRole("main").getByRole("link", { name: "Reintentar" })).toBeVisible();
  await expect(page.getByLabel("Nombre completo")).toHaveCount(0);
});
