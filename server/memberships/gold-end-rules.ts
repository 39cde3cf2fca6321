import { DAY } from "#shared/time.ts";

/** Fields that determine how long a membership lasts, and what the last reading of its provider showed. */
export type Term = {
  provider: string;
  plan_type: string;
  status: string;
  /** The end of the paid time or of provisional access; null for lifetime. */
  next_billing_date: Date | null;
  provisional_until: Date | null;
  state: string;
  /** The last reading that succeeded, and the first of the failed ones since. */
  read_at: Date | null;
  failing_since: Date | null;
};

/** End of Gold: "infinity" if it never ends, null if there is no Gold. */
export type GoldEnd = Date | "infinity" | null;

/**
 * Gold lasts this much longer while a renewal is overdue and the provider still shows it as active. The view
 * `notifications` repeats it.
 */
export const GRACE_PERIOD = 3 * DAY;
/** How much longer Gold lasts while the provider cannot be read, so that a renewal may be hidden. */
const UNREADABLE_PERIOD = 14 * DAY;

/** True if the date of a membership is the end of provisional access. */
export const isProvisional = ({ provisional_until, next_billing_date }: Term): boolean =>
  provisional_until?.getTime() === next_billing_date?.getTime();

/**
 * Calculates when the Gold of a membership ends (specification, section 4). Lifetime has no end. A month ends with the paid
 * time, 3 days later while its provider shows it as active, and 14 more days later while that cannot be read.
 *
 * Provisional access has no grace period, because no renewal can be overdue. It also lasts 14 days longer while readings
 * fail, because the first charge may be hidden. Readings that fail after one has shown the end give no Gold back. A month
 * of the test mode is never read, so it ends at its date.
 */
export function goldEnd(one: Term): GoldEnd {
  const { next_billing_date: paid } = one;
  if (one.status !== "active") return null;
  if (one.plan_type !== "monthly") return "infinity";
  if (!paid || one.provider === "test" || one.state !== "active") return paid;
  const end = paid.getTime() + (isProvisional(one) ? 0 : GRACE_PERIOD);
  const mayHideCharge = one.failing_since !== null && (one.read_at === null || one.read_at.getTime() < end);
  return new Date(end + (mayHideCharge ? UNREADABLE_PERIOD : 0));
}

/** The later of two ends. */
export function laterGoldEnd(one: GoldEnd, other: GoldEnd): GoldEnd {
  if (one === "infinity" || other === null) return one;
  return other === "infinity" || one === null || other > one ? other : one;
}

/** True if Gold with this end is in force. */
export const isGoldActive = (end: GoldEnd, now: Date): boolean => end === "infinity" || (end !== null && end > now);

/** True if a membership is in force. */
export const isActive = (one: Term, now: Date): boolean => isGoldActive(goldEnd(one), now);

/** Fields that determine how long a grant is in force. */
export type GrantTerm = { ends_at: Date | null; ended_at: Date | null };

/** True if a grant gives Gold: it was not ended and its date has not passed. */
export const isGrantActive = (grant: GrantTerm, now: Date): boolean =>
  grant.ended_at === null && (grant.ends_at === null || grant.ends_at > now);

/** The latest end of Gold by the memberships, and by the grants that were not ended early. */
export function goldUntil(memberships: Term[], grants: GrantTerm[]): GoldEnd {
  const granted = grants.filter(({ ended_at }) => ended_at === null).map(({ ends_at }) => ends_at ?? "infinity");
  return [...memberships.map(goldEnd), ...granted].reduce<GoldEnd>(laterGoldEnd, null);
}
