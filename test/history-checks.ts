/** Expected results of histories, calculated only from the data that providers showed and the decisions of people. */
import { expect } from "vitest";
import type { MembershipView } from "#shared/memberships.ts";
import { DAY, MINUTE } from "#shared/time.ts";
import {
  coveredAt,
  isContinuing,
  isDisputed,
  isEndedByUs,
  isKnowable,
  isTold,
  isUnknownAtEnd,
  isVisible,
  isWrong,
  knownSales,
  SEARCHED,
  statusOf,
  wasKept,
  wasReceived,
} from "./history-facts.ts";
import type { HistoryRun } from "./history-runner.ts";
import { hasMalformedField, isForgotten, type Subscription, type World } from "./history-world.ts";
import type { OpenProblem } from "./payment-door.ts";
import { GRACE, monthLater, PROVISIONAL, UNREADABLE } from "./payment-terms.ts";

/** State that the product shows after its jobs ran. */
export type Shown = {
  began: number;
  gold: Map<string, number | null>;
  readings: Map<string, { at: number; isFailing: boolean }>;
  waiting: Set<string>;
  problems: OpenProblem[];
  /** By the person's id. */
  memberships: Map<string, MembershipView[]>;
};

/** Lists the allowed ends of a subscription's Gold after its provider showed it; empty without Gold. */
function goldEnds(truth: Subscription, membership: MembershipView): number[] {
  const { plan, shown } = truth;
  if (isWrong(truth) || isEndedByUs(membership)) return [];
  const came = knownSales(truth, membership).filter((sale) => wasReceived(sale) && sale.amount >= truth.price.amount);
  if (plan === "lifetime") return came.some(wasKept) ? [Number.POSITIVE_INFINITY] : [];
  const newest = came.at(-1);
  // Only when it began is ours to say, within the bounds that are checked elsewhere.
  if (!newest) return shown?.state === "active" ? [Date.parse(membership.next_billing_date ?? "")] : [];
  if (!wasKept(newest)) return [];
  // After the last day of a shorter month, a month may end on the day of the earlier payments.
  const isLastDay = new Date(newest.at + DAY).getUTCDate() === 1;
  const days = isLastDay ? came.map((sale) => new Date(sale.at).getUTCDate()) : [];
  const months = [undefined, ...days].map((day) => monthLater(newest.at, day));
  if (shown?.state !== "active") return months;
  return months.map((month) => month + GRACE);
}

/** Compares the payments and the end of one subscription with the data that the provider showed until a moment. */
function compareMembership(
  world: World,
  player: HistoryRun,
  truth: Subscription,
  { all, at }: { all: MembershipView[]; at: number },
): void {
  const { shown } = truth;
  const membership = all.find((one) => one.external_subscription_id === truth.id);
  if (!membership) {
    const isNothing = !shown || shown.state === "pending" || !shown.sales.some((sale) => isVisible(world, truth, sale));
    expect(isNothing || (isWrong(truth) && truth.plan === "lifetime"), "a membership").toBe(true);
    return;
  }
  const sales = knownSales(truth, membership);
  expect(sales.length, "payments that no one showed").toBe(membership.payments.length);
  const ids = new Set(sales.map(({ id }) => id));
  const missing = (shown?.sales ?? []).filter(
    (sale) => !ids.has(sale.id) && (isVisible(world, truth, sale) || (wasReceived(sale) && truth.told.has(sale.id))),
  );
  expect(missing, "payments that are not here").toEqual([]);
  const payments = new Map(membership.payments.map((one) => [one.external_payment_id, one]));
  const here = sales.map(({ id }) => {
    const { status, disputed } = payments.get(id)!;
    return [id, status === "reversed" ? "refunded" : status, disputed];
  });
  expect(here, "payments").toEqual(sales.map((sale) => [sale.id, statusOf(sale), isDisputed(truth, sale)]));
  const ends = goldEnds(truth, membership);
  expect(membership.ended_by, "who ended it").toBe(endedBy(player, truth, all, ends, at));
  expect(membership.status, "status").toBe(membership.ended_by ? "cancelled" : "active");
  if (membership.membership_status === "provisional")
    expect(Date.parse(membership.next_billing_date!), "provisional Gold").toBeLessThanOrEqual(at + PROVISIONAL);
}

