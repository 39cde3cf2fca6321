import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { DAY } from "#shared/time.ts";
import { openTestApp, type TestApp, type TestUser } from "#test/app.ts";
import { type PushBrowser, startPushService, verifiedVapid } from "#test/fakes/push-service.ts";
import { consentingUser, deleteAccount, exportData } from "#test/own-data.ts";
import { ask, openThread, publishAnswer, publishReply } from "#test/threads.ts";
import { isPushEndpoint, lookupPublic, pushKeys } from "../integrations/web-push.ts";
import { sendPushes } from "./jobs.ts";
import { PUSHES } from "./queues.ts";
import { releasePush } from "./store.ts";

const TEXT = '{"title":"Diván","body":"Tienes una novedad"}';

let service: Awaited<ReturnType<typeof startPushService>>;
let app: TestApp;
let psychologist: TestUser;
beforeAll(async () => {
  service = await startPushService();
  app = await openTestApp({ environment: { PUSH_TEST_ORIGIN: service.url } });
  psychologist = await app.person({ type: "psychologist", gold: "active", name: "Canaria Psicóloga" });
});
afterAll(async () => {
  await app.close();
  await service.close();
});
beforeEach(async () => {
  service.pushes.length = 0;
  service.respond = () => 201;
  app.setNow(null);
});

const subscribe = async (person: TestUser, browser: PushBrowser = service.browser()) => {
  const added = await app.call("PUT", "/notifications/choices", { device: browser.subscription }, person);
  expect([added.status, added.text]).toEqual([200, expect.anything()]);
  return browser;
};
const stored = (browser: PushBrowser) =>
  app.sql<{ id: string; pushed_at: Date | null }>("select * from push_subscriptions where endpoint = $1", [
    browser.subscription.endpoint,
  ]);
/** Runs the queued jobs as the worker does. */
async function deliver() {
  const jobs = await app.context.boss.fetch<{ response_id: string }>(PUSHES.name, { batchSize: 100 });
  for (const { id, data } of jobs) {
    await sendPushes(app.context, data);
    await app.context.boss.complete(PUSHES.name, id);
  }
}
const look = (person: TestUser) => app.call("GET", "/notifications", undefined, person);
/** An author with a browser that gets pushes, and the author's consultation. */
async function subscribed(more: Record<string, unknown> = {}) {
  const author = await app.person();
  const browser = await subscribe(author);
  return { author, browser, consultation: await ask(app, author, more) };
}

describe("push about an answer", () => {
  test("says only that there is something new, encrypted for the browser and signed by the server", async () => {
    const author = await app.person({ name: "Canaria Pseudónima", email: "canaria@example.com" });
    const browser = await subscribe(author);
    const consultation = await ask(app, author, { title: "Canario en el título", is_anonymous: true });
    const answer = await publishAnswer(app, consultation, psychologist, "Un canario en la respuesta");
    await deliver();
    expect(browser.payloads()).toEqual([TEXT]);
    const [{ headers, body, path }] = service.pushes as [(typeof service.pushes)[number]];
    expect(headers).toMatchObject({ ttl: "86400", topic: "news", "content-encoding": "aes128gcm" });
    const { key, claims } = verifiedVapid(headers);
    expect(claims).toMatchObject({ aud: service.url, sub: "mailto:no-responder@127.0.0.1" });
    expect((await app.call("GET", "/notifications/choices", undefined, author)).body.public_key).toBe(key);
    const all = `${path}${JSON.stringify(headers)}${JSON.stringify(claims)}${browser.payloads()}${body.toString("latin1")}`;
    expect(all).not.toMatch(/canari|consulta|respuesta|psic|salud|an[oó]nim/i);
    for (const secret of [consultation, answer, author.id, psychologist.id]) expect(all).not.toContain(secret);
  });

  test("sends one push until the author looks or a day passes, for any number of jobs", async () => {
    const { author, browser, consultation } = await subscribed();
    await publishAnswer(app, consultation, psychologist);
    const jobs = await app.context.boss.fetch<{ response_id: string }>(PUSHES.name, { batchSize: 100 });
    const due = jobs.map(({ data }) => data);
    await Promise.all(Array.from({ length: 20 }, () => sendPushes(app.context, due[0]!)));
    // Another user's look changes nothing.
    await look(psychologist);
    await publishAnswer(app, consultation, psychologist);
    await deliver();
    expect(browser.payloads()).toHaveLength(1);
    await look(author);
    // The author has seen what these jobs are about.
    await Promise.all(due.map((job) => sendPushes(app.context, job)));
    expect(browser.payloads()).toHaveLength(1);
    const deleted = await publishAnswer(app, consultation, psychologist);
    await deliver();
    expect(browser.payloads()).toHaveLength(2);
    await app.call("DELETE", `/answers/${deleted}`, undefined, psychologist);
    await look(author);
    await publishAnswer(app, consultation, psychologist);
    await deliver();
    expect(browser.payloads()).toHaveLength(3);
    app.setNow(new Date(Date.now() + DAY + 1000));
    await publishAnswer(app, consultation, psychologist);
    await deliver();
    expect(browser.payloads()).toHaveLength(4);
  });

  test("goes to the psychologist and the author about a reply of another reader", async () => {
    const thread = await openThread(app);
    await deliver();
    const browsers = [await subscribe(thread.author), await subscribe(thread.psychologist)];
    const reader = await app.person();
    const own = await subscribe(reader);
    await look(thread.author);
    await publishReply(app, thread.answer, reader);
    await deliver();
    expect(browsers.map((one) => one.payloads())).toEqual([[TEXT], [TEXT]]);
    expect(own.payloads()).toEqual([]);
    // The choice about comments counts, not the one about answers.
    await app.call("PUT", "/notifications/choices", { push_answers: false }, thread.author);
    await app.call("PUT", "/notifications/choices", { push_replies: false }, thread.psychologist);
    await app.sql("update push_subscriptions set pushed_at = null");
    await publishReply(app, thread.answer, reader);
    await deliver();
    expect(browsers.map((one) => one.payloads())).toEqual([[TEXT, TEXT], [TEXT]]);
  });

  test("sends nothing for kinds that are off, without a consent, after the session or about a deleted answer", async () => {
    const off = await subscribed();
    await app.call("PUT", "/notifications/choices", { push_answers: false }, off.author);
    const withdrawn = await subscribed();
    await app.sql(
      "insert into consents (profile_id, kind, version, accepted_at, withdrawn_at) values ($1, 'health_data', '1', now(), now())",
      [withdrawn.author.id],
    );
    const deleted = await subscribed();
    const ended = await subscribed();
    await app.sql("update sessions set expires_at = now() where account_id = $1", [ended.author.id]);
    for (const { consultation } of [off, withdrawn, ended]) await publishAnswer(app, consultation, psychologist);
    const answer = await publishAnswer(app, deleted.consultation, psychologist);
    await app.call("DELETE", `/answers/${answer}`, {}, psychologist);
    await deliver();
    expect(service.pushes).toEqual([]);
    await app.call("PUT", "/notifications/choices", { push_answers: true }, off.author);
    await publishAnswer(app, off.consultation, psychologist);
    await deliver();
    expect(off.browser.payloads()).toEqual([TEXT]);
  });
});

