/** Expected state of one subscription, calculated only from what its provider showed and what people decided. */
import type { MembershipView } from "#shared/memberships.ts";
import { DAY } from "#shared/time.ts";
import { isForgotten, isFound, type Sale, type Subscription, type World } from "./history-world.ts";
import { GRACE, monthLater } from "./payment-terms.ts";

const ENDED_BY_US = ["person", "replaced", "duplicate_payment", "mismatch", "admin"];
/** Maximum age of a payment whose changes are searched for. Only a webhook event reports later ones. */
export const SEARCHED = 180 * DAY;

export const wasReceived = ({ status }: Sale) => status !== "failed";
export const wasKept = (sale: Sale) => sale.status === "completed" && sale.dispute !== "lost";
/** True if it is not what was offered, as far as the provider showed it: after a 404 only a payment shows its amount. */
export const isWrong = ({ quirks, tied, shown }: Subscription) =>
  quirks.wrong !== null && !tied && (shown !== null || quirks.wrong === "less");
export const isEndedByUs = (one: MembershipView | undefined) => ENDED_BY_US.includes(one?.ended_by ?? "");
/** The payments that the product knows, as a response showed them last, the oldest first. */
export const knownSales = ({ seen }: Subscription, membership: MembershipView | undefined): Sale[] =>
  (membership?.payments ?? [])
    .flatMap(({ external_payment_id: id }) => seen.get(id) ?? [])
    .toSorted((one, other) => one.at - other.at || (one.id < other.id ? -1 : 1));

/** True if the provider shows a payment to a reader of the subscription at this moment. */
export const isVisible = (world: World, truth: Subscription, sale: Sale) =>
  wasReceived(sale) && (truth.method === "paypal" || isFound(world, truth, sale));

/**
 * True if a response or an event can tell of a payment. PayPal lists charges only under their subscription, so nobody
 * learns of a charge without an event before a 404. MercadoPago's search finds charges without it.
 */
export const isKnowable = (truth: Subscription, { id }: Sale) =>
  truth.method === "mercadopago" || !isForgotten(truth) || truth.seen.has(id) || truth.told.has(id);

/** Whether the dispute of a payment is shown as open: MercadoPago has a status for it. */
export const isDisputed = ({ method }: Subscription, { dispute, status, reimbursed }: Sale) =>
  dispute === "open" && (method === "paypal" || (status === "completed" && !reimbursed));

/** True if an event reported the last change of a payment. */
export const isTold = ({ told }: Subscription, { id, updated }: Sale) => (told.get(id) ?? 0) >= updated;

/** The status of a payment for its owner. A refund and a reversal differ only for the administrator. */
export function statusOf(sale: Sale): string {
  const { status, refunded, dispute } = sale;
  if (status === "reversed" || (status !== "failed" && dispute === "lost")) return "refunded";
  return status === "completed" && refunded ? "partially_refunded" : status;
}

/** True if a month was paid before the Gold of the month before was over: that member is never without it. */
export function isContinuing({ plan, sales }: Subscription): boolean {
  const [before, newest] = sales.filter(wasReceived).slice(-2);
  return (
    plan === "monthly" &&
    newest !== undefined &&
    // A charged back payment ended Gold until a reading finds that the money was returned.
    !newest.reimbursed &&
    !newest.dispute &&
    wasKept(before!) &&
    newest.at <= monthLater(before!.at) + GRACE
  );
}

/**
 * True if a payment that was not returned covers a moment.
 * @param ended leaves out payments that became known after its end, which the administrator must see
 */
export const coveredAt = ({ plan, sales }: Subscription, at: number, ended?: MembershipView): boolean =>
  sales.some(
    (sale) =>
      wasKept(sale) &&
      sale.at <= at &&
      (plan === "lifetime" || at < monthLater(sale.at)) &&
      !(ended && isUnknownAtEnd(ended, sale)),
  );

/** True if a payment covers the end of a month that had run out: it was read later, or was made later. */
function isUnknownAtEnd({ cancelled_at, next_billing_date }: MembershipView, sale: Sale): boolean {
  const [end, date] = [Date.parse(cancelled_at ?? ""), Date.parse(next_billing_date ?? "")];
  return sale.at > end || (date < end && sale.at > date - 14 * DAY && monthLater(sale.at) > end);
}

