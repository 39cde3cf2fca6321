import { AppError, assertAllowed } from "#shared/errors.ts";
import { insertAudit } from "../audit.ts";
import type { Context } from "../context.ts";
import { retryDeadlocks } from "../database/handles.ts";
import type { Viewer } from "../sessions/viewer.ts";
import { undoRemoval } from "./removal/steps.ts";
import { whyCannotUndo } from "./rules.ts";
import { decisionById } from "./store.ts";
import { undoVerification } from "./verification/steps.ts";

/**
 * Undoes a recent decision and cancels its delayed effects.
 * @throws AppError not_found if the id names no decision that can be undone
 * @throws AppError undo_too_late
 * @throws AppError undo_superseded if a later decision exists
 */
export async function undo(context: Context, admin: Viewer, id: string): Promise<void> {
  const now = context.now();
  await retryDeadlocks(() =>
    context.db.transaction().execute(async (tx) => {
      const decision = await decisionById(tx, id);
      if (!decision) throw new AppError("not_found");
      assertAllowed(whyCannotUndo(decision.created_at, now));
      const revert = decision.action === "consultation_deleted" ? undoRemoval : undoVerification;
      await revert(context, tx, decision);
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
