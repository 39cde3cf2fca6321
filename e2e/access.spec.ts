import { randomUUID } from "node:crypto";
import type { Locator, Page } from "@playwright/test";
import {
  alive,
  DEMO_PASSWORD,
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  HAS_ASKED,
  openMenu,
  type Role,
  signIn,
  test,
  toast,
} from "./fixtures.ts";

type Screen = {
  name: string;
  as?: Role;
  email?: string;
  /** With what the demo has put in place of {consultation} and {psychologist}. */
  path: string;
  /** Brings the screen into the state that is looked at. */
  prepare?: (page: Page) => Promise<unknown>;
  /** Of the page itself or of what is refused in it. */
  status?: number;
};

const openDialog = async (page: Page) => {
  await page.getByRole("link", { name: /^(Nueva Consulta|Límite alcanzado)$/ }).press("Enter");
  await expect(page.getByRole("dialog", { name: "Nueva Consulta" })).toBeVisible();
};
const send = (page: Page) =>
  page
    .locator("main form")
    .last()
    .evaluate((form: HTMLFormElement) => form.requestSubmit());
/** Leaves the rules to the server, whose words are to be seen. */
const sendUnchecked = async (page: Page) => {
  await page
    .locator("main form")
    .last()
    .evaluate((form: HTMLFormElement) => {
      form.noValidate = true;
    });
  await send(page);
  await expect(page.locator("main [aria-invalid]").first()).toBeVisible();
};

