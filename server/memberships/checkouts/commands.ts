import { setTimeout } from "node:timers/promises";
import { AppError, assertAllowed } from "#shared/errors.ts";
import type { CheckoutInput, ReconcileInput } from "#shared/memberships.ts";
import { METHOD_NAMES } from "#shared/plans.ts";
import type { Context } from "../../context.ts";
import type { PaymentProvider } from "../../integrations/payment-provider.ts";
import { logProviderError } from "../../integrations/provider-error.ts";
import { once, type Press } from "../../limits/presses-store.ts";
import type { Viewer } from "../../sessions/viewer.ts";
import { PRICES } from "../prices.ts";
import { providerFor } from "../providers/registry.ts";
import { readCheckout } from "../reading/checkout.ts";
import { currentMembership, insertAnalyticsEvent, lockMember } from "../store.ts";
import { nextReading, whyCannotSubscribe } from "./rules.ts";
import * as store from "./store.ts";

/** Longest time in which a provider opens a checkout, in milliseconds: several calls of 10 s. */
const OPENING_MS = 30_000;
const OPENING_POLL_MS = 200;
const OPENING_POLLS = 50;

/**
 * Begins a checkout. Plan and price are the server's, the owner is the session's user.
 *
 * The checkout is stored before the provider is called, so that we can always find the provider's subscription again. A
 * repeated request returns the same checkout, and opens it at the provider if the first request could not.
 * @returns the id of the checkout
 * @throws AppError psychologists_only, verification_required, already_subscribed, payments_unavailable, invalid_input,
 * payment_confirming, payment_provider_failed
 */
export async function beginCheckout(
  context: Context,
  viewer: Viewer,
  { plan_type, method, ...wanted }: CheckoutInput,
  press: Press,
): Promise<string> {
  const now = press.at;
  const provider = providerFor(context, method);
  const asksEmail = provider?.asksPayerEmail.includes(plan_type);
  const payer_email = (asksEmail && wanted.payer_email) || null;
  const begun = await once(context.db, press, async (tx) => {
    const psychologist = await lockMember(tx, viewer.id);
    if (!psychologist) throw new AppError("psychologists_only");
    assertAllowed(whyCannotSubscribe(psychologist, await currentMembership(tx, viewer.id), plan_type, now));
    if (!provider) throw new AppError("payments_unavailable");
    const inPayment = await store.checkoutsInPayment(tx, viewer.id, now);
    if (inPayment.some(({ state }) => state !== "paying")) throw new AppError("payment_confirming");
    if (asksEmail && !payer_email)
      throw new AppError("invalid_input", {
        fields: { payer_email: `Escribe el correo de tu cuenta de ${METHOD_NAMES[method]}.` },
      });
    const offer = { provider: provider.name, plan_type, payer_email };
    const open = await store.reusableCheckout(tx, viewer.id, offer, now);
    if (open) return open;
    await insertAnalyticsEvent(tx, { name: "plan_selection", plan_type, method, happened_at: now });
    const terms = { ...offer, method, ...PRICES[method][plan_type] };
    return store.insertCheckout(tx, { ...terms, psychologist_id: viewer.id, created_at: now });
  });
  const checkout = begun.again
    ? await whenOpened(context, viewer, begun.id)
    : await store.ownCheckout(context.db, viewer.id, begun.id);
  const isOpened = checkout?.state !== "pending" || checkout.external_id !== null;
  return isOpened || !provider ? begun.id : openAtProvider(context, provider, { ...checkout, payer_email });
}

/**
 * Waits until an earlier request has opened its checkout: a second call to the provider could create another
 * subscription.
 * @returns the checkout, still not opened if the server stopped in the meantime
 * @throws AppError payment_provider_failed as for the earlier request
 * @throws AppError server_busy if opening takes too long
 */
async function whenOpened(context: Context, viewer: Viewer, id: string): Promise<store.CheckoutRow | undefined> {
  for (let polls = 0; polls < OPENING_POLLS; polls++) {
    const checkout = await store.ownCheckout(context.db, viewer.id, id);
    if (checkout?.state === "failed" && !checkout.external_id) throw new AppError("payment_provider_failed");
    const isOpening = checkout?.state === "pending" && checkout.external_id === null;
    if (!isOpening || context.now().getTime() - checkout.created_at.getTime() > OPENING_MS) return checkout;
    await setTimeout(OPENING_POLL_MS);
  }
  throw new AppError("server_busy", { details: { retry_after_seconds: 5 } });
}

/** Opens the provider's payment page for a checkout. @throws AppError payment_provider_failed, sign_in_required */
async function openAtProvider(
  { db, log }: Context,
  provider: PaymentProvider,
  checkout: store.CheckoutRow,
): Promise<string> {
  const { id, created_at } = checkout;
  const opened = await provider.openCheckout(checkout).catch(async (error) => {
    logProviderError(log, "checkout_failed", error);
    await store.updateCheckout(db, id, { state: "failed" });
    throw new AppError("payment_provider_failed");
  });
  const due_at = nextReading({ ...checkout, over_at: null }, created_at);
  if (await store.linkCheckout(db, id, { ...opened, due_at })) return id;
  const other = await store.checkoutByExternalId(db, provider.name, opened.external_id);
  // The user deleted the account while the provider opened its page.
  if (!other) throw new AppError("sign_in_required");
  return other.id;
}

/**
 * Reads the viewer's checkout at the provider. Does not fail if the provider is down: the worker reads it again.
 * @throws AppError checkout_not_found
 */
export async function reconcileCheckout(
  context: Context,
  viewer: Viewer,
  { id, returned, payment_id }: ReconcileInput,
): Promise<void> {
  const checkout = await store.ownCheckout(context.db, viewer.id, id);
  if (!checkout) throw new AppError("checkout_not_found");
  if (!checkout.external_id) return;
  // A test payment was decided here before the return, so no reading follows that could show more.
  if (returned && checkout.provider !== "test") await store.markCheckoutReturned(context.db, id, context.now());
  const hints = payment_id ? [{ type: "payment" as const, id: payment_id }] : [];
  await readCheckout(context, id, hints).catch((error) => logProviderError(context.log, "checkout_not_read", error));
}
