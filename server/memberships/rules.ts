import type { CancellationStatus, EndReason, MembershipStatus } from "#shared/plans.ts";
import { isActive, isProvisional, type Term } from "./gold-end-rules.ts";

/** Fields of a membership that a settlement decides. */
export type Decided = Pick<Term, "status" | "next_billing_date" | "provisional_until"> & {
  ended_by: EndReason | null;
  cancelled_at: Date | null;
  provider_next_billing_date: Date | null;
};

/** Since when an end is wanted at the provider, since when it is confirmed, or closed by the administrator. */
export type WantedEnd = { end_wanted_at: Date | null; end_confirmed_at: Date | null; end_closed_at: Date | null };

/** A row of a membership, with its checkout's state at the provider. */
export type Membership = Term & Decided & WantedEnd;

/** True if a provider shows that a subscription is over: nothing more is charged. */
export const isOverAtProvider = (state: string): boolean => ["cancelled", "expired", "gone"].includes(state);

/** Calculates the status of a cancellation at the provider; `CANCELLATION_STATUSES` describes each. */
export function cancellationStatus(one: WantedEnd): CancellationStatus {
  if (!one.end_wanted_at) return "not_needed";
  if (one.end_confirmed_at) return "confirmed";
  // An end may be wanted again after the administrator closed an earlier end.
  return one.end_closed_at && one.end_closed_at >= one.end_wanted_at ? "closed" : "waiting";
}

/** Calculates the status of a membership; `MEMBERSHIP_STATUSES` describes each. */
export function membershipStatusOf(one: Term & Pick<Membership, "ended_by">, now: Date): MembershipStatus {
  const isOver = isOverAtProvider(one.state);
  if (one.status !== "active") return one.ended_by === "refund" ? "revoked" : "ended";
  if (one.plan_type !== "monthly") return "active";
  if (!isActive(one, now)) return isOver || one.state === "active" ? "ended" : "past_due";
  if (isOver) return "ending";
  if (one.state === "suspended") return "past_due";
  if (isProvisional(one)) return "provisional";
  if (one.next_billing_date! > now) return "active";
  return one.failing_since ? "unreadable" : "grace_period";
}

type Ending = Pick<Membership, "provider" | "plan_type" | "status" | "ended_by" | "state">;

/**
 * True if its owner can still cancel a membership: a monthly one that is not over at the provider, in force here or not,
 * because the provider may still try to charge it.
 */
export const canBeCancelled = (one: Ending): boolean =>
  one.plan_type !== "lifetime" &&
  (one.status === "active" ? !isOverAtProvider(one.state) : one.ended_by === "provider" && mustCancelAtProvider(one));

/** True if a membership gives Gold or may still be charged, so that ending all of a psychologist's Gold ends it, too. */
export const givesGoldOrCharges = (one: Ending): boolean => one.status === "active" || canBeCancelled(one);

/** True if an ended membership must also be cancelled at the provider, which might charge again. Lifetime is one payment. */
export const mustCancelAtProvider = (one: Pick<Ending, "provider" | "plan_type" | "state">): boolean =>
  one.provider !== "test" && one.plan_type === "monthly" && (one.state === "active" || one.state === "suspended");
