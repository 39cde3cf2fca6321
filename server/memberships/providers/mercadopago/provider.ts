import { randomUUID } from "node:crypto";
import { z } from "zod";
import { isUuid } from "#shared/ids.ts";
import { PLAN_NAMES } from "#shared/plans.ts";
import { PRODUCT_NAME } from "#shared/product.ts";
import type { Config } from "../../../config.ts";
import { parseJson } from "../../../integrations/json-client.ts";
import { createMercadopago, type Mercadopago } from "../../../integrations/mercadopago-client.ts";
import { isSigned } from "../../../integrations/mercadopago-signature.ts";
import {
  firstTarget,
  type PaymentProvider,
  type ProviderRecords,
  target,
  type WebhookEvent,
  type WebhookResource,
  type WebhookTarget,
} from "../../../integrations/payment-provider.ts";
import { CHECKOUT_LIFETIME } from "../../checkouts/rules.ts";
import { isCardValidation, readSubscription } from "./snapshot.ts";

/** MercadoPago's topics and the kind of resource that their id names. Chargebacks have two topics. */
const TOPICS: Record<string, string> = {
  payment: "payment",
  subscription_preapproval: "preapproval",
  subscription_authorized_payment: "invoice",
  topic_chargebacks_wh: "chargeback",
  chargebacks: "chargeback",
};

/** Statuses of an unpaid payment. */
const REFUSED = ["rejected", "cancelled"];

/** Fields that identify an event in its unsigned body. */
const Body = z.object({
  id: z.union([z.string(), z.number()]).optional(),
  type: z.string().optional(),
});

/**
 * The event in a webhook request; null when it is not signed with our secret, "ignored" for the older kind (it names a
 * `topic`), which is not signed or in another way: sending it again would not help.
 */
function verifyEvent(secret: string, request: Request, body: Uint8Array): WebhookEvent | "ignored" | null {
  const query = new URL(request.url).searchParams;
  const dataId = query.get("data.id");
  const signature = request.headers.get("x-signature");
  const isOlderKind = query.has("topic") && !query.has("type");
  if (isOlderKind || (!signature && !dataId)) return "ignored";
  const requestId = request.headers.get("x-request-id");
  if (!dataId || !isSigned(secret, { signature, requestId, dataId })) return null;
  const sent = Body.safeParse(parseJson(Buffer.from(body).toString("utf8"))).data;
  const topic = query.get("type") ?? sent?.type ?? "";
  const type = Object.hasOwn(TOPICS, topic) ? TOPICS[topic]! : null;
  // The signed id is part of the event id: a forged body cannot pass for an event about something else.
  // Without any identification each delivery counts as a new event; it only causes another reading.
  const name = sent?.id ?? requestId ?? randomUUID();
  return {
    id: `${topic}:${dataId}:${name}`.slice(0, 300),
    type: type ?? "other",
    subject: type === null ? null : { type, id: dataId },
    created_at: null,
  };
}

async function targetOf(
  client: Mercadopago,
  { type, id }: WebhookResource,
  records: ProviderRecords,
): Promise<WebhookTarget | "ignored" | null> {
  const hint = (payment: string | null | undefined) => (payment ? ({ type: "payment", id: payment } as const) : null);
  const targetOfPayment = async (payment: string) => {
    const known = await records.subscriptionOfPayment(payment);
    if (known) return target(known, hint(payment));
    const read = await client.payment(payment);
    if (!read) return null;
    const isForeign = read.external_reference !== null && !isUuid(read.external_reference);
    if (isForeign || isCardValidation(read)) return "ignored";
    const checkout = await records.checkoutOf(read.external_reference);
    // A refused payment without our reference: the notification of its invoice names the subscription.
    if (!checkout && REFUSED.includes(read.status)) return "ignored";
    return target(checkout?.external_id ?? read.metadata?.preapproval_id, hint(payment));
  };
  if (type === "preapproval") return target(id);
  if (type === "payment") return targetOfPayment(id);
  if (type === "chargeback") return firstTarget((await client.chargeback(id))?.payments ?? [], targetOfPayment);
  const invoice = await client.invoice(id);
  return target(invoice?.preapproval_id, hint(invoice?.payment?.id));
}

/** MercadoPago: monthly is a preapproval, which renews by itself; lifetime is a preference, one payment. */
export function openMercadopago(settings: NonNullable<Config["mercadopago"]>, publicUrl: URL): PaymentProvider {
  const client = createMercadopago(settings);
  return {
    name: "mercadopago",
    asksPayerEmail: ["monthly"],
    neverExpires: ["monthly"],

    async openCheckout({ id, plan_type, amount, currency, created_at, payer_email }) {
      const returnUrl = new URL(`/planes/pago/${id}/fin`, publicUrl).href;
      const title = `${PRODUCT_NAME}: Membresía Gold, ${PLAN_NAMES[plan_type]}`;
      const asked = { id, title, amount, currency, returnUrl };
      const expiresAt = new Date(created_at.getTime() + CHECKOUT_LIFETIME);
      const made =
        plan_type === "monthly"
          ? await client.createPreapproval({ ...asked, payerEmail: payer_email! })
          : await client.createPreference({ ...asked, expiresAt });
      return { external_id: made.id, approval_url: made.init_point };
    },

    read: (request) => readSubscription(client, request),
    cancel: (externalId) => client.cancelPreapproval(externalId),
    verifyEvent: async (request, body) => verifyEvent(settings.webhookSecret, request, body),
    targetOf: (event, records) => targetOf(client, event, records),
  };
}
