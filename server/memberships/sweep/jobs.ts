import { PAYMENT_METHODS, type Provider } from "#shared/plans.ts";
import { DAY, HOUR, MINUTE } from "#shared/time.ts";
import type { Context } from "../../context.ts";
import type { Db, Tx } from "../../database/handles.ts";
import type { PaymentProvider } from "../../integrations/payment-provider.ts";
import { loggableError, ProviderError } from "../../integrations/provider-error.ts";
import { type Job, work, workAt } from "../../jobs.ts";
import { cancelAbandoned, sendCancellation } from "../cancellation/send.ts";
import { type CancellationToRetry, cancellationsToRetry } from "../cancellation/store.ts";
import { abandonedCheckoutsToRead, deleteAbandonedCheckoutsBefore } from "../checkout/abandoned-store.ts";
import { CHECKOUT_LIFETIME, CHECKOUT_TRACKING } from "../checkout/rules.ts";
import { expireCheckouts, markCheckoutRead } from "../checkout/store.ts";
import { updateGold } from "../gold.ts";
import { reportProblem, resolveProblems } from "../problems/store.ts";
import { CANCELLATIONS, type CancellationJob, PAYMENT_SWEEP } from "../queues.ts";
import { GRACE_LEAD, UNREADABLE_PERIOD } from "../settlement/entitlement-rules.ts";
import { type Outcome, reconcile } from "../settlement/reconcile.ts";
import { lockMember } from "../store.ts";
import { handleWebhookEvent } from "../webhooks/receive.ts";
import {
  countWebhookEventTry,
  deleteWebhookEventsBefore,
  insertWebhookEvent,
  setWebhookEventStatus,
  setWebhookEventsReadUntil,
  unseenWebhookEvents,
  type WebhookEventRow,
  webhookEventsReadUntil,
  webhookEventsToRetry,
} from "../webhooks/store.ts";
import { type Pace, REAL_PACE, runPaced, type Step } from "./pace.ts";
import {
  type CheckoutToRead,
  checkoutsToClose,
  checkoutsToRead,
  extendUnreadable,
  type MembershipToRead,
  markCheckoutClosed,
  markMembershipGone,
  membershipsToRead,
  membershipsUnreadAtDate,
  noteFailedReading,
  pausedUntil,
} from "./store.ts";

/** Checkouts and events younger than this are left to the browser and to the webhook. */
const MIN_AGE = 5 * MINUTE;
/** A webhook event without a known target after this time is reported to the administrator. */
const UNMATCHED_LIMIT = DAY;
/** A provider's list of events is read again from this long before the last reading: it may be completed late. */
const EVENT_LIST_OVERLAP = HOUR;
/** Providers keep sending an event for three days; older ones were missed while this server was down. */
const EVENT_LIST_REACH = 3 * DAY;
/** The queue retries a cancellation first; the sweep only those that it gave up. */
const CANCELLATION_RETRY_AGE = 2 * HOUR;
/** A cancellation that is not confirmed after this time is reported to the administrator. */
const NOT_CANCELLED_LIMIT = 7 * DAY;
/** A membership that could not be read this often in a row is reported to the administrator. */
const FAILURES_TO_REPORT = 3;
/** What is never found of these is no problem: the money of a charge is also told of as a payment. */
const UNREPORTED_SUBJECTS: readonly string[] = ["invoice"];
/** How long a sweep begins new steps; its job ends a minute later. */
const SWEEP_TIME = 8 * MINUTE;
/** How long handled events are kept; providers repeat them for some weeks at most. */
const EVENT_RETENTION = 60 * DAY;

/**
 * Cancels an ended membership at its provider. @throws Error while the provider has not confirmed, so that the queue
 * retries the job
 */
export async function runCancellation(context: Context, job: CancellationJob): Promise<void> {
  if (!(await sendCancellation(context, job.subscription_id))) throw new Error("The provider has not confirmed.");
}

/**
 * Handles what no browser and no webhook event has completed (specification, section 4.3), the most urgent first:
 * memberships at their date and new checkouts, then events without a target or never delivered, cancellations not
 * confirmed, what was not read for long, and provider subscriptions of deleted accounts.
 */
export async function sweepPayments(context: Context, pace: Pace = REAL_PACE): Promise<void> {
  const { db, paymentProviders } = context;
  const now = context.now();
  const ago = (span: number) => new Date(now.getTime() - span);
  await Promise.all(
    PAYMENT_METHODS.map(async (method) => {
      const provider = paymentProviders.get(method);
      if (!provider) return;
      const deadline = pace.elapsed(method) + SWEEP_TIME;
      if (!(await pausedUntil(db, method, now)))
        await runPaced(context, method, await stepsOf(context, provider, now), deadline, pace);
      await extendUnreadMemberships(context, method, now);
    }),
  );
  await expireCheckouts(db, now, ago(CHECKOUT_LIFETIME), ago(CHECKOUT_TRACKING));
  await deleteWebhookEventsBefore(db, ago(EVENT_RETENTION));
  // These could not be read, or not be cancelled.
  for (const { provider, external_id } of await deleteAbandonedCheckoutsBefore(db, ago(CHECKOUT_TRACKING + DAY)))
    await reportProblem(db, { kind: "unmatched", provider, external_id, reason: null, created_at: now });
}

