import { AppError, assertAllowed } from "#shared/errors.ts";
import type { CheckoutView } from "#shared/memberships.ts";
import { DAY } from "#shared/time.ts";
import type { Context } from "../context.ts";
import { EMPTY_SNAPSHOT, type Snapshot } from "../integrations/payment-provider.ts";
import { queueMail } from "../mail/queues.ts";
import { pressOf, rateLimit, requireAdmin, requireSignIn } from "../sessions/guards.ts";
import { api, guard, operation } from "../sessions/operations.ts";
import type { Viewer } from "../sessions/viewer.ts";
import { beginCheckout, reconcileCheckout } from "./checkouts/commands.ts";
import { statusOf, whyCannotSubscribe } from "./checkouts/rules.ts";
import { type CheckoutRow, checkoutsInPayment, lockCheckout, membershipOf, ownCheckout } from "./checkouts/store.ts";
import { grantsOf } from "./grants/store.ts";
import { presentCheckout, presentMemberships, presentPlans } from "./present.ts";
import { endIfWanted } from "./reading/checkout.ts";
import { applySnapshot } from "./reconciliation/steps.ts";
import { canBeCancelled } from "./rules.ts";
import { endMembership } from "./steps.ts";
import {
  countAnalyticsEvents,
  currentMembership,
  insertAnalyticsEvent,
  lifetimeSold,
  lockMember,
  membershipsOfPsychologist,
  paymentsOf,
} from "./store.ts";

const { memberships } = api;
const FUNNEL_DAYS = [7, 30, 90];

/** Guard: only for psychologists. @throws AppError psychologists_only */
const requirePsychologist = guard(
  operation.middleware(({ context: { viewer }, next }) => {
    if (viewer?.user_type !== "psychologist") throw new AppError("psychologists_only");
    return next({ context: { viewer } });
  }),
);

/** The viewer's checkout. @throws AppError checkout_not_found also for another user's checkout */
async function checkout(context: Pick<Context, "db" | "now">, viewer: Viewer, id: string): Promise<CheckoutView> {
  const row = await ownCheckout(context.db, viewer.id, id);
  if (!row) throw new AppError("checkout_not_found");
  return presentCheckout(row, context.now());
}

/** Operations of psychologists on their own membership. @throws AppError sign_in_to_subscribe, psychologists_only */
const own = memberships.use(requireSignIn("sign_in_to_subscribe")).use(requirePsychologist);
const testPayments = api.testPayments.use(requireSignIn("sign_in_to_subscribe")).use(requirePsychologist);
const funnel = api.funnel.use(requireAdmin);

