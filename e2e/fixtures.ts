import { randomInt } from "node:crypto";
import { type BrowserContext, type BrowserContextOptions, test as base, expect, type Page } from "@playwright/test";
import { LIMITS } from "#shared/limits.ts";
import { FULL_RUN } from "#test/full-run.ts";
import type { TestUser } from "#test/people.ts";
import community from "../server/demo/community.json" with { type: "json" };
import { currentRun } from "./server.ts";
import { recordToasts } from "./toast-recorder.ts";

export const DEMO_PASSWORD = "una-sala-tranquila";

const WEEK_HOURS = LIMITS.weeklyWindowDays * 24;
const asked = new Set(community.consultations.filter((one) => one.hours_ago < WEEK_HOURS).map((one) => one.author));
export const demoEmail = (key: string) => `${key}@divan.example`;

/** Demo users who may ask this week. No test uses the first one, because the start names it for visitors to try. */
const mayAsk = community.users.filter(({ key }) => !asked.has(key)).map(({ key }) => demoEmail(key));
/** A demo user who has asked this week. */
export const USER_AT_WEEKLY_LIMIT = demoEmail(community.users.find(({ key }) => asked.has(key))!.key);

/** Journeys that change data. Each has a separate user. */
const JOURNEYS = ["no-javascript", "keyboard", "draft", "two-tabs", "votes", "events", "question"] as const;

const ROLES = {
  admin: "administration",
  user: "user",
  gold: "psychologist with Gold",
  verified: "psychologist, verified",
  pending: "psychologist, pending",
} as const;
export type Role = keyof typeof ROLES;

/**
 * Sends requests for the demo's mails without the proxy's header, because only this machine may read them.
 *
 * Uses the DevTools protocol: with Playwright's routes the browser does not cache files, so pages are briefly unstyled.
 */
