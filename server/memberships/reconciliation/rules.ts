import type { EndReason } from "#shared/plans.ts";
import type { Payment, Snapshot } from "../../integrations/payment-provider.ts";
import { isUpgrade } from "../checkouts/rules.ts";
import { goldEnd, isActive, isGoldActive } from "../gold-end-rules.ts";
import { type Decided, isOverAtProvider, mustCancelAtProvider } from "../rules.ts";
import { entitlementOf } from "./entitlement-rules.ts";
import { countsAsPaid, type KnownState, mergePayments, paymentMismatch, wasReceived } from "./payment-rules.ts";
import { ENDED_HERE, mismatchOf, type Problem, problemsOf } from "./problem-rules.ts";

/** Changes to write after a snapshot. */
export type ReconciliationPlan = {
  /** The known membership itself if it does not change. */
  membership: Decided | null;
  end_wanted_at: Date | null;
  end_confirmed_at: Date | null;
  payments: Payment[];
  /** The psychologist's current membership ends and this one takes its place. */
  replacesCurrent: boolean;
  problems: Problem[];
  /** The provider's ids of the payments whose receipt is to be mailed. */
  receipts: string[];
  /** It ends at the provider because it differs from the offer; its payer is notified. */
  endsAsMismatch: boolean;
};
/** Part of a plan. `wantsEnd`: the provider might charge again. */
type Decision = { membership: Decided | null; wantsEnd?: boolean } & Partial<
  Pick<ReconciliationPlan, "replacesCurrent" | "receipts" | "endsAsMismatch">
>;

function factsOf(known: KnownState, snapshot: Snapshot, now: Date) {
  const { offer, membership, reported } = known;
  const { state } = snapshot;
  const payments = mergePayments(known.payments, snapshot.payments);
  // Payments received while it matched the offer stay accepted.
  const accepted = membership && membership.ended_by !== "mismatch" ? known.payments : [];
  const entitlement = entitlementOf({ ...known, snapshot, payments, now });
  const { date: next_billing_date, provisional_until } = entitlement;
  const read = { state, read_at: now, failing_since: null };
  const term = { ...offer, ...read, status: "active", next_billing_date, provisional_until };
  return {
    ...known,
    snapshot,
    now,
    all: payments,
    // Payments in another currency are not stored, only reported as problems.
    recorded: payments.filter(({ currency, amount }) => currency === offer.currency && amount > 0),
    mismatch: state === "pending" || state === "failed" ? null : mismatchOf(offer, snapshot),
    accepted: accepted.filter((one) => !reported.some(({ external_id }) => external_id === one.external_payment_id)),
    isOver: isOverAtProvider(state),
    entitlement,
    isEntitledNow: entitlement.grants === "gold" && isGoldActive(goldEnd(term), now),
  };
}
type Facts = ReturnType<typeof factsOf>;

/** True if this membership may not replace the current one, which is in force. */
const isSecond = ({ offer, current, now }: Facts): boolean =>
  current !== null && isActive(current, now) && !isUpgrade(offer.plan_type, current);

/** True if payments were received and none of them covers the price. */
function isShort({ offer, payments, snapshot }: Facts): boolean {
  const received = [...payments, ...snapshot.payments].filter(wasReceived);
  return received.length > 0 && received.every((payment) => paymentMismatch(offer, payment));
}

/** A membership that never gave Gold. */
const neverInForce = (ended_by: EndReason, cancelled_at: Date): Decided => ({
  status: "cancelled",
  ended_by,
  cancelled_at,
  next_billing_date: null,
  provider_next_billing_date: null,
  provisional_until: null,
});

/** The provider's ids of the payments of the full price that were not known as received. */
function newReceipts({ payments: before, recorded, offer }: Facts): string[] {
  const received = new Set(before.filter(wasReceived).map(({ external_payment_id: id }) => id));
  return recorded
    .filter((payment) => countsAsPaid(payment) && !paymentMismatch(offer, payment))
    .map(({ external_payment_id: id }) => id)
    .filter((id) => !received.has(id));
}

/** Begins a membership or changes its dates. @param ended_by null while its status is active */
function changeMembership(facts: Facts, ended_by: EndReason | null): Decision {
  const { offer, membership, current, snapshot, entitlement, now } = facts;
  const { date, provider_next_billing_date, provisional_until } = entitlement;
  const endedAt = ended_by === "provider" && date && date < now ? date : now;
  return {
    membership: {
      status: ended_by ? "cancelled" : "active",
      ended_by,
      cancelled_at: ended_by && (membership?.cancelled_at ?? endedAt),
      next_billing_date: date,
      provider_next_billing_date,
      provisional_until,
    },
    // One that ran out may still be charged, and paid: it is ended at the provider only where another took its place.
    wantsEnd:
      ended_by !== null &&
      (ended_by !== "provider" || current !== null) &&
      mustCancelAtProvider({ ...offer, state: snapshot.state }),
    receipts: newReceipts(facts),
  };
}

