import type { EndedBy, Mismatch } from "#shared/plans.ts";
import type { Payment, Snapshot } from "../../integrations/payment-provider.ts";
import { isUpgrade } from "../checkout/rules.ts";
import { isActive, type Membership, type MembershipTerm, mustCancelAtProvider } from "../rules.ts";
import { type Entitlement, entitlementOf } from "./entitlement-rules.ts";
import { countsAsPaid, mergePayments, type Offer, shortfallOf, wasReceived } from "./payment-rules.ts";
import { mismatchOf, type Problem, problemsOf } from "./problem-rules.ts";

/** What our database knows before a snapshot is settled. */
export type KnownState = {
  offer: Offer;
  /** The membership of this provider subscription, once there is one, and its payments. */
  membership: Membership | null;
  payments: Payment[];
  /** The psychologist's other membership whose status is active, if any. */
  current: MembershipTerm | null;
  /** They had provisional access with another provider subscription, which was never paid. */
  hadUnpaidProvisionalAccess: boolean;
};

/** What to write after a snapshot. */
export type Settlement = {
  /** The new status of the checkout; null when it does not change. */
  checkoutStatus: "paid" | "failed" | "mismatch" | null;
  /** Null when there is none. */
  membership: Omit<Membership, "plan_type" | "read_at"> | null;
  payments: Payment[];
  /** The psychologist's current membership ends and this one takes its place. */
  replacesCurrent: boolean;
  problems: Problem[];
  /** The provider's ids of the payments whose receipt is to be mailed. */
  receipts: string[];
  /** It ends at the provider because it is not what was offered; its payer is told. */
  endsAsMismatch: boolean;
};

/** What the cases look at: what is known, what the provider shows, and what follows from both. */
type Facts = KnownState & {
  snapshot: Snapshot;
  /** When the reading of the provider began. */
  now: Date;
  /** The payments to store: in the currency of the offer. Others are only reported as problems. */
  recorded: Payment[];
  mismatch: Mismatch | null;
  problems: Problem[];
  /** The provider will charge no more. */
  isOver: boolean;
  entitlement: Entitlement;
  /** The entitlement is Gold, and not over. */
  isInForce: boolean;
};

function factsOf(known: KnownState, snapshot: Snapshot, now: Date): Facts {
  const { offer } = known;
  const payments = mergePayments(known.payments, snapshot.payments);
  const notApproved = snapshot.state === "pending" || snapshot.state === "failed";
  const mismatch = notApproved ? null : mismatchOf(offer, snapshot);
  // What was paid while it was as offered stays so.
  const accepted = known.membership && known.membership.ended_by !== "mismatch" ? known.payments : [];
  const entitlement = entitlementOf({ ...known, snapshot, payments, now });
  return {
    ...known,
    snapshot,
    now,
    recorded: payments.filter(({ currency, amount }) => currency === offer.currency && amount > 0),
    mismatch,
    problems: problemsOf(offer, snapshot, payments, { mismatch, accepted }),
    isOver: snapshot.state === "cancelled" || snapshot.state === "expired",
    entitlement,
    isInForce: entitlement.grants === "gold" && (entitlement.date === null || entitlement.date > now),
  };
}

/** Whether another membership is in force that this one may not replace. */
const isSecond = ({ offer, current, now }: Facts): boolean =>
  current !== null && isActive(current, now) && !isUpgrade(offer.plan_type, current);

/** What every settlement writes of a membership: what the provider shows of it. */
const shownByProvider = ({ membership, snapshot, isOver, now }: Facts) => ({
  provider_state: snapshot.state,
  provider_as_of: snapshot.as_of ?? membership?.provider_as_of ?? null,
  cancel_requested_at: membership?.cancel_requested_at ?? null,
  // One that the provider ended by itself counts as confirmed.
  cancel_confirmed_at: membership?.cancel_confirmed_at ?? (membership?.cancel_requested_at && isOver ? now : null),
});

