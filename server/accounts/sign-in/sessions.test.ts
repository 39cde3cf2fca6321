import { randomBytes, randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { DAY, HOUR, MINUTE } from "#shared/time.ts";
import { account, FIREFOX, setUpAccounts, signIn } from "#test/accounts.ts";
import { isSignedIn } from "#test/browser.ts";
import { withFullDisk } from "#test/full-disk.ts";
import { withRowsLocked } from "#test/locks.ts";
import { NEW, PASSWORD, twice, uniqueEmail } from "#test/people.ts";
import { consultationBody } from "#test/threads.ts";

const { app, openBrowser, owner, viewerOf, signedIn, another } = setUpAccounts();

describe("POST /session", () => {
  test("starts a session with a cookie that is HttpOnly and SameSite=Lax", async () => {
    const person = await owner();
    const browser = openBrowser();
    const answer = await signIn(browser, person.email.toUpperCase());
    expect(answer).toMatchObject({ status: 200, body: { user: { id: person.id } } });
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^device=[\w-]{43}(\.[\w-]{43}){4}; Max-Age=15552000; Path=\/; SameSite=Lax; HttpOnly$/),
      expect.stringMatching(/^sid=[0-9a-f-]{36}\.[\w-]{43}; Max-Age=2592000; Path=\/; SameSite=Lax; HttpOnly$/),
    ]);
    expect(answer.headers.get("cache-control")).toBe("private, no-store, no-transform");
    expect(await browser.viewer()).toMatchObject({ id: person.id });
  });

  test("replaces a cookie that was set before and ends the session of another account in the browser", async () => {
    const [first, second] = [await owner(), await owner()];
    const browser = openBrowser();
    const preset = `${randomUUID()}.${randomBytes(32).toString("base64url")}`;
    browser.jar.set("sid", preset);
    await signIn(browser, first.email);
    const mine = browser.jar.get("sid")!;
    for (const part of [0, 1]) expect(mine.split(".")[part]).not.toBe(preset.split(".")[part]);
    expect(await viewerOf(`sid=${preset}`)).toBeNull();
    expect(await viewerOf(`sid=${mine}`)).toBe(first.id);
    await signIn(browser, second.email);
    expect(await browser.viewer()).toMatchObject({ id: second.id });
    expect(await viewerOf(`sid=${mine}`)).toBeNull();
  });

  test("ignores a session id with another secret without ending that session", async () => {
    const [person, other] = [await owner(), await owner()];
    const [browser, stranger] = [openBrowser(), openBrowser()];
    await signIn(browser, person.email);
    await signIn(stranger, other.email);
    const [id] = browser.jar.get("sid")!.split(".");
    const [, secret] = stranger.jar.get("sid")!.split(".");
    for (const wrong of [`${id}.${secret}`, `${id}.`, `${id}`, "' or true --", "..", "a.b"]) {
      const answer = await app.call("GET", "/session", undefined, null, { cookie: `sid=${wrong}` });
      expect(answer).toMatchObject({ status: 200, body: { user: null } });
    }
    expect(await browser.viewer()).toMatchObject({ id: person.id });
  });
});

test("DELETE /session ends the session of this device, so that a copy of its cookie is invalid", async () => {
  const person = await owner();
  const [device, other] = [openBrowser(), openBrowser()];
  for (const each of [device, other]) await signIn(each, person.email);
  const cookie = `sid=${device.jar.get("sid")}`;
  expect(await device.call("DELETE", "/session", {})).toMatchObject({ status: 200, body: { done: true } });
  expect(device.jar.has("sid")).toBe(false);
  expect(await viewerOf(cookie)).toBeNull();
  expect(await other.viewer()).toMatchObject({ id: person.id });
  // Writes with the cookie of an ended session are refused.
  const answer = await app.call("POST", "/consultations", consultationBody(), null, { cookie });
  expect(answer.status).toBe(401);
  expect(answer.headers.getSetCookie()).toEqual([expect.stringMatching(/^sid=; Max-Age=0/)]);
});

