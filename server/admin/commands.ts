import { randomUUID } from "node:crypto";
import { fromKysely } from "pg-boss";
import { AppError } from "#shared/errors.ts";
import { queueAnswerMail } from "../answers/steps.ts";
import { insertAudit } from "../audit.ts";
import { usedAfterRemoval, weekAfterUndo, whyCannotRemove } from "../consultations/rules.ts";
import { lockWeeklyUse, lockWholeConsultation, setWeeklyUse } from "../consultations/store.ts";
import type { Context } from "../context.ts";
import { retryDeadlocks, type Tx } from "../database/handles.ts";
import { MAIL_QUEUE, queueMail } from "../mail/queues.ts";
import { cancelQueuedMail } from "../mail/store.ts";
import type { Viewer } from "../sessions/viewer.ts";
import { missing, recountThread, removeConsultation } from "../threads/steps.ts";
import { lockAnswersAndPsychologists, lockReplies } from "../threads/store.ts";
import { AFTER_UNDO_SECONDS, queueRemoval } from "./queues.ts";
import { isInForce, type Verification, verificationBy, whyCannotApprove, whyCannotUndo } from "./rules.ts";
import {
  type AuditRow,
  auditById,
  consultationToRemove,
  decisionInForce,
  deleteRemoval,
  lockPsychologistToDecide,
  lockRemoval,
  lockRemovedRows,
  lockUndeliveredMail,
  type PsychologistRow,
  restoreRemovedRows,
  retryMailNow,
  saveRemovedRows,
  setVerification,
  type UndeliveredRow,
  type VerificationRow,
  type VisibleConsultationRow,
} from "./store.ts";

/** Compares a row, read again under its lock, with what was shown. @throws AppError changed_meanwhile */
type RefuseIfChanged<Row> = (row: Row) => void;

/** The audit details of a decision about a psychologist, from which it can be undone. */
type VerificationDetails = {
  reason?: string | null;
  /** What the psychologist was before. */
  before?: { verified_at: string | null; rejected_at: string | null };
  /** The decision whose queued mail was cancelled because of this one. */
  withheld?: string;
};

/** Queues the mail about a decision, delayed until it can no longer be undone; the job has the decision's id. */
async function queueDecisionMail({ boss, now }: Context, tx: Tx, decision: AuditRow): Promise<void> {
  const { id, action, target_id, created_at } = decision;
  const due = created_at.getTime() + AFTER_UNDO_SECONDS * 1000;
  const about = { psychologist_id: target_id!, decided_at: created_at.toISOString() };
  const { reason = null } = decision.details as VerificationDetails;
  await queueMail(
    boss,
    tx,
    action === "psychologist_rejected"
      ? { kind: "psychologist_rejected", ...about, reason }
      : { kind: "psychologist_approved", ...about },
    { id, afterSeconds: Math.max(1, Math.ceil((due - now().getTime()) / 1000)) },
  );
}

/**
 * Records a decision about a psychologist. It takes effect at once; its mail is sent when it can no longer be undone. The
 * unsent mail of an earlier decision is cancelled.
 */
async function decide(
  context: Context,
  tx: Tx,
  admin: Viewer,
  before: PsychologistRow,
  decided: { action: string; at: Date; reason?: string | null },
): Promise<VerificationRow> {
  const { id, verified_at, rejected_at } = before;
  const row = await setVerification(tx, id, verificationBy(decided.action, decided.at)!);
  const earlier = await decisionInForce(tx, id, before);
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
  return row!;
}

/**
 * Approves a psychologist, who is notified by mail. A lapsed check is renewed: nothing changes for the psychologist, so no
 * mail is sent.
 * @throws AppError nothing_updated when no one with this id waits for a check, changed_meanwhile
 */
export async function approve(
  context: Context,
  admin: Viewer,
  id: string,
  refuseIfChanged: RefuseIfChanged<PsychologistRow>,
): Promise<VerificationRow> {
  const at = context.now();
  return context.db.transaction().execute(async (tx) => {
    const before = await lockPsychologistToDecide(tx, id);
    const refusal = whyCannotApprove(before, at);
    if (refusal) throw new AppError(refusal);
    refuseIfChanged(before!);
    const action = before!.verified_at === null ? "psychologist_approved" : "licence_checked_again";
    return decide(context, tx, admin, before!, { action, at });
  });
}

/**
 * Rejects a psychologist, who stays in the list and is notified by mail, with the reason if there is one. @throws AppError
 * nothing_updated, changed_meanwhile
 */
export async function reject(
  context: Context,
  admin: Viewer,
  id: string,
  reason: string | null,
  refuseIfChanged: RefuseIfChanged<PsychologistRow>,
): Promise<VerificationRow> {
  const at = context.now();
  return context.db.transaction().execute(async (tx) => {
    const before = await lockPsychologistToDecide(tx, id);
    if (!before) throw new AppError("nothing_updated");
    refuseIfChanged(before);
    return decide(context, tx, admin, before, { action: "psychologist_rejected", at, reason });
  });
}

/**
 * The administrator deletes a consultation with its answers, replies and votes; its rows are stored until the removal can
 * no longer be undone. Its author may ask again at once if it counted in their current window. The audit log has the
 * consultation and the administrator, never the author.
 * @returns whether the credit was given back
 * @throws AppError admin_only, consultation_not_found, gone, changed_meanwhile
 */
