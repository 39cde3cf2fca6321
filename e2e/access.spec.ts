import { randomUUID } from "node:crypto";
import type { Locator, Page } from "@playwright/test";
import { alive, DEMO_PASSWORD, expect, expectAccessible, expectNoSidewaysScroll, test, toast } from "./fixtures.ts";
import { SCREENS, showScreen, whoLooks } from "./screens.ts";

test.describe("every screen", () => {
  for (const screen of SCREENS)
    test(screen.name, async ({ someone, talked, watch, isMobile }) => {
      const { name, status } = screen;
      if (status) watch.expectStatus(status);
      const page = await someone({ ...whoLooks(screen, talked), colorScheme: "light" });
      await showScreen(page, screen, talked);
      await expect(page.locator("html")).toHaveAttribute("lang", "es");
      await expect(page).toHaveTitle(/\S · Diván$|^Diván · \S/);
      await expectAccessible(page, `${name}, light`);
      await expectNoSidewaysScroll(page);
      await page.emulateMedia({ colorScheme: "dark" });
      await expectAccessible(page, `${name}, dark`);
      if (isMobile) return;
      // What is left of a window of 1280 by 900 at 400 %.
      await page.setViewportSize({ width: 320, height: 225 });
      await expectNoSidewaysScroll(page);
    });
});

test("what can be pressed is 44 pixels high and wide", async ({ page, someone, talked }) => {
  const user = await someone({ as: "user" });
  const looks: [Page, string][] = [
    [page, "/"],
    [page, "/auth?modo=registro&tipo=psicologo"],
    [page, "/ayuda"],
    [user, `/consulta/${talked.id}`],
    [user, "/nueva-consulta"],
  ];
  for (const [on, path] of looks) {
    await on.goto(path);
    await alive(on);
    const small = await on.evaluate(() =>
      [
        ...document.querySelectorAll(
          "button, summary, select, input, textarea, .btn, nav a, article h2 a, article h3 a",
        ),
      ]
        .map((element) => (element.matches("[type=checkbox]") ? element.closest("label")! : element))
        .filter((element) => element.checkVisibility() && !element.matches("[type=hidden], .sr, .sr *"))
        .map((element) => {
          // A card's title covers the whole card with what follows it.
          const after = getComputedStyle(element, "::after");
          const box = after.position === "absolute" ? element.closest("article")! : element;
          const { width, height } = box.getBoundingClientRect();
          return { width, height, text: element.outerHTML.slice(0, 100) };
        })
        .filter(({ width, height }) => width < 43.9 || height < 43.9)
        .map(({ width, height, text }) => `${Math.round(width)} x ${Math.round(height)}: ${text}`),
    );
    expect(small, path).toEqual([]);
  }
});

const focused = (locator: Locator) => locator.evaluate((element) => element === document.activeElement);

/** Whether the focus can be seen: outlined, in view, and not wholly under something that stays in place. Null when it can. */
function whyFocusIsHidden(): string | null {
  const at = document.activeElement;
  if (!at || at === document.body) return null;
  const { outlineStyle, outlineWidth } = getComputedStyle(at);
  const box = at.getBoundingClientRect();
  const points = [0.05, 0.5, 0.95].flatMap((x) => [0.05, 0.5, 0.95].map((y) => [x, y] as const));
  const uncovered = points.some(([x, y]) => {
    const top = document.elementFromPoint(box.left + box.width * x, box.top + box.height * y);
    return top !== null && (at.contains(top) || top.contains(at));
  });
  const what = `${at.outerHTML.slice(0, 120)}: `;
  if (!at.matches(":focus-visible") || outlineStyle === "none" || Number.parseFloat(outlineWidth) < 2)
    return `${what}no outline`;
  return uncovered ? null : `${what}out of view or covered, ${Math.round(box.top)} to ${Math.round(box.bottom)}`;
}

/** Presses Tab until the focus is there, as somebody without a mouse would; it must be seen at every stop on the way. */
async function tabTo(page: Page, target: Locator, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    if ((await target.count()) && (await focused(target))) return;
    await page.keyboard.press(key);
    expect(await page.evaluate(whyFocusIsHidden), "the focus cannot be seen").toBeNull();
  }
  throw new Error(`Tab does not lead to ${target}`);
}

