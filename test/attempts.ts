import { expect } from "vitest";
import { hashPassword } from "#server/accounts/password.ts";
import { ATTEMPT_LIMITS } from "#server/limits/rules.ts";
import { openTestApp, type Person, type TestApp } from "./app.ts";
import { type Browser, openBrowser as openBrowserOf } from "./browser.ts";
import type { openMailbox } from "./mailbox.ts";
import { freshAddress, PASSWORD } from "./people.ts";
import { insist } from "./threads.ts";

/** The clock stands unless a test moves it: windows end with the hour and the day. */
export const NOON = new Date("2027-03-04T12:00:00Z");
/** One more attempt than this of unknown devices in an hour is refused in any case. */
export const MOST = ATTEMPT_LIMITS.unknownDevices.hour.base + ATTEMPT_LIMITS.unknownDevices.hour.jitter - 1;

/** An application with its limits. The test itself is the trusted proxy, so that it can come from any address. */
export const openLimitedApp = ({ mailer }: ReturnType<typeof openMailbox>) =>
  openTestApp({ limits: true, environment: { TRUSTED_PROXIES: "127.0.0.1" }, overrides: { mailer } });

/** On a machine that is busy with other things some of many at once are told to come again, and do. */
export const signIn = (browser: Browser, email: string, password = PASSWORD) =>
  insist(() => browser.call("POST", "/session", { email, password }));
export const signOut = (browser: Browser, more: Record<string, unknown> = {}) =>
  browser.call("DELETE", "/session", more);

/** People who sign in, and others who guess at their passwords. */
export function attemptSteps(app: () => TestApp) {
  let senders = 0;
  let hash: Promise<string> | undefined;
  /** A network of stolen machines, or one person in one place: never an address that others of these tests use. */
  const openBrowser = () => {
    senders++;
    return openBrowserOf(app(), { "x-forwarded-for": `10.7.${senders >> 8}.${senders & 255}` });
  };
  /** A user with a password that works, signed in nowhere. */
  async function owner(email = freshAddress()): Promise<Person> {
    hash ??= hashPassword(PASSWORD);
    const person = await app().person({ email });
    await app().sql("update accounts set password_hash = $2 where id = $1", [person.id, await hash]);
    await app().sql("delete from sessions where account_id = $1", [person.id]);
    return person;
  }
  const wrong = (email: string, browser = openBrowser()) => signIn(browser, email, "otra cosa larga");
  return {
    openBrowser,
    owner,
    wrong,
    later: (milliseconds: number) => app().setNow(new Date(app().context.now().getTime() + milliseconds)),
    /** Someone, and a browser in which they once signed in. */
    async known(email?: string): Promise<{ person: Person; browser: Browser }> {
      const person = await owner(email);
      const browser = openBrowser();
      expect((await signIn(browser, person.email)).status).toBe(200);
      await signOut(browser);
      return { person, browser };
    },
    /** Uses up the attempts of unknown devices in this hour. @returns how often a password was compared */
    async exhaust(email: string): Promise<number> {
      for (let tries = 0; tries <= MOST; tries++) {
        const answer = await wrong(email);
        if (answer.status === 429) return tries;
        expect(answer.status).toBe(400);
      }
      return expect.fail("Strangers may try without end.");
    },
    marksOf: (person: Person) =>
      app().sql<{ mark: Buffer; last_day: Date }>("select * from known_devices where account_id = $1", [person.id]),
  };
}
