import { expect, test } from "vitest";
import { withRowsLocked } from "#test/locks.ts";
import { expectCountersMatchRows } from "#test/own-data.ts";
import { setUpTestApp } from "#test/suite-setup.ts";
import { ask, putVote, readConsultation, VOTES_IN_TURN } from "#test/threads.ts";

const app = setUpTestApp();

test("PUT /consultations/{id}/vote counts overlapping votes, and one vote per user", async () => {
  const id = await ask(app, await app.person());
  const [one, other] = [await app.person(), await app.person()];
  const votes = await withRowsLocked(
    app,
    "select from consultations where id = $1 for update",
    [id],
    [
      () => putVote(app, "consultations", id, one, "up"),
      () => putVote(app, "consultations", id, other, "up"),
      () => putVote(app, "consultations", id, one, "down"),
    ],
  );
  // The database does not promise the order of waiting votes.
  expect(votes.at(-1)!.body).toMatchObject({ downvotes: 1, vote: "down" });
  expect((await readConsultation(app, id)).body.consultation).toMatchObject({ upvotes: 1, downvotes: 1 });
  await expectCountersMatchRows(app);
});

test("PUT /consultations/{id}/vote sets up, down or none without counting twice", async () => {
  const id = await ask(app, await app.person());
  const person = await app.person();
  // The next vote corrects a wrong counter.
  await app.sql("update consultations set upvotes = 77, downvotes = 5 where id = $1", [id]);
  for (const [wish, upvotes, downvotes, mine] of VOTES_IN_TURN) {
    expect((await putVote(app, "consultations", id, person, wish)).body).toEqual({ upvotes, downvotes, vote: mine });
    expect((await readConsultation(app, id, person)).body.viewer.vote).toBe(mine);
    await expectCountersMatchRows(app);
  }
});
