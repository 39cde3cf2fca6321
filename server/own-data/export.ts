/** Streams the export of a user's data: batch by batch, one export at a time. */
import { AppError } from "#shared/errors.ts";
import type { Context } from "../context.ts";
import { batchesOf, EXPORT, rowOf } from "./export-store.ts";

/** Time in which the client must take a batch, in milliseconds. A stalled client does not block the next export. */
const STALL_MS = 30_000;
const RETRY_AFTER_SECONDS = 5;

const json = (value: unknown) => JSON.stringify(value, null, 1);

/**
 * Yields an export as JSON, batch by batch.
 * @throws AppError sign_in_required if the account is deleted before or during the export
 */
async function* piecesOf({ db, now }: Context, id: string): AsyncGenerator<string> {
  const { account, psychologist, ...lists } = EXPORT;
  const existingAccount = async () => {
    const row = await rowOf(db, account, id);
    if (!row) throw new AppError("sign_in_required");
    return row;
  };
  const start = {
    exported_at: now(),
    account: await existingAccount(),
    psychologist: await rowOf(db, psychologist, id),
  };
  yield json(start).slice(0, -"\n}".length);
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
  await existingAccount();
  yield "\n}";
}

let running = false;

/** @throws AppError server_busy while this process sends an export */
export function requireNoExport(): void {
  if (running) throw new AppError("server_busy", { details: { retry_after_seconds: RETRY_AFTER_SECONDS } });
}

/**
 * Opens the export of a user's data as JSON. Reads only as fast as the client.
 *
 * If the database fails or the client stalls, the stream breaks off, because a shortened file must not look complete.
 * @param signal aborts if the client disconnects. The compression does not forward that to the stream.
 * @throws AppError server_busy while this process sends another export
 * @throws AppError sign_in_required if the account is deleted
 */
export async function openExport(
  context: Context,
  id: string,
  signal: AbortSignal | undefined,
): Promise<ReadableStream<Uint8Array>> {
  requireNoExport();
  running = true;
  const pieces = piecesOf(context, id);
  // A failure before the first byte still gets an error response.
  let piece: Promise<IteratorResult<string>> | undefined = pieces.next();
  await piece.catch((error: unknown) => {
    running = false;
    throw error;
  });
  const encoder = new TextEncoder();
  let ended = false;
  let stalled: NodeJS.Timeout | undefined;
  const end = () => {
    clearTimeout(stalled);
    if (!ended) running = false;
    ended = true;
  };
  const breakOff = (controller: ReadableStreamDefaultController, error: unknown) => {
    if (ended) return;
    end();
    // The error's message could quote a text.
    context.log.warn({ event: "export_broken", code: (error as { code?: string }).code });
    controller.error(new AppError("unavailable"));
  };
  const watch = (controller: ReadableStreamDefaultController) => {
    stalled = setTimeout(breakOff, STALL_MS, controller, { code: "stalled" }).unref();
  };
  const stream = new ReadableStream<Uint8Array>(
    {
      start: watch,
      async pull(controller) {
        clearTimeout(stalled);
        if (ended) return;
        try {
          const { done, value } = await (piece ?? pieces.next());
          piece = undefined;
          if (ended) return;
          if (done) {
            end();
            controller.close();
          } else {
            controller.enqueue(encoder.encode(value));
            watch(controller);
          }
        } catch (error) {
          breakOff(controller, error);
        }
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
  signal?.addEventListener("abort", end, { once: true });
  if (signal?.aborted) end();
  return stream;
}
