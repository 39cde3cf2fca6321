import type { EndReason, Mismatch } from "#shared/plans.ts";
import type { Payment, Snapshot } from "../../integrations/payment-provider.ts";
import { isUpgrade } from "../checkouts/rules.ts";
import {
  goldEnd,
  isActive,
  isGoldActive,
  isOverAtProvider,
  type Membership,
  mustCancelAtProvider,
  type TermAtProvider,
} from "../rules.ts";
import { type Entitlement, entitlementOf } from "./entitlement-rules.ts";
import { countsAsPaid, mergePayments, type Offer, paymentMismatch, wasReceived } from "./payment-rules.ts";
import { mismatchOf, type Problem, problemsOf } from "./problem-rules.ts";

/** Our database's state before a snapshot is settled. */
export type KnownState = {
  offer: Offer;
  /** The membership of this provider subscription, once there is one, and its payments. */
  membership: Membership | null;
  payments: Payment[];
  /** The psychologist's other membership whose status is active, if any. */
  current: TermAtProvider | null;
  /** They had provisional access with another provider subscription, which was never paid. */
  hadUnpaidProvisionalAccess: boolean;
  /** The payments that were reported as a mismatch before, by the provider's ids. */
  reported: { payment: string; reason: Mismatch | null }[];
};

/** Fields of a membership that a settlement changes. */
type Decided = Pick<
  Membership,
  "status" | "ended_by" | "cancelled_at" | "next_billing_date" | "provider_next_billing_date" | "provisional_until"
>;

/** Changes to write after a snapshot. */
export type ReconciliationPlan = {
  membership: Decided | null;
  /** Since when its end is wanted at the provider, and since when the provider shows it. */
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
/** Decision of a case. `wantsEnd`: the provider might charge again. */
type Decision = Omit<ReconciliationPlan, "problems" | "end_wanted_at" | "end_confirmed_at"> & { wantsEnd: boolean };

/** Input of the cases: known state, snapshot, and values derived from both. */
type Facts = KnownState & {
  snapshot: Snapshot;
  /** When the reading of the provider began. */
  now: Date;
  all: Payment[];
  /** The payments to store: in the currency of the offer. Others are only reported as problems. */
  recorded: Payment[];
  mismatch: Mismatch | null;
  /** Payments that were accepted while the subscription was as offered. */
  accepted: Payment[];
  isOver: boolean;
  entitlement: Entitlement;
  isEntitledNow: boolean;
};

function factsOf(known: KnownState, snapshot: Snapshot, now: Date): Facts {
  const { offer, membership, reported } = known;
  const payments = mergePayments(known.payments, snapshot.payments);
  const notApproved = snapshot.state === "pending" || snapshot.state === "failed";
  const mismatch = notApproved ? null : mismatchOf(offer, snapshot);
  // Payments received while it matched the offer stay accepted.
  const wasAccepted = membership !== null && membership.ended_by !== "mismatch";
  const entitlement = entitlementOf({ ...known, snapshot, payments, now });
  const { date, provisional_until } = entitlement;
  const term = { ...offer, status: "active", next_billing_date: date, provisional_until };
  const at = { state: snapshot.state, failing_since: null };
  return {
    ...known,
    snapshot,
    now,
    all: payments,
    recorded: payments.filter(({ currency, amount }) => currency === offer.currency && amount > 0),
    mismatch,
    accepted: wasAccepted
      ? known.payments.filter((one) => !reported.some(({ payment }) => payment === one.external_payment_id))
      : [],
    isOver: isOverAtProvider(snapshot.state),
    entitlement,
    isEntitledNow: entitlement.grants === "gold" && isGoldActive(goldEnd(term, at), now),
  };
}

/** True if this membership may not replace the current one, which is in force. */
const isSecond = ({ offer, current, now }: Facts): boolean =>
  current !== null && isActive(current, now) && !isUpgrade(offer.plan_type, current);

/** Leaves the membership unchanged, if there is one. */
const keepMembership = ({ membership, recorded }: Facts): Decision => ({
  membership: membership && {
    status: membership.status,
    ended_by: membership.ended_by,
    cancelled_at: membership.cancelled_at,
    next_billing_date: membership.next_billing_date,
    provider_next_billing_date: membership.provider_next_billing_date,
    provisional_until: membership.provisional_until,
  },
  wantsEnd: false,
  payments: recorded,
  replacesCurrent: false,
  receipts: [],
  endsAsMismatch: false,
});

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

/** A decision that begins a membership or changes its dates. @param ended_by null while its status is active */
function changeMembership(facts: Facts, ended_by: EndReason | null): Decision {
  const { offer, membership, current, snapshot, recorded, entitlement, now } = facts;
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
    payments: recorded,
    replacesCurrent: false,
    receipts: newReceipts(facts),
    endsAsMismatch: false,
  };
}

/** One case of a settlement. @returns null if it does not apply */
type Case = (facts: Facts) => Decision | null;

/** Of a deleted account, and not paid before: what is charged gives no Gold and is ended there. */
const abandoned: Case = (facts) => {
  const { offer, membership, recorded, snapshot } = facts;
  if (membership || offer.psychologist_id) return null;
  const paid = recorded.some(wasReceived);
  return {
    ...keepMembership(facts),
    membership: paid ? neverInForce("person", offer.created_at) : null,
    wantsEnd: willChargeAgain(snapshot),
  };
};

