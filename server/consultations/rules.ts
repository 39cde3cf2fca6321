import type { ErrorCode } from "#shared/errors.ts";
import { LIMITS } from "#shared/limits.ts";
import { DAY } from "#shared/time.ts";
import type { Viewer } from "../sessions/viewer.ts";

export type WeeklyUse = { weekly_consultations_used: number; weekly_window_started_at: Date | null };
export type WeeklyLimit = {
  used: number;
  max_consultations: number;
  days_until_reset: number;
  /** Time at which the limit is unused again, or null if it is unused now. */
  resets_at: Date | null;
};

/** Limit of a user who has used nothing; also during an outage of the database (specification, section 8). */
export const UNUSED_WEEKLY_LIMIT: WeeklyLimit = {
  used: 0,
  max_consultations: LIMITS.weeklyConsultations,
  days_until_reset: LIMITS.weeklyWindowDays,
  resets_at: null,
};

/**
 * Returns the weekly limit at a time (specification, section 4.6).
 *
 * The window begins with the first consultation and lasts 7 days; after it the limit is unused. Days are whole, rounded
 * up, and 7 if nothing is used.
 */
export function weeklyLimit(use: WeeklyUse, now: Date): WeeklyLimit {
  const start = use.weekly_window_started_at;
  const end = start && new Date(start.getTime() + LIMITS.weeklyWindowDays * DAY);
  const left = end ? end.getTime() - now.getTime() : 0;
  if (left <= 0 || use.weekly_consultations_used === 0) return UNUSED_WEEKLY_LIMIT;
  return {
    used: use.weekly_consultations_used,
    max_consultations: LIMITS.weeklyConsultations,
    days_until_reset: Math.min(LIMITS.weeklyWindowDays, Math.ceil(left / DAY)),
    resets_at: end,
  };
}

/** Returns why the viewer may not ask, or null. */
export function whyCannotAsk(viewer: Viewer, limit: WeeklyLimit): ErrorCode | null {
  if (viewer.user_type === "psychologist") return "psychologists_cannot_ask";
  if (viewer.consent_withdrawn) return "consent_withdrawn";
  return limit.used >= limit.max_consultations ? "weekly_limit_reached" : null;
}

/** Returns why the viewer may not vote on a consultation, or null. Authors may: a refusal would reveal them. */
export const whyCannotVote = (viewer: Viewer | null): ErrorCode | null => (viewer ? null : "sign_in_to_vote");

/** Returns why the viewer may not edit or delete a consultation as its author, or null. Other users get "not found". */
export const whyCannotChange = (
  viewer: Pick<Viewer, "id">,
  { user_id }: { user_id: string | null },
): ErrorCode | null => (user_id === viewer.id ? null : "consultation_not_found");

/** Returns why the viewer may not remove other users' consultations, or null. */
export function whyCannotRemove(viewer: Pick<Viewer, "is_admin"> | null): ErrorCode | null {
  if (!viewer) return "sign_in_required";
  return viewer.is_admin ? null : "admin_only";
}

/**
 * Returns the used number of the window after the administrator removed a consultation, or null if it does not change.
 *
 * It does not change if the consultation is from an earlier window, the window is over, or nothing is used
 * (specification, section 4).
 */
export function usedAfterRemoval(use: WeeklyUse, askedAt: Date, now: Date): number | null {
  const { used } = weeklyLimit(use, now);
  if (used === 0 || askedAt.getTime() < use.weekly_window_started_at!.getTime()) return null;
  return used - 1;
}

/**
 * Returns the weekly use of an author whose consultation is restored, or null if it does not change.
 *
 * It is the window before the removal, plus consultations published since. After that window nothing counts.
 * @param window the start of that window
 */
export function weekAfterUndo(use: WeeklyUse, window: Date, now: Date): { used: number; window: Date } | null {
  const before = weeklyLimit({ weekly_consultations_used: 1, weekly_window_started_at: window }, now);
  return before.used === 0 ? null : { used: weeklyLimit(use, now).used + 1, window };
}
