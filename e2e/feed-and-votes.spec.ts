import { randomUUID } from "node:crypto";
import type { Locator, Page } from "@playwright/test";
import { demoUser, expect, goTo, holdRequests, PHONE_DEVICE, signIn, test, toast } from "./fixtures.ts";

test.use(PHONE_DEVICE);

test("a user can vote, change the vote and remove it, but a visitor cannot", async ({
  page,
  openPage,
  threadFixture,
  watch,
}) => {
  watch.expectStatus(401);
  const email = await demoUser();
  const up = (on: Page) => on.getByRole("button", { name: /votos? a favor de la consulta/ });
  const down = (on: Page) => on.getByRole("button", { name: /votos? en contra de la consulta/ });
  const number = async (on: Locator) => Number.parseInt((await on.textContent()) ?? "", 10);

  await goTo(page, `/consulta/${threadFixture.id}?orden=antiguas`);
  const before = await number(up(page));
  await up(page).click();
  await expect(toast(page, "Debes iniciar sesión para votar")).toBeVisible();
  await expect(page.getByRole("region", { name: "Avisos" })).toContainText("Error");
  await expect(up(page)).toHaveAttribute("aria-pressed", "false");
  expect(await number(up(page))).toBe(before);

  // Sign-in returns to the button and casts the vote.
  await page.getByRole("region", { name: "Avisos" }).getByRole("link", { name: "Iniciar Sesión" }).click();
  const cast = page.waitForResponse(/\/voto\.data/);
  await signIn(page, email);
  await cast;
  await expect(page).toHaveURL(`/consulta/${threadFixture.id}?orden=antiguas#votar`);
  await expect(up(page)).toHaveAttribute("aria-pressed", "true");
  await expect(up(page)).toBeFocused();
  await expect(up(page)).toBeInViewport();
  // A link to that place casts no vote.
  const removed = page.waitForResponse(/\/voto\.data/);
  await up(page).click();
  await expect(up(page)).toHaveAttribute("aria-pressed", "false");
  await removed;
  // A vote of a signed-in user is not stored to be cast later.
  expect(await page.evaluate(() => sessionStorage.getItem("draft:vote"))).toBeNull();
  await page.goto("/");
  await goTo(page, `/consulta/${threadFixture.id}#votar`);
  await expect(up(page)).toBeFocused();
  await expect(up(page)).toHaveAttribute("aria-pressed", "false");

  // A link to a deleted answer opens its page once.
  await page.goto(`/consulta/${threadFixture.id}#respuesta-${randomUUID()}`);
  await expect(page).toHaveURL(/\?respuesta=/);
  const [first, last] = await page.evaluate(async () => {
    const key = history.state.key;
    await new Promise((idle) => setTimeout(idle, 100));
    return [key, history.state.key];
  });
  expect(last).toBe(first);

  // A vote that was stored for another consultation is not cast here.
  await page.goto("/");
  const other = await page
    .locator('a[href^="/consulta/"]')
    .evaluateAll(
      (links, id) => links.map((one) => one.getAttribute("href")!).find((path) => !path.includes(id))!,
      threadFixture.id,
    );
  const late = await openPage();
  await goTo(late, `/consulta/${threadFixture.id}`);
  await up(late).click();
  await expect(toast(late, "Debes iniciar sesión para votar")).toBeVisible();
  const votes: string[] = [];
  late.on("request", (request) => request.method() === "POST" && votes.push(request.url()));
  const [path] = other.split(/[?#]/);
  await late.goto(`/auth?volver=${encodeURIComponent(`${path}#votar`)}`);
  await signIn(late, email);
  await expect(late).toHaveURL(`${path}#votar`);
  await expect(up(late)).toBeFocused();
  await late.waitForLoadState("networkidle");
  expect(votes.filter((url) => url.includes("/voto"))).toEqual([]);

  // The vote appears before the response, and replaces the opposite one.
  await goTo(late, `/consulta/${threadFixture.id}`);
  for (const [button, opposite] of [
    [up(late), down(late)],
    [down(late), up(late)],
  ] as const) {
    const letGo = await holdRequests(late, /\/voto\.data/);
    await button.click();
    await expect(button).toHaveAttribute("aria-pressed", "true");
    await expect(opposite).toHaveAttribute("aria-pressed", "false");
    const taken = late.waitForResponse(/\/voto\.data/);
    letGo();
    await taken;
    await late.unroute(/\/voto\.data/);
  }
  await late.reload();
  await expect(down(late)).toHaveAttribute("aria-pressed", "true");
  await expect(up(late)).toHaveAttribute("aria-pressed", "false");
});
