import { AppError } from "#shared/errors.ts";
import { queueAnswerMail } from "../../answers/steps.ts";
import { weekAfterUndo } from "../../consultations/rules.ts";
import { lockWeeklyUse, setWeeklyUse } from "../../consultations/store.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../database/handles.ts";
import { recountThread } from "../../threads/steps.ts";
import type { DecisionRow } from "../store.ts";
import { deleteRemoval, lockRemoval, lockRemovedRows, restoreRemovedRows } from "./store.ts";

/** Restores a removed consultation with everything below it. @throws AppError undo_too_late, undo_superseded */
export async function undoRemoval(context: Context, tx: Tx, decision: DecisionRow): Promise<void> {
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
  if (again) await setWeeklyUse(tx, author!, again.used, again.window).execute();
  // A mail about an answer that was due meanwhile found nothing. This one is sent only if no other was.
  await queueAnswerMail(boss, tx, id, config.demo);
  await deleteRemoval(tx, decision.id);
}
