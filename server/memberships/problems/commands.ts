import { AppError } from "#shared/errors.ts";
import type { RefreshOutcome } from "#shared/plans.ts";
import { insertAudit } from "../../audit.ts";
import type { Context } from "../../context.ts";
import { logProviderError } from "../../integrations/provider-error.ts";
import type { Viewer } from "../../sessions/viewer.ts";
import type { AssertUnchanged } from "../../versions.ts";
import { lockCheckout, updateCheckout } from "../checkouts/store.ts";
import { readCheckout } from "../reading/checkout.ts";
import { findCheckout, subscriptionOfProblem } from "../reading/events.ts";
import { hintsOfProblem } from "./rules.ts";
import { lockProblem, markProblemHandled, type ProblemRow, settleProblems, unhandledProblem } from "./store.ts";

/**
 * Marks a problem as handled by the administrator. An unconfirmed cancellation is then closed: it is not sent any more,
 * and `/planes` asks the psychologist to check it at the provider.
 * @param assertUnchanged compares the row, read again under its lock, with the version shown
 * @throws AppError no_rows_updated if it does not exist, or is handled or resolved
 * @throws AppError version_conflict
 */
export async function handlePaymentProblem(
  context: Context,
  admin: Viewer,
  id: string,
  assertUnchanged: AssertUnchanged<ProblemRow>,
): Promise<void> {
  const now = context.now();
  await context.db.transaction().execute(async (tx) => {
    const shown = await unhandledProblem(tx, id);
    // A reading locks a checkout before its problems, too.
    if (shown?.checkout_id) await lockCheckout(tx, shown.checkout_id);
    const problem = await lockProblem(tx, id);
    if (!problem) throw new AppError("no_rows_updated");
    assertUnchanged(problem);
    await markProblemHandled(tx, id, now);
    const { kind, provider, external_id, checkout_id } = problem;
    if (kind === "cancellation_unconfirmed") await updateCheckout(tx, checkout_id!, { end_closed_at: now });
    const row = { actor_id: admin.id, action: "payment_problem_handled", target_id: id };
    await insertAudit(tx, { ...row, details: { kind, provider, external_id }, created_at: now });
  });
}

/** Reads the provider subscription of a problem, and settles it as any reading does. @throws ProviderError */
async function readAndSettle(context: Context, problem: ProblemRow): Promise<RefreshOutcome> {
  const { id, provider, kind, external_id } = problem;
  const subscription = await subscriptionOfProblem(context, problem);
  const checkout = await findCheckout(context, provider, subscription);
  if (!checkout || checkout === "ignored") return "unknown";
  const outcome = await readCheckout(context, checkout.id, hintsOfProblem(problem, subscription));
  if (outcome === "unknown" || outcome === "waiting") return outcome;
  // Its owner is known now.
  if (kind === "unmatched") await settleProblems(context.db, { provider, kind, external_id }, context.now());
  return (await unhandledProblem(context.db, id)) ? "open" : "settled";
}

/**
 * Reads a problem's provider subscription at once, and records the outcome in the audit log.
 * @throws AppError no_rows_updated, provider_unreachable
 */
export async function readProblemNow(context: Context, admin: Viewer, id: string): Promise<RefreshOutcome> {
  const problem = await unhandledProblem(context.db, id);
  if (!problem) throw new AppError("no_rows_updated");
  const outcome = await readAndSettle(context, problem).catch((error) => {
    logProviderError(context.log, "payment_not_read", error);
    throw new AppError("provider_unreachable");
  });
  const details = { provider: problem.provider, kind: problem.kind, outcome };
  const row = { actor_id: admin.id, action: "payment_read", target_id: id, details, created_at: context.now() };
  await context.db.transaction().execute((tx) => insertAudit(tx, row));
  return outcome;
}
