import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MINUTE } from "#shared/time.ts";
import { accountSteps, sendCode, setUpAccounts, signIn } from "#test/accounts.ts";
import { openTestApp, type TestApp } from "#test/app.ts";
import { isSignedIn } from "#test/browser.ts";
import { dumpDatabase } from "#test/dump-database.ts";
import { NEW, PASSWORD, twice } from "#test/people.ts";
import { codeAt } from "#test/totp.ts";

const { app, mailbox, signedIn, withFactor, challenged, subjects, openBrowser } = setUpAccounts();

describe("second factor setup", () => {
  test("accepts a first code, ends other sessions, shows 10 recovery codes once, notifies the owner", async () => {
    const at = app.freeze();
    const { person, browser } = await signedIn();
    const other = openBrowser();
    await signIn(other, person.email);
    expect((await browser.call("GET", "/account/second-factor")).body).toMatchObject({ state: "off", setup: null });
    const begun = await browser.call("POST", "/account/second-factor", {});
    expect(begun).toMatchObject({ status: 200, body: { state: "being_set_up", since: null } });
    const { secret, address, qr } = begun.body.setup;
    expect(new URL(address).searchParams.get("secret")).toBe(secret);
    expect(qr.path).toMatch(/^M/);
    // Signing in requires a code only after the first code.
    expect((await signIn(openBrowser(), person.email)).body).toMatchObject({ second_factor_required: false });

    const before = browser.jar.get("sid")!;
    // Applications show the code with a space in its middle.
    const code = codeAt(secret, at).replace(/^(...)/, "$1 ");
    const confirmed = await browser.call("PUT", "/account/second-factor", { code });
    expect(confirmed.status).toBe(200);
    expect(confirmed.body.recovery_codes).toHaveLength(10);
    expect(browser.jar.get("sid")!.split(".")[0]).not.toBe(before.split(".")[0]);
    expect(await browser.viewer()).toMatchObject({ id: person.id, second_factor: true });
    expect(await isSignedIn(other)).toBe(false);
    const read = await browser.call("GET", "/account/second-factor");
    expect(read.body).toEqual({ state: "on", since: at.toISOString(), recovery_codes_left: 10, setup: null });
    expect((await browser.call("GET", "/account")).body.second_factor_since).toBe(at.toISOString());
    expect(await subjects(person.email)).toEqual(["Has activado la verificación en dos pasos en Diván"]);
  });

  test("stays off after a wrong code", async () => {
    const { person, browser } = await signedIn();
    const { secret } = (await browser.call("POST", "/account/second-factor", {})).body.setup;
    const late = codeAt(secret, new Date(Date.now() - 5 * MINUTE));
    for (const code of [late, "000000", "12345", "1234567", "ABCDE-FGHJK", "código"])
      expect(await browser.call("PUT", "/account/second-factor", { code })).toMatchObject({
        status: 422,
        body: { fields: { code: expect.any(String) } },
      });
    expect((await signIn(openBrowser(), person.email)).body.second_factor_required).toBe(false);
    // A setup that is given up changes nothing, so no mail says that the factor was turned off.
    expect((await browser.call("DELETE", "/account/second-factor", {})).status).toBe(200);
    expect(await subjects(person.email)).toEqual([]);
  });

  test("creates another secret when started again and accepts one of 10 concurrent first codes", async () => {
    const at = app.freeze();
    const { browser } = await signedIn();
    const first = (await browser.call("POST", "/account/second-factor", {})).body.setup.secret;
    const second = (await browser.call("POST", "/account/second-factor", {})).body.setup.secret;
    expect(second).not.toBe(first);
    expect((await browser.call("PUT", "/account/second-factor", { code: codeAt(first, at) })).status).toBe(422);
    const cookie = { cookie: `sid=${browser.jar.get("sid")}` };
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        app.call("PUT", "/account/second-factor", { code: codeAt(second, at) }, null, cookie),
      ),
    );
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    for (const answer of answers) if (answer.status !== 200) expect([401, 409]).toContain(answer.status);
  });

  test("hides the secret 10 min after the password, drops it without a first code after 1 h", async () => {
    const start = app.freeze();
    const { browser } = await signedIn();
    const { secret } = (await browser.call("POST", "/account/second-factor", {})).body.setup;
    app.setNow(new Date(start.getTime() + 11 * MINUTE));
    expect((await browser.call("GET", "/account/second-factor")).body).toMatchObject({ state: "off", setup: null });
    app.setNow(new Date(start.getTime() + 60 * MINUTE - 1));
    await browser.call("POST", "/session/password", { password: PASSWORD });
    expect((await browser.call("GET", "/account/second-factor")).body.setup).toMatchObject({ secret });
    const end = new Date(start.getTime() + 60 * MINUTE);
    app.setNow(end);
    const confirm = (key: string) => browser.call("PUT", "/account/second-factor", { code: codeAt(key, end) });
    expect(await confirm(secret)).toMatchObject({ status: 409, body: { code: "second_factor_not_set_up" } });
    const { setup } = (await browser.call("POST", "/account/second-factor", {})).body;
    expect((await confirm(setup.secret)).status).toBe(200);
  });

  test("refuses a new setup until the user turns it off with the password", async () => {
    const { person, browser, secret, codes, at } = await withFactor();
    expect(await browser.call("POST", "/account/second-factor", {})).toMatchObject({
      body: { code: "second_factor_already_enabled" },
    });
    app.setNow(new Date(at.getTime() + 11 * MINUTE));
    expect(await browser.call("DELETE", "/account/second-factor", {})).toMatchObject({
      status: 403,
      body: { code: "reauthentication_required" },
    });
    await browser.call("POST", "/session/password", { password: PASSWORD });
    const waiting = await challenged(person);
    expect((await browser.call("DELETE", "/account/second-factor", {})).status).toBe(200);
    expect((await sendCode(waiting, codes[0]!)).body.code).toBe("second_factor_expired");
    expect(await browser.viewer()).toMatchObject({ second_factor: false });
    expect((await signIn(openBrowser(), person.email)).body.second_factor_required).toBe(false);
    expect(await subjects(person.email)).toContain("La verificación en dos pasos de Diván se ha desactivado");
    const again = (await browser.call("POST", "/account/second-factor", {})).body.setup.secret;
    expect(again).not.toBe(secret);
  });
});

