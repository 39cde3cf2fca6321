/** Rows of the table: pages, the API, writes. */
import { setInterval } from "node:timers/promises";
import { type Bench, compare, type Line } from "./compare.ts";
import { type Call, percentile, send, visitorAddress } from "./load.ts";
import type { App, Target } from "./processes.ts";
import { pick, zipfRank } from "./random.ts";
import type { Community, Person } from "./seed.ts";

/** Name and measurement of a row. */
export type Row = { name: string; run(bench: Bench): Promise<Line> };

const TEXT =
  "Desde hace unas semanas duermo mal y me cuesta concentrarme en el trabajo. ¿Es normal que me pase después de una mudanza?";

export const pagesOf = (community: Community) => ({
  home: "/",
  consultation: `/consulta/${community.withTenAnswers}`,
  psychologist: `/psicologo/${community.psychologists[0]!.id}`,
});
export const consultationPage = (id: string) => `/consulta/${id}`;

/** A write in the form that our own pages send; the reference reads the user from a header. */
const writeCall = ({ url }: Target, method: "POST" | "PUT", path: string, by: Person, body: object): Call => ({
  method,
  path: `/api/consultations${path}`,
  headers: { origin: url, "content-type": "application/json", cookie: by.cookie, "x-reference-user": by.id },
  body: JSON.stringify(body),
});

const voteCall = ({ app: { community }, random }: Bench, target: Target, id = pick(community.consultations, random)) =>
  writeCall(target, "PUT", `/${id}/vote`, pick(community.readers, random), { vote: random() < 0.8 ? "up" : "down" });

const page = (name: string, path: (pages: ReturnType<typeof pagesOf>) => string): Row => ({
  name,
  run: (bench) =>
    compare(bench, {
      measured: `${name}, 32 connections`,
      goal: "ratio >= 0.5",
      load: () => ({ connections: 32, calls: [{ path: path(pagesOf(bench.app.community)) }] }),
    }),
});

const zipfPages: Row = {
  name: "10,000 consultation pages",
  run: (bench) => {
    const { random } = bench;
    const { consultations } = bench.app.community;
    const paths = () => ({ path: consultationPage(consultations[zipfRank(consultations.length, random)]!) });
    return compare(bench, {
      measured: "10,000 consultation pages, Zipf-distributed, 32 connections, with 4 votes/s",
      goal: "ratio >= 0.3",
      warmUpSeconds: bench.quick ? 20 : 60,
      load: () => ({ connections: 32, calls: paths }),
      async meanwhile(target, signal) {
        const votes = setInterval(250, undefined, { signal });
        const ids = () => consultations[zipfRank(consultations.length, random)]!;
        try {
          for await (const _ of votes) await send(target.url, voteCall(bench, target, ids()));
        } catch (error) {
          if (!signal.aborted) throw error;
        }
      },
    });
  },
};

/** Requests a page 32 times concurrently after each of several votes. */
async function afterVotes(bench: Bench, app: App): Promise<number[]> {
  const { withTenAnswers } = app.community;
  const path = consultationPage(withTenAnswers);
  const milliseconds: number[] = [];
  for (let times = bench.quick ? 20 : 100; times > 0; times--) {
    await send(app.url, voteCall(bench, app, withTenAnswers));
    const visitors = Array.from({ length: 32 }, (_, n) => visitorAddress(n));
    const answers = await Promise.all(visitors.map((headers) => send(app.url, { path, headers })));
    for (const answer of answers)
      milliseconds.push(answer.status === 200 ? answer.milliseconds : Number.POSITIVE_INFINITY);
  }
  return milliseconds;
}

const invalidated: Row = {
  name: "just invalidated",
  async run(bench) {
    const taken = await afterVotes(bench, bench.app);
    const others = bench.against && (await afterVotes(bench, bench.against));
    const p99 = percentile(taken, 0.99);
    return {
      measured: "visitor's /consulta/:id just after a vote for it, 32 at once",
      goal: "p99 <= 100 ms",
      result: `p99 ${p99.toFixed(0)} ms`,
      p50: percentile(taken, 0.5),
      p99,
      ...(others && { against: `p99 ${percentile(others, 0.99).toFixed(0)} ms` }),
      failures: taken.filter((milliseconds) => milliseconds === Number.POSITIVE_INFINITY).length,
    };
  },
};

const signedIn: Row = {
  name: "signed-in /",
  run: (bench) =>
    compare(bench, {
      measured: "signed-in /, 16 connections",
      goal: ">= 3x of 80ff258 (178/s), p99 <= 5 x p50",
      withReference: false,
      load: () => ({
        connections: 16,
        calls: () => ({ path: "/", headers: { cookie: pick(bench.app.community.readers, bench.random).cookie } }),
      }),
    }),
};

const feed: Row = {
  name: "API feed",
  run: (bench) =>
    compare(bench, {
      measured: "API feed, 20 items, 32 connections",
      goal: "ratio >= 0.5",
      load: () => ({
        connections: 32,
        calls: [{ path: "/api/consultations", headers: { "accept-encoding": "identity" } }],
      }),
    }),
};

const write = (name: string, goal: string, call: (bench: Bench, target: Target) => Call): Row => ({
  name,
  run: (bench) =>
    compare(bench, {
      measured: `${name} through the API, 32 connections`,
      goal,
      load: (target) => ({ connections: 32, calls: () => call(bench, target) }),
    }),
});

/** A user can ask once a week, so each question has another user, also at the reference. */
let nextAsker = 0;
const QUESTION = {
  title: "Me cuesta dormir desde la mudanza",
  content: TEXT,
  country: "Argentina",
  category: "Ansiedad",
  is_anonymous: true,
};

export const ROWS: Row[] = [
  page("visitor's /", ({ home }) => home),
  page("visitor's /consulta/:id with 10 answers", ({ consultation }) => consultation),
  page("visitor's /psicologo/:id", ({ psychologist }) => psychologist),
  zipfPages,
  invalidated,
  signedIn,
  feed,
  write("vote", "ratio >= 0.5, >= 1,500/s", (bench, target) => voteCall(bench, target)),
  write("answer", "ratio >= 0.5", ({ app: { community }, random }, target) =>
    writeCall(
      target,
      "POST",
      `/${pick(community.consultations, random)}/answers`,
      pick(community.psychologists, random),
      {
        content: TEXT,
      },
    ),
  ),
  write("ask", "ratio >= 0.5", ({ app: { community } }, target) => {
    const asker = community.askers[nextAsker++ % community.askers.length]!;
    return writeCall(target, "POST", "", asker, QUESTION);
  }),
];
