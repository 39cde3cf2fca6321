import { AppError } from "#shared/errors.ts";
import type { PaymentMethod, Provider } from "#shared/plans.ts";
import { profileByEmail } from "../../accounts/store.ts";
import { insertAudit } from "../../audit.ts";
import type { Context } from "../../context.ts";
import type { Db, Tx } from "../../database/handles.ts";
import type { Snapshot } from "../../integrations/payment-provider.ts";
import { loggableError, ProviderError } from "../../integrations/provider-error.ts";
import type { Viewer } from "../../sessions/viewer.ts";
import type { RefuseIfChanged } from "../../versions.ts";
import { PRICES } from "../checkouts/price-rules.ts";
import {
  type CheckoutRow,
  checkoutByExternalId,
  confirmCheckoutOwner,
  insertCheckout,
  lockCheckout,
} from "../checkouts/store.ts";
import { applySnapshot } from "../settlement/steps.ts";
import { paymentsOfMembership } from "../settlement/store.ts";
import {
  currentMembership,
  hadUnpaidProvisionalAccess,
  lockMember,
  membershipOfCheckout,
  reopenMembership,
  verifiedOf,
} from "../store.ts";
import { canTie } from "./rules.ts";
import { lockProblem, markProblemHandled, type ProblemRow, unhandledProblem } from "./store.ts";
import { hintsOfProblem, subscriptionOfProblem } from "./target.ts";
import { type Tie, type TieGrounds, tieOf, whyCannotTie } from "./tie-rules.ts";

/** A provider subscription as its provider shows it now. `now` is when the reading began. */
type Reading = { provider: Provider; external_id: string; snapshot: Snapshot; now: Date };

/** A problem whose payment can be tied. @throws AppError nothing_updated */
async function tieableProblem(db: Db, id: string): Promise<ProblemRow> {
  const problem = await unhandledProblem(db, id);
  if (!problem || !canTie(problem)) throw new AppError("nothing_updated");
  return problem;
}

/** Reads what a problem concerns. @throws AppError provider_unreachable, payment_not_known */
async function readProblem(context: Context, problem: ProblemRow): Promise<Reading> {
  const { db, log, now } = context;
  const at = now();
  const provider = problem.provider as Provider;
  try {
    const external_id = await subscriptionOfProblem(context, problem);
    const checkout = await checkoutByExternalId(db, provider, external_id);
    const membership = checkout && (await membershipOfCheckout(db, checkout.id));
    const payments = membership ? await paymentsOfMembership(db, membership.id) : [];
    const hints = hintsOfProblem(problem, external_id);
    const request = { external_id, checkout, payments, read_at: null, hints, now: at };
    const snapshot = await context.paymentProviders.get(provider)?.read(request);
    if (!snapshot) throw new AppError("payment_not_known");
    return { provider, external_id, snapshot, now: at };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    log.warn({ event: "payment_not_read", ...loggableError(error) });
    throw new AppError("provider_unreachable");
  }
}

type Psychologist = TieGrounds["psychologist"];

/**
 * What follows when a payment is tied to a psychologist, by what our database holds.
 * @throws AppError invalid_input when it may not be this one's, payment_not_known, payment_gives_no_gold
 */
async function tieTo(
  db: Db | Tx,
  problem: ProblemRow,
  psychologist: Psychologist,
  { provider, external_id, snapshot, now }: Reading,
): Promise<Tie> {
  const checkout = await checkoutByExternalId(db, provider, external_id);
  const plan_type = checkout?.plan_type ?? snapshot.plan_type;
  if (!plan_type || provider === "test") throw new AppError("payment_not_known");
  const price = checkout ?? PRICES[provider as PaymentMethod][plan_type as keyof (typeof PRICES)[PaymentMethod]];
  const membership = checkout && (await membershipOfCheckout(db, checkout.id));
  const active = await currentMembership(db, psychologist.id);
  const except = checkout?.id ?? problem.id;
  const grounds: TieGrounds = {
    problem: { id: problem.id },
    psychologist,
    external_id,
    offer: {
      id: checkout?.id ?? "",
      psychologist_id: psychologist.id,
      provider,
      plan_type,
      amount: price.amount,
      currency: price.currency,
      created_at: checkout?.created_at ?? now,
      owner_confirmed_at: now,
      as_of: null,
      end_wanted_at: null,
    },
    membership,
    payments: membership ? await paymentsOfMembership(db, membership.id) : [],
    current: active && active.id !== membership?.id ? active : null,
    hadUnpaidProvisionalAccess: await hadUnpaidProvisionalAccess(db, psychologist.id, except, now),
    snapshot,
    now,
  };
  const problemWithOwner = whyCannotTie(grounds);
  if (problemWithOwner) throw new AppError("invalid_input", { fields: { email: problemWithOwner } });
  const tie = tieOf(grounds);
  if (!tie) throw new AppError("payment_gives_no_gold");
  return tie;
}

