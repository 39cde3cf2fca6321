import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Context } from "../context.ts";
import { ProviderError } from "../integrations/provider-error.ts";
import { type PaypalEvent, readPaypalEvent } from "../outside/paypal.ts";
import { loggableError } from "./cancellations.ts";
import { type Outcome, reconcile } from "./reconcile.ts";
import { isId } from "./rules.ts";
import { isCardValidation, type SnapshotRequest } from "./snapshots.ts";
import {
  checkoutById,
  insertWebhookEvent,
  linkCheckout,
  setWebhookEventStatus,
  subscriptionIdOfPayment,
  type WebhookEventRow,
} from "./store.ts";

/** The providers that send webhook events: all but the test mode. */
export type LiveProvider = "paypal" | "mercadopago";
/** The object that a webhook event is about, by the provider's id. Nothing else in the event is trusted. */
export type EventSubject = { subject: string; subject_id: string };

const text = (value: unknown) => (typeof value === "string" && value.length > 0 && value.length <= 200 ? value : null);

/** The subject of a PayPal event, or null for events that we do not handle. */
export function paypalEventSubject({ type, resource }: PaypalEvent): EventSubject | null {
  const subjectOf = (subject: string, ...ids: unknown[]): EventSubject | null => {
    const subject_id = ids.map(text).find((id) => id !== null);
    return subject_id ? { subject, subject_id } : null;
  };
  if (type.startsWith("BILLING.SUBSCRIPTION.")) return subjectOf("subscription", resource.id);
  if (type.startsWith("CUSTOMER.DISPUTE.")) return subjectOf("dispute", resource.dispute_id);
  // Old and new events differ in which of these fields they have; both name the sale.
  if (type === "PAYMENT.SALE.REVERSED") return subjectOf("reversal", resource.sale_id, resource.id);
  if (type === "PAYMENT.SALE.REFUNDED") return subjectOf("sale", resource.sale_id);
  if (type.startsWith("PAYMENT.SALE."))
    return subjectOf("subscription", resource.billing_agreement_id) ?? subjectOf("sale", resource.id);
  return null;
}

/** MercadoPago's topics and what their id names. */
const MERCADOPAGO_TOPICS: Record<string, string> = {
  payment: "payment",
  subscription_preapproval: "preapproval",
  subscription_authorized_payment: "invoice",
  topic_merchant_order_wh: "order",
  topic_chargebacks_wh: "chargeback",
};

/** What identifies a webhook event in its unsigned body. */
const MercadopagoWebhookBody = z.object({
  id: z.union([z.string(), z.number()]).optional(),
  type: z.string().optional(),
  action: z.string().optional(),
  date_created: z.string().optional(),
});

/** The provider subscription that a webhook event concerns, and what else to look at. */
type WebhookTarget = { subscription: string; hints: SnapshotRequest["hints"] };

const target = (subscription: string | null | undefined, hints: SnapshotRequest["hints"] = {}): WebhookTarget | null =>
  subscription ? { subscription, hints } : null;

/** The first of some ids for which a target is found. */
async function firstTarget<Found>(
  ids: string[],
  resolve: (id: string) => Promise<Found | null>,
): Promise<Found | null> {
  for (const id of ids) {
    const found = await resolve(id);
    if (found) return found;
  }
  return null;
}

/** The target of a PayPal event; null while neither PayPal nor we know it. */
async function resolvePaypalTarget(
  { db, paypal }: Context,
  { subject, subject_id: id }: EventSubject,
): Promise<WebhookTarget | null> {
  const subscriptionOf = async (sale: string) =>
    (await subscriptionIdOfPayment(db, "paypal", sale)) ?? (await paypal!.sale(sale))?.subscriptionId;
  if (subject === "subscription") return target(id);
  if (subject === "sale") return target(await subscriptionOf(id));
  if (subject === "reversal") return target(await subscriptionOf(id), { reversal: id });
  const dispute = await paypal!.dispute(id);
  return firstTarget(dispute?.saleIds ?? [], async (sale) => target(await subscriptionOf(sale), { dispute: id }));
}

/** The target of a MercadoPago event; null while neither MercadoPago nor we know it, "ignored" where there is none. */
async function resolveMercadopagoTarget(
  { db, mercadopago }: Context,
  { subject, subject_id: id }: EventSubject,
): Promise<WebhookTarget | "ignored" | null> {
  const client = mercadopago!;
  const checkoutOf = async (reference: string | null | undefined) =>
    isId(reference) ? checkoutById(db, "mercadopago", reference) : null;
  const targetOfOrder = async (order: string) => {
    const read = await client.merchantOrder(order);
    const checkout = await checkoutOf(read?.externalReference);
    // The call that created the preference may have failed before we received its id.
    if (checkout && !checkout.external_id && read?.preferenceId)
      await linkCheckout(db, checkout.id, { external_id: read.preferenceId });
    const payment = read?.paymentIds[0];
    return target(checkout?.external_id ?? read?.preferenceId, payment ? { payment } : {});
  };
  const targetOfPayment = async (payment: string) => {
    const known = await subscriptionIdOfPayment(db, "mercadopago", payment);
    if (known) return target(known, { payment });
    const read = await client.payment(payment);
    if (read && isCardValidation(read)) return "ignored";
    const checkout = await checkoutOf(read?.externalReference);
    const subscription = checkout?.external_id ?? read?.preapprovalId;
    if (subscription || !read?.merchantOrderId) return target(subscription, { payment });
    return targetOfOrder(read.merchantOrderId);
  };
  if (subject === "preapproval") return target(id);
  if (subject === "order") return targetOfOrder(id);
  if (subject === "payment") return targetOfPayment(id);
  if (subject === "chargeback") return firstTarget((await client.chargeback(id))?.paymentIds ?? [], targetOfPayment);
  const invoice = await client.invoice(id);
  return target(invoice?.preapprovalId, invoice?.paymentId ? { payment: invoice.paymentId } : {});
}

