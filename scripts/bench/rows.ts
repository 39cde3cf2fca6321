/** Rows of the table, and how they are measured. */
import { setTimeout as pause } from "node:timers/promises";
import { CATEGORIES } from "#shared/categories.ts";
import { COUNTRIES } from "#shared/countries.ts";
import { CONSULTATION_SORTS } from "#shared/sorts.ts";
import { SEARCH_QUERIES } from "#test/search-queries.ts";
import { memoryOf, processorTimeOf, type Target } from "./apps.ts";
import { type Call, type Load, median, percentile, runLoad, send, visitorAddress } from "./load.ts";
import type { Community, Person } from "./seed.ts";

type Bench = {
  app: Target;
  /** Target of an earlier commit. */
  against: Target | null;
  reference: Target;
  /** Returns the app with many consultations. */
  large: () => Promise<Target>;
  quick: boolean;
};

export const COLUMNS = "Measured|Result|Spread|p50 ms|p99 ms|CPU ms|Reference|Ratio|Against|Goal".split("|");
/** Cells of a row of the table. */
export type Line = Record<string, string>;

const perSecond = (rate: number) => `${rate < 100 ? rate.toFixed(1) : Math.round(rate)}/s`;
const digits = (value: number) => (value < 10 ? value.toPrecision(2) : value.toFixed(0));

type Comparison = {
  load(target: Target): Load;
  /** Returns one of the 4 calls per second that the measured target receives in addition. */
  meanwhile?(target: Target): Call;
  /** Duration of the load before the first measurement, in seconds, which fills caches. */
  warmUp?: number;
  /** False if only the app can serve this load. */
  withReference?: boolean;
};

/** Measures a load. `cpu` is the processor time per request in milliseconds, without PostgreSQL. */
async function measure(target: Target, { load, meanwhile }: Comparison, seconds: number) {
  const own = load(target);
  let failed = 0;
  const timer = meanwhile && setInterval(() => void send(target.url, meanwhile(target)).catch(() => failed++), 250);
  try {
    await runLoad(target.url, own, 0.5);
    const before = processorTimeOf(target);
    const sample = await runLoad(target.url, own, seconds);
    const cpu = (processorTimeOf(target) - before) / sample.latencies.length;
    return { ...sample, cpu, failures: sample.failures + failed };
  } finally {
    clearInterval(timer);
    await pause(200);
  }
}

/** Measures the app before and after its references. */
async function compare(bench: Bench, comparison: Comparison): Promise<Line> {
  const { load, warmUp, withReference = true } = comparison;
  const { app, against, reference, quick } = bench;
  const apps = against ? [app, against] : [app];
  if (warmUp) for (const target of apps) await runLoad(target.url, load(target), warmUp);
  const samples = new Map<Target, Awaited<ReturnType<typeof measure>>[]>();
  for (let rounds = quick ? 1 : 3; rounds > 0; rounds--)
    for (const target of [...apps, ...(withReference ? [reference] : []), app])
      samples.set(target, [...(samples.get(target) ?? []), await measure(target, comparison, quick ? 2 : 5)]);

  const medianOf = (target: Target, what: "rate" | "cpu") => median(samples.get(target)!.map((one) => one[what]));
  const compared = (target: Target) =>
    `${perSecond(medianOf(target, "rate"))}, CPU ${digits(medianOf(target, "cpu"))} ms`;
  const own = samples.get(app)!;
  const latencies = own.flatMap((sample) => sample.latencies);
  const rates = own.map((sample) => sample.rate);
  const rate = median(rates);
  const failures = [...samples.values()].flat().reduce((sum, sample) => sum + sample.failures, 0);
  return {
    Result: failures ? `${perSecond(rate)}, ${failures} failed` : perSecond(rate),
    Spread: `${Math.round(((Math.max(...rates) - Math.min(...rates)) / rate) * 100)} %`,
    "p50 ms": digits(median(latencies)),
    "p99 ms": digits(percentile(latencies, 0.99)),
    "CPU ms": digits(medianOf(app, "cpu")),
    ...(withReference && { Reference: compared(reference), Ratio: digits(rate / medianOf(reference, "rate")) }),
    ...(against && { Against: `${compared(against)}, ${(rate / medianOf(against, "rate")).toFixed(2)}x` }),
  };
}

const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(Math.random() * items.length)]!;
/** Picks an item with a probability that falls as 1 / its place. */
const pickZipf = <Item>(items: Item[]): Item => items[Math.floor(items.length ** Math.random()) - 1]!;

export const pageOf = (id: string) => `/consulta/${id}`;

