import type { ErrorCode } from "#shared/errors.ts";
import { LIMITS } from "#shared/limits.ts";

/**
 * The time span of decisions that can still be undone. It ends shortly after now, since clocks of nodes differ a little.
 */
export const undoWindow = (now: Date): { after: Date; until: Date } => ({
  after: new Date(now.getTime() - LIMITS.undoSeconds * 1000),
  until: new Date(now.getTime() + LIMITS.undoSeconds * 1000),
});

/** Whole seconds in which a decision can still be undone, rounded up; none when its time is over. */
export function undoSecondsLeft(decidedAt: Date, now: Date): number {
  const { after, until } = undoWindow(now);
  if (decidedAt <= after || decidedAt > until) return 0;
  return Math.min(LIMITS.undoSeconds, Math.ceil((decidedAt.getTime() - after.getTime()) / 1000));
}

/** Why a decision may not be undone, or null. */
export const whyCannotUndo = (decidedAt: Date, now: Date): ErrorCode | null =>
  undoSecondsLeft(decidedAt, now) > 0 ? null : "undo_too_late";

/**
 * When the effects of a decision happen: once it can no longer be undone, and a second later, since clocks of nodes differ.
 */
export const AFTER_UNDO_SECONDS = LIMITS.undoSeconds + 1;

/** The actions in the audit log that are decisions, and can be undone for a moment. */
export const DECISION_ACTIONS = [
  "psychologist_approved",
  "licence_checked_again",
  "psychologist_rejected",
  "consultation_deleted",
] as const;
export type DecisionAction = (typeof DECISION_ACTIONS)[number];