export async function removeAsAdmin(
  context: Context,
  admin: Viewer,
  id: string,
  refuseIfChanged: RefuseIfChanged<VisibleConsultationRow>,
): Promise<boolean> {
  const now = context.now();
  const refusal = whyCannotRemove(admin);
  if (refusal) throw new AppError(refusal);
  return context.db.transaction().execute(async (tx) => {
    const before = await lockWholeConsultation(tx, id);
    if (!before) throw await missing(tx, id, "consultation_not_found");
    refuseIfChanged((await consultationToRemove(tx, id))!);
    await lockAnswersAndPsychologists(tx, id);
    await lockReplies(tx, id);
    // No one gets the credit back for deleting their own, not even the administrator.
    const use = before.user_id && before.user_id !== admin.id ? await lockWeeklyUse(tx, before.user_id) : undefined;
    const used = use ? usedAfterRemoval(use, before.created_at, now) : null;
    const credit_window = used === null ? null : use!.weekly_window_started_at;
    const decision_id = randomUUID();
    await saveRemovedRows(tx, { decision_id, consultation_id: id, credit_window, removed_at: now });
    await removeConsultation(tx, id, now);
    await insertAudit(tx, {
      id: decision_id,
      actor_id: admin.id,
      action: "consultation_deleted",
      target_id: id,
      created_at: now,
    });
    await queueRemoval(context.boss, tx, decision_id);
    if (used === null) return false;
    await setWeeklyUse(tx, before.user_id!, used, credit_window!);
    return true;
  });
}

/** Reverts a decision, in the transaction that records it. @throws AppError undo_too_late, undo_superseded */
type UndoHandler = (context: Context, tx: Tx, decision: AuditRow) => Promise<void>;

const undoVerification: UndoHandler = async (context, tx, decision) => {
  const { before, withheld } = decision.details as VerificationDetails;
  const row = await lockPsychologistToDecide(tx, decision.target_id!);
  const decided = verificationBy(decision.action, decision.created_at)!;
  if (!row || !before || !isInForce(decided, row)) throw new AppError("undo_superseded");
  if (decision.action !== "licence_checked_again" && !(await cancelQueuedMail(tx, decision.id)))
    throw new AppError("undo_too_late");
  const moment = (at: string | null) => (at === null ? null : new Date(at));
  const former: Verification = { verified_at: moment(before.verified_at), rejected_at: moment(before.rejected_at) };
  await setVerification(tx, row.id, former);
  const earlier = withheld && (await auditById(tx, withheld));
  if (earlier) await queueDecisionMail(context, tx, earlier);
};

const undoRemoval: UndoHandler = async (context, tx, decision) => {
  const { boss, config } = context;
  const now = context.now();
  const removed = await lockRemoval(tx, decision.id);
  if (!removed) throw new AppError("undo_too_late");
  const { consultation_id: id, credit_window } = removed;
  const { psychologists, consultation } = await lockRemovedRows(tx, id);
  // Its author deleted it, or their account, too.
  if (!consultation) throw new AppError("undo_superseded");
  await restoreRemovedRows(tx, id);
  await recountThread(tx, id, psychologists);
  const author = consultation.author_id;
  const use = author && credit_window ? await lockWeeklyUse(tx, author) : undefined;
  const again = use && weekAfterUndo(use, credit_window!, now);
  if (again) await setWeeklyUse(tx, author!, again.used, again.window);
  // A mail about an answer that was due meanwhile found nothing. This one is sent only if no other was.
  await queueAnswerMail(boss, tx, id, config.demo);
  await deleteRemoval(tx, decision.id);
};

const UNDO_HANDLERS: Record<string, UndoHandler> = {
  psychologist_approved: undoVerification,
  licence_checked_again: undoVerification,
  psychologist_rejected: undoVerification,
  consultation_deleted: undoRemoval,
};

/**
 * Undoes a recent decision if nothing was decided since; its delayed effects never happen.
 * @throws AppError not_found when it is no decision that can be undone, undo_too_late, undo_superseded
 */
export async function undo(context: Context, admin: Viewer, id: string): Promise<void> {
  const now = context.now();
  await retryDeadlocks(() =>
    context.db.transaction().execute(async (tx) => {
      const decision = await auditById(tx, id);
      const undoing = decision && UNDO_HANDLERS[decision.action];
      if (!undoing) throw new AppError("not_found");
      const refusal = whyCannotUndo(decision.created_at, now);
      if (refusal) throw new AppError(refusal);
      await undoing(context, tx, decision);
      await insertAudit(tx, {
        actor_id: admin.id,
        action: "decision_undone",
        target_id: decision.target_id!,
        details: { decision: id },
        created_at: now,
      });
    }),
  );
}

/** Retries an undelivered mail now. @throws AppError not_found when no such mail waits, changed_meanwhile */
export async function retryMail(
  context: Context,
  admin: Viewer,
  id: string,
  refuseIfChanged: RefuseIfChanged<UndeliveredRow>,
): Promise<void> {
  await context.db.transaction().execute(async (tx) => {
    const mail = await lockUndeliveredMail(tx, id);
    if (!mail) throw new AppError("not_found");
    refuseIfChanged(mail);
    await insertAudit(tx, { actor_id: admin.id, action: "mail_retried", target_id: id, created_at: context.now() });
    if (mail.gave_up) await context.boss.retry(MAIL_QUEUE, id, { db: fromKysely(tx) });
    else await retryMailNow(tx, id);
  });
}
