import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { openTestApp, type TestUser } from "#test/app.ts";
import { WAIT_TIMEOUT_MS, waitUntilFound } from "#test/eventually.ts";
import { mailServer } from "#test/mail-server.ts";
import { setUpOnce } from "#test/suite-setup.ts";
import { hashToken, linkToken } from "../tokens.ts";
import { MAIL_QUEUE, MAIL_THROTTLE, type MailJob, queueMail } from "./queues.ts";

const TAKES_MS = 50;
const WAITING = 100;

const smtp = mailServer();
const app = setUpOnce(() => openTestApp({ workers: true, environment: { SMTP_URL: smtp.url } }));
afterAll(async () => {
  smtp.state.release();
  await app.close();
});
beforeEach(async () => {
  await app.sql("delete from pgboss.job where name = $1", [MAIL_QUEUE]);
  await app.sql("delete from mail_throttle");
  smtp.state.takesMs = TAKES_MS;
});

const queue = (jobs: MailJob[]) =>
  app.context.db.transaction().execute(async (tx) => {
    for (const job of jobs) await queueMail(app.context.boss, tx, job);
  });
const takenFor = (address: string) => smtp.delivered.filter(({ to }) => to[0] === address);
/** Pending registrations without mails. */
async function registrations(count: number): Promise<MailJob[]> {
  const rows = await app.sql<{ id: string }>(
    `insert into pending_registrations (id, token_hash, browser_hash, email, full_name, password_hash, user_type, details, return_to, consent_version, created_at, expires_at)
     select gen_random_uuid(), sha256(gen_random_uuid()::text::bytea), '\\x00', gen_random_uuid() || '@correo.example', 'Rosa', '-', 'user', '{}', '/', '1', now(), now() + interval '1 day'
     from generate_series(1, $1) returning id`,
    [count],
  );
  const hashes = rows.map(({ id }) => hashToken(linkToken(app.context.config.secret, "confirm", id)));
  await app.sql(
    `update pending_registrations r set token_hash = link.hash
     from unnest($1::uuid[], $2::bytea[]) as link(id, hash) where r.id = link.id`,
    [rows.map(({ id }) => id), hashes],
  );
  return rows.map(({ id }) => ({ kind: "confirm_registration", registration_id: id }));
}
const accountMails = (person: TestUser, count: number): MailJob[] =>
  Array.from({ length: count }, () => ({ kind: "password_changed", profile_id: person.id }));

describe(`${WAITING} queued mails at a server which takes ${TAKES_MS} ms per mail`, () => {
  /**
   * Queues many mails and requests recoveries one after another while they leave.
   * @returns the number of mails before each recovery
   */
  async function drain(mails: MailJob[]) {
    smtp.delivered.length = 0;
    smtp.state.mostAtOnce = 0;
    const owners = [await app.person(), await app.person(), await app.person()];
    await queue(mails);
    await waitUntilFound(() => smtp.delivered[0], "the first mail");
    const places: number[] = [];
    for (const { email } of owners) {
      expect((await app.call("POST", "/recoveries", { email })).status).toBe(202);
      places.push(smtp.delivered.indexOf(await waitUntilFound(() => takenFor(email)[0], "the recovery")));
    }
    const count = mails.length + owners.length;
    const taken = () => (smtp.delivered.length >= count ? true : undefined);
    await waitUntilFound(taken, "all mails", 6 * WAIT_TIMEOUT_MS);
    expect(smtp.delivered).toHaveLength(count);
    return places;
  }

  test.each([
    ["mails of accounts", async () => accountMails(await app.person(), WAITING)],
    ["confirmations of registrations", () => registrations(WAITING)],
  ] as const)("leave concurrently (%s), overtaken by recoveries", async (_what, mails) => {
    const places = await drain(await mails());
    expect(places[0]).toBeLessThan(WAITING / 2);
    expect(smtp.state.mostAtOnce).toBeGreaterThan(5);
    expect(smtp.state.mostAtOnce).toBeLessThanOrEqual(30);
  });
});

describe("mail that its server refuses", () => {
  test("delays or repeats no other mail of the batch", async () => {
    const [full, slow] = [await app.person(), await app.person()];
    smtp.state.refused.add(full.email);
    smtp.state.stalled.add(slow.email);
    const others = await Promise.all(Array.from({ length: 30 }, () => app.person()));
    const mail = (person: TestUser): MailJob => ({ kind: "password_changed", profile_id: person.id });
    await queue([mail(full), mail(slow), ...others.map(mail)]);
    await waitUntilFound(() => (smtp.delivered.length >= others.length ? true : undefined), "the other mails");
    const jobs = () =>
      app.sql<{ profile: string; state: string }>(
        "select data->>'profile_id' as profile, state::text from pgboss.job where name = $1",
        [MAIL_QUEUE],
      );
    await waitUntilFound(
      async () => (await jobs()).find(({ profile, state }) => profile === full.id && state === "retry"),
      "the refused mail among those to be tried again",
    );
    // The stalled mail delays no other mail.
    const done = await waitUntilFound(async () => {
      const found = (await jobs()).filter(({ state }) => state === "completed");
      return found.length === others.length ? found : undefined;
    }, "the others' jobs to be done");
    expect(done.map(({ profile }) => profile).toSorted()).toEqual(others.map(({ id }) => id).toSorted());
    expect(smtp.delivered.map(({ to }) => to[0]).toSorted()).toEqual(others.map(({ email }) => email).toSorted());
  });
});

describe("mails that any visitor's request can cause", () => {
  test("leave at a steady pace above the burst without delaying other kinds", async () => {
    const jobs = await registrations(6);
    const owner = await app.person();
    const start = Date.now();
    await app.sql(
      "insert into mail_throttle values ('confirm_registration', clock_timestamp() + make_interval(secs => $1))",
      [MAIL_THROTTLE.burst * MAIL_THROTTLE.seconds],
    );
    await queue(jobs);
    await app.call("POST", "/recoveries", { email: owner.email });
    await waitUntilFound(() => takenFor(owner.email)[0], "the recovery");
    const done = () => (smtp.delivered.length >= jobs.length + 1 ? true : undefined);
    await waitUntilFound(done, "all mails");
    expect(smtp.delivered).toHaveLength(jobs.length + 1);
    expect(smtp.delivered.at(-1)!.at - start).toBeGreaterThanOrEqual(jobs.length * MAIL_THROTTLE.seconds * 1000 - 100);
    expect(smtp.delivered.findIndex(({ to }) => to[0] === owner.email)).toBeLessThan(jobs.length);
  });
});
