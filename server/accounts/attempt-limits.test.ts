import { randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type Answer, openTestApp, type Person, type TestApp } from "#test/app.ts";
import { type Browser, openBrowser as openBrowserOf } from "#test/browser.ts";
import { linkIn, openMailbox, tokenIn } from "#test/mailbox.ts";
import { codeAt } from "#test/totp.ts";
import { housekeeping } from "../background.ts";
import { ATTEMPT_LIMITS } from "../limits/rules.ts";
import { KNOWN_DEVICES } from "../sessions/rules.ts";
import { hashPassword } from "./password.ts";

// Hundreds of passwords are hashed here, on a machine that may be busy.
vi.setConfig({ testTimeout: 180_000 });

let app: TestApp;
let hash: string;
const mailbox = openMailbox();
beforeAll(async () => {
  // The test itself is the trusted proxy, so that it can come from any address.
  app = await openTestApp({
    limits: true,
    environment: { TRUSTED_PROXIES: "127.0.0.1" },
    overrides: { mailer: mailbox.mailer },
  });
  hash = await hashPassword(PASSWORD);
});
afterAll(() => app.close());
beforeEach(() => {
  app.setNow(NOON);
  mailbox.sent.length = 0;
});

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** The clock stands unless a test moves it: windows end with the hour and the day. */
const NOON = new Date("2027-03-04T12:00:00Z");
const PASSWORD = "un caballo sin montura";
const NEW = "una llave nueva y larga";
const MOST = ATTEMPT_LIMITS.unknownDevices.hour.base + ATTEMPT_LIMITS.unknownDevices.hour.jitter - 1;
const SUBJECT = /Muchos intentos/;

const freshAddress = () => `${randomUUID()}@correo.example`;
let senders = 0;
/** A network of stolen machines, or one person in one place: never an address that others of these tests use. */
const openBrowser = () => {
  senders++;
  return openBrowserOf(app, { "x-forwarded-for": `10.7.${senders >> 8}.${senders & 255}` });
};
const later = (milliseconds: number) => app.setNow(new Date(app.context.now().getTime() + milliseconds));

/** A user with a password that works, signed in nowhere. */
async function owner(email = freshAddress()): Promise<Person> {
  const person = await app.person({ email });
  await app.sql("update accounts set password_hash = $2 where id = $1", [person.id, hash]);
  await app.sql("delete from sessions where account_id = $1", [person.id]);
  return person;
}
const signIn = (browser: Browser, email: string, password = PASSWORD) =>
  browser.call("POST", "/session", { email, password });
const wrong = (email: string, browser = openBrowser()) => signIn(browser, email, "otra cosa larga");
const signOut = (browser: Browser, more: Record<string, unknown> = {}) => browser.call("DELETE", "/session", more);
/** Someone, and a browser in which they once signed in. */
async function known(email?: string): Promise<{ person: Person; browser: Browser }> {
  const person = await owner(email);
  const browser = openBrowser();
  expect((await signIn(browser, person.email)).status).toBe(200);
  await signOut(browser);
  return { person, browser };
}
/** Uses up the attempts of unknown devices in this hour. @returns how often a password was compared */
async function exhaust(email: string): Promise<number> {
  for (let tries = 0; tries <= MOST; tries++) {
    const answer = await wrong(email);
    if (answer.status === 429) return tries;
    expect(answer.status).toBe(400);
  }
  return expect.fail("Strangers may try without end.");
}
const marksOf = (person: Person) =>
  app.sql<{ mark: Buffer; last_day: Date }>("select * from known_devices where account_id = $1", [person.id]);
const mailsAbout = async (address: string) =>
  (await mailbox.to(app, address)).filter((mail) => SUBJECT.test(mail.subject));
const count = (answers: Answer[], status: number) => answers.filter((answer) => answer.status === status).length;