/** Ended by a decision of ours: no snapshot brings it back, and a charge after its end is a problem. */
const endedByUs: Case = (facts) => {
  const ends: (string | null)[] = ["person", "replaced", "duplicate_payment", "mismatch", "admin"];
  return facts.membership && ends.includes(facts.membership.ended_by) ? keepMembership(facts) : null;
};

/** True if the provider continues to charge it: only lifetime as we sell it is a single payment. */
const willChargeAgain = ({ state, plan_type, altered }: Snapshot): boolean =>
  (state === "active" || state === "suspended") && (plan_type !== "lifetime" || altered);

/** A decision that gives no Gold, and ends at the provider what would be charged there each month. */
function endedAtProvider(facts: Facts): Decision {
  const { offer, snapshot, now } = facts;
  const decision = keepMembership(facts);
  const membership = decision.membership ?? neverInForce("mismatch", now);
  if (!willChargeAgain(snapshot) || offer.end_wanted_at) return { ...decision, membership };
  return { ...decision, membership, wantsEnd: true, endsAsMismatch: true };
}

/** Not what was offered: it gives no Gold, and takes none away but when its money went back. */
const notAsOffered: Case = (facts) => {
  const { membership, mismatch, entitlement } = facts;
  return !mismatch || (membership && entitlement.grants === "refunded") ? null : endedAtProvider(facts);
};

/** Not paid: there is no membership, and no payment to begin one with. */
const notPaid: Case = (facts) => {
  const { membership, entitlement, all, offer } = facts;
  if (membership || entitlement.grants !== "none") return null;
  return all.some((payment) => wasReceived(payment) && paymentMismatch(offer, payment))
    ? endedAtProvider(facts)
    : keepMembership(facts);
};

/** The charge is less than the agreed amount, and no charge was ever paid in full: no charge of it will give Gold. */
const neverPaidInFull: Case = (facts) => {
  const { membership, offer, snapshot, payments } = facts;
  if (membership?.status !== "active" || offer.end_wanted_at) return null;
  const received = [...payments, ...snapshot.payments].filter(wasReceived);
  const isShort = received.length > 0 && received.every((payment) => paymentMismatch(offer, payment));
  return isShort ? endedAtProvider(facts) : null;
};

/** Refunded: the money of the current month, or of lifetime, went back. */
const refunded: Case = (facts) => (facts.entitlement.grants === "refunded" ? changeMembership(facts, "refund") : null);

/** Paid twice: Gold was paid while another membership is in force; this one ends, and its money is to be refunded. */
const paidTwice: Case = (facts) =>
  facts.isEntitledNow && isSecond(facts) ? { ...changeMembership(facts, "duplicate_payment"), receipts: [] } : null;

/** In force: Gold until its date, in the place of a membership that is over or that this one upgrades. */
const inForce: Case = (facts) =>
  facts.isEntitledNow ? { ...changeMembership(facts, null), replacesCurrent: facts.current !== null } : null;

/** Ended: its date has passed, and nothing more will be paid or another membership has taken its place. */
const ended: Case = (facts) =>
  facts.entitlement.grants === "none" || facts.isOver || facts.current ? changeMembership(facts, "provider") : null;

/** Overdue: its date has passed, but the provider may still charge it. The default case. */
const overdue = (facts: Facts): Decision => changeMembership(facts, null);

/** The cases in the order in which they are tried: the first that applies decides. */
const CASES: readonly Case[] = [
  abandoned,
  endedByUs,
  notAsOffered,
  notPaid,
  neverPaidInFull,
  refunded,
  paidTwice,
  inForce,
  ended,
];

/** True if the provider shows for the first time that a month in force here, or overdue, was cancelled there. */
export const wasCancelledThere = (
  before: Pick<Membership, "plan_type" | "status" | "state">,
  after: Pick<Membership, "ended_by" | "state">,
): boolean =>
  before.plan_type === "monthly" &&
  before.status === "active" &&
  !isOverAtProvider(before.state) &&
  isOverAtProvider(after.state) &&
  (after.ended_by === null || after.ended_by === "provider");

function decide(facts: Facts): Decision {
  for (const applies of CASES) {
    const decision = applies(facts);
    if (decision) return decision;
  }
  return overdue(facts);
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
  if (
    offer.provider_updated_at &&
    snapshot.provider_updated_at &&
    snapshot.provider_updated_at < offer.provider_updated_at
  )
    return null;
  const facts = factsOf(known, snapshot, now);
  const { wantsEnd, ...decision } = decide(facts);
  // An end that was wanted because nothing had been paid.
  const isPaidAfterAll = !known.membership && decision.membership?.status === "active";
  const end_wanted_at = isPaidAfterAll ? null : (offer.end_wanted_at ?? (wantsEnd ? now : null));
  const end = {
    end_wanted_at,
    // One that the provider ended by itself counts as confirmed.
    end_confirmed_at: known.membership?.end_confirmed_at ?? (end_wanted_at && facts.isOver ? now : null),
    end_closed_at: known.membership?.end_closed_at ?? null,
  };
  const problems = problemsOf({ ...facts, payments: facts.all, membership: decision.membership, end });
  return { ...decision, end_wanted_at, end_confirmed_at: end.end_confirmed_at, problems };
}