/** What there is to do at a provider, the most urgent first. */
async function stepsOf(context: Context, provider: PaymentProvider, now: Date): Promise<Step[]> {
  const { db } = context;
  const { name, neverExpires } = provider;
  const ago = (span: number) => new Date(now.getTime() - span);
  const memberships = await membershipsToRead(db, name, now, new Date(now.getTime() + GRACE_LEAD));
  const checkouts = await checkoutsToRead(db, name, now, ago(MIN_AGE), ago(CHECKOUT_TRACKING));
  const events = await webhookEventsToRetry(db, name, ago(MINUTE));
  const cancellations = await cancellationsToRetry(db, name, ago(CANCELLATION_RETRY_AGE));
  const unpaid = await checkoutsToClose(db, name, neverExpires, now, ago(CHECKOUT_TRACKING));
  const abandoned = await abandonedCheckoutsToRead(db, name, now);
  const ofMembership = (row: MembershipToRead) => () => readMembership(context, name, row);
  const ofCheckout = (row: CheckoutToRead) => () => readCheckout(context, name, row);
  const isNew = ({ created_at }: CheckoutToRead) => created_at > ago(CHECKOUT_LIFETIME);
  return [
    ...memberships.filter((row) => row.is_due).map(ofMembership),
    ...checkouts.filter(isNew).map(ofCheckout),
    () => handleMissedEvents(context, provider, now),
    ...events.map((event) => () => retryWebhookEvent(context, event, ago(UNMATCHED_LIMIT))),
    ...cancellations.map((row) => () => retryCancellation(context, row, ago(NOT_CANCELLED_LIMIT))),
    ...memberships.filter((row) => !row.is_due).map(ofMembership),
    ...checkouts.filter((row) => !isNew(row)).map(ofCheckout),
    ...abandoned.map((row) => () => cancelAbandoned(context, row)),
    ...unpaid.map((row) => () => closeCheckout(context, provider, row)),
  ];
}

/** Reads a membership. Readings that fail, but in an outage, are counted, and reported from the third in a row on. */
async function readMembership(context: Context, provider: Provider, row: MembershipToRead): Promise<void> {
  const { db } = context;
  const { id, external_subscription_id: external_id } = row;
  try {
    if ((await reconcile(context, provider, external_id)) === "unknown") await settleUnknown(context, row);
  } catch (error) {
    const isOutage = error instanceof ProviderError && error.kind === "unavailable";
    const failures = await noteFailedReading(db, id, isOutage ? 0 : 1, context.now());
    if (failures >= FAILURES_TO_REPORT) await reportUnreadable(db, provider, row, context.now());
    throw error;
  }
}

/** The provider knows nothing of a membership: it ends at its date, also where it lasted longer while it could not be read. */
const settleUnknown = ({ db, now }: Context, { id, psychologist_id }: MembershipToRead): Promise<void> =>
  db.transaction().execute(async (tx) => {
    if (psychologist_id) await lockMember(tx, psychologist_id);
    await markMembershipGone(tx, id, now());
    await resolveProblems(tx, id, ["unreadable", "not_cancelled"], [], now());
    if (psychologist_id) await updateGold(tx, psychologist_id);
  });

/** Reads a checkout. One that the provider does not know or refuses to show is read no more often than the rest. */
async function readCheckout(context: Context, provider: Provider, row: CheckoutToRead): Promise<void> {
  const markRead = () => markCheckoutRead(context.db, row.id, context.now(), row.payment_pending);
  try {
    if ((await reconcile(context, provider, row.external_id)) === "unknown") await markRead();
  } catch (error) {
    if (error instanceof ProviderError && error.kind !== "unavailable") await markRead();
    throw error;
  }
}

/** Ends an unpaid checkout that its provider would otherwise offer for ever. One that was paid after all is settled. */
async function closeCheckout(context: Context, provider: PaymentProvider, row: CheckoutToRead): Promise<void> {
  const outcome = await reconcile(context, provider.name, row.external_id);
  if (outcome !== "settled") await provider.cancel(row.external_id);
  await markCheckoutClosed(context.db, row.id, context.now());
}

const reportUnreadable = (
  db: Db | Tx,
  provider: Provider,
  { id, external_subscription_id, psychologist_id }: Omit<MembershipToRead, "is_due">,
  now: Date,
) =>
  reportProblem(db, {
    kind: "unreadable",
    provider,
    external_id: external_subscription_id,
    reason: null,
    psychologist_id,
    subscription_id: id,
    created_at: now,
  });

/**
 * Gold is not ended by our inability to read: a membership at its date that could not be read lasts 14 days longer at most,
 * and the administrator sees it from the first time on. A provider without credentials extends nothing.
 */
