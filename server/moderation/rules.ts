import type { ErrorCode } from "#shared/errors.ts";

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
