import { AppError, refuse } from "#shared/errors.ts";
import type { PlanType } from "#shared/plans.ts";
import type { Context } from "../../../context.ts";
import type { Viewer } from "../../../sessions/viewer.ts";
import { isCheckoutOpen, whyCannotSubscribe } from "../../checkout/rules.ts";
import { ownCheckout } from "../../checkout/store.ts";
import { whyCannotSeePlans } from "../../rules.ts";
import { reconcile } from "../../settlement/reconcile.ts";
import { currentMembership, lockMember } from "../../store.ts";
import { approvedUnreadTestCheckout, decideTestCheckout } from "./store.ts";

/** How many approved payments are reconciled before a decision, one in each round. */
const MAX_ROUNDS = 10;

/**
 * Approves or rejects at the demo's payment page, and reconciles the result like that of any provider. Idempotent.
 * Before an approval, other checkouts of the psychologist that were approved and not reconciled yet are reconciled.
 * @throws AppError checkout_not_found, checkout_closed, already_subscribed, busy
 */
export async function decideTestPayment(
  context: Context,
  viewer: Viewer,
  id: string,
  decision: "approve" | "reject",
): Promise<void> {
  refuse(whyCannotSeePlans(viewer));
  for (let tries = 0; tries < MAX_ROUNDS; tries++) {
    const { externalId, decided } = await decideOrYield(context, viewer, id, decision);
    await reconcile(context, "test", externalId);
    if (decided) return;
  }
  throw new AppError("busy", { facts: { retry_after_seconds: 1 } });
}

/**
 * Stores the decision, unless another checkout has to be reconciled first.
 * @returns which checkout to reconcile now, and whether the decision was stored
 */
async function decideOrYield(
  context: Context,
  viewer: Viewer,
  id: string,
  decision: "approve" | "reject",
): Promise<{ externalId: string; decided: boolean }> {
  const now = context.now();
  return context.db.transaction().execute(async (tx) => {
    const psychologist = await lockMember(tx, viewer.id);
    const checkout = psychologist && (await ownCheckout(tx, viewer.id, id));
    if (checkout?.provider !== "test" || !checkout.external_id || !context.config.demo)
      throw new AppError("checkout_not_found");
    const externalId = checkout.external_id;
    if (checkout.status === "paid" && decision === "approve") return { externalId, decided: true };
    if (!isCheckoutOpen(checkout, now)) throw new AppError("checkout_closed");
    if (decision === "approve") {
      const before = await approvedUnreadTestCheckout(tx, viewer.id, id);
      if (before) return { externalId: before, decided: false };
      const plan = checkout.plan_type as PlanType;
      refuse(whyCannotSubscribe(psychologist!, await currentMembership(tx, viewer.id), plan, now));
    }
    await decideTestCheckout(tx, externalId, decision === "approve" ? "approved" : "rejected", now);
    return { externalId, decided: true };
  });
}
