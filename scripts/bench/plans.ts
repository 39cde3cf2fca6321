/** Explains every hot query on a large database and writes docs/query-plans.md. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Kysely, PostgresDialect } from "kysely";
import type pg from "pg";
import { latestConsultations, type PsychologistFilter, psychologists, summary } from "#server/admin/directory/store.ts";
import { undeliveredMails } from "#server/admin/undelivered-mails/store.ts";
import { pendingPsychologists } from "#server/admin/verification/store.ts";
import { answersOf, reactionsTo, repliesOf } from "#server/answers/store.ts";
import {
  communityNumbers,
  countUnanswered,
  feedPage,
  ownConsultation,
  ownConsultations,
  publicConsultation,
  voteOf,
  weeklyUse,
} from "#server/consultations/store.ts";
import { countWaiting, handledMessages, waitingMessages } from "#server/contact/store.ts";
import { type Db, openPool, type PublicDb, type Tx } from "#server/database/handles.ts";
import { newestAnswered, sitemapPart, sitemapStarts } from "#server/indexing/store.ts";
import { unhandledProblems } from "#server/memberships/problems/store.ts";
import { notificationsOf } from "#server/notifications/store.ts";
import { rankedPsychologists } from "#server/psychologists/ranking-store.ts";
import {
  latestAnswers,
  psychologistStats,
  publicPsychologist,
  statisticsDays,
  viewCount,
} from "#server/psychologists/store.ts";
import { ownReviews, reviewsOf } from "#server/reviews/store.ts";
import * as search from "#server/search/store.ts";
import { sessionWithProfile } from "#server/sessions/store.ts";
import { recountAnswers, recountNews, recountPsychologists } from "#server/threads/store.ts";
import { COUNTRIES } from "#shared/countries.ts";
import { LIMITS } from "#shared/limits.ts";
import { ANSWER_SORTS, CONSULTATION_SORTS } from "#shared/sorts.ts";
import { toIsoDay } from "#shared/time.ts";
import { type MeasuredPlan, nodesOf, rowsReadBy } from "#test/query-plans.ts";
import type { Line } from "./compare.ts";
import { FEED_FILTERS, feedCursor } from "./feed-pages.ts";
import { type App, root } from "./processes.ts";
import { columnsOf } from "./report.ts";
import type { Row } from "./rows.ts";

type Query = { sql: string; parameters: readonly unknown[] };

type Plan = { name: string; read: number; returned: number; milliseconds: number; indexes: string[] };

/** Largest number of rows that a query may read per returned row. */
const MAX_READ = 10;

/** Queries that read more, with the reason. */
const EXCEPTIONS: [RegExp, string][] = [
  [/^community numbers/, "sums 64 counters"],
  [/^admin: number/, "sums 64 counters, or counts a queue"],
  [/^admin: undelivered mails/, "reads a queue, which is short"],
  [/unanswered consultations/, "counts at most 1,000"],
  [/^admin: search/, `scans ${LIMITS.adminSearchWindow} rows per page`],
  [/^admin: psychologists, country$/, "has the list's order: one of 11 countries"],
  [/^admin: psychologists, .*,/, "reads the psychologists who fit one of the filters"],
  [/^statistics|recount of a psychologist/, "reads one person's own rows"],
  [/^write: recount/, "reads the rows of one text"],
  [/^search/, "reads and ranks bounded numbers of the newest texts"],
  [/^sitemap: index/, "reads all ids once for each page cache entry"],
  [/^session and viewer/, "joins the five tables of a user"],
];

/** Opens a handle that records its queries. */
function recordingHandle(databaseUrl: string, settings?: Record<string, string>) {
  const pool = openPool(databaseUrl, "bench", 1, () => {}, { statement_timeout: "0", ...settings });
  const queries: Query[] = [];
  const db = new Kysely<never>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => void queries.push(query),
  });
  return { pool, db, take: () => queries.splice(0) };
}

/** Returns the index that a node uses, or the table that it reads as a whole. Leaves out primary keys, which every query may use. */
function indexesOf({ "Node Type": type, "Index Name": index, "Relation Name": table }: MeasuredPlan): string[] {
  if (type === "Seq Scan") return [`whole ${table}`];
  return index && !index.endsWith("_pkey") ? [index] : [];
}

async function explain(pool: pg.Pool, name: string, { sql, parameters }: Query): Promise<Plan> {
  const client = await pool.connect();
  const run = async () => {
    await client.query("begin");
    const { rows } = await client.query(
      `explain (analyze, buffers off, costs off, format json) ${sql}`,
      parameters as unknown[],
    );
    await client.query("rollback");
    return rows[0]["QUERY PLAN"][0] as { Plan: MeasuredPlan; "Execution Time": number };
  };
  try {
    // The first run loads the pages into memory.
    await run();
    const { Plan: top, "Execution Time": milliseconds } = await run();
    return {
      name,
      read: rowsReadBy(top),
      // A write returns no row here and changes one.
      returned: Math.max(1, top["Actual Rows"]),
      milliseconds,
      indexes: nodesOf(top).flatMap(indexesOf),
    };
  } finally {
    client.release();
  }
}

