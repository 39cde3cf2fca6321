import type { Provider } from "#shared/plans.ts";
import type { Context } from "../context.ts";
import type { CancellationJob } from "../jobs.ts";
import { ExternalServiceError } from "../outside/external-service-error.ts";
import { cancelAbandoned, loggableError, sendCancellation } from "./cancellations.ts";
import { type Outcome, reconcile } from "./reconcile.ts";
import { CHECKOUT_LIFETIME, CHECKOUT_TRACKING, GRACE_LEAD } from "./rules.ts";
import {
  abandonedCheckoutsToRead,
  cancellationsToRetry,
  checkoutsToRead,
  countWebhookEventTry,
  deleteAbandonedCheckoutsBefore,
  deleteWebhookEventsBefore,
  expireCheckouts,
  markCheckoutRead,
  markSubscriptionRead,
  reportProblem,
  setWebhookEventStatus,
  setWebhookEventsReadUntil,
  subscriptionsToRead,
  unseenWebhookEvents,
  type WebhookEventRow,
  webhookEventsReadUntil,
  webhookEventsToRetry,
} from "./store.ts";
import { acceptWebhookEvent, handleWebhookEvent, type LiveProvider, paypalEventSubject } from "./webhooks.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A payment is left alone this long: browser and notification come first. */
const MIN_AGE = 5 * MINUTE;
/** A notification that leads nowhere for a day is one for a person. */
const UNMATCHED_LIMIT = DAY;
/** PayPal's list of notifications is read this far back again: it may learn of one late. */
const EVENT_LIST_OVERLAP = HOUR;
/** PayPal sends for three days; what is older than that here was missed while this server was away. */
const EVENT_LIST_REACH = 3 * DAY;
/** Their queue tries first; the sweep only what that gave up. */
const CANCELLATION_RETRY_AGE = 2 * HOUR;
/** A service that did not answer so often in a row is not asked further. */
const MAX_FAILURES = 3;
/** Services repeat notifications for some weeks at most. */
const EVENT_RETENTION = 60 * DAY;

/** Tells a payment service of an end. Throws while it does not confirm: the job is tried again. */
export async function runCancellation(context: Context, job: CancellationJob): Promise<void> {
  if (!(await sendCancellation(context, job.subscription_id))) throw new Error("The service has not confirmed.");
}

/**
 * Goes through what no browser and no notification brought to an end (specification, section 4.3): open checkouts,
 * memberships at their date or not read for long, notifications that led nowhere or never came, ends not confirmed, and
 * agreements of people who have left.
 */
export async function sweepPayments(context: Context): Promise<void> {
  const { config, db } = context;
  const now = context.now();
  const ago = (span: number) => new Date(now.getTime() - span);
  for (const service of ["paypal", "mercadopago"] as const) {
    if (!config[service]) continue;
    // What the service does not know, or refuses to tell, is asked about no more often than the rest.
    const read = (externalId: string, note: () => Promise<unknown>) => async () => {
      const outcome = await reconcile(context, service, externalId).catch(async (error: unknown) => {
        if (error instanceof ExternalServiceError && error.kind === "refused") await note();
        throw error;
      });
      if (outcome === "unknown") await note();
    };
    const checkouts = await checkoutsToRead(db, service, now, ago(MIN_AGE), ago(CHECKOUT_TRACKING));
    const due = new Date(now.getTime() + GRACE_LEAD);
    const memberships = await subscriptionsToRead(db, service, now, due);
    const events = await webhookEventsToRetry(db, service, ago(MINUTE));
    await runInTurn(context, service, [
      ...memberships.map((row) =>
        read(row.external_subscription_id, () => markSubscriptionRead(db, row.id, context.now())),
      ),
      ...checkouts.map((row) =>
        read(row.external_id!, () => markCheckoutRead(db, row.id, context.now(), row.payment_pending)),
      ),
      ...(service === "paypal" ? [() => handleMissedEvents(context, now)] : []),
      ...events.map((event) => () => retryWebhookEvent(context, event, ago(UNMATCHED_LIMIT))),
      ...(await cancellationsToRetry(db, service, ago(CANCELLATION_RETRY_AGE))).map(
        (row) => () => sendCancellation(context, row.id),
      ),
      ...(await abandonedCheckoutsToRead(db, service, now)).map((row) => () => cancelAbandoned(context, row)),
    ]);
  }
  await expireCheckouts(db, now, ago(CHECKOUT_LIFETIME), ago(CHECKOUT_TRACKING));
  await deleteWebhookEventsBefore(db, ago(EVENT_RETENTION));
  // These could not be asked about, or not be ended.
  for (const { provider, external_id } of await deleteAbandonedCheckoutsBefore(db, ago(CHECKOUT_TRACKING + DAY)))
    await reportProblem(db, { kind: "unmatched", provider, external_id, reason: null, created_at: now });
}

/**
 * One after the other; what fails is left to the next sweep, and a service that does not answer is left alone. In any
 * order, so that the same few that fail do not stand before all others each time.
 */
async function runInTurn(context: Context, service: Provider, work: (() => Promise<unknown>)[]): Promise<void> {
  let silent = 0;
  for (const one of work.toSorted(() => Math.random() - 0.5)) {
    try {
      await one();
      silent = 0;
    } catch (error) {
      if (error instanceof ExternalServiceError) {
        context.log.warn({ event: "sweep_failed", ...loggableError(error) });
        if (error.kind === "unavailable" && ++silent === MAX_FAILURES) return;
      } else context.log.error({ event: "sweep_failed", service, reason: (error as Error).name });
    }
  }
}

/** Follows a notification again. One that leads nowhere for too long is put before a person. */
async function retryWebhookEvent(context: Context, event: WebhookEventRow, before: Date): Promise<void> {
  const now = context.now();
  const isOld = event.received_at <= before;
  let outcome: Outcome = "unknown";
  try {
    outcome = await handleWebhookEvent(context, event);
  } catch (error) {
    await countWebhookEventTry(context.db, event.id, now);
    // Silence and wrong credentials pass; another refusal, such as a permission that is missing, does not.
    if (!isOld || !(error instanceof ExternalServiceError) || error.kind === "unavailable" || error.status === 401)
      throw error;
    context.log.warn({ event: "webhook_given_up", ...loggableError(error) });
  }
  if (outcome !== "unknown" || !isOld) return;
  const { provider, subject_id: external_id } = event;
  await reportProblem(context.db, { kind: "unmatched", provider, external_id, reason: null, created_at: now });
  await setWebhookEventStatus(context.db, event.id, "given_up", now);
}

/** PayPal lists what it notified, delivered or not: whatever never came is followed now. */
async function handleMissedEvents(context: Context, now: Date): Promise<void> {
  const { db, paypal } = context;
  const until = await webhookEventsReadUntil(db, "paypal");
  const from = new Date(Math.max(now.getTime() - EVENT_LIST_REACH, (until?.getTime() ?? 0) - EVENT_LIST_OVERLAP));
  const events = await paypal!.webhookEvents(from, now);
  const unseen = await unseenWebhookEvents(
    db,
    "paypal",
    events.map(({ id }) => id),
  );
  for (const event of events) {
    const about = paypalEventSubject(event);
    // One on its way is not lost yet.
    const fresh = event.createTime && event.createTime.getTime() > now.getTime() - MIN_AGE;
    if (about && unseen.has(event.id) && !fresh)
      await acceptWebhookEvent(context, "paypal" satisfies LiveProvider, event.id, about);
  }
  await setWebhookEventsReadUntil(db, "paypal", now);
}
