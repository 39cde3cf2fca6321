import { AppError } from "#shared/errors.ts";
import { insertAudit } from "../../audit.ts";
import type { Context } from "../../context.ts";
import type { Viewer } from "../../sessions/viewer.ts";
import type { RefuseIfChanged } from "../../versions.ts";
import { lockProblem, markProblemHandled, type ProblemRow } from "./store.ts";

/**
 * Marks a problem as handled by the administrator.
 * @param refuseIfChanged compares the row, read again under its lock, with what was shown
 * @throws AppError nothing_updated when there is none or it is handled or resolved, changed_meanwhile
 */
export async function handlePaymentProblem(
  context: Context,
  admin: Viewer,
  id: string,
  refuseIfChanged: RefuseIfChanged<ProblemRow>,
): Promise<void> {
  const now = context.now();
  await context.db.transaction().execute(async (tx) => {
    const problem = await lockProblem(tx, id);
    if (!problem) throw new AppError("nothing_updated");
    refuseIfChanged(problem);
    await markProblemHandled(tx, id, now);
    const details = { kind: problem.kind, provider: problem.provider };
    const row = { actor_id: admin.id, action: "payment_problem_handled", target_id: id, details };
    await insertAudit(tx, { ...row, created_at: now });
  });
}
