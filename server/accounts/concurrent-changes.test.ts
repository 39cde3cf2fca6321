import pg from "pg";
import { describe, expect, test } from "vitest";
import { signIn } from "#test/accounts.ts";
import type { Answer, TestUser } from "#test/app.ts";
import { type Browser, openBrowser as openBrowserOf } from "#test/browser.ts";
import { hashPasswordsAsInProduction } from "#test/fast-password-hashing.ts";
import { FULL_RUN } from "#test/full-run.ts";
import { tokenIn } from "#test/mailbox.ts";
import { PASSWORD, uniqueEmail } from "#test/people.ts";
import { signedInSteps } from "#test/signed-in.ts";
import { setUpTestAppWithMailbox } from "#test/suite-setup.ts";
import { codeAt } from "#test/totp.ts";
import { hashPassword } from "./password.ts";

hashPasswordsAsInProduction();

/** Rounds per race, because chance decides which request is first. */
const ROUNDS = FULL_RUN ? 50 : 2;
const NEW = "una llave nueva y larga";

const { app, mailbox } = setUpTestAppWithMailbox();
const { signedIn } = signedInSteps(app);

const newestToken = async (address: string) => tokenIn((await mailbox.to(app, address)).at(-1)!);
const recover = (token: string) => app.call("PUT", "/password", { token, password: NEW, confirm_password: NEW });
const follow = (token: string) => app.call("POST", "/email-links", { token });
async function recoveryToken({ email }: TestUser): Promise<string> {
  await app.call("POST", "/recoveries", { email });
  return newestToken(email);
}
async function changeEmail(person: TestUser, browser: Browser): Promise<{ email: string; undo: string }> {
  const email = uniqueEmail();
  await browser.call("POST", "/account/email", { email });
  expect((await follow(await newestToken(email))).status).toBe(200);
  return { email, undo: await newestToken(person.email) };
}
/**
 * Begins to set up the second factor.
 * @returns its first code
 */
async function secondFactorCode(browser: Browser): Promise<string> {
  const { setup } = (await browser.call("POST", "/account/second-factor", {})).body;
  return codeAt(setup.secret, new Date());
}
const confirmFactor = (browser: Browser, code: string) => browser.call("PUT", "/account/second-factor", { code });
const later = (milliseconds: number) => new Promise((go) => setTimeout(go, milliseconds));

/** Counts the account's sessions that survived `change`. */
const sessionsOf = async (person: TestUser, except?: Browser) => {
  const [own] = except?.jar.get("sid")?.split(".") ?? [];
  const rows = await app.sql<{ id: string }>("select id from sessions where account_id = $1", [person.id]);
  return rows.filter((row) => row.id !== own).length;
};

type Round = { change: () => Promise<Answer>; email: string; survivors: () => Promise<number> };

/** Counts the rounds in which an old password, a sign-in without code or another session survives the change. */
async function roundsWithSurvivors(
  prepare: () => Promise<Round & { others?: (() => Promise<Answer>)[] }>,
): Promise<number> {
  let found = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const { change, email, survivors, others } = await prepare();
    const attempts = others ?? Array.from({ length: 3 }, () => () => signIn(openBrowserOf(app), email));
    const [changed, ...answers] = await Promise.all([
      later(Math.random() * 15).then(change),
      ...attempts.map((attempt, at) => later(Math.random() * 15 * at).then(attempt)),
    ]);
    expect(changed!.status, changed!.text).toBeLessThan(300);
    for (const { status, text } of answers) expect(status, text).toBeLessThan(500);
    if (await survivors()) found++;
  }
  return found;
}

describe("concurrent sign-ins", () => {
  test("ends with a password recovery", async () => {
    const rounds = await roundsWithSurvivors(async () => {
      const { person } = await signedIn();
      const token = await recoveryToken(person);
      return { change: () => recover(token), email: person.email, survivors: () => sessionsOf(person) };
    });
    expect(rounds).toBe(0);
  });

  test("ends with a password change", async () => {
    const rounds = await roundsWithSurvivors(async () => {
      const { person, browser } = await signedIn();
      const change = () => browser.call("PUT", "/account/password", { password: NEW, confirm_password: NEW });
      return { change, email: person.email, survivors: () => sessionsOf(person, browser) };
    });
    expect(rounds).toBe(0);
  });

  test("ends with the activation of the second factor", async () => {
    const rounds = await roundsWithSurvivors(async () => {
      const { person, browser } = await signedIn();
      const code = await secondFactorCode(browser);
      return {
        change: () => confirmFactor(browser, code),
        email: person.email,
        survivors: () => sessionsOf(person, browser),
      };
    });
    expect(rounds).toBe(0);
  });

  test("ends with the revert of an email change", async () => {
    const rounds = await roundsWithSurvivors(async () => {
      const { person, browser } = await signedIn();
      const { email, undo } = await changeEmail(person, browser);
      return { change: () => follow(undo), email, survivors: () => sessionsOf(person) };
    });
    expect(rounds).toBe(0);
  });

  test("ends with the deletion of the account", async () => {
    const rounds = await roundsWithSurvivors(async () => {
      const { person, browser } = await signedIn();
      return {
        change: () => browser.call("DELETE", "/account", { anonymous_texts: "keep" }),
        email: person.email,
        survivors: () => sessionsOf(person),
      };
    });
    expect(rounds).toBe(0);
  });

  test("ends with a password recovery even if a session gives the password at the same moment", async () => {
    const rounds = await roundsWithSurvivors(async () => {
      const { person, browser } = await signedIn();
      const token = await recoveryToken(person);
      return {
        change: () => recover(token),
        email: person.email,
        others: [
          () => browser.call("POST", "/session/password", { password: PASSWORD }),
          () => signIn(browser, person.email),
        ],
        survivors: () => sessionsOf(person),
      };
    });
    expect(rounds).toBe(0);
  });
});

