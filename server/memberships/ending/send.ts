import type { Context } from "../../context.ts";
import { logProviderError } from "../../integrations/provider-error.ts";
import { checkoutById, lockCheckout, updateAndSchedule } from "../checkouts/store.ts";
import { updateGold } from "../grants/store.ts";
import { settleProblems } from "../problems/store.ts";
import { auditConfirmedEnd } from "../reconciliation/steps.ts";
import { lockMember } from "../store.ts";

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
  const { provider: name, external_id, psychologist_id, subscription_id } = checkout;
  if (checkout.end_closed_at) return true;
  const provider = paymentProviders.get(name);
  const canEnd = CAN_END.includes(checkout.state) || provider?.neverExpires.includes(checkout.plan_type);
  if (!provider || !canEnd) return false;
  try {
    await provider.cancel(external_id);
  } catch (error) {
    logProviderError(log, "cancellation_not_confirmed", error, { checkout: id });
    await updateAndSchedule(db, checkout, { failures: checkout.failures + 1 }, context.now());
    return false;
  }
  const now = context.now();
  await db.transaction().execute(async (tx) => {
    if (psychologist_id) await lockMember(tx, psychologist_id);
    const locked = await lockCheckout(tx, id);
    if (!locked || locked.end_confirmed_at) return;
    // A chargeback that was won may have brought the membership back: a reading settles whether it is over.
    const due_at = checkout.status === "active" ? now : null;
    const row = { state: "cancelled", end_confirmed_at: now, failures: 0, due_at } as const;
    await updateAndSchedule(tx, locked, row, now);
    // It has no grace period any more.
    if (psychologist_id) await updateGold(tx, psychologist_id);
    await settleProblems(tx, { provider: name, kind: "cancellation_unconfirmed", external_id }, now);
    if (subscription_id) await auditConfirmedEnd(tx, subscription_id, checkout, now);
  });
  return true;
}
