import { AppError } from "#shared/errors.ts";
import type { PaymentMethod, PlanType, Provider } from "#shared/plans.ts";
import { profileByEmail } from "../../accounts/store.ts";
import { insertAudit } from "../../audit.ts";
import type { Context } from "../../context.ts";
import { tryWrite } from "../../database/faults.ts";
import type { Tx } from "../../database/handles.ts";
import { isUnknown, type Snapshot } from "../../integrations/payment-provider.ts";
import { logProviderError } from "../../integrations/provider-error.ts";
import type { Viewer } from "../../sessions/viewer.ts";
import { whyCannotSubscribe } from "../checkouts/rules.ts";
import {
  checkoutByExternalId,
  insertCheckout,
  lockCheckout,
  makeDue,
  membershipOf,
  updateCheckout,
} from "../checkouts/store.ts";
import { isActive, type Term } from "../gold-end-rules.ts";
import { PRICES } from "../prices.ts";
import { subscriptionOfProblem } from "../reading/events.ts";
import { applySnapshot } from "../reconciliation/steps.ts";
import { currentMembership, lockMember, paymentsOfMembership } from "../store.ts";
import { canAssign, hintsOfProblem } from "./rules.ts";
import { lockProblem, markProblemHandled, unhandledProblem } from "./store.ts";

/** A possible owner of a payment. */
type Candidate = Awaited<ReturnType<typeof lockCandidate>>;

/**
 * Explains why a payment may not be assigned to a psychologist.
 * @param membership the membership that the payment created; one that only exists to end a mismatch has no owner
 * @param current the psychologist's other membership whose status is active
 * @returns the error text for the email field, or null
 */
function whyCannotAssign(
  psychologist: Candidate,
  plan: PlanType,
  membership: { psychologist_id: string | null; ended_by: string | null } | null,
  current: Term | null,
  now: Date,
): string | null {
  if (membership && membership.ended_by !== "mismatch" && membership.psychologist_id !== psychologist.id)
    return "Este pago ya es de la membresía de otra persona.";
  const refusal = whyCannotSubscribe(psychologist, current, plan, now);
  if (refusal === "already_subscribed")
    return "Esa persona ya tiene una membresía en vigor: devuelve este pago en el servicio.";
  return refusal && "Esa cuenta no está verificada: verifícala antes, o devuelve el pago en el servicio.";
}

/** A provider subscription as its provider shows it now. `now` is when the reading began. */
type Reading = { provider: Provider; external_id: string; snapshot: Snapshot; now: Date };

/** Reads what a problem concerns. @throws AppError no_rows_updated, provider_unreachable, payment_not_found */
async function readProblem(context: Context, id: string): Promise<Reading> {
  const { db, log, now } = context;
  const problem = await unhandledProblem(db, id);
  if (!problem || !canAssign(problem)) throw new AppError("no_rows_updated");
  const { provider } = problem;
  const at = now();
  try {
    const external_id = await subscriptionOfProblem(context, problem);
    const checkout = await checkoutByExternalId(db, provider, external_id);
    const payments = checkout ? await paymentsOfMembership(db, checkout.id) : [];
    const hints = hintsOfProblem(problem, external_id);
    const request = { external_id, checkout, payments, read_at: null, hints, now: at };
    const snapshot = await context.paymentProviders.get(provider)?.read(request);
    if (!snapshot || isUnknown(snapshot)) throw new AppError("payment_not_found");
    return { provider, external_id, snapshot, now: at };
  } catch (error) {
    logProviderError(log, "payment_not_read", error);
    throw new AppError("provider_unreachable");
  }
}

/**
 * Locks the psychologist with an email and the apparent owner, always in the same order.
 * @throws AppError invalid_input if the email does not belong to a psychologist
 */
