import { fromKysely } from "pg-boss";
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
import { whyCannotApprove } from "./rules.ts";
import {
  consultationToRemove,
  hurryMail,
  insertAudit,
  lockPsychologistToDecide,
  lockUndeliveredMail,
  type PsychologistRow,
  setVerification,
  type UndeliveredRow,
  type VerificationRow,
  type VisibleConsultationRow,
} from "./store.ts";

/** Compares a row, read anew under its lock, with what was shown. @throws AppError changed_meanwhile */
type AsShown<Row> = (row: Row) => void;

/**
 * Approves a psychologist, who is told by mail. Where an earlier check has lapsed it is renewed: nothing changes for the
 * psychologist, so no mail goes out.
 * @throws AppError nothing_updated when nobody under this id waits for a check, changed_meanwhile
 */
export async function approve(
  context: Context,
  admin: Viewer,
  id: string,
  asShown: AsShown<PsychologistRow>,
): Promise<VerificationRow> {
  const now = context.now();
  return context.db.transaction().execute(async (tx) => {
    const before = await lockPsychologistToDecide(tx, id);
    const refusal = whyCannotApprove(before, now);
    if (refusal) throw new AppError(refusal);
    asShown(before!);
    const row = await setVerification(tx, id, { verified_at: now, rejected_at: null });
    const again = before!.verified_at !== null;
    await insertAudit(tx, {
      actor_id: admin.id,
      action: again ? "licence_checked_again" : "psychologist_approved",
      target_id: id,
      created_at: now,
    });
    if (!again) await queueMail(context.boss, tx, { kind: "psychologist_approved", psychologist_id: id });
    return row!;
  });
}

/** Rejects a psychologist, who stays in the list and is told by mail, with the reason if there is one. @throws AppError nothing_updated, changed_meanwhile */
export async function reject(
  context: Context,
  admin: Viewer,
  id: string,
  reason: string | null,
  asShown: AsShown<PsychologistRow>,
): Promise<VerificationRow> {
  const now = context.now();
  return context.db.transaction().execute(async (tx) => {
    const before = await lockPsychologistToDecide(tx, id);
    if (!before) throw new AppError("nothing_updated");
    asShown(before);
    const row = await setVerification(tx, id, { verified_at: null, rejected_at: now });
    await insertAudit(tx, {
      actor_id: admin.id,
      action: "psychologist_rejected",
      target_id: id,
      details: { reason },
      created_at: now,
    });
    await queueMail(context.boss, tx, { kind: "psychologist_rejected", psychologist_id: id, reason });
    return row!;
  });
}

/**
 * The administrator deletes a consultation with its answers, replies and votes. Its author may ask again at once if it
 * counted in their current window. What is written down names the consultation and the administrator, never the author.
 * @returns whether the credit was given back
 * @throws AppError admin_only, consultation_not_found, gone, changed_meanwhile
 */
export async function removeConsultation(
  context: Context,
  admin: Viewer,
  id: string,
  asShown: AsShown<VisibleConsultationRow>,
): Promise<boolean> {
  const now = context.now();
  const refusal = whyCannotRemove(admin);
  if (refusal) throw new AppError(refusal);
  return context.db.transaction().execute(async (tx) => {
    const before = await lockWholeConsultation(tx, id);
    if (!before) throw new AppError((await isDeleted(tx, id)) ? "gone" : "consultation_not_found");
    asShown((await consultationToRemove(tx, id))!);
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

/** Lets a mail that was not delivered be tried now. @throws AppError not_found when no such mail waits, changed_meanwhile */
export async function retryMail(
  context: Context,
  admin: Viewer,
  id: string,
  asShown: AsShown<UndeliveredRow>,
): Promise<void> {
  await context.db.transaction().execute(async (tx) => {
    const mail = await lockUndeliveredMail(tx, id);
    if (!mail) throw new AppError("not_found");
    asShown(mail);
    await insertAudit(tx, { actor_id: admin.id, action: "mail_retried", target_id: id, created_at: context.now() });
    if (mail.gave_up) await context.boss.retry(MAIL_QUEUE, id, { db: fromKysely(tx) });
    else await hurryMail(tx, id);
  });
}
