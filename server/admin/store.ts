import { sql } from "kysely";
import type { AdminSummaryView } from "#shared/admin.ts";
import { LIMITS } from "#shared/limits.ts";
import type { Country } from "#shared/lists.ts";
import { visibleConsultation } from "../consultations/store.ts";
import type { Cursor } from "../cursor.ts";
import type { Db, PublicDb, Tx } from "../database/handles.ts";
import { MAIL_QUEUE } from "../mail/queues.ts";
import { lapsedChecks, type Verification } from "./rules.ts";

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
      // Lifetime memberships have infinity, which the driver reads as a number.
      sql<Date | number | null>`gold_until`.as("gold_until"),
    ]);
export type PsychologistRow = Awaited<ReturnType<typeof pendingPsychologists>>[number];

/** A page of psychologists who wait for verification, the earliest registered first; after the one with an id. */
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
 * Locks a psychologist and the profile, in the order of every command, and reads them afterwards: they stay so until the
 * decision is written.
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

/** A consultation as everyone sees it, read in the transaction that holds its lock. */
export const consultationToRemove = (tx: Tx, id: string) =>
  visibleConsultation((tx as unknown as PublicDb).withSchema("visible"), id);
export type VisibleConsultationRow = NonNullable<Awaited<ReturnType<typeof consultationToRemove>>>;

/**
 * The newest consultations before a cursor, from the public view: not even this list has the author of an anonymous one. A
 * search scans a bounded range of the newest-first index (title and text, case-insensitive); the next page continues from
 * its end. A full-text index would make every new consultation more expensive for one person's occasional search.
 * @returns the rows, one more than a page if there is more; and the end of the scanned range of a search, if it was reached
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

/** Psychologists, the latest registered first. Some thousands at most: filtered while they are read in that order. */
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

/** Sets the verification of a psychologist: when the licence was checked, or rejected. */
export const setVerification = (tx: Tx, id: string, found: Verification) =>
  tx
    .updateTable("psychologist_profiles")
    .set(found)
    .where("id", "=", id)
    .returning(["id", "is_verified", "verified_at", "rejected_at"])
    .executeTakeFirst();

export type VerificationRow = NonNullable<Awaited<ReturnType<typeof setVerification>>>;

/** The audit entry of a decision. */
export const auditById = (db: Db, id: string) =>
  db
    .selectFrom("audit_log")
    .select(["id", "action", "target_id", "details", "created_at"])
    .where("id", "=", id)
    .executeTakeFirst();
export type AuditRow = NonNullable<Awaited<ReturnType<typeof auditById>>>;

/** The decision that set the current verification of a psychologist, if any. */
export const decisionInForce = (tx: Tx, id: string, { verified_at, rejected_at }: Verification) =>
  tx
    .selectFrom("audit_log")
    .select("id")
    .where("created_at", "=", rejected_at ?? verified_at ?? new Date(0))
    .where("target_id", "=", id)
    .where("action", "=", rejected_at ? "psychologist_rejected" : "psychologist_approved")
    .executeTakeFirst();

/** When a psychologist was verified or rejected. */
export const verificationOf = (db: Db, id: string) =>
  db.selectFrom("psychologist_profiles").select(["verified_at", "rejected_at"]).where("id", "=", id).executeTakeFirst();

export type UndoableRow = {
  id: string;
  action: string;
  target_id: string;
  created_at: Date;
  name: string;
  listed_at: Date;
};

/** One administrator's decisions within a time span that are still in force, the newest first. */
export const undoableDecisions = (db: Db, actorId: string, { after, until }: { after: Date; until: Date }) =>
  sql<UndoableRow>`
    with decided as (
      select id, action, target_id, created_at from audit_log where actor_id = ${actorId} and created_at > ${after} and created_at <= ${until}
      order by created_at desc limit ${LIMITS.adminUndoable}
    )
    select decided.*, person.full_name as name, psychologist.created_at as listed_at
      from decided join psychologist_profiles psychologist on psychologist.id = target_id join profiles person on person.id = target_id
      where case action when 'psychologist_rejected' then verified_at is null and rejected_at = decided.created_at
        when 'psychologist_approved' then verified_at = decided.created_at
        when 'licence_checked_again' then verified_at = decided.created_at else false end
    union all
    select decided.*, kept.data ->> 'title', (kept.data ->> 'created_at')::timestamptz
      from decided join removed_consultations removed on removed.decision_id = decided.id
      join removed_rows kept on kept.source = 'consultations' and kept.id = removed.consultation_id
    order by created_at desc`
    .execute(db)
    .then((result) => result.rows);

/** The rows that are removed with a consultation, parents first: the table, its author column, and the condition. */
const REMOVED_TABLES = [
  { source: "consultations", author: "user_id", rows: sql`consultations r where r.id = ` },
  { source: "consultation_votes", author: "user_id", rows: sql`consultation_votes r where r.consultation_id = ` },
  {
    source: "consultation_responses",
    author: "psychologist_id",
    rows: sql`consultation_responses r where r.consultation_id = `,
  },
  {
    source: "response_votes",
    author: "user_id",
    rows: sql`response_votes r join consultation_responses above on above.id = r.response_id where above.consultation_id = `,
  },
  {
    source: "consultation_replies",
    author: "user_id",
    rows: sql`consultation_replies r join consultation_responses above on above.id = r.response_id where above.consultation_id = `,
  },
] as const;

