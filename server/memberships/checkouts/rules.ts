import type { PlanType } from "#shared/plans.ts";
import { DAY, HOUR, MINUTE } from "#shared/time.ts";
import type { ProviderState } from "../../integrations/payment-provider.ts";
import { GRACE_PERIOD, isActive, type Term } from "../gold-end-rules.ts";
import { cancellationStatus, isOverAtProvider, type Membership, type WantedEnd } from "../rules.ts";

/** An unpaid checkout is shown as expired after this time; the providers' own payment pages end sooner. */
export const CHECKOUT_LIFETIME = DAY;
/** Checkouts are read often for this time, also after they expired here: cash takes days, and a webhook event may be lost. */
export const CHECKOUT_TRACKING = 30 * DAY;

/** State of a checkout: what its provider shows, and `paying` while a payment has begun and is not complete. */
export type CheckoutState = ProviderState | "paying";

/** True if a plan may be bought while another membership is in force: only lifetime, instead of monthly. */
export const isUpgrade = (plan: string, current: Pick<Term, "plan_type">): boolean =>
  plan === "lifetime" && current.plan_type === "monthly";

/**
 * Checks if a psychologist may buy now: they must be verified and have no membership in force, except for an upgrade.
 * @param plan the plan to buy; null if none is chosen yet, so that an upgrade does not count
 * @returns the reason for a refusal, or null
 */
export function whyCannotSubscribe(
  psychologist: { is_verified: boolean },
  current: Term | null,
  plan: PlanType | null,
  now: Date,
): "verification_required" | "already_subscribed" | null {
  if (current && isActive(current, now) && !(plan && isUpgrade(plan, current))) return "already_subscribed";
  return psychologist.is_verified ? null : "verification_required";
}

/**
 * Time after the buyer's return in which a provider may not show the payment yet, in milliseconds. No second checkout
 * can begin in that time.
 */
export const CONFIRMATION_TIME = 30 * MINUTE;

type Shown = Pick<ReadingRow, "state" | "status" | "created_at" | "end_wanted_at"> & { ended_by: string | null };

/** The status of a checkout for its owner: it follows from its membership, else from its state and its age. */
export function statusOf(row: Shown, now: Date): "open" | "paid" | "failed" | "expired" | "mismatch" {
  if (row.status) return row.ended_by === "duplicate_payment" || row.ended_by === "mismatch" ? "mismatch" : "paid";
  if (row.state === "expired" || (row.state === "cancelled" && row.end_wanted_at)) return "expired";
  if (row.state === "failed" || isOverAtProvider(row.state)) return "failed";
  const lifetime = row.state === "paying" ? CHECKOUT_TRACKING : CHECKOUT_LIFETIME;
  return now.getTime() - row.created_at.getTime() < lifetime ? "open" : "expired";
}

/** Fields of a checkout, and of its membership if its `status` is not null, that determine its next reading. */
type ReadingRow = WantedEnd &
  Pick<Membership, "provider" | "plan_type" | "state" | "failing_since" | "next_billing_date" | "cancelled_at"> & {
    status: string | null;
    created_at: Date;
    failures: number;
    /** When the provider showed its end the last time before this reading. */
    over_at: Date | null;
  };

const WEEK = 7 * DAY;
/** A span that grows with the time since something, within bounds. */
const growing = (since: number, part: number, least: number, most: number) =>
  Math.min(most, Math.max(least, since / part));

/** The time until a failed reading is repeated: 5 min in an outage; else it doubles, up to 1 h at the date, 1 day before. */
function afterFailure({ failures }: ReadingRow, isAtDate: boolean): number {
  if (!failures) return 5 * MINUTE;
  const doubled = 5 * MINUTE * 2 ** (Math.min(failures, 12) - 1);
  return isAtDate ? Math.min(HOUR, doubled) : Math.min(DAY, Math.max(30 * MINUTE, doubled));
}

/** The time until an overdue month is read again. Gold does not end before a missed renewal was looked for. */
function whileOverdue(since: number): number {
  const next = growing(since, 6, 10 * MINUTE, DAY);
  return since < GRACE_PERIOD ? Math.min(next, GRACE_PERIOD - since) : next;
}

/** The last reading: a day after the end was shown, because MercadoPago's search shows the last charge later. */
const afterEnd = ({ over_at }: ReadingRow, now: Date): Date | null =>
  over_at && now.getTime() - over_at.getTime() >= DAY ? null : new Date(now.getTime() + DAY);

/**
 * Calculates when a checkout is read next, after a reading at `now` that gave this state; when a new one is read first, if
 * `now` is its creation. The first case that applies decides:
 *
 * - test mode: never;
 * - failed: see `afterFailure`;
 * - over at the provider, not active here: see `afterEnd`;
 * - its end is wanted and not confirmed: after as long as it has been wanted, 5 min to 1 day;
 * - unpaid: after a sixth of its age, 5 min to 1 day; weekly after 30 days. The browser's return and events are usually
 * earlier than the first reading;
 * - not active here, open at the provider: weekly; a month whose end nobody wanted, daily in the first 180 days;
 * - lifetime: weekly;
 * - a month: daily, and at its date; from its date on after a sixth of the time since, 10 min to 1 day, and when its
 * grace period ends; weekly after 90 days.
 * @returns null in the test mode, and if readings a day apart show that it ended and no Gold depends on it
 */
export function nextReading(row: ReadingRow, now: Date): Date | null {
  const since = (moment: Date) => now.getTime() - moment.getTime();
  const after = (span: number) => new Date(now.getTime() + span);
  const isCurrent = row.status === "active";
  const date = isCurrent && row.plan_type === "monthly" ? row.next_billing_date : null;
  if (row.provider === "test") return null;
  if (row.failing_since) return after(afterFailure(row, date !== null && date <= now));
  if (isOverAtProvider(row.state) && !isCurrent) return afterEnd(row, now);
  if (cancellationStatus(row) === "waiting") return after(growing(since(row.end_wanted_at!), 1, 5 * MINUTE, DAY));
  if (!row.status)
    return after(since(row.created_at) > CHECKOUT_TRACKING ? WEEK : growing(since(row.created_at), 6, 5 * MINUTE, DAY));
  if (!isCurrent) {
    const ended = since(row.cancelled_at ?? row.created_at);
    return after(row.plan_type === "monthly" && !row.end_wanted_at && ended < 180 * DAY ? DAY : WEEK);
  }
  if (!date) return after(WEEK);
  if (date > now) return new Date(Math.min(date.getTime(), now.getTime() + DAY));
  return after(since(date) > 90 * DAY ? WEEK : whileOverdue(since(date)));
}
