import type { Provider } from "#shared/plans.ts";
import type { Context } from "../../context.ts";
import type { WebhookTarget } from "../../integrations/payment-provider.ts";
import { membershipById } from "../store.ts";
import { targetOfEvent } from "../webhooks/receive.ts";
import { latestEventAbout } from "../webhooks/store.ts";
import type { ProblemRow } from "./store.ts";

/**
 * The provider subscription that a problem concerns, and what else to look at: the one it was found in, else that of the
 * webhook event, else its own id taken as one.
 * @throws ProviderError
 */
export async function targetOfProblem(context: Context, problem: ProblemRow): Promise<WebhookTarget> {
  const { db } = context;
  const { external_id, subscription_id, kind } = problem;
  const provider = problem.provider as Provider;
  const membership = subscription_id ? await membershipById(db, subscription_id) : undefined;
  const subscription = membership?.external_subscription_id ?? problem.external_subscription_id;
  if (subscription) {
    if (subscription === external_id) return { subscription, hints: {} };
    return { subscription, hints: kind === "reversal" ? { reversal: external_id } : { payment: external_id } };
  }
  const event = await latestEventAbout(db, provider, external_id);
  const found = event && (await targetOfEvent(context, event));
  return found && found !== "ignored" ? found : { subscription: external_id, hints: {} };
}