/** @returns the plans of all hot queries in the worst case: the busiest users and deep pages */
async function plansOf(databaseUrl: string): Promise<Plan[]> {
  const own = recordingHandle(databaseUrl);
  const visible = recordingHandle(databaseUrl, { role: "divan_public", search_path: "visible" });
  const [db, publicDb] = [own.db as unknown as Db, visible.db as unknown as PublicDb];
  const plans: Plan[] = [];
  /** Runs a function of a store, then explains each of its queries. */
  const add = async (name: string, run: () => Promise<unknown>) => {
    await run();
    for (const { pool, take } of [own, visible])
      for (const query of take()) plans.push(await explain(pool, name, query));
  };
  const one = async (sql: string, ...values: unknown[]) => (await own.pool.query(sql, values)).rows[0];
  try {
    const now = new Date();
    const author = await one("select user_id as id from consultations group by 1 order by count(*) desc limit 1");
    const psychologist = await one("select id from psychologist_profiles order by total_responses desc limit 1");
    const thread = await one("select id from consultations order by response_count desc, id limit 1");
    const session = await one("select id, account_id from sessions limit 1");
    const { rows: answers } = await own.pool.query(
      "select id from consultation_responses where consultation_id = $1 order by created_at desc limit $2",
      [thread.id, LIMITS.answersPage],
    );
    const answerIds = answers.map(({ id }) => id);

    for (const sort of CONSULTATION_SORTS)
      for (const filter of FEED_FILTERS)
        for (const page of [1, 500]) {
          const cursor = await feedCursor(own.pool, sort, filter, page);
          await add(`feed, ${sort}`, () =>
            feedPage(publicDb, { ...filter, sort }, cursor, LIMITS.feedPage + 1).execute(),
          );
        }
    await add("community numbers", () => communityNumbers(publicDb));

    await add("consultation", () => publicConsultation(publicDb, thread.id));
    for (const sort of ANSWER_SORTS)
      await add("answers", () => answersOf(publicDb, thread.id, sort, null, LIMITS.answersPage + 1, now).execute());
    await add("replies to the answers of a page", () => repliesOf(publicDb, answerIds, null, LIMITS.consultationTexts));
    await add("viewer's vote", () => voteOf(db, thread.id, author.id));
    await add("viewer's votes on answers", () => reactionsTo(db, answerIds, author.id));
    await add("viewer's own consultation", () => ownConsultation(db, thread.id, author.id));

    await add("ranking", () => rankedPsychologists(publicDb, undefined, now));
    await add("ranking", () => rankedPsychologists(publicDb, COUNTRIES[0], now));
    await add("psychologist's profile", () => publicPsychologist(publicDb, psychologist.id, now));
    await add("profile: latest answers", () => latestAnswers(publicDb, psychologist.id));
    await add("profile: reviews", () => reviewsOf(publicDb, psychologist.id));
    await add("profile: viewer's own reviews", () => ownReviews(db, [psychologist.id], author.id));
    await add("psychologist's panel", () => psychologistStats(db, psychologist.id));
    await add("psychologist's panel: unanswered consultations", () => countUnanswered(publicDb, COUNTRIES[0]));
    await add("statistics: visits in all", () => viewCount(db, psychologist.id));
    await add("statistics: each of the last days", () =>
      statisticsDays(db, psychologist.id, toIsoDay(now), LIMITS.statisticsDays),
    );

    const query = search.textSearch([["ansiedad"], ["trabajo"]], []);
    await add("search: page", () => search.searchConsultations(publicDb, query, {}, 0));
    await add("search: similar consultations", () => search.similarConsultations(publicDb, query, thread.id));
    await add("search: suggestions", () => search.suggestTitles(publicDb, ["ansiedad"]));
    await add("search: mistyped word", () => search.lookUpWords(publicDb, ["ansiedaz"]));
    await add("notifications", () => notificationsOf(db, author.id, null));
    await add("sitemap: index", () => sitemapStarts(publicDb, "consulta", LIMITS.sitemapPart));
    await add("sitemap: part", () => sitemapPart(publicDb, "consulta", thread.id, LIMITS.sitemapPart));
    await add("Atom feed of a country", () => newestAnswered(publicDb, { country: COUNTRIES[0] }, LIMITS.feedEntries));

    await add("session and viewer", () => sessionWithProfile(db, session.id, now).execute());
    await add("own consultations", () => ownConsultations(db, author.id, null, LIMITS.ownConsultationsPage + 1));
    const middle = await one(
      "select created_at, id from consultations where user_id = $1 order by 1 desc, 2 desc offset 500 limit 1",
      author.id,
    );
    const place = middle && { key: null, at: middle.created_at.toISOString(), id: middle.id };
    await add("own consultations", () =>
      ownConsultations(db, author.id, place ?? null, LIMITS.ownConsultationsPage + 1),
    );
    await add("asking: weekly limit and latest country", () => weeklyUse(db, author.id));

    await add("admin: numbers", () => summary(db));
    const waiting = await one(
      "select created_at, id from psychologist_profiles where verified_at is null order by created_at, id offset 40 limit 1",
    );
    const third = waiting && { key: null, at: waiting.created_at.toISOString(), id: waiting.id };
    await add("admin: pending", () => pendingPsychologists(db, null, LIMITS.adminPending + 1));
    await add("admin: pending", () => pendingPsychologists(db, third ?? null, LIMITS.adminPending + 1));
    await add("admin: consultations", () =>
      latestConsultations(publicDb, undefined, null, LIMITS.adminConsultations + 1),
    );
    await add("admin: search of a frequent word", () =>
      latestConsultations(publicDb, "ansiedad", null, LIMITS.adminConsultations + 1),
    );
    await add("admin: search of an absent word", () =>
      latestConsultations(publicDb, "xilófono", null, LIMITS.adminConsultations + 1),
    );
    const filters: PsychologistFilter[] = [
      {},
      { state: "verified" },
      { state: "pending" },
      { state: "due" },
      { country: COUNTRIES[0] },
      { gold: "yes" },
      { gold: "no" },
      { state: "pending", country: COUNTRIES[0] },
      { state: "verified", country: COUNTRIES[0], gold: "no" },
    ];
    for (const filter of filters)
      await add(`admin: psychologists, ${Object.keys(filter).join(", ") || "all"}`, () =>
        psychologists(db, filter, null, LIMITS.adminPsychologists + 1, now).execute(),
      );
    await add("admin: waiting messages", () => waitingMessages(db));
    await add("admin: number of waiting messages", () => countWaiting(db));
    await add("admin: handled messages", () => handledMessages(db));
    await add("admin: membership problems", () => unhandledProblems(db));
    await add("admin: undelivered mails", () => undeliveredMails(db));

    const tx = db as unknown as Tx;
    await add("write: recount of a consultation's answers", () => recountAnswers(tx, [thread.id]));
    await add("write: recount of an answer's replies", () => recountNews(tx, answerIds[0]));
    await add("write: recount of a psychologist's answers", () => recountPsychologists(tx, [psychologist.id]));
    return plans;
  } finally {
    await Promise.all([own.pool.end(), visible.pool.end()]);
  }
}

