import { randomUUID } from "node:crypto";
import { AppError } from "#shared/errors.ts";
import type { PaymentMethod, PlanType } from "#shared/plans.ts";
import type { Viewer } from "../accounts/rules.ts";
import type { Context } from "../context.ts";
import { reconcile } from "./reconcile.ts";
import { isCheckoutOpen, PRICES, providerFor, whyCannotCancel, whyCannotSubscribe, whyNotForPlans } from "./rules.ts";
import {
  decideTestCheckout,
  endSubscription,
  heldSubscription,
  insertAttempt,
  insertEvent,
  insertTestCheckout,
  lockMember,
  ownAttempt,
  setGold,
  subscriptionById,
} from "./store.ts";

/** Payment services that are set up. */
export const configuredMethods = (_context: Context): PaymentMethod[] => [];

function refuse(code: ConstructorParameters<typeof AppError>[0] | null): void {
  if (code) throw new AppError(code);
}

/**
 * Begins to pay: plan and price come from the server, the owner from the session.
 * @throws AppError psychologists_only, subscribe_not_verified, already_subscribed, payments_unavailable
 */
export async function beginCheckout(
  context: Context,
  viewer: Viewer,
  plan_type: PlanType,
  method: PaymentMethod,
): Promise<string> {
  refuse(whyNotForPlans(viewer));
  const now = context.now();
  const provider = providerFor(method, { demo: context.config.demo, configured: configuredMethods(context) });
  return context.db.transaction().execute(async (tx) => {
    const psychologist = await lockMember(tx, viewer.id);
    if (!psychologist) throw new AppError("psychologists_only");
    refuse(whyCannotSubscribe(psychologist, await heldSubscription(tx, viewer.id), now));
    if (provider !== "test") throw new AppError("payments_unavailable");
    const price = PRICES[method][plan_type];
    const external_id = `TEST_${randomUUID()}`;
    await insertTestCheckout(tx, { id: external_id, plan_type, ...price, payment_id: `TEST_${randomUUID()}` });
    await insertEvent(tx, { name: "plan_selection", plan_type, method, happened_at: now });
    const attempt = { psychologist_id: viewer.id, provider, method, external_id, plan_type, ...price, created_at: now };
    return (await insertAttempt(tx, attempt)).id;
  });
}

/**
 * Decides at the demo's payment page, and reads the outcome as that of any payment service. Repeating it changes nothing.
 * @throws AppError checkout_not_found, checkout_closed, already_subscribed
 */
export async function decideTestPayment(
  context: Context,
  viewer: Viewer,
  id: string,
  decision: "approve" | "reject",
): Promise<void> {
  refuse(whyNotForPlans(viewer));
  const now = context.now();
  const externalId = await context.db.transaction().execute(async (tx) => {
    const psychologist = await lockMember(tx, viewer.id);
    const attempt = psychologist && (await ownAttempt(tx, viewer.id, id));
    if (attempt?.provider !== "test" || !context.config.demo) throw new AppError("checkout_not_found");
    if (attempt.status === "paid" && decision === "approve") return attempt.external_id;
    if (!isCheckoutOpen(attempt, now)) throw new AppError("checkout_closed");
    if (decision === "approve") refuse(whyCannotSubscribe(psychologist!, await heldSubscription(tx, viewer.id), now));
    await decideTestCheckout(tx, attempt.external_id, decision === "approve" ? "approved" : "rejected");
    return attempt.external_id;
  });
  await reconcile(context, "test", externalId);
}

/**
 * Cancels one's own monthly membership: Gold ends at once. Cancelling again changes nothing.
 * @throws AppError psychologists_only, subscription_not_found, lifetime_not_cancelled
 */
export async function cancelMembership(context: Context, viewer: Viewer, id: string): Promise<void> {
  refuse(whyNotForPlans(viewer));
  const now = context.now();
  await context.db.transaction().execute(async (tx) => {
    await lockMember(tx, viewer.id);
    const subscription = await subscriptionById(tx, id);
    if (subscription?.psychologist_id !== viewer.id) throw new AppError("subscription_not_found");
    refuse(whyCannotCancel(subscription));
    if (subscription.status === "cancelled") return;
    await endSubscription(tx, id, now);
    await setGold(tx, viewer.id, { gold_until: null, subscription_id: null });
  });
}
