import { fromKysely } from "pg-boss";
import { AppError } from "#shared/errors.ts";
import { insertAudit } from "../../audit.ts";
import type { Context } from "../../context.ts";
import { MAIL_QUEUE } from "../../mail/queues.ts";
import type { Viewer } from "../../sessions/viewer.ts";
import type { AssertUnchanged } from "../../versions.ts";
import { lockUndeliveredMail, retryMailNow, type UndeliveredRow } from "./store.ts";

/**
 * Retries an undelivered mail now.
 * @throws AppError no_rows_updated if no mail with this id waits
 * @throws AppError version_conflict
 */
export async function retryMail(
  context: Context,
  admin: Viewer,
  id: string,
  assertUnchanged: AssertUnchanged<UndeliveredRow>,
): Promise<void> {
  await context.db.transaction().execute(async (tx) => {
    const mail = await lockUndeliveredMail(tx, id);
    if (!mail) throw new AppError("no_rows_updated");
    assertUnchanged(mail);
    await insertAudit(tx, { actor_id: admin.id, action: "mail_retried", target_id: id, created_at: context.now() });
    if (mail.gave_up) await context.boss.retry(MAIL_QUEUE, id, { db: fromKysely(tx) });
    else await retryMailNow(tx, id);
  });
}