/**
 * Resolves a webhook event to its provider subscription and reconciles that. An event without a known target is kept
 * for the sweep.
 * @throws ProviderError when the provider cannot be read: the status of the event stays
 */
export async function handleWebhookEvent(context: Context, event: WebhookEventRow): Promise<Outcome> {
  const provider = event.provider as LiveProvider;
  const found = await (provider === "paypal" ? resolvePaypalTarget : resolveMercadopagoTarget)(context, event);
  let outcome: Outcome = found ? "settled" : "unknown";
  if (found && found !== "ignored") outcome = await reconcile(context, provider, found.subscription, found.hints);
  await setWebhookEventStatus(context.db, event.id, outcome === "unknown" ? "unmatched" : "done", context.now());
  return outcome;
}

/**
 * Stores and handles an event that is known to come from the provider; one that is done already is not handled again.
 */
export async function acceptWebhookEvent(
  context: Context,
  provider: LiveProvider,
  event_id: string,
  subject: EventSubject,
): Promise<void> {
  const event = await insertWebhookEvent(context.db, { provider, event_id, ...subject, received_at: context.now() });
  if (event.status !== "done") await handleWebhookEvent(context, event);
}

/** The HTTP status to answer with. After a failure of the provider or of ours the provider sends the event again. */
async function statusOf(context: Context, work: () => Promise<void>): Promise<number> {
  try {
    await work();
    return 200;
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    context.log.warn({ event: "webhook_not_handled", ...loggableError(error) });
    return 503;
  }
}

async function receivePaypalWebhook(context: Context, request: Request, body: Uint8Array): Promise<number> {
  const { paypal, log } = context;
  if (!paypal) return 503;
  return statusOf(context, async () => {
    if (!(await paypal.verifyWebhook(request.headers, body))) throw new InvalidSignature();
    const event = readPaypalEvent(body);
    const subject = event && paypalEventSubject(event);
    log.info({ event: "webhook_received", provider: "paypal", type: event?.type, handled: subject !== null });
    if (event && subject) await acceptWebhookEvent(context, "paypal", event.id, subject);
  });
}

async function receiveMercadopagoWebhook(context: Context, request: Request, body: Uint8Array): Promise<number> {
  const { mercadopago, log } = context;
  if (!mercadopago) return 503;
  const query = new URL(request.url).searchParams;
  const dataId = query.get("data.id");
  const signature = request.headers.get("x-signature");
  // The older kind is not signed: it is ignored, and answered 200 since sending it again would not help.
  if (!signature && (query.has("topic") || !dataId)) return 200;
  const requestId = request.headers.get("x-request-id");
  if (!dataId || !mercadopago.verifySignature({ signature, requestId, dataId })) throw new InvalidSignature();
  let parsed: z.output<typeof MercadopagoWebhookBody> = {};
  try {
    parsed = MercadopagoWebhookBody.parse(JSON.parse(Buffer.from(body).toString("utf8")));
  } catch {
    // The body is not signed and is used only to identify the event.
  }
  const type = query.get("type") ?? parsed.type ?? "";
  const subject = Object.hasOwn(MERCADOPAGO_TOPICS, type) ? MERCADOPAGO_TOPICS[type]! : null;
  log.info({ event: "webhook_received", provider: "mercadopago", type: subject ?? "other", handled: subject !== null });
  if (!subject || dataId.length > 200) return 200;
  // The signed id is part of the event id: a forged body cannot pass for an event about something else.
  const moment = parsed.action && parsed.date_created ? `${parsed.action}:${parsed.date_created}` : null;
  // Without any identification each delivery counts as a new event; it only causes another reading.
  const name = parsed.id ?? moment ?? requestId ?? randomUUID();
  const event_id = `${type}:${dataId}:${name}`.slice(0, 300);
  return statusOf(context, () => acceptWebhookEvent(context, "mercadopago", event_id, { subject, subject_id: dataId }));
}

/** The signature does not prove that the request comes from the provider. */
class InvalidSignature extends Error {}

/**
 * Handles a webhook request of a provider. There is no session: the signature authenticates it, and all it can cause is
 * another reading of the provider.
 * @param body the raw bytes, of a limited size
 * @returns the HTTP status to answer with
 */
export async function receiveWebhook(
  context: Context,
  provider: LiveProvider,
  request: Request,
  body: Uint8Array,
): Promise<number> {
  try {
    return await (provider === "paypal" ? receivePaypalWebhook : receiveMercadopagoWebhook)(context, request, body);
  } catch (error) {
    if (!(error instanceof InvalidSignature)) throw error;
    context.log.warn({ event: "webhook_refused", provider });
    return 401;
  }
}