test("signing in, asking and voting by keyboard alone", async ({ page, own, isMobile }) => {
  const { keyboard } = page;
  await page.goto("/");
  await alive(page);

  await keyboard.press("Tab");
  const skip = page.getByRole("link", { name: "Saltar al contenido" });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await keyboard.press("Enter");
  await keyboard.press("Tab");
  // The next stop lies in the content, past the whole header.
  await expect(page.getByRole("link", { name: "Comenzar Ahora" })).toBeFocused();

  const signInLink = page.getByRole("banner").getByRole("link", { name: "Iniciar Sesión" });
  if (isMobile) {
    const opener = page.getByRole("button", { name: "Abrir el menú" });
    await tabTo(page, opener, "Shift+Tab");
    await keyboard.press("Enter");
    const sheet = page.getByRole("dialog", { name: "Menú" });
    await expect(sheet).toBeVisible();
    await keyboard.press("Escape");
    await expect(sheet).toBeHidden();
    await expect(opener).toBeFocused();
    await keyboard.press("Enter");
    await tabTo(page, sheet.getByRole("link", { name: "Iniciar Sesión" }));
  } else await tabTo(page, signInLink, "Shift+Tab");
  await keyboard.press("Enter");
  await expect(page).toHaveURL("/auth");

  const mail = page.getByLabel("Correo electrónico");
  await tabTo(page, mail);
  await keyboard.type(own("keyboard"));
  await tabTo(page, page.getByLabel("Contraseña", { exact: true }));
  await keyboard.type(DEMO_PASSWORD);
  await keyboard.press("Enter");
  await expect(page).toHaveURL("/");
  const opener = page.getByRole("link", { name: "Nueva Consulta" });
  await expect(opener).toBeVisible();

  // The dialog takes the focus, keeps it, lets go with Escape and gives it back.
  await tabTo(page, opener);
  await keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Nueva Consulta" });
  await expect(dialog).toBeVisible();
  expect(await dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  for (let presses = 0; presses < 16; presses++) {
    await keyboard.press("Tab");
    // Between the last and the first stop lies the browser's own frame, where the page has no focus at all.
    const where = await dialog.evaluate((element) => {
      const at = document.activeElement;
      return !at || at === document.body || element.contains(at) ? null : at.outerHTML.slice(0, 120);
    });
    expect(where, "the focus left the dialog").toBeNull();
  }
  await keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();

  const title = `Solo con el teclado, ${randomUUID().slice(0, 8)}`;
  await keyboard.press("Enter");
  await tabTo(page, dialog.getByLabel("Título"));
  await keyboard.type(title);
  await tabTo(page, dialog.getByLabel("Descripción detallada"));
  await keyboard.type("No uso el ratón desde que me duele la mano, y quería saber si se puede.");
  const country = dialog.getByRole("combobox", { name: "País" });
  await tabTo(page, country);
  await keyboard.type("Uru");
  await expect(country).toHaveValue("Uruguay");
  const anonymous = dialog.getByRole("checkbox", { name: "Publicar de forma anónima" });
  await tabTo(page, anonymous);
  await keyboard.press("Space");
  await expect(anonymous).toBeChecked();
  await tabTo(page, dialog.getByRole("button", { name: "Publicar consulta" }));
  await keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
  await expect(toast(page, "¡Consulta creada!")).toBeVisible();

  const up = page.getByRole("button", { name: /votos a favor de la consulta/ });
  await tabTo(page, up);
  await keyboard.press("Enter");
  await expect(up).toHaveAttribute("aria-pressed", "true");
  await expect(up).toHaveAccessibleName(/^1 /);
  await expect(up).toBeFocused();
  await keyboard.press("Space");
  await expect(up).toHaveAttribute("aria-pressed", "false");

  // Out again, from the menu.
  const menu = page.getByRole("banner").getByRole("button", { name: /^(Menú de|Abrir el menú)/ });
  await tabTo(page, menu, "Shift+Tab");
  await keyboard.press("Enter");
  await tabTo(page, page.getByRole("button", { name: "Cerrar Sesión" }));
  await keyboard.press("Enter");
  await expect(toast(page, "Cerraste la sesión")).toBeVisible();
});
