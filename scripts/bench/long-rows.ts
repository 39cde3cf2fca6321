/** The rows of the table that take minutes or servers of their own: a large feed, memory, the start. */
import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import { openClient } from "#server/database/handles.ts";
import { CATEGORIES } from "#shared/categories.ts";
import { COUNTRIES } from "#shared/countries.ts";
import { CONSULTATION_SORTS, type ConsultationSort } from "#shared/sorts.ts";
import { writeCursor } from "../../server/cursor.ts";
import type { Bench, Line } from "./compare.ts";
import { type Call, percentile, runLoad } from "./load.ts";
import { APP_SECRET, type App, memoryOf, startApp, startTime } from "./processes.ts";
import { pick, zipfRank } from "./random.ts";
import { consultationPage, type Row } from "./rows.ts";

const ORDERS: Record<ConsultationSort, { key: string | null; direction: string }> = {
  recent: { key: null, direction: "desc" },
  oldest: { key: null, direction: "asc" },
  votes: { key: "score", direction: "desc" },
  responses: { key: "response_count", direction: "desc" },
};
const FILTERS = [
  {},
  { country: COUNTRIES[0] },
  { category: CATEGORIES[0] },
  { country: COUNTRIES[0], category: CATEGORIES[0] },
] as Record<string, string>[];

/** The path of a page of the feed; of the last full one if there are fewer. */
async function feedPath(client: pg.Client, sort: ConsultationSort, filter: Record<string, string>, page: number) {
  const parameters = new URLSearchParams({ sort, ...filter });
  if (page > 1) {
    const { key, direction } = ORDERS[sort];
    const where = Object.keys(filter).map((column, at) => `${column} = $${at + 1}`);
    const from = `from consultations ${where.length ? `where ${where.join(" and ")}` : ""}`;
    const { rows: counted } = await client.query(`select count(*)::integer as n ${from}`, Object.values(filter));
    const order = [key, "created_at", "id"].filter(Boolean).map((column) => `${column} ${direction}`);
    const { rows } = await client.query(
      `select ${key ?? "null::integer"} as key, created_at, id ${from} order by ${order.join(", ")}
      offset ${Math.max(0, Math.min((page - 1) * 20, counted[0].n - 20) - 1)} limit 1`,
      Object.values(filter),
    );
    const { key: number, created_at, id } = rows[0];
    parameters.set("cursor", writeCursor(APP_SECRET, { key: number, at: created_at.toISOString(), id }));
  }
  return `/api/consultations?${parameters}`;
}

/** The median latencies of one page of the feed in both databases, measured in turns, in milliseconds. */
async function feedTimes(apps: [App, string][]): Promise<number[]> {
  const taken = apps.map((): number[] => []);
  for (let rounds = 3; rounds > 0; rounds--)
    for (const [at, [{ url }, path]] of apps.entries()) {
      const load = { connections: 1, calls: [{ path, headers: { "accept-encoding": "identity" } }] };
      await runLoad(url, load, 0.2);
      taken[at]!.push(...(await runLoad(url, load, 0.8)).latencies);
    }
  return taken.map((latencies) => percentile(latencies, 0.5));
}

/** @param rows of the large database */
export const largeFeed = (administrativeUrl: string, rows: number): Row => ({
  name: "API feed at many consultations",
  async run({ app: small }) {
    const large = await startApp(administrativeUrl, { name: "large", rows, askers: 0 });
    const clients = [small, large].map(({ databaseUrl }) => openClient({ connectionString: databaseUrl }));
    const pages: { what: string; times: number[] }[] = [];
    try {
      for (const client of clients) await client.connect();
      for (const sort of CONSULTATION_SORTS)
        for (const filter of FILTERS)
          for (const page of [1, 500]) {
            const [one, two] = await Promise.all(clients.map((client) => feedPath(client, sort, filter, page)));
            const times = await feedTimes([
              [small, one!],
              [large, two!],
            ]);
            const what = [sort, ...Object.keys(filter).map((name) => `one ${name}`), `page ${page}`].join(", ");
            console.log(`  ${what}: ${times.map((time) => time.toFixed(2)).join(" -> ")} ms`);
            pages.push({ what, times });
          }
    } finally {
      for (const client of clients) await client.end();
      await large.stop();
    }
    const ratios = pages.map(({ times: [before, after] }) => after! / before!);
    const worst = ratios.indexOf(Math.max(...ratios));
    return {
      measured: `API feed at ${rows.toLocaleString("en")} consultations: p50 of ${pages.length} combinations of sort, filter, page 1 and 500`,
      goal: "p50 <= 1.3x of 10,000",
      result: `median ${percentile(ratios, 0.5).toFixed(2)}x, worst ${ratios[worst]!.toFixed(2)}x (${pages[worst]!.what})`,
      p50: percentile(
        pages.map(({ times }) => times[1]!),
        0.5,
      ),
      ratio: ratios[worst]!,
    } satisfies Line;
  },
});

/** The most memory of one process, in MB, after each of several times under load. */
async function memoryUnderLoad({ app, random }: Bench, minutes: number[]): Promise<number[]> {
  const { consultations } = app.community;
  const paths = (): Call => ({
    path: random() < 0.2 ? "/" : consultationPage(consultations[zipfRank(consultations.length, random)]!),
    headers: random() < 0.2 ? { cookie: pick(app.community.readers, random).cookie } : {},
  });
  const found: number[] = [];
  let before = 0;
  for (const until of minutes) {
    await runLoad(app.url, { connections: 32, calls: paths }, (until - before) * 60);
    before = until;
    await pause(500);
    found.push(Math.max(...memoryOf(app.pid)));
  }
  return found;
}

export const memory: Row = {
  name: "memory",
  async run(bench) {
    const minutes = bench.quick ? [0.2, 0.6] : [1, 10];
    const [first, last] = (await memoryUnderLoad(bench, minutes)) as [number, number];
    return {
      measured: `memory per process after ${minutes.join(" and ")} minutes of load`,
      goal: "<= 1.1x, <= 300 MB",
      result: `${first.toFixed(0)} -> ${last.toFixed(0)} MB`,
      ratio: last / first,
    };
  },
};

export const start: Row = {
  name: "npm start",
  run: async () => ({
    measured: "npm start until ready, data and build present",
    goal: "<= 3 s",
    result: `${(await startTime()).toFixed(1)} s`,
  }),
};
