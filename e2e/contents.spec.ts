import type { Locator, Page } from "@playwright/test";
import sharp from "sharp";
import { formatDateTime } from "#app/lib/relative-time.ts";
import { breakRequests, expect, expectToast, test } from "./community.ts";
import { deleteSessionCookie, goTo, holdRequests, toast } from "./fixtures.ts";

test("shows at most three lines of a text on a card", async ({ visit }) => {
  const page = await visit("visitor", "/");
  const lines = await page
    .getByRole("article")
    .locator(".consultation-card__text")
    .evaluateAll((texts) =>
      texts.map((text) => text.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(text).lineHeight)),
    );
  expect(lines.length).toBe(20);
  expect(Math.max(...lines)).toBeLessThan(3.1);
});

test("shows the exact time of an answer in the viewer's time zone", async ({ visit, community }) => {
  const page = await visit("visitor", `/consulta/${community.threadFixture.id}`);
  const moment = page.getByRole("article", { name: "Respuesta de Guido Gold" }).locator("time").first();
  const at = new Date((await moment.getAttribute("datetime"))!);
  await expect(moment).toHaveAttribute("title", formatDateTime(at, "America/Argentina/Buenos_Aires"));
});

const PHOTO = /\/perfil\/foto\.data/;

async function sharing(page: Page): Promise<Locator> {
  const control = page.locator("details", { has: page.getByText("Compartir", { exact: true }) }).first();
  await control.getByText("Compartir", { exact: true }).click();
  return control;
}

test("a user can share a page, an anonymous consultation after a warning", async ({ visit, community }) => {
  const { threadFixture } = community;
  const url = `${community.url}/consulta/${threadFixture.id}`;
  const page = await visit("user", "about:blank", { permissions: ["clipboard-read", "clipboard-write"] });
  // A headless browser has no share dialog.
  await page.addInitScript(() => {
    navigator.share = async (shared) => {
      (window as unknown as { shared: unknown }).shared = shared;
    };
  });
  await goTo(page, `/consulta/${threadFixture.id}`);
  const control = await sharing(page);
  await expect(control).not.toContainText("Tu consulta es anónima");
  const whatsapp = new URL((await control.getByRole("link", { name: /^WhatsApp/ }).getAttribute("href"))!);
  expect(whatsapp.host).toBe("wa.me");
  expect(whatsapp.searchParams.get("text")).toBe(`${threadFixture.title}\n${url}`);
  // The sheet shows the image that goes with the link.
  const image = control.locator("img");
  await expect.poll(() => image.evaluate((shown: HTMLImageElement) => shown.naturalWidth)).toBe(1200);
  await control.getByRole("button", { name: "Copiar enlace" }).click();
  await expectToast(page, "Enlace copiado");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(url);
  await control.getByRole("button", { name: "Más opciones" }).click();
  expect(await page.evaluate(() => (window as unknown as { shared: unknown }).shared)).toEqual({
    title: threadFixture.title,
    url,
  });

  const author = await community.person();
  const own = await community.ask(author, { is_anonymous: true });
  const mine = await visit(author, `/consulta/${own}`);
  const warned = await sharing(mine);
  await expect(warned).toContainText("Tu consulta es anónima");
  await expect(warned.getByRole("link", { name: /^WhatsApp/ })).toBeHidden();
  await warned.getByText("Compartir de todos modos").click();
  await expect(warned.getByRole("link", { name: /^WhatsApp/ })).toBeVisible();
  // A warning to others would reveal the author.
  const other = await visit("admin", `/consulta/${own}`);
  await expect(await sharing(other)).not.toContainText("Tu consulta es anónima");
});

