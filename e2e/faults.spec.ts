import type { Page } from "@playwright/test";
import { FULL_RUN } from "#test/full-run.ts";
import { breakRequests, detail, expect, expectToast, test } from "./community.ts";
import { comeBack, DATA, deleteSessionCookie, holdRequests, openMenu, toast, waitForHydration } from "./fixtures.ts";

/** Faults of a network: statuses of a proxy, or null for no response. */
const FAULTS = FULL_RUN ? [502, 503, 504, null] : [503];

const fail = (page: Page, fault: number | null) =>
  fault ? breakRequests(page, DATA, fault) : page.route(DATA, (route) => route.abort());

async function expectSignedIn(page: Page): Promise<void> {
  await openMenu(page);
  await expect(page.getByRole("button", { name: "Cerrar Sesión", exact: true })).toBeVisible();
  await page.keyboard.press("Escape");
}

for (const fault of FAULTS)
  test(`preserves the page and the session on a network fault (${fault ?? "no response"}), and shows an error for a new page`, async ({
    visit,
    community,
    watch,
  }) => {
    if (fault) watch.expectStatus(fault);
    const { threadFixture } = community;
    const page = await visit("user", `/consulta/${threadFixture.id}`);
    const answer = page.getByRole("article", { name: /^Respuesta de/ }).first();
    await answer.getByText("Comentar", { exact: true }).click();
    await answer.getByRole("textbox", { name: "Tu comentario" }).fill("A medio escribir");

    // Simulates a return to the tab: the page checks for changes.
    await fail(page, fault);
    const lookAgain = async () => {
      const asked = page.waitForEvent("request", (request) => DATA.test(request.url()));
      await comeBack(page);
      await asked;
    };
    await lookAgain();
    await expect(page.getByRole("heading", { level: 1, name: threadFixture.title })).toBeVisible();
    await expect(answer.getByRole("textbox", { name: "Tu comentario" })).toHaveValue("A medio escribir");
    await expectSignedIn(page);

    await page.getByRole("link", { name: "Volver a las consultas" }).click();
    const main = page.getByRole("main");
    await expect(main).toContainText("No se pudieron cargar las consultas");
    await lookAgain();
    await expect(main).toContainText("No se pudieron cargar las consultas");
    await expectSignedIn(page);
    await page.unroute(DATA);
    await main.getByRole("link", { name: "Reintentar" }).click();
    await expect(main.getByRole("article").first()).toBeVisible();
  });

test("preserves the page and the text of a form sent without a network", async ({ visit, community }) => {
  const { threadFixture } = community;
  const page = await visit("user", `/consulta/${threadFixture.id}`);
  // The code of the forms loads after hydration.
  for (const name of ["consultation-vote", "new-reply"])
    await expect.poll(() => loadedCode(page)).toContainEqual(expect.stringMatching(new RegExp(`^${name}-`)));
  await page.waitForLoadState("networkidle");
  await page.context().setOffline(true);
  await page.getByRole("button", { name: /votos? a favor de la consulta/ }).click();
  const offline = page.getByText("Sin conexiónLo que has escrito sigue aquí.");
  const readAndClosed = async () => {
    await expect(offline).toHaveCount(1);
    await page.getByRole("button", { name: "Cerrar aviso" }).click();
  };
  await readAndClosed();
  const answer = page.getByRole("article", { name: /^Respuesta de/ }).first();
  await answer.getByText("Comentar", { exact: true }).click();
  const text = answer.getByRole("textbox", { name: "Tu comentario" });
  await text.fill("Lo mando cuando pueda.");
  await answer.getByRole("button", { name: "Enviar" }).click();
  await readAndClosed();
  await page.getByRole("link", { name: "Volver a las consultas" }).click();
  await readAndClosed();
  await expect(page.getByRole("main").getByRole("alert")).toHaveCount(0);
  await expect(text).toHaveValue("Lo mando cuando pueda.");

  await page.context().setOffline(false);
  await answer.getByRole("button", { name: "Enviar" }).click();
  await expectToast(page, "¡Respuesta enviada!");
  await page.getByRole("link", { name: "Volver a las consultas" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Consultas de todos los países" })).toBeVisible();
});

detail("shows a weekly limit that was used in another tab, and help lines", async ({ visit, community }) => {
  const person = await community.person();
  const list = await visit(person, "/");
  const form = await visit(person, "/nueva-consulta");
  await form.getByLabel("Título").fill("A medio escribir");
  await community.ask(person);
  for (const page of [list, form]) await comeBack(page);
  await expect(form.getByText("Límite semanal alcanzado")).toBeVisible();
  expect(await form.evaluate(() => JSON.stringify({ ...sessionStorage }))).toContain("A medio escribir");
  const button = list.getByRole("link", { name: "Límite alcanzado" });
  await expect(button).toHaveAttribute("aria-disabled", "true");
  await button.press("Enter");
  const dialog = list.getByRole("dialog", { name: "Nueva Consulta" });
  await expect(dialog).toContainText("Límite semanal alcanzado");
  await expect(dialog).toContainText(/Podrás publicar otra consulta en [1-7] días?\./);
  await expect(dialog.locator("a[href^='tel:']").first()).toBeVisible();
  await expect(dialog.getByRole("textbox")).toHaveCount(0);
});

const loadedCode = (page: Page): Promise<string[]> =>
  page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name.split("/assets/")[1] ?? ""));