export const membershipRoutes = memberships.router({
  plans: memberships.plans.use(requirePsychologist).handler(async ({ context: { request, viewer, db, now } }) => {
    const [rows, payments, grants, sold, [pending]] = await Promise.all([
      membershipsOfPsychologist(db, viewer.id),
      paymentsOf(db, viewer.id),
      grantsOf(db, viewer.id),
      lifetimeSold(db),
      checkoutsInPayment(db, viewer.id, now()),
    ]);
    return presentPlans(request.context, viewer, { rows, payments, grants, sold, pending }, now());
  }),

  mine: own.mine.handler(async ({ context: { viewer, db, now } }) => {
    const [rows, payments] = await Promise.all([membershipsOfPsychologist(db, viewer.id), paymentsOf(db, viewer.id)]);
    return presentMemberships(rows, payments, now());
  }),

  beginCheckout: own.beginCheckout
    .use(pressOf("checkout"))
    .handler(async ({ context, input }) =>
      checkout(context, context.viewer, await beginCheckout(context, context.viewer, input, context.press)),
    ),

  checkout: own.checkout.handler(({ context, input }) => checkout(context, context.viewer, input.id)),

  reconcileCheckout: own.reconcileCheckout.use(rateLimit("reconciliation")).handler(async ({ context, input }) => {
    await reconcileCheckout(context, context.viewer, input);
    return checkout(context, context.viewer, input.id);
  }),

  // Gold ends at once. Also cancels a membership without Gold that the provider still tries to charge.
  cancel: own.cancel.use(rateLimit("cancellation")).handler(async ({ context, input: { id } }) => {
    const { viewer } = context;
    await context.db.transaction().execute(async (tx) => {
      const at = context.now();
      await lockMember(tx, viewer.id);
      const row = await ownCheckout(tx, viewer.id, id);
      const membership = row && membershipOf(row);
      if (!membership) throw new AppError("subscription_not_found");
      // It is paid once and has no further charges.
      if (membership.plan_type === "lifetime") throw new AppError("lifetime_not_cancellable");
      if (membership.status !== "active" && !canBeCancelled(membership)) return;
      await queueMail(context.boss, tx, { kind: "membership_cancelled", subscription_id: id });
      await endMembership(context, tx, membership, { ended_by: "person", actor_id: viewer.id, at });
    });
    // If the provider is down, the worker sends the cancellation until it is confirmed or closed.
    return { done: true as const, provider: await endIfWanted(context, id) };
  }),

  // The provider's id, as in the specification, section 7.5.
  retryCancellation: own.retryCancellation.use(rateLimit("cancellation")).handler(async ({ context, input }) => {
    const all = await membershipsOfPsychologist(context.db, context.viewer.id);
    const found = all.find((one) => one.external_id === input.subscriptionId);
    if (!found) throw new AppError("subscription_not_found");
    if (found.status !== "cancelled") throw new AppError("no_rows_updated");
    return { provider: await endIfWanted(context, found.id) };
  }),

  trackEvent: own.trackEvent.use(rateLimit("event")).handler(async ({ context: { db, now }, input }) => {
    await insertAnalyticsEvent(db, { name: input.event, happened_at: now() });
  }),
});

/** The snapshot that a provider would show after a decision at the demo's payment page. */
function testSnapshot(row: CheckoutRow, decision: "approve" | "reject", now: Date): Snapshot {
  const { id, external_id, plan_type, amount, currency } = row;
  const shown = { ...EMPTY_SNAPSHOT, reference: id, plan_type };
  if (decision === "reject") return { ...shown, state: "failed" };
  const external_payment_id = external_id!.replace("TEST_", "TEST_P");
  const paid = { status: "completed", refunded_amount: 0, paid_at: now, provider_updated_at: null } as const;
  return { ...shown, state: "active", payments: [{ external_payment_id, amount, currency, ...paid }] };
}

export const testPaymentRoutes = testPayments.router({
  // The first decision is final.
  decide: testPayments.decide.use(rateLimit("reconciliation")).handler(async ({ context, input: { id, decision } }) => {
    const { viewer } = context;
    await context.db.transaction().execute(async (tx) => {
      const now = context.now();
      const psychologist = await lockMember(tx, viewer.id);
      const owned = psychologist && (await ownCheckout(tx, viewer.id, id));
      const row = owned && (await lockCheckout(tx, id));
      if (row?.provider !== "test" || !row.external_id || !context.config.demo)
        throw new AppError("checkout_not_found");
      const status = statusOf(row, now);
      if (status === "paid" && decision === "approve") return;
      if (status !== "open") throw new AppError("checkout_closed");
      if (decision === "approve")
        assertAllowed(whyCannotSubscribe(psychologist!, await currentMembership(tx, viewer.id), row.plan_type, now));
      const snapshot = testSnapshot(row, decision, now);
      await applySnapshot(context, tx, { checkout: row, payments: [], snapshot, now });
    });
    return checkout(context, viewer, id);
  }),
});

export const funnelRoutes = funnel.router({
  read: funnel.read.handler(({ context: { db, now } }) =>
    Promise.all(
      FUNNEL_DAYS.map(async (days) => ({
        days,
        ...(await countAnalyticsEvents(db, new Date(now().getTime() - days * DAY))),
      })),
    ),
  ),
});
