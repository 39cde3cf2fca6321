import { randomUUID } from "node:crypto";
import sharp from "sharp";
import { test as communityTest, expectToast } from "./community.ts";
import { DEMO_PASSWORD, expect, FULL_ONLY, mailTo, test, toast, waitForHydration } from "./fixtures.ts";
import { focusAndPress, tabTo, typeInto } from "./keys.ts";

test("a user can sign in, ask, vote and sign out by keyboard", async ({ page, own, isMobile }) => {
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
  if (isMobile) {
    const opener = page.getByRole("button", { name: "Abrir el menú" });
    await tabTo(page, opener, "Shift+Tab");
    await keyboard.press("Enter");
    const sheet = page.getByRole("dialog", { name: "Menú" });
    await expect(sheet).toBeVisible();
    await keyboard.press("Escape");
    await expect(sheet).toBeHidden();
    await expect(opener).toBeFocused();
    await keyboard.press("Enter");
    await tabTo(page, sheet.getByRole("link", { name: "Iniciar Sesión" }));
  } else await tabTo(page, signInLink, "Shift+Tab");
  await keyboard.press("Enter");
  await expect(page).toHaveURL("/auth");

  const mail = page.getByLabel("Correo electrónico");
  await tabTo(page, mail);
  await keyboard.type(own("keyboard"));
  await tabTo(page, page.getByLabel("Contraseña", { exact: true }));
  await keyboard.type(DEMO_PASSWORD);
  await keyboard.press("Enter");
  await expect(page).toHaveURL("/");
  const opener = page.getByRole("link", { name: "Nueva Consulta" });
  await expect(opener).toBeVisible();

  // The dialog takes and traps the focus. Escape closes it and restores the focus.
  await tabTo(page, opener);
  await keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Nueva Consulta" });
  await expect(dialog).toBeVisible();
  expect(await dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  for (let presses = 0; presses < 16; presses++) {
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

  const up = page.getByRole("button", { name: /votos a favor de la consulta/ });
  await tabTo(page, up);
  await keyboard.press("Enter");
  await expect(up).toHaveAttribute("aria-pressed", "true");
  await expect(up).toHaveAccessibleName(/^1 /);
  await expect(up).toBeFocused();
  await keyboard.press("Space");
  await expect(up).toHaveAttribute("aria-pressed", "false");

  const menu = page.getByRole("banner").getByRole("button", { name: /^(Menú de|Abrir el menú)/ });
  await tabTo(page, menu, "Shift+Tab");
  await keyboard.press("Enter");
  await tabTo(page, page.getByRole("button", { name: "Cerrar Sesión", exact: true }));
  await keyboard.press("Enter");
  await expect(toast(page, "Has cerrado sesión")).toBeVisible();
});

communityTest(
  "a visitor can search, filter and read by keyboard",
  FULL_ONLY,
  async ({ visit, community, isMobile }) => {
    const page = await visit("visitor", "/");
    await waitForHydration(page);
    const { keyboard } = page;
    // The button is replaced by its counterpart, which receives the focus.
    await focusAndPress(page, page.getByRole("button", { name: "Cambiar al tema oscuro" }));
    await expect(page.getByRole("button", { name: "Cambiar al tema claro" })).toBeFocused();

    const country = page.getByRole("banner").getByRole("combobox", { name: "País" });
    await tabTo(page, country, isMobile ? "Tab" : "Shift+Tab");
    await keyboard.type("Uru");
    await expect(page).toHaveURL(/pais=Uruguay/);
    await expect(page.getByRole("heading", { name: "Consultas de Uruguay" })).toBeVisible();
    await focusAndPress(page, page.getByRole("link", { name: "Estrés", exact: true }));
    await expect(page).toHaveURL(/categoria=Estr/);
    await focusAndPress(page, page.getByRole("link", { name: community.threadFixture.title, exact: true }));
    await expect(page.getByRole("heading", { level: 1, name: community.threadFixture.title })).toBeVisible();
    await tabTo(page, page.getByRole("combobox", { name: "Ordenar respuestas" }));
    await keyboard.type("Más");
    await expect(page).toHaveURL(/orden=votadas/);
    await focusAndPress(page, page.getByText("Compartir", { exact: true }), "Space");
    await tabTo(page, page.getByRole("link", { name: /^WhatsApp/ }));
    await focusAndPress(page, page.getByRole("main").getByRole("link", { name: "Guido Gold", exact: true }));
    await expect(page.getByRole("heading", { level: 1, name: /^Guido Gold/ })).toBeVisible();

    await page.goto("/?orden=antiguas");
    await waitForHydration(page);
    const more = page.getByRole("link", { name: "Cargar más" });
    await focusAndPress(page, more);
    await expect(page.getByRole("article").nth(25)).toBeVisible();

    await page.goto("/ayuda");
    await waitForHydration(page);
    await tabTo(page, page.getByRole("link", { name: "Salida rápida" }));
    const chosen = page.getByLabel("¿En qué país estás?");
    await tabTo(page, chosen);
    await keyboard.type("Méx");
    await expect(page.getByRole("heading", { level: 2, name: "México" })).toBeVisible();
    await focusAndPress(page, page.locator("summary", { hasText: "Perú" }));
    await tabTo(page, page.locator("details[open] a[href^='tel:']").first());
  },
);

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

communityTest(
  "a psychologist can answer in a dialog, edit and delete the answer by keyboard",
  FULL_ONLY,
  async ({ visit, community }) => {
    const author = await community.person();
    const id = await community.ask(author, { title: "Una pregunta para quien no usa ratón", country: "Panamá" });
    const page = await visit(await community.person({ type: "psychologist" }), "/?pais=Panamá");
    await waitForHydration(page);
    const { keyboard } = page;
    const opener = page.getByRole("link", { name: "Responder: Una pregunta para quien no usa ratón" });
    const dialog = page.getByRole("dialog", { name: "Responder como Profesional" });
    await focusAndPress(page, opener);
    await expect(dialog).toBeVisible();
    await keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await expect(opener).toBeFocused();
    await keyboard.press("Enter");
    await typeInto(page, dialog.getByRole("textbox", { name: "Tu respuesta" }), "Se puede sin ratón, y bien.");
    await focusAndPress(page, dialog.getByRole("button", { name: "Enviar respuesta" }));
    await expectToast(page, "¡Respuesta enviada!");
    await expect(dialog).toBeHidden();
    await expect(opener).toBeFocused();

    await page.goto(`/consulta/${id}`);
    await waitForHydration(page);
    const answer = page.getByRole("article", { name: /^Respuesta de/ });
    await focusAndPress(page, answer.getByRole("link", { name: /^Editar / }));
    await typeInto(page, answer.getByRole("textbox", { name: "Tu respuesta" }), "Se puede sin ratón, y muy bien.");
    await focusAndPress(page, answer.getByRole("button", { name: "Guardar cambios" }));
    await expect(answer).toContainText("editado");
    await expect(answer.getByText("Se puede sin ratón, y muy bien.", { exact: true }).first()).toBeVisible();

    const remove = answer.getByRole("link", { name: "Eliminar tu respuesta" });
    const confirm = page.getByRole("dialog", { name: "¿Eliminar tu respuesta?" });
    await focusAndPress(page, remove);
    // The harmless button has the focus.
    await expect(confirm.getByRole("button", { name: "Cancelar" })).toBeFocused();
    await keyboard.press("Enter");
    await expect(confirm).toBeHidden();
    await expect(remove).toBeFocused();
    await keyboard.press("Enter");
    await focusAndPress(page, confirm.getByRole("button", { name: "Eliminar" }));
    await expectToast(page, "Respuesta eliminada");
    await expect(answer).toHaveCount(0);
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
  const editing = page.getByRole("dialog", { name: "Editar tu reseña" });
  await expect(editing).toBeVisible();
  await keyboard.press("Escape");
  await expect(editing).toBeHidden();
  await expect(edit).toBeFocused();
  await focusAndPress(page, review.getByRole("link", { name: "Eliminar" }));
  await focusAndPress(
    page,
    page.getByRole("dialog", { name: "¿Eliminar tu reseña?" }).getByRole("button", { name: "Eliminar" }),
  );
  await expectToast(page, "Reseña eliminada");
  await expect(review).toHaveCount(0);
});

communityTest(
  "a psychologist can edit the profile with a photo and write to the team by keyboard",
  FULL_ONLY,
  async ({ visit, community }) => {
    const page = await visit(await community.person({ type: "psychologist", name: "Paulina Perfil" }), "/perfil");
    await waitForHydration(page);
    const { keyboard } = page;
    const photo = await sharp({ create: { width: 300, height: 200, channels: 3, background: "#8a6d5b" } })
      .png()
      .toBuffer();
    // Register the listener before the browser opens its dialog.
    const chooser = page.waitForEvent("filechooser");
    await tabTo(page, page.getByRole("button", { name: "Elegir foto" }));
    await keyboard.press("Enter");
    await (await chooser).setFiles({ name: "yo.png", mimeType: "image/png", buffer: photo });
    const dialog = page.getByRole("dialog", { name: "Recortar la foto" });
    await expect(dialog).toBeVisible();
    const zoom = dialog.getByRole("slider", { name: "Acercar" });
    await tabTo(page, zoom);
    await keyboard.press("ArrowRight");
    expect(Number(await zoom.inputValue())).toBeGreaterThan(1);
    await focusAndPress(page, dialog.getByRole("button", { name: "Usar esta foto" }));
    await expectToast(page, "¡Imagen subida exitosamente!");
    await expect(dialog).toBeHidden();
    await expect(page.getByRole("button", { name: "Cambiar foto" })).toBeVisible();

    await typeInto(page, page.getByLabel("Biografía"), "Escribo esto sin ratón.");
    await focusAndPress(page, page.getByRole("button", { name: "Guardar cambios" }));
    await expectToast(page, "¡Perfil actualizado!");

    await focusAndPress(page, page.getByRole("contentinfo").getByRole("link", { name: "Contacto" }));
    await expect(page.getByRole("heading", { level: 1, name: "Contacto" })).toBeVisible();
    await typeInto(page, page.getByLabel("Mensaje"), "El teclado alcanza para todo, gracias.");
    await focusAndPress(page, page.getByRole("button", { name: "Enviar mensaje" }));
    await expect(page.getByText("¡Mensaje enviado!")).toBeVisible();
  },
);

communityTest("a psychologist can register by keyboard", FULL_ONLY, async ({ visit }) => {
  const page = await visit("visitor", "/auth");
  await waitForHydration(page);
  const { keyboard } = page;
  await focusAndPress(page, page.getByRole("navigation", { name: "Entrar o registrarse" }).getByText("Registrarse"));
  await expect(page.getByRole("heading", { level: 1, name: "Toma asiento" })).toBeVisible();
  await focusAndPress(page, page.getByRole("link", { name: /^Soy psicólogo o psicóloga/ }));
  await expect(page.getByRole("button", { name: "Crear cuenta profesional" })).toBeVisible();
  await typeInto(page, page.getByLabel("Nombre completo"), "Teclado Solamente");
  await typeInto(page, page.getByLabel("Correo electrónico"), `teclado-${randomUUID().slice(0, 8)}@example.com`);
  await typeInto(page, page.getByLabel("Contraseña", { exact: true }), "una silla de mimbre");
  await focusAndPress(page, page.getByRole("button", { name: "Mostrar contraseña" }).first(), "Space");
  await expect(page.getByLabel("Contraseña", { exact: true })).toHaveAttribute("type", "text");
  await typeInto(page, page.getByLabel("Confirmar contraseña"), "una silla de mimbre");
  const country = page.getByRole("main").getByRole("combobox", { name: "País" });
  await tabTo(page, country);
  await keyboard.type("Chi");
  await expect(country).toHaveValue("Chile");
  await typeInto(page, page.getByLabel("Número de matrícula"), "512345");
  for (const consent of [/mis datos profesionales/, /fuera de mi país/]) {
    await focusAndPress(page, page.getByRole("checkbox", { name: consent }), "Space");
    await expect(page.getByRole("checkbox", { name: consent })).toBeChecked();
  }
  await focusAndPress(page, page.getByRole("button", { name: "Crear cuenta profesional" }));
  await expect(page.getByRole("heading", { name: "¡Registro exitoso!" })).toBeVisible();
});
