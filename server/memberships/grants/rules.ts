import { AppError } from "#shared/errors.ts";
import { LIMITS } from "#shared/limits.ts";
import { DAY, formatDay } from "#shared/time.ts";
import { type GrantTerm, isGrantActive } from "../gold-rules.ts";

/** The error text for the end of a new grant, or null. An extension has to end later than the grant in force. */
function grantEndError(end: Date | null, grants: GrantTerm[], now: Date): string | null {
  const current = grants.find((each) => isGrantActive(each, now));
  if (current && current.ends_at === null) return "Ya tiene Gold otorgado sin fecha de fin.";
  if (end === null) return null;
  if (end <= now) return "Elige un día a partir de hoy.";
  if (end.getTime() > now.getTime() + LIMITS.goldGrantYears * 365.25 * DAY)
    return `Elige un día dentro de los próximos ${LIMITS.goldGrantYears} años, o ninguno.`;
  if (current?.ends_at && end <= current.ends_at)
    return `Ya tiene Gold otorgado hasta el ${formatDay(current.ends_at)}: elige un día posterior.`;
  return null;
}

/**
 * When a new grant until a day ends: with that day, in UTC, as all dates are shown.
 * @param day "2027-01-31", or "never" for a grant without end
 * @throws AppError invalid_input for a day that is over, too far away, or no later than the end of the grant in force
 */
export function assertGrantEnd(day: string, grants: GrantTerm[], now: Date): Date | null {
  const end = day === "never" ? null : new Date(`${day}T23:59:59.999Z`);
  const problem = grantEndError(end, grants, now);
  if (problem) throw new AppError("invalid_input", { fields: { last_day: problem } });
  return end;
}
