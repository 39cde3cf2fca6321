import { randomUUID } from "node:crypto";
import { AppError } from "#shared/errors.ts";
import { METHOD_NAMES, type PaymentMethod, PLAN_NAMES, type PlanType, type Provider } from "#shared/plans.ts";
import { PRODUCT_NAME } from "#shared/product.ts";
import { insertAudit } from "../audit.ts";
import type { Context } from "../context.ts";
import { ProviderError } from "../integrations/provider-error.ts";
import type { Viewer } from "../sessions/viewer.ts";
import { loggableError, sendCancellation } from "./cancellations.ts";
import { reconcile } from "./reconcile.ts";
import {
  asksPayerEmail,
  CHECKOUT_LIFETIME,
  canBeCancelled,
  isCheckoutOpen,
  PRICES,
  providerFor,
  whyCannotCancel,
  whyCannotSeePlans,
  whyCannotSubscribe,
} from "./rules.ts";
import { endMembership } from "./steps.ts";
import {
  approvedUnreadTestCheckout,
  type CheckoutRow,
  checkoutByExternalId,
  currentSubscription,
  decideTestCheckout,
  insertAnalyticsEvent,
  insertCheckout,
  insertTestCheckout,
  linkCheckout,
  lockProblem,
  lockPsychologist,
  markProblemHandled,
  ownCheckout,
  ownSubscriptionByExternalId,
  type ProblemRow,
  reusableCheckout,
  settleCheckout,
  subscriptionById,
} from "./store.ts";

/** The payment methods whose provider is configured. */
export const configuredMethods = ({ paypal, mercadopago }: Context): PaymentMethod[] => [
  ...(paypal ? (["paypal"] as const) : []),
  ...(mercadopago ? (["mercadopago"] as const) : []),
];

function refuse(code: ConstructorParameters<typeof AppError>[0] | null): void {
  if (code) throw new AppError(code);
}

/**
 * Begins a checkout: plan and price come from the server, the owner from the session. The checkout is stored before the
 * provider is called, so that what the provider creates can always be found again.
 * @param payerEmail the e-mail of the paying account; required by some providers
 * @returns the id of the checkout
 * @throws AppError psychologists_only, subscribe_not_verified, already_subscribed, payments_unavailable, invalid_input,
 * payment_provider_failed
 */
export async function beginCheckout(
  context: Context,
  viewer: Viewer,
  plan_type: PlanType,
  method: PaymentMethod,
  payerEmail: string | undefined,
): Promise<string> {
  refuse(whyCannotSeePlans(viewer));
  const now = context.now();
  const provider = providerFor(method, { demo: context.config.demo, configured: configuredMethods(context) });
  const payer_email = provider && asksPayerEmail(provider, plan_type) ? payerEmail?.toLowerCase() : undefined;
  const begun = await context.db.transaction().execute(async (tx): Promise<{ id: string; isNew: boolean }> => {
    const psychologist = await lockPsychologist(tx, viewer.id);
    if (!psychologist) throw new AppError("psychologists_only");
    refuse(whyCannotSubscribe(psychologist, await currentSubscription(tx, viewer.id), plan_type, now));
    if (!provider) throw new AppError("payments_unavailable");
    if (asksPayerEmail(provider, plan_type) && !payer_email)
      throw new AppError("invalid_input", {
        fields: { payer_email: `Escribe el correo de tu cuenta de ${METHOD_NAMES[method]}.` },
      });
    if (payer_email) {
      // The provider creates another subscription for each call: one that is still open is used again.
      const since = new Date(now.getTime() - CHECKOUT_LIFETIME);
      const open = await reusableCheckout(tx, viewer.id, { provider, plan_type, payer_email }, since);
      if (open) return { id: open.id, isNew: false };
    }
    const price = PRICES[method][plan_type];
    const external_id = provider === "test" ? `TEST_${randomUUID()}` : null;
    if (external_id)
      await insertTestCheckout(tx, { id: external_id, plan_type, ...price, payment_id: `TEST_${randomUUID()}` });
    await insertAnalyticsEvent(tx, { name: "plan_selection", plan_type, method, happened_at: now });
    const checkout = { psychologist_id: viewer.id, provider, method, external_id, plan_type, ...price, payer_email };
    return { id: (await insertCheckout(tx, { ...checkout, created_at: now })).id, isNew: true };
  });
  const checkout = begun.isNew && provider !== "test" ? await ownCheckout(context.db, viewer.id, begun.id) : null;
  return checkout ? openAtProvider(context, checkout, payer_email) : begun.id;
}

