import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { DAY_SECONDS } from "#shared/time.ts";
import { mailJobs } from "#test/mailbox.ts";
import { registration, uniqueEmail } from "#test/people.ts";
import { setUpAdmin, setUpTestApp } from "#test/suite-setup.ts";
import { psychologistVersion } from "#test/versions.ts";
import { sendMail } from "../background.ts";
import { MAIL_CLASSES, MAIL_QUEUE, MAIL_THROTTLE, type MailJob, queueMail } from "./queues.ts";
import { reserveMailSlot } from "./store.ts";

describe("mail job in the transaction of its cause", () => {
  const app = setUpTestApp();
  const admin = setUpAdmin(app);
  beforeEach(() => app.sql("delete from pgboss.job"));

  /** Makes every transaction that writes to a table fail at its end, after the mail was queued. */
  async function failingCommits(table: string, work: () => Promise<void>) {
    await app.sql(`
      create function fail_late() returns trigger language plpgsql as $$ begin raise exception 'not today'; end $$;
      create constraint trigger fail_late after insert or update or delete on ${table}
        deferrable initially deferred for each row execute function fail_late();`);
    try {
      await work();
    } finally {
      await app.sql("drop function fail_late cascade");
    }
  }

  test("exists only if the registration was committed", async () => {
    const email = uniqueEmail();
    const register = () => app.call("POST", "/registrations", registration(email));
    await failingCommits("pending_registrations", async () => {
      expect(await register()).toMatchObject({ status: 500, body: { code: "internal_error" } });
    });
    expect(await app.sql("select from pending_registrations where email = $1", [email])).toEqual([]);
    expect(await mailJobs(app)).toEqual([]);
    expect((await register()).status).toBe(202);
    const [waiting] = await app.sql<{ id: string }>("select id from pending_registrations where email = $1", [email]);
    // Contains only an id; the queue stores neither email nor token.
    expect(await mailJobs(app)).toMatchObject([
      { state: "created", data: { kind: "confirm_registration", registration_id: waiting!.id } },
    ]);
  });

  test("disappears with a recovery or an approval that was rolled back", async () => {
    await failingCommits("mailed_links", async () => {
      expect((await app.call("POST", "/recoveries", { email: admin.email })).status).toBe(500);
    });
    const waiting = await app.person({ type: "psychologist", verified: false });
    const version = await psychologistVersion(app, admin, waiting.id);
    await failingCommits("psychologist_profiles", async () => {
      const path = `/admin/psychologists/${waiting.id}/verification`;
      expect((await app.call("PUT", path, { version }, admin)).status).toBe(500);
    });
    expect(await mailJobs(app)).toEqual([]);
    expect(await app.sql("select from audit_log where target_id = $1", [waiting.id])).toEqual([]);
  });

  test("completes without a mail if its subject was deleted", async () => {
    const gone: MailJob[] = [
      { kind: "confirm_registration", registration_id: randomUUID() },
      { kind: "recover_password", link_id: randomUUID() },
      { kind: "password_changed", profile_id: randomUUID() },
      { kind: "psychologist_approved", psychologist_id: randomUUID(), decided_at: "2026-01-01T00:00:00.000Z" },
      {
        kind: "psychologist_rejected",
        psychologist_id: randomUUID(),
        decided_at: "2026-01-01T00:00:00.000Z",
        reason: "x",
      },
    ];
    for (const job of gone) await sendMail(app.context, job);
    expect(await app.sql("select from demo_mails")).toEqual([]);
  });

  test("goes to one class of workers, which sends links with a shorter life first", async () => {
    const kinds = ["new_answer", "membership_receipt", "password_changed", "email_changed", "sign_in_paused"] as const;
    for (const kind of [...kinds, "confirm_registration", "confirm_email_change", "recover_password"])
      await queueMail(app.context.boss, null, { kind } as MailJob);
    for (const [at, expected] of [
      ["recover_password"],
      ["confirm_registration", "confirm_email_change"],
      ["sign_in_paused", "email_changed", "password_changed", "membership_receipt", "new_answer"],
    ].entries()) {
      const next = async () => (await app.context.boss.fetch<MailJob>(MAIL_QUEUE, MAIL_CLASSES[at]))[0]?.data.kind;
      for (const kind of [...expected, undefined]) expect(await next()).toBe(kind);
    }
  });

  describe("that any visitor's request can cause", () => {
    /** Sets the state after a burst of each kind and `seconds` of its pace. */
    const afterBurst = (seconds: number) =>
      app.sql(
        `insert into mail_throttle select kind, clock_timestamp() + make_interval(secs => $2) from unnest($1::text[]) kind
         on conflict (kind) do update set next_at = excluded.next_at`,
        [MAIL_THROTTLE.kinds, MAIL_THROTTLE.burst * MAIL_THROTTLE.seconds + seconds],
      );

    test("waits for its slot, and fails if more than 30 s of mails of its kind wait, without delaying another kind", async () => {
      const person = await app.person();
      await app.sql("update sessions set password_at = now() where account_id = $1", [person.id]);
      await app.call("POST", "/registrations", registration(uniqueEmail()));
      await app.call("POST", "/recoveries", { email: person.email });
      await app.call("POST", "/account/email", { email: uniqueEmail() }, person);
      const jobs = await app.context.boss.fetch<MailJob>(MAIL_QUEUE, { batchSize: 50 });
      expect(jobs).toHaveLength(3);
      await afterBurst(MAIL_THROTTLE.longest + 5);
      for (const { data } of jobs) await expect(sendMail(app.context, data)).rejects.toThrow("Too many mails");
      await sendMail(app.context, { kind: "password_changed", profile_id: person.id });
      expect(await app.sql("select recipient from demo_mails")).toEqual([{ recipient: person.email }]);
      // One mail after the burst waits for its slot.
      await afterBurst(0.5);
      const began = performance.now();
      await sendMail(app.context, jobs[0]!.data);
      expect(performance.now() - began).toBeGreaterThan(500);
      await app.sql("delete from demo_mails");
    });

    test("saves up no slots while no mail leaves", async () => {
      await afterBurst(-DAY_SECONDS);
      const slot = () => reserveMailSlot(app.context.db, "recover_password", { burst: 1, seconds: 10, longest: 20 });
      expect(await slot()).toBe(0);
      expect(await slot()).toBeGreaterThan(5_000);
    });

    test("reserves 20 slots one after another for concurrent calls", async () => {
      await afterBurst(0);
      const waits = await Promise.all(
        Array.from({ length: 20 }, () => reserveMailSlot(app.context.db, "recover_password", MAIL_THROTTLE)),
      );
      const sorted = waits.map((wait) => wait!).toSorted((a, b) => a - b);
      for (const [place, wait] of sorted.entries()) {
        expect(wait).toBeLessThanOrEqual((place + 1) * MAIL_THROTTLE.seconds * 1000);
        expect(wait).toBeGreaterThan((place + 1) * MAIL_THROTTLE.seconds * 1000 - 3_000);
      }
      expect(sorted.at(-1)! - sorted[0]!).toBeGreaterThan(18 * MAIL_THROTTLE.seconds * 1000 - 3_000);
    });
  });
});
