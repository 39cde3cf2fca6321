import { Kysely, PostgresDialect, type Transaction } from "kysely";
import pg from "pg";
import type { DB as Database } from "./database-types.ts";
import type { DB as Visible } from "./visible-types.ts";

/** For commands and for a person's own things. */
export type Db = Kysely<Database>;
/** What everybody may see: its role cannot read who wrote an anonymous item, and its type does not know the column. */
export type PublicDb = Kysely<Visible>;
/** Demanded by what must happen inside a transaction. */
export type Tx = Transaction<Database>;

/** Requests are short: what runs longer is a fault, and must not hold a connection of a small pool. */
const SESSION_SETTINGS = { statement_timeout: "10s", lock_timeout: "5s", idle_in_transaction_session_timeout: "15s" };

/** Told of every connection that is lost. */
export type OnLost = (error: Error) => void;

/**
 * A pool whose connections may be lost at any time without ending the process.
 * @param settings server settings of every connection, such as `{ statement_timeout: "10s" }`
 */
export function openPool(
  url: string,
  name: string,
  max: number,
  onLost: OnLost,
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
  // event that nobody listens to ends the process. So each connection has a listener of ours as long as it lives.
  made.on("connect", (client) => client.on("error", onLost));
  // The same loss once more, for idle connections.
  made.on("error", () => {});
  return made;
}

/**
 * A connection outside the pools, not connected yet. When it is lost, what runs on it is rejected; the process goes on.
 * @param onLost told of it, where nothing may be running
 */
export function openClient(options: pg.ClientConfig, onLost: OnLost = () => {}): pg.Client {
  const client = new pg.Client({ connectionTimeoutMillis: 5_000, ...options });
  client.on("error", onLost);
  return client;
}

export type Databases = { db: Db; publicDb: PublicDb; pool: pg.Pool; close(): Promise<void> };

/** Opens both handles. `replicaUrl`, where there is one, serves what everybody may see. */
export function openDatabases(
  url: string,
  replicaUrl: string | null,
  onLost: OnLost,
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

/** The name of the constraint that a write ran into, or null. */
export const violatedConstraint = (error: unknown): string | null =>
  error instanceof pg.DatabaseError && error.code?.startsWith("23") ? (error.constraint ?? null) : null;

const DEADLOCK = "40P01";
const DEADLOCKS = 5;

/**
 * Runs a transaction over the rows of several people. Two of that kind can meet at people whom each reaches in another
 * order; the database then undoes one of them, which is run again.
 */
export async function despiteDeadlocks<Result>(transaction: () => Promise<Result>): Promise<Result> {
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
/** Errors of `pg` and `pg-pool` that have no code: each is said of a connection that could not be had, or is there no more. */
const TRANSIENT_MESSAGES =
  /^(timeout exceeded when trying to connect|timeout expired|Connection terminated|Client has encountered a connection error and is not queryable|Client was closed and is not queryable|Query read timeout|Received unexpected \w+ message from backend|Cannot use a pool after calling end on the pool|driver has already been destroyed)/;

/**
 * The database is away, full, or refuses to wait longer: trying again may help. Whatever was asked for was not
 * acknowledged.
 */
export function isTransient(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  if (typeof code === "string") return TRANSIENT_STATES.test(code) || TRANSIENT_CODES.has(code);
  return error instanceof Error && TRANSIENT_MESSAGES.test(error.message);
}
