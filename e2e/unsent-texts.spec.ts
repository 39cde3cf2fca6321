/** Texts that are not published yet: no page of the tab loses them. */
import type { Page } from "@playwright/test";
import { LIMITS } from "#shared/limits.ts";
import { expect, expectToast, test } from "./community.ts";
import { comeBack, goTo, holdRequests, PHONE_DEVICE, waitForHydration } from "./fixtures.ts";
import { expectAccessible } from "./screen-checks.ts";

test.use(PHONE_DEVICE);

const answers = (page: Page) => page.getByRole("article", { name: /^Respuesta de/ });

/** Opens a path like a link in the page, without loading a document. */
const openInPage = (page: Page, path: string) =>
  page.evaluate((to) => {
    type WithRouter = { __reactRouterDataRouter: { navigate(to: string): void } };
    (window as unknown as WithRouter).__reactRouterDataRouter.navigate(to);
  }, path);

/** Texts that a page shows for copying. */
const kept = (page: Page) => page.getByRole("region", { name: "Lo que has escrito" }).getByRole("textbox");

test("shows unsent texts for copying when their consultation is deleted", async ({ visit, community, watch }) => {
  watch.expectStatus(410);
  const author = await community.person();
  const id = await community.ask(author);
  await community.answer(id);
  const page = await visit("gold", `/consulta/${id}`);
  await answers(page)
    .getByRole("link", { name: /^Editar / })
    .click();
  await answers(page).getByRole("textbox", { name: "Tu respuesta" }).fill("Te leo, y te respondo con más calma.");
  const field = page.getByRole("region", { name: "Responder como Profesional" }).getByRole("textbox");
  await field.fill("La escribí con tiempo y la quiero guardar.");
  // The box of another consultation is empty.
  await openInPage(page, `/consulta/${community.threadFixture.id}`);
  await expect(page.getByRole("heading", { level: 1, name: community.threadFixture.title })).toBeVisible();
  await expect(field).toHaveValue("");
  await page.goBack();
  await expect(field).toHaveValue("La escribí con tiempo y la quiero guardar.");
  await community.call(author, "DELETE", `/consultations/${id}`, {});
  await page.getByRole("button", { name: "Enviar respuesta" }).click();
  await expectToast(page, "Esta consulta ya no existe");
  await expect(field).toHaveValue("La escribí con tiempo y la quiero guardar.");
  await expect(field).toHaveAccessibleDescription(/Se ha borrado mientras escribías/);
  await comeBack(page);
  await expect(page.getByRole("heading", { level: 1, name: "Esto ya no está aquí" })).toBeVisible();
  await expect(kept(page).nth(0)).toHaveValue("La escribí con tiempo y la quiero guardar.");
  await expect(kept(page).nth(1)).toHaveValue("Te leo, y te respondo con más calma.");
  await expectAccessible(page, "a consultation deleted before the answer");
  await page.reload();
  await expect(kept(page)).toHaveCount(2);
});

test("keeps the draft of a question when its author opens an older one", async ({ visit, community }) => {
  const author = await community.person();
  const older = await community.ask(author);
  await community.sql("update profiles set weekly_window_started_at = now() - interval '8 days' where id = $1", [
    author.id,
  ]);
  const page = await visit(author, "/nueva-consulta");
  await page.getByLabel("Título").fill("Algo que todavía no me animo a mandar");
  await goTo(page, `/consulta/${older}`);
  await goTo(page, "/nueva-consulta");
  await expect(page.getByLabel("Título")).toHaveValue("Algo que todavía no me animo a mandar");
});

test("keeps the draft of a message when the user returns to one that was sent", async ({ visit }) => {
  const page = await visit("user", "about:blank");
  const arrive = await holdRequests(page, /\.js$/);
  await page.goto("/contacto", { waitUntil: "commit" });
  const message = page.getByRole("textbox", { name: "Mensaje" });
  await message.fill("Un primer mensaje, que sí llega.");
  arrive();
  await waitForHydration(page);
  // A text from before the scripts is stored too.
  await expect.poll(() => page.evaluate(() => JSON.stringify(sessionStorage))).toContain("Un primer mensaje");
  // Its response is lost, and the page checks by itself whether it arrived.
  const sent = /\/contacto\.data/;
  const check = await holdRequests(page, sent);
  await page.route(
    sent,
    async (route) => {
      await route.fetch({ maxRedirects: 0 });
      await route.abort();
    },
    { times: 1 },
  );
  await page.getByRole("button", { name: "Enviar mensaje" }).click();
  await expect(page.getByRole("status").filter({ hasText: "No sabemos si llegó." })).toBeVisible();
  await expect(message).toHaveValue("Un primer mensaje, que sí llega.");
  check();
  await page.getByRole("link", { name: "Escribir otro mensaje" }).click();
  await expect(message).toHaveValue("");
  await message.fill("El segundo, que todavía no está listo.");
  await page.goBack();
  await expect(page.getByText("¡Mensaje enviado!")).toBeVisible();
  await page.getByRole("link", { name: "Escribir otro mensaje" }).click();
  await expect(message).toHaveValue("El segundo, que todavía no está listo.");
});

test("shows a reply for copying when its answer leaves a list with more pages", async ({ visit, community, watch }) => {
  watch.expectStatus(410);
  const author = await community.person();
  const id = await community.ask(author);
  const given: string[] = [];
  for (let at = 0; at <= LIMITS.answersPage; at++) given.push(await community.answer(id));
  const page = await visit("user", `/consulta/${id}`);
  await answers(page).first().getByText("Comentar", { exact: true }).click();
  await page.getByRole("textbox", { name: "Tu comentario" }).fill("Gracias, me quedo con esto.");
  await community.call(community.people.gold, "DELETE", `/answers/${given.at(-1)}`, {});
  await community.answer(id);
  await comeBack(page);
  await expect(kept(page)).toHaveValue("Gracias, me quedo con esto.");
  // The same if the whole consultation is deleted.
  await community.call(author, "DELETE", `/consultations/${id}`, {});
  await comeBack(page);
  await expect(page.getByRole("heading", { level: 1, name: "Esto ya no está aquí" })).toBeVisible();
  await expect(kept(page)).toHaveValue("Gracias, me quedo con esto.");
});

test("shows a visitor's text where it was after going back from the registration", async ({ visit }) => {
  const page = await visit("visitor", "/");
  const form = page.locator("form.compose");
  await form.getByRole("textbox", { name: "Escribe aquí" }).fill("Lo escribo a las tres de la mañana, sin dormir.");
  await form.getByLabel("Título").fill("Otra noche sin dormir");
  await form.getByLabel("País").selectOption("México");
  await expect(form.getByRole("link", { name: "Llamar al 911", exact: false })).toBeVisible();
  const publish = form.getByRole("button", { name: "Publicar", exact: true });
  await publish.scrollIntoViewIfNeeded();
  const top = () => publish.evaluate((button) => Math.round(button.getBoundingClientRect().top));
  const before = await top();
  await publish.click();
  await expect(page).toHaveURL(/\/auth/);
  await page.goBack();
  await expect(publish).toBeEnabled();
  await expect(form.getByRole("link", { name: "Llamar al 911", exact: false })).toBeVisible();
  expect(await top()).toBe(before);
});
