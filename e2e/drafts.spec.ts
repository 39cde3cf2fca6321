import { randomUUID } from "node:crypto";
import type { Locator, Page } from "@playwright/test";
import { breakRequests } from "./community.ts";
import {
  demoUser,
  expect,
  fillRegistration,
  goTo,
  holdRequests,
  mailTo,
  PHONE_DEVICE,
  signIn,
  signOut,
  test,
  toast,
  waitForHydration,
} from "./fixtures.ts";
import { expectAccessible } from "./screen-checks.ts";

test.use(PHONE_DEVICE);

const visitorHeading = (page: Page) => page.getByRole("heading", { level: 1, name: /^Conecta con Psicólogos/ });
const questionDialog = (page: Page) => page.getByRole("dialog", { name: "Nueva Consulta" });
const openQuestionDialog = async (page: Page) => {
  await waitForHydration(page);
  await page.getByRole("link", { name: "Nueva Consulta" }).click();
  await expect(questionDialog(page)).toBeVisible();
};

const DRAFT = {
  title: "Algo que todavía no me animo a mandar",
  content: "Lo escribo de a poco, entre una cosa y otra, y no quiero volver a empezar.",
};

async function fillDraft(form: Locator): Promise<void> {
  await form.getByLabel("Título").fill(DRAFT.title);
  await form.getByLabel("Descripción detallada").fill(DRAFT.content);
  await form.getByRole("combobox", { name: "País" }).selectOption("Colombia");
  await form.getByRole("combobox", { name: "Categoría" }).selectOption("Familia");
  await form.getByRole("checkbox", { name: "Publicar de forma anónima" }).check();
  await form.getByRole("checkbox", { name: "No mostrar en buscadores" }).check();
}

async function expectDraft(page: Page): Promise<void> {
  await expect(page.getByLabel("Título")).toHaveValue(DRAFT.title);
  await expect(page.getByLabel("Descripción detallada")).toHaveValue(DRAFT.content);
  const form = page.locator("form").filter({ has: page.getByLabel("Título") });
  await expect(form.getByRole("combobox", { name: "País" })).toHaveValue("Colombia");
  await expect(form.getByRole("combobox", { name: "Categoría" })).toHaveValue("Familia");
  await expect(page.getByRole("checkbox", { name: "Publicar de forma anónima" })).toBeChecked();
  await expect(page.getByRole("checkbox", { name: "No mostrar en buscadores" })).toBeChecked();
  await expect(page.getByLabel("Nombre para mostrar")).toBeHidden();
  await expect(form.getByRole("button", { name: "Publicar consulta" })).toBeEnabled();
}

const keptForGood = (page: Page) => page.evaluate(() => JSON.stringify(Object.entries(localStorage)));
const keptInTab = (page: Page) => page.evaluate(() => JSON.stringify(Object.entries(sessionStorage)));

