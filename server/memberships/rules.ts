import type { ErrorCode } from "#shared/errors.ts";
import type { Currency, PaymentMethod, PlanType, Provider } from "#shared/plans.ts";
import type { Viewer } from "../sessions/viewer.ts";

const HOUR = 3600_000;
const DAY = 24 * HOUR;

/** A month of the monthly plan, until the provider's own date is known (specification, section 9). */
export const MONTH = 30 * DAY;
/** A checkout that nobody has paid expires after this; the providers' own payment pages end sooner. */
export const CHECKOUT_LIFETIME = DAY;
/** Checkouts are read for this long, also after they expired here: cash takes days, and a webhook event may be lost. */
export const CHECKOUT_TRACKING = 30 * DAY;
/** How often the sweep runs. */
const SWEEP_INTERVAL = 10 * 60_000;
/** While a renewal is overdue and the provider still says active, Gold lasts this much longer, once per renewal. */
export const GRACE_PERIOD = 3 * DAY;
/**
 * The grace period begins this long before the date of the renewal. Providers charge at that date or after it: without
 * this lead every member would be without Gold from the date to the next sweep.
 */
export const GRACE_LEAD = 2 * SWEEP_INTERVAL;
/** How long Gold lasts before the first charge, where the provider charges some time after the buyer has agreed. */
export const PROVISIONAL_ACCESS = 72 * HOUR;
/** Places of the launch promotion. */
export const LAUNCH_PLACES = 100;

type Price = { amount: number; currency: Currency };

/** Prices in minor units (specification, section 9). A price that a browser sends is ignored. */
export const PRICES: Record<PaymentMethod, Record<PlanType, Price>> = {
  paypal: { monthly: { amount: 499, currency: "USD" }, lifetime: { amount: 4999, currency: "USD" } },
  mercadopago: { monthly: { amount: 499_900, currency: "ARS" }, lifetime: { amount: 4_999_900, currency: "ARS" } },
};

export type Subscription = { plan_type: string; status: string; next_billing_date: Date | null };

/** Whether a membership is in force (specification, section 4): lifetime, a month not over yet, or any other plan, while its status is active. */
export function isActive(subscription: Subscription, now: Date): boolean {
  if (subscription.status !== "active") return false;
  if (subscription.plan_type !== "monthly") return true;
  return subscription.next_billing_date !== null && subscription.next_billing_date > now;
}

/** When Gold ends: the rule of `isActive` as a moment, so that SQL can compare it with the clock. */
export function goldUntil(subscription: Subscription): Date | "infinity" | null {
  if (subscription.status !== "active") return null;
  return subscription.plan_type === "monthly" ? subscription.next_billing_date : "infinity";
}

export type Standing = "provisional" | "active" | "grace_period" | "past_due" | "ending" | "ended" | "revoked";

/**
 * The standing of a membership: `provisional` until the first payment, `active`, `grace_period` while the renewal is
 * overdue, `past_due` when it was not paid, `ending` when it does not renew, `ended`, `revoked` when the money went back.
 */
export function standingOf(one: Subscription & Omit<Membership, "plan_type" | "read_at">, now: Date): Standing {
  if (one.status !== "active") return one.ended_by === "refund" ? "revoked" : "ended";
  if (one.plan_type !== "monthly") return "active";
  const over = one.provider_state === "cancelled" || one.provider_state === "expired";
  if (!isActive(one, now)) return over || one.provider_state === "active" ? "ended" : "past_due";
  if (over) return "ending";
  if (one.provider_state === "suspended") return "past_due";
  if (one.provisional_until?.getTime() === one.next_billing_date?.getTime()) return "provisional";
  return one.grace_from ? "grace_period" : "active";
}

/** Which provider takes the payment for a card of the plans screen, or null while none does. */
export const providerFor = (
  method: PaymentMethod,
  payments: { demo: boolean; configured: readonly PaymentMethod[] },
): Provider | null => (payments.configured.includes(method) ? method : payments.demo ? "test" : null);

/** Whether a provider needs to know the e-mail of the paying account before the checkout begins. */
export const asksPayerEmail = (provider: Provider, plan: PlanType): boolean =>
  provider === "mercadopago" && plan === "monthly";