test("keeps a text when the network fails or the session is lost, shows progress and ignores a second press", async ({
  visit,
  community,
  watch,
}) => {
  for (const status of [401, 503]) watch.expectStatus(status);
  const psychologist = await community.person({ type: "psychologist" });
  const asking = await community.person();
  const cases = [
    {
      page: await visit(asking, "/"),
      fill: async (page: Page) => {
        await page.getByRole("link", { name: "Nueva Consulta" }).first().click();
        const dialog = page.getByRole("dialog", { name: "Nueva Consulta" });
        await dialog.getByLabel("Título").fill("Una sola vez, por favor");
        await dialog.getByRole("combobox", { name: "País" }).selectOption("Perú");
      },
      // The dialog came after the page, and so did its form.
      isDialog: true,
      field: "Descripción detallada",
      button: "Publicar consulta",
      busy: "Publicando…",
      path: /\/nueva-consulta\.data/,
      failed: "No se pudo crear la consulta",
      signedOut: "Debes iniciar sesión para crear una consulta",
      done: (page: Page) => page.getByRole("heading", { level: 1, name: "Una sola vez, por favor" }),
    },
    {
      page: await visit(psychologist, `/consulta/${await community.ask(await community.person())}`),
      field: "Tu respuesta",
      button: "Enviar respuesta",
      busy: "Enviando…",
      path: /\/respuesta\.data/,
      failed: "No se pudo enviar la respuesta",
      signedOut: "Debes iniciar sesión para responder",
      done: (page: Page) => toast(page, "¡Respuesta enviada!"),
    },
    {
      page: await visit(asking, `/consulta/${community.threadFixture.id}`),
      fill: (page: Page) => page.getByText("Comentar", { exact: true }).first().click(),
      field: "Tu comentario",
      button: "Enviar",
      busy: "Enviando…",
      path: /\/comentario\.data/,
      failed: "No se pudo enviar la respuesta",
      signedOut: "Debes iniciar sesión para responder",
      done: (page: Page) => toast(page, "¡Respuesta enviada!"),
    },
    {
      page: await visit(asking, `/psicologo/${psychologist.id}`),
      afterReload: (page: Page) => expect(page.getByRole("radio", { name: /^3 de 5/ })).toBeChecked(),
      fill: (page: Page) => page.locator("label").filter({ hasText: "3 de 5" }).click(),
      field: "Tu reseña",
      button: "Enviar reseña",
      busy: "Enviando…",
      path: /\/resena\.data/,
      failed: "No se pudo enviar la reseña",
      signedOut: "Debes iniciar sesión para dejar una reseña",
      done: (page: Page) => toast(page, "¡Reseña enviada!"),
    },
    {
      page: await visit(asking, "/perfil"),
      isEditable: true,
      afterReload: (page: Page) => page.getByRole("main").getByText("Nombre completo").first().click(),
      fill: (page: Page) => page.getByRole("main").getByText("Nombre completo").first().click(),
      field: "Nombre completo",
      button: "Guardar cambios",
      busy: "Guardando…",
      path: /\/perfil\.data/,
      failed: "No se pudieron guardar los cambios",
      signedOut: "Debes iniciar sesión",
      done: (page: Page) => toast(page, "¡Perfil actualizado!"),
    },
  ];
  for (const { page, fill, field, button, busy, path, failed, signedOut, done, ...more } of cases) {
    await fill?.(page);
    const text = page.getByRole("textbox", { name: field }).first();
    await text.fill("Una sola vez, aunque falle.");
    const send = page.getByRole("button", { name: button, exact: true });
    if (more.isDialog) {
      await expect.poll(() => loadedCode(page)).toContainEqual(expect.stringMatching(/^new-consultation-(?!dialog-)/));
      await page.context().setOffline(true);
      await send.click();
      await expect(page.getByText("Sin conexión").first()).toBeVisible();
      await expect(text).toHaveValue("Una sola vez, aunque falle.");
      await page.context().setOffline(false);
    }
    await breakRequests(page, path);
    await send.click();
    await expect(page.getByText(failed).first()).toBeVisible();
    await page.unroute(path);
    const [session] = await page.context().cookies();
    await deleteSessionCookie(page);
    await send.click();
    await expect(page.getByText(signedOut).first()).toBeVisible();
    if (more.isDialog)
      await expect(page.getByRole("alert").getByRole("link")).toHaveAttribute("href", "/auth?volver=/nueva-consulta");
    await page.context().addCookies([session!]);
    if (more.afterReload) {
      await page.reload();
      await waitForHydration(page);
      await more.afterReload(page);
    }
    await expect(text).toHaveValue("Una sola vez, aunque falle.");

    let sent = 0;
    page.on("request", (request) => request.method() === "POST" && path.test(request.url()) && sent++);
    const letGo = await holdRequests(page, path);
    await send.click();
    const waiting = page.getByRole("button", { name: busy });
    await expect(waiting).toHaveAttribute("aria-busy", "true");
    await expect(waiting).toBeFocused();
    // The form empties or closes after the response, with all that is typed meanwhile.
    if (!more.isEditable) await expect(text).not.toBeEditable();
    await waiting.click({ force: true });
    await waiting.press("Enter");
    letGo();
    await expect(done(page)).toBeVisible();
    expect(await toast(page, signedOut).count()).toBe(0);
    expect(sent, button).toBe(1);
    const kept = () => page.evaluate(() => JSON.stringify({ ...sessionStorage }));
    await expect.poll(kept, button).not.toContain("Una sola vez, aunque falle.");
    await page.context().close();
  }
});

detail("shows a page whose data request is aborted after the data arrived", async ({ visit, community }) => {
  const { threadFixture } = community;
  const page = await visit("visitor", "/");
  // Breaks the body off as a browser does, after all data has arrived.
  await page.evaluate(() => {
    const { fetch } = window;
    window.fetch = async (...request) => {
      const response = await fetch(...request);
      if (!/\.data(\?|$)/.test(response.url)) return response;
      const text = await response.text();
      let begun = false;
      const body = new ReadableStream({
        pull(controller) {
          if (begun) {
            controller.error(new DOMException("BodyStreamBuffer was aborted", "AbortError"));
            document.body.dataset.brokenOff = "";
          } else controller.enqueue(new TextEncoder().encode(text));
          begun = true;
        },
      });
      return new Response(body, response);
    };
  });
  await page.getByRole("link", { name: threadFixture.title, exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: threadFixture.title })).toBeVisible();
  await expect(page.locator("body[data-broken-off]")).toBeVisible();
});
