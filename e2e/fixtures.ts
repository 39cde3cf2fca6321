import { randomInt } from "node:crypto";
import { type BrowserContext, type BrowserContextOptions, test as base, expect, type Page } from "@playwright/test";
import { LIMITS } from "#shared/limits.ts";
import { codeAt } from "#test/totp.ts";
import community from "../server/demo/community.json" with { type: "json" };
import { ADMIN_EMAIL, currentRun, dataFolder, emptyDatabase, startServer } from "./server.ts";
import { recordToasts } from "./toast-recorder.ts";

/** Said of a test: only the full run has it. A shorter one beside it, or one of the server, fails on the same defect. */
export const FULL_ONLY = { tag: "@full" };

/** The one password of the demo's accounts, as the start prints it. */
export const DEMO_PASSWORD = "una-sala-tranquila";

const WEEK_HOURS = LIMITS.weeklyWindowDays * 24;
const asked = new Set(community.consultations.filter((one) => one.hours_ago < WEEK_HOURS).map((one) => one.author));
/** The address of someone of the demo. */
export const demoEmail = (key: string) => `${key}@divan.example`;

/** People of the demo who may ask this week. The first belongs to no test: the start names it as the one to try. */
const mayAsk = community.users.filter(({ key }) => !asked.has(key)).map(({ key }) => demoEmail(key));
/** Someone of the demo who has asked this week. */
export const HAS_ASKED = demoEmail(community.users.find(({ key }) => asked.has(key))!.key);

/** Each journey that changes something has a person of its own, in each project. */
const JOURNEYS = [
  "no-javascript",
  "keyboard",
  "draft",
  "lost-session",
  "two-tabs",
  "votes",
  "sign-out",
  "sign-out-plain",
  "refused",
  "consents",
  "consents-plain",
  "events",
] as const;

const ROLES = {
  admin: "administration",
  user: "user",
  gold: "psychologist with Gold",
  verified: "psychologist, verified",
  pending: "psychologist, pending",
} as const;
export type Role = keyof typeof ROLES;

/**
 * The demo's mails are read on the machine itself, by a browser for which no proxy speaks: what asks for them goes without
 * the proxy's header. Not by Playwright's own routes: with one of those, a browser keeps no files, and pages come without
 * their styles for a moment.
 */
const direct = new WeakMap<Page, Promise<void>>();
function readMailsDirectly(page: Page): Promise<void> {
  const already = direct.get(page) ?? withoutProxy(page);
  direct.set(page, already);
  return already;
}

async function withoutProxy(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  session.on("Fetch.requestPaused", ({ requestId, request }) => {
    const headers = Object.entries(request.headers)
      .filter(([name]) => name.toLowerCase() !== "x-forwarded-for")
      .map(([name, value]) => ({ name, value: String(value) }));
    session.send("Fetch.continueRequest", { requestId, headers }).catch(() => {});
  });
  await session.send("Fetch.enable", {
    patterns: [{ urlPattern: "*/correo" }, { urlPattern: "*/correo.data*" }, { urlPattern: "*/revisa-tu-correo*" }],
  });
}

/** What went on in the browsers of a test that no one should have to see. */
class Watch {
  readonly problems: string[] = [];
  readonly #expected: RegExp[] = [];
  readonly #origins: string[];

  constructor(origin: string) {
    this.#origins = [origin];
  }

  /** Says beforehand that the server will refuse something with this status: the browser itself notes that on the console. */
  expectStatus(status: number): void {
    this.#expected.push(new RegExp(`responded with a status of ${status} `));
  }

  /** Says beforehand that someone will leave for another site. */
  expectOrigin(url: string): void {
    this.#origins.push(new URL(url).origin);
  }

  /** Says beforehand that something will not arrive. */
  expectFailedLoad(): void {
    this.#expected.push(/net::ERR_FAILED/);
  }

  /** Says beforehand that someone will be without a network for a while. */
  expectOffline(): void {
    this.#expected.push(/net::ERR_INTERNET_DISCONNECTED/);
  }