describe("unknown devices that guess at the password of an address", () => {
  test("do not keep its owner out of a browser that the account knows: 24 of 24", async () => {
    const owners = await Promise.all(Array.from({ length: 24 }, () => known()));
    for (let tries = 0; tries < 14; tries++) {
      await Promise.all(owners.map(({ person }) => wrong(person.email)));
      later((13 * MINUTE) / 14);
    }
    const answers = await Promise.all(owners.map(({ person, browser }) => signIn(browser, person.email)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses).toEqual(Array(24).fill(200));
  });

  test("do not keep its owner out of a new browser: a mail says how to get in", async () => {
    const person = await owner();
    await exhaust(person.email);
    const browser = openBrowser();
    const refused = await signIn(browser, person.email);
    expect(refused).toMatchObject({
      status: 429,
      body: { code: "sign_in_paused", facts: { until: "2027-03-04T13:00:00.000Z", retry_after_seconds: 3600 } },
    });
    expect(refused.headers.get("retry-after")).toBe("3600");
    const [mail, ...more] = await mailsAbout(person.email);
    expect(more).toEqual([]);
    const { pathname, search } = linkIn(mail!);
    expect(pathname).toBe("/auth/navegador");

    // Programs that look into mails open links.
    for (let times = 0; times < 3; times++) expect((await browser.page(pathname + search)).status).toBe(200);
    expect((await signIn(browser, person.email)).status).toBe(429);
    expect(await marksOf(person)).toEqual([]);

    const token = tokenIn(mail!);
    const sent = await browser.form(pathname, { token });
    expect([sent.status, sent.headers.get("location")]).toEqual([302, "/auth"]);
    expect(await browser.viewer()).toBeNull();
    expect((await wrong(person.email, browser)).status).toBe(400);
    expect((await signIn(browser, person.email)).status).toBe(200);
    expect((await browser.viewer()).id).toBe(person.id);
    // Once; and it has opened nothing to anyone else.
    expect((await browser.form(pathname, { token })).text).toContain("Este enlace ya no sirve");
    expect((await openBrowser().call("POST", "/device-links", { token })).status).toBe(410);
    expect((await signIn(openBrowser(), person.email)).status).toBe(429);
  });

  test("do not keep out who chooses a new password in a new browser", async () => {
    const person = await owner();
    await exhaust(person.email);
    const browser = openBrowser();
    await browser.call("POST", "/recoveries", { email: person.email });
    const mail = (await mailbox.to(app, person.email)).find(({ subject }) => /contraseña nueva/.test(subject))!;
    const chosen = { token: tokenIn(mail), password: NEW, confirm_password: NEW };
    expect((await browser.call("PUT", "/password", chosen)).status).toBe(200);
    expect((await signIn(browser, person.email, NEW)).status).toBe(200);
  });

  test("have a secret number of attempts an hour, and about a hundred a day", async () => {
    const { email } = await owner();
    const perHour: number[] = [];
    let total = 0;
    for (let hour = 0; hour < 12; hour++) {
      app.setNow(new Date(Date.parse("2027-03-04T00:00:00Z") + hour * HOUR));
      const compared = await exhaust(email);
      total += compared;
      if (compared < ATTEMPT_LIMITS.unknownDevices.hour.base) break;
      perHour.push(compared);
    }
    expect(Math.max(...perHour)).toBeLessThanOrEqual(MOST);
    expect(new Set(perHour).size).toBeGreaterThan(2);
    expect(total).toBeGreaterThanOrEqual(ATTEMPT_LIMITS.unknownDevices.day.base);
    expect(total).toBeLessThan(ATTEMPT_LIMITS.unknownDevices.day.base + ATTEMPT_LIMITS.unknownDevices.day.jitter);
    expect((await wrong(email)).body.facts.until).toBe("2027-03-05T00:00:00.000Z");
    app.setNow(new Date("2027-03-05T00:00:00Z"));
    expect((await wrong(email)).status).toBe(400);
  });

  test("50 at once are no more guesses than one after another", async () => {
    const { email } = await owner();
    const others = (await app.sql<{ key: Buffer }>("select key from stranger_attempts")).map(({ key }) => key);
    const answers = await Promise.all(Array.from({ length: 50 }, () => wrong(email)));
    const compared = count(answers, 400);
    expect(compared).toBeGreaterThanOrEqual(ATTEMPT_LIMITS.unknownDevices.hour.base);
    expect(compared).toBeLessThanOrEqual(MOST);
    expect(count(answers, 429)).toBe(50 - compared);
    const [own, ...more] = await app.sql<{ hour_used: number }>(
      "select hour_used from stranger_attempts where key <> all($1)",
      [others],
    );
    expect(more).toEqual([]);
    expect(own!.hour_used).toBeLessThanOrEqual(MOST);
  });

  test("pay nothing for what is refused: neither the hour nor the day goes on counting", async () => {
    const { email } = await owner();
    await exhaust(email);
    const counted = () => app.sql("select hour_used, day_used from stranger_attempts order by key");
    const before = await counted();
    for (let tries = 0; tries < 5; tries++) expect((await wrong(email)).status).toBe(429);
    expect(await counted()).toEqual(before);
  });

  test("are told the same, by the same statements, whether or not the address has an account", async () => {
    const [person, nobody] = [await owner(), freshAddress()];
    // As many as are left before the two thresholds, which are secrets of each address.
    await app.sql("delete from stranger_attempts");
    for (const email of [person.email, nobody]) await wrong(email);
    const full = () => app.sql("update stranger_attempts set hour_used = 100");
    const seen = [];
    for (const email of [person.email, nobody]) {
      const compared: Answer[] = [];
      const paused: Answer[] = [];
      await app.sql("update stranger_attempts set hour_used = 0, mailed_on = null");
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
    expect(mailbox.sent.filter((mail) => mail.to.address === nobody)).toEqual([]);
  });

  test("cause one mail a day, however many refusals come at once", async () => {
    const person = await owner();
    await exhaust(person.email);
    await Promise.all(Array.from({ length: 10 }, () => wrong(person.email)));
    later(2 * HOUR);
    await exhaust(person.email);
    expect(await mailsAbout(person.email)).toHaveLength(1);
    later(DAY);
    await exhaust(person.email);
    expect(await mailsAbout(person.email)).toHaveLength(2);
  });

  test("leave a link that serves for 24 hours and not longer", async () => {
    const [one, other] = [await owner(), await owner()];
    for (const { email } of [one, other]) await exhaust(email);
    const [first, second] = [tokenIn((await mailsAbout(one.email))[0]!), tokenIn((await mailsAbout(other.email))[0]!)];
    later(DAY - SECOND);
    expect((await openBrowser().call("POST", "/device-links", { token: first })).status).toBe(200);
    later(SECOND);
    expect((await openBrowser().call("POST", "/device-links/pending", { token: second })).status).toBe(410);
    expect((await openBrowser().call("POST", "/device-links", { token: second })).status).toBe(410);
  });

  test("cannot take a link of one purpose for another, nor one whose account is gone", async () => {
    const person = await owner();
    await exhaust(person.email);
    const token = tokenIn((await mailsAbout(person.email))[0]!);
    for (const [method, path, body] of [
      ["PUT", "/password", { token, password: NEW, confirm_password: NEW }],
      ["POST", "/email-links", { token }],
      ["POST", "/accounts", { token }],
    ] as const)
      expect((await openBrowser().call(method, path, body)).status).toBe(410);
    await app.sql("delete from profiles where id = $1", [person.id]);
    expect((await openBrowser().call("POST", "/device-links", { token })).status).toBe(410);
  });

  test("are counted by the address that they type, however it is written", async () => {
    const { email } = await owner();
    await exhaust(email.toUpperCase());
    expect((await wrong(` ${email}`)).status).toBe(429);
  });

  test("do not get their attempts back by a registration that waits, nor by a right password", async () => {
    const { email } = await owner();
    const answers: Answer[] = [];
    for (let tries = 0; tries < 40; tries++) answers.push(await signIn(openBrowser(), email));
    expect(count(answers, 200)).toBeLessThanOrEqual(MOST);
    expect(count(answers, 429)).toBeGreaterThanOrEqual(40 - MOST);
  });
});

describe("a browser that the account knows", () => {
  test("may be wrong ten times in a quarter of an hour; then each attempt doubles the wait", async () => {
    const { person, browser } = await known();
    const again = () => wrong(person.email, browser);
    for (let tries = 0; tries < ATTEMPT_LIMITS.own.free; tries++) expect((await again()).status).toBe(400);
    const waits: number[] = [];
    for (let tries = 0; tries < 8; tries++) {
      // What is refused costs nothing: not even the right password is compared, and the wait does not grow.
      const refused = await signIn(browser, person.email);
      expect(refused).toMatchObject({ status: 429, body: { code: "too_many_requests" } });
      const wait = Number(refused.headers.get("retry-after"));
      expect((await again()).headers.get("retry-after")).toBe(String(wait));
      waits.push(wait);
      later(wait * SECOND - 1);
      expect((await again()).status).toBe(429);
      later(1);
      expect((await again()).status).toBe(400);
    }
    expect(waits).toEqual([30, 60, 120, 240, 480, 900, 900, 900]);
    later(15 * MINUTE);
    expect((await signIn(browser, person.email)).status).toBe(200);
    for (let tries = 0; tries < ATTEMPT_LIMITS.own.free; tries++) expect((await again()).status).toBe(400);
    expect((await again()).status).toBe(429);
  });

  test("is forgiven what was wrong more than a quarter of an hour ago, and after a day everything", async () => {
    const { person, browser } = await known();
    for (let tries = 0; tries < 9; tries++) await wrong(person.email, browser);
    later(15 * MINUTE);
    for (let tries = 0; tries < 10; tries++) expect((await wrong(person.email, browser)).status).toBe(400);
    expect((await wrong(person.email, browser)).status).toBe(429);
    later(DAY);
    for (let tries = 0; tries < 10; tries++) expect((await wrong(person.email, browser)).status).toBe(400);
    expect((await wrong(person.email, browser)).status).toBe(429);
  });

  test("guesses 50 times at once no more often than one after another", async () => {
    const { person, browser } = await known();
    const answers = await Promise.all(Array.from({ length: 50 }, () => wrong(person.email, browser)));
    expect([count(answers, 400), count(answers, 429)]).toEqual([10, 40]);
  });

  test("uses up nothing that others share, neither of the address nor of the network", async () => {
    const { person, browser } = await known();
    await app.sql("delete from stranger_attempts");
    await app.sql("delete from rate_limits");
    for (let tries = 0; tries < 12; tries++) await wrong(person.email, browser);
    expect(await app.sql("select from stranger_attempts")).toEqual([]);
    expect(await app.sql("select from rate_limits")).toEqual([]);
    expect((await signIn(openBrowser(), person.email)).status).toBe(200);
  });

  test("gets a new value at every sign-in, and the old one is worthless", async () => {
    const { person, browser } = await known();
    const before = browser.jar.get("device")!;
    await signIn(browser, person.email);
    const after = browser.jar.get("device")!;
    expect(after.split(".")[0]).toMatch(/^[\w-]{43}$/);
    expect(after.split(".")).not.toContain(before.split(".")[0]);
    expect(await marksOf(person)).toHaveLength(1);
    await exhaust(person.email);
    const thief = openBrowser();
    thief.jar.set("device", before);
    expect((await signIn(thief, person.email)).status).toBe(429);
    expect((await signIn(browser, person.email)).status).toBe(200);
  });

  test("stays known to each of the people who use it, and nothing in the database joins them", async () => {
    const browser = openBrowser();
    const people = [await owner(), await owner(), await owner()];
    for (const round of [0, 1])
      for (const { email } of people) expect([round, (await signIn(browser, email)).status]).toEqual([round, 200]);
    const marks = (await Promise.all(people.map(marksOf))).map((rows) => rows.map(({ mark }) => mark.toString("hex")));
    expect(marks.map((rows) => rows.length)).toEqual([1, 1, 1]);
    expect(new Set(marks.flat()).size).toBe(3);
    await signOut(browser);
    for (const { email } of people) {
      await exhaust(email);
      expect((await signIn(browser, email)).status).toBe(200);
    }
  });

  test("is one of ten: those used longest ago are forgotten", async () => {
    const person = await owner();
    const browsers: Browser[] = [];
    for (let day = 0; day < 12; day++) {
      app.setNow(new Date(NOON.getTime() + day * DAY));
      browsers.push(openBrowser());
      await signIn(browsers.at(-1)!, person.email);
    }
    const days = (await marksOf(person)).map(({ last_day }) => last_day.getTime()).toSorted((a, b) => a - b);
    expect(days).toHaveLength(KNOWN_DEVICES.perAccount);
    await exhaust(person.email);
    const statuses: number[] = [];
    for (const browser of browsers) statuses.push((await signIn(browser, person.email)).status);
    expect(statuses.slice(0, 2)).toEqual([429, 429]);
    expect(statuses.slice(2)).toEqual(Array(10).fill(200));
  });

  test("is forgotten half a year after the last sign-in in it", async () => {
    const { person } = await known();
    app.setNow(new Date(NOON.getTime() + 180 * DAY));
    await housekeeping(app.context);
    expect(await marksOf(person)).toHaveLength(1);
    later(DAY);
    await housekeeping(app.context);
    expect(await marksOf(person)).toEqual([]);
    expect(await app.sql("select from stranger_attempts")).toEqual([]);
    expect(await app.sql("select from device_attempts")).toEqual([]);
  });

  test("stays known after signing out, and is forgotten where that is wished", async () => {
    const { person, browser } = await known();
    expect(await marksOf(person)).toHaveLength(1);
    await signIn(browser, person.email);
    const other = await owner();
    await signIn(browser, other.email);
    await signIn(browser, person.email);
    const sent = await browser.form("/salir", { scope: "this", forget: "device" });
    expect(sent.status).toBe(302);
    expect(await marksOf(person)).toEqual([]);
    expect(await marksOf(other)).toHaveLength(1);
    expect(await browser.viewer()).toBeNull();
  });

  test("from a session that began before browsers were known is made known at its first use, once", async () => {
    const person = await owner();
    const browser = openBrowser();
    await signIn(browser, person.email);
    await app.sql("update sessions set device_known = false where account_id = $1", [person.id]);
    await app.sql("delete from known_devices");
    browser.jar.delete("device");
    const cookie = `sid=${browser.jar.get("sid")}`;
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => app.call("GET", "/session", undefined, null, { cookie })),
    );
    const given = answers.flatMap((answer) => answer.headers.getSetCookie());
    expect(given).toHaveLength(1);
    expect(await marksOf(person)).toHaveLength(1);
    // A thief of the session cannot make their own browser known.
    expect((await app.call("GET", "/session", undefined, null, { cookie })).headers.getSetCookie()).toEqual([]);
    expect(await marksOf(person)).toHaveLength(1);
    await exhaust(person.email);
    browser.jar.set("device", /device=([^;]+)/.exec(given[0]!)![1]!);
    expect((await signIn(browser, person.email)).status).toBe(200);
  });
});

