/** Measures the search on a large database: processor time of PostgreSQL and time until the response. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type pg from "pg";
import { openClient } from "#server/database/handles.ts";
import { HOSTILE_QUERIES, SEARCH_QUERIES } from "#test/search-queries.ts";
import type { Line } from "./compare.ts";
import { percentile } from "./load.ts";
import { type App, root } from "./processes.ts";
import { columnsOf } from "./report.ts";
import type { Row } from "./rows.ts";

type Sample = { what: string; processor: number; milliseconds: number };
type Request = { path: string; body?: object };

/** Largest time of a response in milliseconds. */
const MAX_MS = 500;
const QUERIES = SEARCH_QUERIES.map(([query]) => query);
const search = (more: Record<string, string>) => (q: string) => ({
  path: `/search?${new URLSearchParams({ q, ...more })}`,
});

const KINDS: { name: string; goal: (rows: number) => number; requests: Request[] }[] = [
  { name: "search", goal: (rows) => (rows > 100_000 ? 130 : 60), requests: QUERIES.map(search({})) },
  ...Object.entries({ country: "Panamá", category: "Duelo", answered: "yes" }).map(([name, value]) => ({
    name: `search with ${name}`,
    goal: () => 200,
    requests: QUERIES.map(search({ [name]: value })),
  })),
  {
    name: "suggestions",
    goal: () => 40,
    requests: QUERIES.map((q) => ({ path: `/search/suggestions?${new URLSearchParams({ q: q.slice(0, 6) })}` })),
  },
  {
    name: "similar to a draft",
    goal: () => 80,
    requests: QUERIES.map((title) => ({
      path: "/search/similar",
      body: { title, content: `Desde hace un mes: ${title}` },
    })),
  },
  { name: "hostile searches", goal: () => MAX_MS, requests: HOSTILE_QUERIES.map(search({})) },
];

/** Returns the processor time of each backend of the database in milliseconds, by process id. */
async function processorTimes(client: pg.Client): Promise<Map<number, number>> {
  const { rows } = await client.query<{ pid: number }>(
    "select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  );
  // The first number is the time on a processor in nanoseconds.
  return new Map(
    rows.map(({ pid }) => [pid, Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[0]) / 1e6]),
  );
}

async function sample(client: pg.Client, { url }: App, { path, body }: Request): Promise<Sample> {
  const before = await processorTimes(client);
  const began = performance.now();
  const response = await fetch(`${url}/api${path}`, {
    method: body ? "POST" : "GET",
    headers: { origin: url, "content-type": "application/json" },
    body: body ? JSON.stringify(body) : null,
  });
  await response.arrayBuffer();
  const milliseconds = performance.now() - began;
  if (!response.ok) throw new Error(`${path} responded ${response.status}`);
  const after = await processorTimes(client);
  const processor = [...after].reduce((sum, [pid, time]) => sum + time - (before.get(pid) ?? 0), 0);
  return { what: path, processor, milliseconds };
}

type Measured = { name: string; rows: number; p95: number; slowest: number; goal: number };

const isOver = ({ p95, slowest, goal }: Measured) => p95 > goal || slowest > MAX_MS;

async function measure(app: App, rows: number): Promise<Measured[]> {
  const client = openClient({ connectionString: app.databaseUrl });
  await client.connect();
  try {
    const measured: Measured[] = [];
    for (const { name, goal, requests } of KINDS) {
      const samples: Sample[] = [];
      for (let round = 0; round < 3; round++)
        for (const request of requests) {
          const taken = await sample(client, app, request);
          // The first round fills the caches.
          if (round) samples.push(taken);
        }
      const processorTimes = samples.map(({ processor }) => processor);
      const slowest = samples.reduce((one, other) => (one.milliseconds > other.milliseconds ? one : other));
      measured.push({
        name,
        rows,
        p95: percentile(processorTimes, 0.95),
        slowest: slowest.milliseconds,
        goal: goal(rows),
      });
      console.log(
        `  ${name}: ${measured.at(-1)!.p95.toFixed(0)} ms, slowest ${slowest.milliseconds.toFixed(0)} ms: ${slowest.what}`,
      );
    }
    return measured;
  } finally {
    await client.end();
  }
}

function timesDocument(measured: Measured[]): string {
  const table = columnsOf([
    ["Consultations", "Measured", "p95 ms", "Goal", "Slowest response ms"],
    ...measured.map(({ name, rows, p95, slowest, goal }) => [
      rows.toLocaleString("en"),
      name,
      p95.toFixed(0),
      `<= ${goal}`,
      slowest.toFixed(0),
    ]),
  ]);
  return `# Times of the search

\`npm run bench -- --only search\` writes this page: PostgreSQL's processor time per request (p95) and the slowest response
(goal <= ${MAX_MS} ms), for the ${QUERIES.length} queries of \`test/search-queries.ts\`, twice each, and ${HOSTILE_QUERIES.length} hostile ones. The texts are the demo's
titles and sentences in random order: each word occurs in thousands of them, and half of the queries have a word that none contains.

- Date: ${new Date().toISOString().slice(0, 10)}

${table}
`;
}

/**
 * @param start starts an app with a number of consultations
 * @param sizes these numbers
 */
export const searchTimes = (start: (rows: number) => Promise<App>, sizes: readonly number[]): Row => ({
  name: "search",
  async run() {
    const measured: Measured[] = [];
    for (const rows of sizes) measured.push(...(await measure(await start(rows), rows)));
    writeFileSync(join(root, "docs", "search-times.md"), timesDocument(measured));
    const over = measured.filter(isOver);
    const slowest = Math.max(...measured.map(({ slowest }) => slowest));
    return {
      measured: "PostgreSQL's processor time for a search, p95 ([times](search-times.md))",
      goal: `0 of ${measured.length} above their goals`,
      result: `${over.length} above; slowest response ${slowest.toFixed(0)} ms`,
    } satisfies Line;
  },
});
