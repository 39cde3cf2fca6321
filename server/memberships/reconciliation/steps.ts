import { insertAudit } from "../../audit.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../database/handles.ts";
import type { Snapshot } from "../../integrations/payment-provider.ts";
import { queueMail } from "../../mail/queues.ts";
import { CHECKOUT_LIFETIME, CHECKOUT_TRACKING, type CheckoutState } from "../checkouts/rules.ts";
import {
  type CheckoutRow,
  type MembershipRow,
  membershipOf,
  updateAndSchedule,
  wantEndOfUnpaid,
} from "../checkouts/store.ts";
import { isActive } from "../gold-end-rules.ts";
import { updateGold } from "../grants/store.ts";
import { reportedMismatches, settleProblems, writeProblems } from "../problems/store.ts";
import { type Decided, isOverAtProvider } from "../rules.ts";
import { endMembership } from "../steps.ts";
import * as store from "../store.ts";
import { hasPendingPayment, isChanged } from "./payment-rules.ts";
import { planReconciliation, type ReconciliationPlan } from "./rules.ts";

/**
 * A snapshot of a checkout. The checkout was read under the psychologist's lock, and its payments are current.
 * `now` is when the reading of the provider began.
 */
export type Reading = { checkout: CheckoutRow; payments: store.PaymentRow[]; snapshot: Snapshot; now: Date };

