/** Fixtures of a test file that exist before its first test. Each file calls these functions itself. */
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { openTestApp, type TestApp, type TestAppOptions, type TestUser } from "./app.ts";
import { openMailbox } from "./mailbox.ts";

/** Returns an object that is empty until `beforeAll` fills it. */
export function setUpOnce<Thing extends object>(make: () => Promise<Thing>): Thing {
  const thing = {} as Thing;
  beforeAll(async () => {
    Object.assign(thing, await make());
  });
  return thing;
}

/** Opens an application before the file's first test and closes it after the last one. Each test ends with the real clock. */
export function setUpTestApp(options: TestAppOptions = {}): TestApp {
  const app = setUpOnce(() => openTestApp(options));
  afterEach(() => app.setNow(null));
  afterAll(() => app.close());
  return app;
}

export const setUpAdmin = (app: TestApp): TestUser => setUpOnce(() => app.admin());

export const ROLES = ["visitor", "user", "pending", "verified", "gold", "admin"] as const;
export type Role = (typeof ROLES)[number];

/** Creates an account of each role except the visitor. */
export const personOfEachRole = async (app: TestApp): Promise<Record<Role, TestUser | null>> => ({
  visitor: null,
  user: await app.person(),
  pending: await app.person({ type: "psychologist", verified: false }),
  verified: await app.person({ type: "psychologist" }),
  gold: await app.person({ type: "psychologist", gold: "active" }),
  admin: await app.admin(),
});

/** Opens an application whose mails are collected. Each test starts with an empty mailbox. */
export function setUpTestAppWithMailbox(options: TestAppOptions = {}) {
  const mailbox = openMailbox();
  const app = setUpTestApp({ ...options, overrides: { mailer: mailbox.mailer } });
  beforeEach(() => {
    mailbox.sent.length = 0;
  });
  return { app, mailbox, sent: mailbox.sent, mailsTo: (address: string) => mailbox.to(app, address) };
}
