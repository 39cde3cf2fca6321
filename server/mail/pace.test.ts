import { afterAll, beforeEach, expect, test } from "vitest";
import { openTestApp, type TestUser } from "#test/app.ts";
import { WAIT_TIMEOUT_MS } from "#test/eventually.ts";
import { mailServer } from "#test/mail-server.ts";
import { mailJobs } from "#test/mailbox.ts";
import { setUpOnce } from "#test/suite-setup.ts";
import { MAIL_QUEUE, type MailJob, queueMail } from "./queues.ts";

/** Number of queued mails, which take more than the second after which a worker looks for a recovery. */
const WAITING = 400;

const smtp = mailServer();
const app = setUpOnce(() => openTestApp({ workers: true, environment: { SMTP_URL: smtp.url } }));
afterAll(async () => {
  smtp.state.release();
  await app.close();
});
beforeEach(async () => {
  await app.sql("delete from pgboss.job where name = $1", [MAIL_QUEUE]);
  await app.sql("delete from mail_throttle");
  smtp.state.takesMs = 50;
});

const queue = (jobs: MailJob[]) =>
  app.context.db.transaction().execute(async (tx) => {
    for (const job of jobs) await queueMail(app.context.boss, tx, job);
  });
const passwordChanged = ({ id }: TestUser): MailJob => ({ kind: "password_changed", profile_id: id });

test(`${WAITING} queued mails leave concurrently, overtaken by a recovery`, async () => {
  smtp.state.mostAtOnce = 0;
  const [person, { email }] = [await app.person(), await app.person()];
  await queue(Array.from({ length: WAITING }, () => passwordChanged(person)));
  await expect.poll(() => smtp.delivered.length).toBeGreaterThan(0);
  expect((await app.call("POST", "/recoveries", { email })).status).toBe(202);
  await expect.poll(() => smtp.delivered.length, { timeout: 6 * WAIT_TIMEOUT_MS }).toBe(WAITING + 1);
  expect(smtp.delivered.findIndex(({ to }) => to[0] === email)).toBeLessThan(WAITING);
  expect(smtp.state.mostAtOnce).toBeGreaterThan(5);
  expect(smtp.state.mostAtOnce).toBeLessThanOrEqual(30);
});

test("a mail that its server refuses delays or repeats no other mail of the batch", async () => {
  const [full, slow] = [await app.person(), await app.person()];
  smtp.state.refused.add(full.email);
  smtp.state.stalled.add(slow.email);
  const others = await Promise.all(Array.from({ length: 30 }, () => app.person()));
  await queue([full, slow, ...others].map(passwordChanged));
  const inState = async (wanted: string) =>
    (await mailJobs(app)).flatMap(({ state, data }) =>
      state === wanted ? (data as { profile_id: string }).profile_id : [],
    );
  await expect.poll(() => inState("retry")).toEqual([full.id]);
  // The stalled mail delays no other mail.
  await expect.poll(async () => (await inState("completed")).toSorted()).toEqual(others.map(({ id }) => id).toSorted());
  expect(smtp.delivered.map(({ to }) => to[0]).toSorted()).toEqual(others.map(({ email }) => email).toSorted());
});
