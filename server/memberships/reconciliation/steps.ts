import type { PaymentMethod, PlanType, Provider } from "#shared/plans.ts";
import { insertAudit } from "../../audit.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../database/handles.ts";
import type { Snapshot } from "../../integrations/payment-provider.ts";
import { queueMail } from "../../mail/queues.ts";
import { deleteCheckout, updateCheckout, wantEndOfUnpaid } from "../checkouts/due-store.ts";
import { CHECKOUT_LIFETIME, CHECKOUT_TRACKING, type CheckoutState, nextReading } from "../checkouts/rules.ts";
import type { CheckoutRow } from "../checkouts/store.ts";
import { insertAnalyticsEvent } from "../funnel/store.ts";
import { updateGold } from "../gold.ts";
import { mismatchesReported, settleProblems, writeProblems } from "../problems/store.ts";
import { isActive } from "../rules.ts";
import { auditConfirmedEnd, endMembership } from "../steps.ts";
import {
  currentMembership,
  hadUnpaidProvisionalAccess,
  insertMembership,
  type MembershipRow,
  membershipOfCheckout,
  updateMembership,
} from "../store.ts";
import { hasPendingPayment } from "./payment-rules.ts";
import { type KnownState, planReconciliation, type ReconciliationPlan, wasCancelledThere } from "./rules.ts";
import { paymentsOfMembership, upsertPayment } from "./store.ts";

/** A snapshot of a checkout, which was read under the psychologist's lock. `now` is when the reading of the provider began. */
export type Reading = { checkout: CheckoutRow; snapshot: Snapshot; now: Date };