const isException = ({ read, returned }: Plan) => read > MAX_READ * returned;
const reasonOf = ({ name }: Plan): string | undefined => EXCEPTIONS.find(([pattern]) => pattern.test(name))?.[1];

/** Returns the line of all plans with one name: their largest numbers and all their indexes. */
function lineOf(name: string, plans: Plan[]): (string | number)[] {
  const worst = plans.toSorted((a, b) => b.read / b.returned - a.read / a.returned)[0]!;
  return [
    name,
    Math.max(...plans.map(({ read }) => read)),
    [...new Set(plans.flatMap(({ indexes }) => indexes))].join(", "),
    Math.max(...plans.map(({ milliseconds }) => milliseconds)).toFixed(2),
    isException(worst) ? (reasonOf(worst) ?? "**no reason**") : "",
  ];
}

const plansDocument = (plans: Plan[], rows: number): string => `# Query plans

\`npm run bench -- --only plans\` writes this page: the plan of every hot query at ${rows.toLocaleString("en")} consultations, with
the busiest user, psychologist and consultation, and pages in memory. A line has the largest numbers of its variants (filters, first and
deep pages). It leaves primary keys out. Goal: at most ${MAX_READ} rows read for each row returned, or a reason.

- Date: ${new Date().toISOString().slice(0, 10)}

${columnsOf([
  ["Query", "Rows read", "Indexes", "ms", "Reads more because it"],
  ...[...Map.groupBy(plans, ({ name }) => name)].map(([name, same]) => lineOf(name, same)),
])}
`;

/** @param large starts the large app */
export const queryPlans = (large: () => Promise<App>, rows: number): Row => ({
  name: "query plans",
  async run() {
    const plans = await plansOf((await large()).databaseUrl);
    writeFileSync(join(root, "docs", "query-plans.md"), plansDocument(plans, rows));
    const over = plans.filter((plan) => isException(plan) && !reasonOf(plan));
    const slowest = plans.toSorted((a, b) => b.milliseconds - a.milliseconds)[0]!;
    return {
      measured: `rows that ${plans.length} queries read for each row they return, at ${rows.toLocaleString("en")} consultations ([plans](query-plans.md))`,
      goal: `<= ${MAX_READ}, or a named exception`,
      result: `${over.length} above; slowest ${slowest.milliseconds.toFixed(1)} ms (${slowest.name})`,
    } satisfies Line;
  },
});