/** Places left in the launch promotion, or null when it is over. */
export const promotionPlaces = (lifetimeSold: number): { places: number; places_left: number } | null =>
  lifetimeSold < LAUNCH_PLACES ? { places: LAUNCH_PLACES, places_left: LAUNCH_PLACES - lifetimeSold } : null;

/** Why a viewer may not see plans and memberships, or null: only psychologists may. */
export const whyCannotSeePlans = (viewer: Pick<Viewer, "user_type"> | null): ErrorCode | null =>
  viewer?.user_type === "psychologist" ? null : "psychologists_only";

/** Whether a plan may be bought while another membership is in force: only lifetime, instead of monthly. */
export const isUpgrade = (plan: string, current: Pick<Subscription, "plan_type">): boolean =>
  plan === "lifetime" && current.plan_type === "monthly";

/**
 * Why a psychologist may not buy now, or null: they must be verified and have no membership in force, except for an upgrade.
 * @param plan the plan to buy; null where none is chosen yet, so that an upgrade does not count
 */
export function whyCannotSubscribe(
  psychologist: { is_verified: boolean },
  current: Subscription | null,
  plan: PlanType | null,
  now: Date,
): "subscribe_not_verified" | "already_subscribed" | null {
  if (current && isActive(current, now) && !(plan && isUpgrade(plan, current))) return "already_subscribed";
  return psychologist.is_verified ? null : "subscribe_not_verified";
}

/** Why a membership cannot be cancelled, or null. Lifetime is paid once and has no further charges. */
export const whyCannotCancel = (subscription: Pick<Subscription, "plan_type">): ErrorCode | null =>
  subscription.plan_type === "lifetime" ? "lifetime_not_cancelled" : null;

/** Whether a checkout can still be paid, or a payment for it is pending. */
export const isCheckoutOpen = (
  checkout: { status: string; payment_pending: boolean; created_at: Date },
  now: Date,
): boolean =>
  checkout.status === "open" &&
  (checkout.payment_pending || now.getTime() - checkout.created_at.getTime() < CHECKOUT_LIFETIME);

/**
 * Whether a payment has begun and is not complete: cash not handed over, or a provider subscription whose first charge is
 * due. The buyer is not asked to pay again meanwhile.
 */
export const hasPendingPayment = (snapshot: Snapshot): boolean =>
  snapshot.payments.some(({ status }) => status === "pending") ||
  (snapshot.charges_later && snapshot.state === "active");

/** The same day and time a month later, or the last day of a shorter month. */
export function monthAfter(date: Date): Date {
  const next = new Date(date);
  next.setUTCMonth(date.getUTCMonth() + 1);
  // The 31st does not exist in every month: `setUTCMonth` has moved on to the next one, and day 0 goes back.
  if (next.getUTCDate() !== date.getUTCDate()) next.setUTCDate(0);
  return next;
}

/** The state of a provider subscription: not approved yet, active, charges stopped, ended, or never approved. */
export type ProviderState = "pending" | "active" | "suspended" | "cancelled" | "expired" | "failed";

export type Payment = {
  external_payment_id: string;
  amount: number;
  currency: string;
  status: "pending" | "completed" | "failed" | "partially_refunded" | "refunded" | "reversed";
  /** Null when a part was refunded and the provider does not say how much. */
  refunded_amount: number | null;
  dispute: "open" | "won" | "lost" | null;
  external_dispute_id: string | null;
  paid_at: Date;
  /** When this was so by the provider's clock; null where it does not say. */
  as_of: Date | null;
};

/** A payment as a provider shows it. The dispute is absent where the provider keeps disputes elsewhere and was not asked. */
export type SnapshotPayment = Omit<Payment, "dispute" | "external_dispute_id"> &
  Partial<Pick<Payment, "dispute" | "external_dispute_id">>;

