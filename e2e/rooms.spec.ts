import type { Locator, Page } from "@playwright/test";
import { alive, expect, HAS_ASKED, test } from "./fixtures.ts";

/** Where something is, in the page's own pixels. */
const boxOf = async (part: Locator) => (await part.boundingBox())!;

/** Whether two boxes share a pixel. */
const meet = (one: Awaited<ReturnType<typeof boxOf>>, other: Awaited<ReturnType<typeof boxOf>>) =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;

/** The boxes of a drawing's shapes, and the frame that cuts off what stands out of it. */
const shapes = (page: Page, drawing: string) =>
  page.locator(drawing).evaluate((svg) => {
    const box = (element: Element) => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      return { left, right, top, bottom };
    };
    return { frame: box(svg), parts: [...svg.querySelectorAll("path, rect, ellipse, circle")].map(box) };
  });

test("on a phone the cover says what asking costs, and the first consultation comes soon", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/");
  const facts = page.getByRole("region", { name: "Conecta con Psicólogos Profesionales" }).getByRole("listitem");
  await expect(facts.filter({ visible: true })).toHaveText(["Gratis", "anónimo si quieres", "leer no pide cuenta"]);
  // The lamp and the rug stand in the room, off its edges.
  const room = await boxOf(page.locator(".room"));
  const { parts } = await shapes(page, ".room__scene > svg");
  expect(Math.max(...parts.map(({ right }) => right))).toBeLessThanOrEqual(room.x + room.width - 8);
  expect(Math.max(...parts.map(({ bottom }) => bottom))).toBeLessThanOrEqual(room.y + room.height - 4);
  for (const fact of await facts.filter({ visible: true }).all())
    expect(meet(await boxOf(fact), await boxOf(page.locator(".room__scene > svg")))).toBe(false);
  expect((await boxOf(page.getByRole("article").first())).y).toBeLessThanOrEqual(720);
  await alive(page);
  await expect(page.getByRole("combobox", { name: "Ordenar" })).toBeInViewport({ ratio: 1 });
});

test("the drawing of the cover is cut nowhere, and its lamp keeps out of the bubbles", async ({ page }) => {
  for (const width of [320, 390, 640, 700, 880, 959, 960, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto("/");
    const { frame, parts } = await shapes(page, ".room__scene > svg");
    for (const part of parts) {
      expect(part.left, `left at ${width}`).toBeGreaterThanOrEqual(frame.left);
      expect(part.right, `right at ${width}`).toBeLessThanOrEqual(frame.right + 0.5);
    }
    for (const bubble of await page.locator(".say").filter({ visible: true }).all()) {
      const box = await boxOf(bubble);
      for (const { left, right, top, bottom } of parts)
        expect(meet(box, { x: left, y: top, width: right - left, height: bottom - top }), `bubble at ${width}`).toBe(
          false,
        );
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth), `sideways at ${width}`).toBe(width);
  }
});

