/** PayPal's responses, as far as we use them. */
import { z } from "zod";
import { Decimal } from "./minor-units.ts";
import { countedList, optional, optionalList, time } from "./response-fields.ts";

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
  links: z.array(z.object({ rel: z.string(), href: z.string() })).default([]),
});

export const Subscription = z
  .object({
    id: z.string(),
    status: z.string(),
    status_update_time: time,
    create_time: time,
    plan_id: z.string().nullish(),
    custom_id: z.string().nullish(),
    plan_overridden: z.boolean().nullish(),
    quantity: z.union([z.string(), z.number().transform(String)]).nullish(),
    billing_info: optional(
      z.object({ last_payment: optional(z.object({ amount: money, time })), next_billing_time: time }),
    ),
  })
  .transform(({ billing_info: billing, ...row }) => ({
    id: row.id,
    /** APPROVAL_PENDING, APPROVED, ACTIVE, SUSPENDED, CANCELLED or EXPIRED. */
    status: row.status,
    statusUpdateTime: row.status_update_time,
    createTime: row.create_time,
    planId: row.plan_id ?? null,
    /** Our reference from its creation. */
    customId: row.custom_id ?? null,
    /** The plan's terms were changed for this subscription. */
    planOverridden: row.plan_overridden ?? false,
    quantity: row.quantity ?? "1",
    /** Amounts in hundredths. */
    lastPayment: billing?.last_payment ? { ...billing.last_payment.amount, time: billing.last_payment.time } : null,
    /** Absent once it is over; just after activation it may lie in the past. */
    nextBillingTime: billing?.next_billing_time ?? null,
  }));

export const Transactions = z.object({
  transactions: countedList(
    z
      .object({
        id: z.string(),
        status: z.string(),
        time: z.iso.datetime({ offset: true }).transform((value) => new Date(value)),
        amount_with_breakdown: z.object({ gross_amount: money }),
      })
      .transform(({ id, status, time, amount_with_breakdown: { gross_amount } }) => ({
        id,
        /**
         * COMPLETED, DECLINED, PARTIALLY_REFUNDED, PENDING or REFUNDED. A refund may be a separate line with a negative
         * amount.
         */
        status,
        time,
        ...gross_amount,
      })),
  ),
});
export type PaypalTransaction = z.output<typeof Transactions>["transactions"]["items"][number];

export const Sale = z
  .object({
    id: z.string(),
    state: z.string(),
    amount: olderMoney,
    billing_agreement_id: optional(z.string()),
    create_time: time,
  })
  .transform((row) => ({
    id: row.id,
    /** completed, partially_refunded, pending, refunded or denied. */
    state: row.state,
    subscriptionId: row.billing_agreement_id,
    time: row.create_time,
    ...row.amount,
  }));

export const Dispute = z
  .object({
    dispute_id: z.string(),
    status: z.string(),
    dispute_outcome: z.object({ outcome_code: z.string().nullish() }).nullish(),
    disputed_transactions: optionalList(z.object({ seller_transaction_id: z.string().min(1) })),
  })
  .transform((row) => ({
    /** RESOLVED when it is over. */
    status: row.status,
    /** Such as RESOLVED_BUYER_FAVOUR or RESOLVED_SELLER_FAVOUR; null while it is open. */
    outcome: row.dispute_outcome?.outcome_code ?? null,
    saleIds: row.disputed_transactions.map((transaction) => transaction.seller_transaction_id),
  }));
export type PaypalDispute = z.output<typeof Dispute>;

const Event = z
  .object({
    id: z.string().min(1),
    event_type: z.string(),
    create_time: time,
    resource: z.record(z.string(), z.unknown()).default({}),
  })
  .transform((row) => ({
    id: row.id,
    type: row.event_type,
    createTime: row.create_time,
    /** As PayPal sent it; it only hints at what to read again. */
    resource: row.resource,
  }));
export type PaypalEvent = z.output<typeof Event>;

export const EventPage = z.object({
  events: optionalList(Event),
  links: z.array(z.object({ rel: z.string(), href: z.string() })).default([]),
});

/** The event in the body of a webhook request, or null if it cannot be parsed. Verify its signature before using it. */
export function readPaypalEvent(rawBody: Uint8Array): PaypalEvent | null {
  try {
    return Event.safeParse(JSON.parse(Buffer.from(rawBody).toString("utf8"))).data ?? null;
  } catch {
    return null;
  }
}
