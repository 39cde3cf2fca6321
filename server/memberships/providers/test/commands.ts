import { AppError, assertAllowed } from "#shared/errors.ts";
import type { Context } from "../../../context.ts";
import { EMPTY_SNAPSHOT, type Snapshot } from "../../../integrations/payment-provider.ts";
import type { Viewer } from "../../../sessions/viewer.ts";
import { statusOf, whyCannotSubscribe } from "../../checkouts/rules.ts";
import { type CheckoutRow, lockCheckout, ownCheckout } from "../../checkouts/store.ts";
import { applySnapshot } from "../../reconciliation/steps.ts";
import { currentMembership, lockMember } from "../../store.ts";

/** The snapshot that a provider would show after a decision. */
function snapshotOf(checkout: CheckoutRow, decision: "approve" | "reject", now: Date): Snapshot {
  const { id, external_id, plan_type, amount, currency } = checkout;
  const shown = { ...EMPTY_SNAPSHOT, reference: id, plan_type };
  if (decision === "reject") return { ...shown, state: "failed" };
  const external_payment_id = external_id!.replace("TEST_", "TEST_P");
  const paid = { status: "completed", refunded_amount: 0, paid_at: now, provider_updated_at: null } as const;
  return { ...shown, state: "active", payments: [{ external_payment_id, amount, currency, ...paid }] };
}

/**
 * Approves or rejects at the demo's payment page, and settles that in the same transaction. Idempotent: the first decision
 * is final.
 * @throws AppError checkout_not_found, checkout_closed, already_subscribed
 */
export async function decideTestPayment(
  context: Context,
  viewer: Viewer,
  id: string,
  decision: "approve" | "reject",
): Promise<void> {
  const now = context.now();
  await context.db.transaction().execute(async (tx) => {
    const psychologist = await lockMember(tx, viewer.id);
    const own = psychologist && (await ownCheckout(tx, viewer.id, id));
    const checkout = own && (await lockCheckout(tx, id));
    if (checkout?.provider !== "test" || !checkout.external_id || !context.config.demo)
      throw new AppError("checkout_not_found");
    const status = statusOf(checkout, now);
    if (status === "paid" && decision === "approve") return;
    if (status !== "open") throw new AppError("checkout_closed");
    const plan = checkout.plan_type;
    if (decision === "approve")
      assertAllowed(whyCannotSubscribe(psychologist!, await currentMembership(tx, viewer.id), plan, now));
    await applySnapshot(context, tx, { checkout, payments: [], snapshot: snapshotOf(checkout, decision, now), now });
  });
}
