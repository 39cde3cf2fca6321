import { AppError } from "#shared/errors.ts";
import { LIMITS } from "#shared/limits.ts";
import { DAY, formatDay } from "#shared/time.ts";
import { type GoldEnd, goldEnd, laterGoldEnd, type Term } from "../rules.ts";

/** Fields that determine how long a grant is in force. */
type GrantTerm = { ends_at: Date | null; ended_at: Date | null };

/** True if a grant gives Gold: it was not ended and its date has not passed. */
export const isGrantActive = (grant: GrantTerm, now: Date): boolean =>
  grant.ended_at === null && (grant.ends_at === null || grant.ends_at > now);

/** The latest end of Gold by the memberships, and by the grants that were not ended early. */
export function goldUntil(memberships: Term[], grants: GrantTerm[]): GoldEnd {
  const granted = grants.filter(({ ended_at }) => ended_at === null).map(({ ends_at }) => ends_at ?? "infinity");
  return [...memberships.map(goldEnd), ...granted].reduce<GoldEnd>(laterGoldEnd, null);
}

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
