import { describe, expect, test } from "vitest";
import { MINUTE } from "#shared/time.ts";
import type { TestUser } from "#test/app.ts";
import { isSignedIn } from "#test/browser.ts";
import { withRowsLocked } from "#test/locks.ts";
import { PASSWORD, uniqueEmail } from "#test/people.ts";
import { account, signedInSteps } from "#test/signed-in.ts";
import { setUpTestAppWithMailbox } from "#test/suite-setup.ts";

const { app } = setUpTestAppWithMailbox();

const NEW = "una llave nueva y larga";

const { signedIn, another } = signedInSteps(app);
/** Moves the time of the password 11 min into the past. */
const stale = (person: TestUser) =>
  app.sql("update sessions set password_at = password_at - interval '11 minutes' where account_id = $1", [person.id]);

describe("sensitive change", () => {
  test("asks for the password again after 10 minutes", async () => {
    const start = Date.now();
    app.setNow(new Date(start));
    const { browser } = await signedIn();
    app.setNow(new Date(start + 10 * MINUTE + 1));
    const change = () => browser.call("PUT", "/account/password", { password: NEW, confirm_password: NEW });
    expect(await change()).toMatchObject({ status: 403, body: { code: "reauthentication_required" } });
    expect((await account(browser)).reauthenticated_until).toBeNull();
    expect((await browser.call("POST", "/session/password", { password: PASSWORD })).status).toBe(200);
    expect((await account(browser)).reauthenticated_until).toBe(new Date(start + 20 * MINUTE + 1).toISOString());
    app.setNow(new Date(start + 20 * MINUTE + 1));
    expect((await change()).status).toBe(200);
  });

  test("stays refused after a wrong password, which does not end the session", async () => {
    const { person, browser } = await signedIn();
    await stale(person);
    expect(await browser.call("POST", "/session/password", { password: "otra cosa larga" })).toMatchObject({
      status: 422,
      body: { code: "invalid_input", fields: { password: expect.any(String) } },
    });
    expect((await browser.call("PUT", "/account/password", { password: NEW, confirm_password: NEW })).status).toBe(403);
    expect(await isSignedIn(browser)).toBe(true);
  });

  test("stays refused in another session than the one with the password", async () => {
    const { person, browser } = await signedIn();
    const other = await another(person);
    await stale(person);
    await browser.call("POST", "/session/password", { password: PASSWORD });
    expect((await account(browser)).reauthenticated_until).not.toBeNull();
    expect((await account(other)).reauthenticated_until).toBeNull();
  });

  test("works in a rotated session; the old cookie is invalid", async () => {
    const { browser, person } = await signedIn();
    const before = browser.jar.get("sid")!;
    const ends = () => app.sql("select expires_at from sessions where account_id = $1", [person.id]);
    const end = await ends();
    await browser.call("POST", "/session/password", { password: PASSWORD });
    const after = browser.jar.get("sid")!;
    expect(after.split(".")[0]).not.toBe(before.split(".")[0]);
    expect(after.split(".")[1]).not.toBe(before.split(".")[1]);
    const asked = await app.call("GET", "/session", undefined, null, { cookie: `sid=${before}` });
    expect(asked.body.user).toBeNull();
    expect(await isSignedIn(browser)).toBe(true);
    expect(await ends()).toEqual(end);
  });

  test("accepts password plus change in one form, which shows the typed values again", async () => {
    const { person, browser } = await signedIn();
    await stale(person);
    const email = uniqueEmail();
    expect((await browser.page("/cuenta")).text).toContain('name="current_password"');
    const wrong = await browser.form("/cuenta", { intent: "email", email, current_password: "otra cosa larga" });
    expect(wrong.status).toBe(422);
    expect(wrong.text).toContain(`value="${email}"`);
    expect(wrong.text).toContain("Esa no es tu contraseña.");
    expect(await app.sql("select from email_changes where account_id = $1", [person.id])).toEqual([]);
    const without = await browser.form("/cuenta", { intent: "email", email });
    expect(without.status).toBe(403);
    expect(without.text).toContain(`value="${email}"`);
    const right = await browser.form("/cuenta", { intent: "email", email, current_password: PASSWORD });
    expect([right.status, right.headers.get("location")]).toEqual([302, "/cuenta"]);
    expect((await account(browser)).new_email).toBe(email);
  });
});

test.each([
  ["POST", "/session/password", { password: PASSWORD }],
  ["GET", "/account", undefined],
] as const)("%s %s responds 401 if the account is deleted before its password is read", async (method, path, body) => {
  const { person, browser } = await signedIn();
  const [answer] = await withRowsLocked(
    app,
    `lock table accounts in access exclusive mode; delete from profiles where id = '${person.id}'`,
    [],
    [() => browser.call(method, path, body)],
  );
  expect(answer).toMatchObject({ status: 401, body: { code: "sign_in_required" } });
});
