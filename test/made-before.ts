/** Fixtures of a test file that exist before its first test. Each file calls these functions itself. */
import { afterAll, beforeAll, beforeEach } from "vitest";
import { openTestApp, type Person, type TestApp, type TestAppOptions } from "./app.ts";
import { openMailbox } from "./mailbox.ts";

/** Returns an object that is empty until `beforeAll` fills it. */
export function madeBefore<Thing extends object>(make: () => Promise<Thing>): Thing {
  const thing = {} as Thing;
  beforeAll(async () => {
    Object.assign(thing, await make());
  });
  return thing;
}

/** Opens an application before the file's first test and closes it after the last one. */
export function testApp(options: TestAppOptions = {}): TestApp {
  const app = madeBefore(() => openTestApp(options));
  afterAll(() => app.close());
  return app;
}

/** The administrator of a test file's application. */
export const adminOf = (app: TestApp): Person => madeBefore(() => app.admin());

/** Opens an application whose mails are collected. Each test starts with the real clock and an empty mailbox. */
export function mailingApp() {
  const mailbox = openMailbox();
  const app = testApp({ overrides: { mailer: mailbox.mailer } });
  beforeEach(() => {
    app.setNow(null);
    mailbox.sent.length = 0;
  });
  return { app, mailbox, sent: mailbox.sent };
}
