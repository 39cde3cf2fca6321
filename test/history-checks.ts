/** What our database has to show of histories: calculated from what the provider showed, and from nothing of ours. */
import { expect } from "vitest";
import { GRACE_PERIOD, UNREADABLE_PERIOD } from "#server/memberships/rules.ts";
import { monthAfter, PROVISIONAL_ACCESS } from "#server/memberships/settlement/entitlement-rules.ts";
import { DAY, MINUTE } from "#shared/time.ts";
import type { TestApp } from "./app.ts";
import { isFound, isStrange, type Sale, type Truth, type World } from "./provider-truths.ts";

type Row = {
  id: string;
  status: string;
  ended_by: string | null;
  next_billing_date: Date | null;
  provisional_until: Date | null;
  state: string;
  read_at: Date;
  failing_since: Date | null;
  failures: number;
  due_at: Date | null;
  end_wanted_at: Date | null;
};
type Paid = { external_payment_id: string; status: string; dispute: string | null };
/** What our database has of one history. */
export type View = {
  row: Row | null;
  gold: number | null;
  current: string | null;
  payments: Paid[];
  checkoutRead: number | null;
  isFailing: boolean;
  due: number | null;
};

/** What our database has of these people, by their id. */
export async function viewsOf(app: TestApp, people: string[]): Promise<Map<string, View>> {
  const profiles = await app.sql<{
    id: string;
    gold_until: Date | number | null;
    subscription_id: string | null;
    checkout_read: Date | null;
    failing_since: Date | null;
    due_at: Date | null;
  }>(
    `select p.id, p.gold_until, p.subscription_id, c.read_at as checkout_read, c.failing_since, c.due_at
     from psychologist_profiles p join checkouts c on c.psychologist_id = p.id where p.id = any($1)`,
    [people],
  );
  const rows = await app.sql<Row & { psychologist_id: string }>(
    `select s.*, c.state, c.read_at, c.failing_since, c.failures, c.due_at, c.end_wanted_at
     from subscriptions s join checkouts c on c.id = s.checkout_id where s.psychologist_id = any($1)`,
    [people],
  );
  const paid = await app.sql<Paid & { subscription_id: string }>(
    "select p.* from payment_transactions p join subscriptions s on s.id = p.subscription_id where psychologist_id = any($1) order by paid_at, external_payment_id",
    [people],
  );
  // The person's only membership.
  expect(new Set(rows.map((row) => row.psychologist_id)).size).toBe(rows.length);
  return new Map(
    profiles.map(({ id, gold_until, subscription_id, checkout_read, failing_since, due_at }) => {
      const row = rows.find(({ psychologist_id }) => psychologist_id === id) ?? null;
      const payments = paid.filter((one) => one.subscription_id === row?.id);
      const gold = gold_until === null ? null : Number(gold_until);
      const checkoutRead = checkout_read?.getTime() ?? null;
      const due = due_at?.getTime() ?? null;
      return [
        id,
        { row, gold, current: subscription_id, payments, checkoutRead, isFailing: failing_since !== null, due },
      ];
    }),
  );
}

const wasReceived = ({ status }: Sale) => status !== "failed";
const wasKept = (sale: Sale) => sale.status === "completed" && sale.dispute?.state !== "lost";
const statusOf = ({ status, refunded }: Sale) =>
  status === "completed" && refunded ? "partially_refunded" : status === "reversed" ? "refunded" : status;

/** Until when Gold lasts by what the provider showed, read at a moment; null where there is none. */
function goldUntil({ plan, quirks, cancelledHere, shown }: Truth, came: Sale[], { row }: View): number | null {
  if (quirks.wrong || cancelledHere) return null;
  if (plan === "lifetime") return came.some(wasKept) ? Number.POSITIVE_INFINITY : null;
  const newest = came.at(-1);
  // Only when it began is ours to say, within the bounds that are checked elsewhere.
  if (!newest) return shown!.state === "active" ? (row?.provisional_until?.getTime() ?? null) : null;
  if (!wasKept(newest)) return null;
  const month = monthAfter(new Date(newest.at)).getTime();
  return shown!.state === "active" ? month + GRACE_PERIOD : month;
}

/** Who ended a membership with this Gold; null where no one did. */
function endedBy(
  { cancelledHere, quirks, shown }: Truth,
  came: Sale[],
  until: number | null,
  at: number,
): string | null {
  if (quirks.wrong) return "mismatch";
  if (cancelledHere) return "person";
  if (until === null) return came.length ? "refund" : "provider";
  return until <= at && shown!.state === "cancelled" ? "provider" : null;
}

/** Whether the provider shows a payment to someone who reads the subscription now. */
const isVisible = (world: World, truth: Truth, sale: Sale) =>
  wasReceived(sale) && (truth.method === "paypal" || isFound(world, truth, sale));

const isForgotten = ({ quirks, state }: Truth) => quirks.forgets && state === "cancelled";

