import { AppError } from "#shared/errors.ts";
import { queueAnswerMail } from "../../answers/steps.ts";
import { weekAfterUndo } from "../../consultations/rules.ts";
import { lockWeeklyUse, setWeeklyUse } from "../../consultations/store.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../database/handles.ts";
import { recountPsychologists } from "../../threads/store.ts";
import type { DecisionRow } from "../store.ts";
import { deleteRemoval, lockRemoval, restoreRemovedRows } from "./store.ts";

/**
 * Restores a removed consultation with everything below it.
 * @throws AppError undo_superseded if an author of the thread deleted a text or the account
 */
export async function undoRemoval(context: Context, tx: Tx, decision: DecisionRow): Promise<void> {
  const now = context.now();
  const removal = await lockRemoval(tx, decision.id);
  if (!removal) throw new AppError("undo_superseded");
  const { consultation_id: id, author_id: author, credit_window, psychologists } = removal;
  await restoreRemovedRows(tx, id);
  await recountPsychologists(tx, psychologists);
  const use = author && credit_window ? await lockWeeklyUse(tx, author) : undefined;
  const again = use && weekAfterUndo(use, credit_window!, now);
  if (again) await setWeeklyUse(tx, author!, again.used, again.window).execute();
  // The mail job finds no consultation while it is removed. Queue another job; it sends nothing if the author was
  // already notified.
  await queueAnswerMail(context, tx, id);
  await deleteRemoval(tx, decision.id);
}
