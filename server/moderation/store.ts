import { sql } from "kysely";
import type { Db, Tx } from "../db.ts";
import { MAIL_QUEUE } from "../jobs.ts";

/** Psychologists who wait for verification, who registered first first. */
export const pendingPsychologists = (db: Db) =>
  db
    .selectFrom("psychologist_profiles")
    .innerJoin("profiles", "profiles.id", "psychologist_profiles.id")
    .select([
      "psychologist_profiles.id",
      "profiles.full_name",
      "profiles.email",
      "profiles.avatar_url",
      "license_number",
      "specialty",
      "country",
      "bio",
      "phone",
      "whatsapp",
      "psychologist_profiles.created_at",
      "rejected_at",
    ])
    .where("verified_at", "is", null)
    .orderBy("psychologist_profiles.created_at")
    .orderBy("psychologist_profiles.id")
    .limit(200)
    .execute();

export const summary = (db: Db) =>
  sql<{ psychologists: number; pending: number; verified: number; consultations: number }>`
    select count(*)::integer as psychologists, count(*) filter (where verified_at is null)::integer as pending,
      count(*) filter (where verified_at is not null)::integer as verified,
      (select count(*) from consultations)::integer as consultations
    from psychologist_profiles`
    .execute(db)
    .then((result) => result.rows[0]!);

/** Approves; nothing happens when there is nobody to approve. */
export const verify = (tx: Tx, id: string, now: Date) =>
  tx
    .updateTable("psychologist_profiles")
    .set({ verified_at: now, rejected_at: null })
    .where("id", "=", id)
    .where("verified_at", "is", null)
    .returning("id")
    .executeTakeFirst();

/** Rejects, and takes back an earlier approval. */
export const unverify = (tx: Tx, id: string, now: Date) =>
  tx
    .updateTable("psychologist_profiles")
    .set({ verified_at: null, rejected_at: now })
    .where("id", "=", id)
    .returning("id")
    .executeTakeFirst();

export const insertAudit = (
  tx: Tx,
  row: { actor_id: string; action: string; target_id: string; details?: Record<string, unknown>; created_at: Date },
) =>
  tx
    .insertInto("audit_log")
    .values({ ...row, details: JSON.stringify(row.details ?? {}) })
    .execute();

/** Mails that wait for another try or were given up. The queue's tables belong to the queue library. */
export const undeliveredMails = (db: Db) =>
  sql<{ id: string; kind: string; created_at: Date; attempts: number; gave_up: boolean; last_error: string | null }>`
    select id::text, data ->> 'kind' as kind, created_on as created_at, retry_count + 1 as attempts, state = 'failed' as gave_up, output ->> 'message' as last_error
    from pgboss.job where name = ${MAIL_QUEUE} and state in ('retry', 'failed')
    order by created_on desc limit 50`
    .execute(db)
    .then((result) => result.rows);

/** Lets a mail that waits for its next try be tried now. */
export const hurryMail = (db: Db, id: string) =>
  sql`update pgboss.job set start_after = now() where name = ${MAIL_QUEUE} and id = ${id}::uuid and state = 'retry'`.execute(
    db,
  );
