import { PRODUCT_NAME } from "#shared/product.ts";
import { insertAudit } from "../audit.ts";
import type { Context } from "../context.ts";
import { ProviderError } from "../integrations/provider-error.ts";
import { readSnapshot } from "./snapshots.ts";
import {
  type AbandonedCheckoutRow,
  confirmCancellation,
  countCancellationTry,
  deleteAbandonedCheckout,
  lockPsychologist,
  markAbandonedCheckoutRead,
  reportProblem,
  subscriptionById,
} from "./store.ts";

/** The reason shown in the records of the provider. */
const REASON = `Cancelled at ${PRODUCT_NAME}`;

/** Cancels a provider subscription. One that is over already counts as cancelled. @throws ProviderError */
async function cancelAtProvider({ paypal, mercadopago }: Context, provider: string, externalId: string): Promise<void> {
  const client = provider === "paypal" ? paypal : mercadopago;
  if (!client) throw new ProviderError("unavailable", provider, "is no longer configured");
  if (provider === "paypal") await paypal!.cancel(externalId, REASON);
  else await mercadopago!.cancelPreapproval(externalId);
}

/**
 * Cancels a provider subscription whose buyer has deleted the account, should it have been approved after that. Money
 * that was paid is reported to the administrator.
 * @throws ProviderError
 */
export async function cancelAbandoned(context: Context, row: AbandonedCheckoutRow): Promise<void> {
  const { db } = context;
  const { external_id } = row;
  const provider = row.provider as "paypal" | "mercadopago";
  const now = context.now();
  const snapshot = await readSnapshot(context, provider, { external_id, checkout: null, payments: [], hints: {} });
  const approved = snapshot?.state === "active" || snapshot?.state === "suspended";
  if (approved) await cancelAtProvider(context, provider, external_id);
  if (snapshot?.payments.some(({ status }) => status === "completed"))
    await reportProblem(db, { kind: "unmatched", provider, external_id, reason: null, created_at: now });
  if (snapshot?.state === "pending") await markAbandonedCheckoutRead(db, row, now);
  else await deleteAbandonedCheckout(db, row);
}

/**
 * Cancels an ended membership at its provider. Once confirmed, nothing is sent again; one that the provider ended by
 * itself counts as confirmed.
 * @returns whether the provider has confirmed
 */
export async function sendCancellation(context: Context, subscriptionId: string): Promise<boolean> {
  const { db, log } = context;
  const membership = await subscriptionById(db, subscriptionId);
  if (!membership?.cancel_requested_at || membership.cancel_confirmed_at) return true;
  const { provider, external_subscription_id: externalId, psychologist_id } = membership;
  try {
    await cancelAtProvider(context, provider, externalId);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    log.warn({ event: "cancellation_not_confirmed", subscription: subscriptionId, ...loggableError(error) });
    await countCancellationTry(db, subscriptionId, context.now());
    return false;
  }
  const now = context.now();
  await db.transaction().execute(async (tx) => {
    if (psychologist_id) await lockPsychologist(tx, psychologist_id);
    if (!(await confirmCancellation(tx, subscriptionId, now))) return;
    const details = { provider, plan_type: membership.plan_type };
    const row = { actor_id: null, action: "cancellation_confirmed", target_id: subscriptionId, details };
    await insertAudit(tx, { ...row, created_at: now });
  });
  return true;
}

/**
 * The fields of a failed call that may be logged: codes and the call's number for the provider's support, nothing about
 * a person.
 */
export const loggableError = ({ kind, provider, status, reason, debugId }: ProviderError) => ({
  provider,
  kind,
  status,
  reason,
  debug_id: debugId,
});