/** A provider subscription and its payments as the provider shows them now, in one shape for all providers. */
export type Snapshot = {
  state: ProviderState;
  as_of: Date | null;
  /** Our id that the provider keeps with it: that of the psychologist or of the checkout. */
  reference: string | null;
  /** Null when the provider's plan is none of ours. */
  plan_type: PlanType | null;
  /** The provider's id of the plan, where it has plans. */
  plan_id: string | null;
  /** The recurring price, where the provider tells it; each payment is checked in any case. */
  price: { amount: number; currency: string } | null;
  /** The terms of the plan were changed for this one, or its quantity is not one. */
  altered: boolean;
  /** The first charge comes some time after the buyer has agreed. */
  charges_later: boolean;
  next_billing_date: Date | null;
  payments: SnapshotPayment[];
  /** The last payment as the subscription itself shows it, sometimes before the list of payments does. */
  last_payment: { amount: number; currency: string; paid_at: Date } | null;
  /** The id of a payment that a webhook event called reversed while the provider still shows it as paid. */
  unconfirmed_reversal: string | null;
};

/** What was offered, and to which psychologist. */
export type Checkout = {
  id: string;
  psychologist_id: string;
  provider: string;
  plan_type: string;
  amount: number;
  currency: string;
};

/** A membership as our database has it. */
export type Membership = Subscription & {
  ended_by: string | null;
  cancelled_at: Date | null;
  provider_state: string;
  provider_as_of: Date | null;
  provider_next_date: Date | null;
  read_at: Date | null;
  grace_from: Date | null;
  provisional_until: Date | null;
  cancel_requested_at: Date | null;
  cancel_confirmed_at: Date | null;
};

/** What our database knows before a snapshot is settled. */
export type KnownState = {
  checkout: Checkout;
  /** The membership of this provider subscription, once there is one, and its payments. */
  membership: Membership | null;
  payments: Payment[];
  /** The psychologist's other membership whose status is active, if any. */
  current: Subscription | null;
  /** They had provisional access with another provider subscription, which was never paid. */
  hadUnpaidProvisionalAccess: boolean;
};

export type Mismatch = "plan" | "owner" | "altered" | "amount" | "currency";
export type ProblemKind =
  | "mismatch"
  | "paid_twice"
  | "partial_refund"
  | "earlier_refund"
  | "dispute"
  | "reversal"
  | "paid_after_end";
/** Something that the administrator has to look at. */
export type Problem = {
  kind: ProblemKind;
  /** The provider's id of a payment; null where it concerns the provider subscription itself. */
  payment: string | null;
  reason: Mismatch | null;
};
/** Problems that are resolved when a later snapshot does not show them any more. */
export const SELF_RESOLVING_PROBLEMS = ["partial_refund", "earlier_refund", "dispute"] as const satisfies ProblemKind[];

type EndedBy = "person" | "provider" | "refund" | "replaced" | "paid_twice";

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
};

/** Whether the money was received, also when it went back later. */
const wasReceived = (payment: Payment) => payment.status !== "pending" && payment.status !== "failed";
/** Whether the money was received and not given back. An open dispute changes nothing until it is decided. */
const countsAsPaid = (payment: Payment) =>
  (payment.status === "completed" || payment.status === "partially_refunded") && payment.dispute !== "lost";
/** Why a payment does not cover the price, or null. */
const shortfallOf = (price: Checkout, payment: { amount: number; currency: string }): "currency" | "amount" | null =>
  payment.currency !== price.currency ? "currency" : payment.amount < price.amount ? "amount" : null;

/** The order in which a payment's status moves. */
const RANK: Record<Payment["status"], number> = {
  pending: 0,
  failed: 1,
  completed: 2,
  partially_refunded: 3,
  refunded: 4,
  reversed: 5,
};

/** The dispute of a payment: the known one where the snapshot did not ask, or still shows the same dispute as open. */
function mergeDispute(
  known: Payment | undefined,
  seen: SnapshotPayment,
): Pick<Payment, "dispute" | "external_dispute_id"> {
  const had = { dispute: known?.dispute ?? null, external_dispute_id: known?.external_dispute_id ?? null };
  if (seen.dispute === undefined) return had;
  const same = seen.external_dispute_id === had.external_dispute_id;
  if (same && had.dispute && seen.dispute === "open") return had;
  return { dispute: seen.dispute, external_dispute_id: seen.external_dispute_id ?? null };
}

