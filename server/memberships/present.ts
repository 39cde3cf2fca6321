import type { CheckoutView, FunnelView, MembershipView, PlansView } from "#shared/memberships.ts";
import { type ANALYTICS_EVENTS, PAYMENT_METHODS, type PaymentMethod, PLAN_TYPES } from "#shared/plans.ts";
import {
  isActive,
  isCheckoutOpen,
  PRICES,
  promotionPlaces,
  providerFor,
  whyCannotCancel,
  whyCannotSubscribe,
} from "./rules.ts";
import type { AttemptRow, PaymentRow, SubscriptionRow } from "./store.ts";

const presentMembership = (row: SubscriptionRow, payments: PaymentRow[], now: Date): MembershipView => ({
  id: row.id,
  provider: row.provider as MembershipView["provider"],
  plan_type: row.plan_type as MembershipView["plan_type"],
  amount: row.amount,
  currency: row.currency as MembershipView["currency"],
  status: row.status as MembershipView["status"],
  in_force: isActive(row, now),
  next_billing_date: row.next_billing_date?.toISOString() ?? null,
  cancelled_at: row.cancelled_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
  payments: payments
    .filter((payment) => payment.subscription_id === row.id)
    .map((payment) => ({
      external_payment_id: payment.external_payment_id,
      amount: payment.amount,
      currency: payment.currency as MembershipView["currency"],
      status: payment.status,
      created_at: payment.created_at.toISOString(),
    })),
  can: { cancel: isActive(row, now) && whyCannotCancel(row) === null },
});

/** The plans screen for one psychologist. */
export function presentPlans(
  psychologist: { is_verified: boolean },
  rows: SubscriptionRow[],
  payments: PaymentRow[],
  sold: number,
  taking: { demo: boolean; configured: readonly PaymentMethod[] },
  now: Date,
): PlansView {
  const memberships = rows.map((row) => presentMembership(row, payments, now));
  const membership = memberships.find((each) => each.in_force) ?? null;
  const held = rows.find((row) => row.status === "active") ?? null;
  return {
    prices: PAYMENT_METHODS.flatMap((method) =>
      PLAN_TYPES.map((plan_type) => ({ method, plan_type, ...PRICES[method][plan_type] })),
    ),
    methods: PAYMENT_METHODS.map((method) => {
      const provider = providerFor(method, taking);
      return { method, state: provider === null ? "unavailable" : provider === "test" ? "test" : "ready" };
    }),
    promotion: promotionPlaces(sold),
    membership,
    history: memberships.filter((each) => each !== membership),
    refusal: whyCannotSubscribe(psychologist, held, now),
  };
}

/** A checkout for its owner; one left open too long reads as expired before the sweep comes by. */
export const presentCheckout = (row: AttemptRow, now: Date): CheckoutView => ({
  id: row.id,
  method: row.method as CheckoutView["method"],
  plan_type: row.plan_type as CheckoutView["plan_type"],
  amount: row.amount,
  currency: row.currency as CheckoutView["currency"],
  status: row.status === "open" && !isCheckoutOpen(row, now) ? "expired" : (row.status as CheckoutView["status"]),
  is_test: row.provider === "test",
  external_id: row.external_id,
  url: `/planes/pago/${row.id}`,
});

/** Events of some days, none forgotten that did not happen. */
export const presentFunnel = (days: number, counted: { name: string; n: number }[]): FunnelView[number] => {
  const of = (name: (typeof ANALYTICS_EVENTS)[number]) => counted.find((row) => row.name === name)?.n ?? 0;
  return {
    days,
    view_premium_plans: of("view_premium_plans"),
    plan_selection: of("plan_selection"),
    subscription_success: of("subscription_success"),
  };
};
