/** Compares the product with the expected state of histories after its jobs ran. */
import { expect } from "vitest";
import type { MembershipView } from "#shared/memberships.ts";
import { MINUTE } from "#shared/time.ts";
import {
  allowedEnds,
  coveredAt,
  expectedProblems,
  goldEnds,
  isContinuing,
  isDisputed,
  isEndedByUs,
  isKnowable,
  isTold,
  isVisible,
  isWrong,
  knownSales,
  SEARCHED,
  statusOf,
  wasKept,
  wasReceived,
} from "./history-expectations.ts";
import type { HistoryRun } from "./history-runner.ts";
import { hasMalformedField, isForgotten, type Subscription, type World } from "./history-world.ts";
import type { OpenProblem } from "./payment-door.ts";
import { GRACE, monthLater, PROVISIONAL, UNREADABLE } from "./payment-terms.ts";

export type Shown = {
  began: number;
  gold: Map<string, number | null>;
  readings: Map<string, { at: number; isFailing: boolean }>;
  waiting: Set<string>;
  problems: OpenProblem[];
  /** By the person's id. */
  memberships: Map<string, MembershipView[]>;
};

const membershipOf = ({ id }: Subscription, all: MembershipView[]) =>
  all.find((one) => one.external_subscription_id === id);

/** Checks a person after the jobs ran. @param isLast true if everything was read long ago and no event is pending */
export function checkPerson(world: World, player: HistoryRun, shown: Shown, isLast: boolean): void {
  const all = shown.memberships.get(player.person.id) ?? [];
  const read = new Set<Subscription>();
  for (const { truth } of player.bought) {
    if (!isQuiet(world, truth, shown)) continue;
    const membership = membershipOf(truth, all);
    const reading = shown.readings.get(truth.id) ?? { at: 0, isFailing: false };
    if (reading.at >= shown.began || isLast) {
      read.add(truth);
      compareMembership(world, player, truth, all, reading.at);
      compareProblems(truth, membership, shown);
    }
  }
  const active = all.filter(({ status }) => status === "active");
  expect(active.length, "memberships in force at once").toBeLessThanOrEqual(1);
  checkGold(world, player, shown, active[0], read);
}

/** True if our jobs have nothing to do for a subscription: no event waits, and it can be read. */
function isQuiet(world: World, truth: Subscription, shown: Shown): boolean {
  if (world.down[truth.method] || (hasMalformedField(world, truth, "needed") && !isForgotten(truth))) return false;
  // The jobs leave a recent event in PayPal's list to its delivery.
  const isRecent = truth.listed > shown.began - 6 * MINUTE;
  const isWaiting = isRecent || [...truth.names].some((name) => shown.waiting.has(name));
  if (isWaiting) truth.met.add("an event that is tried again");
  return !isWaiting;
}

/** Compares payments and end of a membership with the data that the provider showed until the last reading. */
function compareMembership(
  world: World,
  player: HistoryRun,
  truth: Subscription,
  all: MembershipView[],
  readAt: number,
): void {
  const { shown } = truth;
  const membership = membershipOf(truth, all);
  if (!membership) {
    const isUnpaid = !shown || shown.state === "pending" || !shown.sales.some((sale) => isVisible(world, truth, sale));
    expect(isUnpaid || (isWrong(truth) && truth.plan === "lifetime"), "a membership").toBe(true);
    return;
  }
  comparePayments(world, truth, membership);
  const others = all.filter((other) => other !== membership);
  const { ended_by, status, next_billing_date } = membership;
  const allowed = allowedEnds(truth, membership, others, player.goldEndedAt, readAt);
  expect(allowed, "who ended it").toContain(ended_by);
  if (ended_by === "replaced") truth.met.add("two subscriptions: replaced");
  if (ended_by === "duplicate_payment") truth.met.add("two subscriptions: paid twice");
  expect(status, "status").toBe(ended_by ? "cancelled" : "active");
  if (membership.membership_status === "provisional")
    expect(Date.parse(next_billing_date!), "provisional Gold").toBeLessThanOrEqual(readAt + PROVISIONAL);
}

function comparePayments(world: World, truth: Subscription, { payments, ...more }: MembershipView): void {
  const sales = knownSales(truth, { payments, ...more });
  expect(sales.length, "payments that no one showed").toBe(payments.length);
  const ids = new Set(sales.map(({ id }) => id));
  const missing = (truth.shown?.sales ?? []).filter(
    (sale) => !ids.has(sale.id) && (isVisible(world, truth, sale) || (wasReceived(sale) && truth.told.has(sale.id))),
  );
  expect(missing, "payments that are not here").toEqual([]);
  const byId = new Map(payments.map((one) => [one.external_payment_id, one]));
  const here = sales.map(({ id }) => {
    const { status, disputed } = byId.get(id)!;
    return [id, status === "reversed" ? "refunded" : status, disputed];
  });
  expect(here, "payments").toEqual(sales.map((sale) => [sale.id, statusOf(sale), isDisputed(truth, sale)]));
}

