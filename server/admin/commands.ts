import { AppError } from "#shared/errors.ts";
import { insertAudit } from "../audit.ts";
import type { Context } from "../context.ts";
import { retryDeadlocks, type Tx } from "../database/handles.ts";
import type { Viewer } from "../sessions/viewer.ts";
import { undoRemoval } from "./removal/steps.ts";
import { whyCannotUndo } from "./rules.ts";
import { type AuditRow, auditById } from "./store.ts";
import { undoVerification } from "./verification/steps.ts";

/** Reverts a decision, in the transaction that records it. @throws AppError undo_too_late, undo_superseded */
type UndoHandler = (context: Context, tx: Tx, decision: AuditRow) => Promise<void>;

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