/** Compares what we have of a history that was read just now with what the provider showed. */
export function compare(world: World, truth: Truth, view: View, story: string): void {
  const { row, gold, current, payments } = view;
  const { shown } = truth;
  if (!shown || shown.state === "pending" || !row) {
    const isNothing = !shown || shown.state === "pending" || !shown.sales.some((sale) => isVisible(world, truth, sale));
    const isSingle = truth.quirks.wrong !== null && truth.plan === "lifetime";
    expect([gold, isNothing || isSingle], story).toEqual([null, true]);
    return;
  }
  const known = new Set(payments.map((payment) => payment.external_payment_id));
  const here = shown.sales.filter(({ id }) => known.has(id));
  expect(here.length, story).toBe(known.size);
  expect(
    shown.sales.filter((sale) => isVisible(world, truth, sale) && !known.has(sale.id)),
    story,
  ).toEqual([]);
  const byId = (sales: Sale[]) => sales.toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
  expect(
    payments.map((one) => [one.external_payment_id, one.status === "reversed" ? "refunded" : one.status]),
    story,
  ).toEqual(byId(here).map((sale) => [sale.id, statusOf(sale)]));
  if (truth.method === "paypal")
    expect(
      payments.map(({ dispute }) => dispute),
      story,
    ).toEqual(byId(here).map(({ dispute }) => dispute?.state ?? null));

  const at = row.read_at.getTime();
  const came = here.filter(wasReceived);
  const until = goldUntil(truth, came, view);
  // A membership that ran out keeps its date; one that its provider ended has none.
  if (until !== null && until <= at) expect(gold === null || gold === until, story).toBe(true);
  else expect(gold, story).toBe(until);
  expect(row.ended_by, story).toBe(endedBy(truth, came, until, at));
  expect(current, story).toBe(row.status === "active" ? row.id : null);
  if (row.provisional_until) {
    expect(truth.approved, story).not.toBeNull();
    expect(row.provisional_until.getTime(), story).toBeLessThanOrEqual(at + PROVISIONAL_ACCESS);
  }
}

/** Whether the provider shows a payment that covers this moment. */
function isPaidNow(world: World, truth: Truth): boolean {
  if (truth.quirks.wrong || truth.cancelledHere) return false;
  const newest = truth.sales.filter(wasReceived).at(-1);
  if (!newest || !wasKept(newest) || !isVisible(world, truth, newest)) return false;
  return truth.plan === "lifetime" || monthAfter(new Date(newest.at)).getTime() > world.clock;
}

/** How long ago a reading may be of what is not read in each sweep. */
function patience(truth: Truth, { row }: View, now: number): number {
  if (!row) return DAY;
  if (truth.plan === "lifetime") return 7 * DAY;
  const date = row.next_billing_date?.getTime() ?? now;
  if (date > now) return DAY;
  if (date < now - 90 * DAY) return 7 * DAY;
  return Math.min(DAY, Math.max(10 * MINUTE, (now - date) / 6));
}

/** Whether a month was paid before the Gold of the month before was over: such a member is never without it. */
export function isContinuing({ plan, sales }: Truth): boolean {
  const [before, newest] = sales.filter(wasReceived).slice(-2);
  return (
    plan === "monthly" &&
    newest !== undefined &&
    // What was charged back ended Gold, until it is seen that the money came back.
    !newest.reimbursed &&
    !newest.dispute &&
    wasKept(before!) &&
    newest.at <= monthAfter(new Date(before!.at)).getTime() + GRACE_PERIOD
  );
}

type Sweep = {
  /** What our database had of the history before the sweep, and has after it. */
  before: View;
  view: View;
  began: number;
  /** A webhook event could not be handled when it came, and is tried again later. */
  isWaiting: boolean;
  story: string;
};

/** Checks a history after a sweep. @returns whether the provider shows a payment for now, and there is no Gold */
export function checkAfterSweep(world: World, truth: Truth, sweep: Sweep): boolean {
  const { before, view, began, isWaiting, story } = sweep;
  const { row } = view;
  const isFailing = world.down[truth.method] || (isStrange(world, truth, "needed") && !isForgotten(truth));
  const read = row ? row.read_at.getTime() : view.checkoutRead;
  if (isFailing) checkUnread(world, truth, before, view, story);
  else if (isForgotten(truth))
    expect([before.gold, null, view.row?.next_billing_date?.getTime() ?? null], story).toContain(view.gold);
  else if (isWaiting) truth.met.add("an event that is tried again");
  else if (read !== null && read >= began) compare(world, truth, view, story);
  else if (!row || row.status === "active") checkPatience(world, truth, view, story);
  return !isFailing && !isForgotten(truth) && isPaidNow(world, truth) && !(view.gold && view.gold > world.clock);
}

/** What could not be read lasts no less long, and 14 days longer if its reading was due. */
function checkUnread(world: World, truth: Truth, before: View, view: View, story: string): void {
  const { row } = before;
  const date = row?.next_billing_date?.getTime();
  const grace = row?.provisional_until?.getTime() === date ? 0 : GRACE_PERIOD;
  const longer = date ? date + grace + UNREADABLE_PERIOD : null;
  const isDue =
    row?.status === "active" &&
    row.state === "active" &&
    truth.plan === "monthly" &&
    date !== undefined &&
    row.due_at !== null &&
    row.due_at.getTime() <= world.clock;
  if (isDue) {
    truth.met.add("Gold lasts longer while it cannot be read");
    expect(view.gold, story).toBe(longer);
  } else expect([before.gold, longer], story).toContain(view.gold);
}

/** What was not read in a sweep was read not long ago. */
function checkPatience(world: World, truth: Truth, view: View, story: string): void {
  const now = world.clock;
  if (!truth.shown && !view.row) return;
  // What is not as offered was ended and reported: nothing more is awaited of it.
  if (!view.row && truth.quirks.wrong && truth.shown?.state !== "pending") return;
  const { row } = view;
  const last = row ? row.read_at.getTime() : (view.checkoutRead ?? 0);
  const isOld = !row && now - truth.begun > 30 * DAY;
  if (isOld) return;
  // What failed is tried again within a day.
  if (view.isFailing) expect(view.due! - now, story).toBeLessThanOrEqual(DAY);
  else expect(now - last, story).toBeLessThanOrEqual(patience(truth, view, now));
}
