import { randomUUID } from "node:crypto";
import { insertAudit } from "../../audit.ts";
import { usedAfterRemoval } from "../../consultations/rules.ts";
import { lockWeeklyUse, lockWholeConsultation, setWeeklyUse } from "../../consultations/store.ts";
import type { Context } from "../../context.ts";
import type { Viewer } from "../../sessions/viewer.ts";
import { removeConsultations } from "../../threads/steps.ts";
import { lockAnswers, lockPsychologists, lockReplies, missing } from "../../threads/store.ts";
import type { AssertUnchanged } from "../../versions.ts";
import { queueRemoval } from "./queues.ts";
import { consultationToRemove, saveRemovedRows, type VisibleConsultationRow } from "./store.ts";

/**
 * Deletes a consultation with its answers, replies and votes as the administrator.
 *
 * The rows stay stored until the removal cannot be undone any more. The author may ask again at once if the
 * consultation counted in the current window. The audit log contains the consultation and the administrator, never the
 * author.
 * @throws AppError consultation_not_found, gone, version_conflict
 */
export async function removeAsAdmin(
  context: Context,
  admin: Viewer,
  id: string,
  assertUnchanged: AssertUnchanged<VisibleConsultationRow>,
): Promise<void> {
  const now = context.now();
  await context.db.transaction().execute(async (tx) => {
    const before = await lockWholeConsultation(tx, id);
    if (!before) throw await missing(tx, id, "consultation_not_found");
    assertUnchanged((await consultationToRemove(tx, id))!);
    const psychologists = await lockAnswers(tx, [id]);
    await lockReplies(tx, id);
    await lockPsychologists(tx, psychologists);
    // Authors get no credit back for deleting their own consultation, including the administrator.
    const use = before.user_id && before.user_id !== admin.id ? await lockWeeklyUse(tx, before.user_id) : undefined;
    const used = use ? usedAfterRemoval(use, before.created_at, now) : null;
    const credit_window = used === null ? null : use!.weekly_window_started_at;
    const decision_id = randomUUID();
    await saveRemovedRows(tx, { decision_id, consultation_id: id, credit_window, removed_at: now });
    await removeConsultations(tx, [id]);
    await insertAudit(tx, {
      id: decision_id,
      actor_id: admin.id,
      action: "consultation_deleted",
      target_id: id,
      created_at: now,
    });
    await queueRemoval(context.boss, tx, decision_id);
    if (used !== null) await setWeeklyUse(tx, before.user_id!, used, credit_window!).execute();
  });
}
