import type { PlanType } from "#shared/plans.ts";
import type { Context } from "../../context.ts";
import { loggableError, ProviderError } from "../../integrations/provider-error.ts";
import { deleteCheckout, updateCheckout } from "../checkouts/due-store.ts";
import { nextReading } from "../checkouts/rules.ts";
import { checkoutById, lockCheckout } from "../checkouts/store.ts";
import { settleProblems } from "../problems/store.ts";
import { auditConfirmedEnd } from "../steps.ts";
import { lockMember, membershipOfCheckout } from "../store.ts";

/** States in which a provider subscription can be ended; one that is not approved only if its page never expires. */
const CAN_END = ["active", "suspended", "paying"];

/**
 * Ends a checkout at its provider if that is wanted. Once confirmed, nothing is sent again; one that the provider ended by
 * itself counts as confirmed.
 * @returns true unless an end is wanted that the provider has not confirmed
 */
export async function endIfWanted(context: Context, id: string): Promise<boolean> {
  const { db, log, paymentProviders } = context;
  const checkout = await checkoutById(db, id);
  if (!checkout?.end_wanted_at || checkout.end_confirmed_at || !checkout.external_id) return true;
  const membership = await membershipOfCheckout(db, id);
  if (membership?.end_closed_at) return true;
  const { provider: name, external_id, state, plan_type, psychologist_id } = checkout;
  const provider = paymentProviders.get(name);
  const canEnd = CAN_END.includes(state) || provider?.neverExpires.includes(plan_type as PlanType);
  if (!provider || !canEnd) return false;
  try {
    await provider.cancel(external_id);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    log.warn({ event: "cancellation_not_confirmed", checkout: id, ...loggableError(error) });
    const row = { ...checkout, failures: checkout.failures + 1 };
    await updateCheckout(db, id, { failures: row.failures, due_at: nextReading(row, membership, context.now()) });
    return false;
  }
  const now = context.now();
  await db.transaction().execute(async (tx) => {
    if (psychologist_id) await lockMember(tx, psychologist_id);
    const locked = await lockCheckout(tx, id);
    if (!locked || locked.end_confirmed_at) return;
    const row = { state: "cancelled", end_confirmed_at: now, failures: 0 } as const;
    const due_at = nextReading({ ...locked, ...row }, membership, now);
    if (!membership && !psychologist_id) await deleteCheckout(tx, id);
    else await updateCheckout(tx, id, { ...row, due_at });
    await settleProblems(tx, { provider: name, kind: "cancellation_unconfirmed", external_id }, now);
    if (membership) await auditConfirmedEnd(tx, membership.id, name, plan_type, now);
  });
  return true;
}
