import { LIMITS } from "#shared/limits.ts";
import { SECOND } from "#shared/time.ts";

/** Whole seconds in which a decision can be undone, rounded up; 0 after that. */
export function undoSecondsLeft(decidedAt: Date, now: Date): number {
  const left = LIMITS.undoSeconds - Math.floor((now.getTime() - decidedAt.getTime()) / SECOND);
  // The clocks of nodes differ, so a decision may be of the future.
  return Math.min(LIMITS.undoSeconds, Math.max(0, left));
}

export const undoableSince = (now: Date): Date => new Date(now.getTime() - LIMITS.undoSeconds * SECOND);

/** Delay of a decision's effects, in seconds: the time to undo it and 1 s, because the clocks of nodes differ. */
export const UNDO_EFFECT_DELAY_SECONDS = LIMITS.undoSeconds + 1;