/** The newer of the known and the read payment: by the provider's clock, else by the order of its statuses. */
function mergePayment(known: Payment | undefined, seen: SnapshotPayment): Payment {
  if (known?.as_of && seen.as_of)
    return seen.as_of < known.as_of ? known : { dispute: null, external_dispute_id: null, ...seen };
  const dispute = mergeDispute(known, seen);
  // Winning a dispute returns a reversed payment; a dispute that was won before does not undo a later reversal.
  const back = known?.status === "reversed" && known.dispute !== "won" && dispute.dispute === "won";
  return { ...(!known || back || RANK[seen.status] >= RANK[known.status] ? seen : known), ...dispute };
}

/** Whether a reference that a provider keeps for us can be an id of ours. */
export const isId = (text: string | null | undefined): text is string =>
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text ?? "");

/** How the snapshot differs from what was offered, or null. */
export function mismatchOf(checkout: Checkout, snapshot: Snapshot): Mismatch | null {
  if (snapshot.plan_type !== checkout.plan_type) return "plan";
  if (snapshot.reference !== checkout.psychologist_id && snapshot.reference !== checkout.id) return "owner";
  if (snapshot.altered) return "altered";
  return snapshot.price && shortfallOf(checkout, snapshot.price);
}

/** How far the provider's date may lie beyond a month after the payment: from 28 February to 31 March. */
const MONTH_LENGTH_TOLERANCE = 4 * DAY;

/**
 * The provider's date for the end of a paid month, or null when it gives none that the payment covers. Its date may be in
 * the past just after activation, and a month too far ahead after a failed charge; then the date it gave before counts.
 */
function providerEndDate(snapshot: Snapshot, known: Membership | null, paidAt: Date): Date | null {
  const latest = monthAfter(paidAt).getTime() + MONTH_LENGTH_TOLERANCE;
  const dates = [snapshot.next_billing_date, known?.provider_next_date ?? null];
  return dates.find((date) => date && date.getTime() > paidAt.getTime() + DAY && date.getTime() <= latest) ?? null;
}

/** The end of a paid month for which the provider gives no usable date. */
const computedEndDate = (snapshot: Snapshot, paidAt: Date) =>
  snapshot.state === "active" && !snapshot.next_billing_date ? new Date(paidAt.getTime() + MONTH) : monthAfter(paidAt);

/** What a provider subscription and its payments entitle to. `date` is when that ends, null for lifetime. */
type Entitlement = {
  grants: "gold" | "refunded" | "none";
  date: Date | null;
  provider_next_date: Date | null;
  grace_from: Date | null;
  provisional_until: Date | null;
};

/** What a snapshot and all known payments entitle to at a moment. */
function entitlementOf(
  { checkout, membership, hadUnpaidProvisionalAccess }: KnownState,
  snapshot: Snapshot,
  payments: Payment[],
  now: Date,
): Entitlement {
  const provisional_until = membership?.provisional_until ?? null;
  const provider_next_date = membership?.provider_next_date ?? null;
  const date = membership?.next_billing_date ?? null;
  const base = { date, provider_next_date, grace_from: null, provisional_until };
  const paid = payments
    .filter((payment) => wasReceived(payment) && !shortfallOf(checkout, payment))
    .toSorted((one, other) => other.paid_at.getTime() - one.paid_at.getTime());
  const last =
    snapshot.last_payment && !shortfallOf(checkout, snapshot.last_payment) ? snapshot.last_payment.paid_at : null;
  // A tolerance of a day: the provider's two records need not agree to the second, and the month before is far away.
  const unlisted = last && payments.every(({ paid_at }) => paid_at.getTime() + DAY < last.getTime()) ? last : null;
  if (checkout.plan_type === "lifetime") {
    if (unlisted || paid.some(countsAsPaid)) return { ...base, grants: "gold", date: null };
    return { ...base, grants: paid.length ? "refunded" : "none" };
  }
  const paidAt = unlisted ?? paid[0]?.paid_at;
  if (paidAt) {
    if (!unlisted && !countsAsPaid(paid[0]!)) return { ...base, grants: "refunded" };
    const theirs = providerEndDate(snapshot, membership, paidAt);
    const end = theirs ?? computedEndDate(snapshot, paidAt);
    const month = { ...base, grants: "gold" as const, date: end, provider_next_date: theirs ?? provider_next_date };
    if (snapshot.state !== "active" || end.getTime() > now.getTime() + GRACE_LEAD) return month;
    return { ...month, date: new Date(end.getTime() + GRACE_PERIOD), grace_from: end };
  }
  if (!snapshot.charges_later || snapshot.state !== "active") return { ...base, grants: "none" };
  // Given once: otherwise a series of provider subscriptions that are never charged would be Gold for ever.
  if (hadUnpaidProvisionalAccess && !provisional_until) return { ...base, grants: "none" };
  const until = provisional_until ?? new Date(now.getTime() + PROVISIONAL_ACCESS);
  return { ...base, grants: "gold", date: until, provisional_until: until };
}

