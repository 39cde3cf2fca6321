import { AppError } from "#shared/errors.ts";
import type { RefreshOutcome } from "#shared/plans.ts";
import { insertAudit } from "../../audit.ts";
import type { Context } from "../../context.ts";
import { logProviderError } from "../../integrations/provider-error.ts";
import { requireAdmin } from "../../sessions/guards.ts";
import { api } from "../../sessions/operations.ts";
import { asShown, type Versioned, withVersion } from "../../versions.ts";
import { lockCheckout, updateCheckout } from "../checkouts/store.ts";
import { readCheckout } from "../reading/checkout.ts";
import { findCheckout, subscriptionOfProblem } from "../reading/events.ts";
import { assignPayment } from "./commands.ts";
import { canAssign, hintsOfProblem } from "./rules.ts";
import * as store from "./store.ts";

/** The contract strips the other columns. */
const present = ({ psychologist_id, full_name, email, ...problem }: store.ProblemRow) => {
  const { amount, currency, refunded_amount, paid_at } = problem;
  return {
    ...problem,
    // Null if unknown, or without an account.
    psychologist: psychologist_id && full_name && email ? { id: psychologist_id, full_name, email } : null,
    payment: amount && currency && paid_at ? { amount, currency, refunded_amount, paid_at } : null,
    can: { tie: canAssign(problem) },
  };
};

const PROBLEM: Versioned<store.ProblemRow, ReturnType<typeof present>> = {
  kind: "payment_problem",
  present,
  ignored: ["can"],
};

/** Reads the provider subscription of a problem, and settles it as any reading does. @throws ProviderError */
async function readAndSettle(context: Context, problem: store.ProblemRow): Promise<RefreshOutcome> {
  const { id, provider, kind, external_id } = problem;
  const subscription = await subscriptionOfProblem(context, problem);
  const checkout = await findCheckout(context, provider, subscription);
  if (!checkout || checkout === "ignored") return "unknown";
  const outcome = await readCheckout(context, checkout.id, hintsOfProblem(problem, subscription));
  if (outcome === "unknown" || outcome === "waiting") return outcome;
  // Its owner is known now.
  if (kind === "unmatched") await store.settleProblems(context.db, { provider, kind, external_id }, context.now());
  return (await store.unhandledProblem(context.db, id)) ? "open" : "settled";
}

const payments = api.payments.use(requireAdmin);

/** Operations of the administrator on problems of payments. */
export const paymentRoutes = payments.router({
  read: payments.read.handler(async ({ context: { config, db } }) => ({
    problems: (await store.unhandledProblems(db)).map((row) => withVersion(config.secret, PROBLEM, row)),
  })),

  // An unconfirmed cancellation is then closed: it is not sent any more, and `/planes` asks the psychologist to check it.
  handle: payments.handle.use(asShown(PROBLEM)).handler(({ context, input: { id } }) =>
    context.db.transaction().execute(async (tx) => {
      const created_at = context.now();
      const shown = await store.unhandledProblem(tx, id);
      // A reading locks a checkout before its problems, too.
      if (shown?.checkout_id) await lockCheckout(tx, shown.checkout_id);
      const problem = await store.lockProblem(tx, id);
      if (!problem) throw new AppError("no_rows_updated");
      context.assertUnchanged(problem);
      await store.markProblemHandled(tx, id, created_at);
      const { kind, provider, external_id, checkout_id } = problem;
      if (kind === "cancellation_unconfirmed") await updateCheckout(tx, checkout_id!, { end_closed_at: created_at });
      const row = { actor_id: context.viewer.id, action: "payment_problem_handled", target_id: id, created_at };
      await insertAudit(tx, { ...row, details: { kind, provider, external_id } });
    }),
  ),

  readNow: payments.readNow.handler(async ({ context, input: { id } }) => {
    const problem = await store.unhandledProblem(context.db, id);
    if (!problem) throw new AppError("no_rows_updated");
    const outcome = await readAndSettle(context, problem).catch((error) => {
      logProviderError(context.log, "payment_not_read", error);
      throw new AppError("provider_unreachable");
    });
    const details = { provider: problem.provider, kind: problem.kind, outcome };
    const row = { actor_id: context.viewer.id, action: "payment_read", target_id: id, details };
    await context.db.transaction().execute((tx) => insertAudit(tx, { ...row, created_at: context.now() }));
    return { outcome };
  }),

  tie: payments.tie.handler(async ({ context, input }) => ({
    psychologist_id: await assignPayment(context, context.viewer, input.id, input.email),
  })),
});
