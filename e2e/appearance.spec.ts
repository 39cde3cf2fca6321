import type { Locator } from "@playwright/test";
import { boxesOverlap, boxOf, colourOf, shapes } from "./boxes.ts";
import { expect, FULL_ONLY, PHONE, test, waitForHydration } from "./fixtures.ts";

/** Returns the WCAG contrast of two opaque colours as the browser serializes them. */
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

test("shows a pressed vote in the same colour under the pointer", async ({ openPage, threadFixture, own }) => {
  const page = await openPage({ email: own("votes") });
  await page.goto(`/consulta/${threadFixture.id}`);
  const votes = page.getByRole("button", { name: /^\d+ votos en contra/ });
  // Only `aria-pressed` controls the style, so this test does not vote.
  const pressed = async (vote: Locator) => {
    await vote.evaluate((button) => button.setAttribute("aria-pressed", "true"));
    await page.mouse.move(0, 0);
    await expect.poll(() => colourOf(vote)).not.toBe("rgb(255, 251, 245)");
    const away = await colourOf(vote);
    await vote.hover();
    expect(await colourOf(vote)).toBe(away);
    return away;
  };
  await page.emulateMedia({ reducedMotion: "reduce" });
  const [ofQuestion, ofAnswer] = [await pressed(votes.nth(0)), await pressed(votes.nth(1))];
  expect(ofAnswer).toBe(ofQuestion);
});

test("changes the background of a soft button on a coloured panel under the pointer", async ({ openPage }) => {
  const page = await openPage({ as: "gold" });
  await page.goto("/perfil");
  const button = page.locator(".button--soft.on-tint").first();
  const resting = await colourOf(button);
  await button.hover();
  await expect(button).not.toHaveCSS("background-color", resting);
});

test("shows the answers' strip with a contrast of at least 1.35 to the question in all eight dark card colours", async ({
  page,
}) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await page.goto("/");
  const card = page.getByRole("article").first();
  for (let tint = 1; tint <= 8; tint++) {
    await card.evaluate((element, name) => element.classList.replace(element.classList[1]!, name), `tint-${tint}`);
    const [question, strip] = [
      await colourOf(card.locator(".consultation-card__question")),
      await colourOf(card.locator(".consultation-card__answers")),
    ];
    expect(contrast(question, strip), `colour ${tint}`).toBeGreaterThanOrEqual(1.35);
  }
});

