import { resolve } from "node:path";
import { runner } from "node-pg-migrate";
import { PgBoss } from "pg-boss";
import { ConfigError } from "../config.ts";
import { withClient } from "./handles.ts";

/** PostgreSQL 15.0 in the format of `server_version_num`. */
const OLDEST_VERSION = 150000;

/**
 * Migrates a database: first our migrations, then the tables of the job queue. Nodes that start at the same time wait
 * for each other.
 * @param createQueues creates the queues of the server; idempotent
 * @throws ConfigError if the server is too old or may not create the role of public reads
 */
export async function migrate(
  databaseUrl: string,
  createQueues: (boss: PgBoss) => Promise<void>,
  folder = resolve("migrations"),
): Promise<void> {
  const options = {
    connectionString: databaseUrl,
    application_name: "divan-migrate",
    // Behind a pooler, the user's settings contain the limits of requests.
    options: "-c statement_timeout=0 -c lock_timeout=0 -c idle_in_transaction_session_timeout=0",
  };
  await withClient(options, async (client) => {
    const { rows } = await client.query(
      "select current_setting('server_version_num')::int as version, exists(select from pg_roles where rolname = 'divan_public') as role_exists, (select rolcreaterole or rolsuper from pg_roles where rolname = current_user) as may_create",
    );
    if (rows[0].version < OLDEST_VERSION) throw new ConfigError("DATABASE_URL: PostgreSQL 15 or newer is required.");
    if (!rows[0].role_exists && !rows[0].may_create)
      throw new ConfigError(
        "DATABASE_URL: its user may not create roles. Give it CREATEROLE, or run as a superuser: create role divan_public nologin; grant divan_public to <user>;",
      );
    await runner({
      dbClient: client,
      dir: folder,
      direction: "up",
      migrationsTable: "migrations",
      advisoryLockMode: "wait",
      log: () => {},
    });
    // The queue library locks its own installation; our lock only prevents two nodes from installing at the same time.
    await client.query("select pg_advisory_lock(4801, 2)");
    // On a slow machine, creating all tables exceeds the timeouts of the job pool.
    const db = { executeSql: (text: string, values?: unknown[]) => client.query(text, values) };
    const boss = new PgBoss({ db, supervise: false, schedule: false });
    boss.on("error", () => {});
    await boss.start();
    await createQueues(boss);
    await boss.stop({ graceful: false });
  });
}
