import type { ErrorCode } from "#shared/errors.ts";
import { LIMITS } from "#shared/limits.ts";

/** How long the check of a licence holds, in months: licences lapse and are taken back (specification, section 3.4). */
const CHECK_MONTHS = 12;

/** A check of this moment or before it no longer holds. */
export function lapsedChecks(now: Date): Date {
  const moment = new Date(now);
  moment.setUTCMonth(moment.getUTCMonth() - CHECK_MONTHS);
  return moment;
}

/** Whether a psychologist's licence has to be checked again. Whoever was never checked waits for the first time instead. */
export const isCheckDue = (verifiedAt: Date | null, now: Date): boolean =>
  verifiedAt !== null && verifiedAt <= lapsedChecks(now);

/** Why a psychologist may not be approved, or null: there is nobody, or the licence was checked and that still holds. */
export function whyCannotApprove(psychologist: { verified_at: Date | null } | undefined, now: Date): ErrorCode | null {
  const waits = psychologist && (psychologist.verified_at === null || isCheckDue(psychologist.verified_at, now));
  return waits ? null : "nothing_updated";
}

/** Between these moments lie the decisions that can still be undone. Clocks of nodes differ by little: what was decided much later than now was not decided just now. */
export const undoableSpan = (now: Date): { after: Date; until: Date } => ({
  after: new Date(now.getTime() - LIMITS.undoSeconds * 1000),
  until: new Date(now.getTime() + LIMITS.undoSeconds * 1000),
});

/** Whole seconds in which a decision can still be undone, rounded up; none when its time is over. */
export function undoSecondsLeft(decidedAt: Date, now: Date): number {
  const { after, until } = undoableSpan(now);
  if (decidedAt <= after || decidedAt > until) return 0;
  return Math.min(LIMITS.undoSeconds, Math.ceil((decidedAt.getTime() - after.getTime()) / 1000));
}

/** Why a decision of a moment may not be undone, or null. */
export const whyCannotUndo = (decidedAt: Date, now: Date): ErrorCode | null =>
  undoSecondsLeft(decidedAt, now) > 0 ? null : "undo_too_late";

export type Verification = { verified_at: Date | null; rejected_at: Date | null };

/** What a decision about a psychologist, made at a moment, made of them; null for other decisions. */
export function verificationBy(action: string, decidedAt: Date): Verification | null {
  if (action === "psychologist_rejected") return { verified_at: null, rejected_at: decidedAt };
  if (action === "psychologist_approved" || action === "licence_checked_again")
    return { verified_at: decidedAt, rejected_at: null };
  return null;
}

/** Whether a psychologist stands as a decision left them: nobody decided since, and they changed nothing that was checked. */
export const holds = (decided: Verification, row: Verification): boolean =>
  decided.verified_at?.getTime() === row.verified_at?.getTime() &&
  decided.rejected_at?.getTime() === row.rejected_at?.getTime();