test("a psychologist can drop a photo, crop it to a square and upload it", async ({ visit, community, watch }) => {
  for (const status of [401, 503]) watch.expectStatus(status);
  const psychologist = await community.person({ type: "psychologist" });
  const page = await visit(psychologist, "/perfil");
  const left = await sharp({ create: { width: 200, height: 200, channels: 3, background: "#c33" } })
    .png()
    .toBuffer();
  // Red on the left and blue on the right show which part remains.
  const wide = sharp({ create: { width: 400, height: 200, channels: 3, background: "#33c" } }).composite([
    { input: left, left: 0, top: 0 },
  ]);
  const bytes = [...(await wide.png().toBuffer())];
  const dropped = await page.evaluateHandle((given) => {
    const data = new DataTransfer();
    data.items.add(new File([new Uint8Array(given)], "retrato.png", { type: "image/png" }));
    return data;
  }, bytes);
  await page.locator("#foto").dispatchEvent("drop", { dataTransfer: dropped });

  const dialog = page.getByRole("dialog", { name: "Recortar la foto" });
  const preview = dialog.getByRole("img", { name: "La foto que has elegido" });
  await expect(preview).toBeVisible();
  const send = dialog.getByRole("button", { name: "Usar esta foto" });
  await expect(send).toBeEnabled();

  // A cancelled photo must not become public.
  await holdRequests(page, PHOTO);
  await send.click();
  await expect(dialog.getByRole("progressbar", { name: "Subiendo la foto" })).toBeVisible();
  const stopped = page.waitForEvent("requestfailed", (request) => PHOTO.test(request.url()));
  await dialog.getByRole("button", { name: "Cancelar" }).click();
  await stopped;
  await expect(dialog).toBeHidden();
  await page.unroute(PHOTO);
  for (const [mimeType, content] of [
    ["image/svg+xml", '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'],
    ["image/png", "Hola"],
  ] as const) {
    await page.locator("#photo-file").setInputFiles({ name: "retrato", mimeType, buffer: Buffer.from(content) });
    await expectToast(page, "Tipo de archivo no válido");
    await expect(dialog).toBeHidden();
    // Otherwise the same file could not be chosen again.
    await expect(page.locator("#photo-file")).toHaveValue("");
    await page.getByRole("button", { name: "Cerrar aviso" }).click();
    await expect(toast(page, "Tipo de archivo no válido")).toHaveCount(0);
  }

  await page.locator("#foto").dispatchEvent("drop", { dataTransfer: dropped });
  await expect(send).toBeEnabled();
  const frame = dialog.getByRole("group", { name: "Encuadre" });
  const left0 = (await preview.boundingBox())!.x;
  for (let presses = 0; presses < 10; presses++) await frame.press("ArrowRight");
  expect((await preview.boundingBox())!.x).toBeGreaterThan(left0 + 50);
  const zoom = dialog.getByRole("slider", { name: "Acercar" });
  await zoom.press("ArrowRight");
  await zoom.press("ArrowRight");
  await expect(dialog.getByText("1,1×", { exact: true })).toBeVisible();
  await zoom.press("Home");
  // A tap centres the tapped point.
  const { x, y, width: side } = (await frame.boundingBox())!;
  await page.mouse.click(x + side - 5, y + side / 2);
  await page.mouse.click(x + side - 5, y + side / 2);

  await breakRequests(page, PHOTO);
  await send.click();
  await expectToast(page, "Error al subir archivoNo se pudo subir la imagen. Intenta de nuevo.");
  await page.unroute(PHOTO);
  const [session] = await page.context().cookies();
  await deleteSessionCookie(page);
  await send.click();
  await expectToast(page, "Debes estar autenticado para subir archivos");
  await page.context().addCookies([session!]);
  const letGo = await holdRequests(page, PHOTO);
  await send.click();
  await expect(dialog.getByRole("progressbar", { name: "Subiendo la foto" })).toBeVisible();
  letGo();
  await expectToast(page, "¡Imagen subida exitosamente!");
  await expect(dialog).toBeHidden();

  const photo = page.locator("#foto img");
  const address = (await photo.getAttribute("src"))!;
  expect(new URL(address, community.url).origin).toBe(community.url);
  const kept = sharp(await (await page.request.get(address)).body());
  const { width, height } = await kept.metadata();
  expect(width).toBe(height);
  const { dominant } = await kept.stats();
  expect(dominant.b).toBeGreaterThan(dominant.r + 50);
});