async function extendUnreadMemberships(context: Context, provider: Provider, now: Date): Promise<void> {
  const { db } = context;
  for (const row of await membershipsUnreadAtDate(db, provider, now, new Date(now.getTime() + GRACE_LEAD))) {
    const { id, psychologist_id, next_billing_date } = row;
    await db.transaction().execute(async (tx) => {
      if (psychologist_id) await lockMember(tx, psychologist_id);
      const until = new Date(next_billing_date.getTime() + UNREADABLE_PERIOD);
      if (!(await extendUnreadable(tx, id, next_billing_date, until))) return;
      if (psychologist_id) await updateGold(tx, psychologist_id);
      await reportUnreadable(tx, provider, row, now);
    });
  }
}

/** Sends a cancellation again. One that is not confirmed for a week is reported to the administrator. */
async function retryCancellation(context: Context, row: CancellationToRetry, before: Date): Promise<void> {
  if (await sendCancellation(context, row.id)) return;
  const { id, provider, external_subscription_id: external_id, psychologist_id, cancel_requested_at } = row;
  if (!cancel_requested_at || cancel_requested_at > before) return;
  const created_at = context.now();
  const problem = { kind: "not_cancelled", provider, external_id, reason: null, psychologist_id } as const;
  await reportProblem(context.db, { ...problem, subscription_id: id, created_at });
}

/**
 * Whether a reading may succeed later: after an outage, with other credentials, and for 14 days what we do not understand.
 * Another refusal, such as a missing permission, lasts. @param age how long it has failed, in milliseconds
 */
const isTemporary = ({ kind, status }: ProviderError, age: number): boolean =>
  kind === "unavailable" || status === 401 || (kind === "unreadable" && age < UNREADABLE_PERIOD);

/** Handles a webhook event again. One that has no target for too long is reported to the administrator. */
async function retryWebhookEvent(context: Context, event: WebhookEventRow, before: Date): Promise<void> {
  const now = context.now();
  const isOld = event.received_at <= before;
  let outcome: Outcome = "unknown";
  try {
    outcome = await handleWebhookEvent(context, event);
  } catch (error) {
    await countWebhookEventTry(context.db, event.id, now);
    const age = now.getTime() - event.received_at.getTime();
    if (!isOld || !(error instanceof ProviderError) || isTemporary(error, age)) throw error;
    context.log.warn({ event: "webhook_given_up", ...loggableError(error) });
  }
  if ((outcome !== "unknown" && outcome !== "incomplete") || !isOld) return;
  const { provider, subject, subject_id: external_id } = event;
  if (!UNREPORTED_SUBJECTS.includes(subject))
    await reportProblem(context.db, { kind: "unmatched", provider, external_id, reason: null, created_at: now });
  await setWebhookEventStatus(context.db, event.id, "given_up", now);
}

/** Handles the events in the provider's list, where it keeps one, that were never delivered here. */
async function handleMissedEvents(context: Context, { name, missedEvents }: PaymentProvider, now: Date): Promise<void> {
  if (!missedEvents) return;
  const { db } = context;
  const until = await webhookEventsReadUntil(db, name);
  const from = new Date(Math.max(now.getTime() - EVENT_LIST_REACH, (until?.getTime() ?? 0) - EVENT_LIST_OVERLAP));
  const events = await missedEvents(from, now);
  const ids = events.map(({ id }) => id);
  const unseen = await unseenWebhookEvents(db, name, ids);
  const missed: WebhookEventRow[] = [];
  for (const { id, subject, created_at } of events) {
    // A recent event may still be on its way.
    const fresh = created_at && created_at.getTime() > now.getTime() - MIN_AGE;
    if (subject && unseen.has(id) && !fresh)
      missed.push(await insertWebhookEvent(db, { provider: name, event_id: id, ...subject, received_at: now }));
  }
  await setWebhookEventsReadUntil(db, name, now);
  for (const event of missed) if (event.status !== "done") await handleMissedEvent(context, event);
}

/** Handles an event that was never delivered. One that cannot be handled now is tried again, and the others do not wait for it. */
async function handleMissedEvent(context: Context, event: WebhookEventRow): Promise<void> {
  try {
    await handleWebhookEvent(context, event);
  } catch (error) {
    if (!(error instanceof ProviderError) || error.kind === "unavailable") throw error;
    await countWebhookEventTry(context.db, event.id, context.now());
    context.log.warn({ event: "webhook_not_handled", ...loggableError(error) });
  }
}

// A batch: a failure retries all of it, and those already confirmed finish at once.
const CANCELLATION_WORKER = { batchSize: 10, pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: 2 };

export const membershipJobs: Job[] = [
  work(CANCELLATIONS, CANCELLATION_WORKER, runCancellation),
  workAt("*/10 * * * *", PAYMENT_SWEEP, { pollingIntervalSeconds: 5 }, (context) => sweepPayments(context)),
];
