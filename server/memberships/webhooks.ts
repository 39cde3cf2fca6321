import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Context } from "../context.ts";
import { ExternalServiceError } from "../outside/external-service-error.ts";
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

export type LiveProvider = "paypal" | "mercadopago";
/** What a notification is about, in the service's own ids. It says nothing else that is believed. */
export type EventSubject = { subject: string; subject_id: string };

const text = (value: unknown) => (typeof value === "string" && value.length > 0 && value.length <= 200 ? value : null);

/** What an event of PayPal is about; null where nothing of ours follows from it. */
export function paypalEventSubject({ type, resource }: PaypalEvent): EventSubject | null {
  const about = (subject: string, ...ids: unknown[]): EventSubject | null => {
    const subject_id = ids.map(text).find((id) => id !== null);
    return subject_id ? { subject, subject_id } : null;
  };
  if (type.startsWith("BILLING.SUBSCRIPTION.")) return about("subscription", resource.id);
  if (type.startsWith("CUSTOMER.DISPUTE.")) return about("dispute", resource.dispute_id);
  // Old and new events differ in which of these they have; each of them leads to the sale.
  if (type === "PAYMENT.SALE.REVERSED") return about("reversal", resource.sale_id, resource.id);
  if (type === "PAYMENT.SALE.REFUNDED") return about("sale", resource.sale_id);
  if (type.startsWith("PAYMENT.SALE."))
    return about("subscription", resource.billing_agreement_id) ?? about("sale", resource.id);
  return null;
}

/** Topics of MercadoPago by what their id names. */
const MERCADOPAGO_TOPICS: Record<string, string> = {
  payment: "payment",
  subscription_preapproval: "preapproval",
  subscription_authorized_payment: "invoice",
  topic_merchant_order_wh: "order",
  topic_chargebacks_wh: "chargeback",
};

const MercadopagoWebhookBody = z.object({
  id: z.union([z.string(), z.number()]).optional(),
  type: z.string().optional(),
  action: z.string().optional(),
  date_created: z.string().optional(),
});

/** An subscription by its service's id, and what to look at in it. */
type WebhookTarget = { subscription: string; hints: SnapshotRequest["hints"] };

const target = (subscription: string | null | undefined, hints: SnapshotRequest["hints"] = {}): WebhookTarget | null =>
  subscription ? { subscription, hints } : null;

/** The first of some ids that leads anywhere. */
async function firstTarget<Found>(ids: string[], follow: (id: string) => Promise<Found | null>): Promise<Found | null> {
  for (const id of ids) {
    const found = await follow(id);
    if (found) return found;
  }
  return null;
}

/** Where a notification of PayPal leads. Null: nowhere, as far as PayPal and we know by now. */
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

/** Where a notification of MercadoPago leads. Null: nowhere, as far as it and we know by now; "ignored": nowhere at all. */
async function resolveMercadopagoTarget(
  { db, mercadopago }: Context,
  { subject, subject_id: id }: EventSubject,
): Promise<WebhookTarget | "ignored" | null> {
  const service = mercadopago!;
  const attemptOf = async (reference: string | null | undefined) =>
    isId(reference) ? checkoutById(db, "mercadopago", reference) : null;
  const ofOrder = async (order: string) => {
    const read = await service.merchantOrder(order);
    const checkout = await attemptOf(read?.externalReference);
    // The making of a preference may have been cut short before it told us its id.
    if (checkout && !checkout.external_id && read?.preferenceId)
      await linkCheckout(db, checkout.id, { external_id: read.preferenceId });
    const payment = read?.paymentIds[0];
    return target(checkout?.external_id ?? read?.preferenceId, payment ? { payment } : {});
  };
  const ofPayment = async (payment: string) => {
    const known = await subscriptionIdOfPayment(db, "mercadopago", payment);
    if (known) return target(known, { payment });
    const read = await service.payment(payment);
    if (read && isCardValidation(read)) return "ignored";
    const checkout = await attemptOf(read?.externalReference);
    const subscription = checkout?.external_id ?? read?.preapprovalId;
    if (subscription || !read?.merchantOrderId) return target(subscription, { payment });
    return ofOrder(read.merchantOrderId);
  };
  if (subject === "preapproval") return target(id);
  if (subject === "order") return ofOrder(id);
  if (subject === "payment") return ofPayment(id);
  if (subject === "chargeback") return firstTarget((await service.chargeback(id))?.paymentIds ?? [], ofPayment);
  const invoice = await service.invoice(id);
  return target(invoice?.preapprovalId, invoice?.paymentId ? { payment: invoice.paymentId } : {});
}

