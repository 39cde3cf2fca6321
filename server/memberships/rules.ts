import type { ErrorCode } from "#shared/errors.ts";
import type { Currency, PaymentMethod, PlanType, Provider } from "#shared/plans.ts";
import type { Viewer } from "../accounts/rules.ts";

const HOUR = 3600_000;
const DAY = 24 * HOUR;

/** A month of the monthly plan, until the payment service's own date is known (specification, section 9). */
export const MONTH = 30 * DAY;
/** A payment page left open for a day belongs to nobody any more; the services' own pages end sooner. */
export const CHECKOUT_LIFETIME = DAY;
/** Payment pages are looked at for so long, even after they ended here: cash takes days, and a notification may be lost. */
export const CHECKOUT_TRACKING = 30 * DAY;
/** The sweep comes by this often. */
export const SWEEP_INTERVAL = 10 * 60_000;
/** A renewal that is late while the service still says active extends the date by this, once. */
export const GRACE_PERIOD = 3 * DAY;
/**
 * A renewal counts as late this long before its date. Services charge at the date or after it: without this lead
 * every member would be without Gold from the date to the sweep that follows it.
 */
export const GRACE_LEAD = 2 * SWEEP_INTERVAL;
/** Gold on trust, where the first charge comes some time after the membership was agreed. */
export const PROVISIONAL_ACCESS = 72 * HOUR;
/** Places of the launch promotion. */
export const LAUNCH_PLACES = 100;

type Price = { amount: number; currency: Currency };

/** Prices in minor units (specification, section 9). A price that a browser sends is never looked at. */
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

/** Until when Gold lasts: the same rule as a moment, so that SQL can compare it with the clock. */
export function goldUntil(subscription: Subscription): Date | "infinity" | null {
  if (subscription.status !== "active") return null;
  return subscription.plan_type === "monthly" ? subscription.next_billing_date : "infinity";
}

export type Standing = "provisional" | "active" | "grace_period" | "past_due" | "ending" | "ended" | "revoked";

/**
 * How a membership stands, in one word:
 * `provisional` on trust until the first payment, `active`, `late` the renewal is overdue and waited for, `past_due` it
 * did not come, `ending` it runs out and does not renew, `ended`, `revoked` the money went back.
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

/** Who takes the payment of a card of the plans screen, or null while nobody does. */
export const providerFor = (
  method: PaymentMethod,
  payments: { demo: boolean; configured: readonly PaymentMethod[] },
): Provider | null => (payments.configured.includes(method) ? method : payments.demo ? "test" : null);

/** Whether a payment service wants to know beforehand with which account of its own somebody will pay. */
export const asksPayerEmail = (provider: Provider, plan: PlanType): boolean =>
  provider === "mercadopago" && plan === "monthly";

/** Places left in the launch promotion, or null when it is over. */
export const promotionPlaces = (lifetimeSold: number): { places: number; places_left: number } | null =>
  lifetimeSold < LAUNCH_PLACES ? { places: LAUNCH_PLACES, places_left: LAUNCH_PLACES - lifetimeSold } : null;

/** Why somebody may not see plans and memberships, or null: they are for psychologists. */
export const whyCannotSeePlans = (viewer: Pick<Viewer, "user_type"> | null): ErrorCode | null =>
  viewer?.user_type === "psychologist" ? null : "psychologists_only";

/** Whether a plan may be bought while another membership is in force: only from a month to a life. */
export const isUpgrade = (plan: string, current: Pick<Subscription, "plan_type">): boolean =>
  plan === "lifetime" && current.plan_type === "monthly";

/**
 * Why a psychologist may not buy now, or null. Nobody pays before they may answer, and nobody pays twice.
 * @param plan what they want to buy; null asks whether there is nothing left to buy but an upgrade
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

/** Why a membership cannot be cancelled, or null. Lifetime was paid once and stays. */
export const whyCannotCancel = (subscription: Pick<Subscription, "plan_type">): ErrorCode | null =>
  subscription.plan_type === "lifetime" ? "lifetime_not_cancelled" : null;

/** Whether somebody can still pay here, or is doing so. */
export const isCheckoutOpen = (
  checkout: { status: string; payment_pending: boolean; created_at: Date },
  now: Date,
): boolean =>
  checkout.status === "open" &&
  (checkout.payment_pending || now.getTime() - checkout.created_at.getTime() < CHECKOUT_LIFETIME);

