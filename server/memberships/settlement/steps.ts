import type { PaymentMethod, PlanType, Provider } from "#shared/plans.ts";
import { insertAudit } from "../../audit.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../database/handles.ts";
import type { Snapshot } from "../../integrations/payment-provider.ts";
import { queueMail } from "../../mail/queues.ts";
import { rememberAbandonedCheckout } from "../checkout/abandoned-store.ts";
import { PRICES } from "../checkout/price-rules.ts";
import {
  type CheckoutRow,
  checkoutByExternalId,
  checkoutById,
  insertCheckout,
  linkCheckout,
  markCheckoutRead,
  settleCheckout,
} from "../checkout/store.ts";
import { insertAnalyticsEvent } from "../funnel/store.ts";
import { updateGold } from "../gold.ts";
import { reportProblem, resolveProblems } from "../problems/store.ts";
import { queueCancellation } from "../queues.ts";
import { isActive } from "../rules.ts";
import { endMembership } from "../steps.ts";
import {
  currentMembership,
  hadUnpaidProvisionalAccess,
  insertMembership,
  type MembershipRow,
  membershipByExternalId,
  type SettledMembership,
  updateMembership,
} from "../store.ts";
import { hasPendingPayment, type Offer } from "./payment-rules.ts";
import { type Problem, SELF_RESOLVING_PROBLEMS } from "./problem-rules.ts";
import { type Settlement, settle, wasCancelledThere } from "./rules.ts";
import { paymentsOfMembership, upsertPayment } from "./store.ts";

/**
 * The psychologist who owns a provider subscription and the checkout it began with. `psychologist_id` is null once the
 * account is deleted: the membership stays without it.
 */
export type Owner = { psychologist_id: string | null; checkout: CheckoutRow | null };

/** A snapshot with whose it is. `now` is when the reading of the provider began. */
export type Reading = { provider: Provider; externalId: string; owner: Owner; snapshot: Snapshot; now: Date };

/**
 * The checkout of a provider subscription, inserted where a webhook event came before the checkout was stored.
 * @returns null when it is for no plan of ours
 */
