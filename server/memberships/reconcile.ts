import { setTimeout } from "node:timers/promises";
import type { PaymentMethod, PlanType, Provider } from "#shared/plans.ts";
import type { Context } from "../context.ts";
import type { Tx } from "../db.ts";
import { queueCancellation, queueMail } from "../jobs.ts";
import { insertAudit } from "../moderation/store.ts";
import { OutsideError } from "../outside/outside-error.ts";
import { readProvider, type Subject } from "./readers.ts";
import {
  type Attempt,
  goldUntil,
  isId,
  isPaying,
  mustBeTold,
  PASSING_PROBLEMS,
  PRICES,
  type Problem,
  type Snapshot,
  settle,
} from "./rules.ts";
import {
  type AttemptRow,
  attemptByExternalId,
  attemptById,
  endSubscription,
  heldSubscription,
  insertAttempt,
  insertEvent,
  insertSubscription,
  lockMember,
  markAttemptRead,
  openProblem,
  paymentsFor,
  placeAttempt,
  putPayment,
  type SettledMembership,
  type SubscriptionRow,
  setGold,
  settleAttempt,
  settleProblems,
  subscriptionByExternalId,
  trustedInVain,
  updateSubscription,
} from "./store.ts";

/** Whose an agreement is; `psychologist_id` is null once they have left and the membership stays without them. */
type Owner = { psychologist_id: string | null; attempt: AttemptRow | null };

/**
 * By our own rows, else by what the service was given when the agreement was made: the attempt or the psychologist.
 * Null: nobody's whom we know.
 */
async function ownerOf(
  context: Context,
  provider: Provider,
  externalId: string,
  says: Snapshot,
): Promise<Owner | null> {
  const { db } = context;
  const named = isId(says.belongs_to) ? says.belongs_to : null;
  const placed = await attemptByExternalId(db, provider, externalId);
  const attempt = placed ?? (named ? await attemptById(db, provider, named) : null);
  const membership = await subscriptionByExternalId(db, provider, externalId);
  if (membership) return { psychologist_id: membership.psychologist_id, attempt };
  const psychologist_id = attempt?.psychologist_id ?? named;
  return psychologist_id ? { psychologist_id, attempt } : null;
}

/**
 * What a reading came to: `settled`; `waiting`, nothing was agreed yet that we know of; `unknown`, the service or we
 * know nothing of it.
 */
export type Outcome = "settled" | "waiting" | "unknown";

/** A reading that another overtook may have seen what that one did not look for: it is done again, so often at most. */
const READINGS = 6;
/** Before a reading is done again it waits, up to so long and each time up to twice as long, so that a crowd thins out. */
const PAUSE_MS = 50;

/**
 * Reads the payment service and makes our membership follow what it says; nothing else begins one. Harmless to repeat:
 * the browser's return, a notification and the sweep may call it at the same time (specification, section 4.3).
 * @param pointed what a notification pointed at, where the agreement alone does not lead there
 * @throws OutsideError
 */
export async function reconcile(
  context: Context,
  provider: Provider,
  externalId: string,
  pointed: Subject["pointed"] = {},
): Promise<Outcome> {
  for (let readings = 0; readings < READINGS; readings++) {
    const outcome = await readAndFollow(context, provider, externalId, pointed);
    if (outcome !== "overtaken") return outcome;
    // What nothing pointed at, the reading that began later has seen too.
    if (!Object.keys(pointed).length) return "settled";
    await setTimeout(Math.random() * PAUSE_MS * 2 ** readings);
  }
  throw new OutsideError("unavailable", provider, "was read by others all the while");
}

async function readAndFollow(
  context: Context,
  provider: Provider,
  externalId: string,
  pointed: Subject["pointed"],
): Promise<Outcome | "overtaken"> {
  const now = context.now();
  const { db } = context;
  const before = await subscriptionByExternalId(db, provider, externalId);
  const attempt = await attemptByExternalId(db, provider, externalId);
  // Before any lock: a service may take seconds to answer.
  const says = await readProvider(context, provider, {
    external_id: externalId,
    attempt,
    payments: before ? await paymentsFor(db, before.id) : [],
    pointed,
  });
  if (!says) return "unknown";
  const owner = await ownerOf(context, provider, externalId, says);
  if (!owner) return "unknown";
  // Who has not agreed yet may still have the attempt written down.
  if (!owner.attempt && !before && says.state === "pending") return "waiting";
  return db.transaction().execute(async (tx) => {
    if (owner.psychologist_id && !(await lockMember(tx, owner.psychologist_id))) return "unknown";
    return follow(context, tx, provider, externalId, owner, says, now);
  });
}

/** The attempt that an agreement began with, written down now where a notification came first. Null: it sells nothing of ours. */
async function attemptFor(
  tx: Tx,
  provider: Provider,
  externalId: string,
  { psychologist_id, attempt }: Owner,
  says: Snapshot,
  now: Date,
): Promise<AttemptRow | null> {
  const found = await attemptByExternalId(tx, provider, externalId);
  if (found) return found;
  if (attempt) {
    const again = await attemptById(tx, provider, attempt.id);
    const isOurs = again?.plan_type === says.plan_type;
    const made = { external_id: externalId, ...(isOurs && { provider_plan_id: says.plan_id }) };
    if (again && !again.external_id) await placeAttempt(tx, again.id, made);
    return again;
  }
  const { plan_type } = says;
  if (!psychologist_id || !plan_type || provider === "test") return null;
  const { id } = await insertAttempt(tx, {
    psychologist_id,
    provider,
    method: provider,
    external_id: externalId,
    plan_type,
    provider_plan_id: says.plan_id,
    ...PRICES[provider][plan_type],
    created_at: now,
  });
  return attemptById(tx, provider, id);
}

