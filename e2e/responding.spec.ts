import type { Page } from "@playwright/test";
import { boxOf } from "./boxes.ts";
import { detail, expect, expectToast, test } from "./community.ts";
import { PHONE_DEVICE, waitForHydration } from "./fixtures.ts";
import { expectAccessible } from "./screen-checks.ts";

test.use(PHONE_DEVICE);

const dialogOf = (page: Page) => page.getByRole("dialog", { name: "Responder como Profesional" });
const LIMIT = "Límite de respuestas gratuitas alcanzado";
/** A text that is longer than a card shows. */
const CONTENT = `${"Lo cuento despacio, con todo lo que hace falta para entenderlo. ".repeat(12)}\n\nY al final pregunto.`;

test("a psychologist can answer in a dialog until no free answer is left", async ({ visit, community }) => {
  const psychologist = await community.person({ type: "psychologist" });
  const setUsed = (count: number) =>
    community.sql("update psychologist_profiles set free_responses_used = $2 where id = $1", [psychologist.id, count]);
  await setUsed(2);
  const id = await community.ask(await community.person(), {
    title: "Una pregunta que se responde sin salir de la lista",
    content: CONTENT,
    country: "Paraguay",
  });
  const page = await visit(psychologist, "/?pais=Paraguay");
  const fetched: string[] = [];
  page.on("request", (request) => {
    if (/fetch|xhr/.test(request.resourceType())) fetched.push(request.url());
  });
  const card = page.getByRole("article").first();
  // The answer button is in the same row, at its right end.
  const [count, button] = [card.locator(".answer-count"), card.getByRole("link", { name: /^Responder: / })];
  const [at, answerAt] = [await boxOf(count), await boxOf(button)];
  expect(Math.abs(at.y + at.height / 2 - answerAt.y - answerAt.height / 2)).toBeLessThan(4);
  expect(answerAt.x).toBeGreaterThan(at.x + at.width);
  const responder = card.getByRole("link", { name: /^Responder: Una pregunta que se responde/ });
  await expect(responder).toHaveAttribute("href", `/consulta/${id}/respuesta`);
  await responder.click();
  const dialog = dialogOf(page);
  await expect(dialog.getByText("Te queda 1 de 3 respuestas gratuitas")).toBeVisible();
  await expect(dialog).toContainText("Es tu última respuesta gratuita.");
  // The dialog shows the whole question without another request for data that the page has.
  await expect(dialog).toContainText("Y al final pregunto.");
  expect(fetched).toEqual([]);
  await expectAccessible(page, "answering with a free answer left");

  const text = dialog.getByRole("textbox", { name: "Tu respuesta" });
  const send = dialog.getByRole("button", { name: "Enviar respuesta" });
  await expect(send).toBeDisabled();
  const words = "Gracias por contarlo. ¿Desde cuándo te pasa, y qué cambió en esos días?";
  await text.fill(words);
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(responder).toBeFocused();
  await setUsed(1);
  await page.reload();
  await waitForHydration(page);
  await responder.click();
  await expect(text).toHaveValue(words);

  // The loaded page shows that 2 are left.
  await setUsed(2);
  await send.click();
  await expectToast(page, "¡Respuesta enviada!");
  // What comes next is said where the form was, and stays.
  const sent = dialog.getByRole("status").filter({ hasText: "Era tu última respuesta gratuita." });
  await expect(sent).toBeFocused();
  await expect(sent.getByRole("link", { name: "Ver la membresía Gold" })).toHaveAttribute("href", "/planes");
  await expectAccessible(page, "after the last free answer");
  await dialog.getByRole("button", { name: "Cerrar", exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(card).toContainText("1 respuesta");
  await expect(page.getByRole("complementary")).toContainText(LIMIT);

  // At the limit, no card has an answer button.
  await expect(responder).toHaveCount(0);
  await card.getByRole("link", { name: "Ver consulta: Una pregunta" }).click();
  await expect(page.getByRole("article", { name: /^Respuesta de/ })).toContainText(words);
  await expect(page.getByRole("textbox", { name: "Tu respuesta" })).toBeDisabled();
  await expectAccessible(page, "answering with none left");
});

test("opens the consultation after an answer is sent on the page of its form", async ({ visit, community }) => {
  const id = await community.ask(await community.person());
  const page = await visit("gold", `/consulta/${id}/respuesta`);
  await page.getByRole("textbox", { name: "Tu respuesta" }).fill("Te leo con atención.");
  await page.getByRole("button", { name: "Enviar respuesta" }).click();
  await expect(page.getByRole("heading", { name: "1 respuesta" })).toBeFocused();
  await expect(page).toHaveURL(`/consulta/${id}#respuestas`);
});

detail("shows the new count on a card that was loaded later after its question is answered", async ({ visit }) => {
  // Other tests publish nothing in this list, so that this card is on its second page.
  const page = await visit("gold", "/?pais=M%C3%A9xico&categoria=Familia");
  await page.getByRole("link", { name: "Cargar más" }).click();
  const card = page.getByRole("article").filter({ hasText: "número 24" });
  await expect(card).toContainText("Sin respuestas");
  await card.getByRole("link", { name: /^Responder: / }).click();
  await dialogOf(page).getByRole("textbox", { name: "Tu respuesta" }).fill("Tarde, pero con ganas.");
  await dialogOf(page).getByRole("button", { name: "Enviar respuesta" }).click();
  await expect(card).toContainText("1 respuesta");
});
