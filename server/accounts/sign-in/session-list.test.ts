import { describe, expect, test } from "vitest";
import { DAY, HOUR, MINUTE } from "#shared/time.ts";
import { isSignedIn } from "#test/browser.ts";
import { PASSWORD } from "#test/people.ts";
import { account, signedInSteps } from "#test/signed-in.ts";
import { setUpTestAppWithMailbox } from "#test/suite-setup.ts";

const { app } = setUpTestAppWithMailbox();

const { signedIn, another } = signedInSteps(app);

describe("list of sessions", () => {
  test("shows the current session, then the others by their last use, each with its device", async () => {
    const at = new Date("2027-05-01T10:00:00Z");
    app.setNow(at);
    const { person, browser } = await signedIn();
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

  test("contains only the user's own sessions that are not expired", async () => {
    const start = new Date();
    app.setNow(start);
    const { person } = await signedIn();
    app.setNow(new Date(start.getTime() + 7 * DAY));
    const browser = await another(person);
    await signedIn();
    const { sessions } = await account(browser);
    expect(sessions).toHaveLength(1);
    expect(sessions[0].current).toBe(true);
  });

  test("ends one session of the user, so that its cookie is invalid", async () => {
    const { person, browser } = await signedIn();
    const [second, third] = [await another(person), await another(person)];
    const [id] = second.jar.get("sid")!.split(".");
    expect((await browser.call("DELETE", `/sessions/${id}`, {})).status).toBe(200);
    expect([await isSignedIn(browser), await isSignedIn(second), await isSignedIn(third)]).toEqual([true, false, true]);
    expect((await browser.call("DELETE", `/sessions/${id}`, {})).status).toBe(404);
    const [own] = browser.jar.get("sid")!.split(".");
    // Another user's session is not found.
    const stranger = await signedIn();
    expect(await stranger.browser.call("DELETE", `/sessions/${own}`, {})).toMatchObject({
      status: 404,
      body: { code: "not_found" },
    });
    expect(await isSignedIn(browser)).toBe(true);
    expect((await browser.call("DELETE", `/sessions/${own}`, {})).status).toBe(200);
    expect(browser.jar.has("sid")).toBe(false);
  });

  test("ends one, the others or all sessions without JavaScript", async () => {
    const { person, browser } = await signedIn();
    const devices = [await another(person), await another(person), await another(person)];
    const [first] = devices;
    const page = await browser.page("/cuenta");
    expect(page.status).toBe(200);
    expect(page.text.match(/Safari en iPhone<\/b>/g)).toHaveLength(3);
    const [id] = first!.jar.get("sid")!.split(".");
    const ended = await browser.form("/cuenta", { intent: "end_session", session: id! });
    expect([ended.status, ended.headers.get("location")]).toEqual([302, "/cuenta"]);
    expect(await Promise.all(devices.map(isSignedIn))).toEqual([false, true, true]);
    const others = await browser.form("/salir", { scope: "others" });
    expect([others.status, others.headers.get("location")]).toEqual([302, "/cuenta"]);
    expect(await Promise.all([browser, ...devices].map(isSignedIn))).toEqual([true, false, false, false]);
    const last = await another(person);
    const all = await browser.form("/salir", { scope: "all" });
    expect([all.status, all.headers.get("location")]).toEqual([302, "/"]);
    expect(all.headers.get("clear-site-data")).toBe('"cache", "storage"');
    expect(await Promise.all([browser, last].map(isSignedIn))).toEqual([false, false]);
  });
});

describe("/cuenta without JavaScript", () => {
  test.each([
    ["end_session", { session: "no-such-session" }, 404],
    ["consent", { kind: "unknown" }, 422],
  ])("shows the error of a failed %s", async (intent, fields, status) => {
    const { browser } = await signedIn();
    const failed = await browser.form("/cuenta", { intent, ...fields });
    expect(failed.status).toBe(status);
    expect(failed.text).toContain('class="notice notice--error"');
  });
});

describe("session of the administrator", () => {
  test("ends 8 h after it began even if it is used", async () => {
    const start = Date.now();
    app.setNow(new Date(start));
    const { person, browser } = await signedIn("admin@divan.example");
    const plain = await signedIn();
    app.setNow(new Date(start + HOUR));
    const later = await another(person);
    app.setNow(new Date(start + 8 * HOUR - 1000));
    expect(await browser.viewer()).toMatchObject({ is_admin: true });
    expect((await browser.call("POST", "/session/password", { password: PASSWORD })).status).toBe(200);
    app.setNow(new Date(start + 8 * HOUR));
    expect((await account(later)).sessions).toHaveLength(1);
    expect(await isSignedIn(browser)).toBe(false);
    expect(await isSignedIn(plain.browser)).toBe(true);
  });
});
