import { expect, goTo, test } from "./fixtures.ts";
import { currentRun, startPrivateServer } from "./server.ts";

test("shows a page that works in the browser on a development server", async ({ page, watch }) => {
  // Vite prepares the pages during the first request.
  test.setTimeout(600_000);
  await using server = await startPrivateServer(currentRun().administrativeUrl, {}, ["--dev"]);
  watch.expectOrigin(server.url);
  await goTo(page, server.url);
  await page.getByRole("link", { name: "Iniciar Sesión" }).click();
  await expect(page.getByLabel("Correo")).toBeVisible();
});
