import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { startEmbeddedPostgres } from "#server/database/embedded.ts";
import { ADMIN_EMAIL, announceRun, dataFolder, emptyDatabase, startServer } from "./server.ts";

/** "  ana@divan.example      psychologist, verified" */
const ACCOUNT = /^\s*(\S+@divan\.example)\s+(\S.*)$/gm;

export const accountsIn = (lines: string): Record<string, string> =>
  Object.fromEntries(Array.from(lines.matchAll(ACCOUNT), ([, email, role]) => [role!.trim(), email!]));

/**
 * Starts one server with the demo community for the whole run.
 *
 * Without DATABASE_URL it works like `npm start`. Only its embedded PostgreSQL runs without fsync, because test data
 * need not survive a power failure. With DATABASE_URL each server gets a new database there, and `load-demo.ts` loads
 * the community.
 */
export default async function start(): Promise<() => Promise<void>> {
  const given = process.env.DATABASE_URL;
  const folder = dataFolder();
  await using starting = new AsyncDisposableStack();
  starting.defer(folder.remove);
  const environment: Record<string, string> = { DATA_DIR: folder.path, DEMO: "on" };
  let administrativeUrl = given ?? "";
  if (given) {
    const database = await emptyDatabase(given);
    starting.defer(database.drop);
    environment.DATABASE_URL = database.url;
  } else {
    const postgres = await startEmbeddedPostgres(folder.path, {
      fsync: "off",
      synchronous_commit: "off",
      full_page_writes: "off",
    });
    starting.defer(postgres.stop);
    administrativeUrl = postgres.url;
  }
  const server = await startServer(environment);
  starting.defer(() => server.stop());
  const lines = given
    ? execFileSync(process.execPath, [join(import.meta.dirname, "load-demo.ts")], {
        encoding: "utf8",
        env: { ...process.env, ...environment, ADMIN_EMAIL, PUBLIC_URL: server.url, LOG_LEVEL: "silent" },
      })
    : server.output();
  const databaseUrl = environment.DATABASE_URL ?? administrativeUrl;
  announceRun({ url: server.url, databaseUrl, administrativeUrl, accounts: accountsIn(lines) });
  const started = starting.move();
  return () => started.disposeAsync();
}
