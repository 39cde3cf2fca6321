import { expect, test } from "vitest";
import { answeringState } from "./rules.ts";

const FRESH = { is_verified: true, has_gold: false, free_responses_used: 0, max_free_responses: 3 };

test.each([
  [{}, "free", 3],
  [{ free_responses_used: 2 }, "free", 1],
  [{ free_responses_used: 3 }, "limit_reached", 0],
  [{ free_responses_used: 4 }, "limit_reached", 0],
  [{ free_responses_used: 3, has_gold: true }, "unlimited", 0],
  [{ is_verified: false, has_gold: true }, "pending", 3],
  [{ is_verified: false, free_responses_used: 3 }, "pending", 0],
  [{ free_responses_used: 3, max_free_responses: 5 }, "free", 2],
  [{ max_free_responses: 0 }, "limit_reached", 0],
] as const)("answeringState returns for %j the state %s with %i left", (more, state, free_answers_left) => {
  const psychologist = { ...FRESH, ...more };
  const { free_responses_used, max_free_responses } = psychologist;
  const shown = { state, free_responses_used, max_free_responses, free_answers_left };
  expect(answeringState(psychologist)).toEqual(shown);
});
