import { expect } from "vitest";
import { hashPassword } from "#server/accounts/password.ts";
import type { TestApp, TestUser } from "./app.ts";
import { type Browser, openBrowser as openBrowserOf } from "./browser.ts";
import { type openMailbox, tokenIn } from "./mailbox.ts";
import { PASSWORD, registration, uniqueEmail } from "./people.ts";
import { setUpTestAppWithMailbox } from "./suite-setup.ts";
import { retryWhileBusy } from "./threads.ts";
import { codeAt } from "./totp.ts";

export const PSYCHOLOGIST_FIELDS = {
  license_number: "MP 7788",
  specialty: "Neuropsicología",
  country: "Uruguay",
  bio: "Atiendo desde 2010.\nTambién en línea.",
  phone: "+598 99 123 456",
  whatsapp: "+598 99 654 321",
};

export const psychologistRegistration = (email: string, more: Record<string, unknown> = {}) =>
  registration(email, {
    user_type: "psychologist",
    ...PSYCHOLOGIST_FIELDS,
    ...more,
  });

/** Input of a confirmation in another browser than the registration's. */
export const confirmationFromOtherBrowser = (password: string, more: Record<string, unknown> = {}) => {
  const { email: _, ...person } = registration("", { password, confirm_password: password, ...more });
  return person;
};

export async function setPassword(app: TestApp, { id }: TestUser, password = PASSWORD): Promise<void> {
  await app.sql("update accounts set password_hash = $2 where id = $1", [id, await hashPassword(password)]);
}

/** Retries if the server is busy, because a loaded machine refuses some of many concurrent sign-ins. */
export const signIn = (browser: Browser, email: string, password = PASSWORD) =>
  retryWhileBusy(() => browser.call("POST", "/session", { email, password }));
export const sendCode = (browser: Browser, code: string) => browser.call("POST", "/session/second-factor", { code });
export const account = async (browser: Browser) => (await browser.call("GET", "/account")).body;

export const FIREFOX = "Mozilla/5.0 (Android 15; Mobile; rv:144.0) Gecko/144.0 Firefox/144.0";
const SAFARI =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1";

/** Validity of one authenticator code, in milliseconds. */
export const STEP = 30_000;

export function accountSteps(app: TestApp, mailbox: ReturnType<typeof openMailbox>) {
  const openBrowser = () => openBrowserOf(app);
  const newestToken = async (address: string): Promise<string> =>
    tokenIn((await mailbox.to(app, address)).findLast((mail) => mail.text.includes("?token="))!);
  /** Creates a user with a confirmed account and a usable password. */
  async function owner(email = uniqueEmail(), password = PASSWORD): Promise<TestUser> {
    const person = await app.person({ email });
    await setPassword(app, person, password);
    return person;
  }
  /** Signs a user in on another device. */
  async function another(person: TestUser, userAgent = SAFARI): Promise<Browser> {
    const browser = openBrowserOf(app, { "user-agent": userAgent });
    expect((await signIn(browser, person.email)).status).toBe(200);
    return browser;
  }
  /** Creates a user who has just signed in with their password, in their only session. */
  async function signedIn(email?: string) {
    const person = await owner(email);
    await app.sql("delete from sessions where account_id = $1", [person.id]);
    return { person, browser: await another(person, FIREFOX) };
  }
  return {
    openBrowser,
    newestToken,
    owner,
    another,
    signedIn,
    subjects: async (address: string) => (await mailbox.to(app, address)).map((mail) => mail.subject),
    /** Registers in a browser and returns the token of the confirmation link in the mail. */
    async register(browser: Browser, input: Record<string, unknown>): Promise<string> {
      const answer = await browser.call("POST", "/registrations", input);
      expect(answer.status, answer.text).toBe(202);
      return newestToken(input.email as string);
    },
    viewerOf: async (cookie: string) =>
      (await app.call("GET", "/session", undefined, null, { cookie })).body.user?.id ?? null,
    profilesOf: (email: string) =>
      app.sql<{ id: string; full_name: string; user_type: string }>("select * from profiles where email = $1", [email]),
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
      const browser = openBrowser();
      const answer = await signIn(browser, person.email);
      expect(answer).toMatchObject({ status: 200, body: { user: null, second_factor_required: true } });
      return browser;
    },
  };
}

export function setUpAccounts() {
  const suite = setUpTestAppWithMailbox();
  return { ...suite, ...accountSteps(suite.app, suite.mailbox) };
}
