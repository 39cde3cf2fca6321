/** What a test file has from its first test on: the application, people in it. Each file calls these for itself. */
import { afterAll, beforeAll, beforeEach } from "vitest";
import { openTestApp, type Person, type TestApp, type TestAppOptions } from "./app.ts";
import { openMailbox } from "./mailbox.ts";

/** Something that is made before the first test of a file, and empty until then. */
export function madeBefore<Thing extends object>(make: () => Promise<Thing>): Thing {
  const thing = {} as Thing;
  beforeAll(async () => {
    Object.assign(thing, await make());
  });
  return thing;
}

/** The application of a test file: opened before its first test, closed after its last. */
export function testApp(options: TestAppOptions = {}): TestApp {
  const app = madeBefore(() => openTestApp(options));
  afterAll(() => app.close());
  return app;
}

/** The administrator of a test file's application. */
export const adminOf = (app: TestApp): Person => madeBefore(() => app.admin());

/** An application whose mails are collected. Before each test the clock is the real one, and the mailbox is empty. */
export function mailingApp() {
  const mailbox = openMailbox();
  const app = testApp({ overrides: { mailer: mailbox.mailer } });
  beforeEach(() => {
    app.setNow(null);
    mailbox.sent.length = 0;
  });
  return { app, mailbox, sent: mailbox.sent };
}
