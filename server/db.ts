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

function pool(
  url: string,
  name: string,
  max: number,
  onError: (error: Error) => void,
  settings: Record<string, string>,
): pg.Pool {
  const options = Object.entries({ ...SESSION_SETTINGS, timezone: "UTC", ...settings })
    .map(([key, value]) => `-c ${key}=${value}`)
    .join(" ");
  const made = new pg.Pool({
    connectionString: url,
    application_name: name,
    max,
    options,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
  });
  // Without a listener a connection lost while idle ends the process.
  made.on("error", onError);
  return made;
}

export type Databases = { db: Db; publicDb: PublicDb; pool: pg.Pool; close(): Promise<void> };

/** Opens both handles. `replicaUrl`, where there is one, serves what everybody may see. */
export function openDatabases(
  url: string,
  replicaUrl: string | null,
  onError: (error: Error) => void,
  size = { private: 16, public: 16 },
): Databases {
  const own = pool(url, "divan", size.private, onError, {});
  const visible = pool(replicaUrl ?? url, "divan-public", size.public, onError, {
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

/** The database is away, full, or refuses to wait longer: nothing was written, trying again may help. */
export function isPassing(error: unknown): boolean {
  const code = (error as { code?: unknown }).code;
  if (typeof code !== "string")
    return (
      error instanceof Error && /timeout exceeded when trying to connect|Connection terminated/.test(error.message)
    );
  return (
    /^(08|53|57P|40|55P03|57014|25P03)/.test(code) ||
    ["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT"].includes(code)
  );
}
