/** Streams the export of a user's data: batch by batch, one export at a time. */
import { AppError } from "#shared/errors.ts";
import { consentsOf } from "../accounts/consents/store.ts";
import type { Context } from "../context.ts";
import type { Db } from "../database/handles.ts";
import { knownDevicesOf } from "../sessions/store.ts";
import { EXPORT_END, exportList, exportStart, type ListName } from "./present.ts";
import {
  accountOf,
  answersOf,
  answerVotesOf,
  checkoutsOf,
  consultationsOf,
  consultationVotesOf,
  emailChangesOf,
  goldGrantsOf,
  idsOf,
  type LongTable,
  membershipsOf,
  paymentsOf,
  psychologistOf,
  repliesOf,
  reviewsOf,
  sessionsWithEnd,
  visitsOf,
} from "./store.ts";

/** Rows per batch. The largest batch has 400 kB: 20 texts of 5,000 characters with 4 bytes each. */
const BATCH = 20;
/** Time in which the client must take a batch, in milliseconds. A stalled client does not block the next export. */
const STALL_MS = 30_000;
const RETRY_AFTER_SECONDS = 5;

type Batches = (db: Db, id: string) => AsyncGenerator<object[]>;

/** Reads a list that is short for every user in one batch. */
const short = (read: (db: Db, id: string) => Promise<object[]>): Batches =>
  async function* (db, id) {
    yield await read(db, id);
  };

/** Reads a list that grows with use. Reads the ids first, so that each batch costs the same. */
const long = (table: LongTable, read: (db: Db, id: string, ids: string[]) => Promise<object[]>): Batches =>
  async function* (db, id) {
    const ids = await idsOf(db, table, id);
    for (let from = 0; from < ids.length; from += BATCH) yield await read(db, id, ids.slice(from, from + BATCH));
  };

const LISTS: Record<ListName, Batches> = {
  consents: short(consentsOf),
  known_browsers: short(knownDevicesOf),
  sessions: short(sessionsWithEnd),
  email_changes: short(emailChangesOf),
  consultations: long("consultations", consultationsOf),
  answers: long("consultation_responses", answersOf),
  replies: long("consultation_replies", repliesOf),
  reviews: long("psychologist_reviews", reviewsOf),
  consultation_votes: long("consultation_votes", consultationVotesOf),
  answer_votes: long("response_votes", answerVotesOf),
  memberships: short(membershipsOf),
  gold_grants: short(goldGrantsOf),
  payments: short(paymentsOf),
  checkouts: short(checkoutsOf),
};

/**
 * Reads an account.
 * @throws AppError sign_in_required if it is deleted
 */
async function existingAccount(db: Db, id: string) {
  const account = await accountOf(db, id);
  if (!account) throw new AppError("sign_in_required");
  return account;
}

/**
 * Yields an export piece by piece.
 * @throws AppError sign_in_required if the account is deleted during the export
 */
async function* piecesOf({ db, now }: Context, id: string): AsyncGenerator<string> {
  yield exportStart(await existingAccount(db, id), await psychologistOf(db, id), await visitsOf(db, id), now());
  for (const [name, batches] of Object.entries(LISTS)) yield* exportList(name as ListName, batches(db, id));
  // The lists are incomplete if the account was deleted during the export.
  await existingAccount(db, id);
  yield EXPORT_END;
}

let running = false;

/** @throws AppError busy while this process sends an export */
export function requireNoExport(): void {
  if (running) throw new AppError("busy", { facts: { retry_after_seconds: RETRY_AFTER_SECONDS } });
}

/**
 * Opens the export of a user's data as JSON. Reads only as fast as the client.
 *
 * If the database fails or the client stalls, the stream breaks off, because a shortened file must not look complete.
 * @param signal aborts if the client disconnects. The compression does not forward that to the stream.
 * @throws AppError busy while this process sends another export
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
