import type { z } from "zod";
import type { CheckoutView, PlansView } from "#shared/memberships.ts";
import { PAYMENT_METHODS, PLAN_TYPES } from "#shared/plans.ts";
import type { Context } from "../context.ts";
import { isUpgrade, statusOf, whyCannotSubscribe } from "./checkouts/rules.ts";
import type { CheckoutRow, MembershipRow } from "./checkouts/store.ts";
import { goldEnd, isActive, isGrantActive } from "./gold-end-rules.ts";
import type { GrantRow } from "./grants/store.ts";
import { PRICES, promotionPlaces } from "./prices.ts";
import { providerFor } from "./providers/registry.ts";
import { wasReceived } from "./reconciliation/payment-rules.ts";
import { canBeCancelled, cancellationStatus, membershipStatusOf, mustCancelAtProvider } from "./rules.ts";
import type { PaymentRow } from "./store.ts";

/** The date of a membership, and until when Gold lasts at most if its renewal is overdue or cannot be read. */
function dateOf(row: MembershipRow, now: Date): Date | null {
  const standing = membershipStatusOf(row, now);
  const end = goldEnd(row);
  const isLate = standing === "grace_period" || standing === "unreadable";
  return isLate && end instanceof Date ? end : row.next_billing_date;
}

/** Every membership of one psychologist with its payments, the newest first. The contract removes the other columns. */
export const presentMemberships = (rows: MembershipRow[], payments: PaymentRow[], now: Date) =>
  rows.map((row) => ({
    ...row,
    external_subscription_id: row.external_id,
    membership_status: membershipStatusOf(row, now),
    in_force: isActive(row, now),
    next_billing_date: dateOf(row, now),
    created_at: row.began_at,
    provider_cancellation: cancellationStatus(row),
    payments: payments
      .filter((payment) => payment.subscription_id === row.id)
      .map((payment) => ({
        ...payment,
        // A lost dispute reverses the payment, even if the payment itself still shows another status.
        status: wasReceived(payment) && payment.dispute === "lost" ? "reversed" : payment.status,
        disputed: payment.dispute === "open",
        created_at: payment.paid_at,
      })),
    can: {
      // A membership that is not in force can be cancelled only if its provider may still try to charge it.
      cancel: canBeCancelled(row) && (isActive(row, now) || mustCancelAtProvider(row)),
      upgrade: isActive(row, now) && isUpgrade("lifetime", row),
    },
  }));

/** Rows of a psychologist for the plans screen, and the number of lifetime memberships sold. */
type Plans = {
  rows: MembershipRow[];
  payments: PaymentRow[];
  grants: GrantRow[];
  sold: number;
  pending: CheckoutRow | undefined;
};

/** The plans screen for one psychologist. */
export function presentPlans(
  context: Context,
  psychologist: { is_verified: boolean },
  { rows, payments, grants, sold, pending }: Plans,
  now: Date,
): z.input<typeof PlansView> {
  const { paypal } = context.config;
  const memberships = presentMemberships(rows, payments, now);
  const membership = memberships.find((each) => each.in_force) ?? null;
  const grant = grants.find((each) => isGrantActive(each, now));
  const current = rows.find((row) => row.status === "active") ?? null;
  return {
    prices: PAYMENT_METHODS.flatMap((method) =>
      PLAN_TYPES.map((plan_type) => ({ method, plan_type, ...PRICES[method][plan_type] })),
    ),
    methods: PAYMENT_METHODS.map((method) => {
      const provider = providerFor(context, method);
      return {
        method,
        state: provider === null ? "unavailable" : provider.name === "test" ? "test" : "ready",
        asks_payer_email: [...(provider?.asksPayerEmail ?? [])],
      };
    }),
    promotion: promotionPlaces(sold),
    membership,
    granted: grant ?? null,
    // If there is a membership, only a checkout that would replace it is still pending.
    pending_checkout:
      pending && (!membership || isUpgrade(pending.plan_type, membership)) ? presentCheckout(pending, now) : null,
    history: memberships.filter((each) => each !== membership),
    refusal: whyCannotSubscribe(psychologist, current, null, now),
    paypal: paypal && { client_id: paypal.clientId, sdk_base: paypal.sdkBase },
  };
}

/** A checkout for its owner. The contract removes the other columns. */
export function presentCheckout(row: CheckoutRow, now: Date): CheckoutView {
  const status = statusOf(row, now);
  return {
    ...row,
    status,
    payment_pending: status === "open" && row.state === "paying",
    is_test: row.provider === "test",
    url: row.approval_url ?? "/planes",
  };
}
