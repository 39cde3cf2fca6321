import { insertAudit } from "../../audit.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../database/handles.ts";
import type { Snapshot } from "../../integrations/payment-provider.ts";
import { queueMail } from "../../mail/queues.ts";
import { CHECKOUT_LIFETIME, CHECKOUT_TRACKING, type CheckoutState } from "../checkouts/rules.ts";
import { type CheckoutRow, updateAndSchedule, wantEndOfUnpaid } from "../checkouts/store.ts";
import { updateGold } from "../grants/store.ts";
import { mismatchesReported, settleProblems, writeProblems } from "../problems/store.ts";
import { type Decided, isActive, isOverAtProvider } from "../rules.ts";
import { endMembership } from "../steps.ts";
import * as store from "../store.ts";
import { hasPendingPayment, isChanged } from "./payment-rules.ts";
import { planReconciliation, type ReconciliationPlan } from "./rules.ts";

/** A snapshot of a checkout, which was read under the psychologist's lock. `now` is when the reading of the provider began. */
export type Reading = { checkout: CheckoutRow; snapshot: Snapshot; now: Date };
type Before = store.MembershipRow | null;

/** Reads the known state for a settlement. Lock the psychologist first. */
async function knownStateOf(tx: Tx, { checkout, snapshot, now }: Reading) {
  const { id, psychologist_id } = checkout;
  const membership = await store.membershipOfCheckout(tx, id);
  const active = psychologist_id ? await store.currentMembership(tx, psychologist_id) : null;
  return {
    offer: checkout,
    membership,
    payments: await store.paymentsOfMembership(tx, membership),
    current: active && active.id !== membership?.id ? active : null,
    hadUnpaidProvisionalAccess:
      psychologist_id !== null &&
      snapshot.charges_later &&
      (await store.hadUnpaidProvisionalAccess(tx, psychologist_id, id, now)),
    reported: membership ? await mismatchesReported(tx, membership.id) : [],
  };
}

/**
 * Settles a snapshot and writes the result. Call it with the psychologist and the checkout locked.
 * @returns "superseded" if a snapshot that is newer by the provider's clock was settled first, "unreadable" if nothing can
 * be decided: roll back
 */
export async function applySnapshot(
  context: Context,
  tx: Tx,
  reading: Reading,
): Promise<"settled" | "waiting" | "superseded" | "unreadable"> {
  const { checkout, snapshot, now } = reading;
  const { provider, plan_type, method, psychologist_id } = checkout;
  const known = await knownStateOf(tx, reading);
  const plan = planReconciliation(known, snapshot, now);
  if (!plan) return "superseded";
  const { membership } = plan;
  const term = membership && { ...membership, plan_type, provider, state: snapshot.state, failing_since: null };
  // Gold would not be in force, and a payment, perhaps the last one, cannot be read.
  if (snapshot.unreadable_payments && !(term && isActive(term, now))) return "unreadable";
  if (known.current && plan.replacesCurrent)
    await endMembership(context, tx, known.current, { ended_by: "replaced", actor_id: null, at: now });
  const changed = { ...plan, payments: plan.payments.filter((payment) => isChanged(known.payments, payment)) };
  const id = membership && (await writeMembership(context, tx, known.membership, membership, changed, reading));
  await writeCheckout(context, tx, known.membership, plan, reading);
  if (!known.membership && membership?.status === "active") {
    await store.insertAnalyticsEvent(tx, { name: "subscription_success", plan_type, method, happened_at: now });
    // The other checkouts whose payment pages never expire.
    for (const { name, neverExpires: plans } of context.paymentProviders.values())
      if (psychologist_id && plans.length)
        await wantEndOfUnpaid(tx, psychologist_id, checkout.id, { provider: name, plans }, now);
  }
  if (psychologist_id) await updateGold(tx, psychologist_id);
  const added = await writeProblems(tx, checkout, id, plan.problems, now);
  for (const kind of added) context.log.warn({ event: "payment_problem", kind, provider });
  return id || snapshot.state !== "pending" ? "settled" : "waiting";
}

/** Records in the audit log that a provider has confirmed the end of a membership. */
export const auditConfirmedEnd = (tx: Tx, target_id: string, { provider, plan_type }: CheckoutRow, created_at: Date) =>
  insertAudit(tx, {
    actor_id: null,
    action: "cancellation_confirmed",
    target_id,
    details: { provider, plan_type },
    created_at,
  });

