import type { Locator } from "@playwright/test";
import { boxesOverlap, boxOf } from "./boxes.ts";
import { detail, expect, test } from "./community.ts";
import { DATA, PHONE_DEVICE, stopClock, toast } from "./fixtures.ts";

test.use(PHONE_DEVICE);

const overlaps = async (one: Locator, other: Locator) => boxesOverlap(await boxOf(one), await boxOf(other));

detail("removes a toast after its time even if a dialog opens and closes", async ({ visit, community }) => {
  const page = await visit(await community.person(), "/");
  const opener = page.getByRole("link", { name: "Nueva Consulta" });
  const close = page.getByRole("dialog").getByRole("button", { name: "Cerrar", exact: true });
  // Loads the dialog's code before the clock stops.
  await opener.click();
  await close.click();
  await stopClock(page);
  await page.route(DATA, (route) => route.abort());
  await page.getByRole("link", { name: "Familia", exact: true }).click();
  const message = toast(page, "No se pudieron cargar las consultas");
  await expect(message).toBeVisible();
  await page.clock.runFor(3000);
  await opener.click();
  await expect(close).toBeVisible();
  await expect(message).toBeVisible();
  await page.clock.runFor(1000);
  await close.click();
  await expect(message).toBeVisible();
  await page.clock.runFor(1100);
  await expect(message).toHaveCount(0);
});

test("keeps a toast while the keyboard focus or the pointer is in it, and shows none over a number to call", async ({
  visit,
  community,
  watch,
}) => {
  watch.expectStatus(401);
  const page = await visit("visitor", `/consulta/${community.threadFixture.id}`);
  await stopClock(page);
  const message = toast(page, "Debes iniciar sesión para votar");
  const votes = page.locator("form.votes").last();
  // Near the lower edge, where toasts appear. Playwright's own click would scroll.
  const scrollTo = (element: Locator, y?: number) =>
    element.evaluate((one, to = innerHeight * 0.9) => {
      scrollBy({ top: one.getBoundingClientRect().top - to, behavior: "instant" });
    }, y);
  const vote = () => votes.evaluate((form) => form.querySelector<HTMLButtonElement>("button:enabled")?.click());
  await scrollTo(votes);
  await vote();
  // The router begins the first use of a client action with a timer.
  await expect(async () => {
    await page.clock.runFor(1);
    const alert = page.getByRole("region", { name: "Avisos" }).getByRole("alert");
    await expect(alert).toContainText("Debes iniciar sesión", { timeout: 200 });
  }).toPass();
  expect(await overlaps(message, votes)).toBe(false);
  const link = message.getByRole("link", { name: "Iniciar Sesión" });
  await link.focus();
  await link.hover();
  await page.mouse.move(5, 5);
  await page.clock.runFor(10_000);
  await expect(link).toBeFocused();
  await link.hover();
  await link.blur();
  await page.clock.runFor(10_000);
  await expect(message).toBeVisible();
  await page.mouse.move(5, 5);
  await page.clock.runFor(5_100);
  await expect(message).toHaveCount(0);

  // A phone number at the lower edge moves the next toast below the header, whose help link stays uncovered too.
  const number = page.getByRole("main").locator("a[href^='tel:']").first();
  await scrollTo(number);
  await vote();
  const help = page.getByRole("banner").getByRole("link", { name: "Necesito ayuda ahora" });
  for (const call of [number, help]) expect(await overlaps(message, call)).toBe(false);
  // The number now scrolls under the toast, which moves down again.
  await scrollTo(number, (await boxOf(message)).y);
  await expect(async () => {
    await page.clock.runFor(100);
    expect(await overlaps(message, number)).toBe(false);
  }).toPass();

  // The fourth toast replaces the oldest one.
  const shown = page.locator(".toast");
  const oldest = page.locator(`#${await shown.getAttribute("id")}`);
  for (const count of [2, 3, 3]) {
    await expect(oldest).toBeVisible();
    await vote();
    await expect(shown).toHaveCount(count);
  }
  await expect(oldest).toHaveCount(0);
  await expect(shown).toHaveCount(3);
  // The pointer keeps only the toast under it.
  await shown.last().hover();
  await page.clock.runFor(5_500);
  await expect(shown).toHaveCount(1);
});

detail("shows no toast over the controls of a dialog", async ({ visit, community }) => {
  const page = await visit(await community.person(), "/");
  await page.route(DATA, (route) => route.abort());
  await page.getByRole("link", { name: "Familia", exact: true }).click();
  const message = page.locator(".toast");
  await expect(message).toBeVisible();
  await page.getByRole("link", { name: "Nueva Consulta" }).click();
  const dialog = page.getByRole("dialog");
  await message.hover();
  for (const part of [
    dialog.getByRole("heading", { name: "Nueva Consulta" }),
    dialog.getByRole("button", { name: "Cerrar", exact: true }),
    dialog.getByText("Publicar de forma anónima"),
    dialog.getByRole("button", { name: "Publicar consulta" }),
  ])
    expect(await overlaps(message, part)).toBe(false);
});
