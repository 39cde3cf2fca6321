import { describe, expect, test } from "vitest";
import { DAY, HOUR, MINUTE, SECOND } from "#shared/time.ts";
import { signIn } from "#test/accounts.ts";
import type { Answer } from "#test/app.ts";
import { count, MAX_ATTEMPTS, setUpRateLimitedApp, signOut } from "#test/attempts.ts";
import type { Browser } from "#test/browser.ts";
import { expectEqualWork } from "#test/equal-work.ts";
import { linkIn, tokenIn } from "#test/mailbox.ts";
import { PASSWORD, uniqueEmail } from "#test/people.ts";
import { codeAt } from "#test/totp.ts";
import { ATTEMPT_LIMITS } from "../../limits/rate-limit-rules.ts";

const { app, mailsAbout, openBrowser, owner, wrong, later, known, exhaustAttempts, knownDeviceRows } =
  setUpRateLimitedApp();

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

describe("wrong passwords from unknown devices", () => {
  test("sends the owner a mail that lets a new browser sign in", async () => {
    const person = await owner();
    await exhaustAttempts(person.email);
    const browser = openBrowser();
    const refused = await signIn(browser, person.email);
    expect(refused).toMatchObject({
      status: 429,
      body: { code: "sign_in_paused", details: { until: "2027-03-04T13:00:00.000Z", retry_after_seconds: 3600 } },
    });
    expect(refused.headers.get("retry-after")).toBe("3600");
    const [mail, ...more] = await mailsAbout(person.email);
    expect(more).toEqual([]);
    const { pathname, search } = linkIn(mail!);
    expect(pathname).toBe("/auth/navegador");

    // Mail scanners open links.
    for (let times = 0; times < 3; times++) expect((await browser.page(pathname + search)).status).toBe(200);
    expect((await signIn(browser, person.email)).status).toBe(429);
    expect(await knownDeviceRows(person)).toEqual([]);

    const token = tokenIn(mail!);
    const sent = await browser.form(pathname, { token });
    expect([sent.status, sent.headers.get("location")]).toEqual([302, "/auth"]);
    expect(await browser.viewer()).toBeNull();
    expect((await wrong(person.email, browser)).status).toBe(400);
    expect((await signIn(browser, person.email)).status).toBe(200);
    expect((await browser.viewer()).id).toBe(person.id);
    // The link works once and only for that browser.
    expect((await browser.form(pathname, { token })).text).toContain("Este enlace ya no sirve");
    expect((await openBrowser().call("POST", "/device-links", { token })).status).toBe(410);
    expect((await signIn(openBrowser(), person.email)).status).toBe(429);
  });

  test("allows a random number of attempts per hour and about 100 per day", async () => {
    const { email } = await owner();
    const perHour: number[] = [];
    let total = 0;
    for (let hour = 0; hour < 12; hour++) {
      app.setNow(new Date(Date.parse("2027-03-04T00:00:00Z") + hour * HOUR));
      let compared = 0;
      while ((await wrong(email)).status === 400) compared++;
      total += compared;
      if (compared < ATTEMPT_LIMITS.email.points) break;
      perHour.push(compared);
      if (hour !== 2) continue;
      // Each attempt takes time, so the day has had 30 more.
      await app.sql("update rate_limits set points = points + 30 where key like 'password\\_email\\_day:%'");
      total += 30;
    }
    expect(Math.max(...perHour)).toBeLessThanOrEqual(MAX_ATTEMPTS);
    expect(new Set(perHour).size).toBeGreaterThan(1);
    expect(total).toBeGreaterThanOrEqual(ATTEMPT_LIMITS.email_day.points);
    expect(total).toBeLessThan(ATTEMPT_LIMITS.email_day.points + ATTEMPT_LIMITS.email_day.jitter);
    expect((await wrong(email)).body.details.until).toBe("2027-03-05T00:00:00.000Z");
    app.setNow(new Date("2027-03-05T00:00:00Z"));
    expect((await wrong(email)).status).toBe(400);
  });

  test("compares no more of 50 concurrent passwords than of sequential ones", async () => {
    const { email } = await owner();
    await app.sql("delete from rate_limits");
    const answers = await Promise.all(Array.from({ length: 50 }, () => wrong(email)));
    const compared = count(answers, 400);
    expect(compared).toBeGreaterThanOrEqual(ATTEMPT_LIMITS.email.points);
    expect(compared).toBeLessThanOrEqual(MAX_ATTEMPTS);
    expect(count(answers, 429)).toBe(50 - compared);
    // Refused attempts are not counted.
    for (let tries = 0; tries < 2; tries++) expect((await wrong(email)).status).toBe(429);
    const points = await app.sql("select points from rate_limits where key like 'password%'");
    expect(points).toEqual([{ points: compared }, { points: compared }]);
  });

  test("needs equal work with or without an account for the first refusal, and for the next", async () => {
    const owners = await Promise.all(Array.from({ length: 4 }, () => owner()));
    const addresses = { known: owners.map(({ email }) => email), unknown: owners.map(uniqueEmail) };
    for (const email of [...addresses.known, ...addresses.unknown]) await wrong(email);
    await app.sql("update rate_limits set points = 100 where key like 'password\\_email:%'");
    for (let refusals = 0; refusals < 2; refusals++) {
      await expectEqualWork(app, wrong, async () => addresses);
      expect(await mailsAbout(addresses.known[0]!)).toHaveLength(1);
      expect(await mailsAbout(addresses.unknown[0]!)).toEqual([]);
    }
  });

  test("sends one mail per day for concurrent refusals", async () => {
    const person = await owner();
    await exhaustAttempts(person.email);
    await Promise.all(Array.from({ length: 10 }, () => wrong(person.email)));
    later(2 * HOUR);
    await exhaustAttempts(person.email);
    expect(await mailsAbout(person.email)).toHaveLength(1);
    later(DAY);
    await exhaustAttempts(person.email);
    expect(await mailsAbout(person.email)).toHaveLength(2);
  });

  test("sends a link that expires after 24 h", async () => {
    const [one, other] = [await owner(), await owner()];
    for (const { email } of [one, other]) await exhaustAttempts(email);
    const [first, second] = [tokenIn((await mailsAbout(one.email))[0]!), tokenIn((await mailsAbout(other.email))[0]!)];
    later(DAY - SECOND);
    expect((await openBrowser().call("POST", "/device-links", { token: first })).status).toBe(200);
    later(SECOND);
    expect((await openBrowser().call("POST", "/device-links/pending", { token: second })).status).toBe(410);
    expect((await openBrowser().call("POST", "/device-links", { token: second })).status).toBe(410);
  });

  test("counts earlier attempts even after a right password", async () => {
    const { email } = await owner();
    const answers: Answer[] = [];
    for (let tries = 0; tries <= MAX_ATTEMPTS; tries++) answers.push(await signIn(openBrowser(), email));
    expect(count(answers, 200)).toBeGreaterThanOrEqual(ATTEMPT_LIMITS.email.points);
    expect(count(answers, 429)).toBeGreaterThanOrEqual(1);
  });
});

