import { AppError } from "#shared/errors.ts";

/** Where a page of the feed ended: the sort key of its last item. */
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
      typeof id === "string" &&
      /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id);
    if (wellFormed) return { key, at, id };
  } catch {
    // Falls through to the refusal.
  }
  throw new AppError("invalid_input", {
    fields: { [field]: "Esta página ya no existe. Vuelve al principio de la lista." },
  });
}
