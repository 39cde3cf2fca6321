/** The hourly deletion of all features' expired data. */
import { type Kysely, type RawBuilder, sql } from "kysely";
import { LIMITS } from "#shared/limits.ts";
import { DAY, MINUTE, SECOND, toIsoDay } from "#shared/time.ts";
import { REPLY_WINDOW_MS } from "./answers/rules.ts";
import type { Context } from "./context.ts";
import type { Db } from "./database/handles.ts";
import { KNOWN_DEVICES, LIFETIMES } from "./sessions/rules.ts";

type Table = Db extends Kysely<infer Tables> ? keyof Tables : never;

/** Rows of one statement. Their deletion, with the rows that cascade, takes far less than a statement may. */
const BATCH_ROWS = 1_000;
/** Longest time for one table in one run, in milliseconds; all tables together take less than the job may. */
const LONGEST_MS = 15_000;

/**
 * Deletes the matching rows of a table, or leaves the rest to the next run.
 *
 * Its statements have a bounded size: one for all rows could exceed the statement timeout in every run.
 */
async function deleteInBatches(db: Db, table: Table, where: RawBuilder<unknown>): Promise<void> {
  const end = performance.now() + LONGEST_MS;
  const rows = sql`select ctid from ${sql.table(table)} where ${where} limit ${BATCH_ROWS} for update skip locked`;
  let deleted: bigint | undefined;
  do {
    const batch = await sql`delete from ${sql.table(table)} where ctid = any(array(${rows}))`.execute(db);
    deleted = batch.numAffectedRows;
  } while (deleted && performance.now() < end);
}

/** Returns the condition under which a row of each table is expired. */
function expiredRows(now: Date): [Table, RawBuilder<unknown>][] {
  const before = (milliseconds: number) => new Date(now.getTime() - milliseconds);
  const passed = sql`expires_at <= ${now}`;
  return [
    ["known_devices", sql`last_day < ${toIsoDay(before(KNOWN_DEVICES.lifetime))}::date`],
    ["sign_in_challenges", passed],
    ["sessions", sql`${passed} or seen_at <= ${before(LIFETIMES.sessionIdle)}`],
    ["mailed_links", passed],
    ["pending_registrations", passed],
    ["email_changes", passed],
    ["mailbox_sends", sql`allowed_at <= ${before(DAY)}`],
    ["rate_limits", sql`expire < ${now.getTime()}`],
    // Until then a press of a form can be repeated.
    ["presses", sql`created_at < ${before(30 * DAY)}`],
    // For the last mail of a deleted account; longer than the queue's retries.
    ["deleted_account_emails", sql`created_at < ${before(7 * DAY)}`],
    // Their jobs failed.
    ["removed_consultations", sql`removed_at < ${before(LIMITS.undoSeconds * SECOND + MINUTE)}`],
    ["deleted_replies", sql`created_at <= ${before(REPLY_WINDOW_MS)}`],
    // The visits are counted; the marks of visitors stay for one more day, because the clocks of nodes differ.
    ["profile_views", sql`viewed_on < ${toIsoDay(before(DAY))}::date`],
    // Providers repeat events for some weeks at most.
    ["webhook_events", sql`done_at is not null and received_at < ${before(60 * DAY)}`],
  ];
}

/**
 * Deletes expired data.
 * @throws Error if a deletion failed; the others ran
 */
export async function housekeeping({ db, now }: Context): Promise<void> {
  const failures: unknown[] = [];
  for (const [table, where] of expiredRows(now()))
    await deleteInBatches(db, table, where).catch((error: unknown) => failures.push(error));
  if (failures.length) throw failures[0];
}
