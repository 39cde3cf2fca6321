import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { DAY, HOUR, MINUTE } from "#shared/time.ts";
import type { Answer, TestUser } from "#test/app.ts";
import { type Browser, openBrowser as openBrowserOf } from "#test/browser.ts";
import { openMailbox, tokenIn } from "#test/mailbox.ts";
import { PASSWORD, registration, uniqueEmail } from "#test/people.ts";
import { setUpTestApp } from "#test/suite-setup.ts";
import { sendMail } from "../background.ts";
import { housekeeping } from "../housekeeping.ts";
import { MAIL_QUEUE, type MailJob } from "../mail/queues.ts";
import { hashPassword } from "./password.ts";

const NEW = "una llave nueva y larga";

let hash: string;
const mailbox = openMailbox();
const app = setUpTestApp({ overrides: { mailer: mailbox.mailer } });
beforeAll(async () => {
  hash = await hashPassword(PASSWORD);
});
beforeEach(() => app.setNow(null));

const mailsTo = (address: string) => mailbox.to(app, address);
const withLinks = async (address: string) => (await mailsTo(address)).filter(({ text }) => text.includes("?token="));

async function owner(): Promise<TestUser> {
  const person = await app.person({ email: uniqueEmail() });
  await app.sql("update accounts set password_hash = $2 where id = $1", [person.id, hash]);
  return person;
}
async function signedIn(): Promise<{ person: TestUser; browser: Browser }> {
  const person = await owner();
  const browser = openBrowserOf(app);
  expect((await browser.call("POST", "/session", { email: person.email, password: PASSWORD })).status).toBe(200);
  return { person, browser };
}
const ask = (email: string) => app.call("POST", "/recoveries", { email });
const register = (email: string, browser = openBrowserOf(app), more = {}) =>
  browser.call("POST", "/registrations", registration(email, more));
const recover = (token: string, password = NEW) =>
  app.call("PUT", "/password", { token, password, confirm_password: password });

/** Runs mail jobs as the worker does, but concurrently. */
async function deliverAtOnce(): Promise<void> {
  const jobs = await app.context.boss.fetch<MailJob>(MAIL_QUEUE, { batchSize: 200 });
  if (!jobs.length) return;
  await Promise.all(jobs.map((job) => sendMail(app.context, job.data)));
  await app.context.boss.complete(
    MAIL_QUEUE,
    jobs.map(({ id }) => id),
  );
}

