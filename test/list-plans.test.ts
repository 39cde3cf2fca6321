/** Query plans of answers and replies. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { answersOf, type RepliesStart, repliesQuery } from "#server/answers/store.ts";
import type { Cursor } from "#server/cursor.ts";
import { type Databases, openDatabases } from "#server/database/handles.ts";
import { LIMITS } from "#shared/limits.ts";
import { ANSWER_SORTS, type AnswerSort } from "#shared/sorts.ts";
import { blocksOf, measuredPlanOf, nodesOf } from "./query-plans.ts";
import { setUpTestApp } from "./suite-setup.ts";
import { ask } from "./threads.ts";

const app = setUpTestApp();
let databases: Databases;
let consultation: string;
let answers: string[];
beforeAll(async () => {
  databases = openDatabases(app.databaseUrl, () => {}, undefined, { private: 1, public: 2 });
  consultation = await ask(app, await app.person());
  const others = await ask(app, await app.person());
  const psychologist = await app.person({ type: "psychologist" });
  // Half of the answers belong to another consultation.
  await app.sql(
    `insert into consultation_responses (consultation_id, psychologist_id, content, upvotes, created_at)
     select case when n % 2 = 0 then $1::uuid else $2::uuid end, $3, 'Una respuesta', n % 7, '2025-01-01T00:00:00Z'::timestamptz + n * interval '1 minute'
     from generate_series(1, 20000) n`,
    [consultation, others, psychologist.id],
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
afterAll(() => databases.close());

async function deepAnswer(sort: AnswerSort): Promise<Cursor> {
  const order = {
    recent: "created_at desc, id desc",
    oldest: "created_at, id",
    votes: "votes desc, created_at desc, id desc",
  };
  const [row] = await app.sql<{ votes: number; created_at: Date; id: string }>(
    `select votes, created_at, id from consultation_responses where consultation_id = $1 order by ${order[sort]} offset 7000 limit 1`,
    [consultation],
  );
  return { key: sort === "votes" ? row!.votes : null, at: row!.created_at.toISOString(), id: row!.id };
}

test.each(
  ANSWER_SORTS.flatMap((sort) => [[sort, "the first page"] as const, [sort, "a page deep in the list"] as const]),
)("reads answers sorted by %s from their index in order: %s", async (sort, page) => {
  const start = page === "the first page" ? null : { cursor: await deepAnswer(sort), inclusive: false };
  const query = answersOf(databases.publicDb, consultation, sort, start, LIMITS.answersPage + 1, new Date());
  const plan = await measuredPlanOf(databases.publicDb, query.compile());
  const nodes = nodesOf(plan);
  expect(nodes.filter(({ "Node Type": type }) => /Sort|Bitmap|Gather/.test(type))).toEqual([]);
  const scan = nodes.find((node) => node["Relation Name"] === "consultation_responses");
  expect(scan).toMatchObject({
    "Node Type": "Index Scan",
    "Index Name": sort === "votes" ? "consultation_responses_votes_idx" : "consultation_responses_consultation_idx",
  });
  if (start) expect(scan!["Index Cond"]).toContain("ROW(");
  expect(blocksOf(plan)).toBeLessThan(120);
});

test.each([
  ["of all the answers of a page", null],
  ["deep in one of them", 4000],
] as const)("reads replies %s from their index with fewer than 400 blocks", async (_page, depth) => {
  const [row] = depth
    ? await app.sql<{ created_at: Date; id: string }>(
        "select created_at, id from consultation_replies where response_id = $1 order by created_at, id offset $2 limit 1",
        [answers[0], depth],
      )
    : [];
  const start: RepliesStart | null = row
    ? { answer: answers[0]!, cursor: { key: null, at: row.created_at.toISOString(), id: row.id }, inclusive: false }
    : null;
  const plan = await measuredPlanOf(
    databases.publicDb,
    repliesQuery(answers, start, LIMITS.consultationTexts).compile(databases.publicDb),
  );
  const scans = nodesOf(plan).filter((node) => node["Relation Name"] === "consultation_replies");
  expect(scans).toMatchObject([{ "Node Type": "Index Scan", "Index Name": "consultation_replies_response_idx" }]);
  // The scan must start at the cursor instead of filtering every reply before it.
  expect(scans[0]!["Index Cond"]).toContain("ROW(");
  // 210 replies and the index blocks.
  expect(blocksOf(plan)).toBeLessThan(400);
});
