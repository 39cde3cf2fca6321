/** The rows that a page request reads to count new notifications. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LIMITS } from "#shared/limits.ts";
import type { TestUser } from "#test/app.ts";
import { measuredPlanOf, rowsReadBy } from "#test/query-plans.ts";
import { setUpTestApp } from "#test/suite-setup.ts";
import { type Databases, openDatabases } from "../database/handles.ts";
import { sessionWithProfile } from "../sessions/store.ts";

const app = setUpTestApp();
let databases: Databases;
beforeAll(async () => {
  databases = openDatabases(app.databaseUrl, () => {}, { private: 1, public: 1 });
});
afterAll(() => databases.close());

describe("a page request of a psychologist with 5,000 answers, each with a reply and thanks", () => {
  let psychologist: TestUser;
  beforeAll(async () => {
    psychologist = await app.person({ type: "psychologist" });
    const other = await app.person({ type: "psychologist" });
    const at = "'2025-01-01T00:00:00Z'::timestamptz + n * interval '1 minute'";
    // Half of the answers belong to another psychologist.
    for (const insert of [
      `consultations (id, title, content, country, is_anonymous, created_at)
       select md5('asked' || n)::uuid, 'Una consulta', 'Un texto de prueba con más de veinte caracteres.', 'Chile', true, ${at}`,
      `consultation_responses (id, consultation_id, psychologist_id, content, created_at, reply_count, news_at)
       select md5('answer' || n)::uuid, md5('asked' || n)::uuid,
         case when n % 2 = 0 then '${psychologist.id}'::uuid else '${other.id}' end, 'Una respuesta', ${at}, 1, ${at}`,
      `consultation_replies (response_id, content, created_at) select md5('answer' || n)::uuid, 'Un comentario', ${at}`,
      `response_thanks (response_id, created_at) select md5('answer' || n)::uuid, ${at}`,
    ])
      await app.sql(`insert into ${insert} from generate_series(1, 10000) n`);
    await app.sql("analyze");
  });

  test.each([
    ["2100-01-01T00:00:00Z", 0],
    // Minute 9,990: replies to the newest 5 answers, as many thanks, and the verification.
    ["2025-01-07T22:30:00Z", 11],
    ["2020-01-01T00:00:00Z", LIMITS.notificationsCounted],
  ])("reads at most 500 rows if the psychologist looked at %s and %i are new", async (at, count) => {
    const [session] = await app.sql<{ id: string }>(
      "update accounts set notifications_seen_at = $2 from sessions where accounts.id = $1 and account_id = $1 returning sessions.id",
      [psychologist.id, at],
    );
    const query = sessionWithProfile(databases.db, session!.id, new Date());
    expect((await query.executeTakeFirst())!.new_notifications).toBe(count);
    expect(rowsReadBy(await measuredPlanOf(databases.db, query.compile()))).toBeLessThanOrEqual(500);
  });
});
