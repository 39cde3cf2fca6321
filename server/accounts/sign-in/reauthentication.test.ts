import { describe, expect, test } from "vitest";
import { MINUTE } from "#shared/time.ts";
import { account, setUpAccounts } from "#test/accounts.ts";
import { withRowsLocked } from "#test/locks.ts";
import { NEW, PASSWORD, twice, uniqueEmail } from "#test/people.ts";

const { app, signedIn, another } = setUpAccounts();

describe("sensitive change", () => {
  test("asks for the password again after 10 minutes, which gives the session another cookie", async () => {
    const start = Date.now();
    app.setNow(new Date(start));
    const { browser, person } = await signedIn();
    const other = await another(person);
    app.setNow(new Date(start + 10 * MINUTE + 1));
    const change = () => browser.call("PUT", "/account/password", twice(NEW));
    expect(await change()).toMatchObject({ status: 403, body: { code: "reauthentication_required" } });
    expect((await account(browser)).reauthenticated_until).toBeNull();
    const give = (password: string) => browser.call("POST", "/session/password", { password });
    expect(await give("otra cosa larga")).toMatchObject({
      status: 422,
      body: { code: "invalid_input", fields: { password: expect.any(String) } },
    });
    expect((await change()).status).toBe(403);

    const before = browser.jar.get("sid")!;
    const ends = () => app.sql("select expires_at from sessions where account_id = $1 order by 1", [person.id]);
    const end = await ends();
    expect((await give(PASSWORD)).status).toBe(200);
    for (const part of [0, 1]) expect(browser.jar.get("sid")!.split(".")[part]).not.toBe(before.split(".")[part]);
    const asked = await app.call("GET", "/session", undefined, null, { cookie: `sid=${before}` });
    expect(asked.body.user).toBeNull();
    expect(await ends()).toEqual(end);
    // Only this session has the password.
    expect((await account(browser)).reauthenticated_until).toBe(new Date(start + 20 * MINUTE + 1).toISOString());
    expect((await account(other)).reauthenticated_until).toBeNull();
    app.setNow(new Date(start + 20 * MINUTE + 1));
    expect((await change()).status).toBe(200);
  });

  test("accepts password plus change in one form, which shows the typed values again", async () => {
    const { person, browser } = await signedIn();
    app.setNow(new Date(Date.now() + 11 * MINUTE));
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
