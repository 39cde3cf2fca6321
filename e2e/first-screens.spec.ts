import { boxesOverlap, boxOf } from "./boxes.ts";
import { expect, goTo, PHONE, test, USER_AT_WEEKLY_LIMIT, waitForHydration } from "./fixtures.ts";

test("shows the costs of a question and the first consultation on the first screen of a phone", async ({ page }) => {
  await page.setViewportSize(PHONE);
  await page.goto("/");
  const facts = page.getByRole("region", { name: "Conecta con Psicólogos Profesionales" }).getByRole("listitem");
  await expect(facts.filter({ visible: true })).toHaveText(["Gratis", "anónimo si quieres", "leer no pide cuenta"]);
  for (const fact of await facts.filter({ visible: true }).all())
    expect(boxesOverlap(await boxOf(fact), await boxOf(page.locator(".hero__scene > svg")))).toBe(false);
  expect((await boxOf(page.getByRole("article").first())).y).toBeLessThanOrEqual(790);
  await waitForHydration(page);
  await expect(page.getByRole("combobox", { name: "Ordenar" })).toBeInViewport({ ratio: 1 });
});

test("shows the first answer within 900 pixels, below the help numbers", async ({ page, threadFixture }) => {
  await page.setViewportSize(PHONE);
  await page.goto(`/consulta/${threadFixture.id}`);
  const strip = page.getByRole("region", { name: "Si hoy se hace muy difícil, llama" });
  const calls = await Promise.all((await strip.locator("a[href^='tel:']").all()).map(boxOf));
  expect(calls[1]!.y).toBe(calls[0]!.y);
  for (const number of await strip.locator(".tabular-nums").all())
    expect((await boxOf(number)).height).toBeLessThan(30);
  expect((await boxOf(strip)).height).toBeLessThan(230);
  const answer = await boxOf(page.getByRole("article").nth(1));
  expect(answer.y).toBeLessThan(900);
  expect(answer.y - (await boxOf(strip)).y).toBeLessThan(400);
  const [heading, order] = [page.locator("#respuestas"), page.getByRole("combobox", { name: "Ordenar respuestas" })];
  expect(Math.abs((await boxOf(heading)).y - (await boxOf(order)).y)).toBeLessThan(20);
});

test("begins with the list at every width when the URL has a filter or a tab", async ({ page }) => {
  for (const viewport of [PHONE, { width: 1280, height: 900 }]) {
    await page.setViewportSize(viewport);
    for (const address of ["/?pais=Chile", "/?categoria=Duelo", "/?orden=votadas", "/?vista=ranking"]) {
      await page.goto(address);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^(Consultas|Psicólogos) de /);
      const first = page.locator(".consultation-card, .ranking-entry").first();
      expect((await boxOf(first)).y, address).toBeLessThan(400);
    }
  }
  await goTo(page, "/");
  await expect(page.locator(".consultation-card").first().getByRole("heading")).toBeInViewport({ ratio: 1 });
  // An order hides the cover. Removing the filters returns to the list, not to the cover.
  const order = page.getByRole("combobox", { name: "Ordenar" });
  await order.selectOption("Más votadas");
  await expect(page.getByRole("heading", { level: 1, name: "Consultas de todos los países" })).toBeInViewport();
  await order.selectOption("Más recientes");
  await expect(page.getByRole("heading", { name: "Consultas de todos los países" })).toBeInViewport();
});

test("shows the benefits of Gold and the terms before the buttons on a phone", async ({ visit }) => {
  const page = await visit("pending", "/planes?plan=lifetime", { viewport: PHONE });
  const main = page.getByRole("main");
  const [benefits, launch, terms, button] = await Promise.all([
    boxOf(main.getByRole("region", { name: "Qué incluye Gold" })),
    boxOf(main.getByRole("region", { name: "Lanzamiento: acceso de por vida por 50 USD" })),
    boxOf(main.getByText("Una vez pagado no hay devoluciones")),
    boxOf(main.getByRole("button", { name: /^Pagar con/ }).first()),
  ]);
  expect(benefits.y + benefits.height).toBeLessThan(launch.y);
  expect(terms.y + terms.height).toBeLessThan(button.y);
});

test("shows signed-in users their status in one line above the cards on a phone", async ({ visit }) => {
  for (const [viewer, words] of [
    ["pending", /^En revisión, 24-48 h; te avisamos por correo$/],
    ["verified", /^(Te quedan? \d respuestas? gratuitas?|Límite de respuestas gratuitas alcanzado)$/],
    [USER_AT_WEEKLY_LIMIT, /^Tu última consulta: /],
  ] as const) {
    const page = await visit(viewer, "/", { viewport: PHONE });
    const line = page.locator(".viewer-status");
    await expect(line).toHaveText(words);
    expect((await boxOf(line)).y).toBeLessThan((await boxOf(page.getByRole("article").first())).y);
    expect((await boxOf(line)).height).toBeLessThan(60);
  }
  const gold = await visit("gold", "/");
  await expect(gold.locator(".viewer-status")).toHaveCount(0);
});