/** Stores a consultation with all rows below it, to undo its removal. Call it with everything locked. */
export async function saveRemovedRows(
  tx: Tx,
  kept: { decision_id: string; consultation_id: string; credit_window: Date | null; removed_at: Date },
): Promise<void> {
  await tx.insertInto("removed_consultations").values(kept).execute();
  for (const { source, author, rows } of REMOVED_TABLES)
    await sql`insert into removed_rows (source, id, consultation_id, author_id, data)
      select ${source}, r.id, ${kept.consultation_id}::uuid, r.${sql.ref(author)}, to_jsonb(r) from ${rows}${kept.consultation_id}`.execute(
      tx,
    );
}

/** Locks a stored removal: of an undo and the job that deletes it exactly one gets it. */
export const lockRemoval = (tx: Tx, decisionId: string) =>
  tx
    .selectFrom("removed_consultations")
    .select(["consultation_id", "credit_window"])
    .where("decision_id", "=", decisionId)
    .forUpdate()
    .executeTakeFirst();

/**
 * Locks the authors of stored rows, in the order of every command, so that no account is deleted meanwhile; then the rows.
 * @returns the psychologists, and the consultation's row if it is still stored
 */
export async function lockRemovedRows(tx: Tx, consultationId: string) {
  const authors = sql`select author_id from removed_rows where consultation_id = ${consultationId}`;
  const psychologists = await sql<{ id: string }>`select id from psychologist_profiles
    where id in (${authors} and source = 'consultation_responses') order by id for update`.execute(tx);
  await sql`select id from profiles where id in (${authors}) order by id for key share`.execute(tx);
  const kept = await sql<{ source: string; author_id: string | null }>`select source, author_id from removed_rows
    where consultation_id = ${consultationId} order by source, id for update`.execute(tx);
  const consultation = kept.rows.find(({ source }) => source === "consultations");
  return { psychologists: psychologists.rows.map(({ id }) => id), consultation };
}

/**
 * Restores stored rows. Votes of deleted accounts are anonymised; their other texts, and the rows below these, are not
 * restored. Call it with everything locked; recount afterwards.
 */
export async function restoreRemovedRows(tx: Tx, consultationId: string): Promise<void> {
  for (const { source, author } of REMOVED_TABLES) {
    const columns = await sql<{ name: string }>`select attname as name from pg_attribute
      where attrelid = ${source}::regclass and attnum > 0 and not attisdropped and attgenerated = ''`.execute(tx);
    const here = sql`(author_id is null or exists (select from ${sql.table(author === "psychologist_id" ? "psychologist_profiles" : "profiles")} author where author.id = author_id))`;
    const isVote = source === "consultation_votes" || source === "response_votes";
    const hasAnswer = sql`exists (select from consultation_responses above where above.id = (data ->> 'response_id')::uuid)`;
    await sql`insert into ${sql.table(source)} (${sql.join(columns.rows.map(({ name }) => sql.ref(name)))})
      select ${sql.join(columns.rows.map(({ name }) => sql`(whole).${sql.ref(name)}`))} from (
        select jsonb_populate_record(null::${sql.table(source)}, case when ${here} then data else data || '{"user_id": null}' end) as whole
        from removed_rows where source = ${source} and consultation_id = ${consultationId}
          and ${isVote ? sql`true` : here} and ${source === "response_votes" || source === "consultation_replies" ? hasAnswer : sql`true`}
      ) kept`.execute(tx);
  }
  await sql`delete from deleted_items where id = ${consultationId}
    or id in (select id from consultation_responses where consultation_id = ${consultationId})
    or id in (select r.id from consultation_replies r join consultation_responses above on above.id = r.response_id
      where above.consultation_id = ${consultationId})`.execute(tx);
}

/** Deletes a stored removal. */
export const deleteRemoval = (db: Db, decisionId: string) =>
  db.deleteFrom("removed_consultations").where("decision_id", "=", decisionId).execute();

/** Deletes stored removals before a time, whose jobs failed. */
export const deleteRemovalsBefore = (db: Db, moment: Date) =>
  db.deleteFrom("removed_consultations").where("removed_at", "<", moment).execute();

export type UndeliveredRow = {
  id: string;
  kind: string;
  created_at: Date;
  attempts: number;
  gave_up: boolean;
  last_error: string | null;
};

/** Mails about answers are shown without error and hour, which could link the answer to the author's mailbox. */
const UNDELIVERED = sql`select id::text, data ->> 'kind' as kind, retry_count + 1 as attempts, state = 'failed' as gave_up,
    case when data ->> 'kind' = 'answer_came' then date_trunc('day', created_on, 'UTC') else created_on end as created_at,
    case when data ->> 'kind' = 'answer_came' then null else output ->> 'message' end as last_error
  from pgboss.job where name = ${MAIL_QUEUE} and state in ('retry', 'failed')`;

/** Mails that wait for another try or were given up. The queue's tables belong to the queue library. */
export const undeliveredMails = (db: Db) =>
  sql<UndeliveredRow>`${UNDELIVERED} order by created_at desc, id limit 50`.execute(db).then((result) => result.rows);

/** Locks and reads one of them, so that no worker fetches it meanwhile. */
export const lockUndeliveredMail = (tx: Tx, id: string) =>
  sql<UndeliveredRow>`${UNDELIVERED} and id = ${id}::uuid for update`.execute(tx).then((result) => result.rows[0]);

/** Makes a mail that waits for its next try due now. */
export const retryMailNow = (tx: Tx, id: string) =>
  sql`update pgboss.job set start_after = now() where name = ${MAIL_QUEUE} and id = ${id}::uuid and state = 'retry'`.execute(
    tx,
  );
