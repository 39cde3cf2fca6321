import { AppError } from "#shared/errors.ts";
import { LIMITS } from "#shared/limits.ts";
import { DAY, formatDay } from "#shared/time.ts";
import { type GrantTerm, isGrantActive } from "../gold-rules.ts";

/**
 * When a new grant until a day ends: with that day, in UTC, as all dates are shown.
 * @param day "2027-01-31", or "never" for a grant without end
 * @throws AppError invalid_input for a day that is over, too far away, or no later than the end of the grant in force
 */
export function assertGrantEnd(day: string, grants: GrantTerm[], now: Date): Date | null {
  const refusal = (text: string) => new AppError("invalid_input", { fields: { last_day: text } });
  const current = grants.find((each) => isGrantActive(each, now));
  if (current && current.ends_at === null) throw refusal("Ya tiene Gold otorgado sin fecha de fin.");
  if (day === "never") return null;
  const end = new Date(`${day}T23:59:59.999Z`);
  if (end <= now) throw refusal("Elige un día a partir de hoy.");
  if (end.getTime() > now.getTime() + LIMITS.goldGrantYears * 365.25 * DAY)
    throw refusal(`Elige un día dentro de los próximos ${LIMITS.goldGrantYears} años, o ninguno.`);
  if (current?.ends_at && end <= current.ends_at)
    throw refusal(`Ya tiene Gold otorgado hasta el ${formatDay(current.ends_at)}: elige un día posterior.`);
  return end;
}