/** Reads the known state for a settlement. Lock the psychologist first. */
async function knownStateOf(tx: Tx, { checkout, payments, snapshot, now }: Reading) {
  const { id, psychologist_id } = checkout;
  // A psychologist has one active membership.
  const isCurrent = checkout.status === "active" || psychologist_id === null;
  return {
    offer: checkout,
    membership: membershipOf(checkout),
    payments,
    current: isCurrent ? null : await store.currentMembership(tx, psychologist_id),
    hadUnpaidProvisionalAccess:
      psychologist_id !== null &&
      snapshot.charges_later &&
      (await store.hadUnpaidProvisionalAccess(tx, psychologist_id, id, now)),
    reported: await reportedMismatches(tx, id),
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
  const { provider, plan_type, psychologist_id } = checkout;
  const known = await knownStateOf(tx, reading);
  const plan = planReconciliation(known, snapshot, now);
  if (!plan) return "superseded";
  const { membership } = plan;
  const read = { state: snapshot.state, read_at: now, failing_since: null };
  const term = membership && { ...membership, ...read, plan_type, provider };
  // Gold would not be in force, and a payment, perhaps the last one, cannot be read.
  if (snapshot.unreadable_payments && !(term && isActive(term, now))) return "unreadable";
  if (known.current && plan.replacesCurrent)
    await endMembership(context, tx, known.current, { ended_by: "replaced", actor_id: null, at: now });
  // First, because a checkout of a deleted account may be deleted with them.
  const added = await writeProblems(tx, checkout, plan.problems, now);
  for (const kind of added) context.log.warn({ event: "payment_problem", kind, provider });
  await writeCheckout(context, tx, plan, reading);
  if (membership) await writePayments(context, tx, membership, plan, reading);
  if (!known.membership && membership?.status === "active") await noteBeginning(context, tx, checkout, now);
  // Gold depends only on these fields.
  if (psychologist_id && isChanged(checkout, { ...membership, state: snapshot.state, failing_since: null }))
    await updateGold(tx, psychologist_id);
  return membership || snapshot.state !== "pending" ? "settled" : "waiting";
}

/** Counts a sale, and wants the end of the buyer's other checkouts whose payment pages never expire. */
async function noteBeginning(
  { paymentProviders }: Context,
  tx: Tx,
  { id, psychologist_id, plan_type, method }: CheckoutRow,
  now: Date,
): Promise<void> {
  await store.insertAnalyticsEvent(tx, { name: "subscription_success", plan_type, method, happened_at: now });
  for (const { name, neverExpires: plans } of paymentProviders.values())
    if (psychologist_id && plans.length) await wantEndOfUnpaid(tx, psychologist_id, id, { provider: name, plans }, now);
}

/** Records in the audit log that a provider has confirmed the end of a membership. */
export const auditConfirmedEnd = (tx: Tx, { id, provider, plan_type }: CheckoutRow, created_at: Date) =>
  insertAudit(tx, {
    actor_id: null,
    action: "cancellation_confirmed",
    target_id: id,
    details: { provider, plan_type },
    created_at,
  });

/** Writes what a reading shows of a checkout, with its membership, and when it is read next. */
async function writeCheckout(
  { paymentProviders }: Context,
  tx: Tx,
  { membership, end_wanted_at, end_confirmed_at }: ReconciliationPlan,
  { checkout, snapshot, now }: Reading,
): Promise<void> {
  const state: CheckoutState = !membership && hasPendingPayment(snapshot) ? "paying" : snapshot.state;
  const age = now.getTime() - checkout.created_at.getTime();
  const neverExpires = paymentProviders.get(checkout.provider)?.neverExpires.includes(checkout.plan_type);
  const isGivenUp = !membership && neverExpires && age >= CHECKOUT_TRACKING;
  const before = membershipOf(checkout);
  const row = {
    ...(membership !== before && membership),
    ...(membership && !before && { began_at: now }),
    state,
    provider_updated_at: snapshot.provider_updated_at ?? checkout.provider_updated_at,
    read_at: now,
    end_wanted_at: end_wanted_at ?? (isGivenUp ? now : null),
    end_confirmed_at,
    failing_since: null,
    failures: 0,
    ...((membership || age > CHECKOUT_LIFETIME) && { payer_email: null }),
  };
  if (before && end_confirmed_at && !checkout.end_confirmed_at) await auditConfirmedEnd(tx, checkout, now);
  await updateAndSchedule(tx, checkout, row, now);
}

/** Writes the payments of a membership, its mails, and its entry in the audit log. */
async function writePayments(
  { boss }: Context,
  tx: Tx,
  row: Decided,
  plan: ReconciliationPlan,
  { checkout, payments: known, snapshot, now }: Reading,
): Promise<void> {
  const { id: subscription_id, psychologist_id, provider, plan_type } = checkout;
  const { receipts, endsAsMismatch } = plan;
  const before = membershipOf(checkout);
  const payments = plan.payments.filter((one) =>
    isChanged(
      known.find(({ external_payment_id: id }) => id === one.external_payment_id),
      one,
    ),
  );
  for (const payment of payments) {
    const { id: payment_id } = await store.upsertPayment(tx, { subscription_id, provider }, payment, now);
    if (psychologist_id && receipts.includes(payment.external_payment_id))
      await queueMail(boss, tx, { kind: "membership_receipt", subscription_id, payment_id });
  }
  // They have an owner now, so they match.
  const external_id = payments.map((payment) => payment.external_payment_id);
  if (payments.length) await settleProblems(tx, { provider, kind: "unmatched", external_id }, now);
  if (endsAsMismatch) await queueMail(boss, tx, { kind: "payment_mismatch", subscription_id });
  if (before && wasCancelledThere(before, row, snapshot.state))
    await queueMail(boss, tx, { kind: "membership_cancelled", subscription_id });
  const action = changeOf(before, row);
  const details = { provider, plan_type, before: before && auditState(before), after: auditState(row) };
  if (action) await insertAudit(tx, { actor_id: null, action, target_id: subscription_id, details, created_at: now });
}

/** True if the provider shows for the first time that a month in force here, or overdue, was cancelled there. */
const wasCancelledThere = (before: MembershipRow, { ended_by }: Decided, state: string): boolean =>
  before.plan_type === "monthly" &&
  before.status === "active" &&
  !isOverAtProvider(before.state) &&
  isOverAtProvider(state) &&
  (ended_by === null || ended_by === "provider");

/** The name in the audit log of the change that a settlement made, or null. */
function changeOf(before: Decided | null, after: Decided): string | null {
  if (after.ended_by && before?.ended_by !== after.ended_by) return `membership_ended_${after.ended_by}`;
  if (after.status === "active" && before?.status !== "active") return "membership_began";
  const isSameDate = before?.next_billing_date?.getTime() === after.next_billing_date?.getTime();
  return before && !isSameDate ? "membership_date_changed" : null;
}

const auditState = ({ status, next_billing_date }: Decided) => ({
  status,
  date: next_billing_date?.toISOString() ?? null,
});
