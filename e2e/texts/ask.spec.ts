import type { Page } from "@playwright/test";
import { DAY, MINUTE } from "#shared/time.ts";
import { FULL_ONLY, waitForHydration } from "../fixtures.ts";
import { breakRequests, deleteSessionCookie, expect, test, toastWith } from "./situations.ts";

const TITLE = "No sé cómo volver a llamar a mi hermana";

async function openDialog(page: Page, button = "Nueva Consulta") {
  await waitForHydration(page);
  // Playwright clicks a disabled control only with `force`.
  await page.getByRole("link", { name: button }).click({ force: true });
  const dialog = page.getByRole("dialog", { name: "Nueva Consulta" });
  await expect(dialog).toBeVisible();
  return dialog;
}

async function write(page: Page) {
  const dialog = await openDialog(page);
  await dialog.getByLabel("Título").fill(TITLE);
  await dialog
    .getByLabel("Descripción detallada")
    .fill("Hace un año que no hablamos, y ninguna de las dos sabe por qué.");
  await dialog.getByRole("combobox", { name: "País" }).selectOption("Chile");
  return dialog;
}

test("shows the texts of a consultation's publication after a network error and a lost session", async ({
  visit,
  seen,
  community,
  watch,
}) => {
  watch.expectStatus(503);
  watch.expectStatus(401);
  const author = await community.person();
  const page = await visit(author, "/");
  const dialog = await write(page);
  const publish = dialog.getByRole("button", { name: "Publicar consulta" });
  const message = dialog.locator("form").getByRole("alert");

  await breakRequests(page, /nueva-consulta\.data/);
  await publish.click();
  await seen("S8.3-6", "No se pudo crear la consulta", message);
  await seen("S8.1-1", "Error", message);
  await expect(dialog.getByLabel("Título")).toHaveValue(TITLE);
  await page.unroute(/nueva-consulta\.data/);

  const [session] = await page.context().cookies();
  await deleteSessionCookie(page);
  await publish.click();
  await seen("S8.3-3", "Debes iniciar sesión para crear una consulta", message);
  await expect(dialog.getByLabel("Título")).toHaveValue(TITLE);

  await page.context().addCookies([session!]);
  await publish.click();
  await seen("S8.3-7", "¡Consulta creada!", toastWith(page, "¡Consulta creada!"));
  await expect(page.getByRole("heading", { level: 1, name: TITLE })).toBeVisible();
});

test("shows the end of the weekly limit in the user's time zone", FULL_ONLY, async ({ visit, seen, community }) => {
  const { author } = community.threadFixture;
  // Buenos Aires is three hours behind UTC, still on the previous day.
  const midnight = Math.floor(Date.now() / DAY) * DAY;
  await community.sql("update profiles set weekly_window_started_at = $2 where id = $1", [
    author.id,
    new Date(midnight - 5 * DAY + 74 * MINUTE + 1),
  ]);
  const end = new Date(midnight + 2 * DAY + 75 * MINUTE - 180 * MINUTE);
  const named = (part: Intl.DateTimeFormatOptions) => end.toLocaleDateString("es", { ...part, timeZone: "UTC" });
  const when = `Será el ${named({ weekday: "long" })} ${end.getUTCDate()} de ${named({ month: "long" })}, a las 22:15.`;
  const page = await visit(author, "/");
  await expect(page.getByRole("region", { name: "Tu semana" })).toContainText(when);
  await seen("S2.3-7", "Límite alcanzado", page.getByRole("link", { name: "Límite alcanzado" }));
  await expect(page.getByRole("link", { name: "Nueva Consulta" })).toBeHidden();
  const dialog = await openDialog(page, "Límite alcanzado");
  await seen("S8.3-5", "Límite semanal alcanzado", dialog);
  await expect(dialog).toContainText(/Podrás publicar otra consulta en [23] días\. /);
  await expect(dialog).toContainText(when);
});

test("shows psychologists that they cannot ask", FULL_ONLY, async ({ visit, seen }) => {
  for (const role of ["pending", "verified", "gold"] as const) {
    const page = await visit(role, "/nueva-consulta");
    await seen("S8.3-4", "Los psicólogos no pueden crear consultas, solo responderlas", page.getByRole("main"));
  }
});