/** Possible ends of a subscription's Gold; empty without Gold. */
export function goldEnds(truth: Subscription, membership: MembershipView): number[] {
  if (isWrong(truth) || isEndedByUs(membership)) return [];
  const isActive = truth.shown?.state === "active";
  const paid = knownSales(truth, membership).filter((sale) => wasReceived(sale) && sale.amount >= truth.price.amount);
  if (truth.plan === "lifetime") return paid.some(wasKept) ? [Number.POSITIVE_INFINITY] : [];
  const newest = paid.at(-1);
  // Provisional Gold: the product decides when it began, and `compareMembership` checks its length.
  if (!newest) return isActive ? [Date.parse(membership.next_billing_date ?? "")] : [];
  if (!wasKept(newest)) return [];
  // After the last day of a shorter month, a month may end on the day of the earlier payments.
  const isLastDay = new Date(newest.at + DAY).getUTCDate() === 1;
  const days = isLastDay ? paid.map((sale) => new Date(sale.at).getUTCDate()) : [];
  const months = [undefined, ...days].map((day) => monthLater(newest.at, day));
  return isActive ? months.map((month) => month + GRACE) : months;
}

/**
 * Lists the reasons with which a subscription may have ended when it was read; null if it is still in force.
 * @param goldEndedAt when the administrator ended all Gold, or null
 * @param others the person's other memberships
 */
export function allowedEnds(
  truth: Subscription,
  membership: MembershipView,
  others: MembershipView[],
  goldEndedAt: number | null,
  readAt: number,
): (string | null)[] {
  if (isWrong(truth)) return ["mismatch"];
  if (truth.cancelledHere !== null) return ["person"];
  const endedAt = Date.parse(membership.cancelled_at ?? "");
  const isReplaceable = others.some(
    (other) => other.plan_type === "lifetime" || !coveredAt(truth, endedAt, membership),
  );
  return [
    ...(goldEndedAt === null ? [] : ["admin"]),
    ...(others.length ? ["duplicate_payment"] : []),
    ...(isReplaceable ? ["replaced"] : []),
    ...endsOfProvider(truth, membership, others, readAt),
  ];
}

/** Lists the reasons that the payments and the provider's state allow, without a decision of a person or a rule. */
function endsOfProvider(
  truth: Subscription,
  membership: MembershipView,
  others: MembershipView[],
  readAt: number,
): (string | null)[] {
  const ends = goldEnds(truth, membership);
  if (!ends.length) return [knownSales(truth, membership).some(wasReceived) ? "refund" : "provider"];
  if (ends.some((end) => end > readAt)) return [null];
  if (!truth.shown || truth.shown.state === "cancelled" || truth.shown.state === "expired") return ["provider"];
  // A month that ran out may be read before or after another membership took its place.
  return others.some(({ status }) => status === "active") ? [null, "provider"] : [null];
}

/** Problems that the administrator must see, and all problems that may be shown, as "kind id". */
export function expectedProblems(
  truth: Subscription,
  membership: MembershipView | undefined,
): { must: string[]; may: Set<string> } {
  const { id, plan } = truth;
  const [must, may] = [new Set<string>(), new Set<string>()];
  const sales = membership ? knownSales(truth, membership) : [...truth.seen.values()];
  const received = sales.filter(wasReceived);
  const add = (isCertain: boolean, kind: string, of: string) => (isCertain ? must : may).add(`${kind} ${of}`);

  if (isWrong(truth))
    addMismatches(
      truth,
      received.map((sale) => sale.id),
      add,
    );
  // Once the money is returned, nothing is left to refund.
  if (membership?.ended_by === "duplicate_payment") add(received.some(wasKept), "duplicate_payment", id);
  if (membership?.provider_cancellation === "waiting") add(false, "cancellation_unconfirmed", id);
  const newest = Math.max(...received.map((sale) => sale.at));
  const isEndedAsPaid = isEndedByUs(membership) && membership!.ended_by !== "mismatch";
  for (const sale of sales) {
    if (sale.status === "completed" && sale.refunded) add(true, "partial_refund", sale.id);
    if (isDisputed(truth, sale)) add(true, "dispute", sale.id);
    if (sale.status === "reversed") add(true, "chargeback", sale.id);
    if (!wasReceived(sale)) continue;
    if (plan === "monthly" && !wasKept(sale) && sale.at < newest) add(true, "previous_period_refund", sale.id);
    if (isEndedAsPaid && isUnknownAtEnd(membership!, sale)) add(wasKept(sale), "payment_after_end", sale.id);
  }
  return { must: [...must].toSorted(), may: new Set([...may, ...must]) };
}

/** Adds a mismatch for each received payment. Before the first payment, the subscription itself is the mismatch. */
function addMismatches(
  { id, method, plan, quirks: { wrong }, shown }: Subscription,
  received: string[],
  add: (isCertain: boolean, kind: string, of: string) => void,
): void {
  const kind = `mismatch:${wrong === "less" ? "amount" : wrong}`;
  // Only a preapproval of MercadoPago shows a lower amount before charging it.
  const isShown = wrong !== "less" || (method === "mercadopago" && plan === "monthly");
  const isOpen = shown?.state === "active" || shown?.state === "suspended";
  add(!received.length && isShown && isOpen, kind, id);
  for (const sale of received) add(true, kind, sale);
}
