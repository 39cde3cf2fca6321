/** The number of rows that the administrator's list of psychologists and the community's numbers read. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type PsychologistFilter, psychologists } from "#server/admin/directory/store.ts";
import { type Databases, openDatabases } from "#server/database/handles.ts";
import { COUNTRIES } from "#shared/countries.ts";
import { measuredPlanOf, nodesOf, rowsReadBy } from "./query-plans.ts";
import { setUpTestApp } from "./suite-setup.ts";

const app = setUpTestApp();
let databases: Databases;
beforeAll(async () => {
  databases = openDatabases(app.databaseUrl, () => {}, undefined, { private: 1, public: 1 });
  await app.sql(
    "insert into profiles (full_name, email, user_type) select 'Persona ' || n, n || '@example.com', 'psychologist' from generate_series(1, 20000) n",
  );
  // Of the first 160, 20 are pending, 20 were verified two years ago, 20 have Gold, and 100 are from another country.
  await app.sql(
    `insert into psychologist_profiles (id, license_number, country, verified_at, gold_until, created_at)
     select id, 'MP ' || n, ($1::text[])[case when n between 61 and 160 then 2 else 1 end],
       case when n <= 20 then null when n <= 40 then now() - interval '2 years' else now() end,
       case when n between 41 and 60 then 'infinity'::timestamptz end, now() - interval '3 years' + n * interval '1 minute'
     from (select id, row_number() over (order by id) as n from profiles) numbered`,
    [COUNTRIES],
  );
  await app.sql("vacuum analyze");
});
afterAll(() => databases.close());

describe("the administrator's list of 20,000 psychologists", () => {
  test.each<PsychologistFilter>([
    {},
    { state: "verified" },
    { state: "pending" },
    { state: "due" },
    { country: COUNTRIES[0] },
    { country: COUNTRIES[1] },
    { gold: "yes" },
    { gold: "no" },
    { state: "pending", country: COUNTRIES[0] },
    { state: "due", gold: "no" },
  ])("reads at most 10 rows for each row that it shows with the filter %j", async (filter) => {
    const plan = await measuredPlanOf(
      databases.db,
      psychologists(databases.db, filter, null, 21, new Date()).compile(),
    );
    expect(plan["Actual Rows"]).toBeGreaterThanOrEqual(20);
    expect(rowsReadBy(plan)).toBeLessThanOrEqual(10 * plan["Actual Rows"]);
  });

  test("reads all 20,000 rows for a condition without an index", async () => {
    const query = { sql: "select * from psychologist_profiles where license_number = 'MP 1'", parameters: [] };
    expect(rowsReadBy(await measuredPlanOf(databases.db, query))).toBe(20_000);
  });
});

test("reads 64 counters for the community's numbers", async () => {
  const { publicDb } = databases;
  const plan = await measuredPlanOf(publicDb, publicDb.selectFrom("community_numbers").selectAll().compile());
  expect(nodesOf(plan).flatMap((node) => node["Relation Name"] ?? [])).toEqual(["community_counts"]);
  expect(rowsReadBy(plan)).toBe(64);
});