/** @throws AppError invalid_input where no psychologist has this address */
async function psychologistWith(db: Db | Tx, email: string): Promise<{ id: string; full_name: string; email: string }> {
  const profile = await profileByEmail(db, email);
  if (!profile || !(await verifiedOf(db, profile.id)))
    throw new AppError("invalid_input", { fields: { email: "Ningún psicólogo tiene una cuenta con este correo." } });
  return { id: profile.id, full_name: profile.full_name, email: profile.email };
}

/**
 * What would follow from tying the payment of a problem to the psychologist with an address. Reads the provider, and
 * changes nothing.
 * @throws AppError nothing_updated, provider_unreachable, payment_not_known, payment_gives_no_gold, invalid_input
 */
export async function offerTie(context: Context, id: string, email: string): Promise<Tie> {
  const { db } = context;
  const problem = await tieableProblem(db, id);
  const psychologist = await psychologistWith(db, email);
  const reading = await readProblem(context, problem);
  const member = await memberOf(db, psychologist.id);
  return tieTo(db, problem, { ...psychologist, ...member }, reading);
}

/**
 * Ties the payment of a problem to a psychologist: from now on the provider subscription is theirs, whatever reference the
 * provider keeps with it, and is settled like any other.
 * @param refuseIfChanged compares what follows, computed again from another reading of the provider, with what was shown
 * @throws AppError as `offerTie`, changed_meanwhile
 */
export async function tiePayment(
  context: Context,
  admin: Viewer,
  id: string,
  email: string,
  refuseIfChanged: RefuseIfChanged<Tie>,
): Promise<void> {
  const waiting = await tieableProblem(context.db, id);
  const psychologist = await psychologistWith(context.db, email);
  const reading = await readProblem(context, waiting);
  const { provider, external_id, snapshot, now } = reading;
  await context.db.transaction().execute(async (tx) => {
    const member = await lockOwners(tx, psychologist.id, provider, external_id);
    const problem = await lockProblem(tx, id);
    if (!problem) throw new AppError("nothing_updated");
    const tie = await tieTo(tx, problem, { ...psychologist, ...member }, reading);
    refuseIfChanged(tie);
    const checkout = await confirmedCheckout(tx, tie, reading);
    const settled = await applySnapshot(context, tx, { checkout, snapshot, now });
    if (settled === "unreadable") throw new AppError("provider_unreachable");
    if (settled === "superseded") throw new AppError("busy", { facts: { retry_after_seconds: 1 } });
    await markProblemHandled(tx, id, context.now());
    await insertAudit(tx, {
      actor_id: admin.id,
      action: "payment_tied",
      target_id: id,
      details: { provider, external_id, psychologist: psychologist.id, kind: problem.kind },
      created_at: now,
    });
  });
}

/** Whether a psychologist is verified. @throws AppError psychologist_not_found when the account was deleted meanwhile */
async function memberOf(db: Db | Tx, id: string): Promise<{ is_verified: boolean }> {
  const member = await verifiedOf(db, id);
  if (!member) throw new AppError("psychologist_not_found");
  return member;
}

/**
 * Locks the psychologist who becomes the owner, and the one who seemed to be it, in one order.
 * @throws AppError psychologist_not_found
 */
async function lockOwners(tx: Tx, id: string, provider: string, externalId: string): Promise<{ is_verified: boolean }> {
  const before = (await checkoutByExternalId(tx, provider, externalId))?.psychologist_id;
  for (const one of [...new Set([id, ...(before ? [before] : [])])].sort()) await lockMember(tx, one);
  return memberOf(tx, id);
}

/** The checkout of the provider subscription with its confirmed owner, locked; inserted where there is none. */
async function confirmedCheckout(tx: Tx, { offer, external_id }: Tie, reading: Reading): Promise<CheckoutRow> {
  const { provider, snapshot, now } = reading;
  const found = await checkoutByExternalId(tx, provider, external_id);
  const { id } =
    found ??
    (await insertCheckout(tx, {
      psychologist_id: offer.psychologist_id,
      provider,
      method: provider as PaymentMethod,
      external_id,
      plan_type: snapshot.plan_type!,
      provider_plan_id: snapshot.plan_id,
      amount: offer.amount,
      currency: offer.currency,
      created_at: now,
    }));
  await lockCheckout(tx, id);
  await confirmCheckoutOwner(tx, id, offer.psychologist_id!, now);
  await reopenMembership(tx, id, offer.psychologist_id!);
  return (await lockCheckout(tx, id))!;
}
