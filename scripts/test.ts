/** The whole test run: checks, tests on a real PostgreSQL, journeys in a real browser. */
import { spawnSync } from "node:child_process";
import { delimiter, join } from "node:path";
import { HAS_PGBOUNCER } from "#test/database-cluster.ts";

const root = join(import.meta.dirname, "..");
const full = process.argv.includes("--full");
const environment = {
  ...process.env,
  PATH: join(root, "node_modules", ".bin") + delimiter + process.env.PATH,
  // Unless this is "full", long tests run only in part.
  DIVAN_TESTS: full ? "full" : "",
};

const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
/** The server's tests again, each application behind a pooler. */
const behindPooler: [string, string[], Record<string, string>][] = HAS_PGBOUNCER
  ? [["tests behind a pooler", [vitest, "run", "server/"], { DIVAN_POOLER: "on" }]]
  : [];
const steps: [name: string, command: string[], more?: Record<string, string>][] = [
  ["checks", [join(root, "scripts", "check.ts")]],
  // The full run also shuffles, because no test may need another one before it.
  ["tests", [vitest, "run", ...(full ? ["--sequence.shuffle"] : [])]],
  ...(full ? behindPooler : []),
  ["browser", [join(root, "node_modules", "@playwright", "test", "cli.js"), "test"]],
];

const began = Date.now();
const results: string[] = [];
let failed = false;
for (const [name, command, more] of steps) {
  const start = Date.now();
  const { status } = spawnSync(process.execPath, command, {
    cwd: root,
    stdio: "inherit",
    env: { ...environment, ...more },
  });
  const seconds = ((Date.now() - start) / 1000).toFixed(0);
  results.push(`${status === 0 ? "ok    " : "FAILED"} ${name} (${seconds} s)`);
  if (status !== 0) failed = true;
}
if (full && !HAS_PGBOUNCER)
  results.push("skipped tests behind a pooler: PgBouncer is not installed (Debian: apt-get install pgbouncer).");
console.log(`\n${results.join("\n")}\nall in ${((Date.now() - began) / 1000).toFixed(0)} s`);
process.exit(failed ? 1 : 0);
