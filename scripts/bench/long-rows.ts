/** Rows of the table that take minutes or need their own servers: a large feed, its search, and memory. */
import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import { openClient } from "#server/database/handles.ts";
import { CONSULTATION_SORTS, type ConsultationSort } from "#shared/sorts.ts";
import { SEARCH_QUERIES } from "#test/search-queries.ts";
import { writeCursor } from "../../server/cursor.ts";
import { type Bench, compare, type Line } from "./compare.ts";
import { FEED_FILTERS, feedCursor } from "./feed-pages.ts";
import { type Call, percentile, runLoad } from "./load.ts";
import { APP_SECRET, type App, memoryOf } from "./processes.ts";
import { pick, zipfRank } from "./random.ts";
import { consultationPage, type Row } from "./rows.ts";

async function feedPath(client: pg.Client, sort: ConsultationSort, filter: Record<string, string>, page: number) {
  const cursor = await feedCursor(client, sort, filter, page);
  return `/api/consultations?${new URLSearchParams({ sort, ...filter, ...(cursor && { cursor: writeCursor(APP_SECRET, cursor) }) })}`;
}

/** Returns the median latencies of one page of the feed in both databases, measured in turns, in milliseconds. */
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

/**
 * @param start starts the large app
 * @param rows number of consultations in its database
 */
export const largeFeed = (start: () => Promise<App>, rows: number): Row => ({
  name: "API feed at many consultations",
  async run({ app: small }) {
    const large = await start();
    const clients = [small, large].map(({ databaseUrl }) => openClient({ connectionString: databaseUrl }));
    const pages: { what: string; times: number[] }[] = [];
    try {
      for (const client of clients) await client.connect();
      for (const sort of CONSULTATION_SORTS)
        for (const filter of FEED_FILTERS)
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

/** @param start starts the large app */
export const largeSearch = (start: () => Promise<App>, rows: number): Row => ({
  name: "search",
  run: async (bench) =>
    compare(
      { ...bench, app: await start(), against: null },
      {
        measured: `search through the API at ${rows.toLocaleString("en")} consultations, 2 connections`,
        goal: "p99 <= 500 ms",
        withReference: false,
        load: () => ({
          connections: 2,
          calls: SEARCH_QUERIES.map(([q]) => ({ path: `/api/search?${new URLSearchParams({ q })}` })),
        }),
      },
    ),
});

/** Returns the largest memory of one process in MB after each of the given minutes of load. */
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
