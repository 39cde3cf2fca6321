import { AppError } from "#shared/errors.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../database/handles.ts";
import { queueMail } from "../../mail/queues.ts";
import { cancelQueuedMail } from "../../mail/store.ts";
import { UNDO_EFFECT_DELAY_SECONDS } from "../rules.ts";
import { type DecisionRow, decisionById } from "../store.ts";
import { isCurrentDecision, type Verification, verificationAfter } from "./rules.ts";
import { lockPsychologistToDecide, setVerification } from "./store.ts";

/** Audit details of a decision about a psychologist. An undo restores the state from them. */
export type VerificationDetails = {
  reason?: string | null;
  /** State of the psychologist before the decision. */
  before: { verified_at: string | null; rejected_at: string | null };
  /** Decision whose queued mail was cancelled by this one. */
  withheld?: string;
};

/** Queues the mail about a decision, delayed until it cannot be undone any more. The job contains the decision's id. */
export async function queueDecisionMail({ boss, now }: Context, tx: Tx, decision: DecisionRow): Promise<void> {
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
  const decided = verificationAfter(decision.action, decision.created_at)!;
  if (!row || !isCurrentDecision(decided, row)) throw new AppError("undo_superseded");
  if (decision.action !== "licence_checked_again" && !(await cancelQueuedMail(tx, decision.id)))
    throw new AppError("undo_too_late");
  const moment = (at: string | null) => (at === null ? null : new Date(at));
  const former: Verification = { verified_at: moment(before.verified_at), rejected_at: moment(before.rejected_at) };
  await setVerification(tx, row.id, former);
  const earlier = withheld && (await decisionById(tx, withheld));
  if (earlier) await queueDecisionMail(context, tx, earlier);
}
