import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type FeedFilter, feedPage } from "#server/consultations/store.ts";
import type { Cursor } from "#server/cursor.ts";
import { type Databases, openDatabases } from "#server/database/handles.ts";
import { CATEGORIES } from "#shared/categories.ts";
import { COUNTRIES } from "#shared/countries.ts";
import { LIMITS } from "#shared/limits.ts";
import { CONSULTATION_SORTS, type ConsultationSort } from "#shared/sorts.ts";
import { blocksOf, measuredPlanOf, nodesOf, planOf } from "./query-plans.ts";
import { setUpTestApp } from "./suite-setup.ts";

const ROWS = 100_000;

const app = setUpTestApp();
let databases: Databases;
beforeAll(async () => {
  databases = openDatabases(app.databaseUrl, () => {}, undefined, { private: 1, public: 2 });
  await app.sql(
    "insert into profiles (full_name, email, user_type) select 'Persona ' || n, n || '@example.com', 'user' from generate_series(1, 2000) n",
  );
  // The triggers would take five times as long as the rows and their indexes.
  await app.sql("alter table consultations disable trigger all");
  // A realistic distribution: few countries and categories have most consultations, votes and answers. One statement
  // preserves the order of the random numbers, so the table is the same in every run.
  await app.sql(
    `with seeded as (select setseed(0.42)), people as (select array_agg(id order by email) as ids from profiles)
     insert into consultations (title, content, country, category, is_anonymous, user_id, upvotes, downvotes, response_count, created_at)
     select 'Consulta número ' || n, repeat('Un texto de prueba que se parece a los de verdad. ', 6),
       ($1::text[])[1 + floor(array_length($1::text[], 1) * power(random(), 3))::int],
       case when random() < 0.9 then ($2::text[])[1 + floor(array_length($2::text[], 1) * power(random(), 3))::int] end,
       random() < 0.7, people.ids[1 + floor(2000 * random())::int],
       floor(300 * power(random(), 8))::int, floor(60 * power(random(), 10))::int, floor(12 * power(random(), 4))::int,
       '2024-01-01T00:00:00Z'::timestamptz + random() * interval '700 days'
     from seeded, people, generate_series(1, $3::int) n`,
    [COUNTRIES, CATEGORIES, ROWS],
  );
  await app.sql("analyze consultations");
  await app.sql("analyze profiles");
});
afterAll(() => databases.close());

/** Returns the query of a page of the feed. */
const queryOf = (filter: FeedFilter, cursor: Cursor | null) =>
  feedPage(databases.publicDb, filter, cursor, LIMITS.feedPage + 1).compile();

/** Returns the cursor of an item at `share` (0 to 1) of a list. */
async function deepCursor({ country, category, sort }: FeedFilter, share: number): Promise<Cursor> {
  const key = sort === "votes" ? "score" : sort === "responses" ? "response_count" : null;
  const direction = sort === "oldest" ? "asc" : "desc";
  const matches = `from consultations where ($1::text is null or country = $1) and ($2::text is null or category = $2)${sort === "unanswered" ? " and response_count = 0" : ""}`;
  const order = [...(key ? [`${key} desc`] : []), `created_at ${direction}`, `id ${direction}`].join(", ");
  const [row] = await app.sql<{ key: number | null; at: Date; id: string }>(
    `select ${key ?? "null::integer"} as key, created_at as at, id ${matches} order by ${order}
     offset (select floor(count(*) * $3::float8) ${matches}) limit 1`,
    [country ?? null, category ?? null, share],
  );
  return { key: row!.key, at: row!.at.toISOString(), id: row!.id };
}

/** Name of the index with exactly the filtered items in the requested order. */
const indexOf = ({ country, category, sort }: FeedFilter) =>
  `consultations${country ? "_country" : ""}${category ? "_category" : ""}_${INDEXES[sort]}_idx`;
const INDEXES: Record<ConsultationSort, string> = {
  recent: "recent",
  oldest: "recent",
  votes: "votes",
  responses: "responses",
  unanswered: "responses",
};

const filters = (["common", "rare"] as const).flatMap((kind) => {
  const country = kind === "common" ? COUNTRIES[0] : COUNTRIES.at(-1)!;
  const category = kind === "common" ? CATEGORIES[0] : CATEGORIES.at(-1)!;
  return [
    ...(kind === "common" ? [{ name: "without a filter" }] : []),
    { name: `of a ${kind} country`, country },
    { name: `of a ${kind} category`, category },
    { name: `of a ${kind} country and category`, country, category },
  ];
});

describe.each(CONSULTATION_SORTS)(
  `among ${ROWS.toLocaleString("en")} consultations, sorted by %s`,
  (sort: ConsultationSort) => {
    for (const { name, ...filter } of filters)
      test.each([
        ["the first page", null],
        ["a page in the middle", 0.5],
        ["a page near the end", 0.97],
      ] as const)(`reads %s ${name} from its index in order`, async (_page, share) => {
        const asked: FeedFilter = { ...filter, sort };
        const query = queryOf(asked, share === null ? null : await deepCursor(asked, share));
        const nodes = nodesOf(await planOf(databases.publicDb, query));
        const types = nodes.map((node) => node["Node Type"]);
        expect(types.filter((type) => /Sort|Bitmap|Gather|Materialize/.test(type))).toEqual([]);
        const scans = nodes.filter((node) => node["Relation Name"] === "consultations");
        expect(scans).toHaveLength(1);
        const [scan] = scans;
        expect(scan!["Node Type"]).toBe("Index Scan");
        expect(scan!["Index Name"]).toBe(indexOf(asked));
        expect(scan!["Scan Direction"]).toBe(sort === "oldest" ? "Backward" : "Forward");
        // The scan must start at the cursor instead of filtering every row before it.
        if (share !== null) expect(scan!["Index Cond"]).toContain("ROW(");
      });
  },
);

test("detects a sort and a sequential scan in the plan of an unindexed query", async () => {
  const query = { sql: "select * from consultations order by content limit 20", parameters: [] };
  const types = nodesOf(await planOf(databases.db, query)).map((node) => node["Node Type"]);
  expect(types).toContain("Sort");
  expect(types).toContain("Seq Scan");
});

test.each(filters)("reads fewer than 250 blocks for a page deep in a list $name", async ({ name: _, ...filter }) => {
  for (const sort of CONSULTATION_SORTS) {
    const asked: FeedFilter = { ...filter, sort };
    const plan = await measuredPlanOf(databases.publicDb, queryOf(asked, await deepCursor(asked, 0.7)));
    // About 130: 21 items and their authors, each in a separate block, plus the index blocks.
    expect(blocksOf(plan)).toBeLessThan(250);
  }
});
