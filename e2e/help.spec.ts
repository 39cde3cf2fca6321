import type { Locator, Page } from "@playwright/test";
import { expect, test } from "./community.ts";
import { openMenu, PHONE, PHONE_DEVICE } from "./fixtures.ts";

test.use(PHONE_DEVICE);

const MEXICO = "/ayuda?pais=M%C3%A9xico";

const helpIn = (page: Page, place: "main" | "dialog") =>
  page.getByRole(place).getByRole("link", { name: "Necesito ayuda ahora" });
const country = (page: Page) => page.locator("#pais");

test("shows a country's numbers on the first screen, followed by sections in the order of need", async ({ visit }) => {
  const page = await visit("visitor", MEXICO, { javaScriptEnabled: false });
  for (const number of ["800 911 2000", "911"])
    await expect(page.getByRole("link", { name: `Llamar al ${number}`, exact: true }).first()).toBeInViewport({
      ratio: 1,
    });
  await page.goto("/ayuda");
  const all = page.getByRole("region", { name: "Líneas por país" });
  await expect(all.getByRole("link", { name: /^Llamar al 800 911 2000\s/ })).toBeInViewport({ ratio: 1 });
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

test("shows Uruguay's landline, its mobile number and 911 next to a consultation", async ({ visit, community }) => {
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
  // They disappear while the numbers of another country load.
  await page.route(/\/api\/help-lines/, () => {});
  await page.getByRole("dialog").getByLabel("País").selectOption("Chile");
  await expect(help).toBeVisible();
  await expect(page.getByRole("dialog").getByRole("link", { name: "Llamar al 106" })).toHaveCount(0);

  const plain = await visit("user", "/nueva-consulta", { javaScriptEnabled: false });
  await expect(helpIn(plain, "main")).toBeInViewport();
});

test("shows help and the quick exit within the phone's menu, and the quick exit within the deletion dialog", async ({
  visit,
  community,
}) => {
  const { threadFixture } = community;
  const page = await visit(threadFixture.author, `/consulta/${threadFixture.id}`);
  await page.setViewportSize(PHONE);
  await openMenu(page);
  const menu = page.getByRole("dialog", { name: "Menú" });
  const exitIn = (dialog: Locator) => dialog.getByRole("link", { name: "Salida rápida" });
  await expect(exitIn(menu)).toBeInViewport();
  await expect(menu.getByRole("link", { name: "Necesito ayuda ahora" })).toHaveAttribute("href", "/ayuda?pais=Uruguay");
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Eliminar tu consulta" }).press("Enter");
  await expect(exitIn(page.getByRole("dialog", { name: "¿Eliminar tu consulta?" }))).toBeInViewport();
});
