import type { Locator, Page } from "@playwright/test";
import { LIMITS } from "#shared/limits.ts";
import { boxOf } from "./boxes.ts";
import { breakRequests, expect, expectToast, test } from "./community.ts";
import { comeBack, DATA, holdRequests, PHONE_DEVICE, sessionCookie, waitForHydration } from "./fixtures.ts";
import { expectWholeWords } from "./screen-checks.ts";

test.use(PHONE_DEVICE);

async function remove(page: Page, within: Locator, what: RegExp, question: string): Promise<void> {
  const open = within.getByRole("link", { name: what });
  await open.click();
  const dialog = page.getByRole("dialog", { name: question });
  const cancel = dialog.getByRole("button", { name: "Cancelar" });
  await expect(cancel).toBeFocused();
  await expectWholeWords(page);
  await cancel.click();
  await expect(dialog).toBeHidden();
  await open.click();
  await dialog.getByRole("button", { name: "Eliminar" }).click();
}

const question = (page: Page) => page.getByRole("main").getByRole("article").first();
const answers = (page: Page) => page.getByRole("article", { name: /^Respuesta de/ });

test("keeps the errors of a form when its user follows the link to a field or comes back to the tab", async ({
  visit,
  community,
  watch,
}) => {
  watch.expectStatus(422);
  const page = await visit(await community.person(), "/perfil");
  await page.getByRole("main").getByText("Nombre completo").first().click();
  const name = page.getByLabel("Nombre completo");
  await name.fill("x");
  await page.getByRole("button", { name: "Guardar cambios" }).click();
  const alert = page.getByRole("main").getByRole("alert");
  const link = alert.getByRole("link", { name: /^Nombre completo: / });
  await link.focus();
  await link.press("Enter");
  await expect(name).toBeFocused();
  await expect(name).toHaveAttribute("aria-invalid", "true");
  await expect(alert).toBeVisible();
  await expect(page).toHaveURL("/perfil");
  let reloads = 0;
  page.on("request", (request) => DATA.test(request.url()) && reloads++);
  await comeBack(page);
  await page.evaluate(() => new Promise<unknown>((idle) => requestIdleCallback(idle)));
  await expect(alert).toBeVisible();
  expect(reloads).toBe(0);
});

test("shows the next user of a tab nothing that the previous one typed", async ({ visit, community }) => {
  const page = await visit(await community.person(), "/nueva-consulta");
  await page.getByLabel("Título").fill("Algo que solo sé yo");
  await page.context().addCookies([sessionCookie(await community.person(), community.url)]);
  await comeBackToTab(page);
  await expect(page.getByLabel("Título")).toHaveValue("");
  await expect(page.getByLabel("Título")).toBeVisible();
});

test("an author can edit a consultation in place, make it anonymous and delete it", async ({ visit, community }) => {
  const author = await community.person({ name: "Delia Dudosa" });
  const id = await community.ask(author, { title: "Algo que escribí apurada", country: "Perú" });
  const page = await visit(author, `/consulta/${id}`);
  await expect(question(page)).not.toContainText("editado");
  await expect(question(page)).toContainText("Delia Dudosa");
  const edit = question(page).getByRole("link", { name: /^Editar / });
  await edit.click();
  const title = question(page).getByLabel("Título");
  const long = "Algo que escribí con calma".padEnd(LIMITS.title.max - 10, "!");
  await title.fill(long);
  await expect(question(page).locator(".countdown")).toHaveText("Quedan 10 caracteres");
  // The open form did not move the pressed button.
  expect((await boxOf(edit)).y).toBe((await boxOf(question(page).getByText("Compartir", { exact: true }))).y);
  // Closing the form does not lose the text.
  await edit.click();
  await expect(title).toBeHidden();
  await edit.click();
  await expect(title).toHaveValue(long);
  await question(page)
    .getByLabel("Descripción detallada")
    .fill("Ahora sí lo cuento entero.\n\nCon un segundo párrafo.");
  const anonymous = question(page).getByRole("checkbox", { name: "Publicar de forma anónima" });
  await expect(anonymous).toHaveAccessibleDescription(/^Desde ahora nadie verá tu nombre. Quien ya lo vio puede/);
  await anonymous.check();
  await expect(question(page).getByRole("status").filter({ hasText: "Quedan 10 caracteres" })).toHaveCount(1);
  await title.fill("Algo que escribí con calma");
  const entries = await page.evaluate(() => history.length);
  await question(page).getByRole("button", { name: "Guardar cambios" }).click();
  await expectToast(page, "Cambios guardados");
  await expect(page.getByRole("heading", { level: 1, name: "Algo que escribí con calma" })).toBeVisible();
  await expect(question(page)).toContainText("editado");
  await expect(question(page)).toContainText("Anónimo");
  await expect(question(page)).not.toContainText("Delia");
  await expect(title).toBeHidden();
  // The quick exit replaces only one entry of the history.
  expect(await page.evaluate(() => history.length)).toBe(entries);
  await edit.click();
  await anonymous.uncheck();
  await expect(anonymous).toHaveAccessibleDescription("Al guardar, tu nombre quedará a la vista de todos.");

  await remove(page, question(page), /^Eliminar tu consulta/, "¿Eliminar tu consulta?");
  await expect(page).toHaveURL("/");
  await expectToast(page, "Consulta eliminada");
});

