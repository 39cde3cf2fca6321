import { beforeEach, expect } from "vitest";
import { ATTEMPT_LIMITS } from "#server/limits/rate-limit-rules.ts";
import { accountSteps, signIn } from "./accounts.ts";
import type { Answer, TestUser } from "./app.ts";
import { type Browser, openBrowser as openBrowserOf } from "./browser.ts";
import { setUpTestAppWithMailbox } from "./suite-setup.ts";

/** Fixed clock of these tests. A test must move it to end a window of an hour or a day. */
const NOON = new Date("2027-03-04T12:00:00Z");
/** Highest possible limit of attempts per hour from unknown devices. */
export const MAX_ATTEMPTS = ATTEMPT_LIMITS.email.points + ATTEMPT_LIMITS.email.jitter - 1;

export const signOut = (browser: Browser, more: Record<string, unknown> = {}) =>
  browser.call("DELETE", "/session", more);

export const count = (answers: Answer[], status: number) => answers.filter((answer) => answer.status === status).length;

/**
 * An application with real limits, and helpers for owners and attackers. Before each test the clock is set to noon and
 * the mailbox is cleared.
 */
export function setUpRateLimitedApp() {
  // The test acts as the trusted proxy, so that it can send any IP address.
  const environment = { TRUSTED_PROXIES: "127.0.0.1" };
  const { app, mailbox, mailsTo } = setUpTestAppWithMailbox({ limits: true, environment });
  beforeEach(() => app.setNow(NOON));
  const { owner } = accountSteps(app, mailbox);
  let senders = 0;
  /** Opens a browser with an IP address that no other browser of these tests uses. */
  const openBrowser = () => {
    senders++;
    return openBrowserOf(app, { "x-forwarded-for": `10.7.${senders >> 8}.${senders & 255}` });
  };
  const wrong = (email: string, browser = openBrowser()) => signIn(browser, email, "otra cosa larga");
  return {
    app,
    mailbox,
    mailsAbout: async (address: string) =>
      (await mailsTo(address)).filter((mail) => /Muchos intentos/.test(mail.subject)),
    openBrowser,
    owner,
    wrong,
    later: (milliseconds: number) => app.setNow(new Date(app.context.now().getTime() + milliseconds)),
    /** Creates a user and a browser in which they have signed in and out. */
    async known(email?: string): Promise<{ person: TestUser; browser: Browser }> {
      const person = await owner(email);
      const browser = openBrowser();
      expect((await signIn(browser, person.email)).status).toBe(200);
      await signOut(browser);
      return { person, browser };
    },
    /** Uses up this hour's attempts of unknown devices. Sets their number, because each attempt takes time. */
    async exhaustAttempts(email: string): Promise<void> {
      await wrong(email);
      await app.sql("update rate_limits set points = $1 where key like 'password\\_email:%'", [MAX_ATTEMPTS]);
      expect((await wrong(email)).status).toBe(429);
    },
    knownDeviceRows: (person: TestUser) =>
      app.sql<{ device_hash: Buffer; last_day: Date }>("select * from known_devices where account_id = $1", [
        person.id,
      ]),
  };
}