/** Returns the cause of a subscription's end here, or null. Of two subscriptions, checks only the reason. */
function endedBy(
  player: HistoryRun,
  truth: Subscription,
  all: MembershipView[],
  ends: number[],
  at: number,
): string | null {
  const one = all.find(({ external_subscription_id: id }) => id === truth.id)!;
  const others = all.filter((other) => other !== one);
  const is = one.ended_by ?? "";
  if (isWrong(truth)) return "mismatch";
  if (truth.cancelledHere !== null) return "person";
  if (player.goldEndedAt !== null && is === "admin") return "admin";
  if (is === "duplicate_payment" || is === "replaced") {
    const when = Date.parse(one.cancelled_at!);
    const couldBe = others.some(
      (other) => is === "duplicate_payment" || other.plan_type === "lifetime" || !coveredAt(truth, when, one),
    );
    expect(couldBe, `${is}, without another membership that allows it`).toBe(true);
    truth.met.add(`two subscriptions: ${is === "replaced" ? "replaced" : "paid twice"}`);
    return is;
  }
  const isOver = !truth.shown || truth.shown.state === "cancelled" || truth.shown.state === "expired";
  const hasOther = others.some((other) => other.status === "active");
  if (!ends.length) return knownSales(truth, one).some(wasReceived) ? "refund" : "provider";
  if (ends.some((end) => end > at)) return null;
  // One that ran out may be read before or after another took its place.
  return isOver ? "provider" : hasOther && is ? "provider" : null;
}

/** The problems of a subscription that the administrator must see, and further ones that may be shown. */
function expectedProblems(truth: Subscription, membership: MembershipView | undefined) {
  const { quirks, id, plan, shown } = truth;
  const must = new Set<string>();
  const may = new Set<string>();
  const sales = membership ? knownSales(truth, membership) : [...truth.seen.values()];
  const came = sales.filter(wasReceived);
  const newest = Math.max(...came.map((sale) => sale.at));
  const reason = quirks.wrong === "less" ? "amount" : quirks.wrong;
  if (isWrong(truth)) {
    may.add(`mismatch:${reason} ${id}`);
    // Only a preapproval of MercadoPago shows a lower amount before charging it.
    const isTold = quirks.wrong !== "less" || (truth.method === "mercadopago" && plan === "monthly");
    if (!came.length && isTold && (shown?.state === "active" || shown?.state === "suspended"))
      must.add(`mismatch:${reason} ${id}`);
    for (const sale of came) must.add(`mismatch:${reason} ${sale.id}`);
  }
  // Nothing is left to refund once the money went back.
  if (membership?.ended_by === "duplicate_payment") (came.some(wasKept) ? must : may).add(`duplicate_payment ${id}`);
  for (const sale of sales) {
    if (sale.status === "completed" && sale.refunded) must.add(`partial_refund ${sale.id}`);
    if (isDisputed(truth, sale)) must.add(`dispute ${sale.id}`);
    if (sale.status === "reversed") must.add(`chargeback ${sale.id}`);
    if (plan === "monthly" && wasReceived(sale) && !wasKept(sale) && sale.at < newest)
      must.add(`previous_period_refund ${sale.id}`);
    const isAfterEnd =
      isEndedByUs(membership) && membership!.ended_by !== "mismatch" && isUnknownAtEnd(membership!, sale);
    if (isAfterEnd && wasReceived(sale)) (wasKept(sale) ? must : may).add(`payment_after_end ${sale.id}`);
  }
  if (membership?.provider_cancellation === "waiting") may.add(`cancellation_unconfirmed ${id}`);
  for (const one of must) may.add(one);
  return { must: [...must].toSorted(), may };
}

function compareProblems(truth: Subscription, membership: MembershipView | undefined, shown: Shown): void {
  const open = shown.problems
    .filter(({ external_id, subscription }) => subscription === truth.id || truth.names.has(external_id))
    .map(({ kind, external_id }) => `${kind} ${external_id}`)
    .toSorted();
  const { must, may } = expectedProblems(truth, membership);
  const compared = open.filter((one) => must.includes(one) || !may.has(one));
  expect(compared, "problems for the administrator").toEqual(must);
}

