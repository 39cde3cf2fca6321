import { describe, expect, test } from "vitest";
import { MINUTE } from "#shared/time.ts";
import { count, MAX_ATTEMPTS, setUpRateLimitedApp, signIn, signOut } from "#test/attempts.ts";
import type { Browser } from "#test/browser.ts";
import { codeAt } from "#test/totp.ts";
import { ATTEMPT_LIMITS } from "../../limits/rate-limit-rules.ts";

const { app, mailsAbout, openBrowser, wrong, later, known, knownDeviceRows } = setUpRateLimitedApp();

describe("codes of the second factor", () => {
  async function withFactor() {
    const { person, browser } = await known();
    await signIn(browser, person.email);
    const { secret } = (await browser.call("POST", "/account/second-factor", {})).body.setup;
    const confirmed = await browser.call("PUT", "/account/second-factor", { code: codeAt(secret, app.context.now()) });
    expect(confirmed.status).toBe(200);
    await signOut(browser);
    later(MINUTE);
    return { person, browser, secret };
  }
  const guess = (browser: Browser, code: string) => browser.call("POST", "/session/second-factor", { code });

  test("counts separately for known and unknown devices", async () => {
    const { person, browser, secret } = await withFactor();
    // An attacker who knows the password tries codes in several browsers.
    const thief = openBrowser();
    expect((await signIn(thief, person.email)).body.second_factor_required).toBe(true);
    const answers = await Promise.all(Array.from({ length: 50 }, (_, at) => guess(thief, String(100_000 + at))));
    const compared = count(answers, 422);
    expect(compared).toBeGreaterThanOrEqual(ATTEMPT_LIMITS.email.points);
    expect(compared).toBeLessThanOrEqual(MAX_ATTEMPTS);
    expect(await mailsAbout(person.email)).toHaveLength(1);
    // These attempts did not count for the owner's browser.
    expect((await signIn(browser, person.email)).body.second_factor_required).toBe(true);
    expect((await guess(browser, "000000")).status).toBe(422);
    expect((await guess(browser, codeAt(secret, app.context.now()))).status).toBe(200);
  });

  test("allows 10 of 50 concurrent wrong codes in a known browser", async () => {
    const { person, browser } = await withFactor();
    await signIn(browser, person.email);
    const answers = await Promise.all(Array.from({ length: 50 }, (_, at) => guess(browser, String(100_000 + at))));
    expect([count(answers, 422), count(answers, 429)]).toEqual([10, 40]);
  });

  test("makes a browser known after the code, not after the password", async () => {
    const { person, secret } = await withFactor();
    const before = await knownDeviceRows(person);
    const browser = openBrowser();
    await signIn(browser, person.email);
    expect(await knownDeviceRows(person)).toEqual(before);
    expect((await guess(browser, codeAt(secret, app.context.now()))).status).toBe(200);
    expect(await knownDeviceRows(person)).toHaveLength(before.length + 1);
  });
});

describe("attempts in a session", () => {
  test("allows 10 of 50 concurrent wrong passwords without a limit for signing in", async () => {
    const { person, browser } = await known();
    await signIn(browser, person.email);
    const ask = () => browser.call("POST", "/session/password", { password: "no es la buena" });
    const answers = await Promise.all(Array.from({ length: 50 }, ask));
    expect([count(answers, 422), count(answers, 429)]).toEqual([10, 40]);
    expect((await signIn(openBrowser(), person.email)).status).toBe(200);
    expect((await wrong(person.email, browser)).status).toBe(400);
  });

  test("allows at most 10 wrong first codes", async () => {
    const { person, browser } = await known();
    await signIn(browser, person.email);
    await browser.call("POST", "/account/second-factor", {});
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => browser.call("PUT", "/account/second-factor", { code: "123456" })),
    );
    expect(count(answers, 429)).toBeGreaterThanOrEqual(10);
  });
});