test("a visitor can write on the cover, register, confirm in the same tab and publish", async ({ visit, watch }) => {
  for (const status of [422, 503]) watch.expectStatus(status);
  const page = await visit("visitor", "about:blank");
  const email = `primero-${randomUUID().slice(0, 8)}@example.com`;
  const cover = page.getByRole("main");
  const text = cover.getByRole("textbox", { name: "Escribe aquí" });
  const publish = cover.getByRole("button", { name: "Publicar", exact: true });

  await test.step("preserves the input while the code loads", async () => {
    const arrive = await holdRequests(page, /\/assets\/writing-/);
    await page.goto("/");
    await expect(cover.getByRole("link", { name: "Comenzar Ahora" })).toBeVisible();
    await text.click();
    await page.keyboard.type(DRAFT.content.slice(0, 10));
    await expect(publish).toHaveCount(0);
    arrive();
    await expect(publish).toBeVisible();
    await page.keyboard.type(DRAFT.content.slice(10));
    await expect(text).toHaveValue(DRAFT.content);
  });

  await test.step("shows the missing field and focuses it", async () => {
    await expect(publish).toBeDisabled();
    await cover.getByRole("button", { name: "Falta el título" }).click();
    const title = cover.getByLabel("Título");
    await expect(title).toBeFocused();
    await title.fill(DRAFT.title);
    await cover.getByRole("button", { name: "Falta el país" }).click();
    const country = cover.locator("form.compose").getByLabel("País");
    await expect(country).toBeFocused();
    await country.selectOption("Colombia");
    await expect(cover.getByRole("link", { name: "Llamar al 106" })).toBeVisible();
    await expect(cover.getByRole("link", { name: "Llamar al 123" })).toBeVisible();
    await cover.getByRole("checkbox", { name: "Publicar de forma anónima" }).check();
    await expect(publish).toBeEnabled();
    await expectAccessible(page);
  });

  await test.step("stores the draft in this tab only", async () => {
    await page.reload();
    await expect(text).toHaveValue(DRAFT.content);
    expect(await keptForGood(page)).toBe("[]");
    const other = await page.context().newPage();
    await other.goto("/");
    await expect(other.getByRole("textbox", { name: "Escribe aquí" })).toHaveValue("");
    expect(await keptInTab(other)).toBe("[]");
    await other.close();
  });

  await test.step("asks for an account only now, focuses a wrong field and returns to the form", async () => {
    await publish.click();
    await expect(page.getByText("Para publicar necesitas una cuenta. Nadie ve tu nombre si no quieres.")).toBeVisible();
    for (const name of ["C", "Clara Antesqué"]) {
      await fillRegistration(page, name, email);
      await page.getByRole("button", { name: "Crear Cuenta Gratis" }).click();
      if (name !== "C") continue;
      const wrong = page.getByLabel("Nombre completo");
      await expect(wrong).toBeFocused();
      const [error] = (await wrong.getAttribute("aria-describedby"))!.split(" ");
      await expect(page.locator(`#${error}`)).toBeVisible();
    }
    await page.getByRole("link", { name: "ábrelos aquí" }).click();
    await (await mailTo(page, email, /Confirma tu correo/)).getByRole("link", { name: "/auth/confirmar" }).click();
    const confirm = page.getByRole("button", { name: "Confirmar mi correo" });
    await expect(confirm).toBeVisible();
    // The token must not remain in the URL or the history.
    await expect(page).toHaveURL("/auth/confirmar");
    const sent = /\/auth\/confirmar\.data/;
    await breakRequests(page, sent);
    await confirm.click();
    await expect(page.getByRole("main").getByRole("alert")).toBeVisible();
    await expect(page).toHaveURL("/auth/confirmar");
    await page.unroute(sent);
    await confirm.click();
    await expect(page).toHaveURL(/^[^?]*\/nueva-consulta\?borrador/);
    await expect(page.getByLabel("Título")).toHaveValue(DRAFT.title);
    await expect(page.getByLabel("Descripción detallada")).toHaveValue(DRAFT.content);
    await expect(page.getByText("Tu texto está en otra pestaña")).toHaveCount(0);
    await expect(page.getByRole("checkbox", { name: "Publicar de forma anónima" })).toBeChecked();
    await expect(page.getByRole("checkbox", { name: /^Avísame por correo/ })).not.toBeChecked();
    const entries = await page.evaluate(() => history.length);
    await page.getByRole("button", { name: "Publicar consulta" }).click();
    await expect(page.getByRole("heading", { level: 1, name: DRAFT.title })).toBeVisible();
    await expect(page.getByRole("main")).toContainText("Anónimo");
    // The quick exit replaces only one entry of the history.
    expect(await page.evaluate(() => history.length)).toBe(entries);
    await expect.poll(() => keptInTab(page)).not.toContain(DRAFT.title);
  });

  await test.step("clears the cover after the sign-out", async () => {
    await signOut(page);
    await expect(visitorHeading(page)).toBeVisible();
    await expect(text).toHaveValue("");
    expect(await keptInTab(page)).not.toContain(DRAFT.title);
  });
});

test("restores a draft of a question until the user signs out in any tab", async ({ visit }) => {
  const user = await demoUser();
  const page = await visit(user, "/?pais=Chile");
  await openQuestionDialog(page);
  await expect(questionDialog(page).getByRole("combobox", { name: "País" })).toHaveValue("Chile");
  await fillDraft(questionDialog(page));
  // With the same key, a text whose response was lost is not published twice.
  const key = () => questionDialog(page).locator("input[name=key]").inputValue();
  const before = await key();
  await page.reload();
  await openQuestionDialog(page);
  await expectDraft(page);
  expect(await key()).toBe(before);
  expect(await keptInTab(page)).toContain(DRAFT.title);
  expect(await keptForGood(page)).toBe("[]");

  // A sign-out that fails keeps the page and deletes nothing, even when the page is closed later.
  await page.keyboard.press("Escape");
  await page.context().setOffline(true);
  await signOut(page);
  await expect(toast(page, "Sin conexión")).toBeVisible();
  await expect(page.getByRole("dialog", { name: "Menú" })).toBeHidden();
  await expect(page.getByRole("heading", { level: 1, name: "Consultas de Chile" })).toBeVisible();
  await page.context().setOffline(false);
  await page.goto("/");
  expect(await keptInTab(page)).toContain(DRAFT.title);

  // A tab of the mail program has a separate session storage.
  const other = await page.context().newPage();
  await other.goto("/nueva-consulta?borrador");
  await expect(other.getByText("Tu texto está en otra pestaña")).toBeVisible();
  await expect(other.getByLabel("Título")).toHaveValue("");
  await signOut(other);
  await expect(visitorHeading(page)).toBeVisible();
  expect(await keptInTab(page)).not.toContain(DRAFT.title);
  expect(await keptForGood(page)).toBe("[]");

  // The next user of the tab gets an empty form.
  await page.goto("/auth?volver=/nueva-consulta");
  await signIn(page, user.email);
  await expect(page).toHaveURL("/nueva-consulta");
  await waitForHydration(page);
  await expect(page.getByLabel("Título")).toHaveValue("");
  await expect(page.getByRole("checkbox", { name: "Publicar de forma anónima" })).not.toBeChecked();

  await page.getByLabel("Título").fill(DRAFT.title);
  await goTo(other, "/cuenta");
  await other.getByRole("button", { name: "Cerrar sesión aquí" }).click();
  await expect(page.getByRole("heading", { name: "Qué bueno verte" })).toBeVisible();
  expect(await keptInTab(page)).not.toContain(DRAFT.title);
});
