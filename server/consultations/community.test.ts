import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { removalSteps } from "#test/removals.ts";
import { setUpAdmin, setUpTestApp } from "#test/suite-setup.ts";
import { ask, askAnew, publishAnswer } from "#test/threads.ts";

const app = setUpTestApp();
const admin = setUpAdmin(app);

type Counts = Record<"consultations" | "psychologists" | "answers", number>;
const counted = () =>
  app.sql<Counts>(`select (select count(*) from consultations)::integer as consultations,
    (select count(*) from psychologist_profiles where verified_at is not null)::integer as psychologists,
    (select count(*) from consultation_responses)::integer as answers`);

describe("GET /community", () => {
  test("equals the tables after 8 concurrent writers, a removal, its undo, a deletion and a lost verification", async () => {
    const { remove } = removalSteps(app, admin);
    const [before] = await counted();
    const psychologists = await Promise.all([1, 2, 3].map(() => app.person({ type: "psychologist", gold: "active" })));
    await app.person({ type: "psychologist", verified: false });
    const threads = await Promise.all(
      Array.from({ length: 8 }, async (_, n) => {
        const { author, id } = await askAnew(app);
        for (const one of psychologists.slice(n % 4)) await publishAnswer(app, id, one);
        return { author, id };
      }),
    );
    const [removed, restored, deleted] = threads as [(typeof threads)[0], (typeof threads)[0], (typeof threads)[0]];
    for (const { id } of [removed, restored]) expect(await remove(id)).toMatchObject({ status: 200 });
    const { body: undoable } = await app.call("GET", "/admin/decisions/undoable", undefined, admin);
    expect(await app.call("POST", `/admin/decisions/${undoable[0].id}/undo`, {}, admin)).toMatchObject({ status: 200 });
    expect(await app.call("DELETE", `/consultations/${deleted.id}`, undefined, deleted.author)).toMatchObject({
      status: 200,
    });
    await app.sql("update psychologist_profiles set verified_at = null where id = $1", [psychologists[0]!.id]);
    await app.sql("delete from psychologist_profiles where verified_at is null and total_responses = 0");

    const [after] = await counted();
    // The 8 threads have 2 x (3 + 2 + 1 + 0) answers. The answers of two threads are deleted with them.
    const consultations = before!.consultations + 6;
    expect(after).toEqual({ consultations, psychologists: 2, answers: 8 });
    expect((await app.call("GET", "/community")).body).toEqual(after);
    expect((await app.call("GET", "/admin/summary", undefined, admin)).body).toMatchObject({
      consultations,
      psychologists: 3,
      verified: 2,
      pending: 1,
    });
  });

  test("counts a consultation while another transaction locks all counters", async () => {
    const author = await app.person();
    await app.context.db.transaction().execute(async (tx) => {
      await sql`select from community_counts for update`.execute(tx);
      await ask(app, author);
    });
    const [expected] = await counted();
    expect((await app.call("GET", "/community")).body).toEqual(expected);
  });
});
