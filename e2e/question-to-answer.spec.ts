import type { Page } from "@playwright/test";
import { expect, expectToast, test } from "./community.ts";
import { goTo, PHONE_DEVICE } from "./fixtures.ts";

test.use(PHONE_DEVICE);

const PSYCHOLOGIST = "Lic. Inés Quiroga";
const QUESTION = {
  title: "Hace un mes que no contesto a mis amigas",
  content: "Veo los mensajes y no contesto.\n\nCada día que pasa me da más vergüenza,\ny ya no sé cómo volver.",
};
const ANSWER = "La vergüenza crece con el silencio. ¿Qué pasaría si escribieras una sola línea a una de ellas?";

const card = (page: Page) => page.getByRole("article").filter({ hasText: QUESTION.title });

test("a user can ask anonymously, and a visitor can read a psychologist's answer", async ({ visit, community }) => {
  const psychologist = await visit(await community.person({ type: "psychologist", name: PSYCHOLOGIST }), "about:blank");
  const user = await visit(await community.person(), "/");
  const visitor = await visit("visitor", "about:blank");

  let address = "";
  await test.step("the user can ask anonymously", async () => {
    await user.getByRole("link", { name: "Nueva Consulta" }).click();
    const dialog = user.getByRole("dialog", { name: "Nueva Consulta" });
    const publish = dialog.getByRole("button", { name: "Publicar consulta" });
    await expect(publish).toBeDisabled();
    await dialog.getByLabel("Título").fill(QUESTION.title);
    await dialog.getByLabel("Descripción detallada").fill(QUESTION.content);
    await dialog.getByRole("combobox", { name: "País" }).selectOption("Uruguay");
    await dialog.getByLabel("Categoría").selectOption("Relaciones");
    await dialog.getByRole("checkbox", { name: "Publicar de forma anónima" }).check();
    await publish.click();
    await expectToast(user, "¡Consulta creada!");
    await expect(user.getByRole("heading", { level: 1, name: QUESTION.title })).toBeFocused();
    await expect(user.getByText("Anónimo", { exact: true })).toBeVisible();
    await expect(user.getByText("Aún no hay respuestas de profesionales para esta consulta.")).toBeVisible();
    address = new URL(user.url()).pathname;
  });

  await test.step("the psychologist can answer", async () => {
    await goTo(psychologist, "/");
    await card(psychologist)
      .getByRole("link", { name: /^Ver consulta/ })
      .click();
    const send = psychologist.getByRole("button", { name: "Enviar respuesta" });
    await expect(send).toBeDisabled();
    await psychologist.getByRole("textbox", { name: "Tu respuesta" }).fill(ANSWER);
    await send.click();
    await expectToast(psychologist, "¡Respuesta enviada!");
    await expect(psychologist.getByRole("heading", { name: "1 respuesta", exact: true })).toBeFocused();
    const answer = psychologist.getByRole("article", { name: /Respuesta de/ });
    await expect(answer).toContainText(ANSWER);
    await expect(answer).toBeInViewport();
    await expect(psychologist.getByText("Te quedan 2 de 3 respuestas gratuitas")).toBeVisible();
    await expect(psychologist.getByRole("textbox", { name: "Tu respuesta" })).toHaveValue("");
    await expect(send).toBeDisabled();
  });

  const answer = (page: Page) => page.getByRole("article", { name: `Respuesta de ${PSYCHOLOGIST}` });
  await test.step("a visitor can read the thread", async () => {
    await goTo(visitor, "/");
    await expect(card(visitor)).toContainText("1 respuesta");
    await card(visitor).getByRole("link", { name: QUESTION.title, exact: true }).click();
    await expect(visitor).toHaveURL(address);
    await expect(visitor.getByRole("heading", { level: 1, name: QUESTION.title })).toBeVisible();
    const text = visitor.getByRole("main").locator(".plain-text").first();
    await expect(text.getByRole("paragraph")).toHaveCount(2);
    // biome-ignore lint/performance/useDomNodeTextContent: it alone contains the line breaks
    expect(await text.innerText()).toBe(QUESTION.content);
    await expect(visitor.getByText("Anónimo", { exact: true })).toBeVisible();
    await expect(answer(visitor)).toContainText(ANSWER);
    const counted = visitor.waitForRequest(/\/api\/psychologists\/[\w-]+\/views$/);
    await answer(visitor).getByRole("link", { name: PSYCHOLOGIST, exact: true }).click();
    await counted;
    await expect(visitor.getByRole("heading", { level: 1, name: PSYCHOLOGIST })).toBeVisible();
  });
});
