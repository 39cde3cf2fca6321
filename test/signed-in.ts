/** Users with a usable password, signed in on one or several devices. */
import { expect } from "vitest";
import { setPassword, signIn } from "./accounts.ts";
import type { TestApp, TestUser } from "./app.ts";
import { type Browser, openBrowser as openBrowserOf } from "./browser.ts";
import { uniqueEmail } from "./people.ts";

export const FIREFOX = "Mozilla/5.0 (Android 15; Mobile; rv:144.0) Gecko/144.0 Firefox/144.0";
const SAFARI =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1";

export const account = async (browser: Browser) => (await browser.call("GET", "/account")).body;

export function signedInSteps(app: TestApp) {
  async function owner(email = uniqueEmail()): Promise<TestUser> {
    const person = await app.person({ email });
    await setPassword(app, person);
    await app.sql("delete from sessions where account_id = $1", [person.id]);
    return person;
  }
  async function another(person: TestUser, userAgent = SAFARI): Promise<Browser> {
    const browser = openBrowserOf(app, { "user-agent": userAgent });
    expect((await signIn(browser, person.email)).status).toBe(200);
    return browser;
  }
  return {
    owner,
    another,
    /** Creates a user who has just signed in with their password. */
    async signedIn(email?: string, userAgent = FIREFOX) {
      const person = await owner(email);
      return { person, browser: await another(person, userAgent) };
    },
  };
}
