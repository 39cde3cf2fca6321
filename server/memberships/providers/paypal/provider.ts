import { PRODUCT_NAME } from "#shared/product.ts";
import type { Config } from "../../../config.ts";
import {
  firstTarget,
  type Hint,
  type PaymentProvider,
  type ProviderRecords,
  target,
  type WebhookEvent,
  type WebhookResource,
  type WebhookTarget,
} from "../../../integrations/payment-provider.ts";
import { createPaypal, type Paypal } from "../../../integrations/paypal-client.ts";
import { type PaypalEvent, readPaypalEvent } from "../../../integrations/paypal-schemas.ts";
import { readSubscription } from "./snapshot.ts";

const text = (value: unknown) => (typeof value === "string" && value.length > 0 && value.length <= 200 ? value : null);

/** The subject of an event of PayPal, or null for events that we do not handle. */
export function subjectOf({ event_type: type, resource }: PaypalEvent): WebhookResource | null {
  const named = (type: string, ...ids: unknown[]): WebhookResource | null => {
    const id = ids.map(text).find((id) => id !== null);
    return id ? { type, id } : null;
  };
  if (type.startsWith("BILLING.SUBSCRIPTION.")) return named("subscription", resource.id);
  if (type.startsWith("CUSTOMER.DISPUTE.")) return named("dispute", resource.dispute_id);
  // Old and new events differ in which of these fields they have; both name the sale.
  if (type === "PAYMENT.SALE.REVERSED") return named("reversal", resource.sale_id, resource.id);
  if (type === "PAYMENT.SALE.REFUNDED") return named("refund", resource.sale_id);
  if (type.startsWith("PAYMENT.SALE."))
    return named("subscription", resource.billing_agreement_id) ?? named("sale", resource.id);
  return null;
}

async function targetOf(
  paypal: Paypal,
  { type, id }: WebhookResource,
  records: ProviderRecords,
): Promise<WebhookTarget | "ignored" | null> {
  if (type === "subscription") return target(id);
  const ofSale = async (sale: string, hint: Hint | null) => {
    const known = await records.subscriptionOfPayment(sale);
    if (known) return target(known, hint);
    const read = await paypal.sale(sale);
    return read && !read.billing_agreement_id ? "ignored" : target(read?.billing_agreement_id, hint);
  };
  if (type === "sale") return ofSale(id, null);
  if (type === "refund" || type === "reversal") return ofSale(id, { type, id });
  const dispute = await paypal.dispute(id);
  const sales = dispute?.disputed_transactions.map((sale) => sale.seller_transaction_id) ?? [];
  return firstTarget(sales, (sale) => ofSale(sale, { type: "dispute", id }));
}

/** The reason shown in PayPal's records of a cancellation. */
const REASON = `Cancelled at ${PRODUCT_NAME}`;

const webhookEvent = (event: PaypalEvent): WebhookEvent => ({
  id: event.id,
  type: event.event_type,
  subject: subjectOf(event),
  created_at: event.create_time,
});

/** PayPal: both plans are subscriptions there; lifetime is a plan of one cycle. */
export function openPaypal(settings: NonNullable<Config["paypal"]>, publicUrl: URL): PaymentProvider {
  const { plans } = settings;
  const client = createPaypal(settings);
  return {
    name: "paypal",
    asksPayerEmail: [],
    neverExpires: [],

    async openCheckout({ id, plan_type }) {
      const page = (path: string) => new URL(path, publicUrl).href;
      const planId = plans[plan_type];
      const made = await client.createSubscription({
        id,
        planId,
        brandName: PRODUCT_NAME,
        returnUrl: page(`/planes/pago/${id}/fin`),
        cancelUrl: page("/planes"),
      });
      return { external_id: made.id, approval_url: made.approveUrl, provider_plan_id: planId };
    },

    read: (request) => readSubscription(client, plans, request),
    cancel: (externalId) => client.cancel(externalId, REASON),

    async verifyEvent(request, body) {
      if (!(await client.verifyWebhook(request.headers, body))) return null;
      const event = readPaypalEvent(body);
      return event ? webhookEvent(event) : "ignored";
    },

    targetOf: (event, records) => targetOf(client, event, records),
    missedEvents: async (from, to) => (await client.webhookEvents(from, to)).map(webhookEvent),
  };
}
