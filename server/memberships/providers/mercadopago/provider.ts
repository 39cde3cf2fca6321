import { PLAN_NAMES } from "#shared/plans.ts";
import { PRODUCT_NAME } from "#shared/product.ts";
import type { Config } from "../../../config.ts";
import { createMercadopago, type Mercadopago } from "../../../integrations/mercadopago-client.ts";
import type { PaymentProvider } from "../../../integrations/payment-provider.ts";
import { CHECKOUT_LIFETIME } from "../../checkouts/rules.ts";
import { targetOf, verifyEvent } from "./events.ts";
import { readSubscription } from "./snapshot.ts";

/**
 * MercadoPago: monthly is a preapproval, which renews by itself; lifetime is a preference, one payment.
 * @param webhookSecret the secret of the application's webhook, shown in MercadoPago's panel
 */
export const mercadopagoProvider = (
  client: Mercadopago,
  { webhookSecret, publicUrl }: { webhookSecret: string; publicUrl: URL },
): PaymentProvider => ({
  name: "mercadopago",
  asksPayerEmail: ["monthly"],
  neverExpires: ["monthly"],

  async openCheckout({ id, plan_type, amount, currency, created_at, payer_email }) {
    const end = new URL(`/planes/pago/${id}/fin`, publicUrl).href;
    const title = `${PRODUCT_NAME}: Membresía Gold, ${PLAN_NAMES[plan_type]}`;
    const asked = { externalReference: id, amount, currency };
    const made =
      plan_type === "monthly"
        ? await client.createPreapproval({ ...asked, reason: title, payerEmail: payer_email!, backUrl: end })
        : await client.createPreference({
            ...asked,
            title,
            backUrls: { success: end, failure: end, pending: end },
            expiresAt: new Date(created_at.getTime() + CHECKOUT_LIFETIME),
            idempotencyKey: id,
          });
    return { external_id: made.id, approval_url: made.initPoint };
  },

  read: (request) => readSubscription(client, request),
  cancel: (externalId) => client.cancelPreapproval(externalId),
  verifyEvent: async (request, body) => verifyEvent(webhookSecret, request, body),
  targetOf: (event, records) => targetOf(client, event, records),
  missedEvents: null,
});

/** MercadoPago with these credentials. */
export const openMercadopago = (settings: NonNullable<Config["mercadopago"]>, publicUrl: URL): PaymentProvider =>
  mercadopagoProvider(createMercadopago(settings), { webhookSecret: settings.webhookSecret, publicUrl });
