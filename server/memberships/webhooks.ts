import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Context } from "../context.ts";
import { OutsideError } from "../outside/outside-error.ts";
import { type PaypalEvent, readPaypalEvent } from "../outside/paypal.ts";
import { outsideFacts } from "./cancellations.ts";
import { isCardTrial, type Subject } from "./readers.ts";
import { type Outcome, reconcile } from "./reconcile.ts";
import { isId } from "./rules.ts";
import { agreementOfPayment, attemptById, type EventRow, markEvent, placeAttempt, takeEvent } from "./store.ts";

export type ServiceName = "paypal" | "mercadopago";
/** What a notification is about, in the service's own ids. It says nothing else that is believed. */
export type About = { subject: string; subject_id: string };

const text = (value: unknown) => (typeof value === "string" && value.length > 0 && value.length <= 200 ? value : null);

/** What an event of PayPal is about; null where nothing of ours follows from it. */
export function aboutPaypal({ type, resource }: PaypalEvent): About | null {
  const about = (subject: string, ...ids: unknown[]): About | null => {
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
const TOPICS: Record<string, string> = {
  payment: "payment",
  subscription_preapproval: "preapproval",
  subscription_authorized_payment: "invoice",
  topic_merchant_order_wh: "order",
  topic_chargebacks_wh: "chargeback",
};

const Notification = z.object({
  id: z.union([z.string(), z.number()]).optional(),
  type: z.string().optional(),
  action: z.string().optional(),
  date_created: z.string().optional(),
});

/** An agreement by its service's id, and what to look at in it. */
type Lead = { agreement: string; pointed: Subject["pointed"] };

const lead = (agreement: string | null | undefined, pointed: Subject["pointed"] = {}): Lead | null =>
  agreement ? { agreement, pointed } : null;

/** The first of some ids that leads anywhere. */
async function firstLead<Found>(ids: string[], follow: (id: string) => Promise<Found | null>): Promise<Found | null> {
  for (const id of ids) {
    const found = await follow(id);
    if (found) return found;
  }
  return null;
}

/** Where a notification of PayPal leads. Null: nowhere, as far as PayPal and we know by now. */
async function leadOfPaypal({ db, paypal }: Context, { subject, subject_id: id }: About): Promise<Lead | null> {
  const agreementOf = async (sale: string) =>
    (await agreementOfPayment(db, "paypal", sale)) ?? (await paypal!.sale(sale))?.subscriptionId;
  if (subject === "subscription") return lead(id);
  if (subject === "sale") return lead(await agreementOf(id));
  if (subject === "reversal") return lead(await agreementOf(id), { reversal: id });
  const dispute = await paypal!.dispute(id);
  return firstLead(dispute?.saleIds ?? [], async (sale) => lead(await agreementOf(sale), { dispute: id }));
}

/** Where a notification of MercadoPago leads. Null: nowhere, as far as it and we know by now; "nothing": nowhere at all. */
async function leadOfMercadopago(
  { db, mercadopago }: Context,
  { subject, subject_id: id }: About,
): Promise<Lead | "nothing" | null> {
  const service = mercadopago!;
  const attemptOf = async (reference: string | null | undefined) =>
    isId(reference) ? attemptById(db, "mercadopago", reference) : null;
  const ofOrder = async (order: string) => {
    const read = await service.merchantOrder(order);
    const attempt = await attemptOf(read?.externalReference);
    // The making of a preference may have been cut short before it told us its id.
    if (attempt && !attempt.external_id && read?.preferenceId)
      await placeAttempt(db, attempt.id, { external_id: read.preferenceId });
    const payment = read?.paymentIds[0];
    return lead(attempt?.external_id ?? read?.preferenceId, payment ? { payment } : {});
  };
  const ofPayment = async (payment: string) => {
    const known = await agreementOfPayment(db, "mercadopago", payment);
    if (known) return lead(known, { payment });
    const read = await service.payment(payment);
    if (read && isCardTrial(read)) return "nothing";
    const attempt = await attemptOf(read?.externalReference);
    const agreement = attempt?.external_id ?? read?.preapprovalId;
    if (agreement || !read?.merchantOrderId) return lead(agreement, { payment });
    return ofOrder(read.merchantOrderId);
  };
  if (subject === "preapproval") return lead(id);
  if (subject === "order") return ofOrder(id);
  if (subject === "payment") return ofPayment(id);
  if (subject === "chargeback") return firstLead((await service.chargeback(id))?.paymentIds ?? [], ofPayment);
  const invoice = await service.invoice(id);
  return lead(invoice?.preapprovalId, invoice?.paymentId ? { payment: invoice.paymentId } : {});
}

/**
 * Follows a notification to its agreement and reads that. What leads nowhere yet is kept for the sweep.
 * @throws OutsideError when the service cannot be read: the notification stays as it is
 */
export async function followEvent(context: Context, event: EventRow): Promise<Outcome> {
  const provider = event.provider as ServiceName;
  const found = await (provider === "paypal" ? leadOfPaypal : leadOfMercadopago)(context, event);
  let outcome: Outcome = found ? "settled" : "unknown";
  if (found && found !== "nothing") outcome = await reconcile(context, provider, found.agreement, found.pointed);
  await markEvent(context.db, event.id, outcome === "unknown" ? "unmatched" : "done", context.now());
  return outcome;
}

/** Takes a notification that is known to come from the service; one that was dealt with is not looked at again. */
export async function take(context: Context, provider: ServiceName, event_id: string, about: About): Promise<void> {
  const event = await takeEvent(context.db, { provider, event_id, ...about, received_at: context.now() });
  if (event.status !== "done") await followEvent(context, event);
}

/** The HTTP status that the service is given. A failure of the service's or ours makes it send again. */
async function answer(context: Context, work: () => Promise<void>): Promise<number> {
  try {
    await work();
    return 200;
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error;
    context.log.warn({ event: "notification_not_followed", ...outsideFacts(error) });
    return 503;
  }
}

async function receivePaypal(context: Context, request: Request, body: Uint8Array): Promise<number> {
  const { paypal, log } = context;
  if (!paypal) return 503;
  return answer(context, async () => {
    if (!(await paypal.verifyWebhook(request.headers, body))) throw new Unsigned();
    const event = readPaypalEvent(body);
    const about = event && aboutPaypal(event);
    log.info({ event: "notification", service: "paypal", type: event?.type, followed: about !== null });
    if (event && about) await take(context, "paypal", event.id, about);
  });
}

async function receiveMercadopago(context: Context, request: Request, body: Uint8Array): Promise<number> {
  const { mercadopago, log } = context;
  if (!mercadopago) return 503;
  const query = new URL(request.url).searchParams;
  const dataId = query.get("data.id");
  const signature = request.headers.get("x-signature");
  // The older kind of notification carries no signature: nothing follows from it, and sending it again would not help.
  if (!signature && (query.has("topic") || !dataId)) return 200;
  const requestId = request.headers.get("x-request-id");
  if (!dataId || !mercadopago.verifySignature({ signature, requestId, dataId })) throw new Unsigned();
  let told: z.output<typeof Notification> = {};
  try {
    told = Notification.parse(JSON.parse(Buffer.from(body).toString("utf8")));
  } catch {
    // The body is not signed: it names the notification, no more.
  }
  const type = query.get("type") ?? told.type ?? "";
  const subject = Object.hasOwn(TOPICS, type) ? TOPICS[type]! : null;
  log.info({ event: "notification", service: "mercadopago", type: subject ?? "other", followed: subject !== null });
  if (!subject || dataId.length > 200) return 200;
  // The id that is signed is part of the name: no body can pass for a notification about something else.
  const moment = told.action && told.date_created ? `${told.action}:${told.date_created}` : null;
  // Without any name each coming counts as one of its own: what follows is only that something is read again.
  const name = told.id ?? moment ?? requestId ?? randomUUID();
  const event_id = `${type}:${dataId}:${name}`.slice(0, 300);
  return answer(context, () => take(context, "mercadopago", event_id, { subject, subject_id: dataId }));
}

/** The notification does not come from the service. */
class Unsigned extends Error {}

/**
 * A notification of a payment service, as it came. It needs no session: its signature is the authority, and all that it
 * does is to have something read again.
 * @param body the bytes as they came, of a bounded size
 * @returns the HTTP status to answer with
 */
export async function receiveNotification(
  context: Context,
  service: ServiceName,
  request: Request,
  body: Uint8Array,
): Promise<number> {
  try {
    return await (service === "paypal" ? receivePaypal : receiveMercadopago)(context, request, body);
  } catch (error) {
    if (!(error instanceof Unsigned)) throw error;
    context.log.warn({ event: "notification_refused", service });
    return 401;
  }
}
