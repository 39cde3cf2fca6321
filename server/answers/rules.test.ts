import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { HOUR } from "#shared/time.ts";
import {
  answeringState,
  usesFreeAnswer,
  whenToReplyAgain,
  whyCannotAnswer,
  whyCannotChangeAnswer,
  whyCannotChangeReply,
  whyCannotReply,
  whyCannotVoteOnAnswer,
} from "./rules.ts";

const psychologist = (more: Record<string, unknown> = {}) => ({
  user_type: "psychologist" as const,
  is_verified: true,
  consent_withdrawn: false,
  has_gold: false,
  free_responses_used: 0,
  max_free_responses: 3,
  ...more,
});
const user = { ...psychologist({ is_verified: false, max_free_responses: 0 }), user_type: "user" as const };

describe("what the answering box says", () => {
  test.each([
    [0, "free", 3],
    [1, "free", 2],
    [2, "free", 1],
    [3, "limit_reached", 0],
    [4, "limit_reached", 0],
  ] as const)("after %i free answers a verified psychologist reads %s with %i left", (used, state, left) => {
    expect(answeringState(psychologist({ free_responses_used: used }))).toEqual({
      state,
      free_responses_used: used,
      max_free_responses: 3,
      free_answers_left: left,
    });
  });

  test("Gold answers without limit, also when the free ones are used up", () => {
    expect(answeringState(psychologist({ has_gold: true, free_responses_used: 3 })).state).toBe("unlimited");
  });

  test("who is not verified is pending, with or without Gold", () => {
    expect(answeringState(psychologist({ is_verified: false })).state).toBe("pending");
    expect(answeringState(psychologist({ is_verified: false, has_gold: true })).state).toBe("pending");
  });

  test("another maximum is respected", () => {
    expect(answeringState(psychologist({ max_free_responses: 5, free_responses_used: 3 }))).toEqual({
      state: "free",
      free_responses_used: 3,
      max_free_responses: 5,
      free_answers_left: 2,
    });
    expect(answeringState(psychologist({ max_free_responses: 0 })).state).toBe("limit_reached");
  });
});

describe("who may answer", () => {
  test.each([
    ["a visitor", null, "sign_in_to_answer"],
    ["a user", user, "only_psychologists_answer"],
    [
      "a user, whatever their row says",
      { ...psychologist({ has_gold: true }), user_type: "user" as const },
      "only_psychologists_answer",
    ],
    ["an unverified psychologist", psychologist({ is_verified: false }), "not_verified"],
    ["an unverified psychologist with Gold", psychologist({ is_verified: false, has_gold: true }), "not_verified"],
    [
      "an unverified psychologist at the limit",
      psychologist({ is_verified: false, free_responses_used: 3 }),
      "not_verified",
    ],
    ["a psychologist at the limit", psychologist({ free_responses_used: 3 }), "free_limit_reached"],
    ["a psychologist who withdrew a consent", psychologist({ consent_withdrawn: true }), "consent_withdrawn"],
    ["a psychologist with one left", psychologist({ free_responses_used: 2 }), null],
    ["a psychologist with Gold at the limit", psychologist({ free_responses_used: 3, has_gold: true }), null],
  ] as const)("%s: %#", (_who, viewer, refusal) => {
    expect(whyCannotAnswer(viewer)).toBe(refusal);
  });

  test("the refusal and the box always agree", () => {
    fc.assert(
      fc.property(
        fc.record({
          is_verified: fc.boolean(),
          has_gold: fc.boolean(),
          free_responses_used: fc.nat(10),
          max_free_responses: fc.nat(10),
        }),
        (row) => {
          const { state, free_answers_left } = answeringState(row);
          const mayAnswer = whyCannotAnswer(psychologist(row)) === null;
          expect(mayAnswer).toBe(state === "free" || state === "unlimited");
          expect(free_answers_left).toBeGreaterThanOrEqual(0);
          expect(free_answers_left).toBeLessThanOrEqual(row.max_free_responses);
          if (mayAnswer && usesFreeAnswer(row)) expect(row.free_responses_used).toBeLessThan(row.max_free_responses);
        },
      ),
    );
  });
});

test("only an answer without Gold uses up a free one", () => {
  expect(usesFreeAnswer(psychologist())).toBe(true);
  expect(usesFreeAnswer(psychologist({ has_gold: true }))).toBe(false);
});

describe("who may reply", () => {
  test("any signed-in person who is no psychologist", () => {
    expect(whyCannotReply({ user_type: "user", consent_withdrawn: false })).toBeNull();
    expect(whyCannotReply({ user_type: "psychologist", consent_withdrawn: false })).toBe("psychologists_cannot_reply");
    expect(whyCannotReply(null)).toBe("sign_in_to_reply");
    expect(whyCannotReply({ user_type: "user", consent_withdrawn: true })).toBe("consent_withdrawn");
  });
});

describe("who may vote on an answer", () => {
  const answer = { psychologist_id: "b" };

  test("everyone signed in but the psychologist who wrote it", () => {
    expect(whyCannotVoteOnAnswer({ id: "a" }, answer)).toBeNull();
    expect(whyCannotVoteOnAnswer({ id: "b" }, answer)).toBe("own_answer_vote");
    expect(whyCannotVoteOnAnswer(null, answer)).toBe("sign_in_to_vote");
  });
});

describe("who may correct or delete", () => {
  test("an answer: the psychologist who wrote it", () => {
    expect(whyCannotChangeAnswer({ id: "a" }, { psychologist_id: "a" })).toBeNull();
    expect(whyCannotChangeAnswer({ id: "a" }, { psychologist_id: "b" })).toBe("answer_not_found");
    expect(whyCannotChangeAnswer(null, { psychologist_id: "b" })).toBe("sign_in_required");
  });

  test("a reply: the person who wrote it, no one once they have left", () => {
    expect(whyCannotChangeReply({ id: "a" }, { user_id: "a" })).toBeNull();
    expect(whyCannotChangeReply({ id: "a" }, { user_id: "b" })).toBe("reply_not_found");
    expect(whyCannotChangeReply({ id: "a" }, { user_id: null })).toBe("reply_not_found");
    expect(whyCannotChangeReply(null, { user_id: null })).toBe("sign_in_required");
  });
});

describe("replying again", () => {
  const now = new Date("2026-03-02T12:00:00Z");
  const hoursAgo = (hours: number) => new Date(now.getTime() - hours * HOUR);
  test("is possible until 20 replies lie within 24 hours, and again when the first of them is older", () => {
    const nineteen = Array.from({ length: 19 }, (_, n) => hoursAgo(n));
    expect(whenToReplyAgain(nineteen, now)).toBeNull();
    expect(whenToReplyAgain([...nineteen, hoursAgo(23)], now)).toEqual(new Date("2026-03-02T13:00:00Z"));
    expect(whenToReplyAgain([...nineteen, hoursAgo(24)], now)).toBeNull();
    // More than the limit, written before there was one: the twentieth newest decides.
    expect(whenToReplyAgain([hoursAgo(23.5), ...nineteen, hoursAgo(20)], now)).toEqual(
      new Date("2026-03-02T16:00:00Z"),
    );
  });
});
