import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import {
  comeBack,
  demoUser,
  detail,
  expect,
  fillRegistration,
  goTo,
  mailTo,
  openMenu,
  PHONE_DEVICE,
  signIn,
  signOut,
  test,
  toast,
} from "./fixtures.ts";

test.use(PHONE_DEVICE);

const feedHeading = (page: Page) =>
  page.getByRole("heading", { level: 1, name: "Consultas de todos los países", exact: true });
const visitorHeading = (page: Page) => page.getByRole("heading", { level: 1, name: /^Conecta con Psicólogos/ });

/** Returns the page and its data, which the next user of the browser could read. */
const heldBy = (page: Page) =>
  page.evaluate(() => {
    const seen = new Set<unknown>();
    const text = (value: unknown): string => {
      if (typeof value !== "object" || value === null) return String(value);
      if (seen.has(value) || value instanceof Node || value === window) return "";
      seen.add(value);
      const inside = value instanceof Map || value instanceof Set ? [...value] : Object.values(value);
      return inside.map(text).join("\n");
    };
    const data = Object.entries(window).filter(([name]) => name.startsWith("__reactRouter"));
    return [document.documentElement.outerHTML, text(data), text(history.state)].join("\n");
  });

test("leaves no data of the user in the history or in another tab after a sign-out", async ({ visit, watch }) => {
  watch.expectStatus(401);
  const user = await demoUser();
  const { email, full_name: name } = user;
  const page = await visit(user, "/perfil");
  const other = await page.context().newPage();
  await goTo(other, "/");
  const cards = other.getByRole("article");
  await other.getByRole("link", { name: "Cargar más" }).click();
  await expect(cards).toHaveCount(40);
  for (const title of ["Mi Perfil", "Cuenta y seguridad"]) {
    await openMenu(other);
    await other.getByRole("dialog", { name: "Menú" }).getByRole("link", { name: title }).click();
    await expect(other.getByRole("heading", { level: 1, name: title })).toBeVisible();
  }
  expect(await heldBy(page)).toContain(name);
  await page.getByRole("banner").getByRole("link", { name: "Diván", exact: true }).press("Enter");
  await expect(feedHeading(page)).toBeVisible();

  // A page restored from the back/forward cache must check the session.
  await expect(page.locator("script:not([src])").first()).toHaveText("");
  const asked = page.waitForRequest(/\.data/);
  await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })));
  await asked;

  await signOut(page);
  await expect(visitorHeading(page)).toBeVisible();
  await expect(toast(page, "Has cerrado sesión")).toBeVisible();
  await expect(other.getByRole("banner").getByRole("button", { name: /^Menú de/ })).toHaveCount(0);
  const forgotten = async (where: Page) => {
    const held = await heldBy(where);
    expect([held.includes(name), held.includes(email)]).toEqual([false, false]);
  };
  await forgotten(page);
  await expect.poll(async () => (await heldBy(other)).includes(email)).toBe(false);
  await forgotten(other);
  await page.goBack();
  await expect(page.getByRole("banner").getByRole("button", { name: /^Menú de/ })).toHaveCount(0);
  await forgotten(page);
  await page.goto("/perfil");
  await expect(page.getByText("Debes iniciar sesión para ver tu perfil.")).toBeVisible();
  await forgotten(page);

  // Without a network, Back shows pages that the tab has kept.
  await page.context().setOffline(true);
  await other.goBack();
  await expect(other.getByRole("link", { name: "Reintentar" })).toBeVisible();
  await forgotten(other);
  await page.context().setOffline(false);
  await other.goBack();
  await expect(cards).toHaveCount(20);
});