/** A write in the form that our own pages send; the reference reads the user from a header. */
const writeCall = ({ url }: Target, method: "POST" | "PUT", path: string, by: Person, body: object): Call => ({
  method,
  path: `/api/consultations${path}`,
  headers: { origin: url, "content-type": "application/json", cookie: by.cookie, "x-reference-user": by.id },
  body: JSON.stringify(body),
});

const voteCall = (target: Target, id: string) =>
  writeCall(target, "PUT", `/${id}/vote`, pick(target.community.readers), {
    vote: Math.random() < 0.8 ? "up" : "down",
  });

const TEXT =
  "Desde hace unas semanas duermo mal y me cuesta concentrarme en el trabajo. ¿Es normal que me pase después de una mudanza?";
const QUESTION = {
  title: "Me cuesta dormir desde la mudanza",
  content: TEXT,
  country: COUNTRIES[0],
  category: CATEGORIES[0],
  is_anonymous: true,
};

/** Requests a page 32 times concurrently after each of several votes. */
async function afterVotes(app: Target, votes: number): Promise<Line> {
  const { withTenAnswers } = app.community;
  const answers: Awaited<ReturnType<typeof send>>[] = [];
  for (; votes > 0; votes--) {
    await send(app.url, voteCall(app, withTenAnswers));
    const visitors = Array.from({ length: 32 }, (_, n) => ({
      path: pageOf(withTenAnswers),
      headers: visitorAddress(n),
    }));
    answers.push(...(await Promise.all(visitors.map((call) => send(app.url, call)))));
  }
  const failures = answers.filter(({ status }) => status !== 200).length;
  const taken = answers.map(({ milliseconds }) => milliseconds);
  const p99 = digits(percentile(taken, 0.99));
  return {
    Result: `p99 ${p99} ms${failures ? `, ${failures} failed` : ""}`,
    "p50 ms": digits(median(taken)),
    "p99 ms": p99,
  };
}

/** Returns the path of a full page of the feed, or of the last full one if there are fewer. */
async function feedPath(url: string, filter: Record<string, string>, page: number): Promise<string> {
  const first = `/api/consultations?${new URLSearchParams(filter)}`;
  let [path, before] = [first, first];
  for (let at = 1; at <= page; at++) {
    const { next_cursor } = (await (await fetch(url + path)).json()) as { next_cursor: string | null };
    if (next_cursor === null) return before;
    before = path;
    path = `${first}&cursor=${next_cursor}`;
  }
  return before;
}

/** Returns the median latency of a page of the feed in each app, measured in turns, in milliseconds. */
async function feedTimes(apps: Target[], filter: Record<string, string>, page: number): Promise<number[]> {
  const loads = await Promise.all(apps.map(async ({ url }) => ({ url, path: await feedPath(url, filter, page) })));
  const latencies = apps.map((): number[] => []);
  for (let rounds = 3; rounds > 0; rounds--)
    for (const [at, { url, path }] of loads.entries()) {
      const load = { connections: 1, calls: { path, headers: { "accept-encoding": "identity" } } };
      await runLoad(url, load, 0.2);
      latencies[at]!.push(...(await runLoad(url, load, 0.8)).latencies);
    }
  return latencies.map(median);
}

/** Compares pages of the feed of the app and of the large app. */
async function compareFeeds(small: Target, large: Target): Promise<Line> {
  const filters: Record<string, string>[] = [{}, { country: COUNTRIES[0] }, { category: CATEGORIES[0] }];
  const pages: { what: string; after: number; ratio: number }[] = [];
  for (const sort of CONSULTATION_SORTS)
    for (const filter of [...filters, { ...filters[1], ...filters[2] }])
      for (const page of [1, 500]) {
        const [before, after] = (await feedTimes([small, large], { sort, ...filter }, page)) as [number, number];
        const what = [sort, ...Object.keys(filter).map((name) => `one ${name}`), `page ${page}`].join(", ");
        console.log(`  ${what}: ${before.toFixed(2)} -> ${after.toFixed(2)} ms`);
        pages.push({ what, after, ratio: after / before });
      }
  const worst = pages.toSorted((a, b) => b.ratio - a.ratio)[0]!;
  return {
    Result: `median ${median(pages.map(({ ratio }) => ratio)).toFixed(2)}x, worst ${worst.ratio.toFixed(2)}x (${worst.what})`,
    "p50 ms": digits(median(pages.map(({ after }) => after))),
    Ratio: digits(worst.ratio),
  };
}

