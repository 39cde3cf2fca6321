import type { Decision } from "#shared/admin.ts";

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

export type Verification = { verified_at: Date | null; rejected_at: Date | null };

/** Returns the verification that a decision about a psychologist sets. */
export const verificationAfter = (action: Decision, at: Date): Verification =>
  action === "psychologist_rejected" ? { verified_at: null, rejected_at: at } : { verified_at: at, rejected_at: null };

/** True if no later decision was made and no checked data changed. */
export const isCurrentDecision = (decided: Verification, row: Verification): boolean =>
  decided.verified_at?.getTime() === row.verified_at?.getTime() &&
  decided.rejected_at?.getTime() === row.rejected_at?.getTime();
