import type { ErrorCode } from "#shared/errors.ts";
import { LIMITS } from "#shared/limits.ts";
import type { Viewer } from "../accounts/rules.ts";

export type Answering = {
  state: "unlimited" | "free" | "limit_reached" | "pending";
  free_responses_used: number;
  max_free_responses: number;
  free_answers_left: number;
};

type Psychologist = Pick<Viewer, "is_verified" | "has_gold" | "free_responses_used" | "max_free_responses">;

/** What the "Responder como Profesional" box says (specification, section 2). */
export function answeringState(psychologist: Psychologist): Answering {
  const { free_responses_used, max_free_responses } = psychologist;
  const left = Math.max(0, max_free_responses - free_responses_used);
  const state = !psychologist.is_verified
    ? "pending"
    : psychologist.has_gold
      ? "unlimited"
      : left > 0
        ? "free"
        : "limit_reached";
  return { state, free_responses_used, max_free_responses, free_answers_left: left };
}

/** Why somebody may not answer, or null. */
export function whyCannotAnswer(
  viewer: (Psychologist & Pick<Viewer, "user_type" | "consent_withdrawn">) | null,
): ErrorCode | null {
  if (!viewer) return "sign_in_to_answer";
  if (viewer.user_type !== "psychologist") return "only_psychologists_answer";
  if (viewer.consent_withdrawn) return "consent_withdrawn";
  const { state } = answeringState(viewer);
  return state === "pending" ? "not_verified" : state === "limit_reached" ? "free_limit_reached" : null;
}

/** Whether an answer uses up one of the free ones. */
export const usesFreeAnswer = (psychologist: Psychologist) => !psychologist.has_gold;

/** Why somebody may not reply to an answer, or null. Any signed-in person who is no psychologist may. */
export function whyCannotReply(viewer: Pick<Viewer, "user_type" | "consent_withdrawn"> | null): ErrorCode | null {
  if (!viewer) return "sign_in_to_reply";
  if (viewer.user_type === "psychologist") return "psychologists_cannot_reply";
  return viewer.consent_withdrawn ? "consent_withdrawn" : null;
}

/** How far back a person's replies to one answer count, in milliseconds. */
export const REPLY_WINDOW_MS = 24 * 60 * 60 * 1000;

/**
 * When a person may reply to an answer again, or null when they may now: at most 20 replies in any 24 hours (specification,
 * section 5.2). Not by the calendar: a day ends at another hour in each country.
 * @param times of the person's replies to this answer
 */
export function whenToReplyAgain(times: Date[], now: Date): Date | null {
  const recent = times
    .map((time) => time.getTime())
    .filter((time) => time > now.getTime() - REPLY_WINDOW_MS)
    .toSorted((one, other) => other - one);
  const last = recent[LIMITS.repliesPerDay - 1];
  return last === undefined ? null : new Date(last + REPLY_WINDOW_MS);
}

/** Why somebody may not vote on an answer, or null. Nobody votes on their own answer. */
export function whyCannotVoteOnAnswer(
  viewer: Pick<Viewer, "id"> | null,
  answer: { psychologist_id: string },
): ErrorCode | null {
  if (!viewer) return "sign_in_to_vote";
  return viewer.id === answer.psychologist_id ? "own_answer_vote" : null;
}

/** Why somebody may not correct or delete an answer, or null. */
export function whyCannotChangeAnswer(
  viewer: Pick<Viewer, "id"> | null,
  answer: { psychologist_id: string },
): ErrorCode | null {
  if (!viewer) return "sign_in_required";
  return viewer.id === answer.psychologist_id ? null : "answer_not_found";
}

/** Why somebody may not correct or delete a reply, or null. Somebody else's is not told from one that is not there. */
export function whyCannotChangeReply(
  viewer: Pick<Viewer, "id"> | null,
  reply: { user_id: string | null },
): ErrorCode | null {
  if (!viewer) return "sign_in_required";
  return viewer.id === reply.user_id ? null : "reply_not_found";
}
