import { setTimeout } from "node:timers/promises";
import type { PaymentMethod, PlanType, Provider } from "#shared/plans.ts";
import type { Context } from "../context.ts";
import type { Tx } from "../db.ts";
import { queueCancellation, queueMail } from "../jobs.ts";
import { insertAudit } from "../moderation/store.ts";
import { ExternalServiceError } from "../outside/external-service-error.ts";
import {
  type Checkout,
  goldUntil,
  hasPendingPayment,
  isId,
  mustCancelAtProvider,
  PRICES,
  type Problem,
  SELF_RESOLVING_PROBLEMS,
  type Snapshot,
  settle,
} from "./rules.ts";
import { readSnapshot, type SnapshotRequest } from "./snapshots.ts";
import {
  type CheckoutRow,
  checkoutByExternalId,
  checkoutById,
  currentSubscription,
  endSubscription,
  hadUnpaidProvisionalAccess,
  insertAnalyticsEvent,
  insertCheckout,
  insertSubscription,
  linkCheckout,
  lockPsychologist,
  markCheckoutRead,
  paymentsOfSubscription,
  reportProblem,
  resolveProblems,
  type SettledMembership,
  type SubscriptionRow,
  setGold,
  settleCheckout,
  subscriptionByExternalId,
  updateSubscription,
  upsertPayment,
} from "./store.ts";

/** Whose an agreement is; `psychologist_id` is null once they have left and the membership stays without them. */
type Owner = { psychologist_id: string | null; checkout: CheckoutRow | null };

/**
 * By our own rows, else by what the service was given when the agreement was made: the checkout or the psychologist.
 * Null: nobody's whom we know.
 */
async function findOwner(
  context: Context,
  provider: Provider,
  externalId: string,
  snapshot: Snapshot,
): Promise<Owner | null> {
  const { db } = context;
  const named = isId(snapshot.reference) ? snapshot.reference : null;
  const placed = await checkoutByExternalId(db, provider, externalId);
  const checkout = placed ?? (named ? await checkoutById(db, provider, named) : null);
  const membership = await subscriptionByExternalId(db, provider, externalId);
  if (membership) return { psychologist_id: membership.psychologist_id, checkout };
  const psychologist_id = checkout?.psychologist_id ?? named;
  return psychologist_id ? { psychologist_id, checkout } : null;
}

/**
 * What a reading came to: `settled`; `waiting`, nothing was agreed yet that we know of; `unknown`, the service or we
 * know nothing of it.
 */
export type Outcome = "settled" | "waiting" | "unknown";

/** A reading that another overtook may have seen what that one did not look for: it is done again, so often at most. */
const MAX_READINGS = 6;
/** Before a reading is done again it waits, up to so long and each time up to twice as long, so that a crowd thins out. */
const MAX_PAUSE_MS = 50;

/**
 * Reads the payment service and makes our membership follow what it says; nothing else begins one. Harmless to repeat:
 * the browser's return, a notification and the sweep may call it at the same time (specification, section 4.3).
 * @param hints what a notification hints at, where the agreement alone does not lead there
 * @throws ExternalServiceError
 */
export async function reconcile(
  context: Context,
  provider: Provider,
  externalId: string,
  hints: SnapshotRequest["hints"] = {},
): Promise<Outcome> {
  for (let readings = 0; readings < MAX_READINGS; readings++) {
    const outcome = await reconcileOnce(context, provider, externalId, hints);
    if (outcome !== "superseded") return outcome;
    // What nothing hints at, the reading that began later has seen too.
    if (!Object.keys(hints).length) return "settled";
    await setTimeout(Math.random() * MAX_PAUSE_MS * 2 ** readings);
  }
  throw new ExternalServiceError("unavailable", provider, "was read by others all the while");
}

