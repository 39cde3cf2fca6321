/**
 * `npm run bench`: measures the built app and writes docs/benchmarks.md.
 * `-- quick` finishes in 5 minutes. `--only <pattern>` runs the rows whose name matches and does not write that page.
 * `--against <commit>` measures that commit in the same run. `--rows <number>` sets the size of the large app.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openClient } from "#server/database/handles.ts";
import { withApps } from "./apps.ts";
import type { Bench, Line } from "./compare.ts";
import { send } from "./load.ts";
import { largeFeed, largeSearch, memory } from "./long-rows.ts";
import { type App, root, servingProcesses, startApp, startReference } from "./processes.ts";
import { sequence } from "./random.ts";
import type { Pages } from "./reference.ts";
import { documentOf, tableOf } from "./report.ts";
import { consultationPage, pagesOf, ROWS, type Row } from "./rows.ts";

const ROWS_OF_PAGES = 10_000;
/** Number of the 10,000 consultation pages that the reference stores; each represents some others. */
const STORED_PAGES = 200;
/** Headers that a server writes itself. */
const OF_CONNECTION = /^(date|connection|keep-alive|transfer-encoding|content-length)$/i;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: "string" }, against: { type: "string" }, rows: { type: "string" } },
});
const quick = positionals.includes("quick");

async function pagesFor({ url, community }: App): Promise<Pages> {
  const pages: Pages = {};
  const { home, consultation, psychologist } = pagesOf(community);
  const read = async (path: string) => {
    const { status, headers, body } = await send(url, { path });
    if (status !== 200) throw new Error(`${path} responded ${status}.`);
    const kept = headers.filter(([name]) => !OF_CONNECTION.test(name));
    return { headers: [...kept, ["content-length", String(body.length)] as [string, string]], body };
  };
  for (const path of [home, psychologist]) pages[path] = await read(path);
  const ids = community.consultations;
  for (let at = 0; at < STORED_PAGES; at++) {
    const page = await read(consultationPage(ids[at]!));
    for (let same = at; same < ids.length; same += STORED_PAGES) pages[consultationPage(ids[same]!)] = page;
  }
  pages[consultation] = await read(consultation);
  return pages;
}

async function measureAll(rows: Row[], bench: Bench): Promise<Line[]> {
  const lines: Line[] = [];
  for (const row of rows) {
    const begin = performance.now();
    const line = await row.run(bench);
    lines.push(line);
    const seconds = ((performance.now() - begin) / 1000).toFixed(0);
    console.log(
      `${row.name}: ${line.result}${line.ratio ? `, ratio ${line.ratio.toPrecision(2)}` : ""} (${seconds} s)`,
    );
  }
  return lines;
}

const size = { rows: ROWS_OF_PAGES, askers: quick ? 30_000 : 200_000 };

await withApps(size, values.against, async ({ app, against, administrativeUrl, closing }) => {
  const processes = servingProcesses(app.pid).length;
  const reference = await startReference(app.databaseUrl, processes, await pagesFor(app));
  closing.push(reference.stop);

  const rows = Number(values.rows ?? 1_000_000);
  let started: Promise<App> | undefined;
  const large = () => {
    started ??= startApp(administrativeUrl, { name: "large app", rows, askers: 0 }).then((app) => {
      closing.push(app.stop);
      return app;
    });
    return started;
  };
  const ofLarge = quick && !values.rows ? [] : [largeFeed(large, rows), largeSearch(large, rows)];
  const all = [...ROWS, ...ofLarge, memory];
  const chosen = all.filter(({ name }) => new RegExp(values.only ?? "").test(name));
  const lines = await measureAll(chosen, { app, against, reference, quick, random: sequence(7) });
  console.log(`\n${tableOf(lines, values.against ?? null)}`);
  if (values.only) return;
  const client = openClient({ connectionString: administrativeUrl });
  await client.connect();
  const { rows: version } = await client.query("show server_version");
  await client.end();
  const run = {
    command: ["npm run bench", ...(process.argv.length > 2 ? ["--", ...process.argv.slice(2)] : [])].join(" "),
    against: values.against ?? null,
    rows: size.rows,
    processes,
    postgres: version[0].server_version as string,
    root,
  };
  writeFileSync(join(root, "docs", "benchmarks.md"), documentOf(lines, run));
  console.log("\nWritten to docs/benchmarks.md.");
});
