import { describe, expect, test } from "vitest";
import { DAY } from "#shared/time.ts";
import { account, setUpAccounts, signIn } from "#test/accounts.ts";
import type { TestUser } from "#test/app.ts";
import { type Browser, isSignedIn } from "#test/browser.ts";
import { expectEqualWork } from "#test/equal-work.ts";
import { withRowsLocked } from "#test/locks.ts";
import { tokenIn } from "#test/mailbox.ts";
import { NEW, PASSWORD, registration, twice, uniqueEmail } from "#test/people.ts";

const { app, mailsTo, owner, signedIn, openBrowser } = setUpAccounts();

describe("email change", () => {
  const ask = (browser: Browser, email: string) => browser.call("POST", "/account/email", { email });
  const follow = (token: string, browser = openBrowser()) => browser.call("POST", "/email-links", { token });
  const emailOf = async (person: TestUser) =>
    (await app.sql<{ email: string }>("select email from profiles where id = $1", [person.id]))[0]!.email;

  async function changed() {
    const { person, browser } = await signedIn();
    await app.call("POST", "/recoveries", { email: person.email });
    const email = uniqueEmail();
    await ask(browser, email);
    await follow(tokenIn((await mailsTo(email))[0]!));
    expect(await emailOf(person)).toBe(email);
    const [earlier, undo] = (await mailsTo(person.email)).map(tokenIn);
    return { person, browser, email, earlier, undo: undo! };
  }

  test("changes the email after the new mailbox confirms, then notifies the old one", async () => {
    const { person, browser } = await signedIn();
    const email = uniqueEmail();
    expect(await ask(browser, `  ${email.toUpperCase()} `)).toMatchObject({ status: 202, body: { accepted: true } });
    expect(await account(browser)).toMatchObject({ email: person.email, new_email: email });
    const [mail] = await mailsTo(email);
    expect(mail!.subject).toBe("Confirma tu nuevo correo en Diván");
    expect(mail!.text + mail!.html).not.toContain(person.email);
    expect(await mailsTo(person.email)).toEqual([]);

    const token = tokenIn(mail!);
    expect((await app.call("POST", "/email-links/pending", { token })).body).toEqual({ purpose: "confirm", email });
    expect(await emailOf(person)).toBe(person.email);
    // A repeated mail that is still queued when the link is used does not leave.
    await browser.call("POST", "/account/email/mail", {});
    expect(await follow(token)).toMatchObject({ status: 200, body: { purpose: "confirm" } });
    expect(await emailOf(person)).toBe(email);
    expect(await mailsTo(email)).toHaveLength(1);
    expect(await account(browser)).toMatchObject({ email, new_email: null });
    expect((await signIn(openBrowser(), email)).status).toBe(200);
    expect((await signIn(openBrowser(), person.email)).status).toBe(400);
    const [notice] = await mailsTo(person.email);
    expect(notice!.subject).toBe("El correo de tu cuenta de Diván ha cambiado");
    expect(notice!.text).toContain(email);
  });

  test("accepts the confirming and the reverting link once each for 10 concurrent uses", async () => {
    const { person, browser } = await signedIn();
    const email = uniqueEmail();
    await ask(browser, email);
    for (const [address, mails] of [
      [email, 1],
      [person.email, 2],
    ] as const) {
      const token = tokenIn((await mailsTo(address)).at(-1)!);
      const answers = await Promise.all(Array.from({ length: 10 }, () => follow(token)));
      expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array(9).fill(410)]);
      expect(await mailsTo(person.email)).toHaveLength(mails);
    }
  });

  test("gives a new email to only one of two accounts that confirm it concurrently", async () => {
    const people = [await signedIn(), await signedIn()];
    const email = uniqueEmail();
    for (const { browser } of people) await ask(browser, email);
    const tokens = (await mailsTo(email)).map(tokenIn);
    expect(new Set(tokens).size).toBe(2);
    const answers = await Promise.all(tokens.map((token) => follow(token)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 410]);
    const emails = await Promise.all(people.map(({ person }) => emailOf(person)));
    expect(emails.filter((one) => one === email)).toHaveLength(1);
  });

  test("responds the same for a taken email but mails its owner", async () => {
    const [{ browser, person }, taken] = [await signedIn(), await owner()];
    const [free, known] = [await ask(browser, uniqueEmail()), await ask(browser, taken.email.toUpperCase())];
    expect([known.status, known.text]).toEqual([free.status, free.text]);
    expect(await account(browser)).toMatchObject({ new_email: taken.email });
    const mails = await mailsTo(taken.email);
    expect(mails.map((mail) => mail.subject)).toEqual(["Ya tienes una cuenta en Diván"]);
    expect(mails[0]!.text).not.toContain("token=");
    expect(mails[0]!.text).not.toContain(person.full_name);
    expect(mails[0]!.text).not.toContain(person.email);
  });

  test("invalidates the first link if the user requests a second change", async () => {
    const { person, browser } = await signedIn();
    const [first, second] = [uniqueEmail(), uniqueEmail()];
    await ask(browser, first);
    const old = tokenIn((await mailsTo(first))[0]!);
    await ask(browser, second);
    expect((await follow(old)).status).toBe(410);
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask(browser, uniqueEmail())));
    expect(answers.map((answer) => answer.status)).toEqual(Array(10).fill(202));
    expect(await app.sql("select from email_changes where account_id = $1", [person.id])).toHaveLength(1);
  });

  test("cancels a change whose mail was sent again", async () => {
    const { browser } = await signedIn();
    expect((await browser.call("POST", "/account/email/mail", {})).status).toBe(404);
    const email = uniqueEmail();
    await ask(browser, email);
    await browser.call("POST", "/account/email/mail", {});
    const mails = await mailsTo(email);
    expect(mails).toHaveLength(2);
    expect(tokenIn(mails[1]!)).toBe(tokenIn(mails[0]!));
    expect((await browser.call("DELETE", "/account/email", {})).status).toBe(200);
    expect((await account(browser)).new_email).toBeNull();
    expect((await follow(tokenIn(mails[0]!))).status).toBe(410);
  });

  test("responds 410 to a link whose change is cancelled at the same moment", async () => {
    const { person, browser } = await signedIn();
    const email = uniqueEmail();
    await ask(browser, email);
    const token = tokenIn((await mailsTo(email))[0]!);
    const cancel = "delete from email_changes where account_id = $1";
    const [refused] = await withRowsLocked(app, cancel, [person.id], [() => follow(token)]);
    expect([refused!.status, await emailOf(person)]).toEqual([410, person.email]);
  });

  test("accepts the confirming link within 24 h and the reverting link within 7 days", async () => {
    const start = app.freeze().getTime();
    const people = [await signedIn(), await signedIn(), await signedIn()];
    const emails = people.map(() => uniqueEmail());
    for (const [at, { browser }] of people.entries()) await ask(browser, emails[at]!);
    const newest = async (address: string) => tokenIn((await mailsTo(address)).at(-1)!);
    app.setNow(new Date(start + DAY - 1000));
    for (const email of emails.slice(0, 2)) expect((await follow(await newest(email))).status).toBe(200);
    // A repeated request prolongs the same link. After its end it makes another one.
    const { browser } = people[2]!;
    const first = await newest(emails[2]!);
    const again = async () => {
      await browser.call("POST", "/session/password", { password: PASSWORD });
      await ask(browser, emails[2]!);
      return newest(emails[2]!);
    };
    const token = await again();
    expect(token).toBe(first);
    app.setNow(new Date(start + 2 * DAY - 1001));
    expect((await app.call("POST", "/email-links/pending", { token })).status).toBe(200);
    app.setNow(new Date(start + 2 * DAY - 1000));
    expect((await follow(token)).status).toBe(410);
    expect((await account(browser)).new_email).toBeNull();
    expect(await again()).not.toBe(token);
    app.setNow(new Date(start + 8 * DAY - 2000));
    expect((await follow(await newest(people[0]!.person.email))).status).toBe(200);
    app.setNow(new Date(start + 8 * DAY - 1000));
    expect((await follow(await newest(people[1]!.person.email))).status).toBe(410);
    expect(await emailOf(people[1]!.person)).toBe(emails[1]);
  });

  test("restores the old email, ends all sessions, deletes known browsers, resets the password if the old mailbox reverts", async () => {
    const { person, browser, email, earlier, undo } = await changed();
    const pending = await app.call("POST", "/email-links/pending", { token: undo });
    expect(pending.body).toEqual({ purpose: "undo", email: person.email });
    // The attacker cannot end this link.
    expect((await browser.call("DELETE", "/account/email", {})).status).toBe(404);
    const known = () => app.sql("select from known_devices where account_id = $1", [person.id]);
    expect(await known()).toHaveLength(1);
    expect(await follow(undo)).toMatchObject({ status: 200, body: { purpose: "undo" } });
    expect(await known()).toEqual([]);
    expect(await emailOf(person)).toBe(person.email);
    expect(await isSignedIn(browser)).toBe(false);
    for (const address of [email, person.email])
      expect((await signIn(openBrowser(), address)).body.code).toBe("invalid_credentials");
    const recovery = (await mailsTo(person.email)).findLast((mail) => /contraseña nueva/.test(mail.subject))!;
    const recover = (token?: string) => app.call("PUT", "/password", { token, ...twice(NEW) });
    // The change has ended links mailed before it.
    expect((await recover(earlier)).status).toBe(410);
    expect((await recover(tokenIn(recovery))).status).toBe(200);
    expect((await signIn(openBrowser(), person.email, NEW)).status).toBe(200);
    expect((await follow(undo)).status).toBe(410);
  });

  test("invalidates only the links of later changes if the second of three changes is reverted", async () => {
    const { person, browser, email, undo } = await changed();
    const [third, fourth] = [uniqueEmail(), uniqueEmail()];
    for (const next of [third, fourth]) {
      await ask(browser, next);
      await follow(tokenIn((await mailsTo(next))[0]!));
    }
    expect(await emailOf(person)).toBe(fourth);
    const [second, last] = [tokenIn((await mailsTo(email)).at(-1)!), tokenIn((await mailsTo(third)).at(-1)!)];
    await ask(browser, uniqueEmail());
    expect((await follow(second)).status).toBe(200);
    expect(await emailOf(person)).toBe(email);
    expect((await follow(last)).status).toBe(410);
    expect((await follow(undo)).status).toBe(200);
    expect(await emailOf(person)).toBe(person.email);
    expect(await app.sql("select from email_changes where account_id = $1", [person.id])).toEqual([]);
  });

  test("deletes pending registrations of the new email", async () => {
    const { browser } = await signedIn();
    const email = uniqueEmail();
    await app.call("POST", "/registrations", registration(email));
    const token = tokenIn((await mailsTo(email))[0]!);
    await ask(browser, email);
    await follow(tokenIn((await mailsTo(email)).at(-1)!));
    expect((await app.call("POST", "/accounts", { token })).status).toBe(410);
  });

  test("needs equal work for an email with or without an account", async () => {
    const { browser } = await signedIn();
    await expectEqualWork(
      app,
      async (email) => {
        const answer = await ask(browser, email);
        expect([answer.status, answer.text]).toEqual([202, '{"accepted":true}']);
        return answer;
      },
      async (pairs) => {
        const people = await Promise.all(Array.from({ length: pairs }, () => app.person({ email: uniqueEmail() })));
        return { known: people.map(({ email }) => email), unknown: people.map(uniqueEmail) };
      },
    );
  });
});
