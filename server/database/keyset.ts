import { type SelectQueryBuilder, sql } from "kysely";
import type { Cursor, Order } from "../cursor.ts";

/**
 * Sorts a query and starts it after a cursor's item, or at it.
 *
 * Uses a row comparison on exactly the columns of an index, so that PostgreSQL reads every page in index order.
 * @param table the table with the key, `created_at` and `id`
 */
export function orderByKeyset<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  table: TB & string,
  { key, direction }: Order<string>,
  cursor: Cursor | null,
  { inclusive = false } = {},
): SelectQueryBuilder<DB, TB, O> {
  const [at, id] = [sql.ref(`${table}.created_at`), sql.ref(`${table}.id`)];
  const by = key === null ? [] : [sql.ref(`${table}.${key}`)];
  let page = query;
  if (cursor) {
    // Compares with "<=" and excludes the cursor's item. The planner estimates a row comparison by its first column
    // only. With "<" it would expect no rows if most items have the same number, and would not use the filter's index.
    const number = by.length ? [sql`${cursor.key}::integer`] : [];
    const position = [...number, sql`${cursor.at}::timestamptz`, sql`${cursor.id}::uuid`];
    const comparison = sql.raw(direction === "asc" ? ">=" : "<=");
    page = page.where(sql<boolean>`(${sql.join([...by, at, id])}) ${comparison} (${sql.join(position)})`);
    if (!inclusive) page = page.where(sql<boolean>`${id} <> ${cursor.id}::uuid`);
  }
  for (const column of [...by, at, id]) page = page.orderBy(column, direction);
  return page;
}
