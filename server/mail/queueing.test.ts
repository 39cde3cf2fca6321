import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { HOUR } from "#shared/time.ts";
import { openTestApp, type TestApp } from "#test/app.ts";
import { mailJobs } from "#test/mailbox.ts";
import { registration, uniqueEmail } from "#test/people.ts";
import { psychologistVersion } from "#test/versions.ts";
import { sendMail } from "../background.ts";
import { housekeeping } from "../housekeeping.ts";
import type { MailJob } from "./queues.ts";

describe("mail job in the transaction of its cause", () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await openTestApp();
  });
  afterAll(() => app.close());
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

  test("disappears with a recovery that was rolled back", async () => {
    const { email } = await app.person();
    await failingCommits("mailed_links", async () => {
      expect((await app.call("POST", "/recoveries", { email })).status).toBe(500);
    });
    expect(await mailJobs(app)).toEqual([]);
  });

  test("disappears with an approval that was rolled back", async () => {
    const admin = await app.admin();
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

  test("leaves expired rows to housekeeping, which deletes nothing else", async () => {
    const start = Date.now();
    const tables = async () => {
      const count = async (table: string) => (await app.sql(`select from ${table}`)).length;
      return [await count("pending_registrations"), await count("mailed_links"), await count("sessions")];
    };
    await app.sql("truncate pending_registrations, mailed_links, sessions, push_subscriptions");
    try {
      const { email } = await app.person();
      await app.call("POST", "/registrations", registration(uniqueEmail()));
      await app.call("POST", "/recoveries", { email });
      app.setNow(new Date(start + HOUR - 5_000));
      await housekeeping(app.context);
      expect(await tables()).toEqual([1, 1, 1]);
      app.setNow(new Date(start + HOUR + 60_000));
      await housekeeping(app.context);
      expect(await tables()).toEqual([1, 0, 1]);
      app.setNow(new Date(start + 25 * HOUR));
      await housekeeping(app.context);
      expect(await tables()).toEqual([0, 0, 1]);
      app.setNow(new Date(start + 8 * 24 * HOUR));
      await housekeeping(app.context);
      expect(await tables()).toEqual([0, 0, 0]);
    } finally {
      app.setNow(null);
    }
  });

  test("housekeeping deletes expired registrations even if an earlier deletion fails", async () => {
    await app.call("POST", "/registrations", registration(uniqueEmail()));
    app.setNow(new Date(Date.now() + 25 * HOUR));
    await app.sql("alter table known_devices rename to away");
    try {
      await expect(housekeeping(app.context)).rejects.toMatchObject({ code: "42P01" });
    } finally {
      await app.sql("alter table away rename to known_devices");
      app.setNow(null);
    }
    expect(await app.sql("select from pending_registrations")).toEqual([]);
  });
});
