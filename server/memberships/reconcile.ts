import { setTimeout } from "node:timers/promises";
import type { PaymentMethod, PlanType, Provider } from "#shared/plans.ts";
import { insertAudit } from "../audit.ts";
import type { Context } from "../context.ts";
import type { Tx } from "../database/handles.ts";
import { ProviderError } from "../integrations/provider-error.ts";
import { queueCancellation, queueMail } from "../jobs.ts";
import {
  type Checkout,
  goldUntil,
  hasPendingPayment,
  isId,
  PRICES,
  type Problem,
  SELF_RESOLVING_PROBLEMS,
  type Snapshot,
  settle,
} from "./rules.ts";
import { readSnapshot, type SnapshotRequest } from "./snapshots.ts";
import { endMembership } from "./steps.ts";
import {
  type CheckoutRow,
  checkoutByExternalId,
  checkoutById,
  currentSubscription,
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

/**
 * The psychologist who owns a provider subscription and the checkout it began with. `psychologist_id` is null once the
 * account is deleted: the membership stays without it.
 */
type Owner = { psychologist_id: string | null; checkout: CheckoutRow | null };

/**
 * Finds the owner in our own rows, else by the reference that the provider keeps: the id of the checkout or the
 * psychologist.
 * @returns null when no psychologist of ours is known for it
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
 * The result of reading a provider subscription: `settled`; `waiting`, the buyer has not approved it yet; `unknown`,
 * the provider or we know no such subscription.
 */
export type Outcome = "settled" | "waiting" | "unknown";

/** How often a superseded reading is repeated: it may have seen what the later one did not ask for. */
const MAX_READINGS = 6;
/** The longest pause before the first repetition; it doubles each time, so that concurrent readings spread out. */
const MAX_PAUSE_MS = 50;

/**
 * Reads the provider and updates our membership to match; nothing else begins one. Idempotent: the browser's return, a
 * webhook event and the sweep may call it at the same time (specification, section 4.3).
 * @param hints what a webhook event names besides the provider subscription
 * @throws ProviderError
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
    // Without hints the later reading has seen the same.
    if (!Object.keys(hints).length) return "settled";
    await setTimeout(Math.random() * MAX_PAUSE_MS * 2 ** readings);
  }
  throw new ProviderError("unavailable", provider, "was read by others each time");
}

/** Reads the provider once. `superseded`: a reading that began later was settled first. */
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
  // Before taking any lock, since a provider may take seconds to answer.
  const snapshot = await readSnapshot(context, provider, {
    external_id: externalId,
    checkout,
    payments: before ? await paymentsOfSubscription(db, before.id) : [],
    hints,
  });
  if (!snapshot) return "unknown";
  const owner = await findOwner(context, provider, externalId, snapshot);
  if (!owner) return "unknown";
  // Until the buyer approves, the request that creates it may still be storing the checkout.
  if (!owner.checkout && !before && snapshot.state === "pending") return "waiting";
  return db.transaction().execute(async (tx) => {
    if (owner.psychologist_id && !(await lockPsychologist(tx, owner.psychologist_id))) return "unknown";
    return applySnapshot(context, tx, provider, externalId, owner, snapshot, now);
  });
}

/**
 * The checkout of a provider subscription, inserted where a webhook event came before the checkout was stored.
 * @returns null when it is for no plan of ours
 */
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

/**
 * The offer of a membership whose account is deleted: checkouts are deleted with it, memberships and payments are not.
 */
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

/** Settles a snapshot and writes the result. Call it with the psychologist locked. */
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
  // Read again under the lock: another reading may have settled it meanwhile.
  const membership = await subscriptionByExternalId(tx, provider, externalId);
  const checkout = checkoutRow ?? (membership && checkoutOfSubscription(membership, snapshot));
  if (!checkout) {
    await reportProblem(tx, problem({ kind: "mismatch", payment: null, reason: "plan" }, null));
    return "settled";
  }
  const active = psychologist_id ? await currentSubscription(tx, psychologist_id) : null;
  const current = active && active.id !== membership?.id ? active : null;
  const payments = membership ? await paymentsOfSubscription(tx, membership.id) : [];
  const unpaid = psychologist_id !== null && (await hadUnpaidProvisionalAccess(tx, psychologist_id, externalId, now));
  const settlement = settle(
    { checkout, membership, payments, current, hadUnpaidProvisionalAccess: unpaid },
    snapshot,
    now,
  );
  if (!settlement) return "superseded";
  if (checkoutRow)
    await markCheckoutRead(tx, checkoutRow.id, now, settlement.checkoutStatus === null && hasPendingPayment(snapshot));

  if (
    checkoutRow &&
    settlement.checkoutStatus &&
    checkoutRow.status !== settlement.checkoutStatus &&
    (checkoutRow.status === "open" || settlement.checkoutStatus !== "failed")
  )
    await settleCheckout(tx, checkoutRow.id, settlement.checkoutStatus, now);
  if (current && settlement.replacesCurrent)
    await endMembership(context, tx, current, { ended_by: "replaced", actor_id: null, at: now });
  let id: string | null = null;
  if (settlement.membership) {
    const row: SettledMembership = { ...settlement.membership, read_at: now };
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
    for (const payment of settlement.payments)
      keys.set(payment.external_payment_id, await upsertPayment(tx, id, provider, payment, now));
    for (const payment of settlement.receipts)
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
  const problems = settlement.problems.map((one) => problem(one, id));
  for (const one of problems)
    if (await reportProblem(tx, one)) context.log.warn({ event: "payment_problem", kind: one.kind, provider });
  if (id) await resolveProblems(tx, id, SELF_RESOLVING_PROBLEMS, problems, now);
  return settlement.checkoutStatus || id ? "settled" : "waiting";
}

/** Stores until when Gold lasts, from the current membership. */
async function updateGold(tx: Tx, psychologistId: string): Promise<void> {
  const active = await currentSubscription(tx, psychologistId);
  await setGold(tx, psychologistId, {
    gold_until: active && goldUntil(active),
    subscription_id: active?.id ?? null,
  });
}

/** Records a change that no person decided. */
const audit = (
  tx: Tx,
  action: string,
  id: string,
  { provider, plan_type }: { provider: string; plan_type: string },
  now: Date,
) => insertAudit(tx, { actor_id: null, action, target_id: id, details: { provider, plan_type }, created_at: now });

/** Counts a new membership for the funnel. */
const countNewSubscription = (tx: Tx, { plan_type, method }: CheckoutRow, now: Date) =>
  insertAnalyticsEvent(tx, {
    name: "subscription_success",
    plan_type: plan_type as PlanType,
    method: method as PaymentMethod,
    happened_at: now,
  });

/** Records in the audit log what a settlement changed. */
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
