import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { DAY, MINUTE, SECOND } from "#shared/time.ts";
import { signIn } from "#test/accounts.ts";
import type { Answer, TestUser } from "#test/app.ts";
import { setUpRateLimitedApp, signOut } from "#test/attempts.ts";
import type { Browser } from "#test/browser.ts";
import { tokenIn } from "#test/mailbox.ts";
import { NEW, twice, uniqueEmail } from "#test/people.ts";
import { KNOWN_DEVICES } from "../../sessions/rules.ts";

const { app, mailbox, openBrowser, owner, wrong, later, known, exhaustAttempts, knownDeviceRows } =
  setUpRateLimitedApp();

describe("known browser", () => {
  test("allows 10 wrong passwords per 15 min", async () => {
    const { person, browser } = await known();
    const again = () => wrong(person.email, browser);
    for (let tries = 0; tries < 10; tries++) expect((await again()).status).toBe(400);
    // A refused attempt does not compare the password or extend the wait.
    const refused = await signIn(browser, person.email);
    expect(refused).toMatchObject({ status: 429, body: { code: "too_many_requests" } });
    expect(refused.headers.get("retry-after")).toBe("900");
    later(15 * MINUTE - 1);
    expect((await again()).status).toBe(429);
    later(1);
    for (let tries = 0; tries < 10; tries++) expect((await again()).status).toBe(400);
    expect((await again()).status).toBe(429);
  });

  test("allows 100 wrong passwords per day", async () => {
    const { person, browser } = await known();
    const again = () => wrong(person.email, browser);
    await app.sql("delete from rate_limits");
    expect((await again()).status).toBe(400);
    await app.sql("update rate_limits set points = 99 where key like 'password\\_device\\_day:%'");
    later(15 * MINUTE);
    expect((await again()).status).toBe(400);
    const counted = () => app.sql("select key, points from rate_limits order by key");
    const before = await counted();
    expect((await again()).headers.get("retry-after")).toBe(String((DAY - 15 * MINUTE) / SECOND));
    expect(await counted()).toEqual(before);
    later(DAY - 15 * MINUTE);
    expect((await again()).status).toBe(400);
  });

  test("uses up no limits of the email or of the network", async () => {
    const { person, browser } = await known();
    await app.sql("delete from rate_limits");
    for (let tries = 0; tries < 12; tries++) await wrong(person.email, browser);
    const kinds = await app.sql<{ kind: string }>("select split_part(key, ':', 1) as kind from rate_limits order by 1");
    expect(kinds.map(({ kind }) => kind)).toEqual(["password_device", "password_device_day"]);
    expect((await signIn(openBrowser(), person.email)).status).toBe(200);
  });

  test("gets a new cookie value at every sign-in, which invalidates the old one", async () => {
    const { person, browser } = await known();
    const before = browser.jar.get("device")!;
    await signIn(browser, person.email);
    const after = browser.jar.get("device")!;
    expect(after.split(".")[0]).toMatch(/^[\w-]{43}$/);
    expect(after.split(".")).not.toContain(before.split(".")[0]);
    expect(await knownDeviceRows(person)).toHaveLength(1);
    await exhaustAttempts(person.email);
    const thief = openBrowser();
    thief.jar.set("device", before);
    expect((await signIn(thief, person.email)).status).toBe(429);
    expect((await signIn(browser, person.email)).status).toBe(200);
  });

  test("replaces the one with the oldest last sign-in of 12 on one day", async () => {
    const person = await owner();
    const browsers = Array.from({ length: 12 }, () => openBrowser());
    // The second sign-in of the first browser makes it newer than the others.
    for (const browser of browsers.toSpliced(9, 0, browsers[0]!)) {
      expect((await signIn(browser, person.email)).status).toBe(200);
      // Unknown browsers share a limit per hour.
      later(40 * MINUTE);
    }
    expect(await knownDeviceRows(person)).toHaveLength(KNOWN_DEVICES.perAccount);
    await exhaustAttempts(person.email);
    const statuses: number[] = [];
    for (const browser of browsers) statuses.push((await wrong(person.email, browser)).status);
    expect(statuses).toEqual([400, 429, 429, ...Array(9).fill(400)]);
  });

  test("stays known after signing out unless the user asks to delete it", async () => {
    const { person, browser } = await known();
    expect(await knownDeviceRows(person)).toHaveLength(1);
    await signIn(browser, person.email);
    const other = await owner();
    await signIn(browser, other.email);
    await signIn(browser, person.email);
    const sent = await browser.form("/salir", { scope: "this", forget: "device" });
    expect(sent.status).toBe(302);
    expect(await knownDeviceRows(person)).toEqual([]);
    expect(await browser.viewer()).toBeNull();
    // The other user of the browser can still sign in there.
    await exhaustAttempts(other.email);
    expect((await signIn(browser, other.email)).status).toBe(200);
  });
});

