import type { Socket } from "node:net";
import { Kysely, PostgresDialect, type PostgresPool, type Selectable, sql, type Transaction } from "kysely";
import pg from "pg";
import type { Config } from "../config.ts";
import { PROCESSES } from "../processes.ts";
import { openReplica, type ReportReplica } from "./replica.ts";
import type { DB as Database } from "./types.ts";
import type { DB as Visible } from "./visible-types.ts";

/** Handle for commands and for a user's own data. */
export type Db = Kysely<Database>;
/** Handle for public data. Its role cannot read the author of an anonymous item, and its type has no such column. */
export type PublicDb = Kysely<Visible>;
/** Parameter type of functions that must run inside a transaction. */
export type Tx = Transaction<Database>;
/** All columns of a table. */
export type Row<Table extends keyof Database> = Selectable<Database[Table]>;

/** Runs a written statement and returns its rows: queryRows(db)<{ id: string }>`select ...`. */
export const queryRows =
  (db: Db | PublicDb) =>
  async <Columns>(text: TemplateStringsArray, ...values: unknown[]): Promise<Columns[]> =>
    (await sql<Columns>(text, ...values).execute(db)).rows;

/** Timeout of opening a connection, and of waiting for a free one, in milliseconds. */
export const CONNECT_TIMEOUT_MS = 3_000;
/**
 * Time without a byte after which a connection with a running query is dead, in milliseconds.
 *
 * It is longer than the server's own limits, so only a silent network exceeds it. It is shorter than 5 s, because a
 * query sent just before the network returns is the last one to fail.
 */
const SILENCE_MS = 4_000;

/**
 * Server settings of every connection of a pool.
 *
 * Requests are short: a longer statement is a bug. The server ends the transaction of a vanished client soon, because
 * its locks delay others, and its connection after 25 s.
 */
export const SESSION_SETTINGS = {
  statement_timeout: "3500ms",
  lock_timeout: "3s",
  idle_in_transaction_session_timeout: "8s",
  tcp_keepalives_idle: "10",
  tcp_keepalives_interval: "5",
  tcp_keepalives_count: "3",
  timezone: "UTC",
};

/** Further settings of connections for public reads. */
export const PUBLIC_SETTINGS = { role: "divan_public", search_path: "visible" };

export type OnConnectionLost = (error: Error) => void;

/** Unused connections of all pools of this process. */
const idle = new Set<pg.ClientBase>();

/** Closes a connection with a running query after `SILENCE_MS` without a byte, together with all unused ones. */
export function closeWhenSilent(client: pg.ClientBase): void {
  // After the handshake this is the socket of the operating system or of TLS. Both have an idle timer.
  const socket = (client as pg.Client).connection.stream as Socket;
  const { query } = client;
  client.query = ((...given: unknown[]) => {
    socket.setTimeout(SILENCE_MS);
    return Reflect.apply(query, client, given);
  }) as typeof query;
  client.on("drain", () => socket.setTimeout(0));
  socket.on("timeout", () => {
    // The unused connections are probably silent too. Each would cost a request its timeout.
    for (const one of [client, ...idle]) (one as pg.Client).connection.stream.destroy(new Error("Query read timeout"));
  });
}

/** Uses before the preparation of a statement. Rare statements would fill the server's memory. */
const USES_BEFORE_PREPARING = 50;
/** Largest number of counted statement texts. Lists of ids create many texts. */
const MAX_TEXTS = 2_000;
const texts = new Map<string, { uses: number; name: string }>();

/** Returns the name of a frequent statement, under which the server stores its plan, or undefined. */
function nameOf(text: string): string | undefined {
  const known = texts.get(text);
  if (!known) {
    if (texts.size < MAX_TEXTS) texts.set(text, { uses: 1, name: `s${texts.size}` });
    return undefined;
  }
  return known.uses++ < USES_BEFORE_PREPARING ? undefined : known.name;
}

/**
 * Prepares frequent statements, once per connection.
 *
 * A pooler in transaction mode does not support this: it uses another connection for each transaction.
 */
function prepareStatements(client: pg.ClientBase): void {
  const { query } = client;
  client.query = ((text: unknown, values: unknown, ...rest: unknown[]) => {
    const name = typeof text === "string" && Array.isArray(values) && values.length ? nameOf(text) : undefined;
    return Reflect.apply(query, client, name ? [{ name, text, values }, ...rest] : [text, values, ...rest]);
  }) as typeof query;
}

/**
 * Opens a pool that replaces lost or silent connections.
 * @param settings server settings of every connection in addition to the usual ones; null for a pooler in transaction
 * mode, which accepts none and supports no prepared statements
 */
