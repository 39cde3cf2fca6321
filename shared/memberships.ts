import { z } from "zod";
import { CURRENCIES, PAYMENT_METHODS, PLAN_TYPES, PROVIDERS } from "./plans.ts";
import { id, moment, oneOf } from "./text.ts";

export const CheckoutInput = z.strictObject({
  plan_type: oneOf(PLAN_TYPES, "Elige un plan."),
  method: oneOf(PAYMENT_METHODS, "Elige cómo pagar."),
});

/** What the demo's payment page decides. */
export const TestDecisionInput = z.strictObject({ id, decision: oneOf(["approve", "reject"]) });

/** The one event that a browser may report; the server itself writes the others. */
export const EventInput = z.strictObject({ event: oneOf(["view_premium_plans"]) });

const money = { amount: z.number(), currency: oneOf(CURRENCIES) };

/** A membership, for the eyes of its owner. Amounts are minor units. */
export const MembershipView = z.object({
  id,
  provider: oneOf(PROVIDERS),
  plan_type: oneOf(PLAN_TYPES),
  ...money,
  status: oneOf(["active", "cancelled"]),
  /** Active, and not past its date. */
  in_force: z.boolean(),
  next_billing_date: moment.nullable(),
  cancelled_at: moment.nullable(),
  created_at: moment,
  payments: z.array(z.object({ external_payment_id: z.string(), ...money, status: z.string(), created_at: moment })),
  can: z.object({ cancel: z.boolean() }),
});
export type MembershipView = z.infer<typeof MembershipView>;

/** The plans screen for the psychologist who looks at it. */
export const PlansView = z.object({
  prices: z.array(z.object({ method: oneOf(PAYMENT_METHODS), plan_type: oneOf(PLAN_TYPES), ...money })),
  /** Who takes the payment of each card: the service itself, the demo's stand-in, or nobody yet. */
  methods: z.array(z.object({ method: oneOf(PAYMENT_METHODS), state: oneOf(["ready", "test", "unavailable"]) })),
  /** Null once every place is taken. */
  promotion: z.object({ places: z.number(), places_left: z.number() }).nullable(),
  membership: MembershipView.nullable(),
  /** Earlier memberships, the newest first. */
  history: z.array(MembershipView),
  /** Why nothing can be bought now, or null. */
  refusal: oneOf(["subscribe_not_verified", "already_subscribed"]).nullable(),
});
export type PlansView = z.infer<typeof PlansView>;

/** Something begun to be paid, for its owner. */
export const CheckoutView = z.object({
  id,
  method: oneOf(PAYMENT_METHODS),
  plan_type: oneOf(PLAN_TYPES),
  ...money,
  status: oneOf(["open", "paid", "failed", "expired"]),
  is_test: z.boolean(),
  /** What messages between windows name it by. */
  external_id: z.string(),
  /** Where to pay. */
  url: z.string(),
});
export type CheckoutView = z.infer<typeof CheckoutView>;

export const FunnelView = z.array(
  z.object({
    days: z.number(),
    view_premium_plans: z.number(),
    plan_selection: z.number(),
    subscription_success: z.number(),
  }),
);
export type FunnelView = z.infer<typeof FunnelView>;
