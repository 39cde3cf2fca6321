import type { CancellationStatus } from "#shared/plans.ts";
import { DAY, MINUTE } from "#shared/time.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../database/handles.ts";
import { type Hint, isUnknown } from "../../integrations/payment-provider.ts";
import { logProviderError, ProviderError } from "../../integrations/provider-error.ts";
import { checkoutById, lockCheckout, makeDue, updateAndSchedule } from "../checkouts/store.ts";
import { updateGold } from "../grants/store.ts";
import { addProblem, settleProblems } from "../problems/store.ts";
import { isLongUnconfirmed, isUnreadableProblem } from "../reconciliation/problem-rules.ts";
import { applySnapshot, auditConfirmedEnd } from "../reconciliation/steps.ts";
import { cancellationStatus } from "../rules.ts";
import { paymentsOfMembership } from "../store.ts";
import { type EventRow, markEventDone, openEventsOf } from "./store.ts";

/**
 * The result of reading a checkout at its provider: `settled`; `waiting`, the buyer has not approved it yet; `unknown`, the
 * provider or we know nothing of it; `superseded`, another reading was settled in the same time, so it is read again.
 */
export type Outcome = "settled" | "waiting" | "unknown" | "superseded";

/** An event names something that its provider does not show for this long: it is given up, and readings go on. */
const UNSEEN_LIMIT = 14 * DAY;

/** Readings that fail for this long delay no cancellation: after it, a provider may not show the last payment any more. */
const UNREAD_LIMIT = DAY;

/**
 * Reads a checkout at its provider, with all its open events, and settles what that shows; nothing else begins or changes a
 * membership. Sends its end if that is wanted, also if it could not be read for a day. Idempotent: browsers, the administrator and the
 * worker may call it at the same time (specification, section 4.3).
 * @param hints what else to look at
 * @throws ProviderError
 */
export async function readCheckout(context: Context, id: string, hints: Hint[] = []): Promise<Outcome> {
  try {
    const outcome = await readAndSettle(context, id, hints);
    await endIfWanted(context, id);
    return outcome;
  } catch (error) {
    const since = (await checkoutById(context.db, id))?.failing_since;
    if (since && context.now().getTime() - since.getTime() >= UNREAD_LIMIT) await endIfWanted(context, id);
    throw error;
  }
}

async function readAndSettle(context: Context, id: string, hints: Hint[]): Promise<Outcome> {
  const { db, paymentProviders } = context;
  const now = context.now();
  const checkout = await checkoutById(db, id);
  const provider = checkout && paymentProviders.get(checkout.provider);
  if (!checkout?.external_id || !provider || checkout.provider === "test") return "unknown";
  const payments = await paymentsOfMembership(db, id);
  const events = await openEventsOf(db, id);
  // Before taking any lock, since a provider may take seconds to answer. Null is only for an unknown checkout.
  const snapshot = (await provider.read({
    external_id: checkout.external_id,
    checkout,
    payments,
    read_at: checkout.status === null ? null : checkout.read_at,
    hints: [...hints, ...events],
    now,
  }))!;
  return db.transaction().execute(async (tx): Promise<Outcome> => {
    const locked = await lockCheckout(tx, id);
    const isUnchanged =
      locked?.psychologist_id === checkout.psychologist_id && locked.read_at?.getTime() === checkout.read_at?.getTime();
    if (!locked || !isUnchanged) {
      await makeDue(tx, id, now);
      return "superseded";
    }
    // A provider may show a new checkout some minutes late.
    if (isUnknown(snapshot) && !locked.status && now.getTime() - checkout.created_at.getTime() < DAY) {
      await updateAndSchedule(tx, locked, { read_at: now, failing_since: null }, now);
      return "unknown";
    }
    const applied = await applySnapshot(context, tx, { checkout: locked, payments, snapshot, now });
    if (applied === "unreadable") throw new ProviderError("unreadable", checkout.provider, "a payment cannot be read");
    if (applied === "superseded") await makeDue(tx, id, new Date(now.getTime() + MINUTE));
    else await completeEvents(tx, id, events, snapshot.unseen, now);
    return isUnknown(snapshot) && applied !== "superseded" ? "unknown" : applied;
  });
}

