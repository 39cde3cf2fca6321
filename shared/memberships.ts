import { z } from "zod";
import { emailAddress } from "./account-fields.ts";
import { LIMITS } from "./limits.ts";
import { DoneView, IdInput, operation, pressKey } from "./operation.ts";
import {
  CANCELLATION_STATUSES,
  CURRENCIES,
  END_REASONS,
  MEMBERSHIP_STATUSES,
  PAYMENT_METHODS,
  PAYMENT_STATUSES,
  PLAN_TYPES,
  PROVIDERS,
  RETURNED_PAYMENT_ID,
} from "./plans.ts";
import { id, isoDateTime, oneOf, optional, singleLine } from "./text.ts";

const CheckoutInput = z.strictObject({
  plan_type: oneOf(PLAN_TYPES, "Elige un plan."),
  method: oneOf(PAYMENT_METHODS, "Elige cómo pagar."),
  /** Email of the paying account; required if `asks_payer_email` contains the plan. */
  payer_email: optional(emailAddress),
  key: pressKey,
});
export type CheckoutInput = z.infer<typeof CheckoutInput>;

/** The provider's own id. The specification's name of the operation contains it. */
const RetryCancellationInput = z.strictObject({ subscriptionId: singleLine(LIMITS.externalId) });

/** The only event that a browser may report; the server writes the others. */
const EventInput = z.strictObject({ event: oneOf(["view_premium_plans"]) });

const money = { amount: z.number(), currency: oneOf(CURRENCIES) };

const providerCancellation = oneOf(CANCELLATION_STATUSES);

/** A membership for its owner. Amounts are in minor units. */
export const MembershipView = z.object({
  id,
  provider: oneOf(PROVIDERS),
  external_subscription_id: z.string(),
  plan_type: oneOf(PLAN_TYPES),
  ...money,
  status: oneOf(["active", "cancelled"]),
  membership_status: oneOf(MEMBERSHIP_STATUSES),
  in_force: z.boolean(),
  next_billing_date: isoDateTime.nullable(),
  /** Why it ended; null while its status is active. */
  ended_by: oneOf(END_REASONS).nullable(),
  cancelled_at: isoDateTime.nullable(),
  created_at: isoDateTime,
  provider_cancellation: providerCancellation,
  payments: z.array(
    z.object({
      external_payment_id: z.string(),
      ...money,
      status: oneOf(PAYMENT_STATUSES),
      /** Null after a partial refund of an unknown amount. */
      refunded_amount: z.number().nullable(),
      disputed: z.boolean(),
      created_at: isoDateTime,
    }),
  ),
  can: z.object({ cancel: z.boolean(), upgrade: z.boolean() }),
});
export type MembershipView = z.infer<typeof MembershipView>;

export const CheckoutView = z.object({
  id,
  method: oneOf(PAYMENT_METHODS),
  plan_type: oneOf(PLAN_TYPES),
  ...money,
  /** `mismatch` gives no Gold: it differs from the offer, or another membership is in force. */
  status: oneOf(["open", "paid", "failed", "expired", "mismatch"]),
  payment_pending: z.boolean(),
  is_test: z.boolean(),
  /** The provider's id, used in messages between windows; null if the provider did not respond. */
  external_id: z.string().nullable(),
  url: z.string(),
});
export type CheckoutView = z.infer<typeof CheckoutView>;

/**
 * `returned` is true if the buyer returned from the provider's page, which reported a payment; `payment_id` is the
 * provider's id of that payment, which its search may not show yet.
 */
const ReconcileInput = IdInput.extend({
  returned: z.boolean().optional(),
  payment_id: z.string().regex(RETURNED_PAYMENT_ID).optional(),
});
export type ReconcileInput = z.infer<typeof ReconcileInput>;

export const PlansView = z.object({
  prices: z.array(z.object({ method: oneOf(PAYMENT_METHODS), plan_type: oneOf(PLAN_TYPES), ...money })),
  /** Provider of each card: the real one, the demo's test mode, or none yet. */
  methods: z.array(
    z.object({
      method: oneOf(PAYMENT_METHODS),
      state: oneOf(["ready", "test", "unavailable"]),
      /** Plans for which the provider requires the email of the paying account first. */
      asks_payer_email: z.array(oneOf(PLAN_TYPES)),
    }),
  ),
  paypal: z.object({ client_id: z.string(), sdk_base: z.string() }).nullable(),
  /** Null without a free place. */
  promotion: z.object({ places: z.number(), places_left: z.number() }).nullable(),
  membership: MembershipView.nullable(),
  /** Gold granted by the team without a payment; `ends_at` is null without an end. */
  granted: z.object({ ends_at: isoDateTime.nullable() }).nullable(),
  /** A checkout whose payment may take hours or days. Until then the page offers no second payment. */
  pending_checkout: CheckoutView.nullable(),
  history: z.array(MembershipView),
  /** Why the user can buy nothing now, or null. */
  refusal: oneOf(["verification_required", "already_subscribed"]).nullable(),
});
export type PlansView = z.infer<typeof PlansView>;

export const FunnelView = z.array(
  z.object({
    days: z.number(),
    view_premium_plans: z.number(),
    plan_selection: z.number(),
    subscription_success: z.number(),
  }),
);
export type FunnelView = z.infer<typeof FunnelView>;

export const membershipsOperations = {
  plans: operation("GET /plans", "Plans, prices and the user's own membership").output(PlansView),
  mine: operation("GET /memberships", "The user's own memberships and payments, the newest first").output(
    z.array(MembershipView),
  ),
  beginCheckout: operation("POST /checkouts", "Begin a checkout", 201).input(CheckoutInput).output(CheckoutView),
  checkout: operation("GET /checkouts/{id}", "The status of a checkout").input(IdInput).output(CheckoutView),
  reconcileCheckout: operation("POST /checkouts/{id}/reconciliation", "Read the payment provider again")
    .input(ReconcileInput)
    .output(CheckoutView),
  cancel: operation("DELETE /memberships/{id}", "Cancel a monthly membership")
    .input(IdInput)
    .output(z.object({ done: z.literal(true), provider: providerCancellation })),
  retryCancellation: operation("POST /cancel-payment-subscription", "Send a cancellation to the payment provider again")
    .input(RetryCancellationInput)
    .output(z.object({ provider: providerCancellation })),
  trackEvent: operation("POST /events", "Count a view of the plans", 201).input(EventInput).output(DoneView),
};

export const testPaymentsOperations = {
  decide: operation("PUT /test-payments/{id}")
    .input(z.strictObject({ id, decision: oneOf(["approve", "reject"]) }))
    .output(CheckoutView),
};

export const funnelOperations = {
  read: operation("GET /admin/funnel").output(FunnelView),
};
