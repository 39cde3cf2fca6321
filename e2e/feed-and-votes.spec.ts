import { randomUUID } from "node:crypto";
import { demoUser, expect, goTo, holdRequests, PHONE_DEVICE, signIn, test, toast } from "./fixtures.ts";

test.use(PHONE_DEVICE);

test("a user can vote, change the vote and remove it, but a visitor cannot", async ({ page, threadFixture, watch }) => {
  watch.expectStatus(401);
  const { email } = await demoUser();
  const up = page.getByRole("button", { name: /votos? a favor de la consulta/ });
  const down = page.getByRole("button", { name: /votos? en contra de la consulta/ });

  await goTo(page, `/consulta/${threadFixture.id}?orden=antiguas`);
  const before = (await up.textContent())!;
  await up.click();
  await expect(toast(page, "Debes iniciar sesión para votar")).toBeVisible();
  await expect(page.getByRole("region", { name: "Avisos" })).toContainText("Error");
  await expect(up).toHaveAttribute("aria-pressed", "false");
  await expect(up).toHaveText(before);

  // Sign-in returns to the button and casts the vote.
  await page.getByRole("region", { name: "Avisos" }).getByRole("link", { name: "Iniciar Sesión" }).click();
  const cast = page.waitForResponse(/\/voto\.data/);
  await signIn(page, email);
  await cast;
  await expect(page).toHaveURL(`/consulta/${threadFixture.id}?orden=antiguas#votar`);
  await expect(up).toHaveAttribute("aria-pressed", "true");
  await expect(up).toBeFocused();
  await expect(up).toBeInViewport();
  const removed = page.waitForResponse(/\/voto\.data/);
  await up.click();
  await expect(up).toHaveAttribute("aria-pressed", "false");
  await removed;
  // A vote of a signed-in user is not stored to be cast later.
  expect(await page.evaluate(() => sessionStorage.getItem("draft:vote"))).toBeNull();
  // A link to that place casts no vote, nor does a vote that was stored for another consultation.
  await page.goto("/");
  await page.evaluate(() => sessionStorage.setItem("draft:vote", '{"action":"/consulta/otra/voto","vote":"up"}'));
  await goTo(page, `/consulta/${threadFixture.id}#votar`);
  await expect(up).toBeFocused();
  await page.waitForLoadState("networkidle");
  await expect(up).toHaveAttribute("aria-pressed", "false");

  // A link to a deleted answer opens its page once.
  await page.goto(`/consulta/${threadFixture.id}#respuesta-${randomUUID()}`);
  await expect(page).toHaveURL(/\?respuesta=/);
  const [first, last] = await page.evaluate(async () => {
    const key = history.state.key;
    await new Promise((idle) => setTimeout(idle, 100));
    return [key, history.state.key];
  });
  expect(last).toBe(first);

  // The vote appears before the response, and replaces the opposite one.
  await goTo(page, `/consulta/${threadFixture.id}`);
  for (const [button, opposite] of [
    [up, down],
    [down, up],
  ] as const) {
    const letGo = await holdRequests(page, /\/voto\.data/);
    await button.click();
    await expect(button).toHaveAttribute("aria-pressed", "true");
    await expect(opposite).toHaveAttribute("aria-pressed", "false");
    const taken = page.waitForResponse(/\/voto\.data/);
    letGo();
    await taken;
    await page.unroute(/\/voto\.data/);
  }
  await page.reload();
  await expect(down).toHaveAttribute("aria-pressed", "true");
  await expect(up).toHaveAttribute("aria-pressed", "false");
});
