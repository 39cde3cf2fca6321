import { execFileSync } from "node:child_process";
import { join } from "node:path";
import pg from "pg";
import { startEmbeddedPostgres } from "#server/database/embedded.ts";
import { migrate } from "#server/database/migrate.ts";
import { createQueues } from "#server/queues.ts";
import { ADMIN_EMAIL, announceRun, dataFolder, emptyDatabase, startServer } from "../server.ts";
import { accountsIn } from "../start.ts";
import { MOMENT } from "./moment.ts";

const world = (ids: string) => ({
  NODE_OPTIONS: `--import ${join(import.meta.dirname, "fixed-world.ts")}`,
  FIXED_IDS: ids,
});

/** Makes the database count its ids, and lets it be the same moment for every row. */
async function fix(databaseUrl: string): Promise<void> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  await client.query(`create sequence fixed_ids;
    create function fixed_id() returns uuid language sql as $$
      select ('00000000-dddd-4000-8000-' || lpad(nextval('fixed_ids')::text, 12, '0'))::uuid
    $$`);
  const { rows } = await client.query<{ of: string; name: string; value: string }>(
    `select table_name as of, column_name as name, column_default as value from information_schema.columns
     where table_schema = 'public' and column_default in ('gen_random_uuid()', 'now()')`,
  );
  const moment = `'${new Date(MOMENT).toISOString()}'::timestamptz`;
  for (const { of, name, value } of rows)
    await client.query(
      `alter table ${of} alter column ${name} set default ${value === "now()" ? moment : "fixed_id()"}`,
    );
  await client.end();
}

/** The demo community in a world where nothing is left to chance or to the time of day. */
export default async function start(): Promise<() => Promise<void>> {
  const folder = dataFolder();
  const postgres = await startEmbeddedPostgres(folder.path, { fsync: "off", synchronous_commit: "off" });
  const database = await emptyDatabase(postgres.url);
  await migrate(database.url, createQueues);
  await fix(database.url);
  const environment = { DATA_DIR: folder.path, DATABASE_URL: database.url, DEMO: "on" };
  const lines = execFileSync(process.execPath, [join(import.meta.dirname, "..", "load-demo.ts")], {
    encoding: "utf8",
    env: { ...process.env, ...environment, ...world("10ad"), ADMIN_EMAIL, LOG_LEVEL: "silent" },
  });
  const server = await startServer({ ...environment, ...world("5e12") });
  announceRun({
    url: server.url,
    databaseUrl: database.url,
    administrativeUrl: postgres.url,
    accounts: accountsIn(lines),
  });
  return async () => {
    await server.stop();
    await database.drop();
    await postgres.stop();
    folder.remove();
  };
}
