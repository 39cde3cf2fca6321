import { join } from "node:path";
import type { Page } from "@playwright/test";
import sharp from "sharp";
import { connected } from "#test/load.ts";
import {
  demoEmail,
  expect,
  goTo,
  openMenu,
  signIn,
  type ThreadFixture,
  toast,
  USER_AT_WEEKLY_LIMIT,
  type Viewer,
  waitForHydration,
} from "./fixtures.ts";
import { currentRun } from "./server.ts";

/** A screen of the site in a state, as a viewer sees it. */
export type Screen = {
  name: string;
  /** By default a visitor. */
  as?: Viewer;
  /** Path with names of ids in braces, which `IDS` finds. */
  path: string;
  prepare?: (page: Page) => Promise<unknown>;
  /** True if `prepare` has a different effect on a phone and must be repeated there. */
  byWidth?: boolean;
  /** Expected error status of the page or of a request in it. */
  status?: number;
};

const openDialog = async (page: Page) => {
  await page.getByRole("link", { name: /^(Nueva Consulta|Límite alcanzado)$/ }).press("Enter");
  await expect(page.getByRole("dialog", { name: "Nueva Consulta" })).toBeVisible();
};
const openCountries = (page: Page) =>
  page.locator("main details").evaluateAll((all) => {
    for (const details of all) (details as HTMLDetailsElement).open = true;
  });
const lastForm = (page: Page) => page.locator("main form").last();
const send = (page: Page) => lastForm(page).evaluate((form: HTMLFormElement) => form.requestSubmit());
/** Disables the browser's validation, so that the server's messages appear. */
const sendUnchecked = async (page: Page) => {
  await lastForm(page).evaluate((form) => form.setAttribute("novalidate", ""));
  await send(page);
  await expect(page.locator("main [aria-invalid]").first()).toBeVisible();
};

const fromApi = async (page: Page, path: string) => (await page.request.get(`/api${path}`)).json();
const ownConsultation = async (page: Page): Promise<string> =>
  (await fromApi(page, "/profile/consultations")).items[0].id;
const ownId = async (page: Page): Promise<string> => (await fromApi(page, "/session")).user.id;
/** Returns an answer of the viewer, found through their public page. */
async function ownAnswer(page: Page): Promise<string> {
  const { answers } = await fromApi(page, `/psychologists/${await ownId(page)}`);
  const detail = await fromApi(page, `/consultations/${answers[0].consultation.id}`);
  return detail.answers.find(({ viewer }: { viewer: { mine: boolean } }) => viewer.mine).id;
}

async function newCheckout(page: Page): Promise<string> {
  const data = { plan_type: "lifetime", method: "mercadopago" };
  const begun = await page.request.post("/api/checkouts", { data, headers: { origin: currentRun().url } });
  expect(begun.ok(), await begun.text()).toBe(true);
  return (await begun.json()).id;
}
const newPaymentProblem = (): Promise<string> =>
  connected(currentRun().databaseUrl, async (client) => {
    const { rows } = await client.query(
      `insert into payment_problems (kind, provider, external_id, created_at)
       values ('unmatched', 'paypal', 'I-' || left(gen_random_uuid()::text, 8), now()) returning id`,
    );
    return rows[0].id;
  });
/** A verified psychologist without Gold that no other screen uses. */
const BUYER = demoEmail("nahuel-bertoni");

async function choosePhoto(page: Page): Promise<void> {
  const portrait = sharp(join(import.meta.dirname, "..", "public", "retrato-4.svg")).resize(600, 600);
  await page
    .getByLabel("Foto de perfil", { exact: true })
    .last()
    .setInputFiles({ name: "retrato.png", mimeType: "image/png", buffer: await portrait.png().toBuffer() });
  const dialog = page.getByRole("dialog", { name: "Recortar la foto" });
  await expect(dialog.getByRole("button", { name: "Usar esta foto" })).toBeEnabled();
}

