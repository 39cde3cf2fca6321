import type { ErrorCode } from "#shared/errors.ts";
import { LIMITS } from "#shared/limits.ts";

/** Time span of decisions that can be undone. It ends slightly after now, because the clocks of nodes differ. */
export const undoWindow = (now: Date): { after: Date; until: Date } => ({
  after: new Date(now.getTime() - LIMITS.undoSeconds * 1000),
  until: new Date(now.getTime() + LIMITS.undoSeconds * 1000),
});

/** Whole seconds in which a decision can be undone, rounded up; 0 after that. */
export function undoSecondsLeft(decidedAt: Date, now: Date): number {
  const { after, until } = undoWindow(now);
  if (decidedAt <= after || decidedAt > until) return 0;
  return Math.min(LIMITS.undoSeconds, Math.ceil((decidedAt.getTime() - after.getTime()) / 1000));
}

/** Returns why a decision may not be undone, or null. */
export const whyCannotUndo = (decidedAt: Date, now: Date): ErrorCode | null =>
  undoSecondsLeft(decidedAt, now) > 0 ? null : "undo_too_late";

/** Delay of a decision's effects, in seconds: the time to undo it and 1 s, because the clocks of nodes differ. */
export const UNDO_EFFECT_DELAY_SECONDS = LIMITS.undoSeconds + 1;

/** Actions in the audit log that can be undone for `LIMITS.undoSeconds` seconds, with their names in the API. */
export const DECISIONS = {
  psychologist_approved: "approved",
  licence_checked_again: "checked_again",
  psychologist_rejected: "rejected",
  consultation_deleted: "removed",
} as const;
export type DecisionAction = keyof typeof DECISIONS;
