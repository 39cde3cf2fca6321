import type { Locator } from "@playwright/test";
import { boxOf, meet } from "./boxes.ts";
import { expect, test, toastWith } from "./community.ts";
import { alive, DATA } from "./fixtures.ts";

test("a toast goes when its time is over, whether or not a dialog opens or closes meanwhile", async ({
  visit,
  community,
  watch,
}) => {
  watch.expectFailedLoad();
  const page = await visit(await community.person(), "/");
  await alive(page);
  const opener = page.getByRole("link", { name: "Nueva Consulta" });
  const close = page.getByRole("dialog").getByRole("button", { name: "Cerrar", exact: true });
  // So that the code of the dialog is there before the clock stands still.
  await opener.click();
  await close.click();
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.route(DATA, (route) => route.abort());
  await page.getByRole("link", { name: "Familia", exact: true }).click();
  const toast = toastWith(page, "No se pudieron cargar las consultas");
  await expect(toast).toBeVisible();
  await page.clock.runFor(3000);
  await opener.click();
  await expect(close).toBeVisible();
  await expect(toast).toBeVisible();
  await page.clock.runFor(1000);
  await close.click();
  await expect(toast).toBeVisible();
  await page.clock.runFor(1100);
  await expect(toast).toHaveCount(0);
});

test("a toast that someone has reached with the keyboard stays, wherever the pointer goes", async ({
  visit,
  community,
  watch,
}) => {
  watch.expectStatus(401);
  const page = await visit("visitor", `/consulta/${community.talked.id}`);
  await alive(page);
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.getByRole("button", { name: /votos a favor de la consulta/ }).click();
  const toast = toastWith(page, "Debes iniciar sesión para votar");
  const link = toast.getByRole("link", { name: "Iniciar Sesión" });
  await link.focus();
  await link.hover();
  await page.mouse.move(5, 5);
  await page.clock.runFor(10_000);
  await expect(link).toBeFocused();
  await link.blur();
  await page.clock.runFor(5_100);
  await expect(toast).toHaveCount(0);
});

const overlaps = async (one: Locator, other: Locator) => meet(await boxOf(one), await boxOf(other));

test("a toast covers neither the title of a dialog nor its closing button nor the choice of anonymity", async ({
  visit,
  community,
  watch,
}) => {
  watch.expectFailedLoad();
  const page = await visit(await community.person(), "/");
  await alive(page);
  await page.route(DATA, (route) => route.abort());
  await page.getByRole("link", { name: "Familia", exact: true }).click();
  const toast = page.locator(".toast");
  await expect(toast).toBeVisible();
  await page.getByRole("link", { name: "Nueva Consulta" }).click();
  const dialog = page.getByRole("dialog");
  await toast.hover();
  for (const part of [
    dialog.getByRole("heading", { name: "Nueva Consulta" }),
    dialog.getByRole("button", { name: "Cerrar", exact: true }),
    dialog.getByText("Publicar de forma anónima"),
    dialog.getByRole("button", { name: "Publicar consulta" }),
  ])
    expect(await overlaps(toast, part)).toBe(false);
});

test("a toast covers neither the choice of anonymity nor the button on the page of the question's form", async ({
  visit,
  community,
}) => {
  const page = await visit(await community.person(), "about:blank");
  await page.context().addCookies([{ name: "notice", value: "welcome", url: community.url }]);
  await page.goto("/nueva-consulta");
  const main = page.getByRole("main");
  const toast = page.locator(".toast");
  await toast.hover();
  for (const part of [
    main.getByText("Publicar de forma anónima"),
    main.getByRole("button", { name: "Publicar consulta" }),
  ])
    expect(await overlaps(toast, part)).toBe(false);
});

test("a toast covers neither what was pressed nor a number to call, wherever they stand", async ({
  visit,
  community,
  watch,
}) => {
  watch.expectStatus(401);
  for (const width of [390, 1280]) {
    const page = await visit("visitor", `/consulta/${community.talked.id}`, { viewport: { width, height: 700 } });
    await alive(page);
    const toast = toastWith(page, "Debes iniciar sesión para votar");
    const numbers = page.getByRole("main").locator("a[href^='tel:']");
    const clear = async () => {
      for (const number of await numbers.all()) expect(await overlaps(toast, number)).toBe(false);
      for (const way of ["Necesito ayuda ahora", "Salida rápida"])
        expect(await overlaps(toast, page.getByRole("banner").getByRole("link", { name: way }))).toBe(false);
    };
    for (const votes of await page.getByRole("main").locator("form.votes").all())
      for (const height of [0.25, 0.5, 0.9]) {
        await votes.evaluate((form, part) => {
          const { top } = form.getBoundingClientRect();
          scrollBy({ top: top - innerHeight * part, behavior: "instant" });
        }, height);
        // Not Playwright's own click, which scrolls.
        await votes.evaluate((form) => form.querySelector<HTMLButtonElement>("button:enabled")?.click());
        await expect(toast).toBeVisible();
        expect(await overlaps(toast, votes), `${width} px wide, pressed at ${height}`).toBe(false);
        await clear();
        await page.mouse.move(width / 2, 5);
        await toast.getByRole("button", { name: "Cerrar aviso" }).click();
        await expect(toast).toHaveCount(0);
      }
    // Nor what comes under it by scrolling.
    await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
    await page.locator("form.votes button").first().click();
    await expect(toast).toBeVisible();
    await page.mouse.move(5, 300);
    for (const edge of [0.15, 0.5, 0.95]) {
      await numbers.first().evaluate((number, part) => {
        scrollBy({ top: number.getBoundingClientRect().top - innerHeight * part, behavior: "instant" });
      }, edge);
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      await clear();
    }
    await page.close();
  }
});