/** A settlement that leaves the membership as it is, or none where there is none. */
function kept(facts: Facts, checkoutStatus: Settlement["checkoutStatus"], more: Problem[] = []): Settlement {
  const { membership, recorded, problems } = facts;
  return {
    checkoutStatus,
    membership: membership && {
      status: membership.status,
      ended_by: membership.ended_by,
      cancelled_at: membership.cancelled_at,
      next_billing_date: membership.unreadable_from ?? membership.next_billing_date,
      provider_next_date: membership.provider_next_date,
      grace_from: membership.grace_from,
      unreadable_from: null,
      provisional_until: membership.provisional_until,
      ...shownByProvider(facts),
    },
    payments: recorded,
    replacesCurrent: false,
    problems: [...problems, ...more],
    receipts: [],
    endsAsMismatch: false,
  };
}

/** The provider's ids of the payments of the full price that were not known as received. */
function newReceipts({ payments: before, recorded, offer }: Facts): string[] {
  const received = new Set(before.filter(wasReceived).map(({ external_payment_id: id }) => id));
  return recorded
    .filter((payment) => countsAsPaid(payment) && !shortfallOf(offer, payment))
    .map(({ external_payment_id: id }) => id)
    .filter((id) => !received.has(id));
}

/** A settlement that begins a membership or changes its dates. @param ended_by null while its status is active */
function changed(facts: Facts, ended_by: EndedBy | null): Settlement {
  const { offer, membership, current, snapshot, recorded, problems, entitlement, now } = facts;
  const { date, provider_next_date, grace_from, provisional_until } = entitlement;
  const endedAt = ended_by === "provider" && date && date < now ? date : now;
  // One that ran out may still be charged, and paid: it is ended at the provider only where another took its place.
  const cancelThere =
    ended_by !== null &&
    (ended_by !== "provider" || current !== null) &&
    mustCancelAtProvider({ ...offer, provider_state: snapshot.state });
  return {
    checkoutStatus: statusAfter(ended_by),
    membership: {
      ...shownByProvider(facts),
      status: ended_by ? "cancelled" : "active",
      ended_by,
      cancelled_at: ended_by && (membership?.cancelled_at ?? endedAt),
      next_billing_date: date,
      provider_next_date,
      grace_from,
      unreadable_from: null,
      provisional_until,
      cancel_requested_at: membership?.cancel_requested_at ?? (cancelThere ? now : null),
    },
    payments: recorded,
    replacesCurrent: false,
    problems,
    receipts: newReceipts(facts),
    endsAsMismatch: false,
  };
}

/** The status of a checkout that led to a membership. What was paid twice or does not match gave no Gold and is refunded. */
const statusAfter = (ended_by: string | null) =>
  ended_by === "paid_twice" || ended_by === "mismatch" ? "mismatch" : "paid";

/** One case of a settlement; null where it does not apply. */
type Case = (facts: Facts) => Settlement | null;

/** Ended by a decision of ours: no snapshot brings it back, and a charge after its end is a problem. */
const endedByUs: Case = (facts) => {
  const { membership, recorded } = facts;
  const ends: (string | null)[] = ["person", "replaced", "paid_twice", "mismatch", "admin"];
  if (!membership || !ends.includes(membership.ended_by)) return null;
  // Each payment of it is reported as a mismatch already.
  if (membership.ended_by === "mismatch") return kept(facts, "mismatch");
  const after = recorded.filter((payment) => countsAsPaid(payment) && payment.paid_at > membership.cancelled_at!);
  const problems = after.map(({ external_payment_id }): Problem => {
    return { kind: "paid_after_end", payment: external_payment_id, reason: null };
  });
  return kept(facts, statusAfter(membership.ended_by), problems);
};

/** Whether the provider goes on charging it: only lifetime as we sell it is a single payment. */
const willChargeAgain = ({ state, plan_type, altered }: Snapshot): boolean =>
  (state === "active" || state === "suspended") && (plan_type !== "lifetime" || altered);

/** A settlement that gives no Gold, and ends at the provider what would be charged there each month. */
function endedAtProvider(facts: Facts): Settlement {
  const { membership, snapshot, now } = facts;
  const settlement = kept(facts, membership ? "paid" : "mismatch");
  if (!willChargeAgain(snapshot) || membership?.cancel_requested_at) return settlement;
  const known = settlement.membership ?? {
    ...shownByProvider(facts),
    status: "cancelled",
    ended_by: "mismatch",
    cancelled_at: now,
    next_billing_date: null,
    provider_next_date: null,
    grace_from: null,
    unreadable_from: null,
    provisional_until: null,
  };
  return { ...settlement, membership: { ...known, cancel_requested_at: now }, endsAsMismatch: true };
}

