/** Order in which requests get the thread that does the work (docs/decisions/0007). */
import { createHash } from "node:crypto";
import type { Context as HonoContext } from "hono";
import { fairQueue, type Sender } from "../fair-queue.ts";
import { clientKey } from "../limits/client-network.ts";
import { DEVICE_COOKIE } from "../sessions/known-devices.ts";
import type { ShellEnv } from "./shell.ts";

/**
 * Queue of reads.
 *
 * Rendering a page takes about 10 turns of the event loop, each of which waits for other work. One render at a time is
 * therefore fastest for all requests. More start only while the thread is idle, waiting for the database. A queued
 * request uses a few kilobytes.
 */
const READ_QUEUE = { concurrency: 1, queueLimit: 2000, urgentIntervalMs: 500, retryAfterSeconds: 5 };
/**
 * Queue of writes.
 *
 * A write that is refused before any rate limit costs the thread as much as one that succeeds. A write spends most of
 * its time in the database, where 4 concurrent ones do not delay each other.
 */
const WRITE_QUEUE = { ...READ_QUEUE, concurrency: 4 };

/**
 * Returns the sender of a request in the queue: the account, or the IP with its browsers as separate senders. Each page
 * for the page cache is a sender.
 */
export function senderOf(c: HonoContext<ShellEnv>): Sender {
  if (c.env.shared) return ["page cache", c.req.path];
  const { session, address, userAgent, cookies } = c.get("own");
  if (session) return [`account ${session.viewer.id}`];
  const browser = createHash("sha256")
    .update(`${userAgent}\n${cookies.get(DEVICE_COOKIE) ?? ""}`)
    .digest("base64url");
  return [`address ${clientKey(address)}`, browser];
}

/** Opens the queues of one server: one for pages and reads, one for writes. */
export const openRequestQueues = () => ({ reads: fairQueue(READ_QUEUE), writes: fairQueue(WRITE_QUEUE) });
export type RequestQueues = ReturnType<typeof openRequestQueues>;
