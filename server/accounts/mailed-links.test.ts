import { describe, expect, test } from "vitest";
import { DAY, HOUR, MINUTE } from "#shared/time.ts";
import { setUpAccounts } from "#test/accounts.ts";
import type { Answer } from "#test/app.ts";
import type { Browser } from "#test/browser.ts";
import { tokenIn } from "#test/mailbox.ts";
import { NEW, PASSWORD, registration, twice, uniqueEmail } from "#test/people.ts";
import { sendMail } from "../background.ts";
import { MAIL_QUEUE, type MailJob } from "../mail/queues.ts";

const { app, mailbox, mailsTo, owner, signedIn, openBrowser } = setUpAccounts();
const withLinks = async (address: string) => (await mailsTo(address)).filter(({ text }) => text.includes("?token="));

const ask = (email: string) => app.call("POST", "/recoveries", { email });
const register = (email: string, browser = openBrowser(), more = {}) =>
  browser.call("POST", "/registrations", registration(email, more));
const recover = (token: string, password = NEW) => app.call("PUT", "/password", { token, ...twice(password) });

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

describe("mailbox limit", () => {
  const taken = async () => (await owner()).email;
  test.each<[string, (email: string) => Promise<Answer>, () => Promise<string>]>([
    ["recoveries", ask, taken],
    ["registrations", (email) => register(email), async () => uniqueEmail()],
    ["registrations of a taken address", (email) => register(email), taken],
    [
      "repeated links of a registration",
      (email) => app.call("POST", "/registrations/mail", { email }),
      async () => {
        const email = uniqueEmail();
        await register(email);
        return email;
      },
    ],
  ])("sends exactly 3 mails for 20 concurrent %s with equal responses", async (_what, request, address) => {
    const email = await address();
    const answers = await Promise.all(Array.from({ length: 20 }, () => request(email)));
    for (const answer of answers) expect([answer.status, answer.text]).toEqual([202, '{"accepted":true}']);
    await Promise.all([deliverAtOnce(), deliverAtOnce(), deliverAtOnce()]);
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

  test("counts a retried mail once for its kind", async () => {
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
    // Each kind has its own limit.
    for (let request = 0; request < 2; request++) await register(email);
    const mails = await mailsTo(email);
    expect(mails).toHaveLength(5);
    // Later requests leave the first link valid.
    expect((await recover(tokenIn(mails[0]!))).status).toBe(200);
  });

  test.each<[string, (email: string) => Promise<Answer>, number]>([
    ["registrations, whose link is valid for 24 h", (email) => register(email), 10],
    // One more, because no link is valid in the fifth hour.
    ["recoveries, whose link is valid for 1 h", ask, 11],
  ])("sends at most 10 mails per day while a link is valid (%s)", async (_what, request, most) => {
    const start = Date.now();
    const { email } = request === ask ? await owner() : { email: uniqueEmail() };
    for (let hour = 0; hour < 5; hour++) {
      app.setNow(new Date(start + hour * (HOUR + MINUTE)));
      for (let times = 0; times < 4; times++) await request(email);
      await mailbox.deliver(app);
    }
    expect(await mailsTo(email)).toHaveLength(most);
    app.setNow(new Date(start + 2 * DAY));
    await request(email);
    expect(await mailsTo(email)).toHaveLength(most + 1);
  });

  test("stores only a hash of the mailbox", async () => {
    const { email } = await owner();
    await ask(email);
    await mailbox.deliver(app);
    const [kept] = await app.sql<{ row: string }>("select string_agg(each::text, ',') as row from mailbox_sends each");
    expect(kept!.row).not.toContain(email);
  });
});

describe("confirmation link", () => {
  test("stays valid when other people register the same email; invalidates all others when used", async () => {
    const email = uniqueEmail();
    const browser = openBrowser();
    await register(email, browser);
    const own = tokenIn((await mailsTo(email))[0]!);
    for (let request = 0; request < 4; request++) {
      await register(email, openBrowser(), { full_name: "Otra Persona" });
      await app.call("POST", "/registrations/mail", { email });
    }
    const tokens = new Set((await withLinks(email)).map(tokenIn));
    // One tap still confirms after the browser registered another email, whose link stays valid too.
    const another = uniqueEmail();
    await register(another, browser);
    const pending = async (token: string) => (await app.call("POST", "/registrations/pending", { token })).status;
    expect((await browser.call("POST", "/accounts", { token: own })).status).toBe(201);
    for (const token of tokens) expect(await pending(token)).toBe(410);
    expect(await pending(tokenIn((await mailsTo(another))[0]!))).toBe(200);
    // No link is valid, so the owner gets one more mail than 3.
    await register(email);
    expect(await mailsTo(email)).toHaveLength(4);
  });

  test("sends the same link again to the browser that registered", async () => {
    const email = uniqueEmail();
    const browser = openBrowser();
    await register(email, browser);
    const own = tokenIn((await mailsTo(email))[0]!);
    await register(email, openBrowser(), { full_name: "Otra Persona" });
    const newest = tokenIn((await mailsTo(email)).at(-1)!);
    await browser.call("POST", "/registrations/mail", { email });
    expect(tokenIn((await mailsTo(email)).at(-1)!)).toBe(own);
    // Any other browser gets the newest link. The limit per hour is used up.
    await app.sql("delete from mailbox_sends");
    await app.call("POST", "/registrations/mail", { email });
    expect(tokenIn((await mailsTo(email)).at(-1)!)).toBe(newest);
  });
});

const change = (browser: Browser, email: string) => browser.call("POST", "/account/email", { email });

test("a link that confirms an email change is mailed at most 3 times per hour to an email that one account requests, cancelled requests included", async () => {
  const start = app.freeze().getTime();
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
  await change((await signedIn()).browser, email);
  expect(await mailsTo(email)).toHaveLength(5);
});

const CANARY = "canario";
const hostile = (email: string) =>
  registration(email, {
    user_type: "psychologist",
    full_name: `${CANARY} Nombre`,
    license_number: `${CANARY} 123`,
    bio: `${CANARY} biografía`,
    return_to: `/${CANARY}`,
  });
test.each<[MailJob["kind"], (email: string) => Promise<unknown>]>([
  ["confirm_registration", (email) => app.call("POST", "/registrations", hostile(email))],
  [
    "confirm_email_change",
    async (email) => {
      const { person, browser } = await signedIn();
      await app.sql("update profiles set full_name = $2 where id = $1", [person.id, `${CANARY} Nombre`]);
      await browser.call("POST", "/account/email", { email });
    },
  ],
])("a mail to an unconfirmed email contains no text chosen by the sender of the request (%s)", async (_kind, bring) => {
  const email = uniqueEmail();
  await bring(email);
  const [mail] = await mailsTo(email);
  expect(JSON.stringify(mail).toLowerCase()).not.toContain(CANARY);
  expect(mail!.to.name).toBe("");
  expect(mail!.text).toMatch(/^Hola:/);
});

test("responds 410 to a link that is used for another purpose than its own", async () => {
  const chosen = twice(NEW);
  const USES = {
    registration: (token: string) => app.call("POST", "/accounts", { token }),
    recovery: (token: string) => app.call("PUT", "/password", { token, ...chosen }),
    "email change": (token: string) => app.call("POST", "/email-links", { token }),
    device: (token: string) => app.call("POST", "/device-links", { token }),
    unsubscription: (token: string) => app.call("POST", "/unsubscriptions", { token }),
  };
  const { person, browser } = await signedIn();
  const [registered, changed] = [uniqueEmail(), uniqueEmail()];
  await register(registered);
  await browser.call("POST", "/account/email", { email: changed });
  await ask(person.email);
  const tokens: Record<string, string> = {
    registration: tokenIn((await mailsTo(registered))[0]!),
    recovery: tokenIn((await mailsTo(person.email))[0]!),
    "email change": tokenIn((await mailsTo(changed))[0]!),
  };
  for (const [purpose, token] of Object.entries(tokens))
    for (const [use, send] of Object.entries(USES))
      if (use !== purpose) expect([purpose, use, (await send(token)).status]).toEqual([purpose, use, 410]);
  // The links still work for their own purpose.
  expect((await USES["email change"](tokens["email change"]!)).status).toBe(200);
  expect((await app.call("POST", "/registrations/pending", { token: tokens.registration })).status).toBe(200);
});
