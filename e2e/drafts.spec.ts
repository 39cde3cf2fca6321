import type { Page } from "@playwright/test";
import { alive, expect, FULL_ONLY, HAS_ASKED, loseSession, signIn, signOut, test, toast } from "./fixtures.ts";

const visitorHeading = (page: Page) => page.getByRole("heading", { level: 1, name: /^Conecta con Psicólogos/ });
const questionDialog = (page: Page) => page.getByRole("dialog", { name: "Nueva Consulta" });
const openQuestionDialog = async (page: Page) => {
  await alive(page);
  await page.getByRole("link", { name: "Nueva Consulta" }).click();
  await expect(questionDialog(page)).toBeVisible();
};

const DRAFT = {
  title: "Algo que todavía no me animo a mandar",
  content: "Lo escribo de a poco, entre una cosa y otra, y no quiero volver a empezar.",
};

async function writeDraft(page: Page): Promise<void> {
  const dialog = questionDialog(page);
  await dialog.getByLabel("Título").fill(DRAFT.title);
  await dialog.getByLabel("Descripción detallada").fill(DRAFT.content);
  await dialog.getByRole("combobox", { name: "País" }).selectOption("Colombia");
  await dialog.getByRole("combobox", { name: "Categoría" }).selectOption("Familia");
  await dialog.getByRole("checkbox", { name: "Publicar de forma anónima" }).check();
}

/** In the dialog or on the form's own page. */
async function expectDraft(page: Page): Promise<void> {
  await expect(page.getByLabel("Título")).toHaveValue(DRAFT.title);
  await expect(page.getByLabel("Descripción detallada")).toHaveValue(DRAFT.content);
  const form = page.locator("form").filter({ has: page.getByLabel("Título") });
  await expect(form.getByRole("combobox", { name: "País" })).toHaveValue("Colombia");
  await expect(form.getByRole("combobox", { name: "Categoría" })).toHaveValue("Familia");
  await expect(page.getByRole("checkbox", { name: "Publicar de forma anónima" })).toBeChecked();
  await expect(page.getByLabel("Nombre para mostrar")).toBeHidden();
  await expect(form.getByRole("button", { name: "Publicar consulta" })).toBeEnabled();
}

/** What the browser keeps beyond the tab, as one text. */
const keptForGood = (page: Page) => page.evaluate(() => JSON.stringify(Object.entries(localStorage)));
const keptInTab = (page: Page) => page.evaluate(() => JSON.stringify(Object.entries(sessionStorage)));

test("a question half written survives a reload and is gone after signing out, in every tab", async ({
  someone,
  own,
}) => {
  const page = await someone({ email: own("draft") });
  await page.goto("/");
  await openQuestionDialog(page);
  await writeDraft(page);
  await page.reload();
  await openQuestionDialog(page);
  await expectDraft(page);
  expect(await keptInTab(page)).toContain(DRAFT.title);
  expect(await keptForGood(page)).toBe("[]");
  await page.keyboard.press("Escape");

  const other = await page.context().newPage();
  await other.goto("/");
  await openQuestionDialog(other);
  await expect(questionDialog(other).getByLabel("Título")).toHaveValue("");
  await other.keyboard.press("Escape");
  await signOut(other);
  await expect(visitorHeading(page)).toBeVisible();
  expect(await keptInTab(page)).not.toContain(DRAFT.title);
  expect(await keptForGood(page)).toBe("[]");

  // The next user of that tab finds an empty form.
  await page.goto("/auth?volver=/nueva-consulta");
  await signIn(page, own("draft"));
  await expect(page).toHaveURL("/nueva-consulta");
  await alive(page);
  await expect(page.getByLabel("Título")).toHaveValue("");
  await expect(page.getByRole("checkbox", { name: "Publicar de forma anónima" })).not.toBeChecked();
});

