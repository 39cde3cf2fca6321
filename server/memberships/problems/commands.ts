import { AppError } from "#shared/errors.ts";
import type { Provider, ReadingOutcome } from "#shared/plans.ts";
import { insertAudit } from "../../audit.ts";
import type { Context } from "../../context.ts";
import type { Db } from "../../database/handles.ts";
import type { WebhookTarget } from "../../integrations/payment-provider.ts";
import { loggableError, ProviderError } from "../../integrations/provider-error.ts";
import type { Viewer } from "../../sessions/viewer.ts";
import type { RefuseIfChanged } from "../../versions.ts";
import { unconfirmedCancellation } from "../cancellation/store.ts";
import { checkoutByExternalId } from "../checkout/store.ts";
import { reconcile } from "../settlement/reconcile.ts";
import { paymentsOfMembership } from "../settlement/store.ts";
import { membershipByExternalId } from "../store.ts";
import { lockProblem, markProblemHandled, markProblemResolved, type ProblemRow, unhandledProblem } from "./store.ts";
import { targetOfProblem } from "./target.ts";

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

/** What our database holds of a provider subscription, for telling whether a reading changed it. */
async function stateOf(db: Db, provider: string, externalId: string): Promise<string> {
  const membership = await membershipByExternalId(db, provider, externalId);
  const payments = membership ? await paymentsOfMembership(db, membership.id) : [];
  const checkout = await checkoutByExternalId(db, provider, externalId);
  const shown = membership && {
    ...membership,
    read_at: null,
    provider_as_of: null,
    cancel_tries: null,
    cancel_tried_at: null,
  };
  return JSON.stringify([shown, payments, checkout?.status, checkout?.payment_pending]);
}

/** Reads a provider subscription at once, and says what came of it. @throws AppError provider_unreachable */
async function readAtOnce(
  context: Context,
  provider: Provider,
  findTarget: () => Promise<WebhookTarget>,
): Promise<ReadingOutcome> {
  const { db, log } = context;
  try {
    const { subscription, hints } = await findTarget();
    const before = await stateOf(db, provider, subscription);
    const outcome = await reconcile(context, provider, subscription, hints);
    if (outcome === "unknown" || outcome === "waiting") return outcome;
    return (await stateOf(db, provider, subscription)) === before ? "unchanged" : "changed";
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    log.warn({ event: "payment_not_read", ...loggableError(error) });
    throw new AppError("provider_unreachable");
  }
}

/**
 * Reads at the provider what a problem concerns, and settles it as any reading does. A payment without an owner whose
 * owner is found by it is no problem any more.
 * @throws AppError nothing_updated, provider_unreachable
 */
export async function readProblemNow(context: Context, admin: Viewer, id: string): Promise<ReadingOutcome> {
  const problem = await unhandledProblem(context.db, id);
  if (!problem) throw new AppError("nothing_updated");
  const provider = problem.provider as Provider;
  const outcome = await readAtOnce(context, provider, () => targetOfProblem(context, problem));
  const isFound = problem.kind === "unmatched" && (outcome === "changed" || outcome === "unchanged");
  const now = context.now();
  await context.db.transaction().execute(async (tx) => {
    if (isFound) await markProblemResolved(tx, id, now);
    const details = { kind: problem.kind, provider, outcome };
    await insertAudit(tx, { actor_id: admin.id, action: "payment_read", target_id: id, details, created_at: now });
  });
  return isFound ? "changed" : outcome;
}

/**
 * Reads at the provider the membership of a cancellation that it has not confirmed; one that is over there is confirmed.
 * @throws AppError nothing_updated, provider_unreachable
 */
export async function readCancellationNow(context: Context, admin: Viewer, id: string): Promise<ReadingOutcome> {
  const { db } = context;
  const row = await unconfirmedCancellation(db, id);
  if (!row) throw new AppError("nothing_updated");
  const provider = row.provider as Provider;
  const target = { subscription: row.external_subscription_id, hints: {} };
  const outcome = await readAtOnce(context, provider, async () => target);
  const isConfirmed = !(await unconfirmedCancellation(db, id));
  const now = context.now();
  await db.transaction().execute(async (tx) => {
    const details = { provider, outcome, confirmed: isConfirmed };
    await insertAudit(tx, { actor_id: admin.id, action: "payment_read", target_id: id, details, created_at: now });
  });
  if (isConfirmed) return "changed";
  return outcome === "changed" ? "unchanged" : outcome;
}
