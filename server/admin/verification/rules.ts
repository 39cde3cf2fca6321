import type { ErrorCode } from "#shared/errors.ts";
import type { DecisionAction } from "../rules.ts";

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

export type Verification = { verified_at: Date | null; rejected_at: Date | null };

/** The verification that a decision sets; null for other decisions. */
export function verificationBy(action: DecisionAction, decidedAt: Date): Verification | null {
  if (action === "psychologist_rejected") return { verified_at: null, rejected_at: decidedAt };
  if (action === "psychologist_approved" || action === "licence_checked_again")
    return { verified_at: decidedAt, rejected_at: null };
  return null;
}

/** Whether a decision is still in force: no later decision, and no change of what was checked. */
export const isInForce = (decided: Verification, row: Verification): boolean =>
  decided.verified_at?.getTime() === row.verified_at?.getTime() &&
  decided.rejected_at?.getTime() === row.rejected_at?.getTime();
