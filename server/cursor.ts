/** Lists that are read a page at a time, each page from where the last one ended. */
import { AppError } from "#shared/errors.ts";
import { isId } from "#shared/ids.ts";

/** Where a page of a list ended: its last item by number, if the list has one, by time and by id. */
export type Cursor = { key: number | null; at: string; id: string };

export const writeCursor = (cursor: Cursor) =>
  Buffer.from(JSON.stringify([cursor.key, cursor.at, cursor.id])).toString("base64url");

/** @throws AppError invalid_input, beside the field it came in, for anything that this server did not issue */
export function readCursor(text: string | undefined, sorted: boolean, field = "cursor"): Cursor | null {
  if (!text) return null;
  try {
    const [key, at, id] = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
    const wellFormed =
      (sorted ? Number.isSafeInteger(key) && Math.abs(key) < 2 ** 31 : key === null) &&
      typeof at === "string" &&
      // The year 0 and 30 February are valid dates in JavaScript, and errors in the database.
      /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(at) &&
      new Date(at).toISOString() === at &&
      isId(id);
    if (wellFormed) return { key, at, id };
  } catch {
    // Falls through to the refusal.
  }
  throw new AppError("invalid_input", {
    fields: { [field]: "Esta página ya no existe. Vuelve al principio de la lista." },
  });
}

/** The order of a list: by a number, if it has a key, then by time, then by id. */
export type Order<Key extends string = never> = { key: Key | null; direction: "asc" | "desc" };
export const NEWEST_FIRST: Order = { key: null, direction: "desc" };
export const OLDEST_FIRST: Order = { key: null, direction: "asc" };

type Item = { id: string; created_at: Date };

/** The position of an item in a list of this order. */
export const cursorAt = <Key extends string>(item: Item & Record<Key, number>, { key }: Order<Key>): Cursor => ({
  key: key === null ? null : item[key],
  at: item.created_at.toISOString(),
  id: item.id,
});

/**
 * The rows that a page shows, and the cursor of the next page.
 * @param rows one more than the size if there is a next page: so it is known without counting
 */
export function pageOf<Key extends string, Row extends Item & Record<Key, number>>(
  rows: Row[],
  size: number,
  order: Order<Key>,
): { shown: Row[]; next_cursor: string | null } {
  const shown = rows.slice(0, size);
  const last = rows.length > size ? shown.at(-1) : undefined;
  return { shown, next_cursor: last ? writeCursor(cursorAt(last, order)) : null };
}
