import type { ErrorCode } from "#shared/errors.ts";
import type { ProviderCancellation, Standing } from "#shared/plans.ts";
import type { Viewer } from "../sessions/viewer.ts";

/** What tells how long a membership is in force. */
export type MembershipTerm = { plan_type: string; status: string; next_billing_date: Date | null };

/** Whether a membership is in force (specification, section 4): its status is active, and it is lifetime or its month is not over. */
export function isActive(membership: MembershipTerm, now: Date): boolean {
  if (membership.status !== "active") return false;
  if (membership.plan_type !== "monthly") return true;
  return membership.next_billing_date !== null && membership.next_billing_date > now;
}

/** When Gold ends; "infinity" where it has no end, null where there is none. */
export type GoldEnd = Date | "infinity" | null;

/** When a membership's Gold ends: the rule of `isActive` as a moment, so that SQL can compare it with the clock. */
export function goldUntil(membership: MembershipTerm): GoldEnd {
  if (membership.status !== "active") return null;
  return membership.plan_type === "monthly" ? membership.next_billing_date : "infinity";
}

/** The later of two ends. */
export function laterEnd(one: GoldEnd, other: GoldEnd): GoldEnd {
  if (one === "infinity" || other === null) return one;
  return other === "infinity" || one === null || other > one ? other : one;
}

/** Whether Gold that ends then is in force. */
export const lastsBeyond = (end: GoldEnd, now: Date): boolean => end === "infinity" || (end !== null && end > now);

/** A membership as our database has it. */
export type Membership = MembershipTerm & {
  ended_by: string | null;
  cancelled_at: Date | null;
  provider_state: string;
  provider_as_of: Date | null;
  provider_next_date: Date | null;
  read_at: Date | null;
  grace_from: Date | null;
  /** The date from which Gold lasts only because the provider could not be read. */
  unreadable_from: Date | null;
  provisional_until: Date | null;
  cancel_requested_at: Date | null;
  cancel_confirmed_at: Date | null;
};

/** What tells the standing of a membership. */
type Standings = MembershipTerm &
  Pick<Membership, "ended_by" | "provider_state" | "provisional_until" | "grace_from" | "unreadable_from">;

/** Whether the provider has confirmed a cancellation; `PROVIDER_CANCELLATIONS` says what each means. */
export function cancellationOf(one: {
  cancel_requested_at: Date | null;
  cancel_confirmed_at: Date | null;
  cancel_closed_at: Date | null;
}): ProviderCancellation {
  if (one.cancel_confirmed_at) return "confirmed";
  if (one.cancel_closed_at) return "closed";
  return one.cancel_requested_at ? "waiting" : "not_needed";
}

/** The standing of a membership; `STANDINGS` says what each means. */
export function standingOf(one: Standings, now: Date): Standing {
  if (one.status !== "active") return one.ended_by === "refund" ? "revoked" : "ended";
  if (one.plan_type !== "monthly") return "active";
  const over = one.provider_state === "cancelled" || one.provider_state === "expired";
  if (!isActive(one, now)) return over || one.provider_state === "active" ? "ended" : "past_due";
  if (over) return "ending";
  if (one.provider_state === "suspended") return "past_due";
  if (one.provisional_until?.getTime() === one.next_billing_date?.getTime()) return "provisional";
  if (one.unreadable_from) return "unreadable";
  return one.grace_from ? "grace_period" : "active";
}

/** Why a viewer may not see plans and memberships, or null: only psychologists may. */
export const whyCannotSeePlans = (viewer: Pick<Viewer, "user_type"> | null): ErrorCode | null =>
  viewer?.user_type === "psychologist" ? null : "psychologists_only";

/** Why a membership cannot be cancelled, or null. Lifetime is paid once and has no further charges. */
export const whyCannotCancel = (membership: Pick<MembershipTerm, "plan_type">): ErrorCode | null =>
  membership.plan_type === "lifetime" ? "lifetime_not_cancelled" : null;

/**
 * Whether its owner can still cancel a membership: a monthly one that is not over at the provider, in force here or not,
 * since the provider may go on trying to charge it.
 */
export const canBeCancelled = (
  one: Pick<Membership, "plan_type" | "status" | "ended_by"> & { provider: string; provider_state: string },
): boolean =>
  one.plan_type !== "lifetime" &&
  (one.status === "active"
    ? one.provider_state !== "cancelled" && one.provider_state !== "expired"
    : one.ended_by === "provider" && mustCancelAtProvider(one));

/** Whether a membership gives Gold or may still be charged, so that ending all that a psychologist has ends it, too. */
export const isOpen = (one: Parameters<typeof canBeCancelled>[0]): boolean =>
  one.status === "active" || canBeCancelled(one);

/** Whether an ended membership must also be cancelled at the provider, which might charge again. Lifetime is one payment. */
export const mustCancelAtProvider = (one: { provider: string; plan_type: string; provider_state: string }): boolean =>
  one.provider !== "test" &&
  one.plan_type === "monthly" &&
  (one.provider_state === "active" || one.provider_state === "suspended");
