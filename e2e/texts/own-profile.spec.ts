import sharp from "sharp";
import { FULL_ONLY, waitForHydration } from "../fixtures.ts";
import { breakRequests, deleteSessionCookie, expect, test, toastWith } from "./situations.ts";

test("shows the sign-in text on the profile without a session", FULL_ONLY, async ({ visit, seen, watch }) => {
  watch.expectStatus(401);
  const page = await visit("visitor", "/perfil");
  const main = page.getByRole("main");
  await seen("S2.8-1", "Debes iniciar sesión para ver tu perfil.", main);
  await expect(main.getByRole("link", { name: "Iniciar Sesión" })).toHaveAttribute("href", /^\/auth/);
});

test("shows a user's own consultations on the profile", FULL_ONLY, async ({ visit, seen, community }) => {
  const person = await community.person({ name: "Manuela Mía" });
  const answered = await community.ask(person, { title: "La que tiene respuesta" });
  await community.call(community.people.gold!, "POST", `/consultations/${answered}/answers`, { content: "Aquí está." });
  await community.sql(
    "update profiles set weekly_consultations_used = 0, weekly_window_started_at = null where id = $1",
    [person.id],
  );
  await community.ask(person, { title: "La que espera, sin nombre", is_anonymous: true });
  const page = await visit(person, "/perfil");
  const list = page.getByRole("region", { name: "Mis Consultas" });
  await seen("S2.8-6", "Mis Consultas", list.getByRole("heading", { level: 2 }));
  const first = list.getByRole("article").filter({ hasText: "La que tiene respuesta" });
  await seen(["S2.8-6", "S4.7-1"], "Respondida", first.locator(".meta"));
  await expect(first).toContainText("Manuela Mía");
  const second = list.getByRole("article").filter({ hasText: "La que espera" });
  await seen(["S2.8-6", "S4.7-1"], "Pendiente", second.locator(".meta"));
  await seen("S2.8-6", "Anónimo", second.locator(".byline"));
  await expect(first).toContainText("Aquí está.");
  // The last consultation has used the weekly limit.
  await expect(page.getByRole("main").getByRole("button", { name: "Límite alcanzado" })).toBeDisabled();
  await community.sql("update profiles set weekly_consultations_used = 0 where id = $1", [person.id]);
  await page.reload();
  const ask = page.getByRole("main").getByRole("link", { name: "Nueva Consulta" });
  await seen("S2.8-7", "Nueva Consulta", ask);
  await expect(ask).toHaveAttribute("href", "/");
});

test("shows the texts and errors of saving a profile", async ({ visit, seen, community, watch }) => {
  for (const status of [422, 503]) watch.expectStatus(status);
  const psychologist = await community.person({ type: "psychologist", name: "Sara Sinfoto" });
  const page = await visit(psychologist, "/perfil");
  await waitForHydration(page);
  const bio = page.getByLabel("Biografía");
  await bio.fill("Escucho de mañana.");
  const save = page.getByRole("button", { name: "Guardar cambios" });

  await save.click();
  const missing = toastWith(page, "Falta la foto de perfil");
  await seen(["S5.6-1", "S8.7-3"], "Falta la foto de perfil", missing);
  await seen(["S5.6-1", "S8.7-3"], "Por favor, sube una foto de perfil antes de guardar.", missing);
  await community.sql("update profiles set avatar_url = '/retrato-1.svg' where id = $1", [psychologist.id]);

  await breakRequests(page, /\/perfil\.data/);
  await save.click();
  const failed = "No se pudieron guardar los cambios";
  await seen("S8.7-1", failed, toastWith(page, failed));
  await expect(bio).toHaveValue("Escucho de mañana.");
  await page.unroute(/\/perfil\.data/);

  await save.click();
  await seen("S8.7-2", "¡Perfil actualizado!", toastWith(page, "¡Perfil actualizado!"));
  // A success removes the previous errors.
  await expect(toastWith(page, failed)).toHaveCount(0, { timeout: 1000 });
});

test("shows the texts and errors of a photo upload", FULL_ONLY, async ({ visit, seen, community, watch }) => {
  for (const status of [401, 503]) watch.expectStatus(status);
  const page = await visit(await community.person({ type: "psychologist" }), "/perfil");
  await waitForHydration(page);
  const choose = (name: string, mimeType: string, buffer: Buffer) =>
    page.getByLabel("Foto de perfil", { exact: true }).last().setInputFiles({ name, mimeType, buffer });
  const dialog = page.getByRole("dialog", { name: "Recortar la foto" });
  const send = dialog.getByRole("button", { name: "Usar esta foto" });

  await choose("titulo.pdf", "application/pdf", Buffer.from("%PDF-1.7"));
  const type = toastWith(page, "Tipo de archivo no válido");
  await seen("S8.7-5", "Tipo de archivo no válido", type);
  await seen("S8.7-5", "Por favor, selecciona una imagen (JPG, PNG, GIF, etc.)", type);
  await choose("grande.png", "image/png", Buffer.alloc(5 * 1024 * 1024));
  const size = toastWith(page, "Archivo demasiado grande");
  await seen("S8.7-6", "Archivo demasiado grande", size);
  await seen("S8.7-6", "El archivo debe ser menor a 5MB", size);

  const square = sharp({ create: { width: 300, height: 300, channels: 3, background: "#8a6d5b" } });
  await choose("retrato.png", "image/png", await square.png().toBuffer());
  await expect(send).toBeEnabled();
  await breakRequests(page, /\/api\/profile\/photo/);
  await send.click();
  const failed = toastWith(page, "Error al subir archivo");
  await seen("S8.7-7", "Error al subir archivo", failed);
  await seen("S8.7-7", "No se pudo subir la imagen. Intenta de nuevo.", failed);
  await page.unroute(/\/api\/profile\/photo/);

  const [session] = await page.context().cookies();
  await deleteSessionCookie(page);
  await send.click();
  const signedOut = "Debes estar autenticado para subir archivos";
  await seen("S8.7-4", signedOut, toastWith(page, signedOut));
  await page.context().addCookies([session!]);

  await send.click();
  await seen("S8.7-8", "¡Imagen subida exitosamente!", toastWith(page, "¡Imagen subida exitosamente!"));
});
