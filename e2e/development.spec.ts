import { alive, expect, test } from "./fixtures.ts";
import { expectAccessible, expectNoSidewaysScroll } from "./screen-checks.ts";
import { currentRun, dataFolder, emptyDatabase, startServer } from "./server.ts";

test("shows every part in every state and both themes on a development server", async ({ page, watch }) => {
  // Vite prepares the pages during the first request.
  test.setTimeout(600_000);
  const folder = dataFolder();
  const database = await emptyDatabase(currentRun().administrativeUrl);
  const server = await startServer({ DATA_DIR: folder.path, DATABASE_URL: database.url, DEMO: "on" }, ["--dev"]);
  try {
    watch.expectOrigin(server.url);
    await page.goto(`${server.url}/_ui`);
    await alive(page);
    for (const name of [
      "Botones",
      "Campos",
      "Caja del profesional",
      "Ranking y reseñas",
      "Lateral",
      "Cargando",
      "Vacío",
    ])
      await expect(page.getByRole("heading", { name: new RegExp(`^${name}`) })).toBeVisible();
    for (const state of [
      "Respuestas ilimitadas",
      "Te queda 1 de 3 respuestas gratuitas",
      "Límite de respuestas gratuitas alcanzado",
      "Pendiente de verificación",
    ])
      await expect(page.locator(".composer").getByText(state)).toBeVisible();
    // The page repeats parts, so the names of their regions are not unique.
    const look = (theme: string) => expectAccessible(page, `the parts, ${theme}`, ["landmark-unique"]);
    await look("light");
    await page.getByRole("main").getByRole("button", { name: "Cambiar al tema oscuro" }).click();
    await look("dark");
    for (const width of [1280, 390, 320]) {
      await page.setViewportSize({ width, height: 800 });
      await expectNoSidewaysScroll(page);
    }

    const dialogs = page.getByRole("region", { name: "Diálogos", exact: true });
    for (const name of await dialogs.getByRole("button").allTextContents()) {
      await dialogs.getByRole("button", { name, exact: true }).click();
      await expect(page.getByRole("dialog")).toBeVisible();
      await expectAccessible(page, `the dialog ${name}, dark`, ["landmark-unique"]);
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog")).toHaveCount(0);
    }
  } finally {
    await server.stop();
    await database.drop();
    folder.remove();
  }
});