describe("known devices of an account", () => {
  const changePassword = (browser: Browser) => browser.call("PUT", "/account/password", twice(NEW));
  async function recover(person: TestUser, browser: Browser) {
    await browser.call("POST", "/recoveries", { email: person.email });
    const token = tokenIn((await mailbox.to(app, person.email)).at(-1)!);
    return browser.call("PUT", "/password", { token, ...twice(NEW) });
  }

  test.each<[string, (person: TestUser, browser: Browser, other: Browser) => Promise<Answer>, boolean[]]>([
    ["the other sessions are ended", (_, browser) => signOut(browser, { scope: "others" }), [true, false]],
    ["all sessions are ended", (_, browser) => signOut(browser, { scope: "all" }), [true, false]],
    ["the password is changed", (_, browser) => changePassword(browser), [true, false]],
    [
      "the password is recovered, known before or not",
      (person, _, other) => {
        other.jar.clear();
        return recover(person, other);
      },
      [false, true],
    ],
  ])("leaves only the browser in which %s", async (_what, act, expected) => {
    const { person, browser: other } = await known();
    const browser = openBrowser();
    await signIn(browser, person.email);
    expect(await knownDeviceRows(person)).toHaveLength(2);
    expect((await act(person, browser, other)).status).toBe(200);
    expect(await knownDeviceRows(person)).toHaveLength(1);
    // Only a known browser may try a password although unknown devices are paused.
    await exhaustAttempts(person.email);
    const isKnown = async (one: Browser) => (await wrong(person.email, one)).status === 400;
    expect([await isKnown(browser), await isKnown(other)]).toEqual(expected);
  });
});

describe("device cookie", () => {
  test("sets one random value for every browser that opens the sign-in page", async () => {
    const unregistered = uniqueEmail();
    for (const browser of [openBrowser(), openBrowser()]) {
      const page = await browser.page("/auth");
      const [line] = page.headers.getSetCookie();
      expect(line).toMatch(/^device=[\w-]{43}(\.[\w-]{43}){4}; Max-Age=15552000; Path=\/; SameSite=Lax; HttpOnly$/);
      expect(page.headers.get("cache-control")).toBe("private, no-store");
      // The browser already has a cookie.
      expect((await browser.page("/auth?modo=registro")).headers.getSetCookie()).toEqual([]);
    }
    const browser = openBrowser();
    expect((await wrong(unregistered, browser)).headers.getSetCookie()).toHaveLength(1);
    expect((await wrong(unregistered, browser)).headers.getSetCookie()).toEqual([]);
    for (const path of ["/", "/ayuda", "/auth/recuperar", "/privacy"])
      expect((await openBrowser().page(path)).headers.getSetCookie()).toEqual([]);
  });

  test("ignores a malformed value", async () => {
    const person = await owner();
    await exhaustAttempts(person.email);
    const long = Array.from({ length: 100 }, () => randomBytes(32).toString("base64url")).join(".");
    for (const value of ["", ".", "x", `${"a".repeat(43)}.`, "'; select", long]) {
      const browser = openBrowser();
      browser.jar.set("device", value);
      expect((await signIn(browser, person.email)).status).toBe(429);
    }
  });
});