describe("all browsers but one's own are forgotten", () => {
  /** A browser that is signed in, and another one that the account knows. */
  async function two() {
    const { person, browser: other } = await known();
    const browser = openBrowser();
    await signIn(browser, person.email);
    expect(await marksOf(person)).toHaveLength(2);
    return { person, browser, other };
  }
  /** Which of the browsers the account still knows, by what it lets them try. */
  const isKnown = async (browser: Browser, person: Person) => {
    await exhaust(person.email).catch(() => 0);
    return (await wrong(person.email, browser)).status === 400;
  };

  test.each(["others", "all"])("when sessions are closed: %s", async (scope) => {
    const { person, browser, other } = await two();
    expect((await signOut(browser, { scope })).status).toBe(200);
    expect(await marksOf(person)).toHaveLength(1);
    expect([await isKnown(browser, person), await isKnown(other, person)]).toEqual([true, false]);
  });

  test("when the password is changed", async () => {
    const { person, browser, other } = await two();
    await browser.call("PUT", "/account/password", { password: NEW, confirm_password: NEW });
    expect([await isKnown(browser, person), await isKnown(other, person)]).toEqual([true, false]);
  });

  test("when the password is recovered", async () => {
    const { person, browser, other } = await two();
    await browser.call("POST", "/recoveries", { email: person.email });
    const token = tokenIn((await mailbox.to(app, person.email)).at(-1)!);
    await other.call("PUT", "/password", { token, password: NEW, confirm_password: NEW });
    expect(await marksOf(person)).toHaveLength(1);
    expect([await isKnown(browser, person), await isKnown(other, person)]).toEqual([false, true]);
  });

  test("when a change of address is taken back", async () => {
    const { person, browser } = await two();
    const email = freshAddress();
    await browser.call("POST", "/account/email", { email });
    const follow = async (token: string) => (await openBrowser().call("POST", "/email-links", { token })).status;
    expect(await follow(tokenIn((await mailbox.to(app, email)).at(-1)!))).toBe(200);
    expect(await marksOf(person)).toHaveLength(2);
    expect(await follow(tokenIn((await mailbox.to(app, person.email)).at(-1)!))).toBe(200);
    expect(await marksOf(person)).toEqual([]);
  });
});

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

  test("have limits of their own, split in the same way", async () => {
    const { person, browser, secret } = await withFactor();
    // Someone who knows the password guesses at codes, in as many browsers as they like.
    const thief = openBrowser();
    expect((await signIn(thief, person.email)).body.second_factor_required).toBe(true);
    const answers = await Promise.all(Array.from({ length: 50 }, (_, at) => guess(thief, String(100_000 + at))));
    const compared = count(answers, 422);
    expect(compared).toBeGreaterThanOrEqual(ATTEMPT_LIMITS.unknownDevices.hour.base);
    expect(compared).toBeLessThanOrEqual(MOST);
    expect(await mailsAbout(person.email)).toHaveLength(1);
    // The owner's own browser has not been touched by it.
    expect((await signIn(browser, person.email)).body.second_factor_required).toBe(true);
    expect((await guess(browser, "000000")).status).toBe(422);
    expect((await guess(browser, codeAt(secret, app.context.now()))).status).toBe(200);
  });

  test("of a known browser may be wrong ten times, also 50 at once", async () => {
    const { person, browser } = await withFactor();
    await signIn(browser, person.email);
    const answers = await Promise.all(Array.from({ length: 50 }, (_, at) => guess(browser, String(100_000 + at))));
    expect([count(answers, 422), count(answers, 429)]).toEqual([10, 40]);
  });

  test("are checked before a new value: the password alone makes no browser known", async () => {
    const { person, secret } = await withFactor();
    const before = await marksOf(person);
    const browser = openBrowser();
    await signIn(browser, person.email);
    expect(await marksOf(person)).toEqual(before);
    expect((await guess(browser, codeAt(secret, app.context.now()))).status).toBe(200);
    expect(await marksOf(person)).toHaveLength(before.length + 1);
  });
});

