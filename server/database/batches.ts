import { type RawBuilder, sql } from "kysely";
import type { Db } from "./handles.ts";
import type { DB as Database } from "./types.ts";

/** Rows of one statement. Their deletion, with the rows that cascade, takes far less than a statement may. */
const BATCH_ROWS = 1_000;
/** Longest time for one table in one run, in milliseconds; all tables together take less than the job may. */
const LONGEST_MS = 15_000;

/**
 * Deletes the matching rows of a table, or leaves the rest to the next run.
 *
 * Its statements have a bounded size: one for all rows could exceed the statement timeout in every run.
 */
export async function deleteInBatches(db: Db, table: keyof Database, where: RawBuilder<unknown>): Promise<void> {
  const end = performance.now() + LONGEST_MS;
  const rows = sql`select ctid from ${sql.table(table)} where ${where} limit ${BATCH_ROWS} for update skip locked`;
  let deleted: bigint | undefined;
  do {
    const batch = await sql`delete from ${sql.table(table)} where ctid = any(array(${rows}))`.execute(db);
    deleted = batch.numAffectedRows;
  } while (deleted && performance.now() < end);
}
