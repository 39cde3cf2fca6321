import { insertAudit } from "../audit.ts";
import type { Context } from "../context.ts";
import type { Tx } from "../database/handles.ts";
import { abandonCheckouts, type MembershipRow, updateCheckout } from "./checkouts/store.ts";
import { updateGold } from "./grants/store.ts";
import { queuePaymentWork } from "./queues.ts";
import { givesGoldOrCharges, mustCancelAtProvider } from "./rules.ts";
import { membershipsOfPsychologist } from "./store.ts";

/** Why a membership ends by a decision of ours, and the name of that in the audit log. */
const ENDS = {
  person: "membership_cancelled",
  replaced: "membership_replaced",
  admin: "membership_ended_by_admin",
} as const;

/**
 * Ends a membership and the Gold that it gives by a decision of ours, and wants its end at a provider that may charge again.
 * Call it with the psychologist locked.
 * @param end why, who decided it (null for no person), and when
 * @returns whether its end is wanted at the provider
 */
export async function endMembership(
  { boss }: Pick<Context, "boss">,
  tx: Tx,
  membership: MembershipRow,
  { ended_by, actor_id, at }: { ended_by: keyof typeof ENDS; actor_id: string | null; at: Date },
): Promise<boolean> {
  const { id, psychologist_id, provider, plan_type } = membership;
  const endsThere = mustCancelAtProvider(membership);
  await updateCheckout(tx, id, {
    status: "cancelled",
    ended_by,
    cancelled_at: membership.cancelled_at ?? at,
    ...(endsThere && { end_wanted_at: membership.end_wanted_at ?? at, due_at: at }),
  });
  if (endsThere) await queuePaymentWork(boss, tx);
  if (psychologist_id) await updateGold(tx, psychologist_id);
  const details = { provider, plan_type };
  await insertAudit(tx, { actor_id, action: ENDS[ended_by], target_id: id, details, created_at: at });
  return endsThere;
}

/**
 * Ends every membership of a psychologist who deletes the account, also those without Gold that may still be charged, and
 * wants the end of checkouts that may still be approved at a provider (specification, section 4.3). Call it with the
 * psychologist locked, before the account is deleted.
 */
export async function endMembershipsOf(
  context: Pick<Context, "boss">,
  tx: Tx,
  psychologistId: string,
  at: Date,
): Promise<void> {
  const memberships = await membershipsOfPsychologist(tx, psychologistId);
  for (const one of memberships.filter(givesGoldOrCharges))
    await endMembership(context, tx, one, { ended_by: "person", actor_id: psychologistId, at });
  await abandonCheckouts(tx, psychologistId, at);
}
