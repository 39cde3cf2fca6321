import { expect, FULL_ONLY, PHONE_DEVICE, test, waitForHydration } from "./fixtures.ts";

test.use(PHONE_DEVICE);

test("shows a separate header on the landing page with correct links", FULL_ONLY, async ({ page, isMobile }) => {
  await page.goto("/home");
  await waitForHydration(page);
  const header = page.getByRole("banner");
  if (isMobile) await header.getByRole("button", { name: "Abrir el menú" }).click();
  const entry = (name: string) => header.getByRole("link", { name, exact: true }).filter({ visible: true });
  await expect(entry("Inicio")).toHaveAttribute("href", "/home");
  await expect(entry("Iniciar Sesión")).toHaveAttribute("href", "/auth");
  await expect(entry("Registrarse")).toHaveAttribute("href", /^\/auth\?/);
  await expect(header.getByRole("combobox")).toHaveCount(0);
  if (isMobile) await page.keyboard.press("Escape");

  const main = page.getByRole("main");
  await expect(main.getByRole("link", { name: "Comenzar Ahora" })).toHaveAttribute("href", /^\/auth\?/);
  await expect(main.getByRole("link", { name: "Crear Cuenta Gratis" })).toHaveAttribute("href", /^\/auth\?/);
  for (const explore of await main.getByRole("link", { name: "Explorar Consultas Públicas" }).all())
    await expect(explore).toHaveAttribute("href", "/#consultas");
  await expect(main.getByRole("heading", { level: 2, name: "¿Listo para comenzar tu viaje?" })).toBeVisible();
  const benefits = main.getByRole("region", { name: "Una sala tranquila, con todo en su lugar" });
  await expect(benefits.getByRole("heading", { level: 3 })).toHaveCount(6);
  const foot = page.getByRole("contentinfo");
  await expect(foot.getByRole("link", { name: "Privacidad" })).toHaveAttribute("href", "/privacy");
  await expect(foot.getByRole("link", { name: "Términos de Servicio" })).toHaveAttribute("href", "/terms");

  await main.getByRole("link", { name: "Explorar Consultas Públicas" }).first().click();
  await expect(page).toHaveURL("/#consultas");
  await expect(page.getByRole("navigation", { name: "Secciones" })).toBeInViewport();
});

test(
  "shows a visitor the cover, the tabs, the list and the rest on / below the ordinary header",
  FULL_ONLY,
  async ({ page, isMobile }) => {
    await page.goto("/");
    await waitForHydration(page);
    const header = page.getByRole("banner");
    await expect(header.getByRole("combobox", { name: "País" })).toBeVisible();
    await expect(header.getByRole("link", { name: "Registrarse" }).filter({ visible: true })).toHaveCount(0);
    const main = page.getByRole("main");
    const parts = [
      main.getByRole("heading", { level: 1, name: "Conecta con Psicólogos Profesionales" }),
      main.getByRole("navigation", { name: "Secciones" }),
      main.getByRole("article").first(),
      main.getByRole("heading", { name: "Una sala tranquila, con todo en su lugar" }),
      main.getByRole("heading", { name: "¿Listo para comenzar tu viaje?" }),
    ];
    const tops = await Promise.all(parts.map(async (part) => (await part.boundingBox())!.y));
    expect(tops).toEqual(tops.toSorted((one, other) => one - other));
    // On a phone the first question begins within the first screen.
    if (isMobile) expect(tops[2]).toBeLessThan(page.viewportSize()!.height);
  },
);

test("a visitor can leave quickly to a neutral page, and going back skips the page that was left", async ({
  page,
  context,
  threadFixture,
  watch,
}) => {
  const neutral = "https://www.wikipedia.org/";
  watch.expectOrigin(neutral);
  await context.route(`${neutral}**`, (route) => route.fulfill({ contentType: "text/html", body: "<h1>Neutral</h1>" }));
  await page.goto("/home");
  await page.goto("/?orden=respondidas");
  await waitForHydration(page);
  await expect(page.getByRole("link", { name: "Salida rápida" })).toHaveCount(0);
  await page.getByRole("link", { name: threadFixture.title, exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: threadFixture.title })).toBeVisible();
  const history = () => page.evaluate(() => window.history.length);
  const before = (await history()) + 1;

  // The help page adds an entry. Another order or country does not.
  await page.getByRole("combobox", { name: "Ordenar respuestas" }).selectOption("Antiguas");
  await expect(page).toHaveURL(/orden=antiguas/);
  await page.getByRole("banner").getByRole("link", { name: "Necesito ayuda ahora" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Necesito ayuda ahora" })).toBeVisible();
  await page.getByLabel("¿En qué país estás?").selectOption("Uruguay");
  await expect(page.getByRole("heading", { level: 2, name: "Uruguay" })).toBeVisible();
  expect(await history()).toBe(before);

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
