import type { Locator } from "@playwright/test";
import { expect, test, toastWith } from "./community.ts";
import { alive } from "./fixtures.ts";

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
  await page.route(/\.data(\?|$)/, (route) => route.abort());
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

test("a toast that somebody has reached with the keyboard stays, wherever the pointer goes", async ({
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

const overlaps = async (one: Locator, other: Locator) => {
  const [a, b] = [(await one.boundingBox())!, (await other.boundingBox())!];
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
};

test("a toast covers neither the title of a dialog nor its closing button nor the choice of anonymity", async ({
  visit,
  community,
  watch,
}) => {
  watch.expectFailedLoad();
  const page = await visit(await community.person(), "/");
  await alive(page);
  await page.route(/\.data(\?|$)/, (route) => route.abort());
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

test("nor the choice of anonymity on the page of its own", async ({ visit, community }) => {
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
