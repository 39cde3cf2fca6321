import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { setPassword } from "#test/accounts.ts";
import { openTestApp } from "#test/app.ts";
import { type Browser, openBrowser as openBrowserOf } from "#test/browser.ts";
import { openMailbox, tokenIn } from "#test/mailbox.ts";
import { PASSWORD, registration } from "#test/people.ts";
import { setUpTestApp } from "#test/suite-setup.ts";

const mailbox = openMailbox();
const app = setUpTestApp({ overrides: { mailer: mailbox.mailer } });
beforeEach(() => {
  mailbox.sent.length = 0;
});

const openBrowser = (): Browser => openBrowserOf(app);

/** A new email address as mail is delivered to it, with spellings that users and attackers type. */
function freshMailbox() {
  const name = `ana${randomUUID().slice(0, 8)}`;
  const delivered = `${name}@xn--exmple-cua.com`;
  const spellings = [
    `${name}@exämple.com`,
    `${name}@XN--EXMPLE-CUA.COM`,
    `${name}@ex\u00adämple.com`,
    `${name}@ｅｘämple．ｃｏｍ`,
    `${name.toUpperCase()}@EXÄMPLE.com`,
    `${name}@exämple.com.`,
    `${name}@exa\u0308mple.com`,
    `${name.slice(0, 2)}\u200b${name.slice(2)}@exämple。com`,
  ];
  return { delivered, spellings };
}

async function registered(email: string, delivered: string): Promise<void> {
  const browser = openBrowser();
  expect((await browser.call("POST", "/registrations", registration(email))).status).toBe(202);
  const mail = (await mailbox.to(app, delivered)).findLast(({ text }) => text.includes("?token="));
  expect(mail, `a mail to ${delivered}`).toBeDefined();
  expect((await browser.call("POST", "/accounts", { token: tokenIn(mail!) })).status).toBe(201);
}

const profilesLike = (delivered: string) =>
  app.sql<{ id: string; email: string }>("select id, email from profiles where email ilike $1", [
    `${delivered.split("@")[0]}%`,
  ]);

describe("email spellings", () => {
  test("registers one account for all spellings of an email", async () => {
    const { delivered, spellings } = freshMailbox();
    await registered(spellings[0]!, delivered);
    expect(await profilesLike(delivered)).toMatchObject([{ email: delivered }]);
    for (const spelling of [delivered, ...spellings]) {
      mailbox.sent.length = 0;
      // The quota of mails per hour would stop the later spellings.
      await app.sql("delete from mailbox_sends");
      expect((await openBrowser().call("POST", "/registrations", registration(spelling))).status).toBe(202);
      await mailbox.deliver(app);
      expect(
        mailbox.sent.map(({ to, subject }) => [to.address, subject]),
        spelling,
      ).toEqual([[delivered, expect.stringMatching(/^Ya tienes una cuenta/)]]);
    }
    expect(await profilesLike(delivered)).toHaveLength(1);
  });

  test("finds the account by every spelling on sign-in or recovery", async () => {
    const { delivered, spellings } = freshMailbox();
    const person = await app.person({ email: delivered });
    await setPassword(app, person);
    for (const email of spellings) {
      const browser = openBrowser();
      expect((await browser.call("POST", "/session", { email, password: PASSWORD })).status, email).toBe(200);
      expect(await browser.viewer()).toMatchObject({ id: person.id, email: delivered });
      mailbox.sent.length = 0;
      expect((await openBrowser().call("POST", "/recoveries", { email })).status).toBe(202);
      await mailbox.deliver(app);
      for (const { to } of mailbox.sent) expect(to.address).toBe(delivered);
    }
  });

  test("refuses an email change to another spelling of another account's email", async () => {
    const { delivered, spellings } = freshMailbox();
    await app.person({ email: delivered });
    const other = await app.person();
    await app.sql("update sessions set password_at = now() where account_id = $1", [other.id]);
    expect((await app.call("POST", "/account/email", { email: spellings[0] }, other)).status).toBe(202);
    await mailbox.deliver(app);
    expect(mailbox.sent).toMatchObject([{ to: { address: delivered } }]);
    expect(mailbox.sent[0]!.text).not.toContain("?token=");
  });

  test("responds 422 to an email change to another spelling of the current email", async () => {
    const { delivered, spellings } = freshMailbox();
    const person = await app.person({ email: delivered });
    await app.sql("update sessions set password_at = now() where account_id = $1", [person.id]);
    for (const email of spellings)
      expect(await app.call("POST", "/account/email", { email }, person)).toMatchObject({
        status: 422,
        body: { fields: { email: expect.stringMatching(/ya es el correo/) } },
      });
  });

  test("recognizes the administrator even if ADMIN_EMAIL is not normalized", async () => {
    const own = await openTestApp({ environment: { ADMIN_EMAIL: "Jefa@EXÄMPLE.com." } });
    try {
      const boss = await own.person({ email: "jefa@xn--exmple-cua.com" });
      expect((await own.call("GET", "/session", undefined, boss)).body.user).toMatchObject({ is_admin: true });
    } finally {
      await own.close();
    }
  });

  test("stores the delivered spelling for a contact message", async () => {
    const { delivered, spellings } = freshMailbox();
    const sent = await app.call("POST", "/contact", {
      name: "Rosa Luna",
      email: spellings[2],
      message: "Una pregunta sobre mi cuenta.",
    });
    expect(sent.status).toBe(201);
    expect(await app.sql("select email from contact_messages where email = $1", [delivered])).toHaveLength(1);
  });
});

test("sends at most 3 mails to one mailbox for registrations in all its spellings", async () => {
  const limited = await openTestApp({ overrides: { mailer: mailbox.mailer }, limits: true });
  try {
    const { delivered, spellings } = freshMailbox();
    for (const email of [delivered, ...spellings]) await limited.call("POST", "/registrations", registration(email));
    await mailbox.deliver(limited);
    expect(mailbox.sent.length).toBeGreaterThan(0);
    expect(mailbox.sent.length).toBeLessThanOrEqual(3);
    expect(new Set(mailbox.sent.map(({ to }) => to.address))).toEqual(new Set([delivered]));
  } finally {
    await limited.close();
  }
});

describe("an undeliverable email", () => {
  test("responds 422 with a message at the field in every operation", async () => {
    const email = "rosa@127.0.0.1";
    const person = await app.person();
    await app.sql("update sessions set password_at = now() where account_id = $1", [person.id]);
    const answers = [
      await app.call("POST", "/registrations", registration(email)),
      await app.call("POST", "/registrations/mail", { email }),
      await app.call("POST", "/session", { email, password: PASSWORD }),
      await app.call("POST", "/recoveries", { email }),
      await app.call("POST", "/account/email", { email }, person),
      await app.call("POST", "/contact", { name: "Rosa", email, message: "Una pregunta sobre mi cuenta." }),
    ];
    for (const answer of answers) {
      expect(answer.status, answer.text).toBe(422);
      expect(Object.keys(answer.body.fields)).toEqual(["email"]);
    }
  });
});
