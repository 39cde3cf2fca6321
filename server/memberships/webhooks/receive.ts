import { isId } from "#shared/ids.ts";
import type { Provider } from "#shared/plans.ts";
import type { Context } from "../../context.ts";
import type { EventSubject, ProviderRecords, WebhookTarget } from "../../integrations/payment-provider.ts";
import { loggableError, ProviderError } from "../../integrations/provider-error.ts";
import { checkoutById, linkCheckout } from "../checkout/store.ts";
import { type Outcome, reconcile } from "../settlement/reconcile.ts";
import { providerSubscriptionOfPayment } from "../settlement/store.ts";
import { insertWebhookEvent, setWebhookEventStatus, type WebhookEventRow } from "./store.ts";

/** What our database knows of a provider. */
const recordsOf = ({ db }: Context, provider: string): ProviderRecords => ({
  subscriptionOfPayment: (id) => providerSubscriptionOfPayment(db, provider, id),
  checkoutOf: async (reference) => (isId(reference) ? checkoutById(db, provider, reference) : null),
  linkCheckout: (id, external_id) => linkCheckout(db, id, { external_id }),
});

/** What to read for a webhook event; null while neither its provider nor we know it. @throws ProviderError */
export const targetOfEvent = (context: Context, event: WebhookEventRow): Promise<WebhookTarget | "ignored" | null> =>
  context.paymentProviders.get(event.provider)?.targetOf(event, recordsOf(context, event.provider)) ??
  Promise.resolve(null);

/**
 * Resolves a webhook event to its provider subscription and reconciles that. An event without a known target is kept
 * for the sweep.
 * @throws ProviderError when the provider cannot be read: the status of the event stays
 */
export async function handleWebhookEvent(context: Context, event: WebhookEventRow): Promise<Outcome> {
  const name = event.provider as Provider;
  const found = await targetOfEvent(context, event);
  let outcome: Outcome = found ? "settled" : "unknown";
  if (found && found !== "ignored") outcome = await reconcile(context, name, found.subscription, found.hints);
  const isDone = outcome !== "unknown" && outcome !== "incomplete";
  await setWebhookEventStatus(context.db, event.id, isDone ? "done" : "unmatched", context.now());
  return outcome;
}

/**
 * Stores and handles an event that is known to come from the provider; one that is done already is not handled again.
 */
export async function acceptWebhookEvent(
  context: Context,
  provider: string,
  event_id: string,
  subject: EventSubject,
): Promise<void> {
  const event = await insertWebhookEvent(context.db, { provider, event_id, ...subject, received_at: context.now() });
  if (event.status !== "done") await handleWebhookEvent(context, event);
}

/**
 * Handles a webhook request of a provider. There is no session: the signature authenticates it, and all it can cause is
 * another reading of the provider.
 * @param body the raw bytes, of a limited size
 * @returns the HTTP status to answer with; after a failure of the provider or of ours it sends the event again
 */
export async function receiveWebhook(
  context: Context,
  name: string,
  request: Request,
  body: Uint8Array,
): Promise<200 | 401 | 503> {
  const { log } = context;
  const provider = context.paymentProviders.get(name);
  if (!provider) return 503;
  try {
    const event = await provider.verifyEvent(request, body);
    if (event === "ignored") return 200;
    if (!event) {
      log.warn({ event: "webhook_refused", provider: name });
      return 401;
    }
    const { id, type, subject } = event;
    log.info({ event: "webhook_received", provider: name, type, handled: subject !== null });
    if (subject) await acceptWebhookEvent(context, name, id, subject);
    return 200;
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    log.warn({ event: "webhook_not_handled", ...loggableError(error) });
    return 503;
  }
}
