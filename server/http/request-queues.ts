/** In which order requests get the thread that does the work (docs/decisions/0007). */
import { createHash } from "node:crypto";
import { fairQueue, type Sender } from "../fair-queue.ts";
import { senderOf } from "../limits/sender.ts";
import { DEVICE_COOKIE } from "../sessions/known-devices.ts";
import type { Request as OwnRequest } from "../sessions/request.ts";

/**
 * Rendering a page takes some ten turns of the event loop, and each waits for whatever else runs: so one at a time is
 * fastest for all, and more are started only while the thread is idle (while they wait for the database). A queued request
 * costs some kilobytes.
 */
const READ_QUEUE = { concurrency: 1, queueLimit: 2000, urgentIntervalMs: 500, retryAfterSeconds: 5 };
/**
 * Writes have a queue of their own: one that is refused before any rate limit costs the thread as much as one that
 * succeeds. A write spends most of its time in the database, where some at once do not delay each other.
 */
const WRITE_QUEUE = { ...READ_QUEUE, concurrency: 4 };

/** The sender of a request in the queue: the account, else the address, within which each browser is separate. */
export function queueSender({ session, address, userAgent, cookies }: OwnRequest): Sender {
  if (session) return [`account ${session.viewer.id}`];
  const browser = createHash("sha256")
    .update(`${userAgent}\n${cookies.get(DEVICE_COOKIE) ?? ""}`)
    .digest("base64url");
  return [`address ${senderOf(address)}`, browser];
}

/** The queues of one server: pages and reads in one, writes in another. */
export const openRequestQueues = () => ({ reads: fairQueue(READ_QUEUE), writes: fairQueue(WRITE_QUEUE) });
export type RequestQueues = ReturnType<typeof openRequestQueues>;