test("no line of facts begins or ends with a dot", async ({ page, talked }) => {
  for (const [path, selector] of [
    ["/", ".consult .meta"],
    ["/", ".dotted"],
    [`/consulta/${talked.id}`, ".ask .meta, .reply .meta"],
  ] as const)
    for (const width of [320, 390, 700]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(path);
      await alive(page);
      // Only what is drawn counts: the dot of a line's first fact lies in the part that is cut off.
      const lines = await page.locator(selector).evaluateAll((found) =>
        found
          .filter((line) => line.checkVisibility())
          .map((line) => ({
            start: line.getBoundingClientRect().left,
            cut: getComputedStyle(line).clipPath,
            after: [...line.children].some((fact) => getComputedStyle(fact, "::after").content.includes("·")),
            starts: [...line.children].map((fact) => fact.getBoundingClientRect().left),
          })),
      );
      for (const { start, cut, after, starts } of lines) {
        expect(after).toBe(false);
        expect(cut).toMatch(/^inset\(/);
        expect(Math.min(...starts)).toBe(start);
      }
    }
});

const colour = (part: Locator) => part.evaluate((element) => getComputedStyle(element).backgroundColor);

/** Contrast of two opaque colours as the browser writes them, by WCAG. */
function contrast(one: string, other: string): number {
  const light = (text: string) => {
    const [red, green, blue] = text
      .match(/[\d.]+/g)!
      .map((part) => Number(part) / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
  };
  const [dark, bright] = [light(one), light(other)].sort((a, b) => a - b);
  return (bright! + 0.05) / (dark! + 0.05);
}

test("a pressed vote looks pressed under the pointer too, and a vote against has one colour", async ({
  someone,
  talked,
  own,
}) => {
  const page = await someone({ email: own("votes") });
  await page.goto(`/consulta/${talked.id}`);
  const votes = page.getByRole("button", { name: /^\d+ votos en contra/ });
  // What is pressed is told by `aria-pressed` alone, whoever sets it: no vote is cast here.
  const pressed = async (vote: Locator) => {
    await vote.evaluate((button) => button.setAttribute("aria-pressed", "true"));
    await page.mouse.move(0, 0);
    await expect.poll(() => colour(vote)).not.toBe("rgb(255, 251, 245)");
    const away = await colour(vote);
    await vote.hover();
    expect(await colour(vote)).toBe(away);
    return away;
  };
  await page.emulateMedia({ reducedMotion: "reduce" });
  const [ofQuestion, ofAnswer] = [await pressed(votes.nth(0)), await pressed(votes.nth(1))];
  expect(ofAnswer).toBe(ofQuestion);
});

test("at night the answers' strip is another surface than the question, for each of the eight cloths", async ({
  page,
}) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await page.goto("/");
  const card = page.getByRole("article").first();
  for (let tint = 1; tint <= 8; tint++) {
    await card.evaluate((element, name) => element.classList.replace(element.classList[1]!, name), `t${tint}`);
    const [question, strip] = [await colour(card.locator(".consult__q")), await colour(card.locator(".consult__a"))];
    expect(contrast(question, strip), `cloth ${tint}`).toBeGreaterThanOrEqual(1.5);
  }
});

test("on a phone the numbers to call take little room, and the first answer is on the second screen", async ({
  page,
  talked,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/consulta/${talked.id}`);
  const strip = page.getByRole("region", { name: "Si hoy se hace muy difícil, llama" });
  const calls = await Promise.all((await strip.locator("a[href^='tel:']").all()).map(boxOf));
  expect(calls[1]!.y).toBe(calls[0]!.y);
  for (const number of await strip.locator(".num").all()) expect((await boxOf(number)).height).toBeLessThan(30);
  expect((await boxOf(strip)).height).toBeLessThan(230);
  const answer = await boxOf(page.getByRole("article").nth(1));
  expect(answer.y).toBeLessThan(2 * 844);
  expect(answer.y - (await boxOf(strip)).y).toBeLessThan(400);
});

test("without a country, each country's first number can be called from the first screens", async ({
  page,
  request,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/ayuda");
  const rows = page.getByRole("region", { name: "Líneas por país" }).getByRole("listitem");
  const mexico = rows.filter({ hasText: "México" });
  await expect(mexico.getByRole("link", { name: /^800 911 2000\s*Llamar/ })).toBeInViewport({ ratio: 1 });
  await expect(mexico.getByRole("link", { name: /^México/ })).toHaveAttribute("href", "/ayuda?pais=M%C3%A9xico");
  // Numbers, hours and costs are those of the list.
  const all = (await (await request.get("/api/help-lines/all")).json()) as {
    country: string | null;
    first: (Record<"dial_number" | "hours" | "cost" | "reach", string | null> & { shown_number: string })[];
  }[];
  const expected = all.flatMap(({ country, first }) =>
    country ? first.filter((line) => line.dial_number).map((line) => ({ country, ...line })) : [],
  );
  await expect(rows).toHaveCount(expected.length);
  for (const [at, { country, shown_number, dial_number, hours, cost, reach }] of expected.entries()) {
    const row = rows.nth(at);
    // A line that may not answer everywhere says so before it is called.
    const limit = reach?.startsWith("Desde ") ? null : reach;
    for (const fact of [country, shown_number, hours, cost?.toLocaleLowerCase("es"), limit])
      if (fact) await expect(row).toContainText(fact);
    await expect(row.locator("a[href^='tel:']")).toHaveAttribute("href", `tel:${encodeURIComponent(dial_number!)}`);
  }
  // The date of checking stands once, not beside each line.
  await page.goto("/ayuda?pais=M%C3%A9xico");
  await expect(page.getByRole("region", { name: "México" }).getByText(/^Datos revisados /)).toHaveCount(1);
  await expect(page.getByText("Dato revisado")).toHaveCount(0);
});

test("the quick exit covers nothing, wherever the page is scrolled to", async ({ page, talked }) => {
  for (const width of [390, 960, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    for (const path of [`/consulta/${talked.id}`, "/ayuda", "/ayuda?pais=M%C3%A9xico"]) {
      await page.goto(path);
      for (const depth of [0, 300, 900]) {
        await page.evaluate((y) => scrollTo({ top: y, behavior: "instant" }), depth);
        const exit = await boxOf(page.getByRole("link", { name: "Salida rápida" }));
        // What lies right under it is the opaque row in which it stands.
        const bar = await page.evaluate(() => {
          const row = document.querySelector(".exit")!.closest(".top__help, .top")!;
          const frame = [row, row.closest(".top")!]
            .filter((one) => getComputedStyle(one).backgroundColor !== "rgba(0, 0, 0, 0)")
            .map((one) => one.getBoundingClientRect())
            .find((box) => box.width === document.documentElement.clientWidth);
          return frame && { top: frame.top, bottom: frame.bottom };
        });
        expect(bar, `${path} at ${width}`).toBeTruthy();
        expect(bar!.top).toBeLessThanOrEqual(exit.y);
        expect(bar!.bottom).toBeGreaterThanOrEqual(exit.y + exit.height);
      }
    }
  }
});

test("in the ranking on a phone everything has one left edge, and the profile is the first way on", async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/?vista=ranking");
  const row = page
    .getByRole("main")
    .getByRole("listitem")
    .filter({ has: page.getByRole("heading") })
    .first();
  const edges = await Promise.all(
    [".av", ".rank__more", ".rank__acts .btn"].map(async (part) => (await boxOf(row.locator(part).first())).x),
  );
  expect(new Set(edges).size).toBe(1);
  const [profile, rate] = [
    row.getByRole("link", { name: /^Ver perfil/ }),
    row.getByRole("link", { name: /^Calificar/ }),
  ];
  expect(await colour(profile)).not.toBe(await colour(rate));
  expect((await boxOf(profile)).x).toBeLessThan((await boxOf(rate)).x);
});

test("on a phone one line above the cards says how things stand for who is signed in", async ({ someone }) => {
  const phone = { viewport: { width: 390, height: 844 } };
  const lineOf = async (who: Parameters<typeof someone>[0]) => {
    const page = await someone({ ...phone, ...who });
    await page.goto("/");
    const line = page.locator(".own-state");
    await expect(line).toBeVisible();
    expect((await boxOf(line)).y).toBeLessThan((await boxOf(page.getByRole("article").first())).y);
    expect((await boxOf(line)).height).toBeLessThan(60);
    return line;
  };
  const pending = await lineOf({ as: "pending" });
  await expect(pending).toHaveText("En revisión, 24-48 h; te avisamos por correo");
  await expect(pending.page().getByText("En revisión, 24-48 h; te avisamos por correo.")).toHaveCount(1);
  await expect(await lineOf({ as: "verified" })).toHaveText(
    /^(Te quedan? \d respuestas? gratuitas?|Límite de respuestas gratuitas alcanzado)$/,
  );
  const asked = await lineOf({ email: HAS_ASKED });
  await expect(asked).toHaveText(/^Tu última consulta: (\d+ respuestas?|sin respuestas todavía)$/);
  await asked.click();
  await expect(asked.page()).toHaveURL(/\/consulta\//);
  // Where the panels stand beside the list, it would say the same twice; Gold has nothing to wait for.
  const wide = await someone({ as: "pending", viewport: { width: 1280, height: 844 } });
  await wide.goto("/");
  await expect(wide.locator(".own-state")).toBeHidden();
  const gold = await someone({ as: "gold", ...phone });
  await gold.goto("/");
  await expect(gold.locator(".own-state")).toHaveCount(0);
});

test("Mi Perfil with Gold begins with the statistics on a phone, and its form is folded there", async ({ someone }) => {
  const page = await someone({ as: "gold", viewport: { width: 390, height: 844 } });
  await page.goto("/perfil");
  const statistics = page.getByRole("region", { name: "Estadísticas de tu perfil" });
  const name = page.getByRole("textbox", { name: "Nombre completo" });
  await expect(name).toBeHidden();
  expect((await boxOf(statistics)).y).toBeLessThan(
    (await boxOf(page.getByRole("heading", { name: "Editar perfil" }))).y,
  );
  await page.getByRole("heading", { name: "Editar perfil" }).click();
  await expect(name).toBeVisible();
  await page.setViewportSize({ width: 1280, height: 844 });
  await page.reload();
  await expect(name).toBeVisible();
});

test("the dialog for asking has the quick exit in its head, however far it is scrolled", async ({ someone, own }) => {
  for (const viewport of [
    { width: 320, height: 700 },
    { width: 390, height: 844 },
    { width: 1280, height: 700 },
  ]) {
    const page = await someone({ email: own("draft"), viewport });
    await page.goto("/");
    await alive(page);
    await page.getByRole("link", { name: "Nueva Consulta" }).first().click();
    const dialog = page.getByRole("dialog", { name: "Nueva Consulta" });
    const exit = dialog.getByRole("link", { name: "Salida rápida" });
    const close = dialog.getByRole("button", { name: "Cerrar" });
    for (const depth of [0, 10_000]) {
      await dialog.evaluate((element, top) => element.scrollTo({ top, behavior: "instant" }), depth);
      await expect(exit).toBeInViewport({ ratio: 1 });
      expect((await boxOf(exit)).x + (await boxOf(exit)).width).toBeLessThanOrEqual((await boxOf(close)).x);
      expect(meet(await boxOf(exit), await boxOf(dialog.getByRole("heading", { level: 2 })))).toBe(false);
    }
    await expect(exit).not.toBeFocused();
  }
});
