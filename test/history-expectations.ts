/** Expected state of one subscription, calculated only from what its provider showed and what people decided. */
import type { MembershipView } from "#shared/memberships.ts";
import { DAY } from "#shared/time.ts";
import {
  coveredAt,
  isDisputed,
  isEndedByUs,
  isUnknownAtEnd,
  isWrong,
  knownSales,
  wasKept,
  wasReceived,
} from "./history-facts.ts";
import type { Subscription } from "./history-world.ts";
import { GRACE, monthLater } from "./payment-terms.ts";

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