test("shows the quick exit on an opaque bar at every scroll position", async ({ page, threadFixture }) => {
  for (const width of [390, 960, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    for (const path of [`/consulta/${threadFixture.id}`, "/ayuda", "/ayuda?pais=M%C3%A9xico"]) {
      await page.goto(path);
      for (const depth of [0, 300, 900]) {
        await page.evaluate((y) => scrollTo({ top: y, behavior: "instant" }), depth);
        const exit = await boxOf(page.getByRole("link", { name: "Salida rápida" }));
        // The bar behind the link must be opaque.
        const bar = await page.evaluate(() => {
          const row = document
            .querySelector(".site-header__help .quick-exit")!
            .closest(".site-header__help, .site-header")!;
          const frame = [row, row.closest(".site-header")!]
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

test(
  "shows the quick exit in the head of the question dialog at every scroll position",
  FULL_ONLY,
  async ({ openPage, own }) => {
    for (const viewport of [{ width: 320, height: 700 }, PHONE, { width: 1280, height: 700 }]) {
      const page = await openPage({ email: own("draft"), viewport });
      await page.goto("/");
      await waitForHydration(page);
      await page.getByRole("link", { name: "Nueva Consulta" }).first().click();
      const dialog = page.getByRole("dialog", { name: "Nueva Consulta" });
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
  },
);

test("shows the missing field of a consultation and fits text at 150 %", async ({ openPage, own }) => {
  const page = await openPage({ email: own("draft"), viewport: PHONE });
  await page.goto("/");
  await waitForHydration(page);
  await page.getByRole("link", { name: "Nueva Consulta" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Nueva Consulta" });
  const publish = dialog.getByRole("button", { name: "Publicar consulta" });
  const title = dialog.getByLabel("Título");
  await dialog.getByRole("button", { name: "Falta el título" }).click();
  await expect(title).toBeFocused();
  expect((await boxOf(title)).height, "one line").toBeLessThan(60);
  await title.fill("Un título que ocupa bastante más que una sola línea de un teléfono");
  expect((await boxOf(title)).height, "more lines").toBeGreaterThan(60);
  await dialog.getByLabel("Descripción detallada").fill("Hace un mes que lo intento y siempre digo otra cosa.");
  await expect(publish).toHaveAccessibleDescription("Falta el país");
  await dialog.getByRole("button", { name: "Falta el país" }).click();
  const country = dialog.getByRole("combobox", { name: "País" });
  await expect(country).toBeFocused();
  await expect(country).toBeInViewport({ ratio: 1 });
  expect((await boxOf(country)).y).toBeLessThan((await boxOf(dialog.locator("details.card-preview"))).y);
  await country.selectOption("Perú");
  await expect(publish).toBeEnabled();
  await dialog.getByRole("checkbox", { name: "Publicar de forma anónima" }).check();
  await expect(dialog.getByRole("status").filter({ hasText: "Hemos desmarcado «Avísame por correo»." })).toBeVisible();

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
  const heading = await boxOf(dialog.getByRole("heading", { level: 2 }));
  expect(heading.height, "the title has one line").toBeLessThan(50);
  expect((await boxOf(dialog.getByRole("link", { name: "Salida rápida" }))).y).toBeGreaterThan(
    heading.y + heading.height,
  );
  await scrollTo(600);
  await expect(dialog.getByRole("heading", { level: 2 })).not.toBeInViewport();
});

test("shows the author a preview of the card with the public name", async ({ openPage, own }) => {
  const page = await openPage({ email: own("draft"), viewport: { width: 1280, height: 900 } });
  await page.goto("/");
  await waitForHydration(page);
  await page.getByRole("link", { name: "Nueva Consulta" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Nueva Consulta" });
  const opener = dialog.getByText("Así la verán los demás");
  const card = dialog.locator("details .consultation-card");
  const title = dialog.getByLabel("Título");
  await title.fill("No sé cómo contarlo en casa");
  await dialog.getByLabel("Descripción detallada").fill("Hace un mes que lo intento y siempre digo otra cosa.");
  await dialog.getByRole("combobox", { name: "País" }).selectOption("Perú");
  await dialog.getByLabel("Categoría").selectOption("Familia");
  for (const words of ["No sé cómo contarlo en casa", "Hace un mes que lo intento", "Perú", "Familia"])
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
  await page.goto("/nueva-consulta");
  await waitForHydration(page);
  const folded = page.locator("details .consultation-card");
  await expect(folded).toBeHidden();
  expect((await boxOf(page.locator("details.card-preview"))).height).toBeLessThan(70);
  await page.getByText("Así la verán los demás").click();
  await expect(folded).toContainText("No sé cómo contarlo en casa");
  await expect(folded).toContainText("Anónimo");
  await expect(opener).toHaveCount(0);
});

test("shows the errors of a registration at the same distance below their boxes", async ({ page, watch }) => {
  watch.expectStatus(422);
  await page.goto("/auth?modo=registro&tipo=psicologo");
  await waitForHydration(page);
  const form = page.locator("main form").last();
  await form.evaluate((element: HTMLFormElement) => {
    element.noValidate = true;
    element.requestSubmit();
  });
  await expect(form.locator("[aria-invalid]").first()).toBeVisible();
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 844 });
    const errors = await form.locator("[aria-invalid]").evaluateAll((boxes) =>
      boxes.map((element) => {
        const error = document.getElementById(`${element.id}-error`)!.getBoundingClientRect();
        const label = element.closest("label")?.querySelector("span");
        const box = (label ?? element).getBoundingClientRect();
        return { field: element.id, below: error.top - box.bottom, left: error.left - box.left };
      }),
    );
    expect(errors.length).toBeGreaterThan(5);
    for (const { field, below, left } of errors) {
      expect(Math.abs(left), `${field} at ${width}, from the left`).toBeLessThan(1);
      expect(Math.abs(below - 6.4), `${field} at ${width}: ${below}`).toBeLessThan(1);
    }
  }
});

test(
  "shows the cover's drawing within its frame and outside of the bubbles at widths from 320 to 1280 pixels",
  FULL_ONLY,
  async ({ page }) => {
    for (const width of [320, 390, 640, 700, 880, 959, 960, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto("/");
      const { frame, parts } = await shapes(page, ".hero__scene > svg");
      for (const part of parts) {
        expect(part.left, `left at ${width}`).toBeGreaterThanOrEqual(frame.left);
        expect(part.right, `right at ${width}`).toBeLessThanOrEqual(frame.right + 0.5);
      }
      for (const bubble of await page.locator(".compose, .compose__reply").filter({ visible: true }).all()) {
        const box = await boxOf(bubble);
        for (const { left, right, top, bottom } of parts)
          expect(
            boxesOverlap(box, { x: left, y: top, width: right - left, height: bottom - top }),
            `bubble at ${width}`,
          ).toBe(false);
      }
      expect(await page.evaluate(() => document.documentElement.scrollWidth), `sideways at ${width}`).toBe(width);
    }
  },
);

test("shows no dot at the beginning or end of a line of facts", FULL_ONLY, async ({ page, threadFixture }) => {
  for (const [path, selector] of [
    ["/", ".consultation-card .meta"],
    ["/", ".dotted"],
    [`/consulta/${threadFixture.id}`, ".question .meta, .reply .meta"],
  ] as const)
    for (const width of [320, 390, 700]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(path);
      await waitForHydration(page);
      // Checks only the visible part. The dot of a line's first fact is clipped.
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

/** Small pages that visitors can open. */
const SMALL_PAGES: [path: string, status: number][] = [
  ["/auth", 200],
  ["/auth?modo=registro&tipo=psicologo", 200],
  ["/auth/recuperar", 200],
  ["/auth/revisa-tu-correo", 200],
  ["/auth/nueva-contrasena?token=cualquiera", 200],
  ["/auth/confirmar?token=de-otro-tiempo", 410],
  ["/auth/navegador?token=de-otro-tiempo", 410],
  ["/cuenta/correo?token=de-otro-tiempo", 410],
  ["/baja/de-otro-tiempo", 200],
  ["/contacto", 200],
  ["/planes", 403],
  ["/cuenta", 401],
  ["/perfil", 401],
  ["/no-existe", 404],
];

test(
  "shows small pages as a centred column with the armchair on the first card",
  FULL_ONLY,
  async ({ page, watch }) => {
    for (const status of new Set(SMALL_PAGES.map(([, status]) => status)))
      if (status >= 400) watch.expectStatus(status);
    for (const [path, status] of SMALL_PAGES) {
      const answer = await page.goto(path);
      expect(answer?.status(), path).toBe(status);
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 844 });
        const main = await boxOf(page.getByRole("main"));
        expect(Math.abs(main.x - (width - main.x - main.width)), `${path} is centred at ${width}`).toBeLessThan(2);
        expect(main.width, path).toBeLessThanOrEqual(34 * 16);
        const chair = await boxOf(page.locator("main .centered-page__header > svg"));
        const card = await boxOf(page.locator("main .panel").first());
        expect(
          Math.abs(chair.y + chair.height - card.y),
          `armchair on the first card of ${path} at ${width} px`,
        ).toBeLessThan(1.5);
        expect(chair.x + chair.width, path).toBeLessThan(card.x + card.width);
        const title = await boxOf(page.getByRole("heading", { level: 1 }));
        expect(boxesOverlap(title, chair), `${path} at ${width}`).toBe(false);
      }
    }
  },
);