/** True if our jobs have nothing to do for a subscription: no event waits, and it can be read. */
function isQuiet(world: World, truth: Subscription, shown: Shown): boolean {
  const { method, met } = truth;
  if (world.down[method] || (hasMalformedField(world, truth, "needed") && !isForgotten(truth))) return false;
  // A recent event in PayPal's list is left to its delivery.
  const isRecent = truth.listed > shown.began - 6 * MINUTE;
  const isWaiting = isRecent || [...truth.names].some((name) => shown.waiting.has(name));
  if (isWaiting) met.add("an event that is tried again");
  return !isWaiting;
}

/** Checks a person after the jobs ran. @param isLast true if everything was read long ago and no event is pending */
export function checkPerson(world: World, player: HistoryRun, shown: Shown, isLast: boolean): void {
  const all = shown.memberships.get(player.person.id) ?? [];
  const read = new Set<Subscription>();
  for (const { truth } of player.bought) {
    if (!isQuiet(world, truth, shown)) continue;
    const membership = all.find((one) => one.external_subscription_id === truth.id);
    const reading = shown.readings.get(truth.id) ?? { at: 0, isFailing: false };
    if (reading.at < shown.began && !isLast) {
      checkPatience(world, truth, membership, reading);
      continue;
    }
    read.add(truth);
    compareMembership(world, player, truth, { all, at: reading.at });
    compareProblems(truth, membership, shown);
  }
  const active = all.filter(({ status }) => status === "active");
  expect(active.length, "memberships in force at once").toBeLessThanOrEqual(1);
  checkGold(world, player, shown, active[0], read);
}

/** Checks that Gold lasts until the later end of the membership in force and of the grant. */
function checkGold(
  world: World,
  player: HistoryRun,
  shown: Shown,
  active: MembershipView | undefined,
  read: Set<Subscription>,
): void {
  const gold = shown.gold.get(player.person.id) ?? null;
  const granted = player.grantedUntil;
  const found = player.bought.find(({ truth }) => truth.id === active?.external_subscription_id);
  if (found && !read.has(found.truth)) return;
  const ends = found ? goldEnds(found.truth, active!) : [];
  const allowed = ends.length ? ends.map((end) => Math.max(end, granted ?? 0)) : [granted];
  // An ended membership keeps its date or has none.
  if (allowed.every((end) => end === null || end <= world.clock))
    expect(gold === null || gold <= world.clock, `Gold until ${gold}, not ${allowed}`).toBe(true);
  else expect(allowed, "when Gold ends").toContain(gold);
}

/** Checks that a subscription that these jobs did not read was read not long ago. */
function checkPatience(
  world: World,
  truth: Subscription,
  membership: MembershipView | undefined,
  { at, isFailing }: { at: number; isFailing: boolean },
): void {
  const now = world.clock;
  if ((membership && membership.status !== "active") || (!membership && (!truth.shown || isWrong(truth)))) return;
  if (!membership && (now - truth.begun > 30 * DAY || truth.shown?.state === "cancelled")) return;
  const date = Date.parse(membership?.next_billing_date ?? "");
  let allowed = DAY;
  if (membership?.plan_type === "lifetime") allowed = 7 * DAY;
  else if (date < now - 90 * DAY) allowed = 7 * DAY;
  else if (date <= now && membership?.membership_status !== "unreadable")
    allowed = Math.min(DAY, Math.max(9 * MINUTE, (now - date) / 6));
  // Failed readings are retried at growing intervals.
  if (isFailing) return;
  expect(now - at, "time since it was read").toBeLessThanOrEqual(allowed);
}

/** True if the provider shows a payment that covers this moment, and the subscription was not ended by a person. */
const isPaidNow = (world: World, truth: Subscription): boolean => {
  const newest = truth.sales.filter(wasReceived).at(-1);
  if (isWrong(truth) || truth.cancelledHere !== null || !newest) return false;
  return wasKept(newest) && isVisible(world, truth, newest) && coveredAt(truth, world.clock);
};

