import type { Page } from "@playwright/test";
import { expect, test } from "./community.ts";
import { openMenu, PHONE_DEVICE, waitForHydration } from "./fixtures.ts";
import { expectAccessible } from "./screen-checks.ts";

test.use(PHONE_DEVICE);

const mailBox = (page: Page) => page.getByRole("checkbox", { name: "Avísame por correo cuando haya una respuesta" });
const anonymousBox = (page: Page) => page.getByRole("checkbox", { name: "Publicar de forma anónima" });

test("selects the mail for a named author unless the author chose otherwise", async ({ visit, community }) => {
  const page = await visit(await community.person(), "/nueva-consulta");
  await expect(mailBox(page)).toBeChecked();
  await anonymousBox(page).check();
  await expect(mailBox(page)).not.toBeChecked();
  await anonymousBox(page).uncheck();
  await expect(mailBox(page)).toBeChecked();
  // After a choice the checkbox only changes if the author becomes anonymous.
  await mailBox(page).uncheck();
  await anonymousBox(page).check();
  await anonymousBox(page).uncheck();
  await expect(mailBox(page)).not.toBeChecked();
  await anonymousBox(page).check();
  await mailBox(page).check();
  // The draft restores both checkboxes.
  await page.reload();
  await waitForHydration(page);
  await expect(anonymousBox(page)).toBeChecked();
  await expect(mailBox(page)).toBeChecked();
});

test("shows new answers until the author has seen them", async ({ visit, community }) => {
  const author = await community.person({ name: "Nora Novedades" });
  const id = await community.ask(author, { title: "La que espera respuesta" });
  for (const content of ["Una respuesta.", "Y otra más."]) await community.answer(id, content);
  const page = await visit(author, "/");
  const lamp = page.getByRole("banner").getByRole("link", { name: /^Novedades/ });
  await expect(lamp).toHaveText("Novedades 2");
  await expectAccessible(page, "the header with new answers");
  await openMenu(page);
  await page.getByRole("link", { name: /Mi Perfil.*2 respuestas nuevas/ }).click();
  const article = page.getByRole("article").filter({ hasText: "La que espera respuesta" });
  await expect(article).toContainText("2 respuestas nuevas");
  // The mark leads to the newest answer, and is gone on the way back.
  await article.getByRole("link", { name: "2 respuestas nuevas" }).click();
  const newest = page.getByRole("article", { name: /^Respuesta de/ }).filter({ hasText: "Y otra más." });
  await expect(newest).toBeFocused();
  await expect(newest).toBeInViewport();
  await page.goBack();
  await expect(article).toBeVisible();
  await expect(page.getByText("respuestas nuevas")).toHaveCount(0);

  // The lamp stays lit until its page was opened.
  await expect(lamp).toHaveText("Novedades 2");
  await lamp.click();
  await expect(page.getByRole("heading", { level: 1, name: "Novedades" })).toBeVisible();
  await expect(lamp).toHaveText("Novedades");
});
