/** The rows that queries of long lists read, on tables with realistic numbers of rows. */
import type { CompiledQuery } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { answersOf, repliesQuery } from "#server/answers/store.ts";
import { countUnanswered, type FeedFilter, feedPage } from "#server/consultations/store.ts";
import type { Cursor } from "#server/cursor.ts";
import type { PublicDb } from "#server/database/handles.ts";
import { newestAnswered } from "#server/indexing/store.ts";
import { latestAnswers, rankedPsychologists } from "#server/psychologists/store.ts";
import { searchConsultations, textSearch } from "#server/search/store.ts";
import { CATEGORIES } from "#shared/categories.ts";
import { COUNTRIES } from "#shared/countries.ts";
import { LIMITS } from "#shared/limits.ts";
import { ANSWER_SORTS, CONSULTATION_SORTS } from "#shared/sorts.ts";
import { measuredPlanOf, rowsReadBy } from "./query-plans.ts";
import { testDatabases } from "./test-databases.ts";
import { ask } from "./threads.ts";

const { app, databases } = testDatabases();

/** Expects that a query reads few rows for each row that it returns, wherever its page is in the list. */
async function expectFewRows(query: CompiledQuery, most = 3) {
  const plan = await measuredPlanOf(databases.publicDb, query);
  expect(plan["Actual Rows"]).toBeGreaterThan(0);
  expect(rowsReadBy(plan)).toBeLessThanOrEqual(most * plan["Actual Rows"]);
}

