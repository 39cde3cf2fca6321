/** Filters and deep pages of the feed. */
import type pg from "pg";
import { CATEGORIES } from "#shared/categories.ts";
import { COUNTRIES } from "#shared/countries.ts";
import { LIMITS } from "#shared/limits.ts";
import type { ConsultationSort } from "#shared/sorts.ts";
import { FEED_ORDERS, type FeedFilter } from "../../server/consultations/store.ts";
import type { Cursor } from "../../server/cursor.ts";

export const FEED_FILTERS: Omit<FeedFilter, "sort">[] = [
  {},
  { country: COUNTRIES[0] },
  { category: CATEGORIES[0] },
  { country: COUNTRIES[0], category: CATEGORIES[0] },
];

/** @returns the cursor of a page of the feed, or of the last full one if there are fewer; null for the first page */
export async function feedCursor(
  client: pg.Client | pg.Pool,
  sort: ConsultationSort,
  filter: Omit<FeedFilter, "sort">,
  page: number,
): Promise<Cursor | null> {
  if (page === 1) return null;
  const { key, direction } = FEED_ORDERS[sort];
  const where = Object.keys(filter).map((column, at) => `${column} = $${at + 1}`);
  const from = `from consultations ${where.length ? `where ${where.join(" and ")}` : ""}`;
  const { rows: counted } = await client.query(`select count(*)::integer as n ${from}`, Object.values(filter));
  const order = [key, "created_at", "id"].filter(Boolean).map((column) => `${column} ${direction}`);
  const { rows } = await client.query(
    `select ${key ?? "null::integer"} as key, created_at, id ${from} order by ${order.join(", ")}
    offset ${Math.max(0, Math.min((page - 1) * LIMITS.feedPage, counted[0].n - LIMITS.feedPage) - 1)} limit 1`,
    Object.values(filter),
  );
  const { key: number, created_at, id } = rows[0];
  return { key: number, at: created_at.toISOString(), id };
}
