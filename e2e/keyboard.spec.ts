import { randomUUID } from "node:crypto";
import { colourOf } from "./boxes.ts";
import { test as communityTest, expectToast } from "./community.ts";
import { DEMO_PASSWORD, expect, FULL_ONLY, holdRequests, mailTo, test, toast, waitForHydration } from "./fixtures.ts";
import { focusAndPress, tabTo, typeInto } from "./keys.ts";

test("a user can sign in, ask, vote and sign out by keyboard", async ({ page, own }) => {
  const { keyboard } = page;
  await page.goto("/");
  await waitForHydration(page);

  await keyboard.press("Tab");
  const skip = page.getByRole("link", { name: "Saltar al contenido" });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await keyboard.press("Enter");
  await keyboard.press("Tab");
  // The next stop is within the content, after the whole header.
  await expect(page.getByRole("textbox", { name: "Escribe aquí" })).toBeFocused();

  const signInLink = page.getByRole("banner").getByRole("link", { name: "Iniciar Sesión" });
  await tabTo(page, signInLink, "Shift+Tab");
  await keyboard.press("Enter");
  await expect(page).toHaveURL("/auth");

  const mail = page.getByLabel("Correo electrónico");
  await tabTo(page, mail);
  await keyboard.type(own("keyboard"));
  const password = page.getByLabel("Contraseña", { exact: true });
  await tabTo(page, password);
  await keyboard.type(DEMO_PASSWORD);
  await focusAndPress(page, page.getByRole("button", { name: "Mostrar contraseña" }), "Space");
  await expect(password).toHaveAttribute("type", "text");
  await tabTo(page, password, "Shift+Tab");
  // Browsers store and suggest values that are sent as text.
  const letGo = await holdRequests(page, /\/auth\.data/);
  await keyboard.press("Enter");
  await expect(password).toHaveAttribute("type", "password");
  letGo();
  await expect(page).toHaveURL("/");
  const opener = page.getByRole("link", { name: "Nueva Consulta" });
  await expect(opener).toBeVisible();

  // The dialog takes and traps the focus. Escape closes it and restores the focus.
  await tabTo(page, opener);
  await keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Nueva Consulta" });
  await expect(dialog).toBeVisible();
  expect(await dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  for (let presses = 0; presses < 14; presses++) {
    await keyboard.press("Tab");
    // Between the last and the first stop the focus is on the browser's own controls.
    const where = await dialog.evaluate((element) => {
      const at = document.activeElement;
      return !at || at === document.body || element.contains(at) ? null : at.outerHTML.slice(0, 120);
    });
    expect(where, "the focus stays within the dialog").toBeNull();
  }
  await keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();

  // A pointer that was pressed inside does not close it, as when text is selected beyond the edge. One outside does.
  await keyboard.press("Enter");
  const { x, y } = (await dialog.boundingBox())!;
  await page.mouse.move(x + 30, y + 30);
  await page.mouse.down();
  await page.mouse.move(x - 30, y + 30);
  await page.mouse.up();
  await expect(dialog).toBeVisible();
  await page.mouse.click(x - 30, y + 30);
  await expect(dialog).toBeHidden();
  await opener.focus();

  const similar = { title: "Me duele la mano", country: "Chile", response_count: 1 };
  const json = [1, 2, 3, 4, 5].map(() => ({ id: randomUUID(), ...similar }));
  await page.route("**/api/search/similar", (route) => route.fulfill({ json }));
  const title = `Solo con el teclado, ${randomUUID().slice(0, 8)}`;
  await keyboard.press("Enter");
  await tabTo(page, dialog.getByLabel("Título"));
  await keyboard.type(title);
  await tabTo(page, dialog.getByLabel("Descripción detallada"));
  await keyboard.type("No uso el ratón desde que me duele la mano, y quería saber si se puede.");
  await expect(dialog.getByRole("heading", { name: "Consultas parecidas" })).toBeAttached();
  const country = dialog.getByRole("combobox", { name: "País" });
  await tabTo(page, country);
  await keyboard.type("Uru");
  await expect(country).toHaveValue("Uruguay");
  const anonymous = dialog.getByRole("checkbox", { name: "Publicar de forma anónima" });
  await tabTo(page, anonymous);
  await keyboard.press("Space");
  await expect(anonymous).toBeChecked();
  await tabTo(page, dialog.getByRole("button", { name: "Publicar consulta" }));
  await keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
  await expect(toast(page, "¡Consulta creada!")).toBeVisible();

  const up = page.getByRole("button", { name: /votos? a favor de la consulta/ });
  await tabTo(page, up);
  await keyboard.press("Enter");
  await expect(up).toHaveAttribute("aria-pressed", "true");
  await expect(up).toHaveAccessibleName(/^1 /);
  await expect(up).toBeFocused();
  await keyboard.press("Space");
  await expect(up).toHaveAttribute("aria-pressed", "false");

  // The theme's button is replaced by its counterpart, which receives the focus.
  await tabTo(page, page.getByRole("button", { name: "Cambiar al tema oscuro" }), "Shift+Tab");
  await keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Cambiar al tema claro" })).toBeFocused();
  const background = await colourOf(page.locator("body"));
  for (const frame of await page.locator("meta[name=theme-color]").all())
    await expect(frame).toHaveAttribute("content", background);

  const menu = page.getByRole("banner").getByRole("button", { name: /^(Menú de|Abrir el menú)/ });
  await tabTo(page, menu, "Shift+Tab");
  await keyboard.press("Enter");
  await focusAndPress(page, page.getByRole("link", { name: "Cuenta y seguridad" }));
  await expect(page).toHaveURL("/cuenta");
  await expect(page.getByRole("navigation", { name: /^Menú de/ })).toBeHidden();
  await tabTo(page, menu, "Shift+Tab");
  await keyboard.press("Enter");
  await keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Mi Perfil" })).toBeFocused();
  await focusAndPress(page, page.getByRole("button", { name: "Cerrar Sesión", exact: true }));
  const announced = page.getByRole("region", { name: "Avisos" }).getByRole("status");
  await expect(announced).toContainText("Has cerrado sesión");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
});

communityTest(
  "a user can recover the password, change the email, download the data and delete the account by keyboard",
  FULL_ONLY,
  async ({ visit, community }) => {
    const { email } = await community.person({ name: "Olvido Olvidadiza" });
    const page = await visit("visitor", "/auth");
    await waitForHydration(page);
    const { keyboard } = page;
    await focusAndPress(page, page.getByRole("link", { name: "¿Olvidaste tu contraseña?" }));
    await expect(page.getByRole("heading", { level: 1, name: "Recuperar la contraseña" })).toBeVisible();
    await typeInto(page, page.getByLabel("Correo electrónico"), email);
    await keyboard.press("Enter");
    await expect(page.getByText("Sirve una sola vez, durante 60 minutos.")).toBeVisible();
    await page.goto("/correo");
    const mail = await mailTo(page, email, /contraseña nueva/);
    await focusAndPress(page, mail.getByRole("link", { name: "/auth/nueva-contrasena" }));
    const password = "una mecedora en el patio";
    await expect(page.getByRole("heading", { level: 1, name: "Elige una contraseña nueva" })).toBeVisible();
    await typeInto(page, page.getByLabel("Contraseña nueva"), password);
    await typeInto(page, page.getByLabel("Confirmar contraseña"), password);
    await focusAndPress(page, page.getByRole("button", { name: "Guardar la contraseña" }));
    await expect(page).toHaveURL("/auth");
    await typeInto(page, page.getByLabel("Correo electrónico"), email);
    await typeInto(page, page.getByLabel("Contraseña", { exact: true }), password);
    await keyboard.press("Enter");
    await expect(page).toHaveURL("/");

    await page.goto("/cuenta");
    await waitForHydration(page);
    await focusAndPress(page, page.locator("summary", { hasText: "Correo" }));
    await typeInto(page, page.getByLabel("Correo nuevo"), `nuevo-${email}`);
    await focusAndPress(page, page.getByRole("button", { name: "Cambiar el correo" }));
    await expect(page.getByText("Falta confirmar el correo nuevo")).toBeVisible();
    const file = page.waitForEvent("download");
    await focusAndPress(page, page.getByRole("button", { name: "Descargar mis datos" }));
    await file;

    await focusAndPress(page, page.getByRole("link", { name: "Eliminar mi cuenta" }));
    await expect(page.getByRole("heading", { level: 1, name: "Eliminar mi cuenta" })).toBeVisible();
    await focusAndPress(page, page.getByRole("checkbox", { name: "Entiendo que no se puede deshacer." }), "Space");
    await focusAndPress(page, page.getByRole("button", { name: "Eliminar mi cuenta" }));
    await expectToast(page, "Tu cuenta se ha eliminado");
  },
);

communityTest("a user can reply, review and edit a question by keyboard", FULL_ONLY, async ({ visit, community }) => {
  const author = await community.person({ name: "Tecla Tecleada" });
  const id = await community.ask(author, { title: "Una pregunta que corrijo con el teclado" });
  const psychologist = await community.person({ type: "psychologist", name: "Tadeo Teclado" });
  await community.call(psychologist, "POST", `/consultations/${id}/answers`, { content: "¿Cómo te ayudo?" });
  const page = await visit(author, `/consulta/${id}`);
  await waitForHydration(page);
  const { keyboard } = page;
  const question = page.getByRole("main").getByRole("article").first();
  const answer = page.getByRole("article", { name: /^Respuesta de/ });

  await focusAndPress(page, question.getByRole("link", { name: /^Editar / }));
  await typeInto(page, question.getByLabel("Título"), "Una pregunta que corregí con el teclado");
  await focusAndPress(page, question.getByRole("checkbox", { name: "Publicar de forma anónima" }), "Space");
  await focusAndPress(page, question.getByRole("button", { name: "Guardar cambios" }));
  await expect(page.getByRole("heading", { level: 1, name: "Una pregunta que corregí con el teclado" })).toBeVisible();
  await expect(question).toContainText("Anónimo");

  await focusAndPress(page, answer.locator("summary", { hasText: "Comentar" }));
  await typeInto(page, answer.getByRole("textbox", { name: "Tu comentario" }), "Escuchándome.");
  await focusAndPress(page, answer.getByRole("button", { name: "Enviar" }));
  await expectToast(page, "¡Respuesta enviada!");
  await expect(answer.getByText("Escuchándome.", { exact: true }).first()).toBeVisible();

  await focusAndPress(page, answer.getByRole("link", { name: "Tadeo Teclado", exact: true }));
  await expect(page.getByRole("heading", { level: 1, name: /^Tadeo Teclado/ })).toBeVisible();
  const writing = page.getByRole("region", { name: "Escribir una reseña" });
  // A radio group is one stop. The arrow keys select within it.
  await tabTo(page, writing.getByRole("radio", { name: /^5 de 5/ }));
  await keyboard.press("ArrowLeft");
  await expect(writing.getByRole("radio", { name: /^4 de 5/ })).toBeChecked();
  await typeInto(page, writing.getByRole("textbox", { name: "Tu reseña" }), "Responde y espera.");
  await focusAndPress(page, writing.getByRole("checkbox", { name: "Mostrar mi nombre" }), "Space");
  await focusAndPress(page, writing.getByRole("button", { name: "Enviar reseña" }));
  await expectToast(page, "¡Reseña enviada!");
  const review = page.getByRole("article", { name: "Reseña de Tecla Tecleada" });
  await expect(review.getByRole("img", { name: /4/ })).toBeVisible();

  const edit = review.getByRole("link", { name: "Editar" });
  await focusAndPress(page, edit);
  await expect(review.getByRole("radio", { name: /^4 de 5/ })).toBeChecked();
  const save = review.getByRole("button", { name: "Guardar cambios" });
  await focusAndPress(page, save);
  await expectToast(page, "Cambios guardados");
  await expect(save).toHaveCount(0);
  await expect(edit).toBeFocused();
  await focusAndPress(page, review.getByRole("link", { name: "Eliminar" }));
  await focusAndPress(
    page,
    page.getByRole("dialog", { name: "¿Eliminar tu reseña?" }).getByRole("button", { name: "Eliminar" }),
  );
  await expectToast(page, "Reseña eliminada");
  await expect(review).toHaveCount(0);
});