/**
 * Whether a payment is under way that has not come yet: cash not handed over, or an agreement whose first charge is due.
 * Nobody should pay again meanwhile.
 */
export const hasPendingPayment = (snapshot: Snapshot): boolean =>
  snapshot.payments.some(({ status }) => status === "pending") ||
  (snapshot.charges_later && snapshot.state === "active");

/** The same day and time a month later; where that month is shorter, its last day. */
export function monthAfter(date: Date): Date {
  const next = new Date(date);
  next.setUTCMonth(date.getUTCMonth() + 1);
  // The 31st of a month of thirty days ran over into the month after it: back to the last day before.
  if (next.getUTCDate() !== date.getUTCDate()) next.setUTCDate(0);
  return next;
}

/** Where an agreement stands at the service: not agreed to yet; in force; charges halted; ended; never came to be. */
export type ProviderState = "pending" | "active" | "suspended" | "cancelled" | "expired" | "failed";

export type Payment = {
  external_payment_id: string;
  amount: number;
  currency: string;
  status: "pending" | "completed" | "failed" | "partially_refunded" | "refunded" | "reversed";
  /** Null: a part, and the service does not say how much. */
  refunded_amount: number | null;
  dispute: "open" | "won" | "lost" | null;
  external_dispute_id: string | null;
  paid_at: Date;
  /** As of when, by the service's clock; null where it does not say. */
  as_of: Date | null;
};

/** A payment as a service shows it. Whether it is disputed is left out where that stands elsewhere and was not asked. */
export type SnapshotPayment = Omit<Payment, "dispute" | "external_dispute_id"> &
  Partial<Pick<Payment, "dispute" | "external_dispute_id">>;

/** What a payment service says about one agreement, in our words. */
export type Snapshot = {
  state: ProviderState;
  as_of: Date | null;
  /** The psychologist or the checkout that it says this is for. */
  reference: string | null;
  /** Null: none of ours. */
  plan_type: PlanType | null;
  /** The service's own id of the plan, where it has plans. */
  plan_id: string | null;
  /** What it will charge, where it says so by itself; payments are checked one by one in any case. */
  price: { amount: number; currency: string } | null;
  /** Somebody changed the terms of the plan, or bought it several times. */
  altered: boolean;
  /** The first charge comes some time after the agreement. */
  charges_later: boolean;
  next_billing_date: Date | null;
  payments: SnapshotPayment[];
  /** The last payment as the agreement itself tells it, sometimes before the list of payments does. */
  last_payment: { amount: number; currency: string; paid_at: Date } | null;
  /** A payment that was said to be taken back although the service still shows it as paid. */
  unconfirmed_reversal: string | null;
};

export type Checkout = {
  id: string;
  psychologist_id: string;
  provider: string;
  plan_type: string;
  amount: number;
  currency: string;
};

/** A membership as we have it. */
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

