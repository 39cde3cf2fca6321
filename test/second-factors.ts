import { expect } from "vitest";
import { signIn } from "./accounts.ts";
import type { TestApp, TestUser } from "./app.ts";
import { type Browser, openBrowser as openBrowserOf } from "./browser.ts";
import type { openMailbox } from "./mailbox.ts";
import { signedInSteps } from "./signed-in.ts";
import { codeAt } from "./totp.ts";

/** Validity of one authenticator code, in milliseconds. */
export const STEP = 30_000;

export const sendCode = (browser: Browser, code: string) => browser.call("POST", "/session/second-factor", { code });

/** Steps that turn on a second factor, or sign in up to the request of the code. */
export function secondFactorSteps(app: TestApp, mailbox: ReturnType<typeof openMailbox>) {
  const { signedIn } = signedInSteps(app);
  const mailsTo = (address: string) => mailbox.to(app, address);
  return {
    signedIn,
    mailsTo,
    subjects: async (address: string) => (await mailsTo(address)).map((mail) => mail.subject),
    /** Creates a user who turned on the second factor at a fixed time. */
    async withFactor(at = new Date()) {
      app.setNow(at);
      const { person, browser } = await signedIn();
      const begun = await browser.call("POST", "/account/second-factor", {});
      const secret: string = begun.body.setup.secret;
      const confirmed = await browser.call("PUT", "/account/second-factor", { code: codeAt(secret, at) });
      expect(confirmed.status, confirmed.text).toBe(200);
      const codes: string[] = confirmed.body.recovery_codes;
      // Returns the next code, because the current code was used.
      const next = () => {
        const later = new Date(at.getTime() + STEP);
        app.setNow(later);
        return codeAt(secret, later);
      };
      return { person, browser, secret, codes, next, at };
    },
    /** Opens a browser that has sent the password and waits for the code. */
    async challenged(person: TestUser): Promise<Browser> {
      const browser = openBrowserOf(app);
      const answer = await signIn(browser, person.email);
      expect(answer).toMatchObject({ status: 200, body: { user: null, second_factor_required: true } });
      return browser;
    },
  };
}