describe("recovery link", () => {
  test("stays valid when other people request 8 more recoveries", async () => {
    const person = await owner();
    await ask(person.email);
    const token = tokenIn((await mailsTo(person.email))[0]!);
    for (let request = 0; request < 8; request++) {
      expect((await ask(person.email.toUpperCase())).status).toBe(202);
      await mailbox.deliver(app);
    }
    expect((await recover(token)).status).toBe(200);
  });

  test("expires after 60 min or when another recovery link is used", async () => {
    const start = Date.now();
    const person = await owner();
    app.setNow(new Date(start));
    await ask(person.email);
    const first = tokenIn((await mailsTo(person.email)).at(-1)!);
    app.setNow(new Date(start + 20 * MINUTE));
    await ask(person.email);
    const second = tokenIn((await mailsTo(person.email)).at(-1)!);
    expect(second).not.toBe(first);
    app.setNow(new Date(start + HOUR - 1000));
    expect((await recover(first)).status).toBe(200);
    expect(await recover(second)).toMatchObject({ status: 410, body: { code: "link_expired" } });
    // No valid link is left, so the next request sends a mail again.
    const before = (await mailsTo(person.email)).length;
    await ask(person.email);
    expect(await mailsTo(person.email)).toHaveLength(before + 1);
  });

  test("accepts only one of three links that are used concurrently", async () => {
    const person = await owner();
    for (let request = 0; request < 3; request++) await ask(person.email);
    const tokens = (await withLinks(person.email)).map(tokenIn);
    expect(new Set(tokens).size).toBe(3);
    const answers = await Promise.all(tokens.map((token, place) => recover(token, `una llave nueva ${place}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 410, 410]);
  });
});

describe("mailbox limit", () => {
  type Case = { what: string; ask: (email: string) => Promise<Answer>; address: () => Promise<string> };
  const cases: Case[] = [
    { what: "recoveries", ask, address: async () => (await owner()).email },
    { what: "registrations", ask: (email) => register(email), address: async () => uniqueEmail() },
    {
      what: "registrations of a taken address",
      ask: (email) => register(email),
      address: async () => (await owner()).email,
    },
  ];

  test.each(cases)("$what: sends exactly 3 mails for 50 concurrent requests with equal responses", async (row) => {
    const email = await row.address();
    const answers = await Promise.all(Array.from({ length: 50 }, () => row.ask(email)));
    // At most 64 passwords wait for hashing; the server responds 429 to other requests for all emails.
    const taken = answers.filter(({ status }) => status !== 429);
    expect(taken.length).toBeGreaterThan(3);
    for (const answer of taken) expect([answer.status, answer.text]).toEqual([202, '{"accepted":true}']);
    await Promise.all([deliverAtOnce(), deliverAtOnce(), deliverAtOnce()]);
    expect(await mailsTo(email)).toHaveLength(3);
  });

  test("sends at most 3 mails per hour for a registration whose link is requested 6 more times", async () => {
    const email = uniqueEmail();
    await register(email);
    expect(await withLinks(email)).toHaveLength(1);
    for (let request = 0; request < 6; request++) {
      expect((await app.call("POST", "/registrations/mail", { email })).status).toBe(202);
      await mailbox.deliver(app);
    }
    expect(await mailsTo(email)).toHaveLength(3);
  });

  test("runs the same SQL statements for a request above the limit", async () => {
    const { email } = await owner();
    const statements = async () =>
      (await app.statementsDuring(() => app.call("POST", "/recoveries", { email }))).map((text) =>
        text.replace(/\s+/g, " "),
      );
    const first = await statements();
    await mailbox.deliver(app);
    for (let request = 0; request < 4; request++) await ask(email);
    await mailbox.deliver(app);
    expect(await statements()).toEqual(first);
  });

  test("counts a retried mail once", async () => {
    const { email } = await owner();
    await mailbox.deliver(app);
    await ask(email);
    const [job] = await app.context.boss.fetch<MailJob>(MAIL_QUEUE);
    const failing = { ...app.context, mailer: { send: () => Promise.reject(new Error("away")), close: () => {} } };
    for (let attempt = 0; attempt < 5; attempt++) await expect(sendMail(failing, job!.data)).rejects.toThrow("away");
    await sendMail(app.context, job!.data);
    await app.context.boss.complete(MAIL_QUEUE, job!.id);
    for (let request = 0; request < 2; request++) await ask(email);
    expect(await mailsTo(email)).toHaveLength(3);
  });

  test("sends at most 10 mails per day while a link is valid", async () => {
    const start = Date.now();
    const email = uniqueEmail();
    for (let hour = 0; hour < 5; hour++) {
      app.setNow(new Date(start + hour * (HOUR + MINUTE)));
      for (let request = 0; request < 4; request++) await register(email);
      await mailbox.deliver(app);
    }
    expect(await mailsTo(email)).toHaveLength(10);
    app.setNow(new Date(start + 2 * DAY));
    await register(email);
    expect(await mailsTo(email)).toHaveLength(11);
  });

  test("stores a hash of the mailbox for at most 10 days", async () => {
    const { email } = await owner();
    await ask(email);
    await mailbox.deliver(app);
    const [kept] = await app.sql<{ row: string }>("select string_agg(each::text, ',') as row from mailbox_sends each");
    expect(kept!.row).not.toContain(email);
    app.setNow(new Date(Date.now() + 10 * DAY));
    await housekeeping(app.context);
    expect(await app.sql("select from mailbox_sends")).toEqual([]);
  });
});

describe("confirmation link", () => {
  test("stays valid when other people register the same email; invalidates all others when used", async () => {
    const email = uniqueEmail();
    const browser = openBrowserOf(app);
    await register(email, browser);
    const own = tokenIn((await mailsTo(email))[0]!);
    for (let request = 0; request < 4; request++) {
      await register(email, openBrowserOf(app), { full_name: "Otra Persona" });
      await app.call("POST", "/registrations/mail", { email });
    }
    const tokens = new Set((await withLinks(email)).map(tokenIn));
    expect((await browser.call("POST", "/accounts", { token: own })).status).toBe(201);
    for (const token of tokens) expect((await app.call("POST", "/registrations/pending", { token })).status).toBe(410);
  });

  test("sends the same link again to the browser that registered", async () => {
    const email = uniqueEmail();
    const browser = openBrowserOf(app);
    await register(email, browser);
    const own = tokenIn((await mailsTo(email))[0]!);
    await register(email, openBrowserOf(app), { full_name: "Otra Persona" });
    await mailbox.deliver(app);
    await browser.call("POST", "/registrations/mail", { email });
    expect(tokenIn((await mailsTo(email)).at(-1)!)).toBe(own);
  });
});

describe("link that confirms an email change", () => {
  const change = (browser: Browser, email: string) => browser.call("POST", "/account/email", { email });

  test("stays valid when this account or others request the same email again", async () => {
    const { browser } = await signedIn();
    const email = uniqueEmail();
    await change(browser, email);
    const own = tokenIn((await mailsTo(email))[0]!);
    const others = [await signedIn(), await signedIn()];
    for (const other of others) {
      await change(other.browser, email);
      await change(other.browser, email);
    }
    await change(browser, email);
    expect((await app.call("POST", "/email-links", { token: own })).status).toBe(200);
    for (const token of (await withLinks(email)).map(tokenIn))
      expect((await app.call("POST", "/email-links", { token })).status).toBe(410);
  });

  test("sends at most 3 mails per hour per account to the same new email", async () => {
    const email = uniqueEmail();
    const one = await signedIn();
    for (let request = 0; request < 6; request++) await change(one.browser, email);
    expect(await mailsTo(email)).toHaveLength(3);
    const two = await signedIn();
    await change(two.browser, email);
    expect(await mailsTo(email)).toHaveLength(4);
  });

  test("counts cancelled requests toward the 3 mails per hour", async () => {
    const start = Date.now();
    app.setNow(new Date(start));
    const email = uniqueEmail();
    const { browser } = await signedIn();
    const again = async () => {
      await change(browser, email);
      await mailbox.deliver(app);
      await browser.call("DELETE", "/account/email");
    };
    for (let request = 0; request < 6; request++) await again();
    expect(await mailsTo(email)).toHaveLength(3);
    app.setNow(new Date(start + HOUR + 1000));
    await browser.call("POST", "/session/password", { password: PASSWORD });
    await again();
    expect(await mailsTo(email)).toHaveLength(4);
  });
});

describe("mail to an unconfirmed email", () => {
  const CANARY = "canario";
  const hostile = (email: string) =>
    registration(email, {
      user_type: "psychologist",
      full_name: `${CANARY} Nombre`,
      license_number: `${CANARY} 123`,
      bio: `${CANARY} biografía`,
      return_to: `/${CANARY}`,
    });
  /**
   * Requests by which another person causes a mail of each kind to a foreign email; null for kinds that only confirmed
   * emails receive.
   */
  const situations: Record<MailJob["kind"], ((email: string) => Promise<unknown>) | null> = {
    confirm_registration: (email) => app.call("POST", "/registrations", hostile(email)),
    recover_password: null,
    sign_in_paused: null,
    confirm_email_change: async (email) => {
      const { person, browser } = await signedIn();
      await app.sql("update profiles set full_name = $2 where id = $1", [person.id, `${CANARY} Nombre`]);
      await browser.call("POST", "/account/email", { email });
    },
    email_changed: null,
    password_changed: null,
    account_deleted: null,
    second_factor_changed: null,
    membership_receipt: null,
    membership_cancelled: null,
    gold_granted: null,
    gold_ended: null,
    payment_mismatch: null,
    psychologist_approved: null,
    psychologist_rejected: null,
    new_answer: null,
    digest: null,
  };

  test.each(Object.entries(situations).filter(([, bring]) => bring))(
    "contains no text chosen by the sender of the request (%s)",
    async (_kind, bring) => {
      const email = uniqueEmail();
      await bring!(email);
      const [mail] = await mailsTo(email);
      expect(JSON.stringify(mail).toLowerCase()).not.toContain(CANARY);
      expect(mail!.to.name).toBe("");
      expect(mail!.text).toMatch(/^Hola:/);
    },
  );

  test("sends only the confirmation mail while a registration is pending", async () => {
    const email = uniqueEmail();
    await app.call("POST", "/registrations", hostile(email));
    await mailsTo(email);
    await app.call("POST", "/recoveries", { email });
    await app.call("POST", "/registrations/mail", { email });
    const mails = await mailsTo(email);
    expect(new Set(mails.map(({ subject }) => subject))).toEqual(new Set(["Confirma tu correo en Diván"]));
    expect(JSON.stringify(mails).toLowerCase()).not.toContain(CANARY);
  });
});