export type KnownState = {
  checkout: Checkout;
  /** The membership of this very agreement, once there is one, and its payments. */
  membership: Membership | null;
  payments: Payment[];
  /** The psychologist's other membership whose status is active, if any. */
  current: Subscription | null;
  /** They had Gold on trust before, and that membership was never paid. */
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
/** Something a person has to look at. */
export type Problem = {
  kind: ProblemKind;
  /** The service's id of a payment; null where it is about the agreement itself. */
  payment: string | null;
  reason: Mismatch | null;
};
/** Problems that go away when what the service says changes. */
export const SELF_RESOLVING_PROBLEMS = ["partial_refund", "earlier_refund", "dispute"] as const satisfies ProblemKind[];

export type EndedBy = "person" | "provider" | "refund" | "replaced" | "paid_twice";

export type Settlement = {
  /** What became of the checkout; null: nothing new. */
  checkout: "paid" | "failed" | "mismatch" | null;
  /** Null: none came to be. */
  membership: Omit<Membership, "plan_type" | "read_at"> | null;
  payments: Payment[];
  /** The current membership ends with this one. */
  replacesCurrent: boolean;
  problems: Problem[];
  /** Payments whose receipt is due, by the service's ids. */
  receipts: string[];
};

/** Whether money came, whatever became of it. */
const wasReceived = (payment: Payment) => payment.status !== "pending" && payment.status !== "failed";
/** Whether money came and stayed. What is only disputed stays until that is decided. */
const countsAsPaid = (payment: Payment) =>
  (payment.status === "completed" || payment.status === "partially_refunded") && payment.dispute !== "lost";
/** Why a payment does not pay for what was bought, or null. */
const shortfallOf = (price: Checkout, payment: { amount: number; currency: string }): "currency" | "amount" | null =>
  payment.currency !== price.currency ? "currency" : payment.amount < price.amount ? "amount" : null;

const RANK: Record<Payment["status"], number> = {
  pending: 0,
  failed: 1,
  completed: 2,
  partially_refunded: 3,
  refunded: 4,
  reversed: 5,
};

/** A dispute as we have it, where it was not asked about or an older look at the same one shows it undecided. */
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

/** A payment as we have it and as it was read now: by the service's clock, else in the order in which payments go. */
function mergePayment(known: Payment | undefined, seen: SnapshotPayment): Payment {
  if (known?.as_of && seen.as_of)
    return seen.as_of < known.as_of ? known : { dispute: null, external_dispute_id: null, ...seen };
  const dispute = mergeDispute(known, seen);
  // A dispute that is won brings back what had been taken; one won long before says nothing of what was taken since.
  const back = known?.status === "reversed" && known.dispute !== "won" && dispute.dispute === "won";
  return { ...(!known || back || RANK[seen.status] >= RANK[known.status] ? seen : known), ...dispute };
}

/** Whether a text that a service kept for us can be an id of ours. */
export const isId = (text: string | null | undefined): text is string =>
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text ?? "");

/** What is not as it was offered, or null. */
export function mismatchOf(checkout: Checkout, snapshot: Snapshot): Mismatch | null {
  if (snapshot.plan_type !== checkout.plan_type) return "plan";
  if (snapshot.reference !== checkout.psychologist_id && snapshot.reference !== checkout.id) return "owner";
  if (snapshot.altered) return "altered";
  return snapshot.price && shortfallOf(checkout, snapshot.price);
}

/** The longest that a service's own date may run ahead of a month after the payment: 28 February to 31 March. */
const MONTH_LENGTH_TOLERANCE = 4 * DAY;

/**
 * The service's own date for the end of a month that was paid, as far as the money reaches; null while it tells none that
 * does. It may be in the past just after the beginning, and too far ahead after a charge that failed; then the one it
 * told before counts, which it may have forgotten.
 */
function providerEndDate(snapshot: Snapshot, known: Membership | null, paidAt: Date): Date | null {
  const latest = monthAfter(paidAt).getTime() + MONTH_LENGTH_TOLERANCE;
  const dates = [snapshot.next_billing_date, known?.provider_next_date ?? null];
  return dates.find((date) => date && date.getTime() > paidAt.getTime() + DAY && date.getTime() <= latest) ?? null;
}

/** The end of a month of which the service tells no date that counts. */
const computedEndDate = (snapshot: Snapshot, paidAt: Date) =>
  snapshot.state === "active" && !snapshot.next_billing_date ? new Date(paidAt.getTime() + MONTH) : monthAfter(paidAt);

/** What an agreement and its payments are access. The date is null for a life, else until when. */
type Entitlement = {
  access: "gold" | "refunded" | "none";
  date: Date | null;
  provider_next_date: Date | null;
  grace_from: Date | null;
  provisional_until: Date | null;
};

