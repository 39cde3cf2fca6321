/** MercadoPago's responses, as far as we use them. */
import { z } from "zod";
import { countedList, Decimal, id, optional, optionalList, time } from "./response-fields.ts";

/** Our own reference: the id of the checkout. "" or null if the payment has no reference. */
const reference = z
  .union([id, z.literal("")])
  .nullish()
  .transform((value) => value || null);
/** Paging of a search: the total number of results, if MercadoPago sends it. */
const total = optional(z.object({ total: z.number().int() })).transform((paging) => paging?.total ?? null);
/** A page of a search. */
export const found = <Schema extends z.ZodType>(schema: Schema) =>
  z.object({ paging: total, results: countedList(schema) });

export const Preference = z.object({ id: z.string().min(1), init_point: z.string().min(1) });

/** URL of a preapproval's page without the parameter `activation`: with it there is no page (docs/payments.md). */
function checkoutUrl(text: string): string {
  const url = URL.parse(text);
  if (!url?.searchParams.has("activation")) return text;
  url.searchParams.delete("activation");
  return url.href;
}

export const Preapproval = z.object({
  id: z.string().min(1),
  /** pending, authorized, paused or cancelled; "canceled" in some of its pages, never here. */
  status: z.string().transform((status) => (status === "canceled" ? "cancelled" : status)),
  external_reference: reference,
  init_point: optional(z.string().min(1).transform(checkoutUrl)),
  next_payment_date: time,
  last_modified: time,
  /** The price. */
  auto_recurring: optional(
    z
      .object({ transaction_amount: Decimal, currency_id: z.string() })
      .transform(({ transaction_amount, currency_id }) => ({ amount: transaction_amount, currency: currency_id })),
  ),
});

export const Payment = z.object({
  id,
  /** pending, approved, authorized, in_process, in_mediation, rejected, cancelled, refunded or charged_back. */
  status: z.string(),
  /** For a charged back payment: `reimbursed` if we got the money back. */
  status_detail: optional(z.string()),
  external_reference: reference,
  transaction_amount: Decimal,
  /** Either of these two may be missing. */
  transaction_amount_refunded: optional(Decimal),
  refunds: optionalList(z.object({ amount: Decimal })),
  currency_id: z.string(),
  /** regular_payment, recurring_payment, card_validation and others. */
  operation_type: optional(z.string()),
  date_created: time,
  date_approved: time,
  date_last_updated: time,
  /** The id may differ in form from the preapproval's; only the invoice is reliable. */
  metadata: optional(z.object({ preapproval_id: optional(z.string().min(1)) })),
});
export type MercadopagoPayment = z.output<typeof Payment>;

export const Invoice = z.object({
  id,
  preapproval_id: z.string(),
  payment: optional(z.object({ id: optional(id) })),
});
export type MercadopagoInvoice = z.output<typeof Invoice>;

/** `payments` are their ids. */
export const Chargeback = z.object({
  id,
  payments: optionalList(z.union([id, z.object({ id }).transform((payment) => payment.id)])),
});