test("focuses what remains after a reply or an answer is deleted", async ({ visit, community }) => {
  const [author, psychologist] = [await community.person(), community.people.gold];
  const id = await community.ask(author);
  const oldest = await community.answer(id, "La primera.");
  await community.answer(id, "La segunda.");
  for (const content of ["Uno.", "Otro."])
    await community.call(author, "POST", `/answers/${oldest}/replies`, { content });

  const page = await visit(author, `/consulta/${id}?orden=antiguas`);
  const replies = page.locator(".reply");
  for (const left of [1, 0]) {
    await remove(page, replies.first(), /^Eliminar tu comentario/, "¿Eliminar tu comentario?");
    await expectToast(page, "Comentario eliminado");
    await expect(replies).toHaveCount(left);
    await expect(answers(page).first()).toBeFocused();
    await expect(page).toHaveURL(`/consulta/${id}?orden=antiguas#respuesta-${oldest}`);
  }

  const own = await visit(psychologist, `/consulta/${id}`);
  for (const title of ["1 respuesta", "0 respuestas"]) {
    await remove(own, answers(own).first(), /^Eliminar tu respuesta/, "¿Eliminar tu respuesta?");
    await expectToast(own, "Respuesta eliminada");
    await expect(own.getByRole("heading", { level: 2, name: title, exact: true })).toBeFocused();
  }
});

test("a user can edit a review in place and delete it", async ({ visit, community }) => {
  const [reviewer, psychologist] = [await community.person(), await community.person({ type: "psychologist" })];
  await community.call(reviewer, "PUT", `/psychologists/${psychologist.id}/review`, { rating: 4, show_name: true });
  const page = await visit(reviewer, `/psicologo/${psychologist.id}`);
  const review = page.getByRole("article", { name: /^Reseña de/ });
  const edit = review.getByRole("link", { name: /^Editar / });
  await edit.click();
  const comment = review.getByRole("textbox", { name: "Tu reseña" });
  await comment.fill("Responde y espera.");
  await review.getByRole("button", { name: "Guardar cambios" }).click();
  await expect(review).toContainText("Responde y espera.");
  await expect(comment).toHaveCount(0);
  await expect(edit).toBeFocused();
  await remove(page, review, /^Eliminar tu reseña/, "¿Eliminar tu reseña?");
  await expectToast(page, "Reseña eliminada");
  await expect(review).toHaveCount(0);
});

/** Returns to the tab, which reloads the data of the page. */
async function comeBackToTab(page: Page): Promise<void> {
  const reloaded = page.waitForResponse(/\.data/);
  await comeBack(page);
  await reloaded;
}

