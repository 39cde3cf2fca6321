import { describe, expect, test } from "vitest";
import { HOUR } from "#shared/time.ts";
import { account, setUpAccounts, signIn } from "#test/accounts.ts";
import type { TestUser } from "#test/app.ts";
import { type Browser, isSignedIn } from "#test/browser.ts";
import { tokenIn } from "#test/mailbox.ts";
import { NEW, PASSWORD, registration, twice, uniqueEmail } from "#test/people.ts";

const { app, mailsTo, openBrowser, newestToken, register, owner, viewerOf, signedIn, another } = setUpAccounts();

describe("PUT /password", () => {
  const choose = (browser: Browser, token: string, password = NEW) =>
    browser.call("PUT", "/password", { token, ...twice(password) });
  async function recoveryToken(person: TestUser): Promise<string> {
    expect((await app.call("POST", "/recoveries", { email: person.email })).status).toBe(202);
    return newestToken(person.email);
  }

  test("sets a new password, ends all sessions, cancels an email change, notifies the owner", async () => {
    const person = await owner();
    const device = openBrowser();
    await signIn(device, person.email);
    const cookies = [person.cookie, `sid=${device.jar.get("sid")}`];
    const email = uniqueEmail();
    await device.call("POST", "/account/email", { email });
    const confirmation = await newestToken(email);
    const token = await recoveryToken(person);
    expect(await viewerOf(cookies[0]!)).toBe(person.id);
    const chosen = { token, ...twice(NEW) };
    const sent = await device.form("/auth/nueva-contrasena", chosen);
    expect([sent.status, sent.headers.get("location")]).toEqual([302, "/auth"]);
    for (const cookie of cookies) expect(await viewerOf(cookie)).toBeNull();
    expect(device.jar.has("sid")).toBe(false);
    expect((await app.call("POST", "/email-links", { token: confirmation })).status).toBe(410);
    expect((await signIn(openBrowser(), person.email)).body.code).toBe("invalid_credentials");
    expect((await signIn(openBrowser(), person.email, NEW)).status).toBe(200);
    expect((await mailsTo(person.email)).map((mail) => mail.subject)).toEqual([
      "Elige una contraseña nueva en Diván",
      "Tu contraseña de Diván ha cambiado",
    ]);
  });

  test("accepts one use for 5 concurrent uses of the two links of an account", async () => {
    const person = await owner();
    const [first, second] = [await recoveryToken(person), await recoveryToken(person)];
    expect(second).not.toBe(first);
    const tokens = [first, second, first, second, first];
    const passwords = tokens.map((_, place) => `una llave nueva ${place}`);
    const answers = await Promise.all(tokens.map((token, at) => choose(openBrowser(), token, passwords[at])));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 410, 410, 410, 410]);
    const winner = passwords[answers.findIndex((answer) => answer.status === 200)]!;
    expect((await signIn(openBrowser(), person.email, winner)).status).toBe(200);
    for (const token of [first, second])
      expect(await choose(openBrowser(), token)).toMatchObject({ status: 410, body: { code: "link_expired" } });
    // No valid link is left, so the next request sends a mail again.
    expect(await recoveryToken(person)).not.toBe(second);
  });

  test("responds 410 60 min after the mail left", async () => {
    const start = Date.now();
    const [early, late] = [await owner(), await owner()];
    // The time begins when the mail leaves.
    app.setNow(new Date(start - HOUR / 2));
    await app.call("POST", "/recoveries", { email: early.email });
    app.setNow(new Date(start));
    const [earlyToken, lateToken] = [await newestToken(early.email), await recoveryToken(late)];
    app.setNow(new Date(start + HOUR - 1000));
    expect((await choose(openBrowser(), earlyToken)).status).toBe(200);
    app.setNow(new Date(start + HOUR));
    expect(await choose(openBrowser(), lateToken)).toMatchObject({ status: 410, body: { code: "link_expired" } });
    expect((await signIn(openBrowser(), late.email)).status).toBe(200);
  });

  test("responds 422 to a weak password but does not consume the link", async () => {
    const person = await owner();
    const token = await recoveryToken(person);
    for (const password of ["contraseña123", person.email, "corta"]) {
      const answer = await choose(openBrowser(), token, password);
      expect(answer).toMatchObject({ status: 422, body: { fields: { password: expect.any(String) } } });
    }
    const mismatch = { token, password: NEW, confirm_password: `${NEW}.` };
    expect((await app.call("PUT", "/password", mismatch)).body.fields).toHaveProperty("confirm_password");
    expect((await choose(openBrowser(), token)).status).toBe(200);
  });

  test("sends no recovery mail to an email without an account", async () => {
    const [unregistered, waiting] = [uniqueEmail(), uniqueEmail()];
    await register(openBrowser(), registration(waiting));
    for (const email of [unregistered, waiting])
      expect((await app.call("POST", "/recoveries", { email })).status).toBe(202);
    expect(await mailsTo(unregistered)).toEqual([]);
    expect((await mailsTo(waiting)).map((mail) => mail.subject)).toEqual(["Confirma tu correo en Diván"]);
  });
});

