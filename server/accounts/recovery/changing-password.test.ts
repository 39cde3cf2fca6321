import { describe, expect, test } from "vitest";
import { signIn } from "#test/accounts.ts";
import { type Browser, isSignedIn, openBrowser as openBrowserOf } from "#test/browser.ts";
import { tokenIn } from "#test/mailbox.ts";
import { NEW, PASSWORD, twice, uniqueEmail } from "#test/people.ts";
import { account, signedInSteps } from "#test/signed-in.ts";
import { setUpTestAppWithMailbox } from "#test/suite-setup.ts";

const { app, mailsTo } = setUpTestAppWithMailbox();

const { signedIn, another } = signedInSteps(app);

describe("PUT /account/password", () => {
  const change = (browser: Browser, password = NEW, confirm_password = password) =>
    browser.call("PUT", "/account/password", { password, confirm_password });

  test("ends all other sessions, rotates this one, notifies the owner", async () => {
    const { person, browser } = await signedIn();
    const others = [await another(person), await another(person)];
    const before = browser.jar.get("sid")!;
    const at = new Date();
    app.setNow(at);
    expect(await change(browser)).toMatchObject({ status: 200, body: { user: { id: person.id } } });
    expect((await account(browser)).password_changed_at).toBe(at.toISOString());
    expect(await Promise.all([browser, ...others].map(isSignedIn))).toEqual([true, false, false]);
    expect(browser.jar.get("sid")!.split(".")[0]).not.toBe(before.split(".")[0]);
    expect((await signIn(openBrowserOf(app), person.email)).body.code).toBe("invalid_credentials");
    expect((await signIn(openBrowserOf(app), person.email, NEW)).status).toBe(200);
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
    expect((await signIn(openBrowserOf(app), person.email, winner)).status).toBe(200);
  });

  test("works without JavaScript but never returns the password", async () => {
    const { person, browser } = await signedIn();
    const refused = await browser.form("/cuenta", {
      intent: "password",
      password: "contraseña123",
      confirm_password: "contraseña123",
    });
    expect(refused.status).toBe(422);
    expect(refused.text).not.toContain("contraseña123");
    expect((await change(browser, person.email)).status).toBe(422);
    expect((await change(browser, NEW, `${NEW}.`)).body.fields).toEqual({ confirm_password: expect.any(String) });
    expect((await signIn(openBrowserOf(app), person.email)).status).toBe(200);
    const sent = await browser.form("/cuenta", { intent: "password", ...twice(NEW) });
    expect([sent.status, sent.headers.get("location")]).toEqual([302, "/cuenta"]);
    expect((await signIn(openBrowserOf(app), person.email, NEW)).status).toBe(200);
  });
});