async function reconcileOnce(
  context: Context,
  provider: Provider,
  externalId: string,
  hints: SnapshotRequest["hints"],
): Promise<Outcome | "superseded"> {
  const now = context.now();
  const { db } = context;
  const before = await subscriptionByExternalId(db, provider, externalId);
  const checkout = await checkoutByExternalId(db, provider, externalId);
  // Before any lock: a service may take seconds to answer.
  const snapshot = await readSnapshot(context, provider, {
    external_id: externalId,
    checkout,
    payments: before ? await paymentsOfSubscription(db, before.id) : [],
    hints,
  });
  if (!snapshot) return "unknown";
  const owner = await findOwner(context, provider, externalId, snapshot);
  if (!owner) return "unknown";
  // Who has not agreed yet may still have the checkout written down.
  if (!owner.checkout && !before && snapshot.state === "pending") return "waiting";
  return db.transaction().execute(async (tx) => {
    if (owner.psychologist_id && !(await lockPsychologist(tx, owner.psychologist_id))) return "unknown";
    return applySnapshot(context, tx, provider, externalId, owner, snapshot, now);
  });
}

/** The checkout that an agreement began with, written down now where a notification came first. Null: it sells nothing of ours. */
async function findOrInsertCheckout(
  tx: Tx,
  provider: Provider,
  externalId: string,
  { psychologist_id, checkout }: Owner,
  snapshot: Snapshot,
  now: Date,
): Promise<CheckoutRow | null> {
  const found = await checkoutByExternalId(tx, provider, externalId);
  if (found) return found;
  if (checkout) {
    const again = await checkoutById(tx, provider, checkout.id);
    const isOurs = again?.plan_type === snapshot.plan_type;
    const made = { external_id: externalId, ...(isOurs && { provider_plan_id: snapshot.plan_id }) };
    if (again && !again.external_id) await linkCheckout(tx, again.id, made);
    return again;
  }
  const { plan_type } = snapshot;
  if (!psychologist_id || !plan_type || provider === "test") return null;
  const { id } = await insertCheckout(tx, {
    psychologist_id,
    provider,
    method: provider,
    external_id: externalId,
    plan_type,
    provider_plan_id: snapshot.plan_id,
    ...PRICES[provider][plan_type],
    created_at: now,
  });
  return checkoutById(tx, provider, id);
}

/** What was offered to somebody who has left: checkouts go with the account, the membership and its payments stay. */
const checkoutOfSubscription = (
  { provider, plan_type, amount, currency }: SubscriptionRow,
  snapshot: Snapshot,
): Checkout => ({
  id: "",
  psychologist_id: snapshot.reference ?? "",
  provider,
  plan_type,
  amount,
  currency,
});