describe("failures of the push service", () => {
  test.each([
    [404, "forget"],
    [410, "forget"],
    [403, "keep"],
    [307, "keep"],
    [429, "keep"],
  ])("make a job that got a response of %i %s the browser", async (status, effect) => {
    const kept = effect === "keep";
    const { browser, consultation } = await subscribed();
    service.respond = () => status;
    const response_id = await publishAnswer(app, consultation, psychologist);
    const sending = sendPushes(app.context, { response_id });
    if (kept) await expect(sending).rejects.toThrow("A push could not be sent.");
    else await sending;
    expect(await stored(browser)).toMatchObject(kept ? [{ pushed_at: null }] : []);
    expect(service.pushes).toHaveLength(1);
  });

  test("sends again after 500, but not to the browsers that got the push", async () => {
    const { author, browser, consultation } = await subscribed();
    const other = service.browser();
    await app.sql(
      `insert into push_subscriptions (session_id, endpoint, p256dh, auth, public_key, created_at)
       select id, $2, $3, $4, $5, now() from sessions where account_id = $1`,
      [author.id, ...Object.values(other.subscription), pushKeys(app.context.config.secret).publicKey],
    );
    const answer = await publishAnswer(app, consultation, psychologist);
    service.respond = ({ path }) => (browser.subscription.endpoint.endsWith(path) ? 500 : 201);
    await expect(sendPushes(app.context, { response_id: answer })).rejects.toThrow("A push could not be sent.");
    service.respond = () => 201;
    await sendPushes(app.context, { response_id: answer });
    await sendPushes(app.context, { response_id: answer });
    expect([browser.payloads().length, other.payloads().length]).toEqual([2, 1]);
    const [claimed] = await stored(browser);
    // A job that claimed earlier releases no later claim.
    await releasePush(app.context.db, claimed!.id, new Date(0));
    expect(await stored(browser)).toMatchObject([{ pushed_at: expect.any(Date) }]);
  });
});

