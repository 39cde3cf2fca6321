import { LRUCache } from "lru-cache";
import type { Logger } from "pino";
import { PROCESSES } from "../processes.ts";

/**
 * SQLSTATEs of an outage: connection lost, sign-in refused, database missing, resources used up, shutting down or
 * starting, conflicts, timeouts, and a primary that became a standby.
 */
const TRANSIENT_STATES = /^(08|28|3D000|53|57P|40|55P03|57014|25P0[34]|25006)/;
/** System calls whose failure means that the database is unreachable, for every error code. */
const REACHING_CALLS = new Set(["connect", "getaddrinfo"]);
/** Operating system codes of an unreachable server or of a process without free descriptors. */
const TRANSIENT_CODES = new Set(
  `ECONNREFUSED ECONNRESET ECONNABORTED EPIPE ETIMEDOUT EHOSTUNREACH EHOSTDOWN ENETUNREACH ENETDOWN ENOTCONN ENOTFOUND
  EAI_AGAIN EADDRNOTAVAIL EMFILE ENFILE`.split(/\s+/),
);
/** Errors of `pg` and `pg-pool` without a code, for a failed or lost connection. */
const TRANSIENT_MESSAGES =
  /^(timeout exceeded when trying to connect|timeout expired|Connection terminated|Client has encountered a connection error and is not queryable|Client was closed and is not queryable|Query read timeout|Received unexpected \w+ message from backend|Cannot use a pool after calling end on the pool|driver has already been destroyed)/;

/** True if the database is down, refuses us, is overloaded or timed out. It did not acknowledge the statement. */
export function isTransient(error: unknown): boolean {
  const { code, syscall, severity } = (error ?? {}) as { code?: unknown; syscall?: string; severity?: string };
  // PostgreSQL's severity of an error that refuses or ends a connection.
  if (severity === "FATAL" || REACHING_CALLS.has(syscall!)) return true;
  if (typeof code === "string") return TRANSIENT_STATES.test(code) || TRANSIENT_CODES.has(code);
  return error instanceof Error && TRANSIENT_MESSAGES.test(error.message);
}

/** Causes that this node has logged within the last 500 ms. */
const logged = new LRUCache<string, true>({ max: 100, ttl: 500 * PROCESSES });

/** Logs an outage at most twice a second for each cause, because it can refuse hundreds of requests a second. */
export function logOutage(log: Logger, event: string, error: Error & { code?: string }, where?: string): void {
  // pg-boss appends the queue and the worker to the message. The message is empty if all IPs of a host refuse.
  const reason = error.message.replace(/ \(Queue: .*/s, "") || error.code || error.name;
  if (logged.has(reason)) return;
  logged.set(reason, true);
  log.warn({ event, where, reason });
}

/**
 * Waits for a write that a reader can do without, for example while the disk is full.
 * @returns false if it failed
 */
export const tryWrite = (log: Logger, write: Promise<unknown>): Promise<boolean> =>
  write.then(
    () => true,
    (error: Error) => {
      logOutage(log, "reader_not_recorded", error);
      return false;
    },
  );