test("keeps an unsaved edit when another tab saves the same text", async ({ visit, community }) => {
  const author = await community.person();
  const id = await community.ask(author, { title: "Lo que escribo en dos pestañas" });
  const page = await visit(author, `/consulta/${id}`);
  const edit = question(page).getByRole("link", { name: /^Editar / });
  const title = question(page).getByLabel("Título");
  await edit.click();
  await title.fill("Lo que todavía no guardé");
  await community.sql("update consultations set title = 'De la otra pestaña', edited_at = now() where id = $1", [id]);
  await comeBackToTab(page);
  await expect(page.getByRole("heading", { level: 1, name: "De la otra pestaña" })).toBeVisible();
  await expect(title).toHaveValue("Lo que todavía no guardé");
  await question(page).getByRole("button", { name: "Guardar cambios" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Lo que todavía no guardé" })).toBeVisible();
  await expect(edit).toBeFocused();
  await edit.click();
  await expect(title).toHaveValue("Lo que todavía no guardé");
});

test("restores an unsaved edit after a reload until it is saved", async ({ visit, community, watch }) => {
  watch.expectStatus(503);
  const author = await community.person();
  const id = await community.ask(author);
  await community.answer(id);
  const cases = [
    [author, (page: Page) => question(page), "Título"],
    [community.people.gold, (page: Page) => answers(page), "Tu respuesta"],
  ] as const;
  for (const [writer, part, label] of cases) {
    const page = await visit(writer, `/consulta/${id}`);
    const within = part(page);
    const open = async () => {
      await waitForHydration(page);
      await within
        .getByRole("link", { name: /^Editar / })
        .first()
        .click();
    };
    const field = within.getByRole("textbox", { name: label });
    await open();
    await field.fill("Lo que todavía no guardé");
    await page.reload();
    await open();
    await expect(field).toHaveValue("Lo que todavía no guardé");
    const drafts = () => page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.includes("edit")));
    const save = within.getByRole("button", { name: "Guardar cambios" });
    const saving = /\/editar\.data/;
    await breakRequests(page, saving);
    await save.click();
    await expect(page.getByText("No se pudieron guardar los cambios").first()).toBeVisible();
    await expect(field).toHaveValue("Lo que todavía no guardé");
    expect(await drafts()).toHaveLength(1);
    await page.unroute(saving);

    // After a slow response a question shows a skeleton.
    await page.route(DATA, (route) => setTimeout(() => route.continue(), 400));
    const letGo = await holdRequests(page, saving);
    await save.click();
    await expect(field).not.toBeEditable();
    letGo();
    await expect(field).toHaveCount(0);
    await expect(within).toContainText("Lo que todavía no guardé");
    await expect(within.getByRole("link", { name: /^Editar / }).first()).toBeFocused();
    expect(await drafts()).toEqual([]);
    await page.close();
  }
});

test("keeps unsaved text of the profile when another tab or this one saves", async ({ visit, community }) => {
  const psychologist = await community.person({ type: "psychologist" });
  const save = (fields: Record<string, unknown>) => community.call(psychologist, "PUT", "/profile/templates", fields);
  await save({ title: "Cierre", content: "Un abrazo." });
  const [{ id }] = await community.call(psychologist, "GET", "/profile/templates");
  const page = await visit(psychologist, "/perfil");
  const own = page.getByRole("region", { name: "Mis textos" });
  await own.locator("summary", { hasText: "Cierre" }).click();
  const text = own.getByLabel("Texto", { exact: true });
  const title = own.getByLabel("Título");
  await text.fill("Lo que todavía no guardé");
  const bio = page.getByLabel("Biografía");
  await bio.fill("Tampoco esto");
  await save({ id, title: "Despedida", content: "Un abrazo grande." });
  await community.sql("update profiles set full_name = 'Nombre Nuevo', avatar_url = '/favicon.svg' where id = $1", [
    psychologist.id,
  ]);
  await comeBackToTab(page);
  await expect(title).toHaveValue("Despedida");
  await expect(text).toHaveValue("Lo que todavía no guardé");
  await expect(page.getByLabel("Nombre completo")).toHaveValue("Nombre Nuevo");
  await expect(bio).toHaveValue("Tampoco esto");

  const saveTemplate = own.getByRole("button", { name: "Guardar cambios" });
  await text.fill("  Con espacios que el servidor quita  ");
  await saveTemplate.press("Enter");
  await expect(text).toHaveValue("Con espacios que el servidor quita");
  await expect(saveTemplate).toBeFocused();
  await expect(bio).toHaveValue("Tampoco esto");
  const saveProfile = page.getByRole("button", { name: "Guardar cambios" }).first();
  await saveProfile.press("Enter");
  await expectToast(page, "¡Perfil actualizado!");
  await expect(saveProfile).toBeFocused();
});