  follow(context: BrowserContext): void {
    const newPage = context.newPage.bind(context);
    context.newPage = async () => {
      const page = await newPage();
      await page.addInitScript(recordToasts);
      await readMailsDirectly(page);
      return page;
    };
    const note = (what: string, text: string) => {
      if (!this.#expected.some((pattern) => pattern.test(text))) this.problems.push(`${what}: ${text}`);
    };
    context.on("console", (message) => {
      if (message.type() === "error") note("console.error", `${message.text()} (${message.location().url})`);
    });
    context.on("weberror", (error) => note("uncaught", String(error.error())));
    context.on("request", (request) => {
      const { protocol, origin } = new URL(request.url());
      if (/^https?:$/.test(protocol) && !this.#origins.includes(origin))
        note("request to another origin", request.url());
    });
  }
}

/** A consultation of the demo with some answers and replies, and the first of them with its psychologist. */
export type Talked = { id: string; title: string; answer: string; psychologist: { id: string; full_name: string } };

type Fixtures = {
  watch: Watch;
  /** Opens a browser of its own (cookies apart) for one more person; signed in at once when a role or an address is given. */
  someone(options?: BrowserContextOptions & { as?: Role; email?: string }): Promise<Page>;
  /** The demo's person for a journey that changes something. */
  own(journey: (typeof JOURNEYS)[number]): string;
  talked: Talked;
};

/** Another address of the machine itself, which alone may read the demo's mails: a whole run must not look like one house that signs in all the time. */
export const anotherAddress = () => `127.${randomInt(1, 256)}.${randomInt(256)}.${randomInt(256)}`;

type Cookies = BrowserContextOptions["storageState"];
type WorkerFixtures = { signedIn(email: string): Promise<Cookies>; signedInAs(role: Role): Promise<Cookies> };

/** Tests on the server with the demo community. A console error, a request to another origin or an exception fails any of them. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what a fixture needs
  baseURL: async ({}, use) => use(currentRun().url),

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what a fixture needs
  extraHTTPHeaders: async ({}, use) => use({ "x-forwarded-for": anotherAddress() }),

  watch: async ({ baseURL }, use) => {
    const watch = new Watch(new URL(baseURL!).origin);
    await use(watch);
    expect(watch.problems, "what the browsers complained about").toEqual([]);
  },

  context: async ({ context, watch }, use) => {
    watch.follow(context);
    await use(context);
  },

  someone: async ({ browser, watch, signedIn, signedInAs, extraHTTPHeaders }, use) => {
    const opened: BrowserContext[] = [];
    await use(async ({ as, email, ...options } = {}) => {
      const storageState = as ? await signedInAs(as) : email ? await signedIn(email) : undefined;
      const context = await browser.newContext({ extraHTTPHeaders, ...options, storageState });
      watch.follow(context);
      opened.push(context);
      const page = await context.newPage();
      await readMailsDirectly(page);
      return page;
    });
    await Promise.all(opened.map((context) => context.close()));
  },

  own: async ({ browserName: _ }, use, { project }) => {
    await use((journey) => mayAsk[1 + 2 * JOURNEYS.indexOf(journey) + (project.name === "phone" ? 0 : 1)]!);
  },

  talked: async ({ request }, use) => {
    const feed = await (await request.get("/api/consultations?sort=responses")).json();
    for (const { id, title } of feed.items) {
      const { answers } = await (await request.get(`/api/consultations/${id}`)).json();
      if (answers.length < 2 || !answers.some((answer: { replies: unknown[] }) => answer.replies.length)) continue;
      await use({ id, title, answer: answers[0].id, psychologist: answers[0].psychologist });
      return;
    }
    throw new Error("The demo has no consultation with answers and replies.");
  },

  // Signing in is a journey of its own; everywhere else it is a cookie.
  signedIn: [
    async ({ playwright }, use) => {
      // What a browser keeps of its last visit makes it known to the account: strangers' browsers may sign in a few times an hour.
      const kept = new Map<string, Cookies>();
      await use(async (email) => {
        const { url } = currentRun();
        const client = await playwright.request.newContext({
          baseURL: url,
          extraHTTPHeaders: { origin: url, "x-forwarded-for": anotherAddress() },
          storageState: kept.get(email),
        });
        const answer = await client.post("/api/session", { data: { email, password: DEMO_PASSWORD } });
        expect(answer.status(), await answer.text()).toBe(200);
        const cookies = await client.storageState();
        await client.dispose();
        kept.set(email, { ...cookies, cookies: cookies.cookies.filter(({ name }) => name !== "sid") });
        return cookies;
      });
    },
    { scope: "worker" },
  ],

  // One session per worker: who comes in a role changes nothing and does not sign out.
  signedInAs: [
    async ({ signedIn }, use) => {
      const sessions = new Map<Role, Promise<Cookies>>();
      await use((role) => {
        const session = sessions.get(role) ?? signedIn(currentRun().accounts[ROLES[role]]!);
        sessions.set(role, session);
        return session;
      });
    },
    { scope: "worker" },
  ],
});

/** Tests on a server of their own whose community has no one in it; `ADMIN_EMAIL` is set, and that is all. */
export const emptyCommunityTest = test.extend<{ emptyServer: { url: string } }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what a fixture needs
  emptyServer: async ({}, use) => {
    const folder = dataFolder();
    const database = await emptyDatabase(currentRun().administrativeUrl);
    // A database that exists already gets no fictional people; DEMO keeps its mails readable at /correo.
    const server = await startServer({ DATA_DIR: folder.path, DATABASE_URL: database.url, DEMO: "on" });
    await use({ url: server.url });
    await server.stop();
    await database.drop();
    folder.remove();
  },
  baseURL: async ({ emptyServer }, use) => use(emptyServer.url),
});

