import { sql } from "kysely";
import {
  type AdminSummaryView,
  DECISIONS,
  type Decision,
  type UndeliveredMailView,
  type UndoableDecisionView,
} from "#shared/admin.ts";
import type { Country } from "#shared/countries.ts";
import { LIMITS } from "#shared/limits.ts";
import { PUBLIC_COLUMNS } from "../consultations/store.ts";
import { type Cursor, NEWEST_FIRST } from "../cursor.ts";
import { type Db, type PublicDb, queryRows, type Tx } from "../database/handles.ts";
import { orderByKeyset } from "../database/keyset.ts";
import { MAIL_QUEUE } from "../mail/queues.ts";
import type { Versioned } from "../versions.ts";
import { licenseCheckCutoff } from "./verification/rules.ts";
import { psychologistRows } from "./verification/store.ts";

export const summary = (db: Db) =>
  queryRows(db)<AdminSummaryView>`
    select sum(psychologists)::integer as psychologists, sum(verified_psychologists)::integer as verified,
      sum(psychologists - verified_psychologists)::integer as pending, sum(consultations)::integer as consultations,
      (select count(*) from contact_messages where handled_at is null)::integer as messages,
      (select count(*) from payment_problems where settled_at is null and handled_at is null)::integer as payments
    from community_counts`.then(([row]) => row!);

/**
 * Returns the newest consultations before a cursor from the public view, which hides anonymous authors from the
 * administrator too.
 *
 * A search scans a bounded range of the newest-first index (title and text, case-insensitive). The next page continues
 * from its end. A full-text index would slow every new consultation down for one administrator's occasional search.
 * @returns the rows, one more than a page if more exist, and the end of the scanned range if a search reached it
 */
export async function latestConsultations(
  publicDb: PublicDb,
  words: string | undefined,
  cursor: Cursor | null,
  limit: number,
) {
  const consultations = publicDb.selectFrom("consultations");
  if (!words) {
    const newest = orderByKeyset(consultations.select(PUBLIC_COLUMNS), "consultations", NEWEST_FIRST, cursor);
    return { rows: await newest.limit(limit).execute(), end: undefined };
  }
  const range = orderByKeyset(consultations, "consultations", NEWEST_FIRST, cursor);
  const pattern = `%${words.replace(/[\\%_]/g, "\\$&")}%`;
  // The scan reads one table without the author's name, and joins only matches.
  const matches = publicDb
    .selectFrom(range.select(["id", "created_at", "title", "content"]).limit(LIMITS.adminSearchWindow).as("range"))
    .select("id")
    .where((where) => where.or([where("title", "ilike", pattern), where("content", "ilike", pattern)]))
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(limit);
  const [rows, end] = await Promise.all([
    consultations
      .select(PUBLIC_COLUMNS)
      .where("id", "in", matches)
      .orderBy("created_at", "desc")
      .orderBy("id", "desc")
      .execute(),
    range
      .select(["id", "created_at"])
      .offset(LIMITS.adminSearchWindow - 1)
      .limit(1)
      .executeTakeFirst(),
  ]);
  return { rows, end };
}

type PsychologistFilter = { state?: "verified" | "pending" | "due"; country?: Country; gold?: "yes" | "no" };

/** Returns psychologists, the latest registered first. Conditions use plain columns, because each has an index. */
export function psychologists(
  db: Db,
  { state, country, gold }: PsychologistFilter,
  cursor: Cursor | null,
  limit: number,
  now: Date,
) {
  let query = psychologistRows(db);
  if (state === "due") query = query.where("verified_at", "<=", licenseCheckCutoff(now));
  else if (state) query = query.where("verified_at", state === "verified" ? "is not" : "is", null);
  if (country) query = query.where("country", "=", country);
  if (gold === "yes") query = query.where("gold_until", ">", now);
  if (gold === "no")
    query = query.where((either) => either.or([either("gold_until", "is", null), either("gold_until", "<=", now)]));
  return orderByKeyset(query, "psychologist_profiles", NEWEST_FIRST, cursor).limit(limit);
}

export const decisionById = (db: Db, id: string) =>
  db
    .selectFrom("audit_log")
    .select(["id", "action", "target_id", "details", "created_at"])
    .where("id", "=", id)
    .where("action", "in", DECISIONS)
    .$narrowType<{ action: Decision }>()
    .executeTakeFirst();
export type DecisionRow = NonNullable<Awaited<ReturnType<typeof decisionById>>>;

type UndoableRow = Omit<UndoableDecisionView, "listed_at" | "seconds_left"> & { created_at: Date; listed_at: Date };

/** Returns an administrator's decisions after a time that are still in force, the newest first. */
export const undoableDecisions = (db: Db, actorId: string, after: Date) =>
  queryRows(db)<UndoableRow>`
    with decided as (
      select id, action as decision, target_id, created_at from audit_log where actor_id = ${actorId} and created_at > ${after}
      order by created_at desc limit ${LIMITS.adminUndoable}
    )
    select decided.*, person.full_name as name, psychologist.created_at as listed_at
      from decided join psychologist_profiles psychologist on psychologist.id = target_id join profiles person on person.id = target_id
      where case decision when 'psychologist_rejected' then verified_at is null and rejected_at = decided.created_at
        else verified_at = decided.created_at end
    union all
    select decided.*, consultation ->> 'title', date_trunc(
        case when (consultation ->> 'is_anonymous')::boolean then 'minute' else 'milliseconds' end,
        (consultation ->> 'created_at')::timestamptz)
      from decided join removed_consultations removed on removed.decision_id = decided.id
      cross join lateral (select removed.rows #> '{consultations,0}' as consultation) stored
    order by created_at desc`;

type UndeliveredRow = Omit<UndeliveredMailView, "version" | "created_at"> & { created_at: Date };

export const UNDELIVERED: Versioned<UndeliveredRow, UndeliveredRow> = { kind: "mail", present: (row) => row };

/** Rows of mails about answers hide error and hour, which could link the answer to the author's mailbox. */
const SELECT_UNDELIVERED = sql`select id::text, data ->> 'kind' as kind, retry_count + 1 as attempts, state = 'failed' as gave_up,
    case when data ->> 'kind' = 'new_answer' then date_trunc('day', created_on, 'UTC') else created_on end as created_at,
    case when data ->> 'kind' = 'new_answer' then null else output ->> 'message' end as last_error
  from pgboss.job where name = ${MAIL_QUEUE} and state in ('retry', 'failed')`;

/** Returns mails that wait for another attempt or failed for good. The tables belong to the queue library. */
export const undeliveredMails = (db: Db) =>
  queryRows(db)<UndeliveredRow>`${SELECT_UNDELIVERED} order by created_at desc, id limit 50`;

/** Locks and reads an undelivered mail, so that no worker fetches it. */
export const lockUndeliveredMail = (tx: Tx, id: string) =>
  queryRows(tx)<UndeliveredRow>`${SELECT_UNDELIVERED} and id = ${id}::uuid for update`.then(([row]) => row);

export const retryMailNow = (tx: Tx, id: string) =>
  sql`update pgboss.job set start_after = now() where name = ${MAIL_QUEUE} and id = ${id}::uuid and state = 'retry'`.execute(
    tx,
  );