/** Not what was offered: it gives no Gold, and takes none away but when its money went back. */
const notAsOffered: Case = (facts) => {
  const { membership, mismatch, entitlement } = facts;
  return !mismatch || (membership && entitlement.grants === "refunded") ? null : endedAtProvider(facts);
};

/** Not paid: there is no membership and nothing to begin one with. */
const notPaid: Case = (facts) => {
  const { membership, entitlement, problems, isOver, snapshot } = facts;
  if (membership || entitlement.grants !== "none") return null;
  if (problems.some(({ kind }) => kind === "mismatch")) return endedAtProvider(facts);
  return kept(facts, isOver || snapshot.state === "failed" ? "failed" : null);
};

/** What was charged is less than was agreed, and nothing was ever paid in full: no charge of it will give Gold. */
const neverPaidInFull: Case = (facts) => {
  const { membership, offer, snapshot, payments } = facts;
  if (membership?.status !== "active" || membership.cancel_requested_at) return null;
  const received = [...payments, ...snapshot.payments].filter(wasReceived);
  const isShort = received.length > 0 && received.every((payment) => shortfallOf(offer, payment));
  return isShort ? endedAtProvider(facts) : null;
};

/** Refunded: the money of the current month, or of lifetime, went back. */
const refunded: Case = (facts) => (facts.entitlement.grants === "refunded" ? changed(facts, "refund") : null);

/** Paid twice: Gold was paid while another membership is in force; this one ends, and its money is to be refunded. */
const paidTwice: Case = (facts) => {
  if (!facts.isInForce || !isSecond(facts)) return null;
  const settlement = changed(facts, "paid_twice");
  const problem: Problem = { kind: "paid_twice", payment: null, reason: null };
  return { ...settlement, problems: [...settlement.problems, problem], receipts: [] };
};

/** In force: Gold until its date, in the place of a membership that is over or that this one upgrades. */
const inForce: Case = (facts) =>
  facts.isInForce ? { ...changed(facts, null), replacesCurrent: facts.current !== null } : null;

/** Ended: its date has passed, and nothing more will be paid or another membership has taken its place. */
const ended: Case = (facts) =>
  facts.entitlement.grants === "none" || facts.isOver || facts.current ? changed(facts, "provider") : null;

/** Overdue: its date has passed, but the provider may still charge it. What no other case decides. */
const overdue = (facts: Facts): Settlement => changed(facts, null);

/** The cases in the order in which they are tried: the first that applies decides. */
const CASES: readonly Case[] = [endedByUs, notAsOffered, notPaid, neverPaidInFull, refunded, paidTwice, inForce, ended];

const ENDED_STATES = ["cancelled", "expired"];

/** True if the provider shows for the first time that a month in force here, or overdue, was cancelled there. */
export const wasCancelledThere = (
  before: Pick<Membership, "plan_type" | "status" | "provider_state">,
  after: Pick<Membership, "ended_by" | "provider_state">,
): boolean =>
  before.plan_type === "monthly" &&
  before.status === "active" &&
  !ENDED_STATES.includes(before.provider_state) &&
  ENDED_STATES.includes(after.provider_state) &&
  (after.ended_by === null || after.ended_by === "provider");

/** Whether a newer snapshot was settled before, by the provider's clock or by ours. */
const isSuperseded = (membership: Membership | null, snapshot: Snapshot, now: Date): boolean =>
  Boolean(
    (membership?.provider_as_of && snapshot.as_of && snapshot.as_of < membership.provider_as_of) ||
      (membership?.read_at && membership.read_at > now),
  );

/**
 * Decides what a snapshot of the provider changes (specification, section 4.3). Pure, and the same for the browser's
 * return, a webhook event and the sweep. It depends on the whole snapshot and not on what has changed since the last one,
 * so webhook events may arrive in any order, twice, or never.
 * @param now when the reading of the provider began
 * @returns null when a newer snapshot was settled before
 */
export function settle(known: KnownState, snapshot: Snapshot, now: Date): Settlement | null {
  if (isSuperseded(known.membership, snapshot, now)) return null;
  const facts = factsOf(known, snapshot, now);
  for (const decide of CASES) {
    const settlement = decide(facts);
    if (settlement) return settlement;
  }
  return overdue(facts);
}
