import { describe, expect, test } from "vitest";
import { setUpAccounts, signIn } from "#test/accounts.ts";
import type { Answer, TestUser } from "#test/app.ts";
import { type Browser, isSignedIn } from "#test/browser.ts";
import { whileRowLocked } from "#test/locks.ts";
import { tokenIn } from "#test/mailbox.ts";
import { NEW, PASSWORD, twice, uniqueEmail } from "#test/people.ts";
import { codeAt } from "#test/totp.ts";

const { app, mailbox, signedIn, openBrowser } = setUpAccounts();
const newestToken = async (address: string) => tokenIn((await mailbox.to(app, address)).at(-1)!);
const recover = (token: string) => app.call("PUT", "/password", { token, ...twice(NEW) });
const follow = (token: string) => app.call("POST", "/email-links", { token });
async function recoveryToken(email: string): Promise<string> {
  await app.call("POST", "/recoveries", { email });
  return newestToken(email);
}
async function requestedEmail(browser: Browser): Promise<string> {
  const email = uniqueEmail();
  await browser.call("POST", "/account/email", { email });
  return email;
}
/** Changes the email. @returns it, and the token that reverts the change */
async function changeEmail(person: TestUser, browser: Browser): Promise<{ email: string; undo: string }> {
  const email = await requestedEmail(browser);
  expect((await follow(await newestToken(email))).status).toBe(200);
  return { email, undo: await newestToken(person.email) };
}

/** Starts requests in this order, each after the previous one waits for the account's lock. */
const inTurn = (person: TestUser, ...starts: (() => Promise<Answer>)[]) =>
  whileRowLocked(app, "accounts", person.id, starts);

type Change = { change: () => Promise<Answer>; email?: string };
/** Changes that end sign-ins, each with the account's email before it. */
const CHANGES: Record<string, (person: TestUser, browser: Browser) => Promise<Change>> = {
  "a password recovery": async ({ email }) => {
    const token = await recoveryToken(email);
    return { change: () => recover(token) };
  },
  "a password change": async (_person, browser) => ({
    change: () => browser.call("PUT", "/account/password", twice(NEW)),
  }),
  "the activation of the second factor": async (_person, browser) => {
    const { setup } = (await browser.call("POST", "/account/second-factor", {})).body;
    const code = codeAt(setup.secret, new Date());
    return { change: () => browser.call("PUT", "/account/second-factor", { code }) };
  },
  "the revert of an email change": async (person, browser) => {
    const { email, undo } = await changeEmail(person, browser);
    return { change: () => follow(undo), email };
  },
  "the deletion of the account": async (_person, browser) => ({
    change: () => browser.call("DELETE", "/account", { anonymous_texts: "keep" }),
  }),
};

describe("sign-in after the password was compared", () => {
  test.each(Object.entries(CHANGES))("loses its session to %s in both orders", async (_what, prepare) => {
    for (const changeFirst of [true, false]) {
      const { person, browser } = await signedIn();
      const { change, email = person.email } = await prepare(person, browser);
      const device = openBrowser();
      const attempt = () => signIn(device, email);
      const answers = await inTurn(person, ...(changeFirst ? [change, attempt] : [attempt, change]));
      const [changed, attempted] = changeFirst ? answers : answers.toReversed();
      expect(changed!.status, changed!.text).toBe(200);
      expect([200, 400]).toContain(attempted!.status);
      expect([changeFirst, await isSignedIn(device)]).toEqual([changeFirst, false]);
    }
  });

  test("responds 400 if the account's email changed", async () => {
    const { person, browser } = await signedIn();
    const confirm = await newestToken(await requestedEmail(browser));
    const [changed, refused] = await inTurn(
      person,
      () => follow(confirm),
      () => signIn(openBrowser(), person.email),
    );
    expect(changed!.status).toBe(200);
    expect(refused).toMatchObject({ status: 400, body: { code: "invalid_credentials" } });
  });
});

test.each([
  ["POST", "/session/password", { password: PASSWORD }],
  ["POST", "/account/email", { email: uniqueEmail() }],
  ["PUT", "/account/password", { password: "la de otra persona", confirm_password: "la de otra persona" }],
])("%s %s of a session that a password recovery ends responds 401", async (method, path, body) => {
  const { person, browser } = await signedIn();
  const token = await recoveryToken(person.email);
  const [recovered, refused] = await inTurn(
    person,
    () => recover(token),
    () => browser.call(method, path, body),
  );
  expect([recovered!.status, refused!.status]).toEqual([200, 401]);
  expect(await isSignedIn(browser)).toBe(false);
  expect(await app.sql("select from email_changes where account_id = $1", [person.id])).toEqual([]);
  expect((await signIn(openBrowser(), person.email, NEW)).status).toBe(200);
});

test("responds 410 to a recovery link if the email change was reverted at the same moment", async () => {
  const { person, browser } = await signedIn();
  const { email, undo } = await changeEmail(person, browser);
  const token = await recoveryToken(email);
  const [reverted, refused] = await inTurn(
    person,
    () => follow(undo),
    () => recover(token),
  );
  expect(reverted!.status).toBe(200);
  expect(refused).toMatchObject({ status: 410, body: { code: "link_expired" } });
  expect((await signIn(openBrowser(), person.email, NEW)).status).toBe(400);
});