async function readMailsDirectly(page: Page): Promise<void> {
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

class Watch {
  readonly problems: string[] = [];
  readonly #expected: RegExp[] = [];
  readonly #origins: string[];

  constructor(origin: string) {
    this.#origins = [origin];
  }

  /** Expects that the server refuses a request with this status, which the browser logs on the console. */
  expectStatus(status: number): void {
    this.#expected.push(new RegExp(`responded with a status of ${status} `));
  }

  expectOrigin(url: string): void {
    this.#origins.push(new URL(url).origin);
  }

  expectFailedLoad(): void {
    this.#expected.push(/net::ERR_FAILED/);
  }

  /** Expects that the code of a page is missing, as after a deploy. */
  expectMissingCode(): void {
    this.expectStatus(404);
    this.#expected.push(/Error loading route module|Failed to fetch dynamically imported module/);
  }

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

/** A demo consultation with several answers and replies, and its first answer with the psychologist. */
export type ThreadFixture = {
  id: string;
  title: string;
  answer: string;
  psychologist: { id: string; full_name: string };
};

type Fixtures = {
  watch: Watch;
  /** Opens a browser with the options of the test and these, which closes with the test. */
  openContext(options?: BrowserContextOptions): Promise<BrowserContext>;
  /** Opens a page with separate cookies, signed in if a role or an email is given. */
  openPage(options?: BrowserContextOptions & { as?: Role; email?: string }): Promise<Page>;
  own(journey: (typeof JOURNEYS)[number]): string;
  threadFixture: ThreadFixture;
};

/**
 * Returns a random loopback address. The demo shows its mails only to this machine, and a single address would reach
 * rate limits.
 */
export const randomLoopbackIp = () => `127.${randomInt(1, 256)}.${randomInt(256)}.${randomInt(256)}`;

type Cookies = BrowserContextOptions["storageState"];
type WorkerFixtures = { signedIn(email: string): Promise<Cookies>; signedInAs(role: Role): Promise<Cookies> };

/**
 * Tests on the server with the demo community. A console error, an exception or a request to another origin fails the
 * test.
 */
export const test = base.extend<Fixtures, WorkerFixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what a fixture needs
  baseURL: async ({}, use) => use(currentRun().url),

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what a fixture needs
  extraHTTPHeaders: async ({}, use) => use({ "x-forwarded-for": randomLoopbackIp() }),

  watch: async ({ baseURL }, use) => {
    const watch = new Watch(new URL(baseURL!).origin);
    await use(watch);
    expect(watch.problems, "problems in the browsers").toEqual([]);
  },

  context: async ({ context, watch }, use) => {
    watch.follow(context);
    await use(context);
  },

  openContext: async ({ browser, watch }, use) => {
    const opened: BrowserContext[] = [];
    await use(async (options) => {
      const context = await browser.newContext(options);
      watch.follow(context);
      opened.push(context);
      return context;
    });
    await Promise.all(opened.map((context) => context.close()));
  },

  openPage: async ({ openContext, signedIn, signedInAs, extraHTTPHeaders }, use) => {
    await use(async ({ as, email, ...options } = {}) => {
      const storageState = as ? await signedInAs(as) : email ? await signedIn(email) : undefined;
      const context = await openContext({ extraHTTPHeaders, ...options, storageState });
      return context.newPage();
    });
  },

  own: async ({ browserName: _ }, use) => {
    await use((journey) => mayAsk[1 + JOURNEYS.indexOf(journey)]!);
  },

  threadFixture: async ({ request }, use) => {
    const feed = await (await request.get("/api/consultations?sort=responses")).json();
    for (const { id, title } of feed.items) {
      const { answers } = await (await request.get(`/api/consultations/${id}`)).json();
      if (answers.length < 2 || !answers.some((answer: { replies: unknown[] }) => answer.replies.length)) continue;
      await use({ id, title, answer: answers[0].id, psychologist: answers[0].psychologist });
      return;
    }
    throw new Error("The demo has no consultation with answers and replies.");
  },

  // Only the tests of the sign-in use its form. All others get a session cookie.
  signedIn: [
    async ({ playwright }, use) => {
      // Retains the cookies that make the browser a known device, because unknown devices may sign in only a few times
      // per hour.
      const kept = new Map<string, Cookies>();
      await use(async (email) => {
        const { url } = currentRun();
        const client = await playwright.request.newContext({
          baseURL: url,
          extraHTTPHeaders: { origin: url, "x-forwarded-for": randomLoopbackIp() },
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

  // One session per worker and role. Tests with a role do not change data or sign out.
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

/** A test that only the full run includes. A shorter test or a server test detects the same defect. */
export const detail: typeof test.only = FULL_RUN ? test : test.skip;

export { expect };

export const PHONE = { width: 390, height: 844 };

export const PHONE_DEVICE = { viewport: PHONE, isMobile: true, hasTouch: true };

/** Matches the router's data requests. */
export const DATA = /\.data(\?|$)/;

export function sessionCookie({ cookie }: Pick<TestUser, "cookie">, url: string) {
  const [name, value] = cookie.split("=") as [string, string];
  return { name, value, url };
}

/** Removes the session cookie while the page is open, as if the session had ended in another browser. */
export const deleteSessionCookie = (page: Page): Promise<void> => page.context().clearCookies({ name: "sid" });

/** Waits until the page, or a lazy part of it, is hydrated. Earlier clicks act on plain links and forms. */
export async function waitForHydration(page: Page, selector = "main"): Promise<void> {
  await page.waitForFunction(
    (part) => Object.keys(document.querySelector(part) ?? {}).some((key) => key.startsWith("__reactFiber")),
    selector,
  );
}

/** Opens a path and waits until the page is hydrated. */
export async function goTo(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await waitForHydration(page);
}

/** Delays a page's requests. @returns a function that continues them */
export async function holdRequests(page: Page, what: RegExp): Promise<() => void> {
  const gate = Promise.withResolvers<void>();
  await page.route(what, async (route) => {
    await gate.promise;
    await route.fallback();
  });
  return gate.resolve;
}

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

export async function signIn(page: Page, email: string, password = DEMO_PASSWORD): Promise<void> {
  await page.getByLabel("Correo electrónico").fill(email);
  await page.getByLabel("Contraseña", { exact: true }).fill(password);
  await page.getByRole("main").getByRole("button", { name: "Iniciar Sesión" }).click();
}

type Newcomer = { full_name: string; email: string; password: string };

export async function fillRegistration(page: Page, { full_name, email, password }: Newcomer): Promise<void> {
  await page.getByLabel("Nombre completo").fill(full_name);
  await page.getByLabel("Correo electrónico").fill(email);
  await page.getByLabel("Contraseña", { exact: true }).fill(password);
  await page.getByLabel("Confirmar contraseña").fill(password);
  for (const consent of await page.getByRole("checkbox").all()) await consent.check();
}

/**
 * Waits for a mail on /correo and returns its article. Reloads with the link "Buscar correos nuevos", which works
 * without JavaScript.
 */
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

export const toast = (page: Page, words: string | RegExp) =>
  page.getByRole("region", { name: "Avisos" }).getByText(words);
