/** Limits the requests that run at once, of each sender and of all (docs/decisions/0007). */
import { createHash } from "node:crypto";
import type { Context as HonoContext } from "hono";
import { limitConcurrency } from "../concurrency.ts";
import { clientKey } from "../limits/client-network.ts";
import { PROCESSES } from "../processes.ts";
import { DEVICE_COOKIE } from "../sessions/known-devices.ts";
import { HELP_LINES, type ShellEnv } from "./shell.ts";

// A waiting request takes a few kilobytes.
const QUEUE = { queueLimit: 2000, retryAfterSeconds: 5 };
/** Three of a sender in each process: more would slow down the requests of others on its thread. */
const ofSender = { ...QUEUE, concurrency: 3 * PROCESSES };
const perBrowser = limitConcurrency(ofSender);
const perSender = limitConcurrency(ofSender);
/** As many as the pools have connections: more would wait for these until all of them fail. */
const altogether = limitConcurrency({ ...QUEUE, concurrency: 32 * PROCESSES });

/**
 * Runs the work of a request when its sender and the process have few others running. Help lines wait only for other
 * help lines of their sender. A sender is an account, or an IP, whose browsers are limited first, so that one of them
 * cannot fill the queue of the IP. All renders for the page cache are one sender.
 * @throws AppError server_busy if a queue is full
 */
export async function limitSender<Result>(c: HonoContext<ShellEnv>, work: () => Promise<Result>): Promise<Result> {
  const isHelp = HELP_LINES.test(c.req.path);
  const begin = async () => {
    // After pending I/O: a page that never awaits renders in one go, and many of them in a row would delay every
    // response of the database.
    await new Promise(setImmediate);
    return isHelp ? work() : altogether(work);
  };
  const kind = isHelp ? "help" : "other";
  if (c.env.shared) return perSender(begin, `${kind} page cache`);
  const { session, address, userAgent, cookies } = c.get("own");
  if (session) return perSender(begin, `${kind} ${session.viewer.id}`);
  const sender = `${kind} ${clientKey(address)}`;
  const browser = createHash("sha256").update(`${sender}\n${userAgent}\n${cookies.get(DEVICE_COOKIE) ?? ""}`);
  return perBrowser(() => perSender(begin, sender), browser.digest("base64url"));
}
