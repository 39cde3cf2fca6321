import type { Locator, Page } from "@playwright/test";
import { boxesOverlap, boxOf } from "./boxes.ts";
import { demoUser, expect, goTo, PHONE, test } from "./fixtures.ts";

async function openDialog(page: Page): Promise<Locator> {
  await page.getByRole("link", { name: "Nueva Consulta" }).first().click();
  return page.getByRole("dialog", { name: "Nueva Consulta" });
}

test("shows the quick exit on an opaque bar at every scroll position", async ({ page, threadFixture }) => {
  for (const width of [390, 960, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    for (const path of [`/consulta/${threadFixture.id}`, "/ayuda", "/ayuda?pais=M%C3%A9xico"]) {
      await page.goto(path);
      for (const depth of [0, 300, 900]) {
        await page.evaluate((y) => scrollTo({ top: y, behavior: "instant" }), depth);
        const exit = await boxOf(page.getByRole("link", { name: "Salida rápida" }));
        // The bar behind the link must be opaque.
        const bar = await page.evaluate(() =>
          [...document.querySelectorAll(".site-header__help, .site-header")]
            .filter((one) => getComputedStyle(one).backgroundColor !== "rgba(0, 0, 0, 0)")
            .map((one) => one.getBoundingClientRect().toJSON() as DOMRect)
            .find((box) => box.width === document.documentElement.clientWidth),
        );
        expect(bar, `${path} at ${width}`).toBeTruthy();
        expect(bar!.top).toBeLessThanOrEqual(exit.y);
        expect(bar!.bottom).toBeGreaterThanOrEqual(exit.y + exit.height);
      }
    }
  }
});

test("shows the quick exit in the head of the question dialog at every scroll position", async ({ visit }) => {
  for (const viewport of [{ width: 320, height: 700 }, PHONE, { width: 1280, height: 700 }]) {
    const page = await visit(await demoUser(), "/", { viewport });
    const dialog = await openDialog(page);
    const exit = dialog.getByRole("link", { name: "Salida rápida" });
    const close = dialog.getByRole("button", { name: "Cerrar" });
    for (const depth of [0, 10_000]) {
      await dialog.evaluate((element, top) => element.scrollTo({ top, behavior: "instant" }), depth);
      await expect(exit).toBeInViewport({ ratio: 1 });
      expect((await boxOf(exit)).x + (await boxOf(exit)).width).toBeLessThanOrEqual((await boxOf(close)).x);
      expect(boxesOverlap(await boxOf(exit), await boxOf(dialog.getByRole("heading", { level: 2 })))).toBe(false);
    }
    await expect(exit).not.toBeFocused();
  }
});

test("shows the missing field of a consultation and fits text at 150 %", async ({ visit }) => {
  const page = await visit(await demoUser(), "/", { viewport: PHONE });
  const dialog = await openDialog(page);
  const title = dialog.getByLabel("Título");
  expect((await boxOf(title)).height, "one line").toBeLessThan(60);
  await title.fill("Un título que ocupa bastante más que una sola línea de un teléfono");
  expect((await boxOf(title)).height, "more lines").toBeGreaterThan(60);
  await dialog.getByLabel("Descripción detallada").fill("Hace un mes que lo intento y siempre digo otra cosa.");
  await dialog.getByRole("button", { name: "Falta el país" }).click();
  const country = dialog.getByRole("combobox", { name: "País" });
  await expect(country).toBeFocused();
  await expect(country).toBeInViewport({ ratio: 1 });
  await country.selectOption("Perú");

  const foot = dialog.locator(".dialog__footer");
  const scrollTo = (top: number) =>
    dialog.evaluate((element, to) => element.scrollTo({ top: to, behavior: "instant" }), top);
  await scrollTo(10_000);
  const last = await boxOf(dialog.getByText("Es tu consulta de esta semana."));
  expect(last.y + last.height, "the last sentence ends above the foot").toBeLessThanOrEqual((await boxOf(foot)).y);
  await scrollTo(0);
  await expect(foot).toBeInViewport();
  await page.evaluate(() => {
    document.documentElement.style.fontSize = "150%";
  });
  await expect(foot).not.toBeInViewport();
  const heading = dialog.getByRole("heading", { name: "Nueva Consulta" });
  const { y, height } = await boxOf(heading);
  expect(height, "the title has one line").toBeLessThan(50);
  expect((await boxOf(dialog.getByRole("link", { name: "Salida rápida" }))).y).toBeGreaterThan(y + height);
  await scrollTo(600);
  await expect(heading).not.toBeInViewport();
});

test("shows the author a preview of the card with the public name", async ({ visit }) => {
  const page = await visit(await demoUser(), "/", { viewport: { width: 1280, height: 900 } });
  const dialog = await openDialog(page);
  const card = dialog.locator("details .consultation-card");
  const title = dialog.getByLabel("Título");
  await title.fill("No sé cómo contarlo en casa");
  await dialog.getByLabel("Descripción detallada").fill("Hace un mes que lo intento y siempre digo otra cosa.");
  await dialog.getByRole("combobox", { name: "País" }).selectOption("Perú");
  for (const words of ["No sé cómo contarlo en casa", "Hace un mes que lo intento", "Perú"])
    await expect(card).toContainText(words);
  await dialog.getByLabel("Nombre para mostrar").fill("Marea Baja");
  await expect(card).toContainText("Marea Baja");
  await dialog.getByRole("checkbox", { name: "Publicar de forma anónima" }).check();
  await expect(card).toContainText("Anónimo");
  await expect(card).not.toContainText("Marea Baja");
  expect((await boxOf(card)).x).toBeGreaterThan((await boxOf(title)).x + (await boxOf(title)).width);
  // The preview must not be announced by screen readers.
  await expect(card.locator("xpath=ancestor-or-self::*[@aria-live or @role='status' or @role='alert']")).toHaveCount(0);

  // Phones show a closed summary. The draft survives a reload.
  await page.setViewportSize(PHONE);
  await goTo(page, "/nueva-consulta");
  const folded = page.locator("details .consultation-card");
  await expect(folded).toBeHidden();
  expect((await boxOf(page.locator("details.card-preview"))).height).toBeLessThan(70);
  await page.getByText("Así la verán los demás").click();
  await expect(folded).toContainText("Anónimo");
});
