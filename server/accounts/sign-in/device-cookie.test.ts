import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { openTestApp, type Person, type TestApp } from "#test/app.ts";
import { type Browser, openBrowser as openBrowserOf } from "#test/browser.ts";
import { openMailbox } from "#test/mailbox.ts";
import { freshAddress, PASSWORD } from "#test/people.ts";
import { ATTEMPT_LIMITS } from "../../limits/rules.ts";
import { hashPassword } from "../password.ts";

// Hundreds of passwords are hashed here, on a machine that may be busy.
vi.setConfig({ testTimeout: 180_000 });

let app: TestApp;
let hash: string;
const mailbox = openMailbox();
beforeAll(async () => {
  // The test itself is the trusted proxy, so that it can come from any address.
  app = await openTestApp({
    limits: true,
    environment: { TRUSTED_PROXIES: "127.0.0.1" },
    overrides: { mailer: mailbox.mailer },
  });
  hash = await hashPassword(PASSWORD);
});
afterAll(() => app.close());
beforeEach(() => {
  app.setNow(NOON);
  mailbox.sent.length = 0;
});
/** The clock stands unless a test moves it: windows end with the hour and the day. */
const NOON = new Date("2027-03-04T12:00:00Z");
const MOST = ATTEMPT_LIMITS.unknownDevices.hour.base + ATTEMPT_LIMITS.unknownDevices.hour.jitter - 1;

let senders = 0;
/** A network of stolen machines, or one person in one place: never an address that others of these tests use. */
const openBrowser = () => {
  senders++;
  return openBrowserOf(app, { "x-forwarded-for": `10.7.${senders >> 8}.${senders & 255}` });
};

/** A user with a password that works, signed in nowhere. */
async function owner(email = freshAddress()): Promise<Person> {
  const person = await app.person({ email });
  await app.sql("update accounts set password_hash = $2 where id = $1", [person.id, hash]);
  await app.sql("delete from sessions where account_id = $1", [person.id]);
  return person;
}
const signIn = (browser: Browser, email: string, password = PASSWORD) =>
  browser.call("POST", "/session", { email, password });
const wrong = (email: string, browser = openBrowser()) => signIn(browser, email, "otra cosa larga");
const signOut = (browser: Browser, more: Record<string, unknown> = {}) => browser.call("DELETE", "/session", more);
/** Someone, and a browser in which they once signed in. */
async function known(email?: string): Promise<{ person: Person; browser: Browser }> {
  const person = await owner(email);
  const browser = openBrowser();
  expect((await signIn(browser, person.email)).status).toBe(200);
  await signOut(browser);
  return { person, browser };
}
/** Uses up the attempts of unknown devices in this hour. @returns how often a password was compared */
async function exhaust(email: string): Promise<number> {
  for (let tries = 0; tries <= MOST; tries++) {
    const answer = await wrong(email);
    if (answer.status === 429) return tries;
    expect(answer.status).toBe(400);
  }
  return expect.fail("Strangers may try without end.");
}

describe("the cookie", () => {
  test("is given to every browser that opens the page of signing in, and says nothing", async () => {
    const unregistered = freshAddress();
    for (const browser of [openBrowser(), openBrowser()]) {
      const page = await browser.page("/auth");
      const [line] = page.headers.getSetCookie();
      expect(line).toMatch(/^device=[\w-]{43}(\.[\w-]{43}){4}; Max-Age=15552000; Path=\/; SameSite=Lax; HttpOnly$/);
      expect(page.headers.get("cache-control")).toBe("private, no-store");
      // Once.
      expect((await browser.page("/auth?modo=registro")).headers.getSetCookie()).toEqual([]);
    }
    const browser = openBrowser();
    expect((await wrong(unregistered, browser)).headers.getSetCookie()).toHaveLength(1);
    expect((await wrong(unregistered, browser)).headers.getSetCookie()).toEqual([]);
    for (const path of ["/", "/ayuda", "/auth/recuperar", "/privacy"])
      expect((await openBrowser().page(path)).headers.getSetCookie()).toEqual([]);
  });

  test("with anything else in it is no cookie", async () => {
    const person = await owner();
    await exhaust(person.email);
    const long = Array.from({ length: 100 }, () => randomBytes(32).toString("base64url")).join(".");
    for (const value of ["", ".", "x", `${"a".repeat(43)}.`, "'; select", long]) {
      const browser = openBrowser();
      browser.jar.set("device", value);
      expect((await signIn(browser, person.email)).status).toBe(429);
    }
  });

  test("over https is only for this host", async () => {
    const secure = await openTestApp({ environment: { PUBLIC_URL: "https://divan.example" } });
    try {
      const answer = await secure.page("/auth");
      expect(answer.headers.getSetCookie()[0]).toMatch(
        /^__Host-device=[\w-]{43}(\.[\w-]{43}){4}; Max-Age=15552000; Path=\/; SameSite=Lax; HttpOnly; Secure$/,
      );
    } finally {
      await secure.close();
    }
  });

  test("stands nowhere in the database, nor does an address in what is counted", async () => {
    const { person, browser } = await known();
    await wrong(person.email);
    await wrong(person.email, browser);
    const values = browser.jar.get("device")!.split(".");
    for (const table of ["known_devices", "device_attempts", "stranger_attempts", "sessions"]) {
      const rows = JSON.stringify(await app.sql(`select t::text from ${table} t`));
      for (const value of values) {
        expect(rows).not.toContain(value);
        expect(rows).not.toContain(Buffer.from(value, "base64url").toString("hex"));
      }
      expect(rows).not.toContain(person.email);
    }
  });

  test("looks the same however many people share the browser", async () => {
    const browser = openBrowser();
    await browser.page("/auth");
    const shapes = [browser.jar.get("device")!];
    for (let people = 1; people <= 6; people++) {
      const person = await owner();
      expect((await signIn(browser, person.email)).status).toBe(200);
      await signOut(browser);
      shapes.push(browser.jar.get("device")!);
    }
    expect(new Set(shapes).size).toBe(7);
    expect(new Set(shapes.map((value) => value.replace(/[\w-]/g, "x"))).size).toBe(1);
  });
});