function entitlementOf(
  { checkout, membership, hadUnpaidProvisionalAccess }: KnownState,
  snapshot: Snapshot,
  payments: Payment[],
  now: Date,
): Entitlement {
  const provisional_until = membership?.provisional_until ?? null;
  const provider_next_date = membership?.provider_next_date ?? null;
  const date = membership?.next_billing_date ?? null;
  const none = { date, provider_next_date, grace_from: null, provisional_until };
  const paid = payments
    .filter((payment) => wasReceived(payment) && !shortfallOf(checkout, payment))
    .toSorted((one, other) => other.paid_at.getTime() - one.paid_at.getTime());
  const told =
    snapshot.last_payment && !shortfallOf(checkout, snapshot.last_payment) ? snapshot.last_payment.paid_at : null;
  // A day: what one service writes in two places need not agree to the second, and the month before is far away.
  const unlisted = told && payments.every(({ paid_at }) => paid_at.getTime() + DAY < told.getTime()) ? told : null;
  if (checkout.plan_type === "lifetime") {
    if (unlisted || paid.some(countsAsPaid)) return { ...none, access: "gold", date: null };
    return { ...none, access: paid.length ? "refunded" : "none" };
  }
  const paidAt = unlisted ?? paid[0]?.paid_at;
  if (paidAt) {
    if (!unlisted && !countsAsPaid(paid[0]!)) return { ...none, access: "refunded" };
    const own = providerEndDate(snapshot, membership, paidAt);
    const end = own ?? computedEndDate(snapshot, paidAt);
    const month = { ...none, access: "gold" as const, date: end, provider_next_date: own ?? provider_next_date };
    if (snapshot.state !== "active" || end.getTime() > now.getTime() + GRACE_LEAD) return month;
    return { ...month, date: new Date(end.getTime() + GRACE_PERIOD), grace_from: end };
  }
  if (!snapshot.charges_later || snapshot.state !== "active") return { ...none, access: "none" };
  // Once: or one agreement after the other that is never charged would be Gold for ever.
  if (hadUnpaidProvisionalAccess && !provisional_until) return { ...none, access: "none" };
  const until = provisional_until ?? new Date(now.getTime() + PROVISIONAL_ACCESS);
  return { ...none, access: "gold", date: until, provisional_until: until };
}

/** What a person has to look at, as far as it follows from what the service snapshot. */
function problemsOf(checkout: Checkout, snapshot: Snapshot, payments: Payment[], mismatch: Mismatch | null): Problem[] {
  const problems: Problem[] = [];
  const add = (kind: ProblemKind, payment: string | null, reason: Mismatch | null = null) =>
    problems.push({ kind, payment, reason });
  if (mismatch) add("mismatch", null, mismatch);
  const newest = Math.max(...payments.filter(wasReceived).map(({ paid_at }) => paid_at.getTime()));
  for (const payment of payments) {
    const id = payment.external_payment_id;
    const short = shortfallOf(checkout, payment);
    if (wasReceived(payment) && short) add("mismatch", id, short);
    if (payment.status === "partially_refunded") add("partial_refund", id);
    if (payment.dispute === "open") add("dispute", id);
    const gone = wasReceived(payment) && !countsAsPaid(payment);
    if (gone && checkout.plan_type === "monthly" && payment.paid_at.getTime() < newest) add("earlier_refund", id);
  }
  if (snapshot.unconfirmed_reversal) add("reversal", snapshot.unconfirmed_reversal);
  return problems;
}

/**
 * Whether its owner can still end a membership: a month that is not over at the service, in force here or not, since the
 * service may go on trying to charge it.
 */
export const canBeCancelled = (
  one: Pick<Membership, "plan_type" | "status" | "ended_by"> & { provider: string; provider_state: string },
): boolean =>
  one.plan_type !== "lifetime" &&
  (one.status === "active"
    ? one.provider_state !== "cancelled" && one.provider_state !== "expired"
    : one.ended_by === "provider" && mustCancelAtProvider(one));

/** Whether a service has to be told that a membership is over, or it might charge again. A life is one payment. */
export const mustCancelAtProvider = (one: { provider: string; plan_type: string; provider_state: string }): boolean =>
  one.provider !== "test" &&
  one.plan_type === "monthly" &&
  (one.provider_state === "active" || one.provider_state === "suspended");

/** What became of an checkout that led to a membership: of money that will go back nobody reads that it brought them Gold. */
const checkoutStatusAfter = (ended_by: string | null) =>
  ended_by === "paid_twice" ? ("mismatch" as const) : ("paid" as const);

/** Ends that were decided here. Whatever a service says afterwards, such a membership stays ended. */
const isFinal = (ended_by: string | null) =>
  ended_by === "person" || ended_by === "replaced" || ended_by === "paid_twice";

/**
 * What follows from what a payment service says (specification, section 4.3). Pure, and the same whoever asked: the
 * browser's return, a notification or the sweep. It follows from the service's word as a whole, not from what changed,
 * so that notifications may come in any order, twice, or never.
 * @param now when the reading began
 * @returns null when something newer was read before
 */
