/** PayPal's responses, as far as they are used. */
import { z } from "zod";
import { Decimal } from "../minor-units.ts";

const absent = z.null().optional();
const time = z.iso.datetime({ offset: true }).transform((value) => new Date(value));
const money = z
  .object({ currency_code: z.string(), value: Decimal })
  .transform(({ currency_code, value }) => ({ amount: value, currency: currency_code }));
/** Older objects of PayPal name the same fields differently. */
const olderMoney = z
  .object({ currency: z.string(), total: Decimal })
  .transform(({ currency, total }) => ({ amount: total, currency }));

export const Token = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() });

export const Created = z.object({
  id: z.string().min(1),
  status: z.string(),
  links: z.array(z.object({ rel: z.string(), href: z.string() })).default([]),
});

export const Subscription = z
  .object({
    id: z.string(),
    status: z.string(),
    status_update_time: time.or(absent),
    create_time: time.or(absent),
    plan_id: z.string().or(absent),
    custom_id: z.string().or(absent),
    plan_overridden: z.boolean().or(absent),
    quantity: z.string().or(absent),
    billing_info: z
      .object({
        last_payment: z.object({ amount: money, time: time.or(absent) }).or(absent),
        next_billing_time: time.or(absent),
        failed_payments_count: z.number().or(absent),
      })
      .or(absent),
  })
  .transform(({ billing_info: billing, ...row }) => ({
    id: row.id,
    /** APPROVAL_PENDING, APPROVED, ACTIVE, SUSPENDED, CANCELLED or EXPIRED. */
    status: row.status,
    statusUpdateTime: row.status_update_time ?? null,
    createTime: row.create_time ?? null,
    planId: row.plan_id ?? null,
    /** Our reference, set when it was created. */
    customId: row.custom_id ?? null,
    /** The plan's terms were changed for this subscription. */
    planOverridden: row.plan_overridden ?? false,
    quantity: row.quantity ?? "1",
    /** Amounts in hundredths. */
    lastPayment: billing?.last_payment
      ? { ...billing.last_payment.amount, time: billing.last_payment.time ?? null }
      : null,
    /** Absent once it is over; just after activation it may lie in the past. */
    nextBillingTime: billing?.next_billing_time ?? null,
    failedPaymentsCount: billing?.failed_payments_count ?? 0,
  }));
export type PaypalSubscription = z.output<typeof Subscription>;

export const Transactions = z.object({
  transactions: z
    .array(
      z
        .object({
          id: z.string(),
          status: z.string(),
          time,
          amount_with_breakdown: z.object({ gross_amount: money }),
        })
        .transform(({ id, status, time, amount_with_breakdown: { gross_amount } }) => ({
          id,
          /** COMPLETED, DECLINED, PARTIALLY_REFUNDED, PENDING or REFUNDED. */
          status,
          time,
          ...gross_amount,
        })),
    )
    .default([]),
});
export type PaypalTransaction = z.output<typeof Transactions>["transactions"][number];

export const Sale = z
  .object({
    id: z.string(),
    state: z.string(),
    amount: olderMoney,
    billing_agreement_id: z.string().or(absent),
    create_time: time.or(absent),
    update_time: time.or(absent),
  })
  .transform((row) => ({
    id: row.id,
    /** completed, partially_refunded, pending, refunded or denied. */
    state: row.state,
    subscriptionId: row.billing_agreement_id ?? null,
    createTime: row.create_time ?? null,
    updateTime: row.update_time ?? null,
    ...row.amount,
  }));
export type PaypalSale = z.output<typeof Sale>;

export const Dispute = z
  .object({
    dispute_id: z.string(),
    status: z.string(),
    update_time: time.or(absent),
    dispute_outcome: z.object({ outcome_code: z.string().or(absent) }).or(absent),
    disputed_transactions: z.array(z.object({ seller_transaction_id: z.string().or(absent) })).default([]),
  })
  .transform((row) => ({
    id: row.dispute_id,
    /** RESOLVED when it is over. */
    status: row.status,
    /** Such as RESOLVED_BUYER_FAVOUR or RESOLVED_SELLER_FAVOUR; null while it is open. */
    outcome: row.dispute_outcome?.outcome_code ?? null,
    updateTime: row.update_time ?? null,
    saleIds: row.disputed_transactions.flatMap(({ seller_transaction_id: id }) => (id ? [id] : [])),
  }));
export type PaypalDispute = z.output<typeof Dispute>;

const Event = z
  .object({
    id: z.string().min(1),
    event_type: z.string(),
    create_time: time.or(absent),
    resource: z.record(z.string(), z.unknown()).default({}),
  })
  .transform((row) => ({
    id: row.id,
    type: row.event_type,
    createTime: row.create_time ?? null,
    /** As PayPal sent it; it only hints at what to read again. */
    resource: row.resource,
  }));
export type PaypalEvent = z.output<typeof Event>;

export const EventPage = z.object({
  events: z.array(Event).default([]),
  links: z.array(z.object({ rel: z.string(), href: z.string() })).default([]),
});

export type PaypalEventPage = z.output<typeof EventPage>;

/**
 * The event in the body of a webhook request, or null when it cannot be parsed. Verify its signature before using it.
 */
export function readPaypalEvent(rawBody: Uint8Array): PaypalEvent | null {
  try {
    return Event.safeParse(JSON.parse(Buffer.from(rawBody).toString("utf8"))).data ?? null;
  } catch {
    return null;
  }
}
