/**
 * `npm run bench`: measures the built app and writes docs/benchmarks.md.
 * `-- quick` finishes in 5 minutes. `--only <pattern>` runs the rows whose first cell matches and does not write that
 * page. `--against <commit>` measures that commit in the same run.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { withClient } from "#server/database/handles.ts";
import { root, startReference, type Target, withApps } from "./apps.ts";
import { send } from "./load.ts";
import type { Pages } from "./reference.ts";
import { COLUMNS, type Line, pageOf, rowsOf } from "./rows.ts";

const SIZE = 10_000;
const LARGE_SIZE = 1_000_000;
/** Number of the consultation pages that the reference stores; each represents some others. */
const STORED_PAGES = 200;

/** Formats a Markdown table without empty columns. */
function tableOf(lines: Line[]): string {
  const columns = COLUMNS.filter((column) => lines.some((line) => line[column]));
  const rows = [columns, columns.map(() => "---"), ...lines.map((line) => columns.map((column) => line[column] ?? ""))];
  return rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** Headers that a server writes itself. */
const OF_CONNECTION = ["date", "connection", "keep-alive", "transfer-encoding"];

/** Reads the pages that the reference sends. */
async function readPages({ url, community: { consultations, withTenAnswers, psychologists } }: Target): Promise<Pages> {
  const pages: Pages = {};
  const read = async (path: string) => {
    const { status, headers, body } = await send(url, { path });
    if (status !== 200) throw new Error(`${path} responded ${status}.`);
    for (const name of OF_CONNECTION) delete headers[name];
    pages[path] = { headers: { ...headers, "content-length": body.length }, body };
  };
  const stored = consultations.slice(0, STORED_PAGES);
  for (const path of ["/", `/psicologo/${psychologists[0]!.id}`, ...stored.map(pageOf)]) await read(path);
  for (const [at, id] of consultations.entries()) pages[pageOf(id)] = pages[pageOf(stored[at % STORED_PAGES]!)]!;
  await read(pageOf(withTenAnswers));
  return pages;
}

/** Replaces the facts and the table in the text of docs/benchmarks.md. */
async function updated(text: string, table: string, { databaseUrl, processes }: Target): Promise<string> {
  const { rows } = await withClient({ connectionString: databaseUrl }, (client) =>
    client.query<{ server_version: string }>("show server_version"),
  );
  const git = (...parameters: string[]) => execFileSync("git", parameters, { cwd: root, encoding: "utf8" }).trim();
  const changed = git("status", "--porcelain", "--", "app", "server", "shared", "migrations") && " with local changes";
  const command = ["npm run bench", ...(process.argv[2] ? ["--", ...process.argv.slice(2)] : [])].join(" ");
  const facts = `- Date: ${new Date().toISOString().slice(0, 10)}, commit ${git("rev-parse", "--short", "HEAD")}${changed}, \`${command}\`
- Machine: ${cpus()[0]?.model.trim()}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}, PostgreSQL ${rows[0]!.server_version}
- ${SIZE.toLocaleString("en")} consultations, copies of the demo's, ${processes().length} processes of the app and of the reference`;
  return text.replace(/- Date: .*\|\n/s, () => `${facts}\n\n${table}\n`);
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: "string" }, against: { type: "string" } },
});
const quick = positionals.includes("quick");
const chosen = rowsOf(quick, LARGE_SIZE).filter(({ measured }) => new RegExp(values.only ?? "").test(measured));
if (!chosen.length) {
  console.error(`No row matches "${values.only}"${quick ? " in the quick run" : ""}.`);
  process.exit(1);
}
const size = { rows: SIZE, askers: quick ? 30_000 : 200_000 };

await withApps(size, values.against, async ({ app, against, start, closing }) => {
  const reference = await startReference(app, await readPages(app), closing);
  let largeApp: Promise<Target> | undefined;
  const large = () => {
    largeApp ??= start("large app", { rows: LARGE_SIZE, askers: 0 });
    return largeApp;
  };
  const bench = { app, against, reference, large, quick };
  const lines: Line[] = [];
  for (const { measured, goal, run } of chosen) {
    const line: Line = { Measured: measured, ...(await run(bench)), Goal: goal };
    lines.push(line);
    console.log(`${measured}: ${line.Result}${line.Ratio ? `, ratio ${line.Ratio}` : ""}`);
  }
  const table = tableOf(lines);
  console.log(`\n${table}`);
  if (values.only) return;
  const page = join(root, "docs", "benchmarks.md");
  writeFileSync(page, await updated(readFileSync(page, "utf8"), table, app));
  console.log("\nWritten to docs/benchmarks.md.");
});
