import type { Page } from "@playwright/test";
import { FULL_ONLY, waitForHydration } from "../fixtures.ts";
import { breakRequests, deleteSessionCookie, expect, test, toastWith } from "./situations.ts";

const up = (page: Page) => page.getByRole("button", { name: /votos a favor de la consulta/ });
const box = (page: Page) => page.getByRole("region", { name: "Responder como Profesional" });

// test/page-roles.test.ts shows what each role sees.
test("shows the texts of a consultation with answers", async ({ visit, seen, seenAsChoice, community }) => {
  const address = `/consulta/${community.threadFixture.id}`;
  const page = await visit("pending", address);
  const main = page.getByRole("main");
  const sorts = main.getByRole("combobox", { name: "Ordenar respuestas" });
  await waitForHydration(page);
  for (const text of ["Antiguas", "Más votadas", "Recientes"]) await seenAsChoice("S2.6-5", text, sorts);
  await expect(page).toHaveURL(/orden=recientes/);

  const answer = main.getByRole("article", { name: "Respuesta de Guido Gold" });
  await seen("S2.6-7", "Verificado", answer);
  await seen(["S2.6-17", "S4.11-1"], "editado", answer.locator(".answer-author"));
  const reply = answer.locator(".reply");
  await seen("S2.6-10", "Usuario", reply);
  await expect(reply).not.toContainText("Aurora");

  const donation = main.getByRole("heading", { name: "Invítanos un café" });
  await seen(["S1.3-4", "S2.6-18"], "Invítanos un café", donation);
  await seen("S2.12-5", "Salida rápida", page.getByRole("link", { name: "Salida rápida" }));
  await seen("S2.6-13", "Responder como Profesional", box(page));
  await seen("S2.6-13", "Pendiente de verificación", box(page));
  await seen("S2.6-13", "Respuestas ilimitadas", box(await visit("gold", address)));
});

test("shows the texts of an anonymous consultation without answers", async ({ visit, seen, community }) => {
  const author = await community.person({ name: "Nadie Mesabe" });
  const id = await community.ask(author, { is_anonymous: true });
  for (const role of ["visitor", "verified", "admin"] as const) {
    const page = await visit(role, `/consulta/${id}`);
    const main = page.getByRole("main");
    await seen("S4.12-4", "Anónimo", main.getByRole("article").first());
    await seen("S2.6-11", "Aún no hay respuestas de profesionales para esta consulta.", main);
    await expect(main).not.toContainText("Nadie Mesabe");
  }
});

test(
  "shows an error when a consultation does not exist or cannot be read",
  FULL_ONLY,
  async ({ visit, seen, community, watch }) => {
    watch.expectStatus(404);
    watch.expectStatus(500);
    const page = await visit("user", "/consulta/00000000-0000-4000-8000-000000000000");
    await seen("S2.6-12", "Consulta no encontrada", page.getByRole("heading", { level: 1 }));
    await community.hide("view", "visible.consultations", async () => {
      await page.goto(`/consulta/${community.threadFixture.id}`);
      await seen("S8.3-1", "No se pudo cargar la consulta", page.getByRole("heading", { level: 1 }));
    });
    await page.getByRole("link", { name: "Reintentar" }).click();
    await expect(page.getByRole("heading", { level: 1, name: community.threadFixture.title })).toBeVisible();
  },
);

test("shows an error when a vote is not counted", FULL_ONLY, async ({ visit, seen, community, watch }) => {
  watch.expectStatus(401);
  watch.expectStatus(503);
  const address = `/consulta/${community.threadFixture.id}`;
  const visitor = await visit("visitor", address);
  await waitForHydration(visitor);
  await up(visitor).click();
  const refused = toastWith(visitor, "Debes iniciar sesión para votar");
  await seen("S8.4-1", "Debes iniciar sesión para votar", refused);
  await seen("S8.1-1", "Error", refused);
  await expect(refused).toHaveClass(/toast--err/);

  const page = await visit("user", address);
  await waitForHydration(page);
  await breakRequests(page, /\/voto\.data/);
  await up(page).click();
  await seen("S8.4-2", "No se pudo registrar tu voto", toastWith(page, "No se pudo registrar tu voto"));
  await expect(up(page)).toHaveAttribute("aria-pressed", "false");
});