/** Compares the memory after each of two durations of load, in minutes. */
async function compareMemory(app: Target, [first, second]: [number, number]): Promise<Line> {
  const { consultations, readers } = app.community;
  const calls = (): Call => ({
    path: Math.random() < 0.2 ? "/" : pageOf(pickZipf(consultations)),
    headers: Math.random() < 0.2 ? { cookie: pick(readers).cookie } : {},
  });
  const found: number[] = [];
  for (const minutes of [first, second - first]) {
    await runLoad(app.url, { calls }, minutes * 60);
    await pause(500);
    found.push(memoryOf(app));
  }
  const [before, after] = found as [number, number];
  return { Result: `${before.toFixed(0)} -> ${after.toFixed(0)} MB`, Ratio: digits(after / before) };
}

type Row = { measured: string; goal: string; run(bench: Bench): Promise<Line> };

/** @param rows number of consultations of the large app */
export function rowsOf(quick: boolean, rows: number): Row[] {
  const many = rows.toLocaleString("en");
  const minutes: [number, number] = quick ? [0.2, 0.6] : [1, 10];
  const row = (measured: string, goal: string, run: Row["run"]): Row => ({ measured, goal, run });
  const page = (measured: string, pathOf: (community: Community) => string) =>
    row(`visitor's ${measured}, 32 connections`, "ratio >= 0.5", (bench) =>
      compare(bench, { load: ({ community }) => ({ calls: { path: pathOf(community) } }) }),
    );
  const write = (measured: string, goal: string, call: (target: Target) => Call) =>
    row(`${measured} through the API, 32 connections`, goal, (bench) =>
      compare(bench, { load: (target) => ({ calls: () => call(target) }) }),
    );
  let asker = 0;
  return [
    page("/", () => "/"),
    page("/consulta/:id with 10 answers", ({ withTenAnswers }) => pageOf(withTenAnswers)),
    page("/psicologo/:id", ({ psychologists }) => `/psicologo/${psychologists[0]!.id}`),
    row("10,000 consultation pages, Zipf-distributed, 32 connections, with 4 votes/s", "ratio >= 0.3", (bench) =>
      compare(bench, {
        warmUp: quick ? 20 : 60,
        load: ({ community }) => ({ calls: () => ({ path: pageOf(pickZipf(community.consultations)) }) }),
        meanwhile: (target) => voteCall(target, pickZipf(target.community.consultations)),
      }),
    ),
    row("visitor's /consulta/:id just after a vote for it, 32 at once", "p99 <= 100 ms", async ({ app, against }) => {
      const votes = quick ? 20 : 100;
      const line = await afterVotes(app, votes);
      return { ...line, ...(against && { Against: (await afterVotes(against, votes)).Result! }) };
    }),
    row("signed-in /, 16 connections", ">= 3x of 80ff258 (178/s), p99 <= 5 x p50", (bench) => {
      const load = ({ community }: Target) => ({
        connections: 16,
        calls: () => ({ path: "/", headers: { cookie: pick(community.readers).cookie } }),
      });
      return compare(bench, { withReference: false, load });
    }),
    row("API feed, 20 items, 32 connections", "ratio >= 0.5", (bench) => {
      const calls = { path: "/api/consultations", headers: { "accept-encoding": "identity" } };
      return compare(bench, { load: () => ({ calls }) });
    }),
    write("vote", "ratio >= 0.5, >= 1,500/s", (target) => voteCall(target, pick(target.community.consultations))),
    write("answer", "ratio >= 0.5", (target) => {
      const { consultations, psychologists } = target.community;
      return writeCall(target, "POST", `/${pick(consultations)}/answers`, pick(psychologists), { content: TEXT });
    }),
    // A user can ask once a week, so each question has another user, also at the reference.
    write("ask", "ratio >= 0.5", (target) => {
      const { askers } = target.community;
      return writeCall(target, "POST", "", askers[asker++ % askers.length]!, QUESTION);
    }),
    ...(quick
      ? []
      : [
          row(
            `API feed at ${many} consultations: p50 of each sort and filter, pages 1 and 500`,
            "p50 <= 1.3x of 10,000",
            async ({ app, large }) => compareFeeds(app, await large()),
          ),
          row(`search through the API at ${many} consultations, 2 connections`, "p99 <= 500 ms", async (bench) => {
            const calls = () => ({ path: `/api/search?${new URLSearchParams({ q: pick(SEARCH_QUERIES)[0] })}` });
            const load = () => ({ connections: 2, calls });
            return compare({ ...bench, app: await bench.large(), against: null }, { withReference: false, load });
          }),
        ]),
    row(`memory per process after ${minutes.join(" and ")} minutes of load`, "<= 1.1x, <= 300 MB", ({ app }) =>
      compareMemory(app, minutes),
    ),
  ];
}