async function queryOf(run: (db: PublicDb) => Promise<unknown>): Promise<CompiledQuery> {
  let last: CompiledQuery;
  const recording = databases.publicDb.withPlugin({
    transformQuery({ node, queryId }) {
      // The last is the whole query: its parts come before.
      last = databases.publicDb.getExecutor().compileQuery(node, queryId);
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  await run(recording as PublicDb);
  return last!;
}

/** Reads a row at `share` (0 to 1) of a list as a cursor. */
async function cursorAt(
  list: string,
  key: string | null,
  order: string,
  share: number,
  values: unknown[],
): Promise<Cursor> {
  const [row] = await app.sql<{ key: number | null; at: Date; id: string }>(
    `select ${key ?? "null::integer"} as key, created_at as at, id from ${list} order by ${order}
     offset (select floor(count(*) * ${share}) from ${list}) limit 1`,
    values,
  );
  return { key: row!.key, at: row!.at.toISOString(), id: row!.id };
}

describe("among 100,000 consultations", () => {
  beforeAll(async () => {
    await app.sql(
      "insert into profiles (full_name, email, user_type) select 'Persona ' || n, n || '@example.com', 'user' from generate_series(1, 2000) n",
    );
    // The triggers would take five times as long as the rows and their indexes.
    await app.sql("alter table consultations disable trigger all");
    // A realistic distribution: few people, countries and categories have most consultations, votes and answers. One statement
    // preserves the order of the random numbers, so the table is the same in every run.
    await app.sql(
      `with seeded as (select setseed(0.42)), people as (select array_agg(id order by email) as ids from profiles)
       insert into consultations (title, content, country, category, is_anonymous, user_id, upvotes, downvotes, response_count, created_at)
       select 'Consulta número ' || n, repeat('Un texto de prueba que se parece a los de verdad. ', 6),
         ($1::text[])[1 + floor(array_length($1::text[], 1) * power(random(), 3))::int],
         case when random() < 0.9 then ($2::text[])[1 + floor(array_length($2::text[], 1) * power(random(), 3))::int] end,
         random() < 0.7, people.ids[1 + floor(2000 * power(random(), 3))::int],
         floor(300 * power(random(), 8))::int, floor(60 * power(random(), 10))::int, floor(12 * power(random(), 4))::int,
         '2024-01-01T00:00:00Z'::timestamptz + random() * interval '700 days'
       from seeded, people, generate_series(1, 100000) n`,
      [COUNTRIES, CATEGORIES],
    );
    await app.sql("alter table consultations enable trigger all");
    await app.sql(
      `insert into consultation_search
       select id, created_at, country, category, response_count > 0, to_tsvector('spanish', title || ' ' || content), to_tsvector('simple', lower(title))
       from consultations`,
    );
    await app.sql("vacuum analyze");
  });

  const common = { country: COUNTRIES[0], category: CATEGORIES[0] };
  const rare = { country: COUNTRIES.at(-1), category: CATEGORIES.at(-1) };
  const filters = [
    {},
    ...[common, rare].flatMap(({ country, category }) => [{ country }, { category }, { country, category }]),
  ];
  test.each(CONSULTATION_SORTS)(
    "a page of the feed sorted by %s reads few rows with any filter at any place",
    async (sort) => {
      const key = sort === "votes" ? "score" : sort === "responses" ? "response_count" : null;
      const direction = sort === "oldest" ? "asc" : "desc";
      const order = [...(key ? [`${key} desc`] : []), `created_at ${direction}`, `id ${direction}`].join(", ");
      const list = `consultations where ($1::text is null or country = $1) and ($2::text is null or category = $2)${sort === "unanswered" ? " and response_count = 0" : ""}`;
      for (const filter of filters)
        for (const share of [null, 0.5, 0.9]) {
          const asked = { ...filter, sort } as FeedFilter;
          const values = [asked.country ?? null, asked.category ?? null];
          const cursor = share === null ? null : await cursorAt(list, key, order, share, values);
          await expectFewRows(feedPage(databases.publicDb, asked, cursor, LIMITS.feedPage + 1).compile());
        }
    },
  );

  test("the Atom feed of a country reads few rows", async () => {
    const feed = (db: PublicDb) => newestAnswered(db, { country: COUNTRIES[0] }, LIMITS.feedEntries);
    await expectFewRows(await queryOf(feed), 4);
  });

  test("the number of unanswered consultations of a country reads at most 1,000 rows", async () => {
    const count = (db: PublicDb) => countUnanswered(db, COUNTRIES[0]);
    await expectFewRows(await queryOf(count), 1_000);
  });

  test.each([
    ["all", "prueba", LIMITS.search.ranked],
    ["one", "77777", 1],
  ])("a search of a word in %s of them reads few rows", async (_, word, found) => {
    const search = textSearch([[word]], []);
    const query = await queryOf((db) => searchConsultations(db, search, {}, 0));
    const plan = await measuredPlanOf(databases.publicDb, query);
    expect(plan["Actual Rows"]).toBe(Math.min(found, LIMITS.feedPage));
    expect(rowsReadBy(plan)).toBeLessThanOrEqual(3 * found);
  });

  test("the community's numbers read 64 counters", async () => {
    const { publicDb } = databases;
    const plan = await measuredPlanOf(publicDb, publicDb.selectFrom("community_numbers").selectAll().compile());
    expect(rowsReadBy(plan)).toBe(64);
  });
});

describe("among 10,000 answers of a consultation", () => {
  let consultation: string;
  let answers: string[];
  let author: string;
  beforeAll(async () => {
    consultation = await ask(app, await app.person());
    const others = await ask(app, await app.person());
    author = (await app.person({ type: "psychologist" })).id;
    // Half of the answers belong to another consultation.
    await app.sql(
      `insert into consultation_responses (consultation_id, psychologist_id, content, upvotes, created_at)
       select case when n % 2 = 0 then $1::uuid else $2::uuid end, $3, 'Una respuesta', n % 7, '2025-01-01T00:00:00Z'::timestamptz + n * interval '1 minute'
       from generate_series(1, 20000) n`,
      [consultation, others, author],
    );
    const rows = await app.sql<{ id: string }>(
      "select id from consultation_responses where consultation_id = $1 order by created_at desc, id desc limit 10",
      [consultation],
    );
    answers = rows.map((row) => row.id);
    await app.sql(
      `insert into consultation_replies (response_id, content, created_at)
       select ($1::uuid[])[1 + n % 10], 'Un comentario', '2026-01-01T00:00:00Z'::timestamptz + n * interval '1 second' from generate_series(1, 50000) n`,
      [answers],
    );
    await app.sql("analyze");
  });

  test.each(ANSWER_SORTS)("a page of answers sorted by %s reads few rows at any place", async (sort) => {
    const recent = "created_at desc, id desc";
    const order = { recent, oldest: "created_at, id", votes: `votes desc, ${recent}` };
    const list = "consultation_responses where consultation_id = $1";
    const cursor = await cursorAt(list, sort === "votes" ? "votes" : null, order[sort], 0.7, [consultation]);
    for (const start of [null, { cursor, inclusive: false }])
      await expectFewRows(
        answersOf(databases.publicDb, consultation, sort, start, LIMITS.answersPage + 1, new Date()).compile(),
      );
  });

  test("the latest of a psychologist's 20,000 answers read few rows", async () => {
    await expectFewRows(await queryOf((db) => latestAnswers(db, author)));
  });

  test("replies of the answers of a page, or deep in one of them, read few rows", async () => {
    const cursor = await cursorAt("consultation_replies where response_id = $1", null, "created_at, id", 0.8, [
      answers[0],
    ]);
    for (const start of [null, { answer: answers[0]!, cursor, inclusive: false }])
      await expectFewRows(repliesQuery(answers, start, LIMITS.consultationTexts).compile(databases.publicDb));
  });
});

describe("among 20,000 psychologists", () => {
  beforeAll(async () => {
    await app.sql(
      "insert into profiles (full_name, email, user_type) select 'Persona ' || n, 'p' || n || '@example.com', 'psychologist' from generate_series(1, 20000) n",
    );
    // Of the first 160, 20 are pending, 20 were verified two years ago, 20 have Gold, and 100 are from another country.
    // These 100 and each 100th have a rating.
    await app.sql(
      `insert into psychologist_profiles (id, license_number, country, verified_at, gold_until, rating, created_at)
       select id, 'MP ' || n, ($1::text[])[case when n between 61 and 160 then 2 else 1 end],
         case when n <= 20 then null when n <= 40 then now() - interval '2 years' else now() end,
         case when n between 41 and 60 then 'infinity'::timestamptz end,
         case when n % 100 = 0 or n between 61 and 160 then 1 + n % 41 / 10.0 end,
         now() - interval '3 years' + n * interval '1 minute'
       from (select id, row_number() over (order by id) as n from profiles where email like 'p%') numbered`,
      [COUNTRIES],
    );
    await app.sql("vacuum analyze");
  });

  test.each([{}, { country: COUNTRIES[0] }, { country: COUNTRIES[1] }])(
    "the ranking with the filter %j reads few rows",
    async ({ country }) => {
      const ranking = (db: PublicDb) => rankedPsychologists(db, country, new Date());
      await expectFewRows(await queryOf(ranking), 5);
    },
  );
});
