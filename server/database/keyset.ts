import { type SelectQueryBuilder, sql } from "kysely";
import type { Cursor, Order } from "../cursor.ts";

/**
 * Puts a query into an order, starting at a cursor: after its item, or with it. Row comparison on exactly the columns of an
 * index: the page is read in its order, whatever the depth.
 * @param table that has the key, `created_at` and `id`
 */
export function inOrder<DB, TB extends keyof DB, O>(
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
    // "Up to and including the last item, but not it": the planner judges a row comparison only by its first column, and
    // "<" tells it that nothing is left when most items share that number; it would then leave the filter's own index.
    const number = by.length ? [sql`${cursor.key}::integer`] : [];
    const position = [...number, sql`${cursor.at}::timestamptz`, sql`${cursor.id}::uuid`];
    const comparison = sql.raw(direction === "asc" ? ">=" : "<=");
    page = page.where(sql<boolean>`(${sql.join([...by, at, id])}) ${comparison} (${sql.join(position)})`);
    if (!inclusive) page = page.where(sql<boolean>`${id} <> ${cursor.id}::uuid`);
  }
  for (const column of [...by, at, id]) page = page.orderBy(column, direction);
  return page;
}
