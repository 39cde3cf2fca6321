import type { Page } from "@playwright/test";
import { demoUser, expect, fillRegistration, goTo, mailTo, PHONE_DEVICE, test, toast } from "./fixtures.ts";
import { expectAccessible } from "./screen-checks.ts";

test.use(PHONE_DEVICE);

const PSYCHOLOGIST = {
  full_name: "Lic. Inés Quiroga",
  email: "ines.quiroga@example.com",
  password: "sillón junto a la ventana",
};
const QUESTION = {
  title: "Hace un mes que no contesto a mis amigas",
  content: "Veo los mensajes y no contesto.\n\nCada día que pasa me da más vergüenza,\ny ya no sé cómo volver.",
};
const ANSWER = "La vergüenza crece con el silencio. ¿Qué pasaría si escribieras una sola línea a una de ellas?";
const REPLY = "Le escribí a una. Contestó en dos minutos.";

const card = (page: Page) => page.getByRole("article").filter({ hasText: QUESTION.title });

test("a user can ask anonymously, and a visitor can read the verified psychologist's answer", async ({ openPage }) => {
  const admin = await openPage({ as: "admin" });
  const psychologist = await openPage();
  const user = await openPage({ email: await demoUser() });
  const visitor = await openPage();

  await test.step("a psychologist can register and waits for the verification", async () => {
    await psychologist.goto("/");
    await psychologist.getByRole("link", { name: "Registrarme como profesional" }).click();
    await fillRegistration(psychologist, PSYCHOLOGIST);
    await psychologist.getByRole("combobox", { name: "País" }).selectOption("Argentina");
    const licence = psychologist.getByLabel("Número de matrícula");
    await expect(licence).toHaveAccessibleDescription(/^En Argentina: /);
    await licence.fill("MP 4821");
    await psychologist.getByLabel("Especialidad").selectOption("Psicología Clínica");
    await psychologist.getByLabel("Biografía").fill("Trabajo con personas que se fueron quedando solas.");
    await psychologist.getByRole("button", { name: "Crear cuenta profesional" }).click();
    await expect(psychologist.getByRole("heading", { name: "¡Registro exitoso!" })).toBeVisible();
    await expect(psychologist.getByRole("main")).toContainText(PSYCHOLOGIST.email);
    await psychologist.getByRole("link", { name: "ábrelos aquí" }).click();
    const mail = await mailTo(psychologist, PSYCHOLOGIST.email, /Confirma tu correo/);
    await mail.getByRole("link", { name: "/auth/confirmar" }).click();
    await expect(psychologist.getByRole("heading", { name: `Hola, ${PSYCHOLOGIST.full_name}` })).toBeVisible();
    await expectAccessible(psychologist);
    await psychologist.getByRole("button", { name: "Confirmar mi correo" }).click();
    await expect(toast(psychologist, "¡Bienvenido!")).toBeVisible();
    await expect(psychologist).toHaveURL("/");
    await expect(psychologist.getByText("Pendiente de verificación").first()).toBeVisible();
  });

  await test.step("the administrator can approve the psychologist", async () => {
    // Before the scripts run, a form loads a new page, which shows no toast.
    await goTo(admin, "/admin");
    const applicant = admin.getByRole("article", { name: PSYCHOLOGIST.full_name });
    await expect(applicant).toContainText("MP 4821");
    await applicant.getByRole("button", { name: /^Aprobar/ }).click();
    await expect(toast(admin, "Psicólogo aprobado")).toBeVisible();
  });

  let address = "";
  await test.step("the user can ask anonymously", async () => {
    await goTo(user, "/");
    await user.getByRole("link", { name: "Nueva Consulta" }).click();
    const dialog = user.getByRole("dialog", { name: "Nueva Consulta" });
    const publish = dialog.getByRole("button", { name: "Publicar consulta" });
    await expect(publish).toBeDisabled();
    await dialog.getByLabel("Título").fill(QUESTION.title);
    await dialog.getByLabel("Descripción detallada").fill(QUESTION.content);
    await dialog.getByRole("combobox", { name: "País" }).selectOption("Uruguay");
    await dialog.getByLabel("Categoría").selectOption("Relaciones");
    await dialog.getByRole("checkbox", { name: "Publicar de forma anónima" }).check();
    await publish.click();
    await expect(toast(user, "¡Consulta creada!")).toBeVisible();
    await expect(user.getByRole("heading", { level: 1, name: QUESTION.title })).toBeFocused();
    await expect(user.getByText("Anónimo", { exact: true })).toBeVisible();
    await expect(user.getByText("Aún no hay respuestas de profesionales para esta consulta.")).toBeVisible();
    address = new URL(user.url()).pathname;
  });

  await test.step("the psychologist can answer", async () => {
    await psychologist.goto("/");
    await expect(card(psychologist)).toContainText("Anónimo");
    await expect(card(psychologist)).toContainText("Sin respuestas");
    await card(psychologist)
      .getByRole("link", { name: /^Ver consulta/ })
      .click();
    await expect(psychologist.getByText("Te quedan 3 de 3 respuestas gratuitas")).toBeVisible();
    const send = psychologist.getByRole("button", { name: "Enviar respuesta" });
    await expect(send).toBeDisabled();
    await psychologist.getByRole("textbox", { name: "Tu respuesta" }).fill(ANSWER);
    await send.click();
    await expect(toast(psychologist, "¡Respuesta enviada!")).toBeVisible();
    await expect(psychologist.getByRole("heading", { name: "1 respuesta", exact: true })).toBeFocused();
    const answer = psychologist.getByRole("article", { name: /Respuesta de/ });
    await expect(answer).toContainText(ANSWER);
    await expect(answer).toBeInViewport();
    await expect(psychologist.getByText("Te quedan 2 de 3 respuestas gratuitas")).toBeVisible();
    await expect(psychologist.getByRole("textbox", { name: "Tu respuesta" })).toHaveValue("");
    await expect(send).toBeDisabled();
  });

  const answer = (page: Page) => page.getByRole("article", { name: `Respuesta de ${PSYCHOLOGIST.full_name}` });
  await test.step("the user can reply", async () => {
    await user.reload();
    await expect(answer(user)).toContainText(ANSWER);
    await answer(user).getByText("Comentar", { exact: true }).click();
    const field = answer(user).getByRole("textbox", { name: "Tu comentario" });
    await field.fill(REPLY);
    await answer(user).getByRole("button", { name: "Enviar" }).click();
    await expect(toast(user, "¡Respuesta enviada!")).toBeVisible();
    await expect(answer(user).getByRole("paragraph").filter({ hasText: REPLY })).toBeVisible();
    await expect(field).toBeHidden();
  });

  await test.step("a visitor can read the thread", async () => {
    await visitor.goto("/");
    await expect(card(visitor)).toContainText("1 respuesta");
    await card(visitor).getByRole("link", { name: QUESTION.title, exact: true }).click();
    await expect(visitor).toHaveURL(address);
    await expect(visitor.getByRole("heading", { level: 1, name: QUESTION.title })).toBeVisible();
    const text = visitor.getByRole("main").locator(".plain-text").first();
    await expect(text.getByRole("paragraph")).toHaveCount(2);
    // biome-ignore lint/performance/useDomNodeTextContent: it alone contains the line breaks
    expect(await text.innerText()).toBe(QUESTION.content);
    await expect(visitor.getByText("Anónimo", { exact: true })).toBeVisible();
    await expect(answer(visitor)).toContainText(ANSWER);
    await expect(answer(visitor)).toContainText("Verificado");
    await expect(answer(visitor)).toContainText(`Usuario`);
    await expect(answer(visitor).getByRole("paragraph").filter({ hasText: REPLY })).toBeVisible();
    const counted = visitor.waitForRequest(/\/api\/psychologists\/[\w-]+\/views$/);
    await answer(visitor).getByRole("link", { name: PSYCHOLOGIST.full_name, exact: true }).click();
    await counted;
    await expect(visitor.getByRole("heading", { level: 1, name: PSYCHOLOGIST.full_name })).toBeVisible();
    await expect(visitor.getByRole("link", { name: QUESTION.title })).toBeVisible();
  });
});
