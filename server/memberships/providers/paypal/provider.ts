import type { PlanType } from "#shared/plans.ts";
import { PRODUCT_NAME } from "#shared/product.ts";
import { type Config, PAYPAL_API, PAYPAL_SANDBOX_API } from "../../../config.ts";
import type { PaymentProvider, WebhookEvent } from "../../../integrations/payment-provider.ts";
import { createPaypal, type Paypal } from "../../../integrations/paypal-client.ts";
import { type PaypalEvent, readPaypalEvent } from "../../../integrations/paypal-schemas.ts";
import { subjectOf, targetOf } from "./events.ts";
import { readSubscription } from "./snapshot.ts";

/** The reason shown in PayPal's records of a cancellation. */
const REASON = `Cancelled at ${PRODUCT_NAME}`;

const webhookEvent = (event: PaypalEvent): WebhookEvent => ({
  id: event.id,
  type: event.type,
  subject: subjectOf(event),
  created_at: event.createTime,
});

/** PayPal: both plans are subscriptions there; lifetime is a plan of one cycle. @param plans our plans' ids at PayPal */
export const paypalProvider = (
  client: Paypal,
  { plans, publicUrl }: { plans: Record<PlanType, string>; publicUrl: URL },
): PaymentProvider => ({
  name: "paypal",
  asksPayerEmail: [],
  neverExpires: [],

  async openCheckout({ id, plan_type }) {
    const page = (path: string) => new URL(path, publicUrl).href;
    const planId = plans[plan_type];
    const made = await client.createSubscription({
      planId,
      customId: id,
      // Longer ones than 38 characters were refused.
      requestId: id,
      context: { brandName: PRODUCT_NAME, returnUrl: page(`/planes/pago/${id}/fin`), cancelUrl: page("/planes") },
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
});

/** Opens the provider. Webhook certificates must be PayPal's; a local fake uses its own. */
export function openPaypal(settings: NonNullable<Config["paypal"]>, publicUrl: URL): PaymentProvider {
  const ofPaypal = [PAYPAL_API, PAYPAL_SANDBOX_API].includes(settings.apiBase);
  const client = createPaypal({
    ...settings,
    ...(ofPaypal ? {} : { certificateOrigins: [new URL(settings.apiBase).origin] }),
  });
  return paypalProvider(client, { plans: settings.plans, publicUrl });
}
