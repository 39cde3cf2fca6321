/** MercadoPago's responses, as far as they are used. */
import { z } from "zod";
import { Decimal } from "../minor-units.ts";

const absent = z.null().optional();
/** Ids are numbers in some responses and strings in others. */
const id = z.union([z.string().min(1), z.number().int()]).transform(String);
/** "2026-11-21T05:36:00.000-04:00", and "" or null for never. */
const time = z
  .union([z.iso.datetime({ offset: true }), z.literal("")])
  .or(absent)
  .transform((value) => (value ? new Date(value) : null));

export const Preference = z
  .object({ id: z.string().min(1), init_point: z.string().min(1) })
  .transform(({ id, init_point }) => ({ id, initPoint: init_point }));

export const Preapproval = z
  .object({
    id: z.string().min(1),
    status: z.string(),
    external_reference: id.or(z.literal("")).or(absent),
    init_point: z.string().or(absent),
    next_payment_date: time,
    date_created: time,
    last_modified: time,
    auto_recurring: z.object({ transaction_amount: Decimal.or(absent), currency_id: z.string().or(absent) }).or(absent),
  })
  .transform((row) => ({
    id: row.id,
    /** pending, authorized, paused or cancelled; "canceled" in some of its pages, never here. */
    status: row.status === "canceled" ? "cancelled" : row.status,
    externalReference: row.external_reference || null,
    initPoint: row.init_point ?? null,
    nextPaymentDate: row.next_payment_date,
    dateCreated: row.date_created,
    lastModified: row.last_modified,
    amount: row.auto_recurring?.transaction_amount ?? null,
    currency: row.auto_recurring?.currency_id ?? null,
  }));
export type MercadopagoPreapproval = z.output<typeof Preapproval>;

export const Payment = z
  .object({
    id,
    status: z.string(),
    status_detail: z.string().or(absent),
    external_reference: id.or(z.literal("")).or(absent),
    transaction_amount: Decimal,
    transaction_amount_refunded: Decimal.or(absent),
    currency_id: z.string(),
    operation_type: z.string().or(absent),
    date_created: time,
    date_approved: time,
    date_last_updated: time,
    metadata: z.record(z.string(), z.unknown()).or(absent),
    order: z.object({ id: id.or(absent) }).or(absent),
  })
  .transform((row) => {
    const preapprovalId = row.metadata?.preapproval_id;
    return {
      id: row.id,
      /** pending, approved, authorized, in_process, in_mediation, rejected, cancelled, refunded or charged_back. */
      status: row.status,
      statusDetail: row.status_detail ?? null,
      externalReference: row.external_reference || null,
      amount: row.transaction_amount,
      amountRefunded: row.transaction_amount_refunded ?? 0,
      currency: row.currency_id,
      /** regular_payment, recurring_payment, card_validation and others. */
      operationType: row.operation_type ?? null,
      dateCreated: row.date_created,
      dateApproved: row.date_approved,
      dateLastUpdated: row.date_last_updated,
      /** It may differ in form from the preapproval's id; only the invoice is reliable. */
      preapprovalId: typeof preapprovalId === "string" && preapprovalId ? preapprovalId : null,
      merchantOrderId: row.order?.id ?? null,
    };
  });
export type MercadopagoPayment = z.output<typeof Payment>;

export const Invoice = z
  .object({
    id,
    preapproval_id: z.string(),
    status: z.string(),
    transaction_amount: Decimal.or(absent),
    currency_id: z.string().or(absent),
    debit_date: time,
    next_retry_date: time,
    retry_attempt: z.number().or(absent),
    external_reference: id.or(z.literal("")).or(absent),
    payment: z.object({ id: id.or(absent), status: z.string().or(absent) }).or(absent),
  })
  .transform((row) => ({
    id: row.id,
    preapprovalId: row.preapproval_id,
    /** scheduled, processed, recycling (it will be tried again) or cancelled. */
    status: row.status,
    amount: row.transaction_amount ?? null,
    currency: row.currency_id ?? null,
    debitDate: row.debit_date,
    nextRetryDate: row.next_retry_date,
    retryAttempt: row.retry_attempt ?? 0,
    externalReference: row.external_reference || null,
    paymentId: row.payment?.id ?? null,
    paymentStatus: row.payment?.status ?? null,
  }));
export type MercadopagoInvoice = z.output<typeof Invoice>;

export const MerchantOrder = z
  .object({
    id,
    preference_id: z.string().or(absent),
    external_reference: id.or(z.literal("")).or(absent),
    status: z.string().or(absent),
    order_status: z.string().or(absent),
    payments: z.array(z.object({ id, status: z.string().or(absent) })).or(absent),
  })
  .transform((row) => ({
    id: row.id,
    preferenceId: row.preference_id ?? null,
    externalReference: row.external_reference || null,
    /** opened, closed or expired. */
    status: row.status ?? null,
    /** paid, partially_paid, refunded and others. */
    orderStatus: row.order_status ?? null,
    paymentIds: (row.payments ?? []).map((payment) => payment.id),
  }));
export type MercadopagoMerchantOrder = z.output<typeof MerchantOrder>;

export const Chargeback = z
  .object({
    id,
    payments: z.array(z.union([id, z.object({ id }).transform((payment) => payment.id)])).default([]),
    coverage_applied: z.boolean().or(absent),
  })
  .transform((row) => ({
    id: row.id,
    paymentIds: row.payments,
    /** Whether MercadoPago bears the loss; null while that is open. */
    coverageApplied: row.coverage_applied ?? null,
  }));
export type MercadopagoChargeback = z.output<typeof Chargeback>;
