import { beforeAll, expect, test } from "vitest";
import type { PersonOptions, TestUser } from "#test/app.ts";
import { setUpAdmin, setUpTestApp } from "#test/suite-setup.ts";
import { ask, postAnswer, postReply, putVote, readConsultation } from "#test/threads.ts";

const app = setUpTestApp();
const admin = setUpAdmin(app);

const ok = "";
const limit = "free_answers_limit_reached";
const psychologist = (options: PersonOptions) => () => app.person({ type: "psychologist", ...options });
let author: TestUser;
let id: string;
let answerId: string;
beforeAll(async () => {
  author = await app.person();
  id = await ask(app, author);
  const answerer = await app.person({ type: "psychologist" });
  answerId = (await postAnswer(app, id, answerer, "Una respuesta")).body.id;
});

type Role = [who: string, make: () => Promise<TestUser | null>, answer: string, state: string | null];
const roles: Role[] = [
  ["a visitor", async () => null, "sign_in_to_answer", null],
  ["a user", () => app.person(), "psychologist_required", null],
  ["the author", async () => author, "psychologist_required", null],
  ["the administrator", async () => admin, "psychologist_required", null],
  ["a pending one with Gold", psychologist({ verified: false, gold: "active" }), "account_not_verified", "pending"],
  ["a psychologist with one free answer left", psychologist({ used: 2 }), ok, "free"],
  ["a psychologist at the limit", psychologist({ used: 3 }), limit, "limit_reached"],
  ["a Gold psychologist", psychologist({ gold: "active", used: 3 }), ok, "unlimited"],
  ["one whose Gold ended, at the limit", psychologist({ gold: "expired", used: 3 }), limit, "limit_reached"],
];

test.each(roles)("`can` in a view shows %s exactly what the API allows", async (_who, make, answer, state) => {
  const as = await make();
  const votes = as ? ok : "sign_in_to_vote";
  const reply = state ? "psychologists_cannot_reply" : as ? ok : "sign_in_to_reply";
  const before = (await readConsultation(app, id, as)).body;
  expect(before.viewer.can).toEqual({ answer: answer === ok, reply: reply === ok });
  expect(before.viewer.removal_version !== null).toBe(as === admin);
  expect(before.viewer.mine).toBe(as === author);
  expect(before.viewer.answering?.state ?? null).toBe(state);
  const shown = before.answers.find((one: { id: string }) => one.id === answerId);
  expect(shown.viewer.can.vote).toBe(votes === ok);

  const outcomes = [
    [await putVote(app, "consultations", id, as, "up"), votes, 200],
    [await putVote(app, "answers", answerId, as), votes, 200],
    [await postReply(app, answerId, as, "Gracias"), reply, 201],
    [await postAnswer(app, id, as, "Otra respuesta"), answer, 201],
  ] as const;
  for (const [outcome, refusal, status] of outcomes)
    if (refusal === ok) expect(outcome.status).toBe(status);
    else {
      expect(outcome.status).toBe(refusal.startsWith("sign_in") ? 401 : 403);
      expect(outcome.body).toEqual({ code: refusal });
    }
  // Psychologists may vote on all answers except their own.
  if (answer === ok) {
    const own = outcomes[3][0].body.id;
    const after = (await readConsultation(app, id, as)).body.answers.find((one: { id: string }) => one.id === own);
    expect(after.viewer.can.vote).toBe(false);
    expect((await putVote(app, "answers", own, as)).body.code).toBe("cannot_vote_own_answer");
  }
});
