/** Offers, payments and snapshots for tests of the settlement rules. */
import type { Payment, Snapshot } from "#server/integrations/payment-provider.ts";
import { isActive, type MembershipTerm, standingOf } from "#server/memberships/rules.ts";
import type { Offer } from "#server/memberships/settlement/payment-rules.ts";
import { type KnownState, type Settlement, settle } from "#server/memberships/settlement/rules.ts";

export const NOW = new Date("2026-11-21T12:00:00.000Z");
export const at = (milliseconds: number) => new Date(NOW.getTime() + milliseconds);
export const monthly = (next: Date | null, status = "active"): MembershipTerm => ({
  plan_type: "monthly",
  status,
  next_billing_date: next,
});
export const lifetime = (status = "active"): MembershipTerm => ({
  plan_type: "lifetime",
  status,
  next_billing_date: null,
});

export const HOUR = 3600_000;
export const DAY = 24 * HOUR;

export const offer: Offer = {
  id: "11111111-1111-4111-8111-111111111111",
  psychologist_id: "22222222-2222-4222-8222-222222222222",
  provider: "paypal",
  plan_type: "monthly",
  amount: 499,
  currency: "USD",
};
export const life: Offer = { ...offer, plan_type: "lifetime", amount: 4999 };

export const payment = (paid_at: Date, more: Partial<Payment> = {}): Payment => ({
  external_payment_id: `S${paid_at.getTime()}`,
  amount: 499,
  currency: "USD",
  status: "completed",
  refunded_amount: 0,
  dispute: null,
  external_dispute_id: null,
  paid_at,
  as_of: null,
  ...more,
});
export const lifePayment = (more: Partial<Payment> = {}) => payment(NOW, { amount: 4999, ...more });

export const snapshotOf = (more: Partial<Snapshot> = {}): Snapshot => ({
  state: "active",
  as_of: null,
  reference: offer.psychologist_id,
  plan_type: "monthly",
  plan_id: null,
  price: null,
  altered: false,
  charges_later: false,
  next_billing_date: null,
  payments: [payment(NOW)],
  last_payment: null,
  unconfirmed_reversal: null,
  unreadable_payments: 0,
  is_incomplete: false,
  ...more,
});
export const ofLife = (more: Partial<Snapshot> = {}) =>
  snapshotOf({ plan_type: "lifetime", payments: [lifePayment()], ...more });

/** Returns the known state after a settlement, as the next reading loads it. */
export const nextState = (known: KnownState, settled: Settlement | null, read_at: Date): KnownState =>
  settled
    ? {
        ...known,
        current: settled.replacesCurrent ? null : known.current,
        membership: settled.membership && { ...settled.membership, plan_type: known.offer.plan_type, read_at },
        payments: settled.payments,
      }
    : known;
export const newState = (of: Offer = offer, current: KnownState["current"] = null): KnownState => ({
  offer: of,
  membership: null,
  payments: [],
  current,
  hadUnpaidProvisionalAccess: false,
});
/** Settles snapshots one after another, each at its time. */
export function settleAll(
  readings: [Snapshot, Date][],
  start = newState(),
): { known: KnownState; last: Settlement | null } {
  let known = start;
  let last: Settlement | null = null;
  for (const [snapshot, now] of readings) {
    last = settle(known, snapshot, now);
    known = nextState(known, last, now);
  }
  return { known, last };
}
export const inForce = (known: KnownState, now: Date) =>
  known.membership !== null && isActive({ ...known.membership, plan_type: known.offer.plan_type }, now);
export const standing = (known: KnownState, now: Date) =>
  standingOf({ ...known.membership!, plan_type: known.offer.plan_type }, now);
