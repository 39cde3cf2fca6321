import { randomUUID } from "node:crypto";
import type { Decision } from "#shared/admin.ts";
import { AppError, assertAllowed } from "#shared/errors.ts";
import { insertAudit } from "../../audit.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../database/handles.ts";
import { cancelQueuedMail } from "../../mail/store.ts";
import type { Viewer } from "../../sessions/viewer.ts";
import type { AssertUnchanged } from "../../versions.ts";
import { verificationAfter, whyCannotApprove } from "./rules.ts";
import { queueDecisionMail, type VerificationDetails } from "./steps.ts";
import { lockPsychologistToDecide, mailedDecisionInForce, type PsychologistRow, setVerification } from "./store.ts";

/**
 * Stores a decision about a psychologist.
 *
 * It takes effect at once, but its mail waits until the decision cannot be undone any more. The unsent mail of an
 * earlier decision is cancelled.
 * @returns the psychologist's row after the decision
 */
async function decide(
  context: Context,
  tx: Tx,
  admin: Viewer,
  before: PsychologistRow,
  decided: { action: Decision; at: Date; reason?: string | null },
) {
  const { id, verified_at, rejected_at } = before;
  const row = await setVerification(tx, id, verificationAfter(decided.action, decided.at)!);
  const earlier = await mailedDecisionInForce(tx, id, before);
  const withheld = earlier && (await cancelQueuedMail(tx, earlier.id, { tried: true })) ? earlier.id : undefined;
  const decision = {
    id: randomUUID(),
    action: decided.action,
    target_id: id,
    created_at: decided.at,
    details: {
      ...(decided.reason === undefined ? {} : { reason: decided.reason }),
      before: { verified_at: verified_at?.toISOString() ?? null, rejected_at: rejected_at?.toISOString() ?? null },
      ...(withheld ? { withheld } : {}),
    } satisfies VerificationDetails,
  };
  await insertAudit(tx, { ...decision, actor_id: admin.id });
  // A renewed check changes nothing for the psychologist.
  if (decided.action !== "licence_checked_again") await queueDecisionMail(context, tx, decision);
  return row;
}

/**
 * Approves a psychologist and notifies them.
 *
 * If the check has lapsed, renews it without a mail, because nothing changes for the psychologist.
 * @throws AppError no_rows_updated if no psychologist with this id waits for a check
 * @throws AppError version_conflict
 */
export async function approve(
  context: Context,
  admin: Viewer,
  id: string,
  assertUnchanged: AssertUnchanged<PsychologistRow>,
) {
  const at = context.now();
  return context.db.transaction().execute(async (tx) => {
    const before = await lockPsychologistToDecide(tx, id);
    assertAllowed(whyCannotApprove(before, at));
    assertUnchanged(before!);
    const action = before!.verified_at === null ? "psychologist_approved" : "licence_checked_again";
    return decide(context, tx, admin, before!, { action, at });
  });
}

/**
 * Rejects a psychologist, who stays in the list, and mails the reason if there is one.
 * @throws AppError no_rows_updated, version_conflict
 */
export async function reject(
  context: Context,
  admin: Viewer,
  id: string,
  reason: string | null,
  assertUnchanged: AssertUnchanged<PsychologistRow>,
) {
  const at = context.now();
  return context.db.transaction().execute(async (tx) => {
    const before = await lockPsychologistToDecide(tx, id);
    if (!before) throw new AppError("no_rows_updated");
    assertUnchanged(before);
    return decide(context, tx, admin, before, { action: "psychologist_rejected", at, reason });
  });
}