export { ADMIN_EMAIL, expect };

/** The window of a phone, as the project "phone" has it. */
export const PHONE = { width: 390, height: 844 };

/** The router's requests for the data of a page. */
export const DATA = /\.data(\?|$)/;

/** The session ends while the page stays open, as it does when another browser signs out everywhere. */
export const loseSession = (page: Page): Promise<void> => page.context().clearCookies({ name: "sid" });

/** Waits until the page is alive: what is clicked earlier works too, but as a plain link or form. */
export async function alive(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    Object.keys(document.querySelector("main") ?? {}).some((key) => key.startsWith("__reactFiber")),
  );
}

/** On /cuenta/segundo-paso, turns the second factor on; ends where the recovery codes are shown. */
export async function turnOnSecondFactor(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Empezar" }).click();
  const code = page.getByLabel("Código de 6 números");
  await expect(code).toBeVisible();
  await code.fill(codeAt((await page.locator("code").textContent())!, new Date()));
  await page.getByRole("button", { name: "Activar" }).click();
  await expect(page.getByRole("heading", { name: "Guarda tus códigos de recuperación" })).toBeVisible();
}

/** Holds back what a page asks for, until the returned function lets everything through. */
export async function holdBack(page: Page, what: RegExp): Promise<() => void> {
  const gate = Promise.withResolvers<void>();
  await page.route(what, async (route) => {
    await gate.promise;
    await route.continue();
  });
  return gate.resolve;
}

/** Opens the header's menu, whichever this width has. */
export async function openMenu(page: Page): Promise<void> {
  await page
    .getByRole("banner")
    .getByRole("button", { name: /^(Menú de|Abrir el menú)/ })
    .click();
}

export async function signOut(page: Page): Promise<void> {
  await openMenu(page);
  await page.getByRole("button", { name: "Cerrar Sesión", exact: true }).click();
}

/** Fills in and sends the form for signing in, wherever the page already is. */
export async function signIn(page: Page, email: string, password = DEMO_PASSWORD): Promise<void> {
  await page.getByLabel("Correo electrónico").fill(email);
  await page.getByLabel("Contraseña", { exact: true }).fill(password);
  await page.getByRole("main").getByRole("button", { name: "Iniciar Sesión" }).click();
}

export type Newcomer = { full_name: string; email: string; password: string };

/** Fills in the form for registering, down to the consents; the page shows it already. */
export async function fillRegistration(page: Page, { full_name, email, password }: Newcomer): Promise<void> {
  await page.getByLabel("Nombre completo").fill(full_name);
  await page.getByLabel("Correo electrónico").fill(email);
  await page.getByLabel("Contraseña", { exact: true }).fill(password);
  await page.getByLabel("Confirmar contraseña").fill(password);
  for (const consent of await page.getByRole("checkbox").all()) await consent.check();
}

/** Waits on /correo for a mail and returns its article. The page says "Buscar correos nuevos": that is a link, so it works without JavaScript. */
export async function mailTo(page: Page, address: string, subject: RegExp) {
  const mail = page
    .getByRole("article")
    .filter({ hasText: `Para ${address}` })
    .filter({ has: page.getByRole("heading", { name: subject }) });
  await expect(async () => {
    if (!(await mail.count())) await page.getByRole("link", { name: "Buscar correos nuevos" }).click();
    await expect(mail.first()).toBeVisible({ timeout: 500 });
  }).toPass();
  return mail.first();
}

/** A toast with these words. */
export const toast = (page: Page, words: string | RegExp) =>
  page.getByRole("region", { name: "Avisos" }).getByText(words);