/** Reads the known state for a settlement. Lock the psychologist first. */
async function knownStateOf(
  tx: Tx,
  checkout: CheckoutRow,
  now: Date,
): Promise<KnownState & { membership: MembershipRow | null; current: MembershipRow | null }> {
  const { id, psychologist_id } = checkout;
  const membership = await membershipOfCheckout(tx, id);
  const active = psychologist_id ? await currentMembership(tx, psychologist_id) : null;
  return {
    offer: checkout,
    membership,
    payments: membership ? await paymentsOfMembership(tx, membership.id) : [],
    current: active && active.id !== membership?.id ? active : null,
    hadUnpaidProvisionalAccess:
      psychologist_id !== null && (await hadUnpaidProvisionalAccess(tx, psychologist_id, id, now)),
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
  const known = await knownStateOf(tx, checkout, now);
  const settlement = planReconciliation(known, snapshot, now);
  if (!settlement) return "superseded";
  if (isUnreadable(checkout, settlement, reading)) return "unreadable";
  if (known.current && settlement.replacesCurrent)
    await endMembership(context, tx, known.current, { ended_by: "replaced", actor_id: null, at: now });
  const id = settlement.membership && (await writeMembership(context, tx, known.membership, settlement, reading));
  await writeCheckout(context, tx, known.membership, settlement, reading);
  const begins = !known.membership && settlement.membership?.status === "active";
  if (begins) await countNewMembership(tx, checkout, now);
  if (begins) await endUnpaid(context, tx, checkout, now);
  if (checkout.psychologist_id) await updateGold(tx, checkout.psychologist_id);
  const subject = { ...checkout, external_id: checkout.external_id!, subscription_id: id };
  const added = await writeProblems(tx, subject, settlement.problems, now);
  for (const kind of added) context.log.warn({ event: "payment_problem", kind, provider: checkout.provider });
  return id || snapshot.state !== "pending" ? "settled" : "waiting";
}

/** True if Gold would not be in force and a payment, perhaps the last one, cannot be read. */
const isUnreadable = (
  { plan_type, provider }: CheckoutRow,
  { membership }: ReconciliationPlan,
  { snapshot: { state, unreadable_payments }, now }: Reading,
): boolean =>
  unreadable_payments > 0 &&
  !(membership && isActive({ ...membership, plan_type, provider, state, failing_since: null }, now));

/** Writes what a reading shows of a checkout, and when it is read next. */
async function writeCheckout(
  { paymentProviders }: Context,
  tx: Tx,
  before: MembershipRow | null,
  { membership, end_wanted_at, end_confirmed_at }: ReconciliationPlan,
  { checkout, snapshot, now }: Reading,
): Promise<void> {
  const { id, provider, plan_type, created_at, psychologist_id } = checkout;
  const state: CheckoutState = !membership && hasPendingPayment(snapshot) ? "paying" : snapshot.state;
  const age = now.getTime() - created_at.getTime();
  const neverExpires = paymentProviders.get(provider)?.neverExpires.includes(plan_type as PlanType);
  const isGivenUp = !membership && neverExpires && age >= CHECKOUT_TRACKING;
  const row = {
    state,
    end_wanted_at: end_wanted_at ?? (isGivenUp ? now : null),
    end_confirmed_at,
    failing_since: null,
    // Counts on while the end is not confirmed.
    failures: end_wanted_at && !end_confirmed_at ? checkout.failures : 0,
  };
  if (before && end_confirmed_at && !checkout.end_confirmed_at)
    await auditConfirmedEnd(tx, before.id, provider, plan_type, now);
  const end_closed_at = before?.end_closed_at ?? null;
  const due_at = nextReading({ ...checkout, ...row }, membership && { ...membership, end_closed_at }, now);
  if (!membership && !psychologist_id && due_at === null) await deleteCheckout(tx, id);
  else
    await updateCheckout(tx, id, {
      ...row,
      provider_updated_at: snapshot.provider_updated_at ?? checkout.provider_updated_at,
      read_at: now,
      due_at,
      ...((membership || age > CHECKOUT_LIFETIME) && { payer_email: null }),
    });
}

/** Requests the end of the psychologist's unpaid checkouts at providers whose payment pages never expire. */
async function endUnpaid(
  { paymentProviders }: Context,
  tx: Tx,
  { id, psychologist_id }: CheckoutRow,
  now: Date,
): Promise<void> {
  for (const { name, neverExpires } of paymentProviders.values())
    if (psychologist_id && neverExpires.length)
      await wantEndOfUnpaid(tx, psychologist_id, id, { provider: name, plans: neverExpires }, now);
}

/**
 * Inserts or updates a membership with its payments, its receipts and its entry in the audit log.
 * @returns the id of the membership
 */
async function writeMembership(
  { boss }: Context,
  tx: Tx,
  before: MembershipRow | null,
  settlement: ReconciliationPlan,
  { checkout, snapshot, now }: Reading,
): Promise<string> {
  const row = settlement.membership!;
  const provider = checkout.provider as Provider;
  if (before) await updateMembership(tx, before.id, row);
  const { id: checkout_id, psychologist_id, plan_type, amount, currency } = checkout;
  const external_subscription_id = checkout.external_id!;
  const made = { checkout_id, psychologist_id, provider, external_subscription_id, plan_type, amount, currency };
  const id = before?.id ?? (await insertMembership(tx, { ...made, ...row, created_at: now })).id;
  const keys = new Map<string, string>();
  for (const payment of settlement.payments)
    keys.set(payment.external_payment_id, await upsertPayment(tx, id, provider, payment, now));
  // Their owner is now known: they are not unmatched payments any more.
  if (keys.size) await settleProblems(tx, { provider, kind: "unmatched", external_id: [...keys.keys()] }, now);
  if (psychologist_id)
    for (const payment of settlement.receipts)
      await queueMail(boss, tx, { kind: "membership_receipt", subscription_id: id, payment_id: keys.get(payment)! });
  if (settlement.endsAsMismatch) await queueMail(boss, tx, { kind: "payment_mismatch", subscription_id: id });
  if (before && wasCancelledThere(before, { ...row, state: snapshot.state }))
    await queueMail(boss, tx, { kind: "membership_cancelled", subscription_id: id });
  await auditChange(tx, id, before, row, checkout, now);
  return id;
}

/** Counts a new membership for the funnel. */
const countNewMembership = (tx: Tx, { plan_type, method }: CheckoutRow, now: Date) =>
  insertAnalyticsEvent(tx, {
    name: "subscription_success",
    plan_type: plan_type as PlanType,
    method: method as PaymentMethod,
    happened_at: now,
  });

type Decided = NonNullable<ReconciliationPlan["membership"]>;

/** The name in the audit log of the change that a settlement made, or null. */
function changeOf(before: MembershipRow | null, after: Decided): string | null {
  const date = (row: { next_billing_date: Date | null }) => row.next_billing_date?.getTime();
  if (after.ended_by && before?.ended_by !== after.ended_by) return `membership_ended_${after.ended_by}`;
  if (after.status === "active" && before?.status !== "active") return "membership_began";
  return before && date(before) !== date(after) ? "membership_date_changed" : null;
}

/** The state of a membership, for the audit log. */
const auditState = ({ status, next_billing_date }: Pick<Decided, "status" | "next_billing_date">) => ({
  status,
  date: next_billing_date?.toISOString() ?? null,
});

/** Records in the audit log what a settlement changed: no person decided it. */
async function auditChange(
  tx: Tx,
  target_id: string,
  before: MembershipRow | null,
  after: Decided,
  { provider, plan_type }: CheckoutRow,
  now: Date,
): Promise<void> {
  const action = changeOf(before, after);
  const details = { provider, plan_type, before: before && auditState(before), after: auditState(after) };
  if (action) await insertAudit(tx, { actor_id: null, action, target_id, details, created_at: now });
}