/** Makes our rows follow a reading. Call it with the psychologist locked. */
async function applySnapshot(
  context: Context,
  tx: Tx,
  provider: Provider,
  externalId: string,
  owner: Owner,
  snapshot: Snapshot,
  now: Date,
): Promise<Outcome | "superseded"> {
  const { psychologist_id } = owner;
  const problem = (one: Problem, subscription_id: string | null) => ({
    kind: one.kind,
    provider,
    external_id: one.payment ?? externalId,
    reason: one.reason,
    psychologist_id,
    subscription_id,
    created_at: now,
  });
  const checkoutRow = await findOrInsertCheckout(tx, provider, externalId, owner, snapshot, now);
  // Read again under the lock: whoever current it may have settled this very agreement.
  const membership = await subscriptionByExternalId(tx, provider, externalId);
  const checkout = checkoutRow ?? (membership && checkoutOfSubscription(membership, snapshot));
  if (!checkout) {
    await reportProblem(tx, problem({ kind: "mismatch", payment: null, reason: "plan" }, null));
    return "settled";
  }
  const active = psychologist_id ? await currentSubscription(tx, psychologist_id) : null;
  const current = active && active.id !== membership?.id ? active : null;
  const payments = membership ? await paymentsOfSubscription(tx, membership.id) : [];
  const vain = psychologist_id !== null && (await hadUnpaidProvisionalAccess(tx, psychologist_id, externalId, now));
  const next = settle({ checkout, membership, payments, current, hadUnpaidProvisionalAccess: vain }, snapshot, now);
  if (!next) return "superseded";
  if (checkoutRow)
    await markCheckoutRead(tx, checkoutRow.id, now, next.checkout === null && hasPendingPayment(snapshot));

  if (
    checkoutRow &&
    next.checkout &&
    checkoutRow.status !== next.checkout &&
    (checkoutRow.status === "open" || next.checkout !== "failed")
  )
    await settleCheckout(tx, checkoutRow.id, next.checkout, now);
  if (current && next.replacesCurrent) await replaceSubscription(context, tx, current, now);
  let id: string | null = null;
  if (next.membership) {
    const row: SettledMembership = { ...next.membership, read_at: now };
    if (membership) await updateSubscription(tx, membership.id, row);
    const terms = { plan_type: checkout.plan_type, amount: checkout.amount, currency: checkout.currency };
    const made = {
      psychologist_id: psychologist_id!,
      provider,
      external_subscription_id: externalId,
      ...terms,
      created_at: now,
    };
    id = membership?.id ?? (await insertSubscription(tx, { ...made, ...row })).id;
    const keys = new Map<string, string>();
    for (const payment of next.payments)
      keys.set(payment.external_payment_id, await upsertPayment(tx, id, provider, payment, now));
    for (const payment of next.receipts)
      await queueMail(context.boss, tx, {
        kind: "membership_receipt",
        subscription_id: id,
        payment_id: keys.get(payment)!,
      });
    if (row.cancel_requested_at && !membership?.cancel_requested_at) await queueCancellation(context.boss, tx, id);
    if (psychologist_id) await updateGold(tx, psychologist_id);
    const began = !membership && row.status === "active" && checkoutRow;
    if (began) await countNewSubscription(tx, began, now);
    await auditChange(tx, id, membership, row, checkout, now);
  }
  const problems = next.problems.map((one) => problem(one, id));
  for (const one of problems)
    if (await reportProblem(tx, one)) context.log.warn({ event: "payment_problem", kind: one.kind, provider });
  if (id) await resolveProblems(tx, id, SELF_RESOLVING_PROBLEMS, problems, now);
  return next.checkout || id ? "settled" : "waiting";
}

/** Writes until when Gold lasts, from the one membership that may give it. */
async function updateGold(tx: Tx, psychologistId: string): Promise<void> {
  const active = await currentSubscription(tx, psychologistId);
  await setGold(tx, psychologistId, {
    gold_until: active && goldUntil(active),
    subscription_id: active?.id ?? null,
  });
}

/** Another membership takes the place of this one; its service is cancelThere, or it might go on charging. */
async function replaceSubscription(context: Context, tx: Tx, current: SubscriptionRow, now: Date): Promise<void> {
  const cancelThere = mustCancelAtProvider(current);
  await endSubscription(tx, current.id, {
    ended_by: "replaced",
    cancelled_at: now,
    cancel_requested_at: cancelThere ? now : null,
  });
  if (cancelThere) await queueCancellation(context.boss, tx, current.id);
  await audit(tx, "membership_replaced", current.id, current, now);
}

const audit = (
  tx: Tx,
  action: string,
  id: string,
  { provider, plan_type }: { provider: string; plan_type: string },
  now: Date,
) => insertAudit(tx, { actor_id: null, action, target_id: id, details: { provider, plan_type }, created_at: now });

const countNewSubscription = (tx: Tx, { plan_type, method }: CheckoutRow, now: Date) =>
  insertAnalyticsEvent(tx, {
    name: "subscription_success",
    plan_type: plan_type as PlanType,
    method: method as PaymentMethod,
    happened_at: now,
  });

/** Writes down what changed, for whoever has to explain it later. */
async function auditChange(
  tx: Tx,
  id: string,
  before: SubscriptionRow | null,
  after: SettledMembership,
  { provider, plan_type }: Checkout,
  now: Date,
): Promise<void> {
  const date = (row: { next_billing_date: Date | null }) => row.next_billing_date?.getTime();
  const action =
    before?.ended_by !== after.ended_by && after.ended_by
      ? `membership_ended_${after.ended_by}`
      : after.status === "active" && before?.status !== "active"
        ? "membership_began"
        : before && date(before) !== date(after)
          ? "membership_date_changed"
          : null;
  if (action) await audit(tx, action, id, { provider, plan_type }, now);
}
