import { expect, goTo, PHONE_DEVICE, test } from "./fixtures.ts";

test.use(PHONE_DEVICE);

test("a visitor can leave quickly, and Back skips the page that was left", async ({
  page,
  context,
  threadFixture,
  watch,
}) => {
  const neutral = "https://www.wikipedia.org/";
  watch.expectOrigin(neutral);
  await context.route(`${neutral}**`, (route) => route.fulfill({ contentType: "text/html", body: "<h1>Neutral</h1>" }));
  await page.goto("/home");
  await goTo(page, "/?orden=respondidas");
  await expect(page.getByRole("link", { name: "Salida rápida" })).toHaveCount(0);
  await page.getByRole("link", { name: threadFixture.title, exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: threadFixture.title })).toBeVisible();
  const history = () => page.evaluate(() => window.history.length);
  const before = (await history()) + 1;

  // The help page adds an entry. Another order or country does not.
  await page.getByRole("combobox", { name: "Ordenar respuestas" }).selectOption("Antiguas");
  await expect(page).toHaveURL(/orden=antiguas/);
  // The way back keeps the order of the list.
  await expect(page.getByRole("link", { name: "Volver a las consultas" })).toHaveAttribute(
    "href",
    "/?orden=respondidas#consultas",
  );
  await page.getByRole("banner").getByRole("link", { name: "Necesito ayuda ahora" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Necesito ayuda ahora" })).toBeVisible();
  await page
    .getByRole("region", { name: "Líneas por país" })
    .getByRole("link", { name: /^México/ })
    .click();
  const country = page.getByRole("combobox", { name: "Cambiar país" });
  await expect(country).toHaveValue("México");
  await page.getByRole("link", { name: "Cambiar país" }).click();
  await expect(page).toHaveURL(/#pais$/);
  await expect(page.getByRole("heading", { level: 2, name: "México" })).not.toBeInViewport();
  await country.focus();
  await country.selectOption("Uruguay");
  await expect(page.getByRole("heading", { level: 2, name: "Uruguay" })).toBeInViewport();
  await expect(country).toBeFocused();
  await expect(page.locator("p[aria-live=polite]")).toHaveText(/^Necesito ayuda ahora: Uruguay/);
  expect(await history()).toBe(before);
  await page.getByRole("contentinfo").getByRole("link", { name: "Contacto" }).click();
  await expect(page).toHaveURL("/contacto");
  expect(await history()).toBe(before);
  await page.goBack();
  await expect(page).toHaveURL(/\/consulta\/.*orden=antiguas/);
  await page.getByRole("banner").getByRole("link", { name: "Necesito ayuda ahora" }).click();
  // The focus also stays at the first choice.
  const first = page.getByRole("combobox", { name: "¿En qué país estás?" });
  await first.focus();
  await first.selectOption("Perú");
  await expect(page).toHaveURL("/ayuda?pais=Per%C3%BA");
  await expect(page.getByRole("heading", { level: 2, name: "Perú" })).toBeInViewport();
  await expect(country).toBeFocused();

  const exit = page.getByRole("link", { name: "Salida rápida" });
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await expect(exit).toBeInViewport({ ratio: 1 });
  const box = (await exit.boundingBox())!;
  expect(box.y, "near the top edge").toBeLessThan(24);
  await exit.click();
  await expect(page).toHaveURL(neutral);
  expect(await history()).toBe(before);
  await page.goBack();
  await expect(page).toHaveURL(/\/consulta\/.*orden=antiguas/);
});