/** The problems that a snapshot shows. */
function problemsOf(checkout: Checkout, snapshot: Snapshot, payments: Payment[], mismatch: Mismatch | null): Problem[] {
  const problems: Problem[] = [];
  const add = (kind: ProblemKind, payment: string | null, reason: Mismatch | null = null) =>
    problems.push({ kind, payment, reason });
  if (mismatch) add("mismatch", null, mismatch);
  const newest = Math.max(...payments.filter(wasReceived).map(({ paid_at }) => paid_at.getTime()));
  for (const payment of payments) {
    const id = payment.external_payment_id;
    const shortfall = shortfallOf(checkout, payment);
    if (wasReceived(payment) && shortfall) add("mismatch", id, shortfall);
    if (payment.status === "partially_refunded") add("partial_refund", id);
    if (payment.dispute === "open") add("dispute", id);
    const givenBack = wasReceived(payment) && !countsAsPaid(payment);
    if (givenBack && checkout.plan_type === "monthly" && payment.paid_at.getTime() < newest) add("earlier_refund", id);
  }
  if (snapshot.unconfirmed_reversal) add("reversal", snapshot.unconfirmed_reversal);
  return problems;
}

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

/** Whether an ended membership must also be cancelled at the provider, which might charge again. Lifetime is one payment. */
export const mustCancelAtProvider = (one: { provider: string; plan_type: string; provider_state: string }): boolean =>
  one.provider !== "test" &&
  one.plan_type === "monthly" &&
  (one.provider_state === "active" || one.provider_state === "suspended");

/** The status of a checkout that led to a membership. One that was paid twice gave no Gold and will be refunded. */
const checkoutStatusAfter = (ended_by: string | null) =>
  ended_by === "paid_twice" ? ("mismatch" as const) : ("paid" as const);

/** Whether a membership ended by a decision of ours: no later snapshot brings it back. */
const isFinal = (ended_by: string | null) =>
  ended_by === "person" || ended_by === "replaced" || ended_by === "paid_twice";

/**
 * Decides what a snapshot of the provider changes (specification, section 4.3). Pure, and the same for the browser's
 * return, a webhook event and the sweep. It depends on the whole snapshot and not on what has changed since the last one,
 * so webhook events may arrive in any order, twice, or never.
 * @param now when the reading of the provider began
 * @returns null when a newer snapshot was settled before
 */
