import type { Page } from "@playwright/test";
import { expect, test } from "./community.ts";
import { openMenu, PHONE_DEVICE } from "./fixtures.ts";

test.use({ ...PHONE_DEVICE, javaScriptEnabled: false });

const vote = (page: Page, words: RegExp) => page.getByRole("button", { name: words });

test("keeps the typed fields when a visitor chooses the other account type", async ({ page, watch }) => {
  watch.expectStatus(422);
  await page.goto("/auth?modo=registro&volver=/nueva-consulta");
  await page.getByLabel("Nombre completo").fill("Paula Primero");
  await page.getByLabel("Correo electrónico").fill("paula@example.com");
  await page.getByRole("checkbox", { name: /fuera de mi país/ }).check();
  await page.getByRole("button", { name: /^Soy psicólogo o psicóloga/ }).click();
  await expect(page).toHaveURL("/auth?modo=registro&tipo=psicologo&volver=%2Fnueva-consulta");
  await expect(page.getByLabel("Nombre completo")).toHaveValue("Paula Primero");
  await expect(page.getByLabel("Correo electrónico")).toHaveValue("paula@example.com");
  await expect(page.getByRole("checkbox", { name: /fuera de mi país/ })).toBeChecked();
  const licence = page.getByLabel("Número de matrícula o registro profesional");
  await licence.fill("MP 1234");
  const confirmation = page.getByLabel("Confirmar contraseña");
  await page.getByLabel("Contraseña", { exact: true }).fill("una frase muy larga");
  await confirmation.fill("una frase muy lenta");
  // Enter sends the form instead of choosing a type.
  await licence.press("Enter");
  await expect(page.getByRole("main").getByRole("alert")).toContainText("Revisa los datos");
  await expect(licence).toHaveValue("MP 1234");
  await expect(page.getByRole("checkbox", { name: /fuera de mi país/ })).toBeChecked();
  await expect(confirmation).toHaveAccessibleDescription(/\S/);
});

test("a psychologist can answer, and the author can share, reply and vote", async ({ visit, community }) => {
  const author = await community.person();
  const address = `/consulta/${await community.ask(author, { is_anonymous: true })}`;
  const psychologist = await visit("gold", address);
  await psychologist.getByRole("textbox", { name: "Tu respuesta" }).fill("Se lee, y bien. ¿Qué te trae por aquí?");
  await psychologist.getByRole("button", { name: "Enviar respuesta" }).click();
  await expect(psychologist).toHaveURL(address);
  await expect(psychologist.getByText("¡Respuesta enviada!")).toBeVisible();

  const page = await visit(author, address);
  await page.locator("summary", { hasText: "Compartir" }).first().press("Enter");
  await expect(page.getByText("Tu consulta es anónima")).toBeVisible();
  const whatsapp = page.getByRole("link", { name: /^WhatsApp/ });
  await expect(whatsapp).toBeHidden();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(whatsapp).toHaveAttribute("href", /^https:\/\/wa\.me\/\?text=/);
  await expect(whatsapp).toBeVisible();
  const answer = page.getByRole("article", { name: /^Respuesta de/ });
  await expect(answer).toContainText("Se lee, y bien.");
  const write = answer.getByText("Comentar", { exact: true });
  await expect(write).toHaveAccessibleName(/^Comentar la respuesta de /);
  await write.click();
  await answer.getByRole("textbox", { name: "Tu comentario" }).fill("Gracias por leer.");
  await answer.getByRole("button", { name: "Enviar" }).click();
  await expect(page).toHaveURL(new RegExp(`${address}#comentario-`));
  await expect(answer.getByRole("paragraph").filter({ hasText: "Gracias por leer." })).toBeVisible();
  await expect(answer).toContainText("Usuario");

  await vote(page, /^0 votos a favor de la respuesta/).click();
  await expect(vote(page, /^1 voto a favor de la respuesta/)).toHaveAttribute("aria-pressed", "true");
  await vote(page, /^1 voto a favor de la respuesta/).click();
  await expect(vote(page, /^0 votos a favor de la respuesta/)).toHaveAttribute("aria-pressed", "false");
  await vote(page, /^0 votos a favor de la consulta/).click();
  await expect(vote(page, /^1 voto a favor de la consulta/)).toHaveAttribute("aria-pressed", "true");
});

test("a visitor can open and close the menu, and open help with one link", async ({ page }) => {
  await page.goto("/");
  await openMenu(page);
  await expect(page.getByRole("dialog", { name: "Menú" })).toBeVisible();
  await page.getByRole("dialog", { name: "Menú" }).getByRole("button", { name: "Cerrar" }).click();
  await expect(page.getByRole("dialog", { name: "Menú" })).toBeHidden();
  await page.getByRole("banner").getByRole("link", { name: "Necesito ayuda ahora" }).click();
  await page.getByRole("combobox", { name: "¿En qué país estás?" }).selectOption("Perú");
  await page.getByRole("button", { name: "Ver líneas" }).click();
  await expect(page.getByRole("heading", { level: 2, name: "Perú" })).toBeVisible();
  await expect(page.getByRole("main").locator("a[href^='tel:']").first()).toBeVisible();
});
