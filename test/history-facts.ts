/** Payments of a history as providers and the product show them. */
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
export function isUnknownAtEnd({ cancelled_at, next_billing_date }: MembershipView, sale: Sale): boolean {
  const [end, date] = [Date.parse(cancelled_at ?? ""), Date.parse(next_billing_date ?? "")];
  return sale.at > end || (date < end && sale.at > date - 14 * DAY && monthLater(sale.at) > end);
}
