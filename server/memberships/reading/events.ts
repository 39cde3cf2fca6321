import { setTimeout } from "node:timers/promises";
import { isUuid } from "#shared/ids.ts";
import { DAY, SECOND } from "#shared/time.ts";
import type { Context } from "../../context.ts";
import type { Hint, ProviderRecords } from "../../integrations/payment-provider.ts";
import { isOutage, logProviderError, ProviderError } from "../../integrations/provider-error.ts";
import { checkoutByExternalId, checkoutById, insertCheckout, linkCheckout } from "../checkouts/store.ts";
import { type ProblemRow, reportProblem } from "../problems/store.ts";
import { queuePaymentWork } from "../queues.ts";
import { providerSubscriptionOfPayment } from "../store.ts";
import { type EventRow, insertEvents, latestEventForResource, linkEvent, markEventDone } from "./store.ts";

/** A webhook event without a known checkout after this time is reported to the administrator. */
const UNMATCHED_LIMIT = DAY;
/** Time for which an event without a readable answer is retried, in milliseconds: a new version may understand it. */
const UNREADABLE_LIMIT = 14 * DAY;
/** Time within which a webhook request is answered; a provider's certificate may take longer, and is then at hand next time. */
const ANSWER_MS = 0.9 * SECOND;

/**
 * Handles a webhook request of a provider: verifies and stores it, and wakes the worker.
 *
 * There is no session. The signature authenticates the request, which can only cause another reading of the provider.
 * @param body the raw bytes, of a limited size
 * @returns the HTTP status of the response; after 503 the provider sends the event again
 */
export async function receiveWebhook(
  context: Context,
  name: string,
  request: Request,
  body: Uint8Array,
): Promise<200 | 401 | 503> {
  const { db, log, now, paymentProviders } = context;
  const provider = paymentProviders.get(name);
  if (!provider) return 503;
  try {
    const late = setTimeout(ANSWER_MS, "late" as const, { ref: false });
    const event = await Promise.race([provider.verifyEvent(request, body), late]);
    if (event === "late") return 503;
    if (event === "ignored") return 200;
    if (!event) {
      log.warn({ event: "webhook_refused", provider: name });
      return 401;
    }
    const { id, type, subject } = event;
    log.info({ event: "webhook_received", provider: name, type, handled: subject !== null });
    if (!subject) return 200;
    if (await insertEvents(db, name, [{ id, subject }], now())) await queuePaymentWork(context.boss, null);
    return 200;
  } catch (error) {
    logProviderError(log, "webhook_not_handled", error);
    return 503;
  }
}

/** Our database's records of a provider. */
const recordsOf = ({ db }: Context, provider: string): ProviderRecords => ({
  subscriptionOfPayment: (id) => providerSubscriptionOfPayment(db, provider, id),
  checkoutOf: async (reference) => {
    const checkout = isUuid(reference) ? await checkoutById(db, reference) : null;
    return checkout?.provider === provider ? checkout : null;
  },
});

/** Finds the subscription to read for a webhook event. @throws ProviderError */
const targetOfEvent = async (context: Context, event: EventRow) =>
  (await context.paymentProviders.get(event.provider)?.targetOf(event, recordsOf(context, event.provider))) ?? null;

/**
 * Returns the provider's id of the subscription that a problem concerns: its checkout's, else the webhook event's, else
 * the problem's id taken as one.
 * @throws ProviderError
 */
export async function subscriptionOfProblem(
  context: Context,
  { provider, external_id, subscription }: ProblemRow,
): Promise<string> {
  if (subscription) return subscription;
  const event = await latestEventForResource(context.db, provider, external_id);
  const found = event && (await targetOfEvent(context, event));
  return found && typeof found === "object" ? found.subscription : external_id;
}

/**
 * Finds the checkout of a provider subscription by its id, or by the reference at the provider if the answer to its
 * creation was lost.
 * @returns null if it names no checkout of ours (yet), "ignored" if it names something else
 * @throws ProviderError
 */
export async function findCheckout(
  { db, now, paymentProviders }: Context,
  provider: string,
  external_id: string,
): Promise<{ id: string } | "ignored" | null> {
  const known = await checkoutByExternalId(db, provider, external_id);
  if (known) return known;
  const request = { external_id, checkout: null, payments: [], read_at: null, hints: [], now: now() };
  const snapshot = await paymentProviders.get(provider)?.read(request);
  if (!snapshot?.reference) return null;
  const named = isUuid(snapshot.reference) ? await checkoutById(db, snapshot.reference) : null;
  if (named?.provider !== provider) return isUuid(snapshot.reference) ? null : "ignored";
  if (!named.external_id && (await linkCheckout(db, named.id, { external_id, due_at: now() }))) return named;
  // A second one for the same checkout, whose answer was lost: its address is unknown until it is approved.
  if (snapshot.state === "pending") return null;
  const { psychologist_id, method, plan_type, amount, currency } = named;
  const offer = { psychologist_id, provider: named.provider, method, plan_type, amount, currency };
  const [at, provider_plan_id] = [now(), snapshot.plan_id];
  const shown = { external_id, provider_plan_id, owner_confirmed_at: at, created_at: at, due_at: at };
  return db.transaction().execute((tx) => insertCheckout(tx, { ...offer, ...shown }));
}

/**
 * Finds the checkout of a webhook event, which is then due. An event that has no checkout for a day is reported
 * to the administrator.
 * @throws ProviderError
 */
export async function resolveEvent(context: Context, event: EventRow): Promise<void> {
  const { db, log } = context;
  const now = context.now();
  const { provider, type, id: external_id } = event;
  const age = now.getTime() - event.received_at.getTime();
  let found: Awaited<ReturnType<typeof findCheckout>> = null;
  let hint: Hint | null = null;
  try {
    const target = await targetOfEvent(context, event);
    if (target === null || target === "ignored") found = target;
    else {
      hint = target.hint;
      found = await findCheckout(context, provider, target.subscription);
    }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const limit = error.kind === "refused" && !isOutage(error) ? UNMATCHED_LIMIT : UNREADABLE_LIMIT;
    if (age < limit) throw error;
    logProviderError(log, "webhook_given_up", error);
  }
  if (found === "ignored") await markEventDone(db, event, now);
  else if (found) await linkEvent(db, event, found.id, hint, now);
  else if (age >= UNMATCHED_LIMIT) {
    // Another event reports the money of an invoice's charge as a payment.
    if (type !== "invoice")
      await reportProblem(db, { kind: "unmatched", provider, external_id, reason: null, created_at: now });
    await markEventDone(db, event, now);
  }
}
