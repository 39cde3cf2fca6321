import { LIMITS } from "#shared/limits.ts";
import { DAY } from "#shared/time.ts";

export type WeeklyUse = { weekly_consultations_used: number; weekly_window_started_at: Date | null };

/** Limit of a user who has used nothing; also during an outage of the database (specification, section 8). */
export const UNUSED_WEEKLY_LIMIT = {
  used: 0,
  max_consultations: LIMITS.weeklyConsultations as number,
  days_until_reset: LIMITS.weeklyWindowDays as number,
  /** Time at which the limit is unused again, or null if it is unused now. */
  resets_at: null as Date | null,
};

/**
 * Returns the weekly limit at a time (specification, section 4.6).
 *
 * The window begins with the first consultation and lasts 7 days; after it the limit is unused. Days are whole, rounded
 * up, and 7 if nothing is used.
 */
export function weeklyLimit(use: WeeklyUse, now: Date): typeof UNUSED_WEEKLY_LIMIT {
  const start = use.weekly_window_started_at;
  const end = start && new Date(start.getTime() + LIMITS.weeklyWindowDays * DAY);
  const left = end ? end.getTime() - now.getTime() : 0;
  if (left <= 0 || use.weekly_consultations_used === 0) return UNUSED_WEEKLY_LIMIT;
  return {
    ...UNUSED_WEEKLY_LIMIT,
    used: use.weekly_consultations_used,
    days_until_reset: Math.min(LIMITS.weeklyWindowDays, Math.ceil(left / DAY)),
    resets_at: end,
  };
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
