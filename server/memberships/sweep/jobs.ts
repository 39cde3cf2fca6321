import { PAYMENT_METHODS, type Provider } from "#shared/plans.ts";
import { DAY, HOUR, MINUTE } from "#shared/time.ts";
import type { Context } from "../../context.ts";
import type { PaymentProvider } from "../../integrations/payment-provider.ts";
import { loggableError, ProviderError } from "../../integrations/provider-error.ts";
import { type Job, work, workAt } from "../../jobs.ts";
import { cancelAbandoned, sendCancellation } from "../cancellation/send.ts";
import { cancellationsToRetry } from "../cancellation/store.ts";
import { abandonedCheckoutsToRead, deleteAbandonedCheckoutsBefore } from "../checkout/abandoned-store.ts";
import { CHECKOUT_LIFETIME, CHECKOUT_TRACKING } from "../checkout/rules.ts";
import { expireCheckouts, markCheckoutRead } from "../checkout/store.ts";
import { reportProblem } from "../problems/store.ts";
import { CANCELLATIONS, type CancellationJob, PAYMENT_SWEEP } from "../queues.ts";
import { GRACE_LEAD } from "../settlement/entitlement-rules.ts";
import { type Outcome, reconcile } from "../settlement/reconcile.ts";
import { markMembershipRead } from "../store.ts";
import { acceptWebhookEvent, handleWebhookEvent } from "../webhooks/receive.ts";
import {
  countWebhookEventTry,
  deleteWebhookEventsBefore,
  setWebhookEventStatus,
  setWebhookEventsReadUntil,
  unseenWebhookEvents,
  type WebhookEventRow,
  webhookEventsReadUntil,
  webhookEventsToRetry,
} from "../webhooks/store.ts";
import { checkoutsToRead, membershipsToRead } from "./store.ts";

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
/** After this many failures in a row a provider is left to the next sweep. */
const MAX_FAILURES = 3;
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
 * Handles what no browser and no webhook event has completed (specification, section 4.3): open checkouts, memberships
 * that are due or were not read for long, events without a target or never delivered, cancellations not confirmed, and
 * provider subscriptions of deleted accounts.
 */
export async function sweepPayments(context: Context): Promise<void> {
  const { db, paymentProviders } = context;
  const now = context.now();
  const ago = (span: number) => new Date(now.getTime() - span);
  for (const provider of PAYMENT_METHODS) {
    const client = paymentProviders.get(provider);
    if (!client) continue;
    // One that the provider does not know or refuses to show is read no more often than the rest.
    const read = (externalId: string, markRead: () => Promise<unknown>) => async () => {
      const outcome = await reconcile(context, provider, externalId).catch(async (error: unknown) => {
        if (error instanceof ProviderError && error.kind === "refused") await markRead();
        throw error;
      });
      if (outcome === "unknown") await markRead();
    };
    const checkouts = await checkoutsToRead(db, provider, now, ago(MIN_AGE), ago(CHECKOUT_TRACKING));
    const due = new Date(now.getTime() + GRACE_LEAD);
    const memberships = await membershipsToRead(db, provider, now, due);
    const events = await webhookEventsToRetry(db, provider, ago(MINUTE));
    await runInTurn(context, provider, [
      ...memberships.map((row) =>
        read(row.external_subscription_id, () => markMembershipRead(db, row.id, context.now())),
      ),
      ...checkouts.map((row) =>
        read(row.external_id!, () => markCheckoutRead(db, row.id, context.now(), row.payment_pending)),
      ),
      () => handleMissedEvents(context, client, now),
      ...events.map((event) => () => retryWebhookEvent(context, event, ago(UNMATCHED_LIMIT))),
      ...(await cancellationsToRetry(db, provider, ago(CANCELLATION_RETRY_AGE))).map(
        (row) => () => sendCancellation(context, row.id),
      ),
      ...(await abandonedCheckoutsToRead(db, provider, now)).map((row) => () => cancelAbandoned(context, row)),
    ]);
  }
  await expireCheckouts(db, now, ago(CHECKOUT_LIFETIME), ago(CHECKOUT_TRACKING));
  await deleteWebhookEventsBefore(db, ago(EVENT_RETENTION));
  // These could not be read, or not be cancelled.
  for (const { provider, external_id } of await deleteAbandonedCheckoutsBefore(db, ago(CHECKOUT_TRACKING + DAY)))
    await reportProblem(db, { kind: "unmatched", provider, external_id, reason: null, created_at: now });
}

/**
 * Runs the steps one after another and leaves the ones that fail to the next sweep; stops when the provider does not
 * answer. In random order, so that steps which always fail do not block the others each time.
 */
async function runInTurn(context: Context, provider: Provider, work: (() => Promise<unknown>)[]): Promise<void> {
  let failures = 0;
  const inRandomOrder = work.map((one) => ({ one, key: Math.random() })).sort((a, b) => a.key - b.key);
  for (const { one } of inRandomOrder) {
    try {
      await one();
      failures = 0;
    } catch (error) {
      if (error instanceof ProviderError) {
        context.log.warn({ event: "sweep_failed", ...loggableError(error) });
        if (error.kind === "unavailable" && ++failures === MAX_FAILURES) return;
      } else context.log.error({ event: "sweep_failed", provider, reason: (error as Error).name });
    }
  }
}

/** Handles a webhook event again. One that has no target for too long is reported to the administrator. */
async function retryWebhookEvent(context: Context, event: WebhookEventRow, before: Date): Promise<void> {
  const now = context.now();
  const isOld = event.received_at <= before;
  let outcome: Outcome = "unknown";
  try {
    outcome = await handleWebhookEvent(context, event);
  } catch (error) {
    await countWebhookEventTry(context.db, event.id, now);
    // Outages and wrong credentials are temporary; another refusal, such as a missing permission, is not.
    if (!isOld || !(error instanceof ProviderError) || error.kind === "unavailable" || error.status === 401)
      throw error;
    context.log.warn({ event: "webhook_given_up", ...loggableError(error) });
  }
  if (outcome !== "unknown" || !isOld) return;
  const { provider, subject_id: external_id } = event;
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
  for (const { id, subject, created_at } of events) {
    // A recent event may still be on its way.
    const fresh = created_at && created_at.getTime() > now.getTime() - MIN_AGE;
    if (subject && unseen.has(id) && !fresh) await acceptWebhookEvent(context, name, id, subject);
  }
  await setWebhookEventsReadUntil(db, name, now);
}

// A batch: a failure retries all of it, and those already confirmed finish at once.
const CANCELLATION_WORKER = { batchSize: 10, pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: 2 };

export const membershipJobs: Job[] = [
  work(CANCELLATIONS, CANCELLATION_WORKER, runCancellation),
  workAt("*/10 * * * *", PAYMENT_SWEEP, { pollingIntervalSeconds: 5 }, sweepPayments),
];