test("a question sent after the session was lost waits until its author has signed in again", async ({
  someone,
  own,
  watch,
}) => {
  watch.expectStatus(401);
  const page = await someone({ email: own("lost-session") });
  await page.goto("/");
  await openQuestionDialog(page);
  await writeDraft(page);
  await loseSession(page);
  const dialog = questionDialog(page);
  await dialog.getByRole("button", { name: "Publicar consulta" }).click();
  await expect(dialog.getByRole("alert").filter({ hasText: "Debes iniciar sesión" })).toContainText(
    "Debes iniciar sesión para crear una consulta",
  );
  await expectDraft(page);
  await dialog.getByRole("link", { name: "Iniciar Sesión" }).click();
  await signIn(page, own("lost-session"));
  await expect(page).toHaveURL("/nueva-consulta");
  await expectDraft(page);
  await page.getByRole("button", { name: "Publicar consulta" }).click();
  await expect(page.getByRole("heading", { level: 1, name: DRAFT.title })).toBeVisible();
  await expect(toast(page, "¡Consulta creada!")).toBeVisible();
  // Sent is sent: nothing of it is kept.
  await expect.poll(() => keptInTab(page)).not.toContain(DRAFT.title);
});

test("someone else's draft is not shown to the next user who signs in", FULL_ONLY, async ({ someone, own }) => {
  const page = await someone({ email: own("draft") });
  await page.goto("/");
  await openQuestionDialog(page);
  await writeDraft(page);
  await loseSession(page);
  await page.goto("/auth?volver=/nueva-consulta");
  await signIn(page, own("two-tabs"));
  await expect(page).toHaveURL("/nueva-consulta");
  await alive(page);
  await expect(page.getByLabel("Título")).toHaveValue("");
  expect(await keptInTab(page)).not.toContain(DRAFT.title);
});

test("an answer and a reply half written survive a reload", FULL_ONLY, async ({ someone, talked }) => {
  const psychologist = await someone({ as: "gold" });
  await psychologist.goto(`/consulta/${talked.id}`);
  await alive(psychologist);
  await psychologist.getByRole("textbox", { name: "Tu respuesta" }).fill("Una respuesta a medio escribir");
  await psychologist.reload();
  await expect(psychologist.getByRole("textbox", { name: "Tu respuesta" })).toHaveValue(
    "Una respuesta a medio escribir",
  );
  await expect(psychologist.getByRole("button", { name: "Enviar respuesta" })).toBeEnabled();

  const user = await someone({ as: "user" });
  await user.goto(`/consulta/${talked.id}`);
  await alive(user);
  const answer = user.getByRole("article", { name: /^Respuesta de/ }).first();
  await answer.getByText("Comentar", { exact: true }).click();
  await answer.getByRole("textbox", { name: "Tu comentario" }).fill("Un mensaje a medio escribir");
  await user.reload();
  await alive(user);
  await answer.getByText("Comentar", { exact: true }).click();
  await expect(answer.getByRole("textbox", { name: "Tu comentario" })).toHaveValue("Un mensaje a medio escribir");
});

test("at the weekly limit the button looks disabled, and says until when and who helps meanwhile", async ({
  someone,
}) => {
  const page = await someone({ email: HAS_ASKED });
  await page.goto("/");
  await alive(page);
  const button = page.getByRole("link", { name: "Límite alcanzado" });
  await expect(button).toHaveAttribute("aria-disabled", "true");
  await button.focus();
  await page.keyboard.press("Enter");
  const dialog = questionDialog(page);
  await expect(dialog.getByText("Límite semanal alcanzado")).toBeVisible();
  await expect(dialog).toContainText(/Podrás publicar otra consulta en [1-7] días?\./);
  await expect(dialog.locator("a[href^='tel:']").first()).toBeVisible();
  await expect(dialog.getByRole("textbox")).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  // A tap does the same. It is forced, since to Playwright what says that it is disabled cannot be tapped.
  await button.click({ force: true });
  await expect(dialog).toBeVisible();
});