/** True if the provider continues to charge it: only lifetime as we sell it is a single payment. */
const willChargeAgain = ({ state, plan_type, altered }: Snapshot): boolean =>
  (state === "active" || state === "suspended") && (plan_type !== "lifetime" || altered);

/** Gives no Gold, and ends at the provider what would be charged there each month. */
function endAsMismatch({ membership, offer, snapshot, now }: Facts): Decision {
  const ends = willChargeAgain(snapshot) && !offer.end_wanted_at;
  return { membership: membership ?? neverInForce("mismatch", now), wantsEnd: ends, endsAsMismatch: ends };
}

/** Of a deleted account, and not paid before: what is charged gives no Gold and is ended there. */
const abandon = ({ offer, recorded, snapshot }: Facts): Decision => ({
  membership: recorded.some(wasReceived) ? neverInForce("person", offer.created_at) : null,
  wantsEnd: willChargeAgain(snapshot),
});

/** The first case that applies decides. */
function decide(facts: Facts): Decision {
  const { offer, membership, current, mismatch, isOver, isEntitledNow } = facts;
  const { grants } = facts.entitlement;
  if (!membership && !offer.psychologist_id) return abandon(facts);
  // Ended by a decision of ours: no snapshot brings it back, and a charge after its end is a problem.
  if (membership?.ended_by === "mismatch" || ENDED_HERE.includes(membership?.ended_by ?? "")) return { membership };
  // Not what was offered: it gives no Gold, and takes none away but when its money went back.
  if (mismatch && !(membership && grants === "refunded")) return endAsMismatch(facts);
  // No charge was ever paid in full: no charge of it will give Gold.
  const mayEnd = membership ? membership.status === "active" && !offer.end_wanted_at : grants === "none";
  if (mayEnd && isShort(facts)) return endAsMismatch(facts);
  if (!membership && grants === "none") return { membership };
  // The money of the current month, or of lifetime, went back.
  if (grants === "refunded") return changeMembership(facts, "refund");
  // Paid twice: this one ends, and its money is to be refunded.
  if (isEntitledNow && isSecond(facts)) return { ...changeMembership(facts, "duplicate_payment"), receipts: [] };
  if (isEntitledNow) return { ...changeMembership(facts, null), replacesCurrent: current !== null };
  // Its date has passed, and nothing more will be paid or another membership has taken its place.
  if (grants === "none" || isOver || current) return changeMembership(facts, "provider");
  // Overdue: the provider may still charge it.
  return changeMembership(facts, null);
}

/**
 * Decides which changes a snapshot of the provider causes (specification, section 4.3). Pure, and the same for the
 * browser's return and the worker. It depends on the whole snapshot and not on the changes since the last one, so
 * webhook events may arrive in any order, twice, or never.
 * @param now when the reading of the provider began
 * @returns null if a snapshot that is newer by the provider's clock was settled before
 */
export function planReconciliation(known: KnownState, snapshot: Snapshot, now: Date): ReconciliationPlan | null {
  const { offer } = known;
  const [settled, seen] = [offer.provider_updated_at, snapshot.provider_updated_at];
  if (settled && seen && seen < settled) return null;
  const facts = factsOf(known, snapshot, now);
  const { wantsEnd, ...decision } = decide(facts);
  // An end that was wanted because nothing had been paid.
  const isPaidAfterAll = !known.membership && decision.membership?.status === "active";
  const end_wanted_at = isPaidAfterAll ? null : (offer.end_wanted_at ?? (wantsEnd ? now : null));
  // One that the provider ended by itself counts as confirmed.
  const end_confirmed_at = known.membership?.end_confirmed_at ?? (end_wanted_at && facts.isOver ? now : null);
  const end = { state: snapshot.state, end_wanted_at, end_confirmed_at, end_closed_at: offer.end_closed_at };
  return {
    replacesCurrent: false,
    receipts: [],
    endsAsMismatch: false,
    ...decision,
    payments: facts.recorded,
    end_wanted_at,
    end_confirmed_at,
    problems: problemsOf({ ...facts, payments: facts.all, membership: decision.membership, end }),
  };
}
