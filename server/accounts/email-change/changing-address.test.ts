import { describe, expect, test } from "vitest";
import { DAY } from "#shared/time.ts";
import { signIn } from "#test/accounts.ts";
import type { Person } from "#test/app.ts";
import { type Browser, isSignedIn, openBrowser as openBrowserOf } from "#test/browser.ts";
import { expectEqualCost } from "#test/equal-cost.ts";
import { mailingApp } from "#test/made-before.ts";
import { linkIn, tokenIn } from "#test/mailbox.ts";
import { freshAddress, registration } from "#test/people.ts";
import { account, signedInSteps } from "#test/signed-in.ts";

const { app, mailbox } = mailingApp();

const NEW = "una llave nueva y larga";

const mailsTo = (address: string) => mailbox.to(app, address);

const { owner, signedIn } = signedInSteps(app);

describe("changing the address", () => {
  const ask = (browser: Browser, email: string) => browser.call("POST", "/account/email", { email });
  const follow = (token: string, browser = openBrowserOf(app)) => browser.call("POST", "/email-links", { token });
  const emailOf = async (person: Person) =>
    (await app.sql<{ email: string }>("select email from profiles where id = $1", [person.id]))[0]!.email;

  /** Someone whose address was changed, with the link that takes it back. */
  async function changed() {
    const { person, browser } = await signedIn();
    const email = freshAddress();
    await ask(browser, email);
    await follow(tokenIn((await mailsTo(email))[0]!));
    expect(await emailOf(person)).toBe(email);
    const undo = tokenIn((await mailsTo(person.email)).at(-1)!);
    return { person, browser, email, undo };
  }

  test("changes nothing until the link in the new mailbox is confirmed; then the old one is told", async () => {
    const { person, browser } = await signedIn();
    const email = freshAddress();
    expect(await ask(browser, `  ${email.toUpperCase()} `)).toMatchObject({ status: 202, body: { accepted: true } });
    expect(await account(browser)).toMatchObject({ email: person.email, new_email: email });
    const [mail] = await mailsTo(email);
    expect(mail!.subject).toBe("Confirma tu nuevo correo en Diván");
    // It may have gone to another person: it has no name in it.
    expect(mail!.text + mail!.html + mail!.to.name).not.toContain(person.full_name);
    expect(mail!.text + mail!.html).not.toContain(person.email);
    expect(await mailsTo(person.email)).toEqual([]);

    const token = tokenIn(mail!);
    expect((await app.call("POST", "/email-links/pending", { token })).body).toEqual({ purpose: "confirm", email });
    expect(await emailOf(person)).toBe(person.email);
    expect(await follow(token)).toMatchObject({ status: 200, body: { purpose: "confirm" } });
    expect(await emailOf(person)).toBe(email);
    expect(await account(browser)).toMatchObject({ email, new_email: null });
    expect((await signIn(openBrowserOf(app), email)).status).toBe(200);
    expect((await signIn(openBrowserOf(app), person.email)).status).toBe(400);
    const [notice] = await mailsTo(person.email);
    expect(notice!.subject).toBe("El correo de tu cuenta de Diván ha cambiado");
    expect(notice!.text).toContain(email);
  });

  test("works without JavaScript, and opening the link any number of times uses nothing up", async () => {
    const { person, browser } = await signedIn();
    const email = freshAddress();
    const asked = await browser.form("/cuenta", { intent: "email", email });
    expect([asked.status, asked.headers.get("location")]).toEqual([302, "/cuenta"]);
    expect((await browser.page("/cuenta")).text).toContain("Falta confirmar el correo nuevo");
    const link = linkIn((await mailsTo(email))[0]!);
    for (let opened = 0; opened < 3; opened++) {
      const page = await openBrowserOf(app).page(link.pathname + link.search);
      expect(page.status).toBe(200);
      expect(page.text).toContain(email);
      expect(page.headers.get("referrer-policy")).toBe("same-origin");
      expect(page.headers.getSetCookie().join()).not.toContain("sid=");
    }
    expect(await emailOf(person)).toBe(person.email);
    const elsewhere = openBrowserOf(app);
    const sent = await elsewhere.form("/cuenta/correo", { token: link.searchParams.get("token")! });
    expect([sent.status, sent.headers.get("location")]).toEqual([302, "/auth"]);
    expect(elsewhere.jar.has("sid")).toBe(false);
    expect(await emailOf(person)).toBe(email);
    expect((await openBrowserOf(app).page(link.pathname + link.search)).status).toBe(410);
  });

  test("by the same link ten times at once happens once", async () => {
    const { person, browser } = await signedIn();
    const email = freshAddress();
    await ask(browser, email);
    const token = tokenIn((await mailsTo(email))[0]!);
    const answers = await Promise.all(Array.from({ length: 10 }, () => follow(token)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array(9).fill(410)]);
    expect(await mailsTo(person.email)).toHaveLength(1);
  });

  test("of two accounts to one address at once is given to one", async () => {
    const people = [await signedIn(), await signedIn()];
    const email = freshAddress();
    for (const { browser } of people) await ask(browser, email);
    const tokens = (await mailsTo(email)).map(tokenIn);
    expect(new Set(tokens).size).toBe(2);
    const answers = await Promise.all(tokens.map((token) => follow(token)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 410]);
    const emails = await Promise.all(people.map(({ person }) => emailOf(person)));
    expect(emails.filter((one) => one === email)).toHaveLength(1);
  });

  test("to an address with an account answers the same, and its owner is told by mail", async () => {
    const [{ browser, person }, taken] = [await signedIn(), await owner()];
    const [free, known] = [await ask(browser, freshAddress()), await ask(browser, taken.email.toUpperCase())];
    expect([known.status, known.text]).toEqual([free.status, free.text]);
    expect(await account(browser)).toMatchObject({ new_email: taken.email });
    const mails = await mailsTo(taken.email);
    expect(mails.map((mail) => mail.subject)).toEqual(["Ya tienes una cuenta en Diván"]);
    expect(mails[0]!.text).not.toContain("token=");
    expect(mails[0]!.text).not.toContain(person.full_name);
    expect(mails[0]!.text).not.toContain(person.email);
  });

  test("to one's own address is refused beside the field", async () => {
    const { person, browser } = await signedIn();
    expect(await ask(browser, person.email.toUpperCase())).toMatchObject({
      status: 422,
      body: { fields: { email: expect.any(String) } },
    });
  });

  test("a second wish makes the first link worthless, and of ten at once one waits", async () => {
    const { person, browser } = await signedIn();
    const [first, second] = [freshAddress(), freshAddress()];
    await ask(browser, first);
    const old = tokenIn((await mailsTo(first))[0]!);
    await ask(browser, second);
    expect((await follow(old)).status).toBe(410);
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask(browser, freshAddress())));
    expect(answers.map((answer) => answer.status)).toEqual(Array(10).fill(202));
    expect(await app.sql("select from email_changes where account_id = $1", [person.id])).toHaveLength(1);
  });

  test("can be given up, and its mail sent again", async () => {
    const { browser } = await signedIn();
    expect((await browser.call("POST", "/account/email/mail", {})).status).toBe(404);
    const email = freshAddress();
    await ask(browser, email);
    await browser.call("POST", "/account/email/mail", {});
    const mails = await mailsTo(email);
    expect(mails).toHaveLength(2);
    expect(tokenIn(mails[1]!)).toBe(tokenIn(mails[0]!));
    expect((await browser.call("DELETE", "/account/email", {})).status).toBe(200);
    expect((await account(browser)).new_email).toBeNull();
    expect((await follow(tokenIn(mails[0]!))).status).toBe(410);
  });

  test("waits for 24 hours and not longer", async () => {
    const start = Date.now();
    app.setNow(new Date(start));
    const [early, late] = [await signedIn(), await signedIn()];
    const [one, other] = [freshAddress(), freshAddress()];
    await ask(early.browser, one);
    await ask(late.browser, other);
    const [first, second] = [tokenIn((await mailsTo(one))[0]!), tokenIn((await mailsTo(other))[0]!)];
    app.setNow(new Date(start + DAY - 1000));
    expect((await follow(first)).status).toBe(200);
    app.setNow(new Date(start + DAY));
    expect((await follow(second)).status).toBe(410);
    expect((await account(late.browser)).new_email).toBeNull();
  });

  test("is taken back from the old mailbox: address restored, sessions and password gone, a mail to choose another", async () => {
    const { person, browser, email, undo } = await changed();
    const pending = await app.call("POST", "/email-links/pending", { token: undo });
    expect(pending.body).toEqual({ purpose: "undo", email: person.email });
    expect(await follow(undo)).toMatchObject({ status: 200, body: { purpose: "undo" } });
    expect(await emailOf(person)).toBe(person.email);
    expect(await isSignedIn(browser)).toBe(false);
    for (const address of [email, person.email])
      expect((await signIn(openBrowserOf(app), address)).body.code).toBe("invalid_credentials");
    const recovery = (await mailsTo(person.email)).findLast((mail) => /contraseña nueva/.test(mail.subject))!;
    const chosen = { token: tokenIn(recovery), password: NEW, confirm_password: NEW };
    expect((await app.call("PUT", "/password", chosen)).status).toBe(200);
    expect((await signIn(openBrowserOf(app), person.email, NEW)).status).toBe(200);
    expect((await follow(undo)).status).toBe(410);
  });

  test("is reverted also after another change, which invalidates the later links", async () => {
    const { person, browser, email, undo } = await changed();
    const third = freshAddress();
    await ask(browser, third);
    await follow(tokenIn((await mailsTo(third))[0]!));
    expect(await emailOf(person)).toBe(third);
    const later = tokenIn((await mailsTo(email)).at(-1)!);
    await ask(browser, freshAddress());
    expect((await follow(undo)).status).toBe(200);
    expect(await emailOf(person)).toBe(person.email);
    expect((await follow(later)).status).toBe(410);
    expect(await app.sql("select from email_changes where account_id = $1", [person.id])).toEqual([]);
  });

  test("is taken back once, also when asked ten times at once", async () => {
    const { person, undo } = await changed();
    const answers = await Promise.all(Array.from({ length: 10 }, () => follow(undo)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array(9).fill(410)]);
    expect((await mailsTo(person.email)).filter((mail) => /contraseña nueva/.test(mail.subject))).toHaveLength(1);
  });

  test("can be taken back for 7 days", async () => {
    const start = Date.now();
    app.setNow(new Date(start));
    const [early, late] = [await changed(), await changed()];
    app.setNow(new Date(start + 7 * DAY - 1000));
    expect((await follow(early.undo)).status).toBe(200);
    app.setNow(new Date(start + 7 * DAY));
    expect((await follow(late.undo)).status).toBe(410);
    expect(await emailOf(late.person)).toBe(late.email);
  });

  test.each(["", "x", "x".repeat(43)])("the made-up token %j leads nowhere", async (token) => {
    for (const path of ["/email-links", "/email-links/pending"])
      expect(await app.call("POST", path, { token })).toMatchObject({ status: 410, body: { code: "link_expired" } });
    expect((await app.page(`/cuenta/correo?token=${token}`)).status).toBe(410);
  });

  test("the links of other mails do nothing here", async () => {
    const { person, browser } = await signedIn();
    await app.call("POST", "/recoveries", { email: person.email });
    const recovery = tokenIn((await mailsTo(person.email))[0]!);
    expect((await follow(recovery)).status).toBe(410);
    const email = freshAddress();
    await ask(browser, email);
    const token = tokenIn((await mailsTo(email))[0]!);
    expect((await app.call("PUT", "/password", { token, password: NEW, confirm_password: NEW })).status).toBe(410);
    expect((await app.call("POST", "/accounts", { token })).status).toBe(410);
  });

  test("deletes pending registrations of the address, whose links are then invalid", async () => {
    const { browser } = await signedIn();
    const email = freshAddress();
    await app.call("POST", "/registrations", registration(email));
    const token = tokenIn((await mailsTo(email))[0]!);
    await ask(browser, email);
    await follow(tokenIn((await mailsTo(email)).at(-1)!));
    expect((await app.call("POST", "/accounts", { token })).status).toBe(410);
  });

  test("takes as long whether or not the address has an account", async () => {
    const { browser } = await signedIn();
    await expectEqualCost(
      app,
      async (email) => {
        const answer = await ask(browser, email);
        expect([answer.status, answer.text]).toEqual([202, '{"accepted":true}']);
        return answer;
      },
      async (pairs) => {
        const people = await Promise.all(Array.from({ length: pairs }, () => app.person({ email: freshAddress() })));
        return { known: people.map(({ email }) => email), unknown: people.map(freshAddress) };
      },
    );
  });
});