describe("PUT /account/password", () => {
  const change = (browser: Browser, password = NEW, confirm_password = password) =>
    browser.call("PUT", "/account/password", { password, confirm_password });

  test("ends all other sessions, rotates this one, notifies the owner", async () => {
    const { person, browser } = await signedIn();
    const others = [await another(person), await another(person)];
    const before = browser.jar.get("sid")!;
    const at = app.freeze();
    expect(await change(browser)).toMatchObject({ status: 200, body: { user: { id: person.id } } });
    expect((await account(browser)).password_changed_at).toBe(at.toISOString());
    expect(await Promise.all([browser, ...others].map(isSignedIn))).toEqual([true, false, false]);
    expect(browser.jar.get("sid")!.split(".")[0]).not.toBe(before.split(".")[0]);
    expect((await signIn(openBrowser(), person.email)).body.code).toBe("invalid_credentials");
    expect((await signIn(openBrowser(), person.email, NEW)).status).toBe(200);
    const [mail] = await mailsTo(person.email);
    expect(mail!.subject).toBe("Tu contraseña de Diván ha cambiado");
    expect(new URL(/https?:\/\/\S+/.exec(mail!.text)![0]).pathname).toBe("/auth/recuperar");
  });

  test("keeps the session if the owner's mail cannot be queued", async () => {
    const { browser } = await signedIn();
    const before = browser.jar.get("sid");
    await app.sql("alter table pgboss.job add constraint no_mails check (name <> 'mail') not valid");
    const failed = await change(browser).finally(() => app.sql("alter table pgboss.job drop constraint no_mails"));
    expect(failed.status).toBe(500);
    expect(browser.jar.get("sid")).toBe(before);
    expect(await isSignedIn(browser)).toBe(true);
  });

  test("invalidates recovery links together with pending email changes", async () => {
    const { person, browser } = await signedIn();
    await app.call("POST", "/recoveries", { email: person.email });
    const recovery = tokenIn((await mailsTo(person.email))[0]!);
    const email = uniqueEmail();
    await browser.call("POST", "/account/email", { email });
    const confirmation = tokenIn((await mailsTo(email))[0]!);
    await change(browser);
    const recovered = { token: recovery, ...twice(PASSWORD) };
    expect((await app.call("PUT", "/password", recovered)).status).toBe(410);
    expect((await app.call("POST", "/email-links", { token: confirmation })).status).toBe(410);
  });

  test("leaves one session with one password after 10 concurrent changes", async () => {
    const { person, browser } = await signedIn();
    const cookie = { cookie: `sid=${browser.jar.get("sid")}` };
    const passwords = Array.from({ length: 10 }, (_, at) => `una llave nueva ${at}`);
    const answers = await Promise.all(
      passwords.map((password) => app.call("PUT", "/account/password", twice(password), null, cookie)),
    );
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 401)).toHaveLength(9);
    expect(await app.sql("select from sessions where account_id = $1", [person.id])).toHaveLength(1);
    const winner = passwords[answers.findIndex((answer) => answer.status === 200)]!;
    expect((await signIn(openBrowser(), person.email, winner)).status).toBe(200);
  });
});