/** Creates the provider's payment page for a checkout. @throws AppError payment_provider_failed */
async function openAtProvider(
  context: Context,
  checkout: CheckoutRow,
  payerEmail: string | undefined,
): Promise<string> {
  const { db, log } = context;
  const { id, provider } = checkout;
  let made: ProviderCheckout;
  try {
    made = await (provider === "paypal" ? openAtPaypal : openAtMercadopago)(context, checkout, payerEmail);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    log.warn({ event: "checkout_failed", ...loggableError(error) });
    await settleCheckout(db, id, "failed", context.now());
    throw new AppError("payment_provider_failed");
  }
  if (await linkCheckout(db, id, made)) return id;
  // A webhook event came first, and its handling has inserted another checkout.
  await settleCheckout(db, id, "expired", context.now());
  return (await checkoutByExternalId(db, provider, made.external_id))!.id;
}

type ProviderCheckout = { external_id: string; pay_url: string | null; provider_plan_id?: string };

async function openAtPaypal(
  { config, paypal }: Context,
  { id, plan_type, psychologist_id }: CheckoutRow,
): Promise<ProviderCheckout> {
  const page = (path: string) => new URL(path, config.publicUrl).href;
  const planId = config.paypal!.plans[plan_type as PlanType];
  const made = await paypal!.createSubscription({
    planId,
    customId: psychologist_id,
    requestId: `sub-create-${id}`,
    context: { brandName: PRODUCT_NAME, returnUrl: page(`/planes/pago/${id}/fin`), cancelUrl: page("/planes") },
  });
  return { external_id: made.id, pay_url: made.approveUrl, provider_plan_id: planId };
}

async function openAtMercadopago(
  { config, mercadopago }: Context,
  { id, plan_type, amount, currency, created_at }: CheckoutRow,
  payerEmail: string | undefined,
): Promise<ProviderCheckout> {
  const end = new URL(`/planes/pago/${id}/fin`, config.publicUrl).href;
  const title = `${PRODUCT_NAME}: Membresía Gold, ${PLAN_NAMES[plan_type as PlanType]}`;
  const asked = { externalReference: id, amount, currency };
  const made =
    plan_type === "monthly"
      ? await mercadopago!.createPreapproval({ ...asked, reason: title, payerEmail: payerEmail!, backUrl: end })
      : await mercadopago!.createPreference({
          ...asked,
          title,
          backUrls: { success: end, failure: end, pending: end },
          expiresAt: new Date(created_at.getTime() + CHECKOUT_LIFETIME),
          idempotencyKey: `pref-create-${id}`,
        });
  return { external_id: made.id, pay_url: made.initPoint };
}

/**
 * Reads the provider for one's own checkout. An outage of the provider is no error here: the browser, a webhook event
 * or the sweep reads it again.
 * @throws AppError checkout_not_found
 */
export async function reconcileCheckout(context: Context, viewer: Viewer, id: string): Promise<void> {
  const checkout = await ownCheckout(context.db, viewer.id, id);
  if (!checkout) throw new AppError("checkout_not_found");
  if (!checkout.external_id) return;
  try {
    await reconcile(context, checkout.provider as Provider, checkout.external_id);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    context.log.warn({ event: "checkout_not_read", ...loggableError(error) });
  }
}

/** How many approved payments are reconciled before a decision, one in each round. */
const MAX_ROUNDS = 10;

/**
 * Approves or rejects at the demo's payment page, and reconciles the result like that of any provider. Idempotent.
 * Before an approval, other checkouts of the psychologist that were approved and not reconciled yet are reconciled.
 * @throws AppError checkout_not_found, checkout_closed, already_subscribed, busy
 */
export async function decideTestPayment(
  context: Context,
  viewer: Viewer,
  id: string,
  decision: "approve" | "reject",
): Promise<void> {
  refuse(whyCannotSeePlans(viewer));
  for (let tries = 0; tries < MAX_ROUNDS; tries++) {
    const { externalId, decided } = await decideOrYield(context, viewer, id, decision);
    await reconcile(context, "test", externalId);
    if (decided) return;
  }
  throw new AppError("busy", { facts: { retry_after_seconds: 1 } });
}

