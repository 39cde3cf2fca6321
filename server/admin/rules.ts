import type { ErrorCode } from "#shared/errors.ts";
import { LIMITS } from "#shared/limits.ts";

/** How long a licence check is valid, in months: licences lapse and are revoked (specification, section 3.4). */
const CHECK_MONTHS = 12;

/** The time before which checks have lapsed. */
export function lapsedChecks(now: Date): Date {
  const moment = new Date(now);
  moment.setUTCMonth(moment.getUTCMonth() - CHECK_MONTHS);
  return moment;
}

/** Whether a psychologist's licence has to be checked again. A psychologist who was never checked is pending instead. */
export const isCheckDue = (verifiedAt: Date | null, now: Date): boolean =>
  verifiedAt !== null && verifiedAt <= lapsedChecks(now);

/** Why a psychologist may not be approved, or null: no such psychologist, or the licence check is still valid. */
export function whyCannotApprove(psychologist: { verified_at: Date | null } | undefined, now: Date): ErrorCode | null {
  const waits = psychologist && (psychologist.verified_at === null || isCheckDue(psychologist.verified_at, now));
  return waits ? null : "nothing_updated";
}

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

export type Verification = { verified_at: Date | null; rejected_at: Date | null };

/** The verification that a decision sets; null for other decisions. */
export function verificationBy(action: string, decidedAt: Date): Verification | null {
  if (action === "psychologist_rejected") return { verified_at: null, rejected_at: decidedAt };
  if (action === "psychologist_approved" || action === "licence_checked_again")
    return { verified_at: decidedAt, rejected_at: null };
  return null;
}

/** Whether a decision is still in force: no later decision, and no change of what was checked. */
export const isInForce = (decided: Verification, row: Verification): boolean =>
  decided.verified_at?.getTime() === row.verified_at?.getTime() &&
  decided.rejected_at?.getTime() === row.rejected_at?.getTime();