/**
 * Follows a notification to its subscription and reads that. What leads nowhere yet is kept for the sweep.
 * @throws ExternalServiceError when the service cannot be read: the notification stays as it is
 */
export async function handleWebhookEvent(context: Context, event: WebhookEventRow): Promise<Outcome> {
  const provider = event.provider as LiveProvider;
  const found = await (provider === "paypal" ? resolvePaypalTarget : resolveMercadopagoTarget)(context, event);
  let outcome: Outcome = found ? "settled" : "unknown";
  if (found && found !== "ignored") outcome = await reconcile(context, provider, found.subscription, found.hints);
  await setWebhookEventStatus(context.db, event.id, outcome === "unknown" ? "unmatched" : "done", context.now());
  return outcome;
}

/** Takes a notification that is known to come from the service; one that was dealt with is not looked at again. */
export async function acceptWebhookEvent(
  context: Context,
  provider: LiveProvider,
  event_id: string,
  about: EventSubject,
): Promise<void> {
  const event = await insertWebhookEvent(context.db, { provider, event_id, ...about, received_at: context.now() });
  if (event.status !== "done") await handleWebhookEvent(context, event);
}

/** The HTTP status that the service is given. A failure of the service's or ours makes it send again. */
async function statusOf(context: Context, work: () => Promise<void>): Promise<number> {
  try {
    await work();
    return 200;
  } catch (error) {
    if (!(error instanceof ExternalServiceError)) throw error;
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
    const about = event && paypalEventSubject(event);
    log.info({ event: "webhook_received", service: "paypal", type: event?.type, handled: about !== null });
    if (event && about) await acceptWebhookEvent(context, "paypal", event.id, about);
  });
}

async function receiveMercadopagoWebhook(context: Context, request: Request, body: Uint8Array): Promise<number> {
  const { mercadopago, log } = context;
  if (!mercadopago) return 503;
  const query = new URL(request.url).searchParams;
  const dataId = query.get("data.id");
  const signature = request.headers.get("x-signature");
  // The older kind of notification carries no signature: nothing follows from it, and sending it again would not help.
  if (!signature && (query.has("topic") || !dataId)) return 200;
  const requestId = request.headers.get("x-request-id");
  if (!dataId || !mercadopago.verifySignature({ signature, requestId, dataId })) throw new InvalidSignature();
  let told: z.output<typeof MercadopagoWebhookBody> = {};
  try {
    told = MercadopagoWebhookBody.parse(JSON.parse(Buffer.from(body).toString("utf8")));
  } catch {
    // The body is not signed: it names the notification, no more.
  }
  const type = query.get("type") ?? told.type ?? "";
  const subject = Object.hasOwn(MERCADOPAGO_TOPICS, type) ? MERCADOPAGO_TOPICS[type]! : null;
  log.info({ event: "webhook_received", service: "mercadopago", type: subject ?? "other", handled: subject !== null });
  if (!subject || dataId.length > 200) return 200;
  // The id that is signed is part of the name: no body can pass for a notification about something else.
  const moment = told.action && told.date_created ? `${told.action}:${told.date_created}` : null;
  // Without any name each coming counts as one of its own: what follows is only that something is read again.
  const name = told.id ?? moment ?? requestId ?? randomUUID();
  const event_id = `${type}:${dataId}:${name}`.slice(0, 300);
  return statusOf(context, () => acceptWebhookEvent(context, "mercadopago", event_id, { subject, subject_id: dataId }));
}

/** The notification does not come from the service. */
class InvalidSignature extends Error {}

/**
 * A notification of a payment service, as it came. It needs no session: its signature is the authority, and all that it
 * does is to have something read again.
 * @param body the bytes as they came, of a bounded size
 * @returns the HTTP status to answer with
 */
export async function receiveWebhook(
  context: Context,
  service: LiveProvider,
  request: Request,
  body: Uint8Array,
): Promise<number> {
  try {
    return await (service === "paypal" ? receivePaypalWebhook : receiveMercadopagoWebhook)(context, request, body);
  } catch (error) {
    if (!(error instanceof InvalidSignature)) throw error;
    context.log.warn({ event: "webhook_refused", service });
    return 401;
  }
}
