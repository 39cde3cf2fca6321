/** Measures the search on a large database: processor time of PostgreSQL and time until the response. */
import { readFileSync } from "node:fs";
import type pg from "pg";
import { openClient } from "#server/database/handles.ts";
import { HOSTILE_QUERIES, SEARCH_QUERIES } from "#test/search-queries.ts";
import type { Line } from "./compare.ts";
import { percentile } from "./load.ts";
import type { App } from "./processes.ts";
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

/**
 * @param start starts the large app
 * @param rows number of consultations in its database
 */
export const searchTimes = (start: () => Promise<App>, rows: number): Row => ({
  name: "search",
  async run() {
    const app = await start();
    const client = openClient({ connectionString: app.databaseUrl });
    await client.connect();
    try {
      const results: string[] = [];
      const goals: string[] = [];
      let failures = 0;
      for (const { name, goal, requests } of KINDS) {
        const samples: Sample[] = [];
        for (let round = 0; round < 3; round++)
          for (const request of requests) {
            const taken = await sample(client, app, request);
            // The first round fills the caches.
            if (round) samples.push(taken);
          }
        const p95 = percentile(
          samples.map(({ processor }) => processor),
          0.95,
        );
        const slowest = samples.reduce((one, other) => (one.milliseconds > other.milliseconds ? one : other));
        if (p95 > goal(rows) || slowest.milliseconds > MAX_MS) failures++;
        results.push(`${name} ${p95.toFixed(0)} ms, slowest response ${slowest.milliseconds.toFixed(0)} ms`);
        goals.push(`${name} ${goal(rows)}`);
        console.log(`  ${results.at(-1)}: ${slowest.what.slice(0, 100)}`);
      }
      return {
        measured: `search among ${rows.toLocaleString("en")} consultations: p95 of PostgreSQL's processor time`,
        goal: `${goals.join(", ")}; responses <= ${MAX_MS} ms`,
        result: results.join("; "),
        failures,
      } satisfies Line;
    } finally {
      await client.end();
    }
  },
});
