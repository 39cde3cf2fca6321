import type { Provider } from "#shared/plans.ts";
import type { Context } from "../context.ts";
import type { CancellationJob } from "../jobs.ts";
import { OutsideError } from "../outside/outside-error.ts";
import { endAbandoned, outsideFacts, tellProvider } from "./cancellations.ts";
import { type Outcome, reconcile } from "./reconcile.ts";
import { CHECKOUT_LIFETIME, CHECKOUT_MEMORY, LATE_FROM } from "./rules.ts";
import {
  abandonedCheckouts,
  attemptsToRead,
  deleteEventsBefore,
  type EventRow,
  eventsReadUntil,
  expireAttempts,
  forgetAbandonedBefore,
  markAttemptRead,
  markEvent,
  markSubscriptionRead,
  noteEventTry,
  openProblem,
  setEventsReadUntil,
  subscriptionsToRead,
  unconfirmedCancellations,
  unseenEvents,
  waitingEvents,
} from "./store.ts";
import { aboutPaypal, followEvent, type ServiceName, take } from "./webhooks.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A payment is left alone this long: browser and notification come first. */
const PATIENCE = 5 * MINUTE;
/** A notification that leads nowhere for a day is one for a person. */
const EVENT_PATIENCE = DAY;
/** PayPal's list of notifications is read this far back again: it may learn of one late. */
const LIST_OVERLAP = HOUR;
/** PayPal sends for three days; what is older than that here was missed while this server was away. */
const LIST_REACH = 3 * DAY;
/** Their queue tries first; the sweep only what that gave up. */
const CANCELLATION_PATIENCE = 2 * HOUR;
/** A service that did not answer so often in a row is not asked further. */
const SILENT_ENOUGH = 3;
/** Services repeat notifications for some weeks at most. */
const EVENTS_KEPT = 60 * DAY;

/** Tells a payment service of an end. Throws while it does not confirm: the job is tried again. */
export async function cancellation(context: Context, job: CancellationJob): Promise<void> {
  if (!(await tellProvider(context, job.subscription_id))) throw new Error("The service has not confirmed.");
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
        if (error instanceof OutsideError && error.kind === "refused") await note();
        throw error;
      });
      if (outcome === "unknown") await note();
    };
    const attempts = await attemptsToRead(db, service, now, ago(PATIENCE), ago(CHECKOUT_MEMORY));
    const due = new Date(now.getTime() + LATE_FROM);
    const memberships = await subscriptionsToRead(db, service, now, due);
    const events = await waitingEvents(db, service, ago(MINUTE));
    await inTurn(context, service, [
      ...memberships.map((row) =>
        read(row.external_subscription_id, () => markSubscriptionRead(db, row.id, context.now())),
      ),
      ...attempts.map((row) => read(row.external_id!, () => markAttemptRead(db, row.id, context.now(), row.paying))),
      ...(service === "paypal" ? [() => followList(context, now)] : []),
      ...events.map((event) => () => follow(context, event, ago(EVENT_PATIENCE))),
      ...(await unconfirmedCancellations(db, service, ago(CANCELLATION_PATIENCE))).map(
        (row) => () => tellProvider(context, row.id),
      ),
      ...(await abandonedCheckouts(db, service, now)).map((row) => () => endAbandoned(context, row)),
    ]);
  }
  await expireAttempts(db, now, ago(CHECKOUT_LIFETIME), ago(CHECKOUT_MEMORY));
  await deleteEventsBefore(db, ago(EVENTS_KEPT));
  // These could not be asked about, or not be ended.
  for (const { provider, external_id } of await forgetAbandonedBefore(db, ago(CHECKOUT_MEMORY + DAY)))
    await openProblem(db, { kind: "unmatched", provider, external_id, reason: null, created_at: now });
}

/**
 * One after the other; what fails is left to the next sweep, and a service that does not answer is left alone. In any
 * order, so that the same few that fail do not stand before all others each time.
 */
async function inTurn(context: Context, service: Provider, work: (() => Promise<unknown>)[]): Promise<void> {
  let silent = 0;
  for (const one of work.toSorted(() => Math.random() - 0.5)) {
    try {
      await one();
      silent = 0;
    } catch (error) {
      if (error instanceof OutsideError) {
        context.log.warn({ event: "sweep_failed", ...outsideFacts(error) });
        if (error.kind === "unavailable" && ++silent === SILENT_ENOUGH) return;
      } else context.log.error({ event: "sweep_failed", service, reason: (error as Error).name });
    }
  }
}

/** Follows a notification again. One that leads nowhere for too long is put before a person. */
async function follow(context: Context, event: EventRow, before: Date): Promise<void> {
  const now = context.now();
  const isOld = event.received_at <= before;
  let outcome: Outcome = "unknown";
  try {
    outcome = await followEvent(context, event);
  } catch (error) {
    await noteEventTry(context.db, event.id, now);
    // Silence and wrong credentials pass; another refusal, such as a permission that is missing, does not.
    if (!isOld || !(error instanceof OutsideError) || error.kind === "unavailable" || error.status === 401) throw error;
    context.log.warn({ event: "notification_given_up", ...outsideFacts(error) });
  }
  if (outcome !== "unknown" || !isOld) return;
  const { provider, subject_id: external_id } = event;
  await openProblem(context.db, { kind: "unmatched", provider, external_id, reason: null, created_at: now });
  await markEvent(context.db, event.id, "given_up", now);
}

/** PayPal lists what it notified, delivered or not: whatever never came is followed now. */
async function followList(context: Context, now: Date): Promise<void> {
  const { db, paypal } = context;
  const until = await eventsReadUntil(db, "paypal");
  const from = new Date(Math.max(now.getTime() - LIST_REACH, (until?.getTime() ?? 0) - LIST_OVERLAP));
  const events = await paypal!.webhookEvents(from, now);
  const unseen = await unseenEvents(
    db,
    "paypal",
    events.map(({ id }) => id),
  );
  for (const event of events) {
    const about = aboutPaypal(event);
    // One on its way is not lost yet.
    const fresh = event.createTime && event.createTime.getTime() > now.getTime() - PATIENCE;
    if (about && unseen.has(event.id) && !fresh) await take(context, "paypal" satisfies ServiceName, event.id, about);
  }
  await setEventsReadUntil(db, "paypal", now);
}