/** All screens: first for visitors, then by role. Add a line for each new page. */
export const SCREENS: Screen[] = [
  { name: "start", path: "/" },
  { name: "start, a country without consultations in a category", path: "/?pais=Panamá&categoria=Duelo" },
  { name: "ranking", path: "/?vista=ranking" },
  { name: "landing page", path: "/home" },
  { name: "signing in", path: "/auth" },
  {
    name: "signing in, refused",
    path: "/auth",
    status: 400,
    prepare: async (page) => {
      await signIn(page, "nadie@example.com", "no es la contraseña");
      await expect(page.getByRole("main").getByRole("alert")).toContainText("no son correctos");
      await expect(page.getByRole("main")).toContainText("Confirma primero tu correo.");
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
  { name: "page after the registration", path: "/auth/revisa-tu-correo" },
  { name: "expired confirmation link", path: "/auth/confirmar?token=de-otro-tiempo", status: 410 },
  { name: "request of a new password", path: "/auth/recuperar" },
  { name: "choosing a new password", path: "/auth/nueva-contrasena?token=cualquiera" },
  {
    name: "second step of signing in",
    path: "/auth",
    prepare: async (page) => {
      await page.context().addCookies([{ name: "challenge", value: "de-otro-tiempo", url: currentRun().url }]);
      await goTo(page, "/auth/codigo");
    },
  },
  { name: "consultation", path: "/consulta/{consultation}" },
  {
    name: "consultation, a vote refused in a toast",
    path: "/consulta/{consultation}",
    status: 401,
    prepare: async (page) => {
      await page.getByRole("button", { name: /votos? a favor de la consulta/ }).click();
      await expect(toast(page, "Debes iniciar sesión para votar")).toBeVisible();
    },
  },
  { name: "no such consultation", path: "/consulta/ninguna", status: 404 },
  { name: "psychologist", path: "/psicologo/{psychologist}" },
  ...["", "?q=no puedo dormir", "?q=quiero morir", "?q=xil"].map((q) => ({ name: `search ${q}`, path: `/buscar${q}` })),
  { name: "help", path: "/ayuda" },
  { name: "help in a country", path: "/ayuda?pais=México", prepare: openCountries },
  ...["/temas", "/temas/duelo", "/paises/chile"].map((path) => ({ name: `list of ${path}`, path })),
  { name: "terms", path: "/terms" },
  { name: "privacy", path: "/privacy" },
  { name: "the demo's mails", path: "/correo" },
  { name: "the API's document", path: "/api/docs" },
  ...(["user", "gold"] as const).map((as) => ({ name: `notifications (${as})`, as, path: "/notificaciones" })),
  { name: "contact", path: "/contacto" },
  { name: "unsubscribing from mails", path: `/baja/${"a".repeat(43)}` },
  { name: "account of a visitor", path: "/cuenta", status: 401 },
  { name: "no such page", path: "/no-existe", status: 404 },
  { name: "menu of a visitor", path: "/", byWidth: true, prepare: (page) => openMenuIfAny(page) },

  { name: "start of a user", as: "user", path: "/" },
  { name: "dialog of a new consultation", as: "user", path: "/", prepare: openDialog },
  { name: "menu of a user", as: "user", path: "/", byWidth: true, prepare: openMenu },
  { name: "new consultation", as: "user", path: "/nueva-consulta" },
  { name: "new consultation, refused", as: "user", path: "/nueva-consulta", status: 422, prepare: sendUnchecked },
  {
    name: "consultation for a user who replies",
    as: "user",
    path: "/consulta/{consultation}",
    prepare: (page) => page.getByText("Comentar", { exact: true }).first().click(),
  },
  { name: "reply form on a separate page", as: "user", path: "/respuesta/{answer}/comentario" },
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
  { name: "second factor, off", as: "user", path: "/cuenta/segundo-paso" },
  { name: "deleting the account", as: "user", path: "/cuenta/eliminar" },
  { name: "psychologist for a user who reviews", as: "user", path: "/psicologo/{psychologist}" },
  { name: "administration, not for users", as: "user", path: "/admin", status: 403 },
  {
    name: "rating in a dialog over the ranking",
    as: "user",
    path: "/?vista=ranking",
    prepare: async (page) => {
      await waitForHydration(page, ".ranking-entry");
      const rate = page.getByRole("link", { name: /^Calificar: / }).first();
      await rate.press("Enter");
      await expect(page.getByRole("dialog", { name: /^Calificar: / })).toBeVisible();
    },
  },

  { name: "edit form of the user's consultation", as: USER_AT_WEEKLY_LIMIT, path: "/consulta/{own}/editar" },
  { name: "deletion of the user's consultation", as: USER_AT_WEEKLY_LIMIT, path: "/consulta/{own}/eliminar" },
  {
    name: "sharing the user's consultation",
    as: USER_AT_WEEKLY_LIMIT,
    path: "/consulta/{own}",
    prepare: async (page) => {
      await page.getByText("Compartir", { exact: true }).click();
      const anyway = page.getByText("Compartir de todos modos");
      if (await anyway.isVisible()) await anyway.click();
      await expect(page.getByRole("link", { name: /^WhatsApp/ })).toBeVisible();
    },
  },
  {
    name: "deletion dialog of the user's consultation",
    as: USER_AT_WEEKLY_LIMIT,
    path: "/consulta/{own}",
    prepare: async (page) => {
      await page.getByRole("link", { name: "Eliminar tu consulta" }).press("Enter");
      await expect(page.getByRole("dialog", { name: "¿Eliminar tu consulta?" })).toBeVisible();
    },
  },
  { name: "review form on a separate page", as: "user", path: "/psicologo/{psychologist}/resena" },

  { name: "answer form on a separate page", as: "verified", path: "/consulta/{consultation}/respuesta" },
  { name: "consultation for a psychologist with Gold", as: "gold", path: "/consulta/{consultation}" },
  { name: "own profile with Gold", as: "gold", path: "/perfil" },
  { name: "plans", as: "verified", path: "/planes" },
  { name: "plans with Gold", as: "gold", path: "/planes" },

  { name: "edit form of the psychologist's answer", as: "gold", path: "/respuesta/{ownAnswer}/editar" },
  { name: "own public page with Gold", as: "gold", path: "/psicologo/{me}" },
  { name: "photo form on a separate page", as: "verified", path: "/perfil/foto" },
  { name: "cropping a photo", as: "verified", path: "/perfil/foto", prepare: choosePhoto },
  { name: "payment window of the demo", as: BUYER, path: "/planes/pago/{checkout}" },
  { name: "rejected payment", as: BUYER, path: "/planes/pago/{checkout}/fin?status=rejected" },
  { name: "lifetime plan", as: "verified", path: "/planes?plan=lifetime" },
  { name: "own profile of a pending psychologist", as: "pending", path: "/perfil" },

  { name: "administration", as: "admin", path: "/admin" },
  {
    name: "administration, rejecting",
    as: "admin",
    path: "/admin",
    prepare: (page) => page.locator("summary", { hasText: "Rechazar" }).first().click(),
  },
  { name: "administration, consultations", as: "admin", path: "/admin/consultas" },
  { name: "administration, psychologists", as: "admin", path: "/admin/psicologos" },
  { name: "administration, messages", as: "admin", path: "/admin/mensajes" },
  { name: "administration, memberships", as: "admin", path: "/admin/membresias" },
  { name: "administration, help lines", as: "admin", path: "/admin/ayuda" },
  { name: "tying a payment", as: "admin", path: "/admin/pago/{problem}/vincular" },
  { name: "Gold of a psychologist", as: "admin", path: "/admin/psicologo/{psychologist}/gold" },
  { name: "granting Gold", as: "admin", path: "/admin/psicologo/{psychologist}/gold?siempre=1" },
  { name: "consultation for the administrator", as: "admin", path: "/consulta/{consultation}" },
  { name: "help without a network", path: "/sin-conexion", prepare: openCountries },
];

async function openMenuIfAny(page: Page): Promise<void> {
  if (await page.getByRole("button", { name: "Abrir el menú" }).isVisible()) await openMenu(page);
}

/** Ids of the demo, and of the viewer. */
const IDS: Record<string, (page: Page, threadFixture: ThreadFixture) => string | Promise<string>> = {
  consultation: (_, { id }) => id,
  psychologist: (_, { psychologist }) => psychologist.id,
  answer: (_, { answer }) => answer,
  own: ownConsultation,
  me: ownId,
  ownAnswer,
  checkout: newCheckout,
  problem: newPaymentProblem,
};

export async function showScreen(page: Page, { path, prepare }: Screen, threadFixture: ThreadFixture): Promise<void> {
  const name = /\{(\w+)\}/.exec(path)?.[1];
  await goTo(page, name ? path.replace(`{${name}}`, await IDS[name]!(page, threadFixture)) : path);
  await prepare?.(page);
}
