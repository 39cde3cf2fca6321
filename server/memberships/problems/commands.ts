import { AppError } from "#shared/errors.ts";
import type { RefreshOutcome } from "#shared/plans.ts";
import { insertAudit } from "../../audit.ts";
import type { Context } from "../../context.ts";
import type { Db } from "../../database/handles.ts";
import type { Hint } from "../../integrations/payment-provider.ts";
import { logProviderError } from "../../integrations/provider-error.ts";
import type { Viewer } from "../../sessions/viewer.ts";
import type { AssertUnchanged } from "../../versions.ts";
import { checkoutById } from "../checkouts/store.ts";
import { readCheckout } from "../reading/checkout.ts";
import { findCheckout, subscriptionOfProblem } from "../reading/events.ts";
import { paymentsOfMembership, unconfirmedCancellation } from "../store.ts";
import { hintsOfProblem } from "./rules.ts";
import { lockProblem, markProblemHandled, type ProblemRow, settleProblems, unhandledProblem } from "./store.ts";

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

/** Reads a checkout for the administrator. @throws ProviderError */
async function readAndCompare(context: Context, checkout: string, hints: Hint[]): Promise<RefreshOutcome> {
  const before = await stateOf(context.db, checkout);
  const outcome = await readCheckout(context, checkout, hints);
  if (outcome === "unknown" || outcome === "waiting") return outcome;
  return (await stateOf(context.db, checkout)) === before ? "unchanged" : "changed";
}

/** Returns the outcome of a reading, and records it in the audit log. @throws AppError provider_unreachable */
async function auditReading(
  context: Context,
  admin: Viewer,
  target_id: string,
  about: { provider: string; kind?: string },
  read: () => Promise<{ outcome: RefreshOutcome; confirmed?: boolean }>,
): Promise<RefreshOutcome> {
  const result = await read().catch((error) => {
    logProviderError(context.log, "payment_not_read", error);
    throw new AppError("provider_unreachable");
  });
  const details = { ...about, ...result };
  const row = { actor_id: admin.id, action: "payment_read", target_id, details, created_at: context.now() };
  await context.db.transaction().execute((tx) => insertAudit(tx, row));
  return result.outcome;
}

/**
 * Reads a problem's subscription at the provider, and settles it as any reading does. If the reading finds the owner of
 * a payment, the problem is resolved.
 * @throws AppError no_rows_updated, provider_unreachable
 */
export async function readProblemNow(context: Context, admin: Viewer, id: string): Promise<RefreshOutcome> {
  const problem = await unhandledProblem(context.db, id);
  if (!problem) throw new AppError("no_rows_updated");
  const { provider, kind, external_id } = problem;
  return auditReading(context, admin, id, { provider, kind }, async () => {
    const subscription = await subscriptionOfProblem(context, problem);
    const checkout = await findCheckout(context, provider, subscription);
    if (!checkout || checkout === "foreign") return { outcome: "unknown" };
    const outcome = await readAndCompare(context, checkout.id, hintsOfProblem(problem, subscription));
    if (kind !== "unmatched" || outcome === "unknown" || outcome === "waiting") return { outcome };
    await settleProblems(context.db, { provider, kind, external_id }, context.now());
    return { outcome: "changed" };
  });
}

/**
 * Reads at the provider the membership of a cancellation that it has not confirmed; one that is over there is confirmed.
 * @throws AppError no_rows_updated, provider_unreachable
 */
export async function readCancellationNow(context: Context, admin: Viewer, id: string): Promise<RefreshOutcome> {
  const row = await unconfirmedCancellation(context.db, id);
  if (!row) throw new AppError("no_rows_updated");
  return auditReading(context, admin, id, { provider: row.provider }, async () => {
    const outcome = await readAndCompare(context, row.id, []);
    const confirmed = !(await unconfirmedCancellation(context.db, id));
    return { outcome: confirmed ? "changed" : outcome === "changed" ? "unchanged" : outcome, confirmed };
  });
}