function compareProblems(truth: Subscription, membership: MembershipView | undefined, shown: Shown): void {
  const open = shown.problems
    .filter(({ external_id, subscription }) => subscription === truth.id || truth.names.has(external_id))
    .map(({ kind, external_id }) => `${kind} ${external_id}`);
  const { must, may } = expectedProblems(truth, membership);
  const compared = open.filter((one) => must.includes(one) || !may.has(one)).toSorted();
  expect(compared, "problems for the administrator").toEqual(must);
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
  // An ended membership has its date or none.
  if (allowed.every((end) => end === null || end <= world.clock))
    expect(gold === null || gold <= world.clock, `Gold until ${gold}, not ${allowed}`).toBe(true);
  else expect(allowed, "when Gold ends").toContain(gold);
}

/** Checks after each run of the jobs that Gold always has a payment or a grant, and that no paying person lacks Gold. */
export function checkBounds(world: World, player: HistoryRun, shown: Shown, endedHere: ReadonlySet<string>): void {
  const gold = shown.gold.get(player.person.id) ?? 0;
  if (gold > world.clock) {
    const latest = player.bought.flatMap(({ truth }) => latestGold(world, truth, shown));
    expect(gold, "Gold that was not paid").toBeLessThanOrEqual(Math.max(player.grantedUntil ?? 0, ...latest));
    return;
  }
  if (player.deletedAt !== null) return;
  const isInterrupted = player.bought.some(
    ({ truth }) =>
      isQuiet(world, truth, shown) &&
      !isForgotten(truth) &&
      isPaidNow(world, truth) &&
      !endedHere.has(truth.id) &&
      truth.begun > (player.goldEndedAt ?? 0) &&
      isContinuing(truth),
  );
  expect(isInterrupted, "paid in time, without Gold").toBe(false);
}

/** Latest possible ends of Gold by the payments of a subscription, whatever of them the product knows. */
function latestGold(world: World, truth: Subscription, shown: Shown): number[] {
  // A returned payment is known after a reading.
  const isRead = isQuiet(world, truth, shown) && (shown.readings.get(truth.id)?.at ?? 0) >= shown.began;
  const paid = [...truth.sales, ...truth.seen.values()].filter(isRead ? wasKept : wasReceived);
  const isProvisional = truth.approved !== null && !paid.length && truth.method === "mercadopago";
  if (isProvisional) return [world.clock + PROVISIONAL + UNREADABLE];
  const isEndless = truth.plan === "lifetime";
  return paid.map(({ at }) => (isEndless ? Number.POSITIVE_INFINITY : monthLater(at) + GRACE + UNREADABLE));
}

/** True if the provider shows a payment that covers this moment, and the subscription was not ended by a person. */
function isPaidNow(world: World, truth: Subscription): boolean {
  const newest = truth.sales.findLast(wasReceived);
  if (isWrong(truth) || truth.cancelledHere !== null || !newest) return false;
  return wasKept(newest) && isVisible(world, truth, newest) && coveredAt(truth, world.clock);
}

/** Checks in the end that providers do not charge ended subscriptions, and that the product knows all changes. */
export function checkProviders(player: HistoryRun, shown: Shown): void {
  const { bought, deletedAt } = player;
  const all = shown.memberships.get(player.person.id) ?? [];
  const charging = bought.filter(
    ({ truth }) => truth.plan === "monthly" && (truth.state === "active" || truth.state === "suspended"),
  );
  for (const { truth } of charging) {
    const membership = membershipOf(truth, all);
    const isEnded = deletedAt !== null || isEndedByUs(membership);
    expect(isEnded, `charged after it ended by ${membership?.ended_by ?? "deletion"}`).toBe(false);
  }
  const inForce = all.find(({ status }) => status === "active");
  const allowed = inForce?.plan_type === "lifetime" ? 0 : 1;
  expect(charging.length, "subscriptions that charge the same person").toBeLessThanOrEqual(allowed);
  if (deletedAt !== null) return;
  for (const { truth } of bought) {
    const isActive = membershipOf(truth, all)?.status === "active";
    for (const sale of truth.sales) {
      const seen = truth.seen.get(sale.id);
      const mustBeKnown = isTold(truth, sale) || (isActive && isSearched(truth, sale.at, sale.updated));
      if (seen && wasReceived(sale) && mustBeKnown)
        expect([sale.id, statusOf(seen)], "payment as it was read last").toEqual([sale.id, statusOf(sale)]);
    }
  }
}

/** True if a reading finds a change of a payment without an event: old charges are not searched for. */
const isSearched = (truth: Subscription, paidAt: number, updatedAt: number): boolean =>
  !isForgotten(truth) &&
  (paidAt >= updatedAt - SEARCHED || (truth.method === "mercadopago" && truth.plan === "lifetime"));

/** Checks that the payments of a deleted account are a problem for the administrator if they have no owner. */
export function checkDeleted({ bought, deletedAt }: HistoryRun, shown: Shown): void {
  for (const { truth } of bought) {
    const late = truth.sales.filter((sale) => wasKept(sale) && sale.at > deletedAt! && isKnowable(truth, sale));
    const isReported = shown.problems.some(({ external_id }) => truth.names.has(external_id));
    expect(late.length === 0 || isReported, "money that nobody owns is reported").toBe(true);
  }
}
