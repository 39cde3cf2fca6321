import { type BrowserContext, type BrowserContextOptions, test as base, expect, type Page } from "@playwright/test";
import { LIMITS } from "#shared/limits.ts";
import { FULL_RUN } from "#test/full-run.ts";
import { connected } from "#test/load.ts";
import { insertSession, insertUser, type TestUser } from "#test/people.ts";
import community from "../server/demo/community.json" with { type: "json" };
import { currentRun } from "./server.ts";
import { recordToasts } from "./toast-recorder.ts";

export const DEMO_PASSWORD = "una-sala-tranquila";

const WEEK_HOURS = LIMITS.weeklyWindowDays * 24;
export const demoEmail = (key: string): Email => `${key}@divan.example`;
/** A demo user who has asked this week. */
export const USER_AT_WEEKLY_LIMIT = demoEmail(
  community.consultations.find((one) => one.hours_ago < WEEK_HOURS)!.author,
);

const ROLES = {
  admin: "administration",
  user: "user",
  gold: "psychologist with Gold",
  verified: "psychologist, verified",
  pending: "psychologist, pending",
} as const;
type Role = keyof typeof ROLES;
type Email = `${string}@${string}`;
export type Viewer = "visitor" | Role | Email;

/** Adds a user with the password of the demo, for a journey that changes data. */
export const demoUser = (): Promise<TestUser> =>
  connected(currentRun().databaseUrl, async (client) => {
    const user = await insertUser((text, values) => client.query(text, values));
    await client.query(
      `update accounts set password_hash = demo.password_hash from accounts demo
       where accounts.id = $1 and demo.id = (select id from profiles where email = $2)`,
      [user.id, USER_AT_WEEKLY_LIMIT],
    );
    return user;
  });

class Watch {
  readonly problems: string[] = [];
  /** Only tests cause these: they abort a request or take the network away. */
  readonly #expected: RegExp[] = [/net::ERR_(FAILED|INTERNET_DISCONNECTED)/];
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

  /** Expects that the code of a page is missing, as after a deploy. */
  expectMissingCode(): void {
    this.expectStatus(404);
    this.#expected.push(/Error loading route module|Failed to fetch dynamically imported module/);
  }

  async follow(context: BrowserContext): Promise<void> {
    await context.addInitScript(recordToasts);
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
  /** Starts a session of a user, named by a role or an email. Only the tests of the sign-in use its form. */
  cookieOf(user: Role | Email): Promise<string>;
  /** Opens a path in a private browser and waits until the page is hydrated, unless it runs no JavaScript. */
  visit(viewer: Viewer | TestUser, path: string, options?: BrowserContextOptions): Promise<Page>;
  threadFixture: ThreadFixture;
};

/**
 * Tests on the server with the demo community. A console error, an exception or a request to another origin fails the
 * test.
 */
export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what a fixture needs
  baseURL: async ({}, use) => use(currentRun().url),

  watch: async ({ baseURL }, use) => {
    const watch = new Watch(new URL(baseURL!).origin);
    await use(watch);
    expect(watch.problems, "problems in the browsers").toEqual([]);
  },

  context: async ({ context, watch }, use) => {
    await watch.follow(context);
    await use(context);
  },

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what a fixture needs
  cookieOf: async ({}, use) => {
    const { databaseUrl, accounts } = currentRun();
    await use((user) =>
      connected(databaseUrl, async (client) => {
        const email = user in ROLES ? accounts[ROLES[user as Role]] : user;
        const { rows } = await client.query("select id from profiles where email = $1", [email]);
        return insertSession((text, values) => client.query(text, values), rows[0].id);
      }),
    );
  },

  visit: async ({ browser, watch, cookieOf, baseURL, javaScriptEnabled: scripts }, use) => {
    const opened: BrowserContext[] = [];
    await use(async (viewer, path, { javaScriptEnabled = scripts, ...options } = {}) => {
      const context = await browser.newContext({ javaScriptEnabled, ...options });
      opened.push(context);
      await watch.follow(context);
      if (viewer !== "visitor") {
        const cookie = typeof viewer === "string" ? await cookieOf(viewer) : viewer.cookie;
        await context.addCookies([sessionCookie({ cookie }, baseURL!)]);
      }
      const page = await context.newPage();
      await page.goto(path);
      if (path !== "about:blank" && javaScriptEnabled) await waitForHydration(page);
      return page;
    });
    await Promise.all(opened.map((context) => context.close()));
  },

  threadFixture: async ({ request }, use) => {
    const { items } = await (await request.get("/api/consultations?sort=responses")).json();
    const [{ id, title }] = items;
    const { answers } = await (await request.get(`/api/consultations/${id}`)).json();
    await use({ id, title, answer: answers[0].id, psychologist: answers[0].psychologist });
  },
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

/** Simulates a return to the tab, which reloads the data of the page. */
export const comeBack = (page: Page) => page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));

/** Stops the clock of an open page. Its timers then wait for `page.clock.runFor`. */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
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

export async function fillRegistration(page: Page, name: string, email: string): Promise<void> {
  await page.getByLabel("Nombre completo").fill(name);
  await page.getByLabel("Correo electrónico").fill(email);
  await page.getByLabel("Contraseña", { exact: true }).fill(DEMO_PASSWORD);
  await page.getByLabel("Confirmar contraseña").fill(DEMO_PASSWORD);
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

/** Locates the toast with a title, including its description. */
export const toast = (page: Page, words: string) =>
  page.getByRole("region", { name: "Avisos" }).locator(".toast").filter({ hasText: words });
