import type { Page } from "@playwright/test";
import { alive, expect, expectAccessible, HAS_ANSWERED, test, toast } from "./fixtures.ts";

const dialogOf = (page: Page) => page.getByRole("dialog", { name: "Responder como Profesional" });
/** Opens the dialog of the first card and returns that card. */
async function open(page: Page, address = "/") {
  await page.goto(address);
  await alive(page);
  const card = page.getByRole("article").first();
  await card.getByRole("link", { name: /^Responder: / }).click();
  await expect(dialogOf(page)).toBeVisible();
  return card;
}

test("a psychologist answers over the feed, until no free answer is left", async ({
  someone,
  ownProfessional,
  isMobile,
}) => {
  const page = await someone({ email: ownProfessional("responding") });
  // Each project answers a consultation of its own.
  const list = `/?orden=antiguas&pais=${isMobile ? "Chile" : "México"}`;
  const fetched: string[] = [];
  page.on("request", (request) => {
    if (/fetch|xhr/.test(request.resourceType())) fetched.push(request.url());
  });
  await page.goto(list);
  await alive(page);
  const card = page.getByRole("article").first();
  const title = (await card.getByRole("heading").textContent())!;
  const { items } = await (
    await page.request.get(`/api/consultations?sort=oldest&country=${isMobile ? "Chile" : "México"}`)
  ).json();
  const responder = card.getByRole("link", { name: `Responder: ${title}` });
  await expect(responder).toHaveAttribute("href", `/consulta/${items[0].id}/respuesta`);
  await responder.click();
  const dialog = dialogOf(page);
  await expect(dialog.getByText("Te queda 1 de 3 respuestas gratuitas")).toBeVisible();
  // The whole question, not the three lines of its card; what the page knows already is not asked for again.
  await expect(dialog).toContainText(items[0].content.split("\n").at(-1));
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
  await page.reload();
  await alive(page);
  await responder.click();
  await expect(text).toHaveValue(words);

  await send.click();
  await expect(dialog).toBeHidden();
  await expect(toast(page, "¡Respuesta enviada!")).toBeVisible();
  await expect(card).toContainText(
    items[0].response_count ? `${items[0].response_count + 1} respuestas` : "1 respuesta",
  );
  await expect(page.getByRole("complementary")).toContainText("Límite de respuestas gratuitas alcanzado");

  await responder.click();
  await expect(dialog.getByText("Límite de respuestas gratuitas alcanzado")).toBeVisible();
  await expect(text).toBeDisabled();
  await expect(text).toHaveValue("");
  await page.goto(`/consulta/${items[0].id}`);
  await expect(page.getByRole("article", { name: /^Respuesta de/ }).filter({ hasText: words })).toBeVisible();
});

test("the dialog says each state: unlimited with Gold, none left, still to be verified", async ({ someone }) => {
  const gold = await someone({ as: "gold" });
  await open(gold);
  await expect(dialogOf(gold).getByText("Respuestas ilimitadas")).toBeVisible();
  await expect(dialogOf(gold).getByRole("textbox", { name: "Tu respuesta" })).toBeEnabled();
  await expectAccessible(gold, "answering with Gold");

  const used = await someone({ email: HAS_ANSWERED });
  await open(used);
  const limit = dialogOf(used);
  await expect(limit.getByText("Límite de respuestas gratuitas alcanzado")).toBeVisible();
  await expect(limit.getByRole("link", { name: "Ver la membresía Gold" })).toHaveAttribute("href", "/planes");
  await expect(limit.getByRole("button", { name: "Enviar respuesta" })).toBeDisabled();
  await expectAccessible(used, "answering with none left");

  const pending = await someone({ as: "pending" });
  await open(pending);
  await expect(dialogOf(pending).getByText("Pendiente de verificación")).toBeVisible();
  await expect(dialogOf(pending)).toContainText("24 y 48 horas");
  await expect(dialogOf(pending).getByRole("textbox")).toHaveCount(0);
  await expectAccessible(pending, "answering before verification");
});

test("without JavaScript, and where the dialog cannot be loaded, the button leads to the page that answers", async ({
  someone,
  watch,
}) => {
  const plain = await someone({ as: "gold", javaScriptEnabled: false });
  await plain.goto("/");
  await plain
    .getByRole("link", { name: /^Responder: / })
    .first()
    .click();
  await expect(plain).toHaveURL(/\/consulta\/[\w-]+\/respuesta$/);
  await expect(plain.getByRole("heading", { level: 1, name: "Responder como Profesional" })).toBeVisible();

  watch.expectFailedLoad();
  const page = await someone({ as: "gold" });
  await page.route(/\/assets\/respond-dialog-/, (route) => route.abort());
  await page.goto("/");
  await alive(page);
  await page
    .getByRole("link", { name: /^Responder: / })
    .first()
    .click();
  await expect(page).toHaveURL(/\/consulta\/[\w-]+\/respuesta$/);
});
