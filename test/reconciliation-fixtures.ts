/** Offers, payments and snapshots for tests of the settlement rules. */
import { EMPTY_SNAPSHOT, type Payment, type Snapshot } from "#server/integrations/payment-provider.ts";
import { isActive, type Term } from "#server/memberships/gold-end-rules.ts";
import type { KnownState, Offer } from "#server/memberships/reconciliation/payment-rules.ts";
import { planReconciliation, type ReconciliationPlan } from "#server/memberships/reconciliation/rules.ts";
import { membershipStatusOf } from "#server/memberships/rules.ts";

export { DAY, HOUR } from "#shared/time.ts";

export const NOW = new Date("2026-11-21T12:00:00.000Z");
export const at = (milliseconds: number) => new Date(NOW.getTime() + milliseconds);
const TERM = { provider: "paypal", provisional_until: null, state: "cancelled", read_at: null, failing_since: null };
const term = (plan_type: string, status: string, next_billing_date: Date | null): Term => ({
  ...TERM,
  plan_type,
  status,
  next_billing_date,
});
/** A month that its provider does not renew, so that it ends at its date. */
export const monthly = (next: Date | null, status = "active") => term("monthly", status, next);
export const lifetime = (status = "active") => term("lifetime", status, null);

export const offer: Offer = {
  id: "11111111-1111-4111-8111-111111111111",
  psychologist_id: "22222222-2222-4222-8222-222222222222",
  provider: "paypal",
  plan_type: "monthly",
  amount: 499,
  currency: "USD",
  created_at: NOW,
  owner_confirmed_at: null,
  provider_updated_at: null,
  end_wanted_at: null,
  end_closed_at: null,
};
export const lifetimeOffer: Offer = { ...offer, plan_type: "lifetime", amount: 4999 };

export const payment = (paid_at: Date, more: Partial<Payment> = {}): Payment => ({
  external_payment_id: `S${paid_at.getTime()}`,
  amount: 499,
  currency: "USD",
  status: "completed",
  refunded_amount: 0,
  dispute: null,
  external_dispute_id: null,
  paid_at,
  provider_updated_at: null,
  ...more,
});
export const lifetimePayment = (more: Partial<Payment> = {}) => payment(NOW, { amount: 4999, ...more });

export const snapshotOf = (more: Partial<Snapshot> = {}): Snapshot => ({
  ...EMPTY_SNAPSHOT,
  state: "active",
  reference: offer.id,
  plan_type: "monthly",
  payments: [payment(NOW)],
  ...more,
});
export const lifetimeSnapshot = (more: Partial<Snapshot> = {}) =>
  snapshotOf({ plan_type: "lifetime", payments: [lifetimePayment()], ...more });

/** The known state after a settlement, as the next reading finds it. */
function nextState(known: KnownState, settled: ReconciliationPlan | null, snapshot: Snapshot): KnownState {
  if (!settled) return known;
  const { membership, payments, replacesCurrent, problems, end_wanted_at, end_confirmed_at } = settled;
  const provider_updated_at = snapshot.provider_updated_at ?? known.offer.provider_updated_at;
  const offer = { ...known.offer, provider_updated_at, end_wanted_at };
  const read = { state: snapshot.state, read_at: null, failing_since: null };
  return {
    ...known,
    offer,
    current: replacesCurrent ? null : known.current,
    membership: membership && { ...membership, ...offer, ...read, end_confirmed_at },
    payments,
    reported: problems.flatMap(({ kind, payment, reason }) =>
      kind === "mismatch" && payment ? [{ external_id: payment, reason }] : [],
    ),
  };
}
export const newState = (of: Offer = offer, current: KnownState["current"] = null): KnownState => ({
  offer: of,
  membership: null,
  payments: [],
  current,
  hadUnpaidProvisionalAccess: false,
  reported: [],
});
export function reconcileAll(
  readings: [Snapshot, Date][],
  start = newState(),
): { known: KnownState; last: ReconciliationPlan | null } {
  let known = start;
  let last: ReconciliationPlan | null = null;
  for (const [snapshot, now] of readings) {
    last = planReconciliation(known, snapshot, now);
    known = nextState(known, last, snapshot);
  }
  return { known, last };
}
export const inForce = (known: KnownState, now: Date) => known.membership !== null && isActive(known.membership, now);
export const standing = (known: KnownState, now: Date) => membershipStatusOf(known.membership!, now);
