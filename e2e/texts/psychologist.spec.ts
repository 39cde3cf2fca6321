import { FULL_ONLY, waitForHydration } from "../fixtures.ts";
import { breakRequests, deleteSessionCookie, expect, test, toastWith } from "./situations.ts";

// test/page-roles.test.ts shows what each role sees.
test("shows the texts of psychologists' profiles", async ({ visit, seen, community }) => {
  const { verified, pending, gold } = community.people;
  const page = await visit("user", `/psicologo/${verified!.id}`);
  const head = page.getByRole("main").locator("header");
  await seen(["S2.7-5", "S5.6-5"], "MP ", head);
  await expect(head).toContainText("MP 27465");
  await seen(["S2.7-6", "S4.2-1"], "Verificado", head);
  await expect(head.getByText("Membresía Gold")).toBeHidden();
  const writing = page.getByRole("region", { name: "Escribir una reseña" });
  await seen("S2.7-12", "Escribir una reseña", writing);
  const naming = writing.getByRole("checkbox", { name: "Mostrar mi nombre" });
  await seen("S2.7-13", "Mostrar mi nombre", naming.locator(".."));

  await page.goto(`/psicologo/${gold!.id}`);
  await seen("S2.7-7", "Membresía Gold", head);
  // A prefix in the licence number must not be doubled.
  await expect(head).toContainText("MP 1234");
  await expect(head).not.toContainText("MP MP");

  await page.goto(`/psicologo/${pending!.id}`);
  await seen("S2.7-6", "Pendiente de verificación", head);
  await seen("S4.2-1", "Pendiente", head);
  await expect(head.getByText("Verificado")).toBeHidden();
});

test(
  "shows an error when a profile does not exist or cannot be read",
  FULL_ONLY,
  async ({ visit, seen, community, watch }) => {
    watch.expectStatus(404);
    watch.expectStatus(500);
    const page = await visit("user", "/psicologo/00000000-0000-4000-8000-000000000000");
    await seen("S2.7-2", "Psicólogo no encontrado", page.getByRole("heading", { level: 1 }));
    await expect(page.getByRole("main").getByRole("link", { name: "Volver al inicio" })).toHaveAttribute("href", "/");
    await community.hide("view", "visible.psychologists", async () => {
      await page.goto(`/psicologo/${community.people.verified!.id}`);
      await seen("S8.2-1", "No se pudo cargar el perfil del psicólogo", page.getByRole("heading", { level: 1 }));
    });
  },
);

test("shows the texts of a review after a network error and a lost session", async ({
  visit,
  seen,
  community,
  watch,
}) => {
  watch.expectStatus(503);
  watch.expectStatus(401);
  const psychologist = await community.person({ type: "psychologist" });
  const page = await visit(await community.person({ name: "Rita Reseña" }), `/psicologo/${psychologist.id}`);
  await waitForHydration(page);
  const writing = page.getByRole("region", { name: "Escribir una reseña" });
  const comment = writing.getByRole("textbox", { name: "Tu reseña" });
  const send = writing.getByRole("button", { name: "Enviar reseña" });
  await comment.fill("Preguntó antes de opinar.");

  await breakRequests(page, /\/resena\.data/);
  await send.click();
  await seen("S8.2-3", "No se pudo enviar la reseña", toastWith(page, "No se pudo enviar la reseña"));
  await expect(comment).toHaveValue("Preguntó antes de opinar.");
  await page.unroute(/\/resena\.data/);

  const [session] = await page.context().cookies();
  await deleteSessionCookie(page);
  await send.click();
  const signedOut = "Debes iniciar sesión para dejar una reseña";
  await seen("S8.2-2", signedOut, toastWith(page, signedOut));
  await page.context().addCookies([session!]);

  await send.click();
  const sent = toastWith(page, "¡Reseña enviada!");
  await seen("S8.2-4", "¡Reseña enviada!", sent);
  await seen("S8.2-4", "Tu reseña ha sido publicada exitosamente", sent);
  const review = page.getByRole("article", { name: "Reseña de Usuario" });
  await seen("S2.7-13", "Usuario", review);
  await expect(review).not.toContainText("Rita");

  await review.getByRole("link", { name: "Editar" }).click();
  const dialog = page.getByRole("dialog", { name: "Editar tu reseña" });
  await dialog.getByRole("textbox", { name: "Tu reseña" }).fill("Preguntó antes de opinar, y esperó.");
  await dialog.getByRole("button", { name: "Guardar cambios" }).click();
  await seen(["S2.7-15", "S4.11-1"], "editado", review);

  const named = await community.person({ name: "Nora Nombrada" });
  await community.call(named, "PUT", `/psychologists/${psychologist.id}/review`, { rating: 4, show_name: true });
  await community.call(community.people.gold!, "PUT", `/psychologists/${psychologist.id}/review`, {
    rating: 5,
    show_name: false,
  });
  await page.goto(`/psicologo/${psychologist.id}`);
  await expect(page.getByRole("article", { name: "Reseña de Nora Nombrada" })).toBeVisible();
  await seen("S2.7-14", "Colega", page.getByRole("article", { name: "Reseña de Colega" }));
});