detail("sends each change of the session once to the other tab", async ({ page, context, watch }) => {
  watch.expectStatus(401);
  const { email } = await demoUser();
  await page.goto("/auth");
  const other = await context.newPage();
  await goTo(other, "/ayuda");
  // Another listener on the tabs' channel records the sessions.
  await other.evaluate(() => {
    const heard: object[] = [];
    new BroadcastChannel("auth").onmessage = ({ data }) => heard.push(data);
    Object.assign(window, { heard });
  });
  type Session = { viewer: object | null };
  const heard = () => other.evaluate(() => (window as unknown as { heard: Session[] }).heard);
  /** Expects exactly one message since the last call. */
  const toldOnce = async (session: object) => {
    await expect.poll(async () => (await heard()).length).toBeGreaterThanOrEqual(1);
    expect(await heard()).toMatchObject([session]);
    await other.evaluate(() => (window as unknown as { heard: Session[] }).heard.splice(0));
  };
  const menu = async (name: string) => {
    await expect(other.getByRole("banner").getByRole("button", { name: /^(Menú de|Abrir el menú)/ })).toBeVisible();
    await expect(other.getByRole("banner").getByText(name).first()).toBeAttached();
  };

  await signIn(page, email);
  await expect(feedHeading(page)).toBeVisible();
  await menu("Mi Perfil");
  await toldOnce({ viewer: { email } });

  await page.goto("/perfil");
  const renamed = `Nombre ${randomUUID().slice(0, 8)}`;
  await page.getByRole("main").getByText("Nombre completo").first().click();
  await page.getByLabel("Nombre completo").fill(renamed);
  await page.getByRole("button", { name: "Guardar cambios" }).click();
  await expect(toast(page, "¡Perfil actualizado!")).toBeVisible();
  await expect(other.getByRole("banner")).toContainText(renamed);
  await toldOnce({ viewer: { full_name: renamed } });

  // Simulates a renewal on another device or by the timer.
  await page.request.post("/api/session/renewal", { data: {}, headers: { origin: new URL(page.url()).origin } });
  await comeBack(page);
  await toldOnce({ viewer: { email } });

  // All sessions end on another device.
  const cookies = await context.cookies();
  await page.request.post("/salir", { form: { scope: "all" }, headers: { origin: new URL(page.url()).origin } });
  await context.addCookies(cookies);
  await comeBack(page);
  await expect(other.getByRole("banner")).not.toContainText(renamed);
  // Tabs that notice the end at the same moment all announce it.
  await expect.poll(async () => new Set((await heard()).map(({ viewer }) => viewer))).toEqual(new Set([null]));
});

detail(
  "continues in the tab of the registration when another tab confirms",
  async ({ page, context, threadFixture }) => {
    const email = `otra-pestana-${randomUUID().slice(0, 8)}@example.com`;
    const place = `/consulta/${threadFixture.id}`;
    await goTo(page, `/auth?modo=registro&volver=${place}`);
    const name = page.getByLabel("Nombre completo");
    await name.fill("Renata Dospestañas");
    const licence = page.getByLabel("Número de matrícula o registro profesional");
    // The other account type has another URL. The input remains.
    for (const [type, licences] of [
      ["Soy psicólogo o psicóloga", 1],
      ["Quiero preguntar", 0],
    ] as const) {
      await page.getByRole("link", { name: type }).click();
      await expect(licence).toHaveCount(licences);
      await expect(page.getByRole("link", { name: type })).toHaveAttribute("aria-current", "true");
      await expect(name).toHaveValue("Renata Dospestañas");
      if (!licences) continue;
      await page.getByRole("combobox", { name: "País" }).selectOption("Argentina");
      await expect(licence).toHaveAccessibleDescription(/^En Argentina: /);
    }
    await fillRegistration(page, "Renata Dospestañas", email);
    await page.getByRole("button", { name: "Crear Cuenta Gratis" }).click();
    await expect(page.getByRole("heading", { name: "¡Registro exitoso!" })).toBeVisible();

    const mailbox = await context.newPage();
    await mailbox.goto("/correo");
    await (await mailTo(mailbox, email, /Confirma tu correo/)).getByRole("link", { name: "/auth/confirmar" }).click();
    await mailbox.getByRole("button", { name: "Confirmar mi correo" }).click();
    await expect(mailbox).toHaveURL(place);
    await expect(toast(mailbox, "¡Bienvenido!")).toBeVisible();
    await expect(page).toHaveURL(place);
    await openMenu(page);
    await expect(page.getByRole("button", { name: "Cerrar Sesión", exact: true })).toBeVisible();
  },
);
