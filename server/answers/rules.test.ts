import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { HOUR } from "#shared/time.ts";
import {
  answeringState,
  nextReplyAllowedAt,
  usesFreeAnswer,
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

describe("answeringState", () => {
  test.each([
    [{}, "free", 3],
    [{ free_responses_used: 2 }, "free", 1],
    [{ free_responses_used: 3 }, "limit_reached", 0],
    [{ free_responses_used: 4 }, "limit_reached", 0],
    [{ free_responses_used: 3, has_gold: true }, "unlimited", 0],
    [{ is_verified: false, has_gold: true }, "pending", 3],
    [{ free_responses_used: 3, max_free_responses: 5 }, "free", 2],
    [{ max_free_responses: 0 }, "limit_reached", 0],
  ] as const)("returns for %j the state %s with %i left", (more, state, free_answers_left) => {
    const { free_responses_used, max_free_responses } = psychologist(more);
    expect(answeringState(psychologist(more))).toEqual({
      state,
      free_responses_used,
      max_free_responses,
      free_answers_left,
    });
  });
});

describe("whyCannotAnswer", () => {
  const asUser = { ...psychologist({ has_gold: true }), user_type: "user" as const };
  test.each([
    ["a visitor", null, "sign_in_to_answer"],
    ["a user, whatever their row says", asUser, "psychologist_required"],
    ["an unverified psychologist", psychologist({ is_verified: false, has_gold: true }), "account_not_verified"],
    [
      "an unverified psychologist at the limit",
      psychologist({ is_verified: false, free_responses_used: 3 }),
      "account_not_verified",
    ],
    ["a psychologist at the limit", psychologist({ free_responses_used: 3 }), "free_answers_limit_reached"],
    ["a psychologist who withdrew a consent", psychologist({ consent_withdrawn: true }), "consent_withdrawn"],
    ["a psychologist with one left", psychologist({ free_responses_used: 2 }), null],
    ["a psychologist with Gold at the limit", psychologist({ free_responses_used: 3, has_gold: true }), null],
  ] as const)("returns the error for %s: %#", (_who, viewer, refusal) => {
    expect(whyCannotAnswer(viewer)).toBe(refusal);
  });

  test("agrees with answeringState", () => {
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
          expect(usesFreeAnswer(row)).toBe(!row.has_gold);
          if (mayAnswer && usesFreeAnswer(row)) expect(row.free_responses_used).toBeLessThan(row.max_free_responses);
        },
      ),
    );
  });
});

describe("whyCannotReply", () => {
  test("returns null for a signed-in user who is not a psychologist", () => {
    expect(whyCannotReply({ user_type: "user", consent_withdrawn: false })).toBeNull();
    expect(whyCannotReply({ user_type: "psychologist", consent_withdrawn: false })).toBe("psychologists_cannot_reply");
    expect(whyCannotReply(null)).toBe("sign_in_to_reply");
    expect(whyCannotReply({ user_type: "user", consent_withdrawn: true })).toBe("consent_withdrawn");
  });
});

describe("whyCannotVoteOnAnswer", () => {
  const answer = { psychologist_id: "b" };

  test("returns null for signed-in users except the psychologist of the answer", () => {
    expect(whyCannotVoteOnAnswer({ id: "a" }, answer)).toBeNull();
    expect(whyCannotVoteOnAnswer({ id: "b" }, answer)).toBe("cannot_vote_own_answer");
    expect(whyCannotVoteOnAnswer(null, answer)).toBe("sign_in_to_vote");
  });
});

describe("whyCannotChangeAnswer and whyCannotChangeReply", () => {
  test("returns null for the psychologist of the answer", () => {
    expect(whyCannotChangeAnswer({ id: "a" }, { psychologist_id: "a" })).toBeNull();
    expect(whyCannotChangeAnswer({ id: "a" }, { psychologist_id: "b" })).toBe("answer_not_found");
    expect(whyCannotChangeAnswer(null, { psychologist_id: "b" })).toBe("sign_in_required");
  });

  test("returns null for the author of the reply, never if the author is null", () => {
    expect(whyCannotChangeReply({ id: "a" }, { user_id: "a" })).toBeNull();
    expect(whyCannotChangeReply({ id: "a" }, { user_id: "b" })).toBe("reply_not_found");
    expect(whyCannotChangeReply({ id: "a" }, { user_id: null })).toBe("reply_not_found");
    expect(whyCannotChangeReply(null, { user_id: null })).toBe("sign_in_required");
  });
});

describe("nextReplyAllowedAt", () => {
  const now = new Date("2026-03-02T12:00:00Z");
  const hoursAgo = (hours: number) => new Date(now.getTime() - hours * HOUR);
  test("returns null until 20 replies are within 24 h, then the time 24 h after the first of them", () => {
    const nineteen = Array.from({ length: 19 }, (_, n) => hoursAgo(n));
    expect(nextReplyAllowedAt(nineteen, now)).toBeNull();
    expect(nextReplyAllowedAt([...nineteen, hoursAgo(23)], now)).toEqual(new Date("2026-03-02T13:00:00Z"));
    expect(nextReplyAllowedAt([...nineteen, hoursAgo(24)], now)).toBeNull();
    // More replies than the limit: the 20th newest decides.
    expect(nextReplyAllowedAt([hoursAgo(23.5), ...nineteen, hoursAgo(20)], now)).toEqual(
      new Date("2026-03-02T16:00:00Z"),
    );
  });
});