test("shows other ways to sign in on the page without JavaScript", async () => {
  const person = await owner();
  await exhaustAttempts(person.email);
  const answer = await openBrowser().form("/auth", { intent: "sign_in", email: person.email, password: PASSWORD });
  expect(answer.status).toBe(429);
  expect(answer.text).toContain("Por ahora no puedes entrar desde este navegador");
  expect(answer.text).toMatch(/href="\/auth\/recuperar"[^>]*>elige una contraseña nueva<\/a>/);
  expect(answer.text).not.toContain(PASSWORD);
});

describe("codes of the second factor", () => {
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
    // Wrong passwords on the same day cause no other mail.
    await exhaustAttempts(person.email);
    expect(await mailsAbout(person.email)).toHaveLength(1);
    // These attempts did not count for the owner's browser.
    expect((await signIn(browser, person.email)).body.second_factor_required).toBe(true);
    expect((await guess(browser, "000000")).status).toBe(422);
    expect((await guess(browser, codeAt(secret, app.context.now()))).status).toBe(200);
  });

  test("resets wrong passwords of a known browser after a right one", async () => {
    const { person, browser } = await withFactor();
    for (let round = 0; round < 2; round++) {
      for (let tries = 0; tries < 9; tries++) expect((await wrong(person.email, browser)).status).toBe(400);
      expect((await signIn(browser, person.email)).body.second_factor_required).toBe(true);
    }
  });

  test("allows 10 of 50 concurrent wrong codes in a known browser", async () => {
    const { person, browser } = await withFactor();
    await signIn(browser, person.email);
    const answers = await Promise.all(Array.from({ length: 50 }, () => guess(browser, "100000")));
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

test.each<[string, number, (browser: Browser, email: string) => Promise<Answer>]>([
  ["passwords in a known browser", 400, (browser, email) => wrong(email, browser)],
  ["passwords", 422, (browser) => browser.call("POST", "/session/password", { password: "no es la buena" })],
  ["first codes", 422, (browser) => browser.call("PUT", "/account/second-factor", { code: "123456" })],
])("compares 10 of 50 concurrent wrong %s in a session", async (_what, status, attempt) => {
  const { person, browser } = await known();
  await signIn(browser, person.email);
  await browser.call("POST", "/account/second-factor", {});
  const answers = await Promise.all(Array.from({ length: 50 }, () => attempt(browser, person.email)));
  expect([count(answers, status), count(answers, 429)]).toEqual([10, 40]);
  // Other browsers have other limits.
  expect((await signIn(openBrowser(), person.email)).status).toBe(200);
});
