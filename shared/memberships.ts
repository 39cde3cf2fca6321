import { z } from "zod";
import { emailAddress } from "./accounts.ts";
import { LIMITS } from "./limits.ts";
import { CURRENCIES, PAYMENT_METHODS, PAYMENT_PROBLEMS, PAYMENT_STATUSES, PLAN_TYPES, PROVIDERS } from "./plans.ts";
import { id, line, moment, oneOf, optional, version } from "./text.ts";

export const CheckoutInput = z.strictObject({
  plan_type: oneOf(PLAN_TYPES, "Elige un plan."),
  method: oneOf(PAYMENT_METHODS, "Elige cómo pagar."),
  /** Of the account that will pay; wanted where `asks_payer_email` names the plan. */
  payer_email: optional(emailAddress),
});

/** The service's own id, as the operation's name in the specification has it. */
export const RetryCancellationInput = z.strictObject({ subscriptionId: line(LIMITS.externalId) });

/** What the demo's payment page decides. */
export const TestDecisionInput = z.strictObject({ id, decision: oneOf(["approve", "reject"]) });

/** The one event that a browser may report; the server itself writes the others. */
export const EventInput = z.strictObject({ event: oneOf(["view_premium_plans"]) });

const money = { amount: z.number(), currency: oneOf(CURRENCIES) };

/** Whether the payment service knows of an end: nothing to know, it has not confirmed yet, it has. */
const providerCancellation = oneOf(["not_needed", "waiting", "confirmed"]);

/** A membership, for the eyes of its owner. Amounts are minor units. */
export const MembershipView = z.object({
  id,
  provider: oneOf(PROVIDERS),
  external_subscription_id: z.string(),
  plan_type: oneOf(PLAN_TYPES),
  ...money,
  status: oneOf(["active", "cancelled"]),
  /**
   * How it stands: on trust until the first payment; active; the renewal is late and waited for; it did not come; it
   * runs out and does not renew; it ended; it ended because the money went back.
   */
  standing: oneOf(["provisional", "active", "grace_period", "past_due", "ending", "ended", "revoked"]),
  /** Active, and not past its date. */
  in_force: z.boolean(),
  next_billing_date: moment.nullable(),
  cancelled_at: moment.nullable(),
  created_at: moment,
  provider_cancellation: providerCancellation,
  payments: z.array(
    z.object({
      external_payment_id: z.string(),
      ...money,
      status: oneOf(PAYMENT_STATUSES),
      /** Null: a part, and the service does not say how much. */
      refunded_amount: z.number().nullable(),
      disputed: z.boolean(),
      /** When it was paid. */
      created_at: moment,
    }),
  ),
  can: z.object({ cancel: z.boolean(), upgrade: z.boolean() }),
});
export type MembershipView = z.infer<typeof MembershipView>;

export const CancelledView = z.object({ done: z.literal(true), provider: providerCancellation });
export const CancellationView = z.object({ provider: providerCancellation });

/** Something begun to be paid, for its owner. */
export const CheckoutView = z.object({
  id,
  method: oneOf(PAYMENT_METHODS),
  plan_type: oneOf(PLAN_TYPES),
  ...money,
  /** `mismatch`: something was paid, but not what was offered; the team looks at it. */
  status: oneOf(["open", "paid", "failed", "expired", "mismatch"]),
  is_test: z.boolean(),
  /** The service's id of it, by which messages between windows name it; null where the service did not answer. */
  external_id: z.string().nullable(),
  /** Where to pay. */
  url: z.string(),
});
export type CheckoutView = z.infer<typeof CheckoutView>;

/** The plans screen for the psychologist who looks at it. */
export const PlansView = z.object({
  prices: z.array(z.object({ method: oneOf(PAYMENT_METHODS), plan_type: oneOf(PLAN_TYPES), ...money })),
  /** Who takes the payment of each card: the service itself, the demo's stand-in, or nobody yet. */
  methods: z.array(
    z.object({
      method: oneOf(PAYMENT_METHODS),
      state: oneOf(["ready", "test", "unavailable"]),
      /** Plans for which the service wants to know beforehand with which account of its own somebody pays. */
      asks_payer_email: z.array(oneOf(PLAN_TYPES)),
    }),
  ),
  /** What PayPal's button needs; null where PayPal is not set up. */
  paypal: z.object({ client_id: z.string(), sdk_base: z.string() }).nullable(),
  /** Null once every place is taken. */
  promotion: z.object({ places: z.number(), places_left: z.number() }).nullable(),
  membership: MembershipView.nullable(),
  /** A checkout where a payment is under way that may take hours or days: nobody should pay again meanwhile. */
  pending_checkout: CheckoutView.nullable(),
  /** Earlier memberships, the newest first. */
  history: z.array(MembershipView),
  /** Why nothing can be bought now, or null. */
  refusal: oneOf(["subscribe_not_verified", "already_subscribed"]).nullable(),
});
export type PlansView = z.infer<typeof PlansView>;

const psychologist = z.object({ id, full_name: z.string(), email: z.string() });

/** What the administrator has to look at in payments. */
export const PaymentsView = z.object({
  problems: z.array(
    z.object({
      id,
      version,
      kind: oneOf(PAYMENT_PROBLEMS),
      provider: oneOf(PROVIDERS),
      /** The service's id of the agreement, the payment or what a notification named. */
      external_id: z.string(),
      /** Of a mismatch: what is not as it was offered. */
      reason: oneOf(["plan", "owner", "altered", "amount", "currency"]).nullable(),
      psychologist: psychologist.nullable(),
      created_at: moment,
    }),
  ),
  /** Ends that the payment service has not confirmed. */
  cancellations: z.array(
    z.object({
      id,
      provider: oneOf(PROVIDERS),
      external_subscription_id: z.string(),
      ended_by: oneOf(["person", "provider", "refund", "replaced", "paid_twice"]),
      /** Null once the account is gone. */
      psychologist: psychologist.nullable(),
      requested_at: moment,
      tries: z.number(),
      tried_at: moment.nullable(),
    }),
  ),
});
export type PaymentsView = z.infer<typeof PaymentsView>;

export const FunnelView = z.array(
  z.object({
    days: z.number(),
    view_premium_plans: z.number(),
    plan_selection: z.number(),
    subscription_success: z.number(),
  }),
);
export type FunnelView = z.infer<typeof FunnelView>;
