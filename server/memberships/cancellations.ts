import { PRODUCT_NAME } from "#shared/product.ts";
import type { Context } from "../context.ts";
import { insertAudit } from "../moderation/store.ts";
import { OutsideError } from "../outside/outside-error.ts";
import { readProvider } from "./readers.ts";
import {
  type AbandonedRow,
  confirmCancellation,
  forgetAbandoned,
  lockMember,
  markAbandonedRead,
  noteCancellationTry,
  openProblem,
  subscriptionById,
} from "./store.ts";

/** What the service's own records show as the reason. */
const REASON = `Cancelled at ${PRODUCT_NAME}`;

/** Ends an agreement at its service. One that is over there already counts as ended. @throws OutsideError */
async function endAtService({ paypal, mercadopago }: Context, provider: string, externalId: string): Promise<void> {
  const service = provider === "paypal" ? paypal : mercadopago;
  if (!service) throw new OutsideError("unavailable", provider, "is not set up any more");
  if (provider === "paypal") await paypal!.cancel(externalId, REASON);
  else await mercadopago!.cancelPreapproval(externalId);
}

/**
 * Sees to it that an agreement of somebody who has left is never charged: agreed to all the same, it is ended at its
 * service, and money that came is put before a person.
 * @throws OutsideError
 */
export async function endAbandoned(context: Context, row: AbandonedRow): Promise<void> {
  const { db } = context;
  const { external_id } = row;
  const provider = row.provider as "paypal" | "mercadopago";
  const now = context.now();
  const says = await readProvider(context, provider, { external_id, attempt: null, payments: [], pointed: {} });
  const agreed = says?.state === "active" || says?.state === "suspended";
  if (agreed) await endAtService(context, provider, external_id);
  if (says?.payments.some(({ status }) => status === "completed"))
    await openProblem(db, { kind: "unmatched", provider, external_id, reason: null, created_at: now });
  if (says?.state === "pending") await markAbandonedRead(db, row, now);
  else await forgetAbandoned(db, row);
}

/**
 * Tells a payment service that a membership ended here. What it confirmed once is not told again, and a service that
 * ended it by itself confirms too.
 * @returns whether the service knows by now
 */
export async function tellProvider(context: Context, subscriptionId: string): Promise<boolean> {
  const { db, log } = context;
  const membership = await subscriptionById(db, subscriptionId);
  if (!membership?.cancel_wanted_at || membership.cancel_confirmed_at) return true;
  const { provider, external_subscription_id: externalId, psychologist_id } = membership;
  try {
    await endAtService(context, provider, externalId);
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error;
    log.warn({ event: "cancellation_not_confirmed", subscription: subscriptionId, ...outsideFacts(error) });
    await noteCancellationTry(db, subscriptionId, context.now());
    return false;
  }
  const now = context.now();
  await db.transaction().execute(async (tx) => {
    if (psychologist_id) await lockMember(tx, psychologist_id);
    if (!(await confirmCancellation(tx, subscriptionId, now))) return;
    const details = { provider, plan_type: membership.plan_type };
    const row = { actor_id: null, action: "cancellation_confirmed", target_id: subscriptionId, details };
    await insertAudit(tx, { ...row, created_at: now });
  });
  return true;
}

/** What may be logged of a service that did not do what it was asked: codes, and the number its support asks for. */
export const outsideFacts = ({ kind, service, status, reason, debugId }: OutsideError) => ({
  service,
  kind,
  status,
  reason,
  debug_id: debugId,
});