const SCREENS: Screen[] = [
  { name: "start", path: "/" },
  { name: "start, a country without consultations in a category", path: "/?pais=Panamá&categoria=Duelo" },
  { name: "landing page", path: "/home" },
  { name: "signing in", path: "/auth" },
  {
    name: "signing in, refused",
    path: "/auth",
    status: 400,
    prepare: async (page) => {
      await signIn(page, "nadie@example.com", "no es la contraseña");
      await expect(page.getByRole("main").getByRole("alert")).toBeVisible();
    },
  },
  { name: "registering", path: "/auth?modo=registro" },
  { name: "registering as a psychologist", path: "/auth?modo=registro&tipo=psicologo" },
  {
    name: "registering as a psychologist, refused",
    path: "/auth?modo=registro&tipo=psicologo",
    status: 422,
    prepare: sendUnchecked,
  },
  { name: "look into your mail", path: "/auth/revisa-tu-correo" },
  { name: "a link that no longer serves", path: "/auth/confirmar?token=de-otro-tiempo", status: 410 },
  { name: "asking for a new password", path: "/auth/recuperar" },
  { name: "asked for a new password", path: "/auth/recuperar?enviado=1" },
  { name: "choosing a new password", path: "/auth/nueva-contrasena?token=cualquiera" },
  { name: "consultation", path: "/consulta/{consultation}" },
  {
    name: "consultation, a vote refused in a toast",
    path: "/consulta/{consultation}",
    status: 401,
    prepare: async (page) => {
      await page.getByRole("button", { name: /votos a favor de la consulta/ }).click();
      await expect(toast(page, "Debes iniciar sesión para votar")).toBeVisible();
    },
  },
  { name: "no such consultation", path: "/consulta/ninguna", status: 404 },
  { name: "psychologist", path: "/psicologo/{psychologist}" },
  { name: "no such psychologist", path: "/psicologo/nadie", status: 404 },
  { name: "help", path: "/ayuda" },
  { name: "help in a country", path: "/ayuda?pais=México" },
  { name: "terms", path: "/terms" },
  { name: "privacy", path: "/privacy" },
  { name: "the demo's mails", path: "/correo" },
  { name: "the API's document", path: "/api/docs" },
  { name: "contact", path: "/contacto" },
  { name: "plans, not for visitors", path: "/planes", status: 403 },
  { name: "own profile of a visitor", path: "/perfil", status: 401 },
  { name: "account of a visitor", path: "/cuenta", status: 401 },
  { name: "a link about an address that no longer serves", path: "/cuenta/correo?token=de-otro-tiempo", status: 410 },
  { name: "no such page", path: "/no-existe", status: 404 },
  { name: "administration, not for visitors", path: "/admin", status: 401 },
  { name: "menu of a visitor", path: "/", prepare: (page) => openMenuIfAny(page) },

  { name: "start of a user", as: "user", path: "/" },
  { name: "dialog of a new consultation", as: "user", path: "/", prepare: openDialog },
  { name: "menu of a user", as: "user", path: "/", prepare: openMenu },
  { name: "new consultation", as: "user", path: "/nueva-consulta" },
  {
    name: "new consultation, refused",
    as: "user",
    path: "/nueva-consulta",
    status: 422,
    prepare: async (page) => {
      await page.getByLabel("Título").fill("Corto");
      await page.getByLabel("Descripción detallada").fill("Corta");
      await page.locator("main").getByRole("combobox", { name: "País" }).selectOption("Perú");
      await page.getByRole("button", { name: "Publicar consulta" }).click();
      await expect(page.locator("main [aria-invalid]").first()).toBeVisible();
    },
  },
  { name: "dialog at the weekly limit", email: HAS_ASKED, path: "/", prepare: openDialog },
  { name: "new consultation at the weekly limit", email: HAS_ASKED, path: "/nueva-consulta" },
  {
    name: "consultation for a user who replies",
    as: "user",
    path: "/consulta/{consultation}",
    prepare: (page) => page.getByText("Responder", { exact: true }).first().click(),
  },
  { name: "reply on a page of its own", as: "user", path: "/respuesta/{answer}/comentario" },
  { name: "own profile of a user", as: "user", path: "/perfil" },
  { name: "account", as: "user", path: "/cuenta" },
  {
    name: "account, opened to be changed",
    as: "user",
    path: "/cuenta",
    prepare: async (page) => {
      for (const line of await page.getByRole("main").locator("summary").all()) await line.click();
    },
  },
  { name: "deleting the account", as: "user", path: "/cuenta/eliminar" },
  { name: "psychologist for a user who reviews", as: "user", path: "/psicologo/{psychologist}" },
  { name: "administration, not for users", as: "user", path: "/admin", status: 403 },

  { name: "start of a verified psychologist", as: "verified", path: "/" },
  { name: "menu of a psychologist", as: "verified", path: "/", prepare: openMenu },
  { name: "consultation for a verified psychologist", as: "verified", path: "/consulta/{consultation}" },
  { name: "answering on a page of its own", as: "verified", path: "/consulta/{consultation}/respuesta" },
  { name: "new consultation, not for psychologists", as: "verified", path: "/nueva-consulta" },
  { name: "consultation for a psychologist with Gold", as: "gold", path: "/consulta/{consultation}" },
  { name: "own profile of a psychologist", as: "verified", path: "/perfil" },
  { name: "own profile with Gold", as: "gold", path: "/perfil" },
  { name: "plans", as: "verified", path: "/planes" },
  { name: "plans with Gold", as: "gold", path: "/planes" },
  { name: "start of a pending psychologist", as: "pending", path: "/" },
  { name: "consultation for a pending psychologist", as: "pending", path: "/consulta/{consultation}" },

  { name: "administration", as: "admin", path: "/admin" },
  {
    name: "administration, rejecting",
    as: "admin",
    path: "/admin",
    prepare: (page) => page.locator("summary", { hasText: "Rechazar" }).first().click(),
  },
];

async function openMenuIfAny(page: Page): Promise<void> {
  if (await page.getByRole("button", { name: "Abrir el menú" }).isVisible()) await openMenu(page);
}

test.describe("every screen", () => {
  for (const { name, as, email, path, prepare, status } of SCREENS)
    test(name, async ({ someone, talked, watch, isMobile }) => {
      if (status) watch.expectStatus(status);
      const page = await someone({ as, email, colorScheme: "light" });
      const address = path
        .replace("{consultation}", talked.id)
        .replace("{psychologist}", talked.psychologist.id)
        .replace("{answer}", talked.answer);
      await page.goto(address);
      await alive(page);
      await prepare?.(page);
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