/** Writes what a reading shows of a checkout, and when it is read next. */
async function writeCheckout(
  { paymentProviders }: Context,
  tx: Tx,
  before: Before,
  { membership, end_wanted_at, end_confirmed_at }: ReconciliationPlan,
  { checkout, snapshot, now }: Reading,
): Promise<void> {
  const state: CheckoutState = !membership && hasPendingPayment(snapshot) ? "paying" : snapshot.state;
  const age = now.getTime() - checkout.created_at.getTime();
  const neverExpires = paymentProviders.get(checkout.provider)?.neverExpires.includes(checkout.plan_type);
  const isGivenUp = !membership && neverExpires && age >= CHECKOUT_TRACKING;
  const row = {
    state,
    provider_updated_at: snapshot.provider_updated_at ?? checkout.provider_updated_at,
    read_at: now,
    end_wanted_at: end_wanted_at ?? (isGivenUp ? now : null),
    end_confirmed_at,
    failing_since: null,
    // Counts on while the end is not confirmed.
    failures: end_wanted_at && !end_confirmed_at ? checkout.failures : 0,
    ...((membership || age > CHECKOUT_LIFETIME) && { payer_email: null }),
  };
  if (before && end_confirmed_at && !checkout.end_confirmed_at) await auditConfirmedEnd(tx, before.id, checkout, now);
  const end_closed_at = before?.end_closed_at ?? null;
  await updateAndSchedule(tx, checkout, membership && { ...membership, end_closed_at }, row, now);
}

/**
 * Inserts or updates a membership with its payments, its receipts and its entry in the audit log.
 * @returns the id of the membership
 */
async function writeMembership(
  { boss }: Context,
  tx: Tx,
  before: Before,
  row: Decided,
  { payments, receipts, endsAsMismatch }: ReconciliationPlan,
  { checkout, snapshot, now }: Reading,
): Promise<string> {
  const { id: checkout_id, psychologist_id, provider, plan_type, amount, currency } = checkout;
  if (before && row !== before) await store.updateMembership(tx, before.id, row);
  const offer = { checkout_id, psychologist_id, provider, plan_type, amount, currency };
  const made = { ...offer, external_subscription_id: checkout.external_id!, ...row, created_at: now };
  const subscription_id = before?.id ?? (await store.insertMembership(tx, made)).id;
  for (const payment of payments) {
    const { id: payment_id } = await store.upsertPayment(tx, { subscription_id, provider }, payment, now);
    if (psychologist_id && receipts.includes(payment.external_payment_id))
      await queueMail(boss, tx, { kind: "membership_receipt", subscription_id, payment_id });
  }
  // Their owner is now known: they are not unmatched payments any more.
  const external_id = payments.map((payment) => payment.external_payment_id);
  if (payments.length) await settleProblems(tx, { provider, kind: "unmatched", external_id }, now);
  if (endsAsMismatch) await queueMail(boss, tx, { kind: "payment_mismatch", subscription_id });
  if (before && wasCancelledThere(before, row, snapshot.state))
    await queueMail(boss, tx, { kind: "membership_cancelled", subscription_id });
  const action = changeOf(before, row);
  const details = { provider, plan_type, before: before && auditState(before), after: auditState(row) };
  if (action) await insertAudit(tx, { actor_id: null, action, target_id: subscription_id, details, created_at: now });
  return subscription_id;
}

/** True if the provider shows for the first time that a month in force here, or overdue, was cancelled there. */
const wasCancelledThere = (before: store.MembershipRow, { ended_by }: Decided, state: string): boolean =>
  before.plan_type === "monthly" &&
  before.status === "active" &&
  !isOverAtProvider(before.state) &&
  isOverAtProvider(state) &&
  (ended_by === null || ended_by === "provider");

/** The name in the audit log of the change that a settlement made, or null. */
function changeOf(before: Before, after: Decided): string | null {
  if (after.ended_by && before?.ended_by !== after.ended_by) return `membership_ended_${after.ended_by}`;
  if (after.status === "active" && before?.status !== "active") return "membership_began";
  const isSameDate = before?.next_billing_date?.getTime() === after.next_billing_date?.getTime();
  return before && !isSameDate ? "membership_date_changed" : null;
}

const auditState = ({ status, next_billing_date }: Decided) => ({
  status,
  date: next_billing_date?.toISOString() ?? null,
});