/** What was offered to somebody who has left: attempts go with the account, the membership and its payments stay. */
const formerAttempt = ({ provider, plan_type, amount, currency }: SubscriptionRow, says: Snapshot): Attempt => ({
  id: "",
  psychologist_id: says.belongs_to ?? "",
  provider,
  plan_type,
  amount,
  currency,
});

/** Makes our rows follow a reading. Call it with the psychologist locked. */
async function follow(
  context: Context,
  tx: Tx,
  provider: Provider,
  externalId: string,
  owner: Owner,
  says: Snapshot,
  now: Date,
): Promise<Outcome | "overtaken"> {
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
  const begun = await attemptFor(tx, provider, externalId, owner, says, now);
  // Read again under the lock: whoever held it may have settled this very agreement.
  const membership = await subscriptionByExternalId(tx, provider, externalId);
  const attempt = begun ?? (membership && formerAttempt(membership, says));
  if (!attempt) {
    await openProblem(tx, problem({ kind: "mismatch", payment: null, reason: "plan" }, null));
    return "settled";
  }
  const active = psychologist_id ? await heldSubscription(tx, psychologist_id) : null;
  const held = active && active.id !== membership?.id ? active : null;
  const payments = membership ? await paymentsFor(tx, membership.id) : [];
  const vain = psychologist_id !== null && (await trustedInVain(tx, psychologist_id, externalId, now));
  const next = settle({ attempt, membership, payments, held, trustedInVain: vain }, says, now);
  if (!next) return "overtaken";
  if (begun) await markAttemptRead(tx, begun.id, now, next.attempt === null && isPaying(says));

  if (begun && next.attempt && begun.status !== next.attempt && (begun.status === "open" || next.attempt !== "failed"))
    await settleAttempt(tx, begun.id, next.attempt, now);
  if (held && next.replaces) await replace(context, tx, held, now);
  let id: string | null = null;
  if (next.membership) {
    const row: SettledMembership = { ...next.membership, read_at: now };
    if (membership) await updateSubscription(tx, membership.id, row);
    const terms = { plan_type: attempt.plan_type, amount: attempt.amount, currency: attempt.currency };
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
      keys.set(payment.external_payment_id, await putPayment(tx, id, provider, payment, now));
    for (const payment of next.receipts)
      await queueMail(context.boss, tx, {
        kind: "membership_receipt",
        subscription_id: id,
        payment_id: keys.get(payment)!,
      });
    if (row.cancel_wanted_at && !membership?.cancel_wanted_at) await queueCancellation(context.boss, tx, id);
    if (psychologist_id) await followGold(tx, psychologist_id);
    const began = !membership && row.status === "active" && begun;
    if (began) await insertSuccess(tx, began, now);
    await record(tx, id, membership, row, attempt, now);
  }
  const problems = next.problems.map((one) => problem(one, id));
  for (const one of problems)
    if (await openProblem(tx, one)) context.log.warn({ event: "payment_problem", kind: one.kind, provider });
  if (id) await settleProblems(tx, id, PASSING_PROBLEMS, problems, now);
  return next.attempt || id ? "settled" : "waiting";
}

/** Writes until when Gold lasts, from the one membership that may give it. */
async function followGold(tx: Tx, psychologistId: string): Promise<void> {
  const active = await heldSubscription(tx, psychologistId);
  await setGold(tx, psychologistId, {
    gold_until: active && goldUntil(active),
    subscription_id: active?.id ?? null,
  });
}

/** Another membership takes the place of this one; its service is told, or it might go on charging. */
async function replace(context: Context, tx: Tx, held: SubscriptionRow, now: Date): Promise<void> {
  const told = mustBeTold(held);
  await endSubscription(tx, held.id, { ended_by: "replaced", cancelled_at: now, cancel_wanted_at: told ? now : null });
  if (told) await queueCancellation(context.boss, tx, held.id);
  await audit(tx, "membership_replaced", held.id, held, now);
}

const audit = (
  tx: Tx,
  action: string,
  id: string,
  { provider, plan_type }: { provider: string; plan_type: string },
  now: Date,
) => insertAudit(tx, { actor_id: null, action, target_id: id, details: { provider, plan_type }, created_at: now });

const insertSuccess = (tx: Tx, { plan_type, method }: AttemptRow, now: Date) =>
  insertEvent(tx, {
    name: "subscription_success",
    plan_type: plan_type as PlanType,
    method: method as PaymentMethod,
    happened_at: now,
  });

/** Writes down what changed, for whoever has to explain it later. */
async function record(
  tx: Tx,
  id: string,
  before: SubscriptionRow | null,
  after: SettledMembership,
  { provider, plan_type }: Attempt,
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
