import { AppError } from "#shared/errors.ts";
import type { Viewer } from "../accounts/rules.ts";
import type { Context } from "../context.ts";
import { queueMail } from "../jobs.ts";
import { insertAudit, unverify, verify } from "./store.ts";

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
