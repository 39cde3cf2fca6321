import { AppError } from "#shared/errors.ts";
import type { RefreshOutcome } from "#shared/plans.ts";
import { insertAudit } from "../../audit.ts";
import type { Context } from "../../context.ts";
import type { Db } from "../../database/handles.ts";
import { logProviderError } from "../../integrations/provider-error.ts";
import type { Viewer } from "../../sessions/viewer.ts";
import type { AssertUnchanged } from "../../versions.ts";
import { checkoutById } from "../checkouts/store.ts";
import { readCheckout } from "../reading/checkout.ts";
import { paymentsOfMembership, unconfirmedCancellation } from "../store.ts";
import { lockProblem, markProblemHandled, type ProblemRow, settleProblems, unhandledProblem } from "./store.ts";
import { type Target, targetOfProblem } from "./target.ts";

/**
 * Marks a problem as handled by the administrator.
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
    const problem = await lockProblem(tx, id);
    if (!problem) throw new AppError("no_rows_updated");
    assertUnchanged(problem);
    await markProblemHandled(tx, id, now);
    const details = { kind: problem.kind, provider: problem.provider };
    const row = { actor_id: admin.id, action: "payment_problem_handled", target_id: id, details };
    await insertAudit(tx, { ...row, created_at: now });
  });
}

/** Serializes our rows of a checkout, to detect whether a reading changed them. */
async function stateOf(db: Db, id: string): Promise<string> {
  const row = await checkoutById(db, id);
  const state = row && { ...row, read_at: null, due_at: null, provider_updated_at: null };
  return JSON.stringify([state, await paymentsOfMembership(db, row?.subscription_id)]);
}

/** Reads a checkout at once and returns the outcome. @throws AppError provider_unreachable */
async function refreshSubscription(
  context: Context,
  findTarget: () => Promise<Target | null>,
): Promise<RefreshOutcome> {
  const { db, log } = context;
  try {
    const target = await findTarget();
    if (!target) return "unknown";
    const before = await stateOf(db, target.checkout);
    const outcome = await readCheckout(context, target.checkout, target.hints);
    if (outcome === "unknown" || outcome === "waiting") return outcome;
    return (await stateOf(db, target.checkout)) === before ? "unchanged" : "changed";
  } catch (error) {
    logProviderError(log, "payment_not_read", error);
    throw new AppError("provider_unreachable");
  }
}

/**
 * Reads a problem's subscription at the provider, and settles it as any reading does. If the reading finds the owner of
 * a payment, the problem is resolved.
 * @throws AppError no_rows_updated, provider_unreachable
 */
export async function readProblemNow(context: Context, admin: Viewer, id: string): Promise<RefreshOutcome> {
  const problem = await unhandledProblem(context.db, id);
  if (!problem) throw new AppError("no_rows_updated");
  const { provider } = problem;
  const outcome = await refreshSubscription(context, () => targetOfProblem(context, problem));
  const isFound = problem.kind === "unmatched" && (outcome === "changed" || outcome === "unchanged");
  const now = context.now();
  await context.db.transaction().execute(async (tx) => {
    if (isFound) await settleProblems(tx, { provider, kind: "unmatched", external_id: problem.external_id }, now);
    const details = { kind: problem.kind, provider, outcome };
    await insertAudit(tx, { actor_id: admin.id, action: "payment_read", target_id: id, details, created_at: now });
  });
  return isFound ? "changed" : outcome;
}

/**
 * Reads at the provider the membership of a cancellation that it has not confirmed; one that is over there is confirmed.
 * @throws AppError no_rows_updated, provider_unreachable
 */
export async function readCancellationNow(context: Context, admin: Viewer, id: string): Promise<RefreshOutcome> {
  const { db } = context;
  const row = await unconfirmedCancellation(db, id);
  if (!row) throw new AppError("no_rows_updated");
  const { provider } = row;
  const outcome = await refreshSubscription(context, async () => ({ checkout: row.id, hints: [] }));
  const isConfirmed = !(await unconfirmedCancellation(db, id));
  const now = context.now();
  await db.transaction().execute(async (tx) => {
    const details = { provider, outcome, confirmed: isConfirmed };
    await insertAudit(tx, { actor_id: admin.id, action: "payment_read", target_id: id, details, created_at: now });
  });
  if (isConfirmed) return "changed";
  return outcome === "changed" ? "unchanged" : outcome;
}