export function openPool(
  url: string,
  name: string,
  max: number,
  onLost: OnConnectionLost,
  settings: Record<string, string> | null = {},
): pg.Pool {
  const options = Object.entries({ ...SESSION_SETTINGS, ...settings })
    .map(([key, value]) => `-c ${key}=${value}`)
    .join(" ");
  const made = new pg.Pool({
    connectionString: url,
    application_name: name,
    max,
    options: settings ? options : undefined,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
  });
  // The pool listens to idle connections only and removes its listener from one in use. An "error" event without a
  // listener ends the process, so each connection gets a permanent listener.
  made.on("connect", (client) => {
    client.on("error", onLost);
    closeWhenSilent(client);
    if (settings) prepareStatements(client);
  });
  made.on("acquire", (client) => idle.delete(client));
  made.on("release", (_error, client) => idle.add(client));
  // Follows the "release" of a lost connection, unlike the "end" of the connection itself.
  made.on("remove", (client) => idle.delete(client));
  // The pool reports the loss of an idle connection a second time.
  made.on("error", () => {});
  return made;
}

/**
 * Creates an unconnected client outside the pools. If the connection is lost, its queries are rejected and the process
 * continues.
 */
export function openClient(options: pg.ClientConfig): pg.Client {
  const client = new pg.Client({ connectionTimeoutMillis: 5_000, ...options });
  client.on("error", () => {});
  return client;
}

/** Runs work on a connection outside the pools. */
export async function withClient<Result>(
  options: pg.ClientConfig,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = openClient(options);
  try {
    await client.connect();
    return await work(client);
  } finally {
    // Closing a lost connection fails. The caller already has its first error.
    await client.end().catch(() => {});
  }
}

/** Largest numbers of connections of one process. */
const LARGEST_POOLS = { private: 16, public: 16, jobs: 4 } as const;
/** Connections that a node reserves for migrations, listeners and administrators. */
const RESERVED_CONNECTIONS = 15;

type PoolSizes = Record<keyof typeof LARGEST_POOLS, number>;

/** The sizes of this process's pools, so that the processes of its node do not use up the server's connections. */
export async function poolSizes(url: string, isPooler = false): Promise<PoolSizes> {
  // A pooler shares few connections among its clients.
  if (isPooler) return LARGEST_POOLS;
  const { rows } = await withClient({ connectionString: url, application_name: "divan-start" }, (client) =>
    client.query("select current_setting('max_connections')::int as max"),
  );
  const available = Math.floor((rows[0].max - RESERVED_CONNECTIONS) / PROCESSES);
  const half = Math.max(1, Math.floor((available - LARGEST_POOLS.jobs) / 2));
  return {
    private: Math.min(LARGEST_POOLS.private, half),
    public: Math.min(LARGEST_POOLS.public, half),
    jobs: LARGEST_POOLS.jobs,
  };
}

export type Databases = ReturnType<typeof openDatabases>;

export function openDatabases(
  url: string,
  onLost: OnConnectionLost,
  size: Omit<PoolSizes, "jobs"> = LARGEST_POOLS,
  { pooler, databaseReplicaUrl }: Partial<Pick<Config, "pooler" | "databaseReplicaUrl">> = {},
  reportReplica: ReportReplica = () => {},
) {
  const own = openPool(url, "divan", size.private, onLost, pooler ? null : {});
  const openPublic = (from: string, settings: typeof PUBLIC_SETTINGS | null = PUBLIC_SETTINGS) =>
    openPool(from, "divan-public", size.public, onLost, settings);
  const primary = pooler ? openPublic(pooler.publicUrl, null) : openPublic(url);
  const reader = databaseReplicaUrl ? openReplica(openPublic(databaseReplicaUrl), primary, reportReplica) : null;
  const handle = (pool: PostgresPool): PublicDb => new Kysely({ dialect: new PostgresDialect({ pool }) });
  return {
    db: new Kysely<Database>({ dialect: new PostgresDialect({ pool: own }) }),
    publicDb: handle(primary),
    /** Reads public data from the replica while its delay is under 10 s; null without a replica. */
    replicaDb: reader && handle(reader),
    pool: own,
    async close(): Promise<void> {
      await Promise.all([own.end(), primary.end(), reader?.end()]);
    },
  };
}

export const violatedConstraint = (error: unknown): string | null =>
  error instanceof pg.DatabaseError && error.code?.startsWith("23") ? (error.constraint ?? null) : null;

const DEADLOCK = "40P01";
const DEADLOCKS = 5;

/**
 * Runs a transaction and retries it after a deadlock. For transactions that lock rows of several users: two of them can
 * lock the same rows in different orders.
 */
export async function retryDeadlocks<Result>(transaction: () => Promise<Result>): Promise<Result> {
  for (let times = 1; ; times++)
    try {
      return await transaction();
    } catch (error) {
      if (!(error instanceof pg.DatabaseError && error.code === DEADLOCK) || times >= DEADLOCKS) throw error;
    }
}
