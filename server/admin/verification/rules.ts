import type { Decision } from "#shared/admin.ts";
import type { ErrorCode } from "#shared/errors.ts";

/** Validity of a licence check, in months. Licences lapse, and authorities revoke them (specification, section 3.4). */
const CHECK_MONTHS = 12;

/** Returns the time before which checks have lapsed. */
export function licenseCheckCutoff(now: Date): Date {
  const moment = new Date(now);
  moment.setUTCMonth(moment.getUTCMonth() - CHECK_MONTHS);
  return moment;
}

/** True if a psychologist's licence needs another check. A psychologist without a check is pending instead. */
export const isCheckDue = (verifiedAt: Date | null, now: Date): boolean =>
  verifiedAt !== null && verifiedAt <= licenseCheckCutoff(now);

/** Returns why a psychologist may not be approved, or null: unknown, or the licence check is valid. */
export function whyCannotApprove(psychologist: { verified_at: Date | null } | undefined, now: Date): ErrorCode | null {
  const waits = psychologist && (psychologist.verified_at === null || isCheckDue(psychologist.verified_at, now));
  return waits ? null : "no_rows_updated";
}

export type Verification = { verified_at: Date | null; rejected_at: Date | null };

/** Returns the verification that a decision sets, or null for other decisions. */
export function verificationAfter(action: Decision, decidedAt: Date): Verification | null {
  if (action === "psychologist_rejected") return { verified_at: null, rejected_at: decidedAt };
  if (action === "psychologist_approved" || action === "licence_checked_again")
    return { verified_at: decidedAt, rejected_at: null };
  return null;
}

/** True if no later decision was made and no checked data changed. */
export const isCurrentDecision = (decided: Verification, row: Verification): boolean =>
  decided.verified_at?.getTime() === row.verified_at?.getTime() &&
  decided.rejected_at?.getTime() === row.rejected_at?.getTime();
