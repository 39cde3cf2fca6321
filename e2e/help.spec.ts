import type { Locator, Page } from "@playwright/test";
import { expect, test } from "./community.ts";
import { FULL_ONLY, openMenu, PHONE, PHONE_DEVICE, waitForHydration } from "./fixtures.ts";

test.use(PHONE_DEVICE);

const NEUTRAL = "https://www.wikipedia.org/";
const MEXICO = "/ayuda?pais=M%C3%A9xico";

const helpIn = (page: Page, place: "banner" | "contentinfo" | "main" | "dialog") =>
  page.getByRole(place).getByRole("link", { name: "Necesito ayuda ahora" });
const exit = (page: Page) => page.getByRole("link", { name: "Salida rápida" });
const entries = (page: Page) => page.evaluate(() => history.length);
const country = (page: Page) => page.locator("#pais");

test("shows a country's numbers on the first screen, followed by sections in the order of need", async ({ visit }) => {
  const page = await visit("visitor", MEXICO, { javaScriptEnabled: false });
  for (const number of ["800 911 2000", "911"])
    await expect(page.getByRole("link", { name: `Llamar al ${number}`, exact: true }).first()).toBeInViewport({
      ratio: 1,
    });
  await page.goto("/ayuda?pais=Uruguay");
  await expect(page.getByRole("region", { name: "Uruguay" }).getByRole("heading")).toHaveText([
    "Uruguay",
    "Para hablar ahora",
    "Si hay peligro ahora",
    "Si alguien te hace daño",
    "Niñez y adolescencia",
    "Otras líneas para hablar",
  ]);
  await expect(page.locator("#ninez")).toContainText("Línea Azul");
  // The choice of another country is below.
  const region = (await page.getByRole("region", { name: "Uruguay" }).boundingBox())!;
  expect((await country(page).boundingBox())!.y).toBeGreaterThan(region.y + region.height);
});

test("shows the lines of a chosen country immediately without moving the focus", FULL_ONLY, async ({ visit }) => {
  const page = await visit("visitor", "/ayuda");
  await waitForHydration(page);
  const before = await entries(page);
  await country(page).focus();
  await country(page).selectOption("Perú");
  await expect(page).toHaveURL("/ayuda?pais=Per%C3%BA");
  await expect(page.getByRole("heading", { level: 2, name: "Perú" })).toBeInViewport();
  await expect(page.locator("p[aria-live=polite]")).toHaveText(/^Necesito ayuda ahora: Perú/);
  await expect(country(page)).toBeFocused();
  // If the choice is below the lines, the next country's lines scroll into view.
  await country(page).evaluate((select) => select.scrollIntoView({ block: "center" }));
  await expect(page.getByRole("heading", { level: 2, name: "Perú" })).not.toBeInViewport();
  await country(page).selectOption("Chile");
  await expect(page.getByRole("heading", { level: 2, name: "Chile" })).toBeInViewport();
  await expect(page.getByRole("link", { name: "Llamar al *4141" })).toBeVisible();
  // The choice must not add a history entry.
  expect(await entries(page)).toBe(before);
  await page.getByRole("link", { name: "Cambiar país" }).click();
  await expect(country(page)).toBeInViewport();
  await expect(country(page)).toHaveValue("Chile");

  const plain = await visit("visitor", "/ayuda", { javaScriptEnabled: false });
  await country(plain).selectOption("Perú");
  await plain.getByRole("button", { name: "Ver líneas" }).click();
  await expect(plain.getByRole("heading", { level: 2, name: "Perú" })).toBeVisible();
});

