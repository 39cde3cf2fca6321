import { expect, goTo, test } from "./fixtures.ts";

test("announces the title of each page that a link opens, and none on loading", async ({ page }) => {
  await goTo(page, "/temas");
  const announced = page.locator("p[aria-live=polite]");
  await expect(announced).toHaveText("");
  await page.getByRole("link", { name: "Ansiedad", exact: true }).first().click();
  await expect(announced).toHaveText("Consultas sobre ansiedad · Diván");
  await page.goBack();
  await expect(announced).toHaveText(/^Temas/);
  await expect(announced).toHaveText(await page.title());
});

test("announces each list that a filter, an order or a tab of the start page opens once", async ({ page }) => {
  await goTo(page, "/");
  const announced = page.locator("p[aria-live=polite]");
  const texts = await announced.evaluateHandle((region) => {
    const texts: string[] = [];
    new MutationObserver(() => texts.push(region.textContent!)).observe(region, { childList: true, subtree: true });
    return texts;
  });
  const expected: string[] = [];
  const change = async (title: string, act: () => Promise<unknown>) => {
    await act();
    expected.push(`${title} · Diván`);
    await expect.poll(() => texts.jsonValue()).toEqual(expected);
  };
  const choose = (name: string, option: string) => () => page.getByRole("combobox", { name }).selectOption(option);
  const follow = (name: string) => () => page.getByRole("link", { name, exact: true }).click();
  await change("Consultas de todos los países: Duelo", follow("Duelo"));
  await change("Consultas de Chile: Duelo", choose("País", "Chile"));
  await change("Consultas de Chile: Duelo", choose("Ordenar", "Más votadas"));
  await change("Ranking de Psicólogos de Chile", follow("Ranking de Psicólogos"));
});
