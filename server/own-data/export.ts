/** Streams the export of a user's data, batch by batch. */
import { ReadableStream as NodeReadableStream } from "node:stream/web";
import { AppError } from "#shared/errors.ts";
import type { Context } from "../context.ts";
import { batchesOf, EXPORT, rowOf } from "./export-store.ts";

const json = (value: unknown) => JSON.stringify(value, null, 1);

/**
 * Yields the lists of an export as JSON, batch by batch.
 * @throws AppError sign_in_required if the account is deleted during the export
 */
async function* listsOf({ db }: Context, id: string): AsyncGenerator<string> {
  const { account, psychologist: _, ...lists } = EXPORT;
  for (const [name, list] of Object.entries(lists)) {
    yield `,\n "${name}": [`;
    let separator = "";
    for await (const rows of batchesOf(db, list, id)) {
      if (!rows.length) continue;
      yield separator + rows.map((row) => `\n  ${json(row).replaceAll("\n", "\n  ")}`).join(",");
      separator = ",";
    }
    yield separator ? "\n ]" : "]";
  }
  // The lists are incomplete if the account was deleted during the export.
  if (!(await rowOf(db, account, id))) throw new AppError("sign_in_required");
  yield "\n}";
}

/**
 * Opens the export of a user's data as JSON. Reads only as fast as the client, and uses no connection to the database
 * while the client reads nothing.
 *
 * If the database fails, the stream breaks off, because a shortened file must not look complete.
 * @throws AppError sign_in_required if the account is deleted
 */
export async function openExport(context: Context, id: string): Promise<ReadableStream<Uint8Array>> {
  const { db, now, log } = context;
  // A failure before the first byte still gets an error response.
  const account = await rowOf(db, EXPORT.account, id);
  if (!account) throw new AppError("sign_in_required");
  const start = { exported_at: now(), account, psychologist: await rowOf(db, EXPORT.psychologist, id) };
  async function* pieces() {
    const encoder = new TextEncoder();
    try {
      yield encoder.encode(json(start).slice(0, -"\n}".length));
      for await (const piece of listsOf(context, id)) yield encoder.encode(piece);
    } catch (error) {
      // The error's message could quote a text.
      log.warn({ event: "export_broken", code: (error as { code?: string }).code });
      throw new AppError("unavailable");
    }
  }
  return NodeReadableStream.from(pieces()) as ReadableStream<Uint8Array>;
}