describe("endpoints", () => {
  test.each([
    "http://push.example.com/a",
    "https://localhost/a",
    "https://127.0.0.1/a",
    "https://2130706433/a",
    "https://0x7f.1/a",
    "https://[::1]/a",
    "https://[::ffff:127.0.0.1]/a",
    "https://10.0.0.1/a",
    "https://8.8.8.8/a",
    "https://metadata.google.internal/a",
    "https://printer.local/a",
    "https://push.example.com:8443/a",
    "https://user:pass@push.example.com/a",
    "javascript:alert(1)",
    "no url",
  ])("isPushEndpoint returns false for %s", (endpoint) => expect(isPushEndpoint(endpoint, null)).toBe(false));

  test("responds 422 to another endpoint", async () => {
    const device = { ...service.browser().subscription, endpoint: "https://10.0.0.1/a" };
    const refused = await app.call("PUT", "/notifications/choices", { device }, await app.person());
    expect(refused.status).toBe(422);
  });

  test("accepts the push services of browsers", () => {
    for (const host of ["fcm.googleapis.com", "updates.push.services.mozilla.com", "web.push.apple.com"])
      expect(isPushEndpoint(`https://${host}/send/abc:def`, null)).toBe(true);
    expect(isPushEndpoint(`${service.url}/a`, null)).toBe(false);
  });

  test("resolves no name to an address of this network", async () => {
    for (const all of [true, false]) {
      const found = new Promise<[unknown, unknown]>((done) =>
        lookupPublic("localhost", { all }, (error, address) => done([error?.message, address])),
      );
      expect(await found).toEqual(["The push service has no public address.", []]);
    }
  });
});

describe("subscriptions", () => {
  const devices = async (person: TestUser) =>
    (
      await app.sql(
        "select endpoint from push_subscriptions join sessions on sessions.id = session_id where account_id = $1",
        [person.id],
      )
    ).length;

  test("end with the session, also after it got another id", async () => {
    const person = await app.person();
    const browser = await subscribe(person);
    await app.sql("update sessions set id = gen_random_uuid() where account_id = $1", [person.id]);
    expect(await stored(browser)).toHaveLength(1);
    await app.sql("delete from sessions where account_id = $1", [person.id]);
    expect(await stored(browser)).toEqual([]);
    const other = await app.person();
    await subscribe(other);
    expect((await app.call("DELETE", "/session", {}, other)).status).toBe(200);
    expect(await devices(other)).toBe(0);
  });

  test("move to the account that uses the browser last", async () => {
    const [before, after] = [await app.person(), await app.person()];
    const browser = await subscribe(before);
    await app.sql("update push_subscriptions set pushed_at = now()");
    await subscribe(after, browser);
    expect(await stored(browser)).toMatchObject([{ pushed_at: null }]);
    expect([await devices(before), await devices(after)]).toEqual([0, 1]);
  });

  test("stores one per session, at most 10 per account, and deletes it on request", async () => {
    const person = await app.person();
    await subscribe(person);
    await subscribe(person);
    expect(await devices(person)).toBe(1);
    await app.sql(
      `with opened as (insert into sessions (id, account_id, secret_hash, created_at, seen_at, expires_at)
         select gen_random_uuid(), $1, ''::bytea, now(), now(), now() + interval '1 day' from generate_series(1, 14) returning id)
       insert into push_subscriptions (session_id, endpoint, p256dh, auth, public_key, created_at)
         select id, id::text, '', '', '', now() - interval '1 day' from opened`,
      [person.id],
    );
    await subscribe(person);
    expect(await devices(person)).toBe(10);
    expect((await app.call("GET", "/notifications/choices", undefined, person)).body.this_device).toBe(true);
    await app.call("PUT", "/notifications/choices", { device: null }, person);
    expect((await app.call("GET", "/notifications/choices", undefined, person)).body.this_device).toBe(false);
    expect(await devices(person)).toBe(9);
  });

  test("appear in the export and end with the account", async () => {
    const person = await consentingUser(app);
    const browser = await subscribe(person);
    const exported = JSON.parse((await exportData(app, person)).text);
    expect(exported.push_browsers).toEqual([
      { endpoint: browser.subscription.endpoint, created_at: expect.any(String), pushed_at: null },
    ]);
    expect((await deleteAccount(app, person)).status).toBe(200);
    expect(await stored(browser)).toEqual([]);
  });

  test("get no pushes and appear as off when the server's keys change with its secret", async () => {
    const other = await openTestApp({
      beside: app,
      environment: { APP_SECRET: "another secret, also long enough for it", PUSH_TEST_ORIGIN: service.url },
    });
    try {
      const { author, browser, consultation } = await subscribed();
      const choices = async (of: TestApp) => (await of.call("GET", "/notifications/choices", undefined, author)).body;
      const [before, after] = [await choices(app), await choices(other)];
      expect(before.public_key).toBe((await choices(app)).public_key);
      expect(after.public_key).not.toBe(before.public_key);
      expect([before.this_device, after.this_device]).toEqual([true, false]);
      const response_id = await publishAnswer(app, consultation, psychologist);
      await sendPushes(other.context, { response_id });
      expect(await stored(browser)).toMatchObject([{ pushed_at: null }]);
      await sendPushes(app.context, { response_id });
      expect(browser.payloads()).toHaveLength(1);
      const columns = await app.sql<{ row: string }>("select push_subscriptions::text as row from push_subscriptions");
      expect(JSON.stringify(columns)).not.toContain(pushKeys(app.context.config.secret).privateKey);
    } finally {
      await other.close();
    }
  });
});
