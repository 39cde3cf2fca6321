import type { AnsweringView } from "#shared/answers.ts";
import type { ErrorCode } from "#shared/errors.ts";
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

export function whyCannotAnswer(
  viewer: Psychologist & Pick<Viewer, "user_type" | "consent_withdrawn">,
): ErrorCode | null {
  if (viewer.user_type !== "psychologist") return "psychologist_required";
  if (viewer.consent_withdrawn) return "consent_withdrawn";
  const { state } = answeringState(viewer);
  return state === "pending" ? "account_not_verified" : state === "limit_reached" ? "free_answers_limit_reached" : null;
}

export function whyCannotReply(viewer: Viewer): ErrorCode | null {
  if (viewer.user_type === "psychologist") return "psychologists_cannot_reply";
  return viewer.consent_withdrawn ? "consent_withdrawn" : null;
}

/**
 * Time in which a user's replies to one answer count, in milliseconds (specification, section 5.2). Not a calendar day,
 * because time zones differ.
 */
export const REPLY_WINDOW_MS = DAY;