/** The next reading for an event that its provider does not show yet, at growing intervals. */
const nextLook = ({ received_at }: EventRow, now: Date): Date =>
  new Date(now.getTime() + Math.min(DAY, Math.max(MINUTE, (now.getTime() - received_at.getTime()) / 2)));

/**
 * Completes the events that a reading has seen. An event that its provider does not show yet keeps the checkout due. An
 * event that this reading did not take makes it due again.
 */
async function completeEvents(tx: Tx, id: string, events: EventRow[], unseen: Hint[], now: Date): Promise<void> {
  for (const event of events) {
    const age = now.getTime() - event.received_at.getTime();
    const isUnseen = unseen.some(({ type, id }) => type === event.type && id === event.id);
    const isOpen = isUnseen && age < UNSEEN_LIMIT;
    if (isOpen) await makeDue(tx, id, nextLook(event, now));
    else await markEventDone(tx, event, now);
  }
  const open = await openEventsOf(tx, id);
  if (open.some(({ event_id }) => !events.some((event) => event.event_id === event_id))) await makeDue(tx, id, now);
}

/** States in which a provider subscription can be ended; one that is not approved only if its page never expires. */
const CAN_END = ["active", "suspended", "paying"];

/**
 * Ends a checkout at its provider if that is wanted, unless the provider has confirmed it or the administrator has closed
 * it. An end that the provider made by itself counts as confirmed. After a failure the next reading tries again.
 * @returns the status of its cancellation after that
 */
export async function endIfWanted(context: Context, id: string): Promise<CancellationStatus> {
  const { db, log, paymentProviders } = context;
  const checkout = await checkoutById(db, id);
  const status = checkout ? cancellationStatus(checkout) : "not_needed";
  if (!checkout?.external_id || status !== "waiting") return status;
  const { provider: name, external_id } = checkout;
  const provider = paymentProviders.get(name);
  const canEnd = CAN_END.includes(checkout.state) || provider?.neverExpires.includes(checkout.plan_type);
  if (!provider || !canEnd) return "waiting";
  try {
    await provider.cancel(external_id);
  } catch (error) {
    logProviderError(log, "cancellation_not_confirmed", error, { checkout: id });
    return "waiting";
  }
  const now = context.now();
  await db.transaction().execute(async (tx) => {
    const locked = await lockCheckout(tx, id);
    if (!locked || locked.end_confirmed_at) return;
    // A chargeback that was won may have brought the membership back: a reading settles whether it is over.
    const due_at = locked.status === "active" ? now : null;
    await updateAndSchedule(tx, locked, { state: "cancelled", end_confirmed_at: now, due_at }, now);
    for (const event of await openEventsOf(tx, id)) await makeDue(tx, id, nextLook(event, now));
    // It has no grace period any more.
    if (locked.psychologist_id) await updateGold(tx, locked.psychologist_id);
    await settleProblems(tx, { provider: name, kind: "cancellation_unconfirmed", external_id }, now);
    if (locked.status) await auditConfirmedEnd(tx, locked, now);
  });
  return "confirmed";
}

/**
 * Notes that a checkout could not be read: Gold is not ended by our inability to read.
 * @param isOutage the failure says nothing of this checkout
 * @param paused until when its provider is not called
 */
export const noteFailure = (context: Context, id: string, isOutage: boolean, paused: Date | null): Promise<void> =>
  context.db.transaction().execute(async (tx) => {
    const now = context.now();
    const checkout = await lockCheckout(tx, id);
    if (!checkout) return;
    const failing_since = checkout.failing_since ?? now;
    const failures = checkout.failures + (isOutage ? 0 : 1);
    await updateAndSchedule(tx, checkout, { failing_since, failures, due_at: paused }, now);
    if (checkout.psychologist_id) await updateGold(tx, checkout.psychologist_id);
    // Also without a membership: the buyer may have paid.
    if (isUnreadableProblem(failures, checkout, now)) await addProblem(tx, checkout, "unreadable", now);
    if (isLongUnconfirmed(checkout, now)) await addProblem(tx, checkout, "cancellation_unconfirmed", now);
  });
