import { AppError, refuse } from "#shared/errors.ts";
import { type Currency, METHOD_NAMES, type PaymentMethod, type PlanType, type Provider } from "#shared/plans.ts";
import type { Context } from "../../context.ts";
import type { OpenedCheckout, PaymentProvider } from "../../integrations/payment-provider.ts";
import { loggableError, ProviderError } from "../../integrations/provider-error.ts";
import type { Viewer } from "../../sessions/viewer.ts";
import { insertAnalyticsEvent } from "../funnel/store.ts";
import { providerFor } from "../providers/all.ts";
import { whyCannotSeePlans } from "../rules.ts";
import { reconcile } from "../settlement/reconcile.ts";
import { currentMembership, lockMember } from "../store.ts";
import { PRICES } from "./price-rules.ts";
import { CHECKOUT_LIFETIME, whyCannotSubscribe } from "./rules.ts";
import {
  type CheckoutRow,
  checkoutByExternalId,
  insertCheckout,
  linkCheckout,
  ownCheckout,
  reusableCheckout,
  settleCheckout,
} from "./store.ts";

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
  const provider = providerFor(context, method);
  const asksEmail = provider?.asksPayerEmail.includes(plan_type);
  const payer_email = asksEmail ? payerEmail?.toLowerCase() : undefined;
  const begun = await context.db.transaction().execute(async (tx): Promise<{ id: string; isNew: boolean }> => {
    const psychologist = await lockMember(tx, viewer.id);
    if (!psychologist) throw new AppError("psychologists_only");
    refuse(whyCannotSubscribe(psychologist, await currentMembership(tx, viewer.id), plan_type, now));
    if (!provider) throw new AppError("payments_unavailable");
    if (asksEmail && !payer_email)
      throw new AppError("invalid_input", {
        fields: { payer_email: `Escribe el correo de tu cuenta de ${METHOD_NAMES[method]}.` },
      });
    if (payer_email) {
      // The provider creates another subscription for each call: one that is still open is used again.
      const since = new Date(now.getTime() - CHECKOUT_LIFETIME);
      const offer = { provider: provider.name, plan_type, payer_email };
      const open = await reusableCheckout(tx, viewer.id, offer, since);
      if (open) return { id: open.id, isNew: false };
    }
    const price = PRICES[method][plan_type];
    await insertAnalyticsEvent(tx, { name: "plan_selection", plan_type, method, happened_at: now });
    const checkout = { psychologist_id: viewer.id, provider: provider.name, method, plan_type, ...price, payer_email };
    return { id: (await insertCheckout(tx, { ...checkout, created_at: now })).id, isNew: true };
  });
  const checkout = begun.isNew ? await ownCheckout(context.db, viewer.id, begun.id) : undefined;
  return checkout && provider ? openAtProvider(context, provider, checkout, payer_email) : begun.id;
}

/** Opens the provider's payment page for a checkout. @throws AppError payment_provider_failed, sign_in_required */
async function openAtProvider(
  context: Context,
  provider: PaymentProvider,
  { id, psychologist_id, plan_type, amount, currency, created_at }: CheckoutRow,
  payer_email: string | undefined,
): Promise<string> {
  const { db, log } = context;
  let opened: OpenedCheckout;
  try {
    opened = await provider.openCheckout({
      id,
      psychologist_id,
      plan_type: plan_type as PlanType,
      amount,
      currency: currency as Currency,
      created_at,
      payer_email,
    });
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    log.warn({ event: "checkout_failed", ...loggableError(error) });
    await settleCheckout(db, id, "failed", context.now());
    throw new AppError("payment_provider_failed");
  }
  if (await linkCheckout(db, id, opened)) return id;
  // A webhook event came first, and its handling has inserted another checkout.
  await settleCheckout(db, id, "expired", context.now());
  const other = await checkoutByExternalId(db, provider.name, opened.external_id);
  // No checkout is left: the account was deleted while the provider opened its page.
  if (!other) throw new AppError("sign_in_required");
  return other.id;
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
