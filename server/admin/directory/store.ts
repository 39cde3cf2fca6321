import { sql } from "kysely";
import type { AdminSummaryView } from "#shared/admin.ts";
import type { Country } from "#shared/countries.ts";
import { LIMITS } from "#shared/limits.ts";
import { VISIBLE } from "../../consultations/store.ts";
import { type Cursor, NEWEST_FIRST } from "../../cursor.ts";
import type { Db, PublicDb } from "../../database/handles.ts";
import { inOrder } from "../../database/keyset.ts";
import { goldLasts } from "../../sessions/store.ts";
import { lapsedChecks } from "../verification/rules.ts";
import { psychologistRows } from "../verification/store.ts";

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
  const newest = publicDb.selectFrom("consultations").select(VISIBLE);
  const range = inOrder(newest, "consultations", NEWEST_FIRST, cursor);
  if (!words) return { rows: await range.limit(limit).execute(), end: undefined };
  const pattern = `%${words.replace(/[\\%_]/g, "\\$&")}%`;
  const [rows, end] = await Promise.all([
    publicDb
      .selectFrom(range.limit(LIMITS.adminSearchWindow).as("range"))
      .selectAll()
      .where((where) => where.or([where("title", "ilike", pattern), where("content", "ilike", pattern)]))
      .orderBy("created_at", "desc")
      .orderBy("id", "desc")
      .limit(limit)
      .execute(),
    range
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
  if (gold) query = query.where(sql<boolean>`${goldLasts("psychologist_profiles", now)} = ${gold === "yes"}`);
  return inOrder(query, "psychologist_profiles", NEWEST_FIRST, cursor).limit(limit).execute();
}