describe("session", () => {
  test("ends 7 days after the last visit", async () => {
    const start = app.freeze().getTime();
    const [person, idle] = [await app.person(), await app.person()];
    app.setNow(new Date(start + 7 * DAY - 1000));
    expect((await app.call("GET", "/session", undefined, person)).body).toMatchObject({
      user: { id: person.id },
      expires_at: new Date(start + 14 * DAY - 1000).toISOString(),
    });
    app.setNow(new Date(start + 7 * DAY));
    expect(await viewerOf(idle.cookie)).toBeNull();
    expect(await app.sql("select from sessions where account_id = $1", [idle.id])).toEqual([]);
    // An earlier clock does not restore it.
    app.setNow(new Date(start));
    expect(await viewerOf(idle.cookie)).toBeNull();
    // The visit one second before the end counted.
    app.setNow(new Date(start + 14 * DAY - 2000));
    expect(await viewerOf(person.cookie)).toBe(person.id);
  });

  test.each([
    ["stays signed in", 6 * MINUTE, true],
    ["ends", 8 * DAY, false],
  ])("%s for reading if the disk of the database is full", async (_what, idle, signedIn) => {
    const person = await owner();
    const browser = openBrowser();
    await signIn(browser, person.email);
    app.setNow(new Date(Date.now() + idle));
    await withFullDisk(app, ["update or delete on sessions"], async () => {
      expect((await browser.page("/")).status).toBe(200);
      expect((await browser.viewer())?.id === person.id).toBe(signedIn);
    });
  });

  test("ends 30 days after it began even if it is renewed", async () => {
    const start = app.freeze().getTime();
    const person = await app.person();
    for (let day = 5; day < 30; day += 5) {
      app.setNow(new Date(start + day * DAY));
      const answer = await app.call("POST", "/session/renewal", {}, person);
      expect(answer.body.user.id).toBe(person.id);
      const ends = new Date(answer.body.expires_at).getTime();
      expect(answer.body.expires_in).toBe((ends - start) / 1000 - day * 86_400);
      expect(ends).toBe(Math.min(start + 30 * DAY, start + (day + 7) * DAY));
    }
    app.setNow(new Date(start + 30 * DAY - 1000));
    expect(await viewerOf(person.cookie)).toBe(person.id);
    app.setNow(new Date(start + 30 * DAY));
    expect(await viewerOf(person.cookie)).toBeNull();
    expect((await app.call("POST", "/session/renewal", {}, person)).status).toBe(401);
  });
});

describe("list of sessions", () => {
  test("shows the current session, then the others in force by their last use, each with its device", async () => {
    const at = new Date("2027-05-01T10:00:00Z");
    // Ends after 7 days.
    app.setNow(new Date(at.getTime() - 7 * DAY));
    const { person } = await signedIn();
    app.setNow(at);
    const browser = await another(person, FIREFOX);
    await signedIn();
    app.setNow(new Date(at.getTime() + HOUR));
    await another(person);
    await account(browser);
    app.setNow(new Date(at.getTime() + HOUR + MINUTE));
    await another(person);
    const { sessions } = await account(browser);
    const row = { id: expect.any(String), device: "Safari en iPhone", current: false };
    expect(sessions).toEqual([
      { ...row, device: "Firefox en Android", seen_at: "2027-05-01T11:00:00.000Z", current: true },
      { ...row, seen_at: "2027-05-01T11:01:00.000Z" },
      { ...row, seen_at: "2027-05-01T11:00:00.000Z" },
    ]);
    // No other part of the User-Agent is stored.
    const stored = JSON.stringify(await app.sql("select * from sessions where account_id = $1", [person.id]));
    expect(stored).not.toMatch(/Mozilla|\/144|AppleWebKit/);
  });

  test("ends a session by its id, which responds 404 to another user", async () => {
    const { browser } = await signedIn();
    const [id] = browser.jar.get("sid")!.split(".");
    const stranger = await signedIn();
    const refused = await stranger.browser.call("DELETE", `/sessions/${id}`, {});
    expect(refused).toMatchObject({ status: 404, body: { code: "not_found" } });
    expect(await isSignedIn(browser)).toBe(true);
    expect((await browser.call("DELETE", `/sessions/${id}`, {})).status).toBe(200);
    expect(browser.jar.has("sid")).toBe(false);
  });
});

test("a session of the administrator ends 8 h after it began even if it is used", async () => {
  const start = app.freeze().getTime();
  const { person, browser } = await signedIn("admin@divan.example");
  const plain = await signedIn();
  app.setNow(new Date(start + HOUR));
  const later = await another(person);
  app.setNow(new Date(start + 8 * HOUR - 1000));
  expect((await browser.call("GET", "/session")).body).toMatchObject({
    user: { is_admin: true },
    expires_at: new Date(start + 8 * HOUR).toISOString(),
  });
  expect((await browser.call("POST", "/session/password", { password: PASSWORD })).status).toBe(200);
  app.setNow(new Date(start + 8 * HOUR));
  expect((await account(later)).sessions).toHaveLength(1);
  expect(await isSignedIn(browser)).toBe(false);
  expect(await isSignedIn(plain.browser)).toBe(true);
});

describe("sensitive change", () => {
  test("asks for the password again after 10 minutes, which gives the session another cookie", async () => {
    const start = app.freeze().getTime();
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
