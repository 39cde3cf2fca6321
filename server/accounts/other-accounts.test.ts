import { expect, test } from "vitest";
import { MINUTE } from "#shared/time.ts";
import { setUpAccounts, signIn } from "#test/accounts.ts";
import { tokenIn } from "#test/mailbox.ts";
import { NEW, registration, twice, uniqueEmail } from "#test/people.ts";
import { codeAt } from "#test/totp.ts";

const { app, mailbox, mailsTo, signedIn, openBrowser, newestToken } = setUpAccounts();
const TABLES = `accounts consents email_changes known_devices mailed_links pending_registrations profiles recovery_codes
  second_factors sessions sign_in_challenges`.split(/\s+/);
const rows = async () =>
  (await Promise.all(TABLES.map((table) => app.sql(`select '${table}' as name, t::text from ${table} t`)))).flat();
const follow = async (email: string) => {
  const { status } = await app.call("POST", "/email-links", { token: await newestToken(email) });
  expect(status).toBe(200);
};

/** An account with a row in every table, and its browser. */
async function accountWithEverything() {
  const { person, browser } = await signedIn();
  await app.sql(
    "insert into consents (profile_id, kind, version, accepted_at) values ($1, 'health_data', '1', now())",
    [person.id],
  );
  await app.call("POST", "/registrations", registration(uniqueEmail()));
  const [email, later] = [uniqueEmail(), uniqueEmail()];
  await browser.call("POST", "/account/email", { email });
  await follow(email);
  await browser.call("POST", "/account/email", { email: later });
  await app.call("POST", "/recoveries", { email });
  const { secret } = (await browser.call("POST", "/account/second-factor", {})).body.setup;
  await browser.call("PUT", "/account/second-factor", { code: codeAt(secret, app.context.now()) });
  await signIn(openBrowser(), email);
  await mailbox.deliver(app);
  return { browser, email, old: person.email, later };
}

test("changes of an account leave the rows of another account unchanged", async () => {
  const { browser, email, old, later } = await accountWithEverything();
  const own = new Set((await rows()).map(({ t }) => t));
  app.setNow(new Date(Date.now() + MINUTE));
  await accountWithEverything();
  const before = (await rows()).filter(({ t }) => !own.has(t));
  expect(new Set(before.map(({ name }) => name))).toEqual(new Set(TABLES));
  app.setNow(new Date(Date.now() + 2 * MINUTE));
  const done: [string, string, unknown?][] = [
    ["PUT", "/account/consents", { kind: "health_data", given: false }],
    ["POST", "/account/second-factor/recovery-codes"],
    ["DELETE", "/account/second-factor"],
    ["DELETE", "/account/email"],
    ["POST", "/account/email", { email: later }],
    ["PUT", "/account/password", twice(NEW)],
    ["DELETE", "/session", { scope: "others", forget_device: true }],
    ["POST", "/recoveries", { email }],
  ];
  for (const [method, path, body = {}] of done)
    expect([path, (await browser.call(method, path, body)).status < 300]).toEqual([path, true]);
  expect((await app.call("PUT", "/password", { token: await newestToken(email), ...twice(NEW) })).status).toBe(200);
  const undo = (await mailsTo(old)).find((mail) => /ha cambiado/.test(mail.subject))!;
  expect((await app.call("POST", "/email-links", { token: tokenIn(undo) })).status).toBe(200);
  expect(await rows()).toEqual(expect.arrayContaining(before));
});
