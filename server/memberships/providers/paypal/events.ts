import {
  firstTarget,
  type Hint,
  type ProviderRecords,
  target,
  type WebhookResourceType,
  type WebhookTarget,
} from "../../../integrations/payment-provider.ts";
import type { Paypal } from "../../../integrations/paypal-client.ts";
import type { PaypalEvent } from "../../../integrations/paypal-schemas.ts";

const text = (value: unknown) => (typeof value === "string" && value.length > 0 && value.length <= 200 ? value : null);

/** The subject of an event of PayPal, or null for events that we do not handle. */
export function subjectOf({ type, resource }: PaypalEvent): WebhookResourceType | null {
  const named = (subject: string, ...ids: unknown[]): WebhookResourceType | null => {
    const subject_id = ids.map(text).find((id) => id !== null);
    return subject_id ? { subject, subject_id } : null;
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

/**
 * Finds the subscription to read for an event.
 * @returns null while neither PayPal nor we know it; "foreign" if it concerns another kind of sale
 */
export async function targetOf(
  paypal: Paypal,
  { subject, subject_id: id }: WebhookResourceType,
  records: ProviderRecords,
): Promise<WebhookTarget | "foreign" | null> {
  if (subject === "subscription") return target(id);
  const ofSale = async (sale: string, hint: Hint | null) => {
    const known = await records.subscriptionOfPayment(sale);
    if (known) return target(known, hint);
    const read = await paypal.sale(sale);
    return read && !read.subscriptionId ? "foreign" : target(read?.subscriptionId, hint);
  };
  if (subject === "sale") return ofSale(id, null);
  if (subject === "refund" || subject === "reversal") return ofSale(id, { type: subject, id });
  const dispute = await paypal.dispute(id);
  return firstTarget(dispute?.saleIds ?? [], (sale) => ofSale(sale, { type: "dispute", id }));
}
