import { sql } from "kysely";
import { LIMITS } from "#shared/limits.ts";
import type { Country } from "#shared/lists.ts";
import type { AdminSummaryView } from "#shared/moderation.ts";
import type { Cursor } from "../consultations/cursor.ts";
import { visibleConsultation } from "../consultations/store.ts";
import type { Db, PublicDb, Tx } from "../db.ts";
import { MAIL_QUEUE } from "../jobs.ts";
import { lapsedChecks } from "./rules.ts";

const psychologistRows = (db: Db | Tx) =>
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
      "is_verified",
      "verified_at",
      "rejected_at",
      "total_reviews",
      "total_responses",
      "psychologist_profiles.created_at",
    ])
    .select([
      sql<number | null>`rating::float8`.as("rating"),
      // Of a membership for life: infinity, which the driver reads as a number.
      sql<Date | number | null>`gold_until`.as("gold_until"),
    ]);
export type PsychologistRow = Awaited<ReturnType<typeof pendingPsychologists>>[number];

/** A page of psychologists who wait for verification, who registered first first; after the one with an id. */
export const pendingPsychologists = (db: Db, after: string | undefined) =>
  psychologistRows(db)
    .where("verified_at", "is", null)
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(psychologist_profiles.created_at, psychologist_profiles.id) >
          (select created_at, id from psychologist_profiles where id = ${after})`,
      ),
    )
    .orderBy("psychologist_profiles.created_at")
    .orderBy("psychologist_profiles.id")
    .limit(LIMITS.adminPending)
    .execute();

/**
 * Locks a psychologist and the person, in the order in which every command takes its locks, and reads them afterwards: what
 * is read stays so until the decision about it is written.
 */
export async function lockPsychologistToDecide(tx: Tx, id: string): Promise<PsychologistRow | undefined> {
  await tx.selectFrom("psychologist_profiles").select("id").where("id", "=", id).forUpdate().execute();
  await tx.selectFrom("profiles").select("id").where("id", "=", id).forUpdate().execute();
  return psychologistRows(tx).where("psychologist_profiles.id", "=", id).executeTakeFirst();
}

export const summary = (db: Db) =>
  sql<AdminSummaryView>`
    select count(*)::integer as psychologists, count(*) filter (where verified_at is null)::integer as pending,
      count(*) filter (where verified_at is not null)::integer as verified,
      (select count(*) from consultations)::integer as consultations,
      (select count(*) from contact_messages where handled_at is null)::integer as messages,
      (select count(*) from payment_problems where settled_at is null and handled_at is null)::integer as payments
    from psychologist_profiles`
    .execute(db)
    .then((result) => result.rows[0]!);

/** A consultation as everybody sees it, read in the transaction that holds its lock. */
export const consultationToRemove = (tx: Tx, id: string) =>
  visibleConsultation((tx as unknown as PublicDb).withSchema("visible"), id);
export type VisibleConsultationRow = NonNullable<Awaited<ReturnType<typeof consultationToRemove>>>;

/**
 * The newest consultations before a cursor, read as everybody sees them: not even this list knows who wrote an anonymous
 * one. A search looks at a bounded stretch of the newest-first index and no further (title and text in any case of
 * letters); the administrator goes on from where it ended. An index over all texts would make every new consultation
 * dearer for one person's occasional search.
 * @returns what was found, one more than a page holds if there is more; and, when a search has reached the end of its stretch, where that was
 */
export async function latestConsultations(
  publicDb: PublicDb,
  words: string | undefined,
  cursor: Cursor | null,
  limit: number,
) {
  let stretch = publicDb
    .selectFrom("consultations")
    .select([
      "id",
      "title",
      "content",
      "country",
      "category",
      "is_anonymous",
      "author_label",
      "created_at",
      "edited_at",
      "upvotes",
      "downvotes",
      "response_count",
    ])
    .orderBy("created_at", "desc")
    .orderBy("id", "desc");
  if (cursor) stretch = stretch.where(sql<boolean>`(created_at, id) < (${cursor.at}::timestamptz, ${cursor.id}::uuid)`);
  if (!words) return { rows: await stretch.limit(limit).execute(), end: undefined };
  const pattern = `%${words.replace(/[\\%_]/g, "\\$&")}%`;
  const [rows, end] = await Promise.all([
    publicDb
      .selectFrom(stretch.limit(LIMITS.adminSearchWindow).as("stretch"))
      .selectAll()
      .where((where) => where.or([where("title", "ilike", pattern), where("content", "ilike", pattern)]))
      .orderBy("created_at", "desc")
      .orderBy("id", "desc")
      .limit(limit)
      .execute(),
    stretch
      .clearSelect()
      .select(["id", "created_at"])
      .offset(LIMITS.adminSearchWindow - 1)
      .limit(1)
      .executeTakeFirst(),
  ]);
  return { rows, end };
}

export type PsychologistFilter = { state?: "verified" | "pending" | "due"; country?: Country; gold?: "yes" | "no" };

/** Psychologists, who registered last first. Some thousands at most: filtered while they are read in that order. */
export function psychologists(
  db: Db,
  { state, country, gold }: PsychologistFilter,
  cursor: Cursor | null,
  limit: number,
  now: Date,
) {
  let query = psychologistRows(db);
  if (state === "due") query = query.where("verified_at", "<=", lapsedChecks(now));
  else if (state) query = query.where("is_verified", "=", state === "verified");
  if (country) query = query.where("country", "=", country);
  if (gold) query = query.where(sql<boolean>`coalesce(gold_until > ${now}, false) = ${gold === "yes"}`);
  if (cursor)
    query = query.where(
      sql<boolean>`(psychologist_profiles.created_at, psychologist_profiles.id) < (${cursor.at}::timestamptz, ${cursor.id}::uuid)`,
    );
  return query
    .orderBy("psychologist_profiles.created_at", "desc")
    .orderBy("psychologist_profiles.id", "desc")
    .limit(limit)
    .execute();
}

/** Sets what was found of a psychologist: when the licence was checked, or when it was rejected. */
export const setVerification = (tx: Tx, id: string, found: { verified_at: Date | null; rejected_at: Date | null }) =>
  tx
    .updateTable("psychologist_profiles")
    .set(found)
    .where("id", "=", id)
    .returning(["id", "is_verified", "verified_at", "rejected_at"])
    .executeTakeFirst();

export type VerificationRow = NonNullable<Awaited<ReturnType<typeof setVerification>>>;

/** Writes down what was done; nobody did what the product did by itself. */
export const insertAudit = (
  tx: Tx,
  row: {
    actor_id: string | null;
    action: string;
    target_id: string;
    details?: Record<string, unknown>;
    created_at: Date;
  },
) =>
  tx
    .insertInto("audit_log")
    .values({ ...row, details: JSON.stringify(row.details ?? {}) })
    .execute();

export type UndeliveredRow = {
  id: string;
  kind: string;
  created_at: Date;
  attempts: number;
  gave_up: boolean;
  last_error: string | null;
};

/** Of a mail about an answer neither the error nor the hour: they could lead from the answer to the mailbox of who asked. */
const UNDELIVERED = sql`select id::text, data ->> 'kind' as kind, retry_count + 1 as attempts, state = 'failed' as gave_up,
    case when data ->> 'kind' = 'answer_came' then date_trunc('day', created_on, 'UTC') else created_on end as created_at,
    case when data ->> 'kind' = 'answer_came' then null else output ->> 'message' end as last_error
  from pgboss.job where name = ${MAIL_QUEUE} and state in ('retry', 'failed')`;

/** Mails that wait for another try or were given up. The queue's tables belong to the queue library. */
export const undeliveredMails = (db: Db) =>
  sql<UndeliveredRow>`${UNDELIVERED} order by created_at desc, id limit 50`.execute(db).then((result) => result.rows);

/** Locks one of them, so that no worker takes it meanwhile, and reads it. */
export const lockUndeliveredMail = (tx: Tx, id: string) =>
  sql<UndeliveredRow>`${UNDELIVERED} and id = ${id}::uuid for update`.execute(tx).then((result) => result.rows[0]);

/** Lets a mail that waits for its next try be tried now. */
export const hurryMail = (tx: Tx, id: string) =>
  sql`update pgboss.job set start_after = now() where name = ${MAIL_QUEUE} and id = ${id}::uuid and state = 'retry'`.execute(
    tx,
  );
