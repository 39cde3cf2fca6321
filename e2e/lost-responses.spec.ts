import type { Page } from "@playwright/test";
import { detail, expect, expectToast, test } from "./community.ts";
import { goTo, stopClock } from "./fixtures.ts";
import { openWindow } from "./paying.ts";

/** Forwards a form's requests to the server and drops `times` responses. */
async function loseResponses(page: Page, path: RegExp, times: number) {
  const lost: string[] = [];
  await page.route(path, async (route) => {
    const request = route.request();
    if (!/POST|PUT/.test(request.method()) || lost.length >= times) return route.fallback();
    lost.push(request.postData() ?? "");
    await route.fetch({ maxRedirects: 0 });
    await route.abort();
  });
  return lost;
}

const CHECKING = "No sabemos si llegó. Lo estamos comprobando.";
const checking = (page: Page) => page.getByRole("status").filter({ hasText: CHECKING });

detail("shows a consultation after a reload when its response was lost", async ({ visit, community }) => {
  const author = await community.person();
  const page = await visit(author, "/nueva-consulta");
  await page.clock.install();
  await page.getByLabel("Título").fill("Una sola vez, aunque se recargue");
  await page.getByLabel("Descripción detallada").fill("La respuesta se pierde, y la consulta no.");
  await page.getByRole("main").getByRole("combobox", { name: "País" }).selectOption("Perú");
  const lost = await loseResponses(page, /\/nueva-consulta\.data/, 9);
  await page.getByRole("button", { name: "Publicar consulta" }).click();
  await expect(checking(page)).toBeVisible();
  const unknown = page.getByRole("status").filter({ hasText: "No hay respuesta. Lo que has escrito sigue aquí" });
  await expect(async () => {
    await page.clock.runFor(12_000);
    await expect(unknown).toBeVisible({ timeout: 500 });
  }).toPass();
  expect(lost.length).toBeGreaterThan(1);
  expect(new Set(lost).size).toBe(1);
  // The weekly limit is used. The reloaded page finds the consultation.
  await page.reload();
  await expect(page.getByRole("heading", { level: 1, name: "Una sola vez, aunque se recargue" })).toBeVisible();
  await expectToast(page, "¡Consulta creada!");
  const rows = await community.sql("select id from consultations where user_id = $1", [author.id]);
  expect(rows).toHaveLength(1);
});

test("shows the outcome of a vote, a review and a checkout after a lost response", async ({ visit, community }) => {
  const page = await visit(await community.person(), `/consulta/${await community.ask(await community.person())}`);
  await loseResponses(page, /\/voto\.data/, 1);
  const up = page.getByRole("button", { name: /votos? a favor de la consulta/ });
  await up.click();
  await expectToast(page, "No sabemos si llegó.");
  await expect(up).toHaveAttribute("aria-pressed", "true");
  await expectToast(page, "Tu voto ha llegado");
  await expect(up).toHaveAttribute("aria-pressed", "true");

  const psychologist = await community.person({ type: "psychologist" });
  await goTo(page, `/psicologo/${psychologist.id}`);
  const comment = page.getByRole("textbox", { name: "Tu reseña" });
  await comment.fill("Una sola vez, aunque se pierda.");
  await page.getByRole("radio", { name: /^3 de 5/ }).check({ force: true });
  const reviews: string[] = [];
  page.on("request", (request) => request.method() === "POST" && reviews.push(request.url()));
  await loseResponses(page, /\/resena\.data/, 1);
  // The time stands still, so only the return of the network causes the check.
  await stopClock(page);
  await page.getByRole("button", { name: "Enviar reseña" }).click();
  await expect(checking(page)).toBeVisible();
  await expect(comment).not.toBeEditable();
  await expect(async () => {
    await page.evaluate(() => dispatchEvent(new Event("online")));
    await expect(checking(page)).toHaveCount(0, { timeout: 500 });
  }).toPass();
  await expectToast(page, "¡Reseña enviada!");
  await expect(comment).toHaveValue("");
  // Another return of the network repeats nothing.
  await page.evaluate(() => dispatchEvent(new Event("online")));
  await expect(page.getByText("5 Excelente", { exact: true })).toBeVisible();
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain("Una sola vez");
  expect(reviews).toHaveLength(2);

  const plans = await visit(psychologist, "about:blank");
  await Promise.all([plans.waitForRequest(/\/api\/events$/), plans.goto("/planes?plan=mensual")]);
  await loseResponses(plans, /\/api\/checkouts$/, 1);
  const popup = await openWindow(plans, "Pagar con PayPal");
  await expectToast(plans, "No sabemos si llegó.");
  await popup.getByRole("button", { name: "Aprobar el pago" }).click();
  await expectToast(plans, "¡Suscripción exitosa!");
  const rows = await community.sql("select id from checkouts where psychologist_id = $1", [psychologist.id]);
  expect(rows).toHaveLength(1);
});
