import { AppError } from "#shared/errors.ts";
import type { Currency, PlanType, Provider } from "#shared/plans.ts";
import type { Context } from "../context.ts";
import { queueMail } from "../jobs.ts";
import { goldUntil, type Snapshot, settle } from "./rules.ts";
import {
  attemptByExternalId,
  endSubscription,
  heldSubscription,
  insertEvent,
  insertPayment,
  insertSubscription,
  lockMember,
  setGold,
  settleAttempt,
  subscriptionByExternalId,
  testCheckout,
} from "./store.ts";

type Reader = (context: Context, externalId: string) => Promise<Snapshot | null>;

/** How each payment service is asked for the truth about an external id. */
const READERS: Partial<Record<Provider, Reader>> = {
  async test({ db }, externalId) {
    const row = await testCheckout(db, externalId);
    if (!row) return null;
    const money = { amount: row.amount, currency: row.currency as Currency };
    const paid = row.status === "approved";
    return {
      state: paid ? "active" : row.status === "rejected" ? "failed" : "pending",
      plan_type: row.plan_type as PlanType,
      ...money,
      next_billing_date: null,
      payment: paid ? { external_payment_id: row.payment_id, ...money, status: "completed" } : null,
    };
  },
};

/**
 * Reads the payment service and makes our membership follow what it says; nothing else begins one. Harmless to repeat:
 * the browser's return, a notification and a sweep may call it at the same time.
 * @throws AppError checkout_not_found when the service or we know nothing of this id
 */
export async function reconcile(context: Context, provider: Provider, externalId: string): Promise<void> {
  const now = context.now();
  // Before any lock: a service may take seconds to answer.
  const snapshot = await READERS[provider]?.(context, externalId);
  if (!snapshot) throw new AppError("checkout_not_found");
  await context.db.transaction().execute(async (tx) => {
    const owner = await attemptByExternalId(tx, provider, externalId);
    if (!owner || !(await lockMember(tx, owner.psychologist_id))) throw new AppError("checkout_not_found");
    // Read again under the lock: whoever held it may have settled this very payment.
    const attempt = (await attemptByExternalId(tx, provider, externalId))!;
    const { psychologist_id } = attempt;
    const plan_type = attempt.plan_type as PlanType;
    const currency = attempt.currency as Currency;
    const known = await subscriptionByExternalId(tx, provider, externalId);
    const held = await heldSubscription(tx, psychologist_id);
    const next = settle(
      { status: attempt.status, plan_type, amount: attempt.amount, currency },
      snapshot,
      known,
      held,
      now,
    );
    if (next.kind === "nothing") return;
    if (next.kind === "failed") return void (await settleAttempt(tx, attempt.id, "failed", now));
    if (next.kind === "mismatch") {
      context.log.error({ event: "payment_mismatch", provider, attempt: attempt.id });
      return void (await settleAttempt(tx, attempt.id, "failed", now));
    }
    const granted = next.kind === "grant";
    if (!granted) context.log.warn({ event: "paid_twice", provider, attempt: attempt.id });
    if (granted && held) await endSubscription(tx, held.id, now);
    const subscription = {
      psychologist_id,
      provider,
      external_subscription_id: externalId,
      plan_type,
      amount: snapshot.amount,
      currency,
      status: granted ? ("active" as const) : ("cancelled" as const),
      next_billing_date: granted ? next.next_billing_date : null,
      cancelled_at: granted ? null : now,
      created_at: now,
    };
    const { id } = await insertSubscription(tx, subscription);
    if (snapshot.payment)
      await insertPayment(tx, { subscription_id: id, provider, ...snapshot.payment, created_at: now });
    await settleAttempt(tx, attempt.id, "paid", now);
    if (!granted) return;
    await setGold(tx, psychologist_id, { gold_until: goldUntil(subscription), subscription_id: id });
    const method = attempt.method as "paypal" | "mercadopago";
    await insertEvent(tx, { name: "subscription_success", plan_type, method, happened_at: now });
    await queueMail(context.boss, tx, { kind: "membership_receipt", subscription_id: id });
  });
}
