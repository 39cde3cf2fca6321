/** Lists in pages; each page begins at the end of the last one. */
import { createHash, createHmac } from "node:crypto";
import { AppError } from "#shared/errors.ts";
import { NONCE_BYTES, seal, unseal } from "./tokens.ts";

/** End of a page: its last item by number (if the list has one), by time and by id. */
export type Cursor = { key: number | null; at: string; id: string };

const keyOf = (secret: string) => createHash("sha256").update(`cursor:${secret}`).digest();

/**
 * Encodes a cursor as text.
 *
 * Encrypts it, because it contains the exact time of an item whose public time is cut to the minute. Equal cursors give
 * equal texts, so that an unchanged page has unchanged bytes.
 */
export function writeCursor(secret: string, { key, at, id }: Cursor): string {
  const text = JSON.stringify([key, at, id]);
  const nonce = createHmac("sha256", keyOf(secret)).update(text).digest().subarray(0, NONCE_BYTES);
  return seal(keyOf(secret), nonce, text).toString("base64url");
}

/** @throws AppError invalid_input with an error at `field` for a text that this server did not write */
export function readCursor(secret: string, text: string | undefined, sorted: boolean, field = "cursor"): Cursor | null {
  if (!text) return null;
  const opened = unseal(keyOf(secret), Buffer.from(text, "base64url"));
  const [key, at, id] = opened ? JSON.parse(opened) : [];
  // A cursor of another list is authentic too.
  if (opened && sorted === (key !== null)) return { key, at, id };
  throw new AppError("invalid_input", {
    fields: { [field]: "Esta página ya no existe. Vuelve al principio de la lista." },
  });
}

/** Order of a list: by a number if it has a key, then by time, then by id. */
export type Order<Key extends string = never> = { key: Key | null; direction: "asc" | "desc" };
export const NEWEST_FIRST: Order = { key: null, direction: "desc" };
export const OLDEST_FIRST: Order = { key: null, direction: "asc" };

type Item = { id: string; created_at: Date };

/** Returns the position of an item in a list of this order. */
export const cursorAt = <Key extends string>(item: Item & Record<Key, number>, { key }: Order<Key>): Cursor => ({
  key: key === null ? null : item[key],
  at: item.created_at.toISOString(),
  id: item.id,
});

/**
 * Returns the rows of a page and the cursor of the next page.
 * @param rows one more than the size if a next page exists, which avoids a count
 */
export function pageOf<Key extends string, Row extends Item & Record<Key, number>>(
  secret: string,
  rows: Row[],
  size: number,
  order: Order<Key>,
): { shown: Row[]; next_cursor: string | null } {
  const shown = rows.slice(0, size);
  const last = rows.length > size ? shown.at(-1) : undefined;
  return { shown, next_cursor: last ? writeCursor(secret, cursorAt(last, order)) : null };
}
