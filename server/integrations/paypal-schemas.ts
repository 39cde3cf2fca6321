/** PayPal's responses, as far as we use them. */
import { z } from "zod";
import { parseJson } from "./json-client.ts";
import { countedList, Decimal, optional, optionalList, time } from "./response-fields.ts";

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

export const Subscription = z.object({
  id: z.string(),
  /** APPROVAL_PENDING, APPROVED, ACTIVE, SUSPENDED, CANCELLED or EXPIRED. */
  status: z.string(),
  status_update_time: time,
  create_time: time,
  plan_id: z.string().nullish(),
  /** Our reference from its creation. */
  custom_id: z.string().nullish(),
  /** The plan's terms were changed for this subscription. */
  plan_overridden: z.boolean().nullish(),
  quantity: z.union([z.string(), z.number().transform(String)]).nullish(),
  billing_info: optional(
    z.object({
      last_payment: optional(z.object({ amount: money, time })),
      /** Absent once it is over; just after activation it may lie in the past. */
      next_billing_time: time,
    }),
  ),
});

export const Transactions = z.object({
  transactions: countedList(
    z.object({
      id: z.string(),
      /**
       * COMPLETED, DECLINED, PARTIALLY_REFUNDED, PENDING or REFUNDED. A refund may be a separate line with a negative
       * amount.
       */
      status: z.string(),
      time: z.iso.datetime({ offset: true }).transform((value) => new Date(value)),
      amount_with_breakdown: z.object({ gross_amount: money }),
    }),
  ),
});

export const Sale = z.object({
  id: z.string(),
  /** completed, partially_refunded, pending, refunded or denied. */
  state: z.string(),
  amount: olderMoney,
  billing_agreement_id: optional(z.string()),
  create_time: time,
});

export const Dispute = z.object({
  dispute_id: z.string(),
  /** RESOLVED when it is over. */
  status: z.string(),
  /** Such as RESOLVED_BUYER_FAVOUR or RESOLVED_SELLER_FAVOUR; absent while it is open. */
  dispute_outcome: z.object({ outcome_code: z.string().nullish() }).nullish(),
  disputed_transactions: optionalList(z.object({ seller_transaction_id: z.string().min(1) })),
});
export type PaypalDispute = z.output<typeof Dispute>;

const Event = z.object({
  id: z.string().min(1),
  event_type: z.string(),
  create_time: time,
  /** As PayPal sent it; it only hints at what to read again. */
  resource: z.record(z.string(), z.unknown()).default({}),
});
export type PaypalEvent = z.output<typeof Event>;

export const EventPage = z.object({
  events: optionalList(Event),
  links: z.array(z.object({ rel: z.string(), href: z.string() })).default([]),
});

/** The event in the body of a webhook request, or null if it cannot be parsed. Verify its signature before using it. */
export const readPaypalEvent = (rawBody: Uint8Array): PaypalEvent | null =>
  Event.safeParse(parseJson(Buffer.from(rawBody).toString("utf8"))).data ?? null;
