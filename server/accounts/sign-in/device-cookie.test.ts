import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { setUpRateLimitedApp, signIn, signOut } from "#test/attempts.ts";
import { uniqueEmail } from "#test/people.ts";

const { app, openBrowser, owner, wrong, known, exhaustAttempts } = setUpRateLimitedApp();

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

  test("stays out of the database, where attempts contain no email", async () => {
    const { person, browser } = await known();
    await wrong(person.email);
    await wrong(person.email, browser);
    const values = browser.jar.get("device")!.split(".");
    for (const table of ["known_devices", "rate_limits", "presses", "sessions"]) {
      const rows = JSON.stringify(await app.sql(`select t::text from ${table} t`));
      for (const value of values) {
        expect(rows).not.toContain(value);
        expect(rows).not.toContain(Buffer.from(value, "base64url").toString("hex"));
      }
      expect(rows).not.toContain(person.email);
    }
  });

  test("gets the same shape for 0 to 6 users of a browser", async () => {
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
