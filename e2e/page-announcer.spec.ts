import { expect, test, waitForHydration } from "./fixtures.ts";

test("announces the title of each page that a link opens, and none on loading", async ({ page }) => {
  await page.goto("/temas");
  await waitForHydration(page);
  const announced = page.locator("p[aria-live=polite]");
  await expect(announced).toHaveText("");
  await page.getByRole("link", { name: "Ansiedad", exact: true }).first().click();
  await expect(announced).toHaveText("Consultas sobre ansiedad · Diván");
  await page.goBack();
  await expect(announced).toHaveText(/^Temas/);
  await expect(announced).toHaveText(await page.title());
});
