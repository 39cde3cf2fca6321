import { AppError, refuse } from "#shared/errors.ts";
import type { ProviderCancellation } from "#shared/plans.ts";
import { insertAudit } from "../../audit.ts";
import type { Context } from "../../context.ts";
import { queueMail } from "../../mail/queues.ts";
import type { Viewer } from "../../sessions/viewer.ts";
import type { RefuseIfChanged } from "../../versions.ts";
import { resolveProblems } from "../problems/store.ts";
import { canBeCancelled, cancellationOf, whyCannotCancel, whyCannotSeePlans } from "../rules.ts";
import { endMembership } from "../steps.ts";
import { lockMember, membershipById, ownMembershipByExternalId } from "../store.ts";
import { sendCancellation } from "./send.ts";
import { type CancellationRow, lockCancellation, markCancellationClosed } from "./store.ts";

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
    await queueMail(context.boss, tx, { kind: "membership_cancelled", subscription_id: id });
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
  if (cancellationOf(found) === "closed") return "closed";
  return (await sendCancellation(context, found.id)) ? "confirmed" : "waiting";
}

/**
 * Closes a cancellation that its provider will never confirm: it is not sent any more, and the person is told that nothing
 * confirms it. The membership stays ended.
 * @throws AppError nothing_updated when it is confirmed or closed already, changed_meanwhile
 */
export async function closeCancellation(
  context: Context,
  admin: Viewer,
  id: string,
  reason: string,
  refuseIfChanged: RefuseIfChanged<CancellationRow>,
): Promise<void> {
  const now = context.now();
  await context.db.transaction().execute(async (tx) => {
    const cancellation = await lockCancellation(tx, id);
    if (!cancellation) throw new AppError("nothing_updated");
    refuseIfChanged(cancellation);
    await markCancellationClosed(tx, id, now);
    await resolveProblems(tx, id, ["not_cancelled"], [], now);
    const { provider, external_subscription_id, cancel_tries } = cancellation;
    const details = { provider, external_subscription_id, tries: cancel_tries, reason };
    const row = { actor_id: admin.id, action: "cancellation_closed", target_id: id, details };
    await insertAudit(tx, { ...row, created_at: now });
  });
}
