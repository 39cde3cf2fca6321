import { AppError } from "#shared/errors.ts";
import type { CancellationStatus } from "#shared/plans.ts";
import { insertAudit } from "../../audit.ts";
import type { Context } from "../../context.ts";
import { queueMail } from "../../mail/queues.ts";
import type { Viewer } from "../../sessions/viewer.ts";
import type { AssertUnchanged } from "../../versions.ts";
import { settleProblems } from "../problems/store.ts";
import { endIfWanted } from "../reading/checkout.ts";
import { canBeCancelled } from "../rules.ts";
import { endMembership } from "../steps.ts";
import {
  type CancellationRow,
  lockCancellation,
  lockMember,
  membershipsOfPsychologist,
  updateMembership,
} from "../store.ts";

/**
 * Cancels the viewer's monthly membership. Gold ends at once.
 *
 * Also cancels a membership without Gold that the provider still tries to charge. If the provider is down, the
 * worker sends the cancellation until it is confirmed or closed. Idempotent.
 * @throws AppError subscription_not_found, lifetime_not_cancellable
 */
export async function cancelMembership(context: Context, viewer: Viewer, id: string): Promise<CancellationStatus> {
  const now = context.now();
  const checkout = await context.db.transaction().execute(async (tx) => {
    await lockMember(tx, viewer.id);
    const membership = (await membershipsOfPsychologist(tx, viewer.id)).find((one) => one.subscription_id === id);
    if (!membership) throw new AppError("subscription_not_found");
    // It is paid once and has no further charges.
    if (membership.plan_type === "lifetime") throw new AppError("lifetime_not_cancellable");
    if (membership.status !== "active" && !canBeCancelled(membership)) return membership.id;
    await queueMail(context.boss, tx, { kind: "membership_cancelled", subscription_id: id });
    await endMembership(context, tx, membership, { ended_by: "person", actor_id: viewer.id, at: now });
    return membership.id;
  });
  return endIfWanted(context, checkout);
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

/**
 * Closes a cancellation that its provider will never confirm. It is not sent any more, and `/planes` asks the psychologist
 * to check it at the provider. Changes nothing else of the membership.
 * @throws AppError no_rows_updated if it is already confirmed or closed
 * @throws AppError version_conflict
 */
export async function closeCancellation(
  context: Context,
  admin: Viewer,
  id: string,
  reason: string,
  assertUnchanged: AssertUnchanged<CancellationRow>,
): Promise<void> {
  const now = context.now();
  await context.db.transaction().execute(async (tx) => {
    const cancellation = await lockCancellation(tx, id);
    if (!cancellation) throw new AppError("no_rows_updated");
    assertUnchanged(cancellation);
    const { provider, external_id, failures: tries } = cancellation;
    await updateMembership(tx, id, { end_closed_at: now });
    await settleProblems(tx, { provider, kind: "cancellation_unconfirmed", external_id }, now);
    const details = { provider, external_subscription_id: external_id, tries, reason };
    const row = { actor_id: admin.id, action: "cancellation_closed", target_id: id, details };
    await insertAudit(tx, { ...row, created_at: now });
  });
}