test("stores no secret or recovery code in plain text, in other responses or in the log", async () => {
  app.log.length = 0;
  const { person, browser, secret, codes, next } = await withFactor();
  await sendCode(await challenged(person), next());
  await sendCode(await challenged(person), codes[0]!);
  const bodies = [
    await browser.call("GET", "/session"),
    await browser.call("GET", "/account/second-factor"),
    await browser.call("POST", "/account/export", {}),
  ];
  const stored = await dumpDatabase(app);
  const seen = bodies.map((answer) => answer.text).join() + app.log.join();
  for (const one of [secret, ...codes, ...codes.map((code) => code.replace("-", ""))]) {
    expect(stored).not.toContain(one);
    expect(stored).not.toContain(Buffer.from(one).toString("hex"));
    expect(seen).not.toContain(one);
  }
});

describe("second factor of the administrator outside the demo", () => {
  let production: TestApp;
  beforeAll(async () => {
    production = await openTestApp({
      environment: { DEMO: "off", SMTP_URL: "smtp://127.0.0.1:1" },
      overrides: { mailer: { send: async () => {}, close: () => {} } },
    });
  });
  afterAll(() => production.close());

  test("opens the administration after a setup without JavaScript, whose response alone shows the recovery codes", async () => {
    const at = new Date();
    production.setNow(at);
    const { browser } = await accountSteps(production, mailbox).signedIn("admin@divan.example");
    const led = await browser.page("/admin");
    expect([led.status, led.headers.get("location")]).toEqual([302, "/cuenta/segundo-paso"]);
    const page = await browser.page("/cuenta/segundo-paso");
    expect(page.text).toContain("La administración la necesita");
    const begun = await browser.form("/cuenta/segundo-paso", { intent: "begin" });
    expect(begun.headers.get("location")).toBe("/cuenta/segundo-paso");
    const [, key] = /<code>([A-Z2-7 ]{39})<\/code>/.exec((await browser.page("/cuenta/segundo-paso")).text)!;
    const wrong = await browser.form("/cuenta/segundo-paso", { intent: "confirm", code: "000000" });
    expect(wrong.text).toContain("Ese código no sirve");
    const done = await browser.form("/cuenta/segundo-paso", { intent: "confirm", code: codeAt(key!, at) });
    expect(done.text).toContain('href="/admin"');
    expect(done.text.match(/<code>[2-9A-HJ-NP-Z]{5}-[2-9A-HJ-NP-Z]{5}<\/code>/g)).toHaveLength(10);
    const after = await browser.page("/cuenta/segundo-paso");
    expect(after.text).not.toMatch(/<code>/);
    expect(after.text).toContain("10 códigos");
    expect((await browser.call("GET", "/admin/summary")).status).toBe(200);
    expect((await browser.page("/admin")).status).toBe(200);

    // A rotated session still has its second factor.
    expect((await browser.call("POST", "/session/password", { password: PASSWORD })).status).toBe(200);
    expect((await browser.call("GET", "/admin/summary")).status).toBe(200);
    const chosen = twice(NEW);
    expect((await browser.call("PUT", "/account/password", chosen)).status).toBe(200);
    expect((await browser.call("GET", "/admin/summary")).status).toBe(200);

    await browser.call("DELETE", "/account/second-factor", {});
    expect((await browser.call("GET", "/admin/summary")).body.code).toBe("second_factor_required");
  });
});