/**
 * Checks after each run of the jobs that Gold always has a payment or a grant, and that no paying person lacks Gold.
 * @returns true if a payment is shown and there is no Gold
 */
export function checkBounds(world: World, player: HistoryRun, shown: Shown, endedHere: ReadonlySet<string>): boolean {
  const gold = shown.gold.get(player.person.id) ?? null;
  const { clock } = world;
  const latest = player.bought.flatMap(({ truth }) => {
    // A returned payment is known after a reading.
    const isRead = isQuiet(world, truth, shown) && (shown.readings.get(truth.id)?.at ?? 0) >= shown.began;
    const paid = [...truth.sales, ...truth.seen.values()].filter(isRead ? wasKept : wasReceived);
    const ends = paid.map(({ at }) =>
      truth.plan === "lifetime" ? Number.POSITIVE_INFINITY : monthLater(at) + GRACE + UNREADABLE,
    );
    return truth.approved !== null && !paid.length && truth.method === "mercadopago"
      ? [clock + PROVISIONAL + UNREADABLE]
      : ends;
  });
  if (gold !== null && gold > clock)
    expect(gold, "Gold that was not paid").toBeLessThanOrEqual(Math.max(player.grantedUntil ?? 0, ...latest));
  const hasGold = gold !== null && gold > clock;
  if (hasGold || player.deletedAt !== null) return false;
  const paid = player.bought.filter(
    ({ truth }) =>
      isQuiet(world, truth, shown) &&
      !isForgotten(truth) &&
      isPaidNow(world, truth) &&
      !endedHere.has(truth.id) &&
      truth.begun > (player.goldEndedAt ?? 0),
  );
  expect(
    paid.some(({ truth }) => isContinuing(truth)),
    "paid in time, without Gold",
  ).toBe(false);
  return paid.length > 0;
}

/** Checks that providers do not charge ended subscriptions in the end, and that the product knows all changes. */
export function checkProviders(player: HistoryRun, shown: Shown): void {
  const all = shown.memberships.get(player.person.id) ?? [];
  const charging = player.bought.filter(
    ({ truth }) => truth.plan === "monthly" && (truth.state === "active" || truth.state === "suspended"),
  );
  for (const { truth } of charging) {
    const membership = all.find((one) => one.external_subscription_id === truth.id);
    if (player.deletedAt !== null || isEndedByUs(membership))
      expect(truth.state, `charged on after it ended by ${membership?.ended_by ?? "deletion"}`).toBe("cancelled");
  }
  const inForce = all.find(({ status }) => status === "active");
  expect(charging.length, "subscriptions that charge the same person").toBeLessThanOrEqual(
    inForce?.plan_type === "lifetime" ? 0 : 1,
  );
  if (player.deletedAt !== null) return;
  for (const { truth } of player.bought)
    for (const sale of truth.sales) {
      const seen = truth.seen.get(sale.id);
      const membership = all.find((one) => one.external_subscription_id === truth.id);
      // Ended subscriptions are not read any more, and old charges are not searched for: only events report their
      // changes.
      const isSearched =
        !isForgotten(truth) &&
        (sale.at >= sale.updated - SEARCHED || (truth.method === "mercadopago" && truth.plan === "lifetime"));
      if (!seen || !wasReceived(sale) || !(isTold(truth, sale) || (isSearched && membership?.status === "active")))
        continue;
      expect([sale.id, statusOf(seen)], "payment as it was read last").toEqual([sale.id, statusOf(sale)]);
    }
}

/** Checks that the payments of a deleted account are a problem for the administrator if they have no owner. */
export function checkDeleted({ bought, deletedAt }: HistoryRun, shown: Shown): void {
  for (const { truth } of bought) {
    const late = truth.sales.filter((sale) => wasKept(sale) && sale.at > deletedAt! && isKnowable(truth, sale));
    const isReported = shown.problems.some(({ external_id }) => truth.names.has(external_id));
    expect(late.length === 0 || isReported, "money that nobody owns is reported").toBe(true);
  }
}