test("shows the texts and errors of an answer", async ({ visit, seen, community, watch }) => {
  for (const status of [401, 403, 503]) watch.expectStatus(status);
  const psychologist = await community.person({ type: "psychologist" });
  const id = await community.ask(await community.person());
  const page = await visit(psychologist, `/consulta/${id}`);
  await waitForHydration(page);
  const text = page.getByRole("textbox", { name: "Tu respuesta" });
  const send = page.getByRole("button", { name: "Enviar respuesta" });
  const refused = async (words: string) => {
    await send.click();
    const toast = toastWith(page, words);
    await expect(toast).toBeVisible();
    await expect(text).toHaveValue("Te leo.");
    return toast;
  };
  await text.fill("Te leo.");

  await breakRequests(page, /\/respuesta\.data/);
  const failed = "No se pudo enviar la respuesta";
  await seen("S8.4-7", failed, await refused(failed));
  await page.unroute(/\/respuesta\.data/);

  const [session] = await page.context().cookies();
  await deleteSessionCookie(page);
  const signedOut = "Debes iniciar sesión para responder";
  await seen("S8.4-9", signedOut, await refused(signedOut));
  await page.context().addCookies([session!]);

  await community.sql("update psychologist_profiles set verified_at = null where id = $1", [psychologist.id]);
  await seen("S8.4-4", "Cuenta no verificada", await refused("Cuenta no verificada"));
  await community.sql("update psychologist_profiles set verified_at = now(), free_responses_used = 3 where id = $1", [
    psychologist.id,
  ]);
  const limit = await refused("Límite alcanzado");
  await seen("S8.4-6", "Límite alcanzado", limit);
  await expect(limit).toContainText("Gold");

  await page.goto(`/consulta/${id}`);
  await seen("S2.6-13", "Límite de respuestas gratuitas alcanzado", box(page));
  await expect(send).toBeDisabled();
  await community.sql("update psychologist_profiles set free_responses_used = 2 where id = $1", [psychologist.id]);
  await page.goto(`/consulta/${id}`);
  await waitForHydration(page);
  await text.fill("Te leo.");
  await send.click();
  await seen("S8.4-8", "¡Respuesta enviada!", toastWith(page, "¡Respuesta enviada!"));
});

test("shows the texts and errors of a reply", async ({ visit, seen, community, watch }) => {
  watch.expectStatus(401);
  watch.expectStatus(403);
  const page = await visit(await community.person(), `/consulta/${community.threadFixture.id}`);
  await waitForHydration(page);
  const answer = page.getByRole("article", { name: "Respuesta de Vera Verificada" });
  await answer.getByText("Comentar", { exact: true }).click();
  await answer.getByRole("textbox", { name: "Tu comentario" }).fill("Lo voy a pensar.");
  const [session] = await page.context().cookies();
  await deleteSessionCookie(page);
  await answer.getByRole("button", { name: "Enviar" }).click();
  await seen("S8.4-9", "Debes iniciar sesión para responder", toastWith(page, "Debes iniciar sesión para responder"));
  await page.context().addCookies([session!]);
  await answer.getByRole("button", { name: "Enviar" }).click();
  await seen("S8.4-8", "¡Respuesta enviada!", toastWith(page, "¡Respuesta enviada!"));

  const psychologist = await visit("verified", `/respuesta/${community.threadFixture.answer}/comentario`);
  const words = "Los psicólogos no pueden crear replies, solo respuestas principales";
  await seen("S8.4-10", words, psychologist.getByRole("main"));
});

test("shows users that only psychologists may answer", FULL_ONLY, async ({ visit, seen, community, watch }) => {
  watch.expectStatus(403);
  const page = await visit("user", `/consulta/${community.threadFixture.id}/respuesta`);
  await seen("S8.4-3", "Solo los psicólogos pueden responder consultas", page.getByRole("main"));
});

test("shows the mark of an edited consultation", FULL_ONLY, async ({ visit, seen, community }) => {
  const author = await community.person();
  const id = await community.ask(author, { country: "Ecuador" });
  const corrected = { title: "Una pregunta que hago por segunda vez", content: "La escribo mejor que la primera vez." };
  await community.call(author, "PATCH", `/consultations/${id}`, {
    ...corrected,
    country: "Ecuador",
    is_anonymous: false,
  });
  const page = await visit("visitor", "/?pais=Ecuador");
  await seen("S4.11-1", "editado", page.getByRole("article").filter({ hasText: corrected.title }).locator(".meta"));
  await page.goto(`/consulta/${id}`);
  await seen("S2.6-17", "editado", page.getByRole("main").getByRole("article").first().locator(".meta"));
});

test("shows the texts of a removal by the administrator", FULL_ONLY, async ({ visit, seen, community, watch }) => {
  watch.expectStatus(503);
  const author = await community.person();
  const id = await community.ask(author);
  const page = await visit("admin", `/consulta/${id}`);
  await waitForHydration(page);
  const removing = async () => {
    await page.getByRole("link", { name: "Eliminar consulta" }).click();
    return page.getByRole("dialog").getByRole("button", { name: "Eliminar" });
  };
  await breakRequests(page, /\/eliminar\.data/);
  const remove = await removing();
  await remove.click();
  const failed = "No se pudo eliminar la consulta";
  await seen("S8.3-9", failed, toastWith(page, failed));
  await page.unroute(/\/eliminar\.data/);

  await remove.click();
  const deleted = toastWith(page, "Consulta eliminada");
  await seen("S8.3-8", "Consulta eliminada", deleted);
  await expect(deleted).toContainText("el crédito se devolvió si correspondía");
  await expect(page).toHaveURL("/");
});
