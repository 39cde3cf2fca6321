import { LIMITS } from "#shared/limits.ts";
import { DAY, formatDay } from "#shared/time.ts";

/** Fields that determine how long a grant is in force. */
export type GrantTerm = { ends_at: Date | null; ended_at: Date | null };

/** True if a grant gives Gold: it was not ended and its date has not passed. */
export const isGrantActive = (grant: GrantTerm, now: Date): boolean =>
  grant.ended_at === null && (grant.ends_at === null || grant.ends_at > now);

/**
 * When a grant until a day ends: with that day, in UTC, as all dates are shown.
 * @param day "2027-01-31", or "never" for a grant without end
 */
export const grantEnd = (day: string): Date | null => (day === "never" ? null : new Date(`${day}T23:59:59.999Z`));

/**
 * Checks the end of a new grant. An extension has to end later than the current grant.
 * @param current the grant in force, if there is one
 * @returns the error text for the field, or null
 */
export function grantEndError(end: Date | null, current: GrantTerm | null, now: Date): string | null {
  if (current && current.ends_at === null) return "Ya tiene Gold otorgado sin fecha de fin.";
  if (end === null) return null;
  if (end <= now) return "Elige un día a partir de hoy.";
  if (end.getTime() > now.getTime() + LIMITS.goldGrantYears * 365.25 * DAY)
    return `Elige un día dentro de los próximos ${LIMITS.goldGrantYears} años, o ninguno.`;
  if (current?.ends_at && end <= current.ends_at)
    return `Ya tiene Gold otorgado hasta el ${formatDay(current.ends_at)}: elige un día posterior.`;
  return null;
}