async function findOrInsertCheckout(
  tx: Tx,
  { provider, externalId, owner: { psychologist_id, checkout }, snapshot, now }: Reading,
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
const offerOfMembership = ({ provider, plan_type, amount, currency }: MembershipRow, snapshot: Snapshot): Offer => ({
  id: "",
  psychologist_id: snapshot.reference ?? "",
  provider,
  plan_type,
  amount,
  currency,
});

/**
 * Settles a snapshot and writes the result. Call it with the psychologist locked.
 * @returns "superseded" if a reading that began later was settled first, "unreadable" if nothing can be decided: roll back
 */
export async function applySnapshot(
  context: Context,
  tx: Tx,
  reading: Reading,
): Promise<"settled" | "waiting" | "superseded" | "unreadable"> {
  const { provider, externalId, owner, snapshot, now } = reading;
  const { psychologist_id } = owner;
  const checkout = await findOrInsertCheckout(tx, reading);
  // Read again under the lock: another reading may have settled it meanwhile.
  const membership = await membershipByExternalId(tx, provider, externalId);
  const offer = checkout ?? (membership && offerOfMembership(membership, snapshot));
  if (!offer) {
    await reportProblem(tx, problemRow(reading, { kind: "mismatch", payment: null, reason: "plan" }, null));
    // It is for no plan of ours, and is ended there like the checkouts of deleted accounts.
    await rememberAbandonedCheckout(tx, { provider, external_id: externalId, created_at: now });
    return "settled";
  }
  const active = psychologist_id ? await currentMembership(tx, psychologist_id) : null;
  const current = active && active.id !== membership?.id ? active : null;
  const payments = membership ? await paymentsOfMembership(tx, membership.id) : [];
  const unpaid = psychologist_id !== null && (await hadUnpaidProvisionalAccess(tx, psychologist_id, externalId, now));
  const known = { offer, membership, payments, current, hadUnpaidProvisionalAccess: unpaid };
  const settlement = settle(known, snapshot, now);
  if (!settlement) return "superseded";
  if (isUnreadable(offer, settlement, reading)) return "unreadable";
  if (checkout) await writeCheckout(tx, checkout, settlement, reading);
  if (current && settlement.replacesCurrent)
    await endMembership(context, tx, current, { ended_by: "replaced", actor_id: null, at: now });
  const id = settlement.membership && (await writeMembership(context, tx, offer, membership, settlement, reading));
  if (id && !membership && settlement.membership?.status === "active" && checkout)
    await countNewMembership(tx, checkout, now);
  await writeProblems(context, tx, id, settlement, reading);
  return settlement.checkoutStatus || id ? "settled" : "waiting";
}

/** True if Gold would not be in force and a payment, perhaps the last one, cannot be read. */
const isUnreadable = ({ plan_type }: Offer, { membership }: Settlement, { snapshot, now }: Reading): boolean =>
  snapshot.unreadable_payments > 0 && !(membership && isActive({ ...membership, plan_type }, now));

/** Writes that a checkout was read, and its new status. What was paid or does not match stays so when a reading fails. */
async function writeCheckout(
  tx: Tx,
  checkout: CheckoutRow,
  { checkoutStatus }: Settlement,
  { snapshot, now }: Reading,
): Promise<void> {
  await markCheckoutRead(tx, checkout.id, now, checkoutStatus === null && hasPendingPayment(snapshot));
  if (!checkoutStatus || checkout.status === checkoutStatus) return;
  if (checkout.status === "open" || checkoutStatus !== "failed")
    await settleCheckout(tx, checkout.id, checkoutStatus, now);
}

/**
 * Inserts or updates a membership with its payments, its Gold, its receipts and its entry in the audit log.
 * @returns the id of the membership
 */
async function writeMembership(
  { boss }: Context,
  tx: Tx,
  offer: Offer,
  before: MembershipRow | null,
  settlement: Settlement,
  { provider, externalId, owner: { psychologist_id }, now }: Reading,
): Promise<string> {
  const row: SettledMembership = { ...settlement.membership!, read_at: now, read_failures: 0, read_failed_at: null };
  if (before) await updateMembership(tx, before.id, row);
  const { plan_type, amount, currency } = offer;
  const made = {
    psychologist_id: psychologist_id!,
    provider,
    external_subscription_id: externalId,
    plan_type,
    amount,
    currency,
    created_at: now,
  };
  const id = before?.id ?? (await insertMembership(tx, { ...made, ...row })).id;
  const keys = new Map<string, string>();
  for (const payment of settlement.payments)
    keys.set(payment.external_payment_id, await upsertPayment(tx, id, provider, payment, now));
  for (const payment of settlement.receipts)
    await queueMail(boss, tx, { kind: "membership_receipt", subscription_id: id, payment_id: keys.get(payment)! });
  if (row.cancel_requested_at && !before?.cancel_requested_at) await queueCancellation(boss, tx, id);
  if (settlement.endsAsMismatch) await queueMail(boss, tx, { kind: "payment_mismatch", subscription_id: id });
  if (before && wasCancelledThere({ ...before, plan_type }, row))
    await queueMail(boss, tx, { kind: "membership_cancelled", subscription_id: id });
  if (psychologist_id) await updateGold(tx, psychologist_id);
  await auditChange(tx, id, before, row, offer, now);
  return id;
}

/** Reports the problems to the administrator, and resolves those that the snapshot does not show any more. */
async function writeProblems(
  { log }: Context,
  tx: Tx,
  id: string | null,
  { problems: found, membership }: Settlement,
  reading: Reading,
): Promise<void> {
  const { provider, now } = reading;
  const problems = found.map((one) => problemRow(reading, one, id));
  for (const one of problems)
    if (await reportProblem(tx, one)) log.warn({ event: "payment_problem", kind: one.kind, provider });
  if (!id) return;
  await resolveProblems(tx, id, SELF_RESOLVING_PROBLEMS, problems, now);
  if (membership?.cancel_confirmed_at) await resolveProblems(tx, id, ["not_cancelled"], [], now);
}

const problemRow = (
  { provider, externalId, owner: { psychologist_id }, now }: Reading,
  { kind, payment, reason }: Problem,
  subscription_id: string | null,
) => ({
  kind,
  provider,
  external_id: payment ?? externalId,
  external_subscription_id: externalId,
  reason,
  psychologist_id,
  subscription_id,
  created_at: now,
});

/** Counts a new membership for the funnel. */
const countNewMembership = (tx: Tx, { plan_type, method }: CheckoutRow, now: Date) =>
  insertAnalyticsEvent(tx, {
    name: "subscription_success",
    plan_type: plan_type as PlanType,
    method: method as PaymentMethod,
    happened_at: now,
  });

/** The name in the audit log of what a settlement changed, or null. */
function changeOf(before: MembershipRow | null, after: SettledMembership): string | null {
  const date = (row: { next_billing_date: Date | null }) => row.next_billing_date?.getTime();
  if (after.ended_by && before?.ended_by !== after.ended_by) return `membership_ended_${after.ended_by}`;
  if (after.status === "active" && before?.status !== "active") return "membership_began";
  return before && date(before) !== date(after) ? "membership_date_changed" : null;
}

/** Records in the audit log what a settlement changed: no person decided it. */
async function auditChange(
  tx: Tx,
  target_id: string,
  before: MembershipRow | null,
  after: SettledMembership,
  { provider, plan_type }: Offer,
  now: Date,
): Promise<void> {
  const action = changeOf(before, after);
  const details = { provider, plan_type };
  if (action) await insertAudit(tx, { actor_id: null, action, target_id, details, created_at: now });
}
