import { sql } from "kysely";
import type { Category } from "#shared/categories.ts";
import type { Country } from "#shared/countries.ts";
import { FEED_ORDERS, PUBLIC_COLUMNS } from "../consultations/store.ts";
import type { PublicDb } from "../database/handles.ts";
import { orderByKeyset } from "../database/keyset.ts";

export type FeedTopic = { country?: Country; category?: Category };

/** Returns the newest consultations with an answer whose authors let search engines list them. */
export function newestAnswered(publicDb: PublicDb, { country, category }: FeedTopic, limit: number) {
  let query = publicDb.selectFrom("consultations").select(PUBLIC_COLUMNS).where("response_count", ">", 0);
  query = query.where("noindex", "=", false);
  if (country) query = query.where("country", "=", country);
  if (category) query = query.where("category", "=", category);
  return orderByKeyset(query, "consultations", FEED_ORDERS.recent, null).limit(limit).execute();
}

/** Pages of the sitemap, in the order of their ids, so that a part of it needs only the primary key. */
const INDEXED = {
  consulta: {
    table: sql.table("consultations"),
    filter: sql`response_count > 0 and not noindex`,
    changedAt: sql`greatest(created_at, edited_at, (select max(greatest(answers.created_at, answers.edited_at))
      from answers where answers.consultation_id = consultations.id))`,
  },
  psicologo: {
    table: sql.table("verified_psychologists"),
    filter: sql`true`,
    changedAt: sql`greatest(verified_at, (select max(answers.created_at)
      from answers where answers.psychologist_id = verified_psychologists.id))`,
  },
};
export type IndexedKind = keyof typeof INDEXED;

/** Returns the first of every `size` ids: the ids with which the parts of the sitemap begin. */
export async function sitemapStarts(publicDb: PublicDb, kind: IndexedKind, size: number): Promise<string[]> {
  const { table, filter } = INDEXED[kind];
  const { rows } = await sql<{ id: string }>`
    select id from (select id, row_number() over (order by id) as place from ${table} where ${filter}) as numbered
    where place % ${size} = 1 order by id`.execute(publicDb);
  return rows.map(({ id }) => id);
}

/** Returns `size` pages from an id on, each with the day of its newest public text. */
export async function sitemapPart(publicDb: PublicDb, kind: IndexedKind, from: string, size: number) {
  const { table, filter, changedAt } = INDEXED[kind];
  // Not the time, because it would date an anonymous edit more exactly than its page does.
  const { rows } = await sql<{ id: string; day: string }>`
    select id, to_char(${changedAt}, 'YYYY-MM-DD') as day from ${table}
    where ${filter} and id >= ${from} order by id limit ${size}`.execute(publicDb);
  return rows;
}
