/** MercadoPago's responses, as far as we use them. */
import { z } from "zod";
import { Decimal } from "./minor-units.ts";
import { countedList, id, optional, optionalList, time } from "./response-fields.ts";

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

export const Preference = z
  .object({ id: z.string().min(1), init_point: z.string().min(1) })
  .transform(({ id, init_point }) => ({ id, initPoint: init_point }));

/** URL of a preapproval's page without the parameter `activation`: with it there is no page (docs/payments.md). */
function checkoutUrl(text: string): string {
  const url = URL.parse(text);
  if (!url?.searchParams.has("activation")) return text;
  url.searchParams.delete("activation");
  return url.href;
}

export const Preapproval = z
  .object({
    id: z.string().min(1),
    status: z.string(),
    external_reference: reference,
    init_point: optional(z.string().min(1)),
    next_payment_date: time,
    last_modified: time,
    auto_recurring: optional(z.object({ transaction_amount: Decimal, currency_id: z.string() })),
  })
  .transform((row) => ({
    id: row.id,
    /** pending, authorized, paused or cancelled; "canceled" in some of its pages, never here. */
    status: row.status === "canceled" ? "cancelled" : row.status,
    externalReference: row.external_reference,
    initPoint: row.init_point && checkoutUrl(row.init_point),
    nextPaymentDate: row.next_payment_date,
    lastModified: row.last_modified,
    amount: row.auto_recurring?.transaction_amount ?? null,
    currency: row.auto_recurring?.currency_id ?? null,
  }));

export const Payment = z
  .object({
    id,
    status: z.string(),
    status_detail: optional(z.string()),
    external_reference: reference,
    transaction_amount: Decimal,
    transaction_amount_refunded: optional(Decimal),
    refunds: optionalList(z.object({ amount: Decimal })),
    currency_id: z.string(),
    operation_type: optional(z.string()),
    date_created: time,
    date_approved: time,
    date_last_updated: time,
    metadata: optional(z.record(z.string(), z.unknown())),
  })
  .transform((row) => {
    const preapprovalId = row.metadata?.preapproval_id;
    return {
      id: row.id,
      /** pending, approved, authorized, in_process, in_mediation, rejected, cancelled, refunded or charged_back. */
      status: row.status,
      /** For a charged back payment: `reimbursed` if we got the money back. */
      statusDetail: row.status_detail,
      externalReference: row.external_reference,
      amount: row.transaction_amount,
      // Either of the two may be missing.
      amountRefunded: Math.max(
        row.transaction_amount_refunded ?? 0,
        row.refunds.reduce((sum, refund) => sum + refund.amount, 0),
      ),
      currency: row.currency_id,
      /** regular_payment, recurring_payment, card_validation and others. */
      operationType: row.operation_type,
      dateCreated: row.date_created,
      dateApproved: row.date_approved,
      dateLastUpdated: row.date_last_updated,
      /** It may differ in form from the preapproval's id; only the invoice is reliable. */
      preapprovalId: typeof preapprovalId === "string" && preapprovalId ? preapprovalId : null,
    };
  });
export type MercadopagoPayment = z.output<typeof Payment>;

export const Invoice = z
  .object({
    id,
    preapproval_id: z.string(),
    payment: optional(z.object({ id: optional(id) })),
  })
  .transform((row) => ({
    id: row.id,
    preapprovalId: row.preapproval_id,
    paymentId: row.payment?.id ?? null,
  }));
export type MercadopagoInvoice = z.output<typeof Invoice>;

export const Chargeback = z
  .object({
    id,
    payments: optionalList(z.union([id, z.object({ id }).transform((payment) => payment.id)])),
  })
  .transform((row) => ({ paymentIds: row.payments }));