export function settle(known: KnownState, snapshot: Snapshot, now: Date): Settlement | null {
  const { checkout, membership, current } = known;
  if (membership?.provider_as_of && snapshot.as_of && snapshot.as_of < membership.provider_as_of) return null;
  if (membership?.read_at && membership.read_at > now) return null;

  const earlier = new Map(known.payments.map((payment) => [payment.external_payment_id, payment]));
  const seen = snapshot.payments.map((one) => [
    one.external_payment_id,
    mergePayment(earlier.get(one.external_payment_id), one),
  ]);
  const all: Payment[] = [...new Map([...earlier, ...(seen as [string, Payment][])]).values()];
  // Money of another currency has no place in our books; it is a problem all the same.
  const payments = all.filter(({ currency, amount }) => currency === checkout.currency && amount > 0);

  const unagreed = snapshot.state === "pending" || snapshot.state === "failed";
  const over = snapshot.state === "cancelled" || snapshot.state === "expired";
  const mismatch = unagreed ? null : mismatchOf(checkout, snapshot);
  const problems = problemsOf(checkout, snapshot, all, mismatch);
  const unchanged = { payments, problems, replacesCurrent: false, receipts: [] };
  const wanted = membership?.cancel_requested_at ?? null;
  const reading = {
    provider_state: snapshot.state,
    provider_as_of: snapshot.as_of ?? membership?.provider_as_of ?? null,
    cancel_requested_at: wanted,
    cancel_confirmed_at: membership?.cancel_confirmed_at ?? (wanted && over ? now : null),
  };
  const asItWas = membership && {
    status: membership.status,
    ended_by: membership.ended_by,
    cancelled_at: membership.cancelled_at,
    next_billing_date: membership.next_billing_date,
    provider_next_date: membership.provider_next_date,
    grace_from: membership.grace_from,
    provisional_until: membership.provisional_until,
    ...reading,
  };

  if (membership && isFinal(membership.ended_by)) {
    const after = payments.filter((payment) => countsAsPaid(payment) && payment.paid_at > membership.cancelled_at!);
    for (const { external_payment_id } of after)
      problems.push({ kind: "paid_after_end", payment: external_payment_id, reason: null });
    return { ...unchanged, checkout: checkoutStatusAfter(membership.ended_by), membership: asItWas };
  }
  const { access, ...entitlement } = entitlementOf(known, snapshot, all, now);
  // What was begun before stays as it is, unless its money went back; what was not does not begin.
  if (mismatch && !(membership && access === "refunded"))
    return { ...unchanged, checkout: membership ? "paid" : "mismatch", membership: asItWas };

  if (!membership && access === "none") {
    const short = problems.some(({ kind }) => kind === "mismatch");
    return {
      ...unchanged,
      checkout: short ? "mismatch" : over || snapshot.state === "failed" ? "failed" : null,
      membership: null,
    };
  }

  const inForce = access === "gold" && (entitlement.date === null || entitlement.date > now);
  const rival = current && isActive(current, now) && !isUpgrade(checkout.plan_type, current);
  let ended_by: EndedBy | null = null;
  if (access === "refunded") ended_by = "refund";
  else if (inForce) ended_by = rival ? "paid_twice" : null;
  else if (access === "none" || over || current) ended_by = "provider";
  if (ended_by === "paid_twice") problems.push({ kind: "paid_twice", payment: null, reason: null });

  const ended = entitlement.date && entitlement.date < now && ended_by === "provider" ? entitlement.date : now;
  const next = { plan_type: checkout.plan_type, provider: checkout.provider, provider_state: snapshot.state };
  const tell = ended_by && (ended_by !== "provider" || current) && mustCancelAtProvider(next);
  const isNew = ({ external_payment_id: id }: Payment) => !earlier.has(id) || !wasReceived(earlier.get(id)!);
  const receipts = payments.filter(
    (payment) => isNew(payment) && countsAsPaid(payment) && !shortfallOf(checkout, payment),
  );
  return {
    ...unchanged,
    checkout: checkoutStatusAfter(ended_by),
    membership: {
      ...reading,
      status: ended_by ? "cancelled" : "active",
      ended_by,
      cancelled_at: ended_by && (membership?.cancelled_at ?? ended),
      next_billing_date: entitlement.date,
      provider_next_date: entitlement.provider_next_date,
      grace_from: entitlement.grace_from,
      provisional_until: entitlement.provisional_until,
      cancel_requested_at: wanted ?? (tell ? now : null),
    },
    replacesCurrent: inForce && current !== null && !rival,
    receipts: ended_by === "paid_twice" ? [] : receipts.map(({ external_payment_id }) => external_payment_id),
  };
}