export function settle(known: KnownState, snapshot: Snapshot, now: Date): Settlement | null {
  const { checkout, membership, current } = known;
  if (membership?.provider_as_of && snapshot.as_of && snapshot.as_of < membership.provider_as_of) return null;
  if (membership?.read_at && membership.read_at > now) return null;

  const knownPayments = new Map(known.payments.map((payment) => [payment.external_payment_id, payment]));
  const seen = snapshot.payments.map((one) => [
    one.external_payment_id,
    mergePayment(knownPayments.get(one.external_payment_id), one),
  ]);
  const all: Payment[] = [...new Map([...knownPayments, ...(seen as [string, Payment][])]).values()];
  // Payments in another currency are not recorded; they are still reported as problems.
  const payments = all.filter(({ currency, amount }) => currency === checkout.currency && amount > 0);

  const notApproved = snapshot.state === "pending" || snapshot.state === "failed";
  const over = snapshot.state === "cancelled" || snapshot.state === "expired";
  const mismatch = notApproved ? null : mismatchOf(checkout, snapshot);
  const problems = problemsOf(checkout, snapshot, all, mismatch);
  const unchanged = { payments, problems, replacesCurrent: false, receipts: [] };
  const cancelRequestedAt = membership?.cancel_requested_at ?? null;
  const providerFields = {
    provider_state: snapshot.state,
    provider_as_of: snapshot.as_of ?? membership?.provider_as_of ?? null,
    cancel_requested_at: cancelRequestedAt,
    cancel_confirmed_at: membership?.cancel_confirmed_at ?? (cancelRequestedAt && over ? now : null),
  };
  const keptMembership = membership && {
    status: membership.status,
    ended_by: membership.ended_by,
    cancelled_at: membership.cancelled_at,
    next_billing_date: membership.next_billing_date,
    provider_next_date: membership.provider_next_date,
    grace_from: membership.grace_from,
    provisional_until: membership.provisional_until,
    ...providerFields,
  };

  if (membership && isFinal(membership.ended_by)) {
    const after = payments.filter((payment) => countsAsPaid(payment) && payment.paid_at > membership.cancelled_at!);
    for (const { external_payment_id } of after)
      problems.push({ kind: "paid_after_end", payment: external_payment_id, reason: null });
    return { ...unchanged, checkoutStatus: checkoutStatusAfter(membership.ended_by), membership: keptMembership };
  }
  const { grants, ...entitlement } = entitlementOf(known, snapshot, all, now);
  // A mismatch begins no membership, and changes an existing one only when its money went back.
  if (mismatch && !(membership && grants === "refunded"))
    return { ...unchanged, checkoutStatus: membership ? "paid" : "mismatch", membership: keptMembership };

  if (!membership && grants === "none") {
    const paidWrongly = problems.some(({ kind }) => kind === "mismatch");
    return {
      ...unchanged,
      checkoutStatus: paidWrongly ? "mismatch" : over || snapshot.state === "failed" ? "failed" : null,
      membership: null,
    };
  }

  const inForce = grants === "gold" && (entitlement.date === null || entitlement.date > now);
  const conflicts = current && isActive(current, now) && !isUpgrade(checkout.plan_type, current);
  let ended_by: EndedBy | null = null;
  if (grants === "refunded") ended_by = "refund";
  else if (inForce) ended_by = conflicts ? "paid_twice" : null;
  else if (grants === "none" || over || current) ended_by = "provider";
  if (ended_by === "paid_twice") problems.push({ kind: "paid_twice", payment: null, reason: null });

  const ended = entitlement.date && entitlement.date < now && ended_by === "provider" ? entitlement.date : now;
  const next = { plan_type: checkout.plan_type, provider: checkout.provider, provider_state: snapshot.state };
  const cancelThere = ended_by && (ended_by !== "provider" || current) && mustCancelAtProvider(next);
  const isNew = ({ external_payment_id: id }: Payment) =>
    !knownPayments.has(id) || !wasReceived(knownPayments.get(id)!);
  const receipts = payments.filter(
    (payment) => isNew(payment) && countsAsPaid(payment) && !shortfallOf(checkout, payment),
  );
  return {
    ...unchanged,
    checkoutStatus: checkoutStatusAfter(ended_by),
    membership: {
      ...providerFields,
      status: ended_by ? "cancelled" : "active",
      ended_by,
      cancelled_at: ended_by && (membership?.cancelled_at ?? ended),
      next_billing_date: entitlement.date,
      provider_next_date: entitlement.provider_next_date,
      grace_from: entitlement.grace_from,
      provisional_until: entitlement.provisional_until,
      cancel_requested_at: cancelRequestedAt ?? (cancelThere ? now : null),
    },
    replacesCurrent: inForce && current !== null && !conflicts,
    receipts: ended_by === "paid_twice" ? [] : receipts.map(({ external_payment_id }) => external_payment_id),
  };
}