describe("requests of a session that ends concurrently", () => {
  const requests = {
    "another address": (browser: Browser) => browser.call("POST", "/account/email", { email: uniqueEmail() }),
    "another password": (browser: Browser) =>
      browser.call("PUT", "/account/password", {
        password: "la de otra persona",
        confirm_password: "la de otra persona",
      }),
  };
  test.each(Object.entries(requests))("request for %s does not survive a password recovery", async (_what, ask) => {
    const rounds = await roundsWithSurvivors(async () => {
      const { person, browser } = await signedIn();
      const token = await recoveryToken(person);
      return {
        // If the password was changed first, the recovery link is invalid.
        change: async () => {
          const answer = await recover(token);
          return answer.status === 410 ? { ...answer, status: 299 } : answer;
        },
        email: person.email,
        others: [() => ask(browser)],
        survivors: async () => {
          const waiting = await app.sql("select from email_changes where account_id = $1", [person.id]);
          const recovered = (await signIn(openBrowserOf(app), person.email, NEW)).status === 200;
          const stranger = await browser.viewer();
          return Number(recovered && (waiting.length > 0 || stranger !== null));
        },
      };
    });
    expect(rounds).toBe(0);
  });
});

/** Sends a request while an account is locked, then changes the account and unlocks it. */
async function whileLocked(person: TestUser, attempt: () => Promise<Answer>, change: string, values: unknown[]) {
  const client = new pg.Client(app.databaseUrl);
  await client.connect();
  try {
    await client.query("begin");
    await client.query("select from accounts where id = $1 for update", [person.id]);
    const answer = attempt();
    let settled = false;
    void answer.finally(() => {
      settled = true;
    });
    // Wait until the request waits for the lock or has a response.
    for (;;) {
      const waits = await app.sql(
        "select from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()",
      );
      if (waits.length || settled) break;
      await later(5);
    }
    await client.query(change, values);
    await client.query("commit");
    return await answer;
  } finally {
    await client.end();
  }
}

describe("sign-in after the password was compared", () => {
  test("responds 400 if the account's email changed", async () => {
    const { person } = await signedIn();
    const browser = openBrowserOf(app);
    const answer = await whileLocked(
      person,
      () => signIn(browser, person.email),
      "update profiles set email = $2 where id = $1",
      [person.id, uniqueEmail()],
    );
    expect(answer).toMatchObject({ status: 400, body: { code: "invalid_credentials" } });
    expect(browser.jar.has("sid")).toBe(false);
  });

  test("responds 400 if the account's password changed", async () => {
    const { person } = await signedIn();
    const browser = openBrowserOf(app);
    const answer = await whileLocked(
      person,
      () => signIn(browser, person.email),
      "update accounts set password_hash = $2 where id = $1",
      [person.id, await hashPassword(NEW)],
    );
    expect(answer).toMatchObject({ status: 400, body: { code: "invalid_credentials" } });
  });

  test("requires a code if the second factor was turned on", async () => {
    const { person, browser } = await signedIn();
    await browser.call("POST", "/account/second-factor", {});
    const answer = await whileLocked(
      person,
      () => signIn(openBrowserOf(app), person.email),
      "update second_factors set confirmed_at = now() where account_id = $1",
      [person.id],
    );
    expect(answer).toMatchObject({ status: 200, body: { user: null, second_factor_required: true } });
  });

  test("responds 400 if the account was deleted", async () => {
    const { person } = await signedIn();
    const answer = await whileLocked(
      person,
      () => signIn(openBrowserOf(app), person.email),
      "delete from profiles where id = $1",
      [person.id],
    );
    expect(answer).toMatchObject({ status: 400, body: { code: "invalid_credentials" } });
  });
});

test("responds 410 to a recovery link if the email change was reverted at the same moment", async () => {
  const { person, browser } = await signedIn();
  const { email } = await changeEmail(person, browser);
  await app.call("POST", "/recoveries", { email });
  const token = await newestToken(email);
  const answer = await whileLocked(person, () => recover(token), "update profiles set email = $2 where id = $1", [
    person.id,
    person.email,
  ]);
  expect(answer).toMatchObject({ status: 410, body: { code: "link_expired" } });
  expect((await signIn(openBrowserOf(app), person.email, NEW)).status).toBe(400);
});
