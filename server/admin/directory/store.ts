import { sql } from "kysely";
import type { AdminSummaryView } from "#shared/admin.ts";
import type { Country } from "#shared/countries.ts";
import { LIMITS } from "#shared/limits.ts";
import { PUBLIC_COLUMNS } from "../../consultations/store.ts";
import { type Cursor, NEWEST_FIRST } from "../../cursor.ts";
import type { Db, PublicDb } from "../../database/handles.ts";
import { orderByKeyset } from "../../database/keyset.ts";
import { licenseCheckCutoff } from "../verification/rules.ts";
import { psychologistRows } from "../verification/store.ts";

export const summary = (db: Db) =>
  sql<AdminSummaryView>`
    select sum(psychologists)::integer as psychologists, sum(verified_psychologists)::integer as verified,
      sum(psychologists - verified_psychologists)::integer as pending, sum(consultations)::integer as consultations,
      (select count(*) from contact_messages where handled_at is null)::integer as messages,
      (select count(*) from payment_problems where settled_at is null and handled_at is null)::integer as payments
    from community_counts`
    .execute(db)
    .then((result) => result.rows[0]!);

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

export type PsychologistFilter = { state?: "verified" | "pending" | "due"; country?: Country; gold?: "yes" | "no" };

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
