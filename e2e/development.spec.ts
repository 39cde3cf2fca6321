import { expect, goTo, test } from "./fixtures.ts";
import { currentRun, startPrivateServer } from "./server.ts";

test("shows a page that works in the browser on a development server", async ({ page, watch }) => {
  // Vite prepares the pages during the first request.
  test.setTimeout(600_000);
  const server = await startPrivateServer(currentRun().administrativeUrl, {}, ["--dev"]);
  try {
    watch.expectOrigin(server.url);
    await goTo(page, server.url);
    await page.getByRole("link", { name: "Iniciar Sesión" }).click();
    await expect(page.getByLabel("Correo")).toBeVisible();
  } finally {
    await server.close();
  }
});
