import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { setUpTestApp } from "#test/suite-setup.ts";
import { ask, CONCURRENT_USERS, putVote, readConsultation, retryWhileBusy, VOTES_IN_TURN } from "#test/threads.ts";

const app = setUpTestApp();
afterEach(() => app.setNow(null));
const third = CONCURRENT_USERS / 3;

async function counted(id: string) {
  const [row] = await app.sql<{ upvotes: number; downvotes: number; score: number; up: number; down: number }>(
    `select upvotes, downvotes, score,
       (select count(*)::integer from consultation_votes where consultation_id = c.id and vote_type = 'up') as up,
       (select count(*)::integer from consultation_votes where consultation_id = c.id and vote_type = 'down') as down
     from consultations c where id = $1`,
    [id],
  );
  return row!;
}

describe("PUT /consultations/{id}/vote", () => {
  let id: string;
  beforeAll(async () => {
    id = await ask(app, await app.person());
  });

  test("counts all concurrent votes", async () => {
    const consultation = await ask(app, await app.person());
    const people = await Promise.all(Array.from({ length: CONCURRENT_USERS }, () => app.person()));
    const votes = people.map((person, i) => [person, i % 3 ? "up" : "down"] as const);
    // Each user votes twice.
    const answers = await Promise.all(
      [...votes, ...votes].map(([person, vote]) =>
        retryWhileBusy(() => putVote(app, "consultations", consultation, person, vote)),
      ),
    );
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    expect(await counted(consultation)).toEqual({
      upvotes: 2 * third,
      downvotes: third,
      score: third,
      up: 2 * third,
      down: third,
    });
    const { body } = await readConsultation(app, consultation);
    expect(body.consultation).toMatchObject({ upvotes: 2 * third, downvotes: third });
  });

  test("leaves at most one vote with the right counter after 30 concurrent changes of a user", async () => {
    const consultation = await ask(app, await app.person());
    const person = await app.person();
    const wishes = Array.from({ length: 30 }, (_, i) => ["up", "down", "none"][i % 3]!);
    const answers = await Promise.all(
      wishes.map((wish) => retryWhileBusy(() => putVote(app, "consultations", consultation, person, wish))),
    );
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    const row = await counted(consultation);
    expect(row.up + row.down).toBeLessThanOrEqual(1);
    expect([row.upvotes, row.downvotes]).toEqual([row.up, row.down]);
  });

  test("sets up, down or none without counting twice", async () => {
    const person = await app.person();
    // The next vote corrects a wrong counter.
    await app.sql("update consultations set upvotes = 77, downvotes = 5 where id = $1", [id]);
    for (const [wish, upvotes, downvotes, mine] of VOTES_IN_TURN) {
      const answer = await putVote(app, "consultations", id, person, wish);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({ upvotes, downvotes, vote: mine });
      expect((await readConsultation(app, id, person)).body.viewer.vote).toBe(mine);
      const row = await counted(id);
      expect([row.upvotes, row.downvotes]).toEqual([row.up, row.down]);
    }
  });
});
