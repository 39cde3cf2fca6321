import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { MINUTE } from "#shared/time.ts";
import { STEP, sendCode, setUpAccounts, signIn } from "#test/accounts.ts";
import { isSignedIn } from "#test/browser.ts";
import { tokenIn } from "#test/mailbox.ts";
import { NEW, twice, uniqueEmail } from "#test/people.ts";
import { codeAt } from "#test/totp.ts";

const { app, mailsTo, signedIn, withFactor, challenged, subjects, openBrowser } = setUpAccounts();

describe("sign-in with a second factor", () => {
  test("requires password and code", async () => {
    const { person, next } = await withFactor();
    const browser = await challenged(person);
    expect(browser.jar.has("sid")).toBe(false);
    expect(await isSignedIn(browser)).toBe(false);
    expect((await browser.call("GET", "/account")).status).toBe(401);
    const signed = await sendCode(browser, next());
    expect(signed).toMatchObject({ status: 200, body: { user: { id: person.id, second_factor: true } } });
    expect(browser.jar.has("challenge")).toBe(false);
    expect(await isSignedIn(browser)).toBe(true);
  });

  test("refuses a challenge as a session, a session as a challenge, a challenge of another browser", async () => {
    const { person, next } = await withFactor();
    const browser = await challenged(person);
    const challenge = browser.jar.get("challenge")!;
    const code = next();
    const asSession = await app.call("GET", "/session", undefined, null, { cookie: `sid=${challenge}` });
    expect(asSession.body.user).toBeNull();
    const [id] = challenge.split(".");
    for (const cookie of ["", `challenge=${id}.${"A".repeat(43)}`, `challenge=${id}`, `challenge=${randomUUID()}.x`])
      expect(await app.call("POST", "/session/second-factor", { code }, null, { cookie })).toMatchObject({
        status: 401,
        body: { code: "second_factor_expired" },
      });
    expect((await sendCode(browser, code)).status).toBe(200);
  });

  test.each(["a code of the application", "a recovery code"])(
    "accepts %s from only one of 10 concurrent browsers",
    async (kind) => {
      const { person, codes, next } = await withFactor();
      const browsers = await Promise.all(Array.from({ length: 10 }, () => challenged(person)));
      const code = kind === "a recovery code" ? codes[0]! : next();
      const answers = await Promise.all(browsers.map((browser) => sendCode(browser, code)));
      expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array(9).fill(422)]);
      expect((await Promise.all(browsers.map(isSignedIn))).filter(Boolean)).toHaveLength(1);
    },
  );

  test("refuses the code that turned it on or a code older than the last one", async () => {
    const at = new Date();
    const { person, secret } = await withFactor(at);
    expect((await sendCode(await challenged(person), codeAt(secret, at))).status).toBe(422);
    const later = new Date(at.getTime() + 2 * STEP);
    app.setNow(later);
    expect((await sendCode(await challenged(person), codeAt(secret, later))).status).toBe(200);
    expect((await sendCode(await challenged(person), codeAt(secret, new Date(at.getTime() + STEP)))).status).toBe(422);
  });

  test("expires 10 min after the password", async () => {
    const at = new Date();
    const { person, secret } = await withFactor(at);
    const [early, late] = [await challenged(person), await challenged(person)];
    const nearly = new Date(at.getTime() + 10 * MINUTE - 1000);
    app.setNow(nearly);
    expect((await sendCode(early, codeAt(secret, nearly))).status).toBe(200);
    const over = new Date(at.getTime() + 10 * MINUTE);
    app.setNow(over);
    expect(await sendCode(late, codeAt(secret, new Date(over.getTime() + STEP)))).toMatchObject({
      status: 401,
      body: { code: "second_factor_expired" },
    });
  });

  test("accepts a recovery code once in every spelling, then notifies the owner", async () => {
    const { person, browser, codes } = await withFactor();
    const device = await challenged(person);
    expect((await sendCode(device, ` ${codes[3]!.toLowerCase().replace("-", " ")} `)).status).toBe(200);
    expect((await sendCode(await challenged(person), codes[3]!)).status).toBe(422);
    expect((await browser.call("GET", "/account/second-factor")).body.recovery_codes_left).toBe(9);
    expect(await subjects(person.email)).toContain(
      "Alguien ha entrado en tu cuenta de Diván con un código de recuperación",
    );
  });

  test("consumes one of 10 recovery codes that one browser sends concurrently", async () => {
    const { person, browser, codes } = await withFactor();
    const cookie = { cookie: `challenge=${(await challenged(person)).jar.get("challenge")}` };
    const answers = await Promise.all(
      codes.map((code) => app.call("POST", "/session/second-factor", { code }, null, cookie)),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array(9).fill(401)]);
    expect((await browser.call("GET", "/account/second-factor")).body.recovery_codes_left).toBe(9);
  });

  test("refuses the old recovery codes after a renewal", async () => {
    const { person, browser, codes } = await withFactor();
    const renewed = await browser.call("POST", "/account/second-factor/recovery-codes", {});
    expect(renewed.body.recovery_codes).toHaveLength(10);
    expect((await sendCode(await challenged(person), codes[0]!)).status).toBe(422);
    expect((await sendCode(await challenged(person), renewed.body.recovery_codes[0])).status).toBe(200);
    expect(await subjects(person.email)).toContain("Tienes códigos de recuperación nuevos en Diván");
  });

  test("remains necessary after a password recovery", async () => {
    const { person, next } = await withFactor();
    const waiting = await challenged(person);
    await app.call("POST", "/recoveries", { email: person.email });
    const token = tokenIn((await mailsTo(person.email)).find((mail) => /contraseña nueva/.test(mail.subject))!);
    await app.call("PUT", "/password", { token, ...twice(NEW) });
    const browser = openBrowser();
    expect((await signIn(browser, person.email, NEW)).body).toMatchObject({ user: null, second_factor_required: true });
    expect(await isSignedIn(browser)).toBe(false);
    const code = next();
    // The challenge with the old password is invalid.
    expect((await sendCode(waiting, code)).status).toBe(401);
    expect((await sendCode(browser, code)).status).toBe(200);
  });

  test("allows sensitive changes for 10 min after the password, not after the code", async () => {
    const at = new Date();
    const { person, secret } = await withFactor(at);
    // The code also ends the session of another account in the browser.
    const { person: other, browser } = await signedIn();
    await signIn(browser, person.email);
    const later = new Date(at.getTime() + 9 * MINUTE);
    app.setNow(later);
    await sendCode(browser, codeAt(secret, later));
    expect(await app.sql("select from sessions where account_id = $1", [other.id])).toEqual([]);
    const change = () => browser.call("POST", "/account/email", { email: uniqueEmail() });
    expect((await change()).status).toBe(202);
    app.setNow(new Date(at.getTime() + 11 * MINUTE));
    expect((await change()).status).toBe(403);
  });

  test("responds 422 to a code if the stored secret cannot be decrypted", async () => {
    const { person, codes, next } = await withFactor();
    await app.sql("update second_factors set secret = '\\x00' where account_id = $1", [person.id]);
    expect((await sendCode(await challenged(person), next())).status).toBe(422);
    expect((await sendCode(await challenged(person), codes[0]!)).status).toBe(200);
  });

  test.each([
    ["before its request", true],
    ["after its request", false],
    ["after its confirmation", false],
    // An attacker may have begun the setup and know the secret.
    ["not at all", false],
  ])("remains after a reverted email change if it was turned on %s: %j", async (moment, remains) => {
    const at = app.freeze();
    const later = (minutes: number) => app.setNow(new Date(at.getTime() + minutes * MINUTE));
    const { person, browser } = await signedIn();
    const { secret } = (await browser.call("POST", "/account/second-factor", {})).body.setup;
    const turnOn = async (now: string) => {
      if (now !== moment) return;
      const code = codeAt(secret, app.context.now());
      expect((await browser.call("PUT", "/account/second-factor", { code })).status).toBe(200);
    };
    const email = uniqueEmail();
    await turnOn("before its request");
    later(1);
    await browser.call("POST", "/account/email", { email });
    later(2);
    await turnOn("after its request");
    later(3);
    // A repeated request does not make the factor older than the change.
    await browser.call("POST", "/account/email", { email });
    later(4);
    await app.call("POST", "/email-links", { token: tokenIn((await mailsTo(email))[0]!) });
    later(5);
    await turnOn("after its confirmation");
    const newest = async (subject: RegExp) =>
      tokenIn((await mailsTo(person.email)).findLast((mail) => subject.test(mail.subject))!);
    const reverted = await app.call("POST", "/email-links", { token: await newest(/correo de tu cuenta/) });
    expect(reverted.status).toBe(200);
    await app.call("PUT", "/password", { token: await newest(/contraseña nueva/), ...twice(NEW) });
    expect((await signIn(openBrowser(), person.email, NEW)).body.second_factor_required).toBe(remains);
    expect(await app.sql("select from second_factors where account_id = $1", [person.id])).toHaveLength(+remains);
  });
});
