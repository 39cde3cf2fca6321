import { AppError } from "#shared/errors.ts";
import type { Viewer } from "../accounts/rules.ts";
import { usedAfterRemoval, whyCannotRemove } from "../consultations/rules.ts";
import {
  deleteConsultation,
  isDeleted,
  lockWeeklyUse,
  lockWholeConsultation,
  setWeeklyUse,
} from "../consultations/store.ts";
import type { Context } from "../context.ts";
import { MAIL_QUEUE, queueMail } from "../jobs.ts";
import { hurryMail, insertAudit, undeliveredMails, unverify, verify } from "./store.ts";

/** Approves a psychologist, who is told by mail. @throws AppError nothing_updated when nobody waits under this id */
export async function approve(context: Context, admin: Viewer, id: string): Promise<void> {
  const now = context.now();
  await context.db.transaction().execute(async (tx) => {
    if (!(await verify(tx, id, now))) throw new AppError("nothing_updated");
    await insertAudit(tx, { actor_id: admin.id, action: "psychologist_approved", target_id: id, created_at: now });
    await queueMail(context.boss, tx, { kind: "psychologist_approved", psychologist_id: id });
  });
}

/** Rejects a psychologist, who stays in the list and is told by mail, with the reason if there is one. @throws AppError nothing_updated */
export async function reject(context: Context, admin: Viewer, id: string, reason: string | null): Promise<void> {
  const now = context.now();
  await context.db.transaction().execute(async (tx) => {
    if (!(await unverify(tx, id, now))) throw new AppError("nothing_updated");
    await insertAudit(tx, {
      actor_id: admin.id,
      action: "psychologist_rejected",
      target_id: id,
      details: { reason },
      created_at: now,
    });
    await queueMail(context.boss, tx, { kind: "psychologist_rejected", psychologist_id: id, reason });
  });
}

/**
 * The administrator deletes a consultation with its answers, replies and votes. Its author may ask again at once if it
 * counted in their current window. What is written down names the consultation and the administrator, never the author.
 * @returns whether the credit was given back
 * @throws AppError admin_only, consultation_not_found, gone
 */
export async function removeConsultation(context: Context, admin: Viewer, id: string): Promise<boolean> {
  const now = context.now();
  const refusal = whyCannotRemove(admin);
  if (refusal) throw new AppError(refusal);
  return context.db.transaction().execute(async (tx) => {
    const before = await lockWholeConsultation(tx, id);
    if (!before) throw new AppError((await isDeleted(tx, id)) ? "gone" : "consultation_not_found");
    await deleteConsultation(tx, id, now);
    await insertAudit(tx, { actor_id: admin.id, action: "consultation_deleted", target_id: id, created_at: now });
    // Who deletes their own regains nothing, the administrator included.
    const use = before.user_id && before.user_id !== admin.id ? await lockWeeklyUse(tx, before.user_id) : undefined;
    const used = use ? usedAfterRemoval(use, before.created_at, now) : null;
    if (used === null) return false;
    await setWeeklyUse(tx, before.user_id!, used, use!.weekly_window_started_at!);
    return true;
  });
}

/** Lets a mail that was not delivered be tried now. @throws AppError not_found when no such mail waits */
export async function retryMail(context: Context, admin: Viewer, id: string): Promise<void> {
  const mail = (await undeliveredMails(context.db)).find((each) => each.id === id);
  if (!mail) throw new AppError("not_found");
  await context.db
    .transaction()
    .execute((tx) =>
      insertAudit(tx, { actor_id: admin.id, action: "mail_retried", target_id: id, created_at: context.now() }),
    );
  if (mail.gave_up) await context.boss.retry(MAIL_QUEUE, id);
  else await hurryMail(context.db, id);
}
