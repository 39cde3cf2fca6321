import { describe, expect, test } from "vitest";
import { DAY, HOUR, MINUTE, SECOND } from "#shared/time.ts";
import type { Answer } from "#test/app.ts";
import { count, MAX_ATTEMPTS, setUpRateLimitedApp, signIn } from "#test/attempts.ts";
import { FULL_RUN } from "#test/full-run.ts";
import { linkIn, tokenIn } from "#test/mailbox.ts";
import { PASSWORD, uniqueEmail } from "#test/people.ts";
import { ATTEMPT_LIMITS } from "../../limits/rate-limit-rules.ts";

const { app, mailbox, mailsAbout, openBrowser, owner, wrong, later, known, exhaustAttempts, knownDeviceRows } =
  setUpRateLimitedApp();

const NEW = "una llave nueva y larga";

describe("wrong passwords from unknown devices", () => {
  test.runIf(FULL_RUN)("locks none of 24 owners out of their known browsers", async () => {
    const owners = await Promise.all(Array.from({ length: 24 }, () => known()));
    for (let tries = 0; tries < 14; tries++) {
      await Promise.all(owners.map(({ person }) => wrong(person.email)));
      later((13 * MINUTE) / 14);
    }
    const answers = await Promise.all(owners.map(({ person, browser }) => signIn(browser, person.email)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses).toEqual(Array(24).fill(200));
  });

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

  test("leaves sign-in open to a user who recovers the password in a new browser", async () => {
    const person = await owner();
    await exhaustAttempts(person.email);
    const browser = openBrowser();
    await browser.call("POST", "/recoveries", { email: person.email });
    const mail = (await mailbox.to(app, person.email)).find(({ subject }) => /contraseña nueva/.test(subject))!;
    const chosen = { token: tokenIn(mail), password: NEW, confirm_password: NEW };
    expect((await browser.call("PUT", "/password", chosen)).status).toBe(200);
    expect((await signIn(browser, person.email, NEW)).status).toBe(200);
  });

  test("allows a random number of attempts per hour and about 100 per day", async () => {
    const { email } = await owner();
    const perHour: number[] = [];
    let total = 0;
    for (let hour = 0; hour < 12; hour++) {
      app.setNow(new Date(Date.parse("2027-03-04T00:00:00Z") + hour * HOUR));
      const compared = await exhaustAttempts(email);
      total += compared;
      if (compared < ATTEMPT_LIMITS.email.points) break;
      perHour.push(compared);
    }
    expect(Math.max(...perHour)).toBeLessThanOrEqual(MAX_ATTEMPTS);
    expect(new Set(perHour).size).toBeGreaterThan(2);
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

  test("gets the same responses by the same SQL statements with or without an account", async () => {
    const [person, unregistered] = [await owner(), uniqueEmail()];
    // The two thresholds are random per email, so set the same number of attempts for both.
    await app.sql("delete from rate_limits");
    for (const email of [person.email, unregistered]) await wrong(email);
    const full = () => app.sql("update rate_limits set points = 100 where key like 'password\\_email:%'");
    const seen = [];
    for (const email of [person.email, unregistered]) {
      const compared: Answer[] = [];
      const paused: Answer[] = [];
      await app.sql("update rate_limits set points = 0");
      await app.sql("delete from presses");
      const one = await app.statementsDuring(async () => compared.push(await wrong(email)));
      await full();
      const first = await app.statementsDuring(async () => paused.push(await wrong(email)));
      const second = await app.statementsDuring(async () => paused.push(await wrong(email)));
      const told = [...compared, ...paused].map(({ status, body, headers }) => [
        status,
        body,
        [...headers].map(([name, value]) => [
          name,
          name === "set-cookie" ? value.replace(/=[\w-]{43}(\.[\w-]{43})*;/, "=x;") : value,
        ]),
      ]);
      seen.push({ told: told.map((one) => JSON.stringify(one).replace(/"date","[^"]+"/g, "")), one, first, second });
    }
    expect(seen[0]).toEqual(seen[1]);
    expect(seen[0]!.first.length).toBeGreaterThan(seen[0]!.second.length);
    expect(await mailsAbout(person.email)).toHaveLength(1);
    expect(mailbox.sent.filter((mail) => mail.to.address === unregistered)).toEqual([]);
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
    for (let tries = 0; tries < 40; tries++) answers.push(await signIn(openBrowser(), email));
    expect(count(answers, 200)).toBeLessThanOrEqual(MAX_ATTEMPTS);
    expect(count(answers, 429)).toBeGreaterThanOrEqual(40 - MAX_ATTEMPTS);
  });
});

test("shows other ways to sign in on the page without JavaScript", async () => {
  const person = await owner();
  await exhaustAttempts(person.email);
  const answer = await openBrowser().form("/auth", { intent: "sign_in", email: person.email, password: PASSWORD });
  expect(answer.status).toBe(429);
  expect(answer.text).toContain("Por ahora no puedes entrar desde este navegador");
  expect(answer.text).toContain('href="/auth/recuperar"');
  expect(answer.text).not.toContain(PASSWORD);
});