/**
 * Stores the decision, unless another checkout has to be reconciled first.
 * @returns which checkout to reconcile now, and whether the decision was stored
 */
async function decideOrYield(
  context: Context,
  viewer: Viewer,
  id: string,
  decision: "approve" | "reject",
): Promise<{ externalId: string; decided: boolean }> {
  const now = context.now();
  return context.db.transaction().execute(async (tx) => {
    const psychologist = await lockPsychologist(tx, viewer.id);
    const checkout = psychologist && (await ownCheckout(tx, viewer.id, id));
    if (checkout?.provider !== "test" || !checkout.external_id || !context.config.demo)
      throw new AppError("checkout_not_found");
    const externalId = checkout.external_id;
    if (checkout.status === "paid" && decision === "approve") return { externalId, decided: true };
    if (!isCheckoutOpen(checkout, now)) throw new AppError("checkout_closed");
    if (decision === "approve") {
      const before = await approvedUnreadTestCheckout(tx, viewer.id, id);
      if (before) return { externalId: before, decided: false };
      const plan = checkout.plan_type as PlanType;
      refuse(whyCannotSubscribe(psychologist!, await currentSubscription(tx, viewer.id), plan, now));
    }
    await decideTestCheckout(tx, externalId, decision === "approve" ? "approved" : "rejected", now);
    return { externalId, decided: true };
  });
}

/** Whether the provider has confirmed a cancellation: nothing to cancel there, not confirmed yet, confirmed. */
export type ProviderCancellation = "not_needed" | "waiting" | "confirmed";

/**
 * Cancels one's own monthly membership: Gold ends at once and the provider is told to cancel, also for a membership
 * without Gold that the provider still tries to charge. An outage of the provider changes nothing here: the
 * cancellation is sent until it is confirmed. Idempotent.
 * @throws AppError psychologists_only, subscription_not_found, lifetime_not_cancelled
 */
export async function cancelMembership(context: Context, viewer: Viewer, id: string): Promise<ProviderCancellation> {
  refuse(whyCannotSeePlans(viewer));
  const now = context.now();
  const requested = await context.db.transaction().execute(async (tx) => {
    await lockPsychologist(tx, viewer.id);
    const subscription = await subscriptionById(tx, id);
    if (subscription?.psychologist_id !== viewer.id) throw new AppError("subscription_not_found");
    refuse(whyCannotCancel(subscription));
    if (subscription.status !== "active" && !canBeCancelled(subscription))
      return subscription.cancel_requested_at !== null;
    return endMembership(context, tx, subscription, { ended_by: "person", actor_id: viewer.id, at: now });
  });
  if (!requested) return "not_needed";
  return (await sendCancellation(context, id)) ? "confirmed" : "waiting";
}

/**
 * Sends the cancellation of one's own membership to the provider again (specification, section 7.5).
 * @param externalId the provider's id; nothing is sent for one of the demo
 * @throws AppError psychologists_only, subscription_not_found, nothing_updated when it is not cancelled
 */
export async function retryCancellation(
  context: Context,
  viewer: Viewer,
  externalId: string,
): Promise<ProviderCancellation> {
  refuse(whyCannotSeePlans(viewer));
  const found = await ownSubscriptionByExternalId(context.db, viewer.id, externalId);
  if (!found) throw new AppError("subscription_not_found");
  if (found.status !== "cancelled") throw new AppError("nothing_updated");
  if (!found.cancel_requested_at) return "not_needed";
  return (await sendCancellation(context, found.id)) ? "confirmed" : "waiting";
}

/**
 * Marks a problem as handled by the administrator.
 * @param refuseIfChanged compares the row, read again under its lock, with what was shown
 * @throws AppError nothing_updated when there is none or it is handled or resolved, changed_meanwhile
 */
export async function handlePaymentProblem(
  context: Context,
  admin: Viewer,
  id: string,
  refuseIfChanged: (row: ProblemRow) => void,
): Promise<void> {
  const now = context.now();
  await context.db.transaction().execute(async (tx) => {
    const problem = await lockProblem(tx, id);
    if (!problem) throw new AppError("nothing_updated");
    refuseIfChanged(problem);
    await markProblemHandled(tx, id, now);
    const details = { kind: problem.kind, provider: problem.provider };
    const row = { actor_id: admin.id, action: "payment_problem_handled", target_id: id, details };
    await insertAudit(tx, { ...row, created_at: now });
  });
}