test("shows the landline number, the mobile number and 911 next to a consultation from Uruguay", async ({
  visit,
  community,
}) => {
  const page = await visit("visitor", `/consulta/${community.threadFixture.id}`);
  const strip = page.getByRole("region", { name: "Si hoy se hace muy difícil, llama" });
  const calls = strip.locator("a[href^='tel:']");
  expect(await calls.evaluateAll((links) => links.map((link) => link.getAttribute("href")))).toEqual([
    "tel:08000767",
    "tel:*0767",
    "tel:911",
  ]);
  // The limits use the width of the strip instead of the button's width.
  await expect(calls.first()).toContainText("Desde teléfono fijo");
  const limits = strip.getByText("puede fallar con un chip extranjero");
  for (const width of [320, 390, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    expect((await limits.boundingBox())!.width, `at ${width}`).toBeGreaterThan(
      0.85 * (await strip.boundingBox())!.width,
    );
    for (const call of await calls.all()) expect((await call.boundingBox())!.height, `at ${width}`).toBeLessThan(64);
  }
});

test("shows the country's help link above the first field of the consultation form", async ({ visit }) => {
  const page = await visit("user", "/");
  await waitForHydration(page);
  await page.getByRole("link", { name: "Nueva Consulta" }).click();
  await expect(page.getByRole("dialog")).toContainText("Escribe como te salga, sin prisa. ¿Hay peligro ahora?");
  const help = helpIn(page, "dialog");
  await expect(help).toBeInViewport();
  await expect(page.getByRole("dialog").getByRole("link", { name: "Salida rápida" })).toBeInViewport();
  const title = page.getByRole("dialog").getByLabel("Título");
  expect((await help.boundingBox())!.y).toBeLessThan((await title.boundingBox())!.y);
  // The chosen country's numbers replace it, independent of the last question.
  await page.getByRole("dialog").getByLabel("País").selectOption("Perú");
  for (const number of ["113, opción 5", "106"])
    await expect(page.getByRole("dialog").getByRole("link", { name: `Llamar al ${number}` })).toBeVisible();
  await expect(help).toHaveCount(0);

  const plain = await visit("user", "/nueva-consulta", { javaScriptEnabled: false });
  await expect(helpIn(plain, "main")).toBeInViewport();
});

test("hides the numbers of a country while the numbers of another load", async ({ visit }) => {
  const page = await visit("user", "/nueva-consulta");
  await waitForHydration(page);
  const call = page.getByRole("main").getByRole("link", { name: "Llamar al 106" });
  await page.getByLabel("País").selectOption("Perú");
  await expect(call).toBeVisible();
  await page.route(/\/api\/help-lines/, () => {});
  await page.getByLabel("País").selectOption("Chile");
  await expect(helpIn(page, "main")).toBeVisible();
  await expect(call).toHaveCount(0);
});

test(
  "adds no history entry when an author publishes, edits or uses the quick exit",
  FULL_ONLY,
  async ({ visit, community, watch }) => {
    watch.expectOrigin(NEUTRAL);
    const author = await community.person();
    const page = await visit(author, "/?orden=votadas");
    await page.context().route(`${NEUTRAL}**`, (route) => route.fulfill({ contentType: "text/html", body: "Neutral" }));
    await page.goto("/nueva-consulta");
    await waitForHydration(page);
    await expect(exit(page)).toBeVisible();
    const before = await entries(page);
    await page.getByLabel("Título").fill("No sé con quién hablar de esto");
    await page.getByLabel("Descripción detallada").fill("En casa no puedo, y afuera tampoco sé cómo empezar.");
    await page.getByLabel("País").selectOption("Chile");
    await page.getByRole("button", { name: "Publicar consulta" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "No sé con quién hablar de esto" })).toBeVisible();
    await expect(
      page.getByText("Te avisamos aquí con una marca cuando alguien responda, y también por correo."),
    ).toBeVisible();
    await page.getByRole("button", { name: "No avisarme por correo" }).click();
    await expect(page.getByRole("button", { name: "Avisarme también por correo" })).toBeVisible();
    await expect(page.getByText("Te avisamos aquí con una marca cuando alguien responda.")).toBeVisible();
    await expect(page.getByText("editado", { exact: true })).toHaveCount(0);
    const id = new URL(page.url()).pathname.split("/").at(-1)!;
    expect(await entries(page)).toBe(before);

    // Editing and the author's own pages add no entry either.
    await page
      .getByText(/^Editar/)
      .first()
      .click();
    await page.getByLabel("Título").fill("No sé con quién hablar de todo esto");
    await page.getByRole("button", { name: "Guardar cambios" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "No sé con quién hablar de todo esto" })).toBeVisible();
    expect(await entries(page)).toBe(before);
    await page.goto(`/consulta/${id}/eliminar`);
    await expect(exit(page)).toBeVisible();
    await page.goto("/perfil");
    await waitForHydration(page);
    await expect(exit(page)).toBeVisible();
    await page.getByRole("main").locator(`a[href="/consulta/${id}"]`).first().click();
    await expect(page).toHaveURL(`/consulta/${id}`);
    const then = await entries(page);
    await exit(page).click();
    await expect(page).toHaveURL(NEUTRAL);
    expect(await entries(page)).toBe(then);

    const psychologist = await visit("verified", `/consulta/${id}/respuesta`);
    await expect(exit(psychologist)).toBeVisible();
    await psychologist.goto("/planes");
    await expect(exit(psychologist)).toHaveCount(0);
  },
);

test("shows help and the quick exit within the phone's menu, and the quick exit within the deletion dialog", async ({
  visit,
  community,
}) => {
  const { threadFixture } = community;
  const page = await visit(threadFixture.author, `/consulta/${threadFixture.id}`);
  await page.setViewportSize(PHONE);
  await waitForHydration(page);
  await openMenu(page);
  const menu = page.getByRole("dialog", { name: "Menú" });
  const exitIn = (dialog: Locator) => dialog.getByRole("link", { name: "Salida rápida" });
  await expect(exitIn(menu)).toBeInViewport();
  await expect(menu.getByRole("link", { name: "Necesito ayuda ahora" })).toHaveAttribute("href", "/ayuda?pais=Uruguay");
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Eliminar tu consulta" }).press("Enter");
  await expect(exitIn(page.getByRole("dialog", { name: "¿Eliminar tu consulta?" }))).toBeInViewport();
});
