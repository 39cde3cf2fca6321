import { randomUUID } from "node:crypto";
import type { Decision } from "#shared/admin.ts";
import { AppError } from "#shared/errors.ts";
import { insertAudit } from "../../audit.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../database/handles.ts";
import { queueMail } from "../../mail/queues.ts";
import { cancelQueuedMail } from "../../mail/store.ts";
import type { Viewer } from "../../sessions/viewer.ts";
import { UNDO_EFFECT_DELAY_SECONDS } from "../rules.ts";
import { type DecisionRow, decisionById } from "../store.ts";
import { isCurrentDecision, verificationAfter } from "./rules.ts";
import { lockPsychologistToDecide, mailedDecisionInForce, type PsychologistRow, setVerification } from "./store.ts";

/** Audit details of a decision about a psychologist. An undo restores the state from them. */
type VerificationDetails = {
  reason?: string | null;
  /** State of the psychologist before the decision. */
  before: { verified_at: string | null; rejected_at: string | null };
  /** Decision whose queued mail was cancelled by this one. */
  withheld?: string;
};

/**
 * Stores a decision about a psychologist.
 *
 * It takes effect at once, but its mail waits until the decision cannot be undone any more. The unsent mail of an
 * earlier decision is cancelled.
 * @returns the psychologist's row after the decision
 */
export async function decide(
  context: Context,
  tx: Tx,
  admin: Viewer,
  before: PsychologistRow,
  { action, at, reason }: { action: Decision; at: Date; reason?: string | null },
) {
  const { id, verified_at, rejected_at } = before;
  const row = await setVerification(tx, id, verificationAfter(action, at));
  const earlier = await mailedDecisionInForce(tx, id, before);
  const details: VerificationDetails = {
    ...(reason !== undefined && { reason }),
    before: { verified_at: verified_at?.toISOString() ?? null, rejected_at: rejected_at?.toISOString() ?? null },
    ...(earlier && (await cancelQueuedMail(tx, earlier.id, { tried: true })) && { withheld: earlier.id }),
  };
  const decision = { id: randomUUID(), action, target_id: id, created_at: at, details };
  await insertAudit(tx, { ...decision, actor_id: admin.id });
  // A renewed check changes nothing for the psychologist.
  if (action !== "licence_checked_again") await queueDecisionMail(context, tx, decision);
  return row;
}

/** Queues the mail about a decision, delayed until it cannot be undone any more. The job contains the decision's id. */
async function queueDecisionMail({ boss, now }: Context, tx: Tx, decision: DecisionRow): Promise<void> {
  const { id, action, target_id, created_at } = decision;
  const due = created_at.getTime() + UNDO_EFFECT_DELAY_SECONDS * 1000;
  const about = { psychologist_id: target_id!, decided_at: created_at.toISOString() };
  const { reason = null } = decision.details as VerificationDetails;
  await queueMail(
    boss,
    tx,
    action === "psychologist_rejected"
      ? { kind: "psychologist_rejected", ...about, reason }
      : { kind: "psychologist_approved", ...about },
    { id, startAfter: Math.max(1, Math.ceil((due - now().getTime()) / 1000)) },
  );
}

/**
 * Reverts a decision about a psychologist and cancels its mail.
 * @throws AppError undo_too_late, undo_superseded
 */
export async function undoVerification(context: Context, tx: Tx, decision: DecisionRow): Promise<void> {
  const { before, withheld } = decision.details as VerificationDetails;
  const row = await lockPsychologistToDecide(tx, decision.target_id!);
  if (!row || !isCurrentDecision(verificationAfter(decision.action, decision.created_at), row))
    throw new AppError("undo_superseded");
  if (decision.action !== "licence_checked_again" && !(await cancelQueuedMail(tx, decision.id)))
    throw new AppError("undo_too_late");
  const moment = (at: string | null) => (at === null ? null : new Date(at));
  const { verified_at, rejected_at } = before;
  await setVerification(tx, row.id, { verified_at: moment(verified_at), rejected_at: moment(rejected_at) });
  const earlier = withheld && (await decisionById(tx, withheld));
  if (earlier) await queueDecisionMail(context, tx, earlier);
}
