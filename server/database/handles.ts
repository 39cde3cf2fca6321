import { Kysely, PostgresDialect, type Transaction } from "kysely";
import pg from "pg";
import type { DB as Database } from "./types.ts";
import type { DB as Visible } from "./visible-types.ts";

/** For commands and for a person's own things. */
export type Db = Kysely<Database>;
/** The handle for public data: its role cannot read who wrote an anonymous item, and its type does not have the column. */
export type PublicDb = Kysely<Visible>;
/** The parameter type of functions that must run inside a transaction. */
export type Tx = Transaction<Database>;

/** Requests are short: a longer statement is a bug, and must not occupy a connection of a small pool. */
const SESSION_SETTINGS = { statement_timeout: "10s", lock_timeout: "5s", idle_in_transaction_session_timeout: "15s" };

/** Called for every lost connection. */
export type OnConnectionLost = (error: Error) => void;

/**
 * A pool whose connections may be lost at any time without crashing the process.
 * @param settings server settings of every connection, such as `{ statement_timeout: "10s" }`
 */
export function openPool(
  url: string,
  name: string,
  max: number,
  onLost: OnConnectionLost,
  settings: Record<string, string>,
): pg.Pool {
  const options = Object.entries({ timezone: "UTC", ...settings })
    .map(([key, value]) => `-c ${key}=${value}`)
    .join(" ");
  const made = new pg.Pool({
    connectionString: url,
    application_name: name,
    max,
    options,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
  });
  // The pool listens to idle connections only: it takes its listener off a connection that is checked out, and an "error"
  // event without a listener ends the process. So each connection has a listener of ours for its whole life.
  made.on("connect", (client) => client.on("error", onLost));
  // For idle connections the pool reports the same loss again.
  made.on("error", () => {});
  return made;
}

/**
 * A connection outside the pools, not connected yet. When it is lost, what runs on it is rejected; the process goes on.
 * @param onLost told of it, where nothing may be running
 */
export function openClient(options: pg.ClientConfig, onLost: OnConnectionLost = () => {}): pg.Client {
  const client = new pg.Client({ connectionTimeoutMillis: 5_000, ...options });
  client.on("error", onLost);
  return client;
}

export type Databases = { db: Db; publicDb: PublicDb; pool: pg.Pool; close(): Promise<void> };

/** Opens both handles. `replicaUrl`, if given, serves public reads. */
export function openDatabases(
  url: string,
  replicaUrl: string | null,
  onLost: OnConnectionLost,
  size = { private: 16, public: 16 },
): Databases {
  const own = openPool(url, "divan", size.private, onLost, SESSION_SETTINGS);
  const visible = openPool(replicaUrl ?? url, "divan-public", size.public, onLost, {
    ...SESSION_SETTINGS,
    role: "divan_public",
    search_path: "visible",
  });
  return {
    db: new Kysely<Database>({ dialect: new PostgresDialect({ pool: own }) }),
    publicDb: new Kysely<Visible>({ dialect: new PostgresDialect({ pool: visible }) }),
    pool: own,
    async close() {
      await Promise.all([own.end(), visible.end()]);
    },
  };
}

/** The name of the constraint that a write violated, or null. */
export const violatedConstraint = (error: unknown): string | null =>
  error instanceof pg.DatabaseError && error.code?.startsWith("23") ? (error.constraint ?? null) : null;

const DEADLOCK = "40P01";
const DEADLOCKS = 5;

/**
 * Runs a transaction that locks rows of several people, and retries it after a deadlock: two such transactions can lock the
 * same rows in another order.
 */
export async function retryDeadlocks<Result>(transaction: () => Promise<Result>): Promise<Result> {
  for (let times = 1; ; times++)
    try {
      return await transaction();
    } catch (error) {
      if (!(error instanceof pg.DatabaseError && error.code === DEADLOCK) || times >= DEADLOCKS) throw error;
    }
}

/** Connection lost, resources used up, shutting down or starting, conflicts, timeouts, and a primary that became a standby. */
const TRANSIENT_STATES = /^(08|53|57P|40|55P03|57014|25P0[34]|25006)/;
/** What the operating system says when a server cannot be reached, or when we have no descriptor left to reach it with. */
const TRANSIENT_CODES = new Set(
  `ECONNREFUSED ECONNRESET ECONNABORTED EPIPE ETIMEDOUT EHOSTUNREACH EHOSTDOWN ENETUNREACH ENETDOWN ENOTCONN ENOTFOUND
  EAI_AGAIN EADDRNOTAVAIL EMFILE ENFILE`.split(/\s+/),
);
/** Errors of `pg` and `pg-pool` without a code: each means that a connection could not be opened, or was lost. */
const TRANSIENT_MESSAGES =
  /^(timeout exceeded when trying to connect|timeout expired|Connection terminated|Client has encountered a connection error and is not queryable|Client was closed and is not queryable|Query read timeout|Received unexpected \w+ message from backend|Cannot use a pool after calling end on the pool|driver has already been destroyed)/;

/** Whether the database is down, overloaded or timed out, so that a retry may help. The statement was not acknowledged. */
export function isTransient(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  if (typeof code === "string") return TRANSIENT_STATES.test(code) || TRANSIENT_CODES.has(code);
  return error instanceof Error && TRANSIENT_MESSAGES.test(error.message);
}
