import { insertAudit } from "../../audit.ts";
import type { Context } from "../../context.ts";
import { loggableError, ProviderError } from "../../integrations/provider-error.ts";
import {
  type AbandonedCheckoutRow,
  deleteAbandonedCheckout,
  markAbandonedCheckoutRead,
} from "../checkout/abandoned-store.ts";
import { reportProblem, resolveProblems } from "../problems/store.ts";
import { lockMember, membershipById } from "../store.ts";
import { confirmCancellation, countCancellationTry } from "./store.ts";

/** Cancels a provider subscription. One that is over already counts as cancelled. @throws ProviderError */
async function cancelAtProvider({ paymentProviders }: Context, name: string, externalId: string): Promise<void> {
  const provider = paymentProviders.get(name);
  if (!provider) throw new ProviderError("unavailable", name, "is no longer configured");
  await provider.cancel(externalId);
}

/**
 * Cancels a provider subscription whose buyer has deleted the account, should it have been approved after that. Money
 * that was paid is reported to the administrator.
 * @throws ProviderError
 */
export async function cancelAbandoned(context: Context, row: AbandonedCheckoutRow): Promise<void> {
  const { db } = context;
  const { provider, external_id } = row;
  const now = context.now();
  const request = { external_id, checkout: null, payments: [], read_at: null, hints: {}, now };
  const snapshot = await context.paymentProviders.get(provider)?.read(request);
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
 * @returns whether the provider has confirmed, or the administrator has closed the cancellation
 */
export async function sendCancellation(context: Context, id: string): Promise<boolean> {
  const { db, log } = context;
  const membership = await membershipById(db, id);
  if (!membership?.cancel_requested_at || membership.cancel_confirmed_at || membership.cancel_closed_at) return true;
  const { provider, external_subscription_id: externalId, psychologist_id } = membership;
  try {
    await cancelAtProvider(context, provider, externalId);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    log.warn({ event: "cancellation_not_confirmed", subscription: id, ...loggableError(error) });
    await countCancellationTry(db, id, context.now());
    return false;
  }
  const now = context.now();
  await db.transaction().execute(async (tx) => {
    if (psychologist_id) await lockMember(tx, psychologist_id);
    if (!(await confirmCancellation(tx, id, now))) return;
    await resolveProblems(tx, id, ["not_cancelled"], [], now);
    const details = { provider, plan_type: membership.plan_type };
    const row = { actor_id: null, action: "cancellation_confirmed", target_id: id, details };
    await insertAudit(tx, { ...row, created_at: now });
  });
  return true;
}
