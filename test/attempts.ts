import { beforeEach, expect } from "vitest";
import { ATTEMPT_LIMITS } from "#server/limits/attempt-limit-rules.ts";
import type { Answer, Person } from "./app.ts";
import { type Browser, openBrowser as openBrowserOf } from "./browser.ts";
import { testApp } from "./made-before.ts";
import { openMailbox } from "./mailbox.ts";
import { PASSWORD } from "./people.ts";
import { signedInSteps } from "./signed-in.ts";
import { insist } from "./threads.ts";

/** The clock stands unless a test moves it: windows end with the hour and the day. */
export const NOON = new Date("2027-03-04T12:00:00Z");
/** One more attempt than this of unknown devices in an hour is refused in any case. */
export const MOST = ATTEMPT_LIMITS.unknownDevices.hour.base + ATTEMPT_LIMITS.unknownDevices.hour.jitter - 1;

/** On a machine that is busy with other things some of many at once are told to come again, and do. */
export const signIn = (browser: Browser, email: string, password = PASSWORD) =>
  insist(() => browser.call("POST", "/session", { email, password }));
export const signOut = (browser: Browser, more: Record<string, unknown> = {}) =>
  browser.call("DELETE", "/session", more);

/** How many of these have a status. */
export const count = (answers: Answer[], status: number) => answers.filter((answer) => answer.status === status).length;

/**
 * An application with its limits, people who sign in, and others who guess at their passwords. Before each test the clock
 * stands at noon, and the mailbox is empty.
 */
export function limitedApp() {
  const mailbox = openMailbox();
  // The test itself is the trusted proxy, so that it can come from any address.
  const app = testApp({
    limits: true,
    environment: { TRUSTED_PROXIES: "127.0.0.1" },
    overrides: { mailer: mailbox.mailer },
  });
  beforeEach(() => {
    app.setNow(NOON);
    mailbox.sent.length = 0;
  });
  const { owner } = signedInSteps(app);
  let senders = 0;
  /** A network of stolen machines, or one person in one place: never an address that others of these tests use. */
  const openBrowser = () => {
    senders++;
    return openBrowserOf(app, { "x-forwarded-for": `10.7.${senders >> 8}.${senders & 255}` });
  };
  const wrong = (email: string, browser = openBrowser()) => signIn(browser, email, "otra cosa larga");
  return {
    app,
    mailbox,
    /** The mails that warn of many attempts. */
    mailsAbout: async (address: string) =>
      (await mailbox.to(app, address)).filter((mail) => /Muchos intentos/.test(mail.subject)),
    openBrowser,
    owner,
    wrong,
    later: (milliseconds: number) => app.setNow(new Date(app.context.now().getTime() + milliseconds)),
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
      app.sql<{ mark: Buffer; last_day: Date }>("select * from known_devices where account_id = $1", [person.id]),
  };
}