async function lockCandidate(tx: Tx, email: string, before: string | null) {
  const profile = await profileByEmail(tx, email);
  for (const id of [profile?.id, before].filter((id) => typeof id === "string").sort()) await lockMember(tx, id);
  // Locked above: only reads it.
  const member = profile && (await lockMember(tx, profile.id));
  if (!member)
    throw new AppError("invalid_input", { fields: { email: "Ningún psicólogo tiene una cuenta con este correo." } });
  return member;
}

/**
 * Gives a provider subscription to a psychologist, and settles it as theirs.
 * @throws AppError as `assignPayment`
 */
async function assignTo(
  context: Context,
  tx: Tx,
  psychologist: Candidate,
  { provider, external_id, snapshot, now }: Reading,
): Promise<void> {
  const found = await checkoutByExternalId(tx, provider, external_id);
  const plan_type = found?.plan_type ?? snapshot.plan_type;
  if (!plan_type || provider === "test") throw new AppError("payment_not_found");
  const before = found && membershipOf(found);
  const active = await currentMembership(tx, psychologist.id);
  const current = active && active.id !== before?.id ? active : null;
  const refusal = whyCannotAssign(psychologist, plan_type, before, current, now);
  if (refusal) throw new AppError("invalid_input", { fields: { email: refusal } });
  const method: PaymentMethod = provider;
  const terms = { method, plan_type, provider_plan_id: snapshot.plan_id, ...PRICES[method][plan_type] };
  const made = { psychologist_id: psychologist.id, provider, external_id, ...terms, created_at: now };
  const { id: checkout_id } = found ?? (await insertCheckout(tx, made));
  const owner = { psychologist_id: psychologist.id, owner_confirmed_at: now, end_wanted_at: null };
  // A membership that only ended a mismatch can be settled again.
  const reopened = before?.ended_by === "mismatch" && ({ ended_by: "provider" } as const);
  await updateCheckout(tx, checkout_id, { ...owner, ...reopened });
  const checkout = (await lockCheckout(tx, checkout_id))!;
  const payments = await paymentsOfMembership(tx, checkout_id);
  const settled = await applySnapshot(context, tx, { checkout, payments, snapshot, now });
  if (settled === "unreadable") throw new AppError("provider_unreachable");
  if (settled === "superseded") throw new AppError("server_busy", { details: { retry_after_seconds: 1 } });
  const membership = membershipOf((await lockCheckout(tx, checkout_id))!);
  if (!membership || !isActive(membership, now)) throw new AppError("payment_not_eligible");
}

/**
 * Assigns the payment of a problem to the psychologist with an email. From now on the provider subscription is theirs,
 * even if the provider stores another reference, and is settled like any other.
 * @returns the psychologist's id
 * @throws AppError no_rows_updated, invalid_input, payment_not_found, payment_not_eligible, provider_unreachable, server_busy
 */
export async function assignPayment(context: Context, admin: Viewer, id: string, email: string): Promise<string> {
  const reading = await readProblem(context, id);
  const { provider, external_id, now } = reading;
  try {
    return await context.db.transaction().execute(async (tx) => {
      const found = await checkoutByExternalId(tx, provider, external_id);
      const psychologist = await lockCandidate(tx, email, found?.psychologist_id ?? null);
      const problem = await lockProblem(tx, id);
      if (!problem) throw new AppError("no_rows_updated");
      await assignTo(context, tx, psychologist, reading);
      await markProblemHandled(tx, id, context.now());
      const details = { provider, external_id, psychologist: psychologist.id, kind: problem.kind };
      const row = { actor_id: admin.id, action: "payment_assigned", target_id: id, details, created_at: now };
      await insertAudit(tx, row);
      return psychologist.id;
    });
  } catch (error) {
    // The reading may have shown a change that is rolled back now, for example the refund that made it not eligible.
    const readAgain = async () => {
      const checkout = await checkoutByExternalId(context.db, provider, external_id);
      if (checkout) await makeDue(context.db, checkout.id, now);
    };
    await tryWrite(context.log, readAgain());
    throw error;
  }
}