describe("in a session", () => {
  test("the password may be wrong ten times, also 50 at once, and signing in stays as it was", async () => {
    const { person, browser } = await known();
    await signIn(browser, person.email);
    const ask = () => browser.call("POST", "/session/password", { password: "no es la buena" });
    const answers = await Promise.all(Array.from({ length: 50 }, ask));
    expect([count(answers, 422), count(answers, 429)]).toEqual([10, 40]);
    expect((await signIn(openBrowser(), person.email)).status).toBe(200);
    expect((await wrong(person.email, browser)).status).toBe(400);
  });

  test("the first code may be wrong ten times", async () => {
    const { person, browser } = await known();
    await signIn(browser, person.email);
    await browser.call("POST", "/account/second-factor", {});
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => browser.call("PUT", "/account/second-factor", { code: "123456" })),
    );
    expect(count(answers, 429)).toBeGreaterThanOrEqual(10);
  });
});

describe("the cookie", () => {
  test("is given to every browser that opens the page of signing in, and says nothing", async () => {
    const nobody = freshAddress();
    for (const browser of [openBrowser(), openBrowser()]) {
      const page = await browser.page("/auth");
      const [line] = page.headers.getSetCookie();
      expect(line).toMatch(/^device=[\w-]{43}(\.[\w-]{43}){4}; Max-Age=15552000; Path=\/; SameSite=Lax; HttpOnly$/);
      expect(page.headers.get("cache-control")).toBe("private, no-store");
      // Once.
      expect((await browser.page("/auth?modo=registro")).headers.getSetCookie()).toEqual([]);
    }
    const browser = openBrowser();
    expect((await wrong(nobody, browser)).headers.getSetCookie()).toHaveLength(1);
    expect((await wrong(nobody, browser)).headers.getSetCookie()).toEqual([]);
    for (const path of ["/", "/ayuda", "/auth/recuperar", "/privacy"])
      expect((await openBrowser().page(path)).headers.getSetCookie()).toEqual([]);
  });

  test("with anything else in it is no cookie", async () => {
    const person = await owner();
    await exhaust(person.email);
    const long = Array.from({ length: 100 }, () => randomBytes(32).toString("base64url")).join(".");
    for (const value of ["", ".", "x", `${"a".repeat(43)}.`, "'; select", long]) {
      const browser = openBrowser();
      browser.jar.set("device", value);
      expect((await signIn(browser, person.email)).status).toBe(429);
    }
  });

  test("over https is only for this host", async () => {
    const secure = await openTestApp({ environment: { PUBLIC_URL: "https://divan.example" } });
    try {
      const answer = await secure.page("/auth");
      expect(answer.headers.getSetCookie()[0]).toMatch(
        /^__Host-device=[\w-]{43}(\.[\w-]{43}){4}; Max-Age=15552000; Path=\/; SameSite=Lax; HttpOnly; Secure$/,
      );
    } finally {
      await secure.close();
    }
  });

  test("stands nowhere in the database, nor does an address in what is counted", async () => {
    const { person, browser } = await known();
    await wrong(person.email);
    await wrong(person.email, browser);
    const values = browser.jar.get("device")!.split(".");
    for (const table of ["known_devices", "device_attempts", "stranger_attempts", "sessions"]) {
      const rows = JSON.stringify(await app.sql(`select t::text from ${table} t`));
      for (const value of values) {
        expect(rows).not.toContain(value);
        expect(rows).not.toContain(Buffer.from(value, "base64url").toString("hex"));
      }
      expect(rows).not.toContain(person.email);
    }
  });

  test("looks the same however many people share the browser", async () => {
    const browser = openBrowser();
    await browser.page("/auth");
    const shapes = [browser.jar.get("device")!];
    for (let people = 1; people <= 6; people++) {
      const person = await owner();
      expect((await signIn(browser, person.email)).status).toBe(200);
      await signOut(browser);
      shapes.push(browser.jar.get("device")!);
    }
    expect(new Set(shapes).size).toBe(7);
    expect(new Set(shapes.map((value) => value.replace(/[\w-]/g, "x"))).size).toBe(1);
  });
});

test("the page says what else one can do, and a form without JavaScript leads there", async () => {
  const person = await owner();
  await exhaust(person.email);
  const answer = await openBrowser().form("/auth", { intent: "sign_in", email: person.email, password: PASSWORD });
  expect(answer.status).toBe(429);
  expect(answer.text).toContain("Por ahora no puedes entrar desde este navegador");
  expect(answer.text).toContain('href="/auth/recuperar"');
  expect(answer.text).not.toContain(PASSWORD);
});
