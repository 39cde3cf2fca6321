import { PRODUCT_NAME } from "#shared/product.ts";
import type { Context } from "../context.ts";
import { insertAudit } from "../moderation/store.ts";
import { ExternalServiceError } from "../outside/external-service-error.ts";
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

/** What the service's own records show as the reason. */
const REASON = `Cancelled at ${PRODUCT_NAME}`;

/** Ends an agreement at its service. One that is over there already counts as ended. @throws ExternalServiceError */
async function cancelAtProvider({ paypal, mercadopago }: Context, provider: string, externalId: string): Promise<void> {
  const service = provider === "paypal" ? paypal : mercadopago;
  if (!service) throw new ExternalServiceError("unavailable", provider, "is not set up any more");
  if (provider === "paypal") await paypal!.cancel(externalId, REASON);
  else await mercadopago!.cancelPreapproval(externalId);
}

/**
 * Sees to it that an agreement of somebody who has left is never charged: agreed to all the same, it is ended at its
 * service, and money that came is put before a person.
 * @throws ExternalServiceError
 */
export async function cancelAbandoned(context: Context, row: AbandonedCheckoutRow): Promise<void> {
  const { db } = context;
  const { external_id } = row;
  const provider = row.provider as "paypal" | "mercadopago";
  const now = context.now();
  const snapshot = await readSnapshot(context, provider, { external_id, checkout: null, payments: [], hints: {} });
  const agreed = snapshot?.state === "active" || snapshot?.state === "suspended";
  if (agreed) await cancelAtProvider(context, provider, external_id);
  if (snapshot?.payments.some(({ status }) => status === "completed"))
    await reportProblem(db, { kind: "unmatched", provider, external_id, reason: null, created_at: now });
  if (snapshot?.state === "pending") await markAbandonedCheckoutRead(db, row, now);
  else await deleteAbandonedCheckout(db, row);
}

/**
 * Tells a payment service that a membership ended here. What it confirmed once is not told again, and a service that
 * ended it by itself confirms too.
 * @returns whether the service knows by now
 */
export async function sendCancellation(context: Context, subscriptionId: string): Promise<boolean> {
  const { db, log } = context;
  const membership = await subscriptionById(db, subscriptionId);
  if (!membership?.cancel_requested_at || membership.cancel_confirmed_at) return true;
  const { provider, external_subscription_id: externalId, psychologist_id } = membership;
  try {
    await cancelAtProvider(context, provider, externalId);
  } catch (error) {
    if (!(error instanceof ExternalServiceError)) throw error;
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

/** What may be logged of a service that did not do what it was asked: codes, and the number its support asks for. */
export const loggableError = ({ kind, service, status, reason, debugId }: ExternalServiceError) => ({
  service,
  kind,
  status,
  reason,
  debug_id: debugId,
});
