import type { AnsweringView } from "#shared/answers.ts";
import type { ErrorCode } from "#shared/errors.ts";
import { LIMITS } from "#shared/limits.ts";
import { DAY } from "#shared/time.ts";
import type { Viewer } from "../sessions/viewer.ts";

type Psychologist = Pick<Viewer, "is_verified" | "has_gold" | "free_responses_used" | "max_free_responses">;

/** State of the "Responder como Profesional" box (specification, section 2). */
export function answeringState(psychologist: Psychologist): Omit<AnsweringView, "payment_pending" | "templates"> {
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

/** Returns why the viewer may not answer, or null. */
export function whyCannotAnswer(
  viewer: (Psychologist & Pick<Viewer, "user_type" | "consent_withdrawn">) | null,
): ErrorCode | null {
  if (!viewer) return "sign_in_to_answer";
  if (viewer.user_type !== "psychologist") return "psychologist_required";
  if (viewer.consent_withdrawn) return "consent_withdrawn";
  const { state } = answeringState(viewer);
  return state === "pending" ? "account_not_verified" : state === "limit_reached" ? "free_answers_limit_reached" : null;
}

/** True if an answer counts as a free one. */
export const usesFreeAnswer = (psychologist: Psychologist) => !psychologist.has_gold;

/** Returns why the viewer may not reply to an answer, or null. Psychologists may not reply. */
export function whyCannotReply(viewer: Pick<Viewer, "user_type" | "consent_withdrawn"> | null): ErrorCode | null {
  if (!viewer) return "sign_in_to_reply";
  if (viewer.user_type === "psychologist") return "psychologists_cannot_reply";
  return viewer.consent_withdrawn ? "consent_withdrawn" : null;
}

/** Time in which a user's replies to one answer count, in milliseconds. */
export const REPLY_WINDOW_MS = DAY;

/**
 * Returns when a user may reply to an answer again, or null for now.
 *
 * At most 20 replies in any 24 hours (specification, section 5.2). Not per calendar day, because time zones differ.
 * @param times of the user's replies to this answer
 */
export function nextReplyAllowedAt(times: Date[], now: Date): Date | null {
  const recent = times
    .map((time) => time.getTime())
    .filter((time) => time > now.getTime() - REPLY_WINDOW_MS)
    .toSorted((one, other) => other - one);
  const last = recent[LIMITS.repliesPerDay - 1];
  return last === undefined ? null : new Date(last + REPLY_WINDOW_MS);
}

/** Returns why the viewer may not vote on an answer or thank for it, or null. Psychologists may not for their own. */
export function whyCannotVoteOnAnswer(
  viewer: Pick<Viewer, "id"> | null,
  answer: { psychologist_id: string },
): ErrorCode | null {
  if (!viewer) return "sign_in_to_vote";
  return viewer.id === answer.psychologist_id ? "cannot_vote_own_answer" : null;
}

/** Returns why the viewer may not edit or delete an answer, or null. Other users get "not found". */
export const whyCannotChangeAnswer = (
  viewer: Pick<Viewer, "id">,
  answer: { psychologist_id: string },
): ErrorCode | null => (viewer.id === answer.psychologist_id ? null : "answer_not_found");

/** Returns why the viewer may not edit or delete a reply, or null. Other users get "not found". */
export const whyCannotChangeReply = (
  viewer: Pick<Viewer, "id">,
  reply: { user_id: string | null },
): ErrorCode | null => (viewer.id === reply.user_id ? null : "reply_not_found");

/** Returns the title of a stored text that has none: its first line, cut to the limit. */
export const titleOfTemplate = (content: string): string =>
  [...content.split("\n", 1)[0]!].slice(0, LIMITS.templateTitle.max).join("");
