import { AppError } from "#shared/errors.ts";
import type { CancellationStatus } from "#shared/plans.ts";
import type { Context } from "../../context.ts";
import { queueMail } from "../../mail/queues.ts";
import type { Viewer } from "../../sessions/viewer.ts";
import { membershipOf, ownCheckout } from "../checkouts/store.ts";
import { endIfWanted } from "../reading/checkout.ts";
import { canBeCancelled } from "../rules.ts";
import { endMembership } from "../steps.ts";
import { lockMember, membershipsOfPsychologist } from "../store.ts";

/**
 * Cancels the viewer's monthly membership. Gold ends at once.
 *
 * Also cancels a membership without Gold that the provider still tries to charge. If the provider is down, the
 * worker sends the cancellation until it is confirmed or closed. Idempotent.
 * @throws AppError subscription_not_found, lifetime_not_cancellable
 */
export async function cancelMembership(context: Context, viewer: Viewer, id: string): Promise<CancellationStatus> {
  const now = context.now();
  await context.db.transaction().execute(async (tx) => {
    await lockMember(tx, viewer.id);
    const own = await ownCheckout(tx, viewer.id, id);
    const membership = own && membershipOf(own);
    if (!membership) throw new AppError("subscription_not_found");
    // It is paid once and has no further charges.
    if (membership.plan_type === "lifetime") throw new AppError("lifetime_not_cancellable");
    if (membership.status !== "active" && !canBeCancelled(membership)) return;
    await queueMail(context.boss, tx, { kind: "membership_cancelled", subscription_id: id });
    await endMembership(context, tx, membership, { ended_by: "person", actor_id: viewer.id, at: now });
  });
  return endIfWanted(context, id);
}

/**
 * Sends the cancellation of the viewer's membership to the provider again (specification, section 7.5).
 * @param externalId the provider's id; does not send a cancellation for a demo id
 * @throws AppError subscription_not_found
 * @throws AppError no_rows_updated if it is not cancelled
 */
export async function retryCancellation(
  context: Context,
  viewer: Viewer,
  externalId: string,
): Promise<CancellationStatus> {
  const found = (await membershipsOfPsychologist(context.db, viewer.id)).find((one) => one.external_id === externalId);
  if (!found) throw new AppError("subscription_not_found");
  if (found.status !== "cancelled") throw new AppError("no_rows_updated");
  return endIfWanted(context, found.id);
}
