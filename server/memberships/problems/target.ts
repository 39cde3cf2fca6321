import type { Context } from "../../context.ts";
import type { Hint } from "../../integrations/payment-provider.ts";
import { findCheckout, targetOfEvent } from "../reading/events.ts";
import { latestEventForResource } from "../reading/store.ts";
import type { ProblemRow } from "./store.ts";

/** The checkout that a problem concerns, and the ids to read with it. */
export type Target = { checkout: string; hints: Hint[] };

/**
 * Returns the provider's id of the subscription that a problem concerns: the one it was found in, else the webhook
 * event's, else the problem's id taken as one.
 * @throws ProviderError
 */
export async function subscriptionOfProblem(context: Context, problem: ProblemRow): Promise<string> {
  const { provider, external_id, external_subscription_id } = problem;
  if (external_subscription_id) return external_subscription_id;
  const event = await latestEventForResource(context.db, provider, external_id);
  const found =
    event && (await targetOfEvent(context, provider, { subject: event.resource_type, subject_id: external_id }));
  return found && typeof found === "object" ? found.subscription : external_id;
}

/** Ids that a reading of a problem's subscription reads in addition. */
export const hintsOfProblem = ({ kind, external_id }: ProblemRow, subscription: string): Hint[] =>
  external_id === subscription ? [] : [{ type: kind === "reversal" ? "reversal" : "payment", id: external_id }];

/**
 * The checkout that a problem concerns.
 * @returns null if neither its provider nor we know one
 * @throws ProviderError
 */
export async function targetOfProblem(context: Context, problem: ProblemRow): Promise<Target | null> {
  const subscription = await subscriptionOfProblem(context, problem);
  const provider = context.paymentProviders.get(problem.provider);
  const checkout = provider && (await findCheckout(context, provider, subscription));
  return checkout && checkout !== "foreign" ? { checkout, hints: hintsOfProblem(problem, subscription) } : null;
}
