import { AppError, refuse } from "#shared/errors.ts";
import type { ProviderCancellation } from "#shared/plans.ts";
import type { Context } from "../../context.ts";
import type { Viewer } from "../../sessions/viewer.ts";
import { canBeCancelled, whyCannotCancel, whyCannotSeePlans } from "../rules.ts";
import { endMembership } from "../steps.ts";
import { lockMember, membershipById, ownMembershipByExternalId } from "../store.ts";
import { sendCancellation } from "./send.ts";

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
    await lockMember(tx, viewer.id);
    const membership = await membershipById(tx, id);
    if (membership?.psychologist_id !== viewer.id) throw new AppError("subscription_not_found");
    refuse(whyCannotCancel(membership));
    if (membership.status !== "active" && !canBeCancelled(membership)) return membership.cancel_requested_at !== null;
    return endMembership(context, tx, membership, { ended_by: "person", actor_id: viewer.id, at: now });
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
  const found = await ownMembershipByExternalId(context.db, viewer.id, externalId);
  if (!found) throw new AppError("subscription_not_found");
  if (found.status !== "cancelled") throw new AppError("nothing_updated");
  if (!found.cancel_requested_at) return "not_needed";
  return (await sendCancellation(context, found.id)) ? "confirmed" : "waiting";
}
