import { afterEach, beforeAll, describe, expect, test } from "vitest";
import type { TestApp, TestUser } from "#test/app.ts";
import { setUpAdmin, setUpTestApp } from "#test/suite-setup.ts";
import { ask, postAnswer, postReply, putVote, readConsultation } from "#test/threads.ts";

const app = setUpTestApp();
const admin = setUpAdmin(app);
afterEach(() => app.setNow(null));

describe("`can` in a view agrees with the API", () => {
  type Role = {
    who: string;
    make(): Promise<TestUser | null>;
    vote: string;
    answer: string;
    reply: string;
    state: string | null;
  };
  const ok = "";
  const psychologist =
    (options: Parameters<TestApp["person"]>[0], used = 0) =>
    async () => {
      const made = await app.person({ type: "psychologist", ...options });
      await app.sql("update psychologist_profiles set free_responses_used = $2 where id = $1", [made.id, used]);
      return made;
    };
  const asPsychologist = { vote: ok, reply: "psychologists_cannot_reply" };
  const roles: Role[] = [
    {
      who: "a visitor",
      make: async () => null,
      vote: "sign_in_to_vote",
      answer: "sign_in_to_answer",
      reply: "sign_in_to_reply",
      state: null,
    },
    { who: "a user", make: () => app.person(), vote: ok, answer: "psychologist_required", reply: ok, state: null },
    {
      who: "a pending psychologist",
      make: psychologist({ verified: false }),
      ...asPsychologist,
      answer: "account_not_verified",
      state: "pending",
    },
    {
      who: "a pending psychologist with Gold",
      make: psychologist({ verified: false, gold: "active" }),
      ...asPsychologist,
      answer: "account_not_verified",
      state: "pending",
    },
    { who: "a verified psychologist", make: psychologist({}), ...asPsychologist, answer: ok, state: "free" },
    {
      who: "a psychologist with one free answer left",
      make: psychologist({}, 2),
      ...asPsychologist,
      answer: ok,
      state: "free",
    },
    {
      who: "a psychologist at the limit",
      make: psychologist({}, 3),
      ...asPsychologist,
      answer: "free_answers_limit_reached",
      state: "limit_reached",
    },
    {
      who: "a Gold psychologist",
      make: psychologist({ gold: "active" }, 3),
      ...asPsychologist,
      answer: ok,
      state: "unlimited",
    },
    {
      who: "a psychologist whose Gold ended, at the limit",
      make: psychologist({ gold: "expired" }, 3),
      ...asPsychologist,
      answer: "free_answers_limit_reached",
      state: "limit_reached",
    },
    {
      who: "a psychologist whose Gold ended, with answers left",
      make: psychologist({ gold: "expired" }, 1),
      ...asPsychologist,
      answer: ok,
      state: "free",
    },
  ];

  let author: TestUser;
  let id: string;
  let answerId: string;
  beforeAll(async () => {
    author = await app.person();
    id = await ask(app, author);
    const answerer = await app.person({ type: "psychologist" });
    answerId = (await postAnswer(app, id, answerer, "Una respuesta")).body.id;
    roles.push(
      {
        who: "the author",
        make: async () => author,
        vote: ok,
        answer: "psychologist_required",
        reply: ok,
        state: null,
      },
      {
        who: "the administrator",
        make: async () => admin,
        vote: ok,
        answer: "psychologist_required",
        reply: ok,
        state: null,
      },
    );
  });

  async function expectSameAnswer({ make, vote: votes, answer, reply, state }: Role) {
    const as = await make();
    const before = (await readConsultation(app, id, as)).body;
    expect(before.viewer.can).toEqual({
      vote: votes === ok,
      answer: answer === ok,
      reply: reply === ok,
      edit: as === author,
      delete: as === author,
      remove: as === admin,
    });
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
  }

  test.each(roles.map((role) => [role.who, role] as const))("shows %s exactly what the API allows", (_who, role) =>
    expectSameAnswer(role),
  );

  test.each(["the author", "the administrator"])("shows %s exactly what the API allows", (who) =>
    expectSameAnswer(roles.find((role) => role.who === who)!),
  );
});
