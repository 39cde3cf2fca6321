import { expect, test } from "vitest";
import type { TestUser } from "#test/app.ts";
import { whileRowLocked } from "#test/locks.ts";
import { expectCountersMatchRows } from "#test/own-data.ts";
import { setUpTestApp } from "#test/suite-setup.ts";
import { ask, openThread, putVote, readConsultation } from "#test/threads.ts";

const app = setUpTestApp();

test("PUT /consultations/{id}/vote counts overlapping votes, and one vote per user", async () => {
  const id = await ask(app, await app.person());
  const [one, other] = [await app.person(), await app.person()];
  const votes = await whileRowLocked(app, "consultations", id, [
    () => putVote(app, "consultations", id, one, "up"),
    () => putVote(app, "consultations", id, other, "up"),
    () => putVote(app, "consultations", id, one, "down"),
  ]);
  // The database does not promise the order of waiting votes.
  expect(votes.at(-1)!.body).toMatchObject({ downvotes: 1, vote: "down" });
  expect((await readConsultation(app, id)).body.consultation).toMatchObject({ upvotes: 1, downvotes: 1 });
  await expectCountersMatchRows(app);
});

/** Successive votes of one user, and the expected state after each: votes up, votes down, and the user's own vote. */
const VOTES_IN_TURN = [
  ["none", 0, 0, null],
  ["up", 1, 0, "up"],
  ["up", 1, 0, "up"],
  ["down", 0, 1, "down"],
  ["down", 0, 1, "down"],
  ["none", 0, 0, null],
  ["none", 0, 0, null],
] as const;

test.each(["consultations", "answers"] as const)(
  "PUT /%s/{id}/vote sets up, down or none without counting twice",
  async (kind) => {
    const thread = await openThread(app);
    const id = kind === "answers" ? thread.answer : thread.consultation;
    const person = await app.person();
    // The next vote corrects a wrong counter.
    const table = kind === "answers" ? "consultation_responses" : kind;
    await app.sql(`update ${table} set upvotes = 77, downvotes = 5 where id = $1`, [id]);
    const ownVote = async (as: TestUser | null) => {
      const { viewer, answers } = (await readConsultation(app, thread.consultation, as)).body;
      return kind === "answers" ? answers[0].viewer.vote : viewer.vote;
    };
    for (const [wish, upvotes, downvotes, vote] of VOTES_IN_TURN) {
      expect((await putVote(app, kind, id, person, wish)).body).toEqual({ upvotes, downvotes, vote });
      expect([await ownVote(person), await ownVote(null)]).toEqual([vote, null]);
      await expectCountersMatchRows(app);
    }
  },
);
