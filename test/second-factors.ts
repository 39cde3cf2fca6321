import { expect } from "vitest";
import { setPassword, signIn } from "./accounts.ts";
import type { Person, TestApp } from "./app.ts";
import { type Browser, openBrowser as openBrowserOf } from "./browser.ts";
import type { openMailbox } from "./mailbox.ts";
import { freshAddress } from "./people.ts";
import { codeAt } from "./totp.ts";

/** The time in which an authenticator shows one code. */
export const STEP = 30_000;

export const sendCode = (browser: Browser, code: string) => browser.call("POST", "/session/second-factor", { code });

/** How people come to a second factor, and to the moment at which it is asked for. */
export function secondFactorSteps(app: TestApp, mailbox: ReturnType<typeof openMailbox>) {
  /** A user with a password that works, signed in just now. */
  async function signedIn(on = app, email = freshAddress()) {
    const person = await on.person({ email });
    await setPassword(on, person);
    await on.sql("delete from sessions where account_id = $1", [person.id]);
    const browser = openBrowserOf(on);
    expect((await signIn(browser, email)).status).toBe(200);
    return { person, browser };
  }
  const mailsTo = (address: string) => mailbox.to(app, address);
  return {
    signedIn,
    mailsTo,
    /** What the mails to an address are about. */
    subjects: async (address: string) => (await mailsTo(address)).map((mail) => mail.subject),
    /** Someone whose second factor is on since a moment at which the clock stays. */
    async withFactor(at = new Date()) {
      app.setNow(at);
      const { person, browser } = await signedIn();
      const begun = await browser.call("POST", "/account/second-factor", {});
      const secret: string = begun.body.setup.secret;
      const confirmed = await browser.call("PUT", "/account/second-factor", { code: codeAt(secret, at) });
      expect(confirmed.status, confirmed.text).toBe(200);
      const codes: string[] = confirmed.body.recovery_codes;
      // The next code, since the one of this half minute is used.
      const next = () => {
        const later = new Date(at.getTime() + STEP);
        app.setNow(later);
        return codeAt(secret, later);
      };
      return { person, browser, secret, codes, next, at };
    },
    /** A browser in which the password of someone was given, and which waits for the code. */
    async challenged(person: Person): Promise<Browser> {
      const browser = openBrowserOf(app);
      const answer = await signIn(browser, person.email);
      expect(answer).toMatchObject({ status: 200, body: { user: null, second_factor_required: true } });
      return browser;
    },
  };
}
