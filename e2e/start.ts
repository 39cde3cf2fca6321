import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { startEmbeddedPostgres } from "#server/database/embedded.ts";
import { ADMIN_EMAIL, announceRun, dataFolder, startPrivateServer } from "./server.ts";

/** "  ana@divan.example      psychologist, verified" */
const ACCOUNT = /^\s*(\S+@divan\.example)\s+(\S.*)$/gm;

export const accountsIn = (lines: string): Record<string, string> =>
  Object.fromEntries(Array.from(lines.matchAll(ACCOUNT), ([, email, role]) => [role!.trim(), email!]));

/**
 * Starts one server with the demo community for the whole run, with a new database on DATABASE_URL or on an embedded
 * PostgreSQL. The latter runs without fsync, because test data need not survive a power failure.
 */
export default async function start(): Promise<() => Promise<void>> {
  await using starting = new AsyncDisposableStack();
  let administrativeUrl = process.env.DATABASE_URL;
  if (!administrativeUrl) {
    const folder = dataFolder();
    starting.defer(folder.remove);
    const unsafe = { fsync: "off", synchronous_commit: "off", full_page_writes: "off" };
    const postgres = await startEmbeddedPostgres(folder.path, unsafe);
    starting.defer(postgres.stop);
    administrativeUrl = postgres.url;
  }
  const { url, settings } = starting.use(await startPrivateServer(administrativeUrl));
  const lines = execFileSync(process.execPath, [join(import.meta.dirname, "load-demo.ts")], {
    encoding: "utf8",
    env: { ...process.env, ...settings, ADMIN_EMAIL, PUBLIC_URL: url, LOG_LEVEL: "silent" },
  });
  announceRun({ url, databaseUrl: settings.DATABASE_URL, administrativeUrl, accounts: accountsIn(lines) });
  const started = starting.move();
  return () => started.disposeAsync();
}
