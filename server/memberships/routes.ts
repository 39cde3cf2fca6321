import { AppError } from "#shared/errors.ts";
import type { CheckoutView } from "#shared/memberships.ts";
import { DAY } from "#shared/time.ts";
import type { Context } from "../context.ts";
import { pressOf, rateLimit, requireAdmin, requireSignIn } from "../sessions/guards.ts";
import { api, guard, operation } from "../sessions/operations.ts";
import type { Viewer } from "../sessions/viewer.ts";
import { beginCheckout, reconcileCheckout } from "./checkouts/commands.ts";
import { checkoutsInPayment, ownCheckout } from "./checkouts/store.ts";
import { cancelMembership, retryCancellation } from "./ending/commands.ts";
import { grantsOf } from "./grants/store.ts";
import { presentCheckout, presentMemberships, presentPlans } from "./present.ts";
import { decideTestPayment } from "./providers/test/commands.ts";
import {
  countAnalyticsEvents,
  insertAnalyticsEvent,
  lifetimeSold,
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
async function checkout(context: Context, viewer: Viewer, id: string): Promise<CheckoutView> {
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
    .handler(async ({ context: { request, viewer, press }, input }) => {
      const id = await beginCheckout(request.context, viewer, input, press);
      return checkout(request.context, viewer, id);
    }),

  checkout: own.checkout.handler(({ context: { request, viewer }, input }) =>
    checkout(request.context, viewer, input.id),
  ),

  reconcileCheckout: own.reconcileCheckout
    .use(rateLimit("reconciliation"))
    .handler(async ({ context: { request, viewer }, input }) => {
      await reconcileCheckout(request.context, viewer, input);
      return checkout(request.context, viewer, input.id);
    }),

  cancel: own.cancel.use(rateLimit("cancellation")).handler(async ({ context: { request, viewer }, input }) => ({
    done: true as const,
    provider: await cancelMembership(request.context, viewer, input.id),
  })),

  retryCancellation: own.retryCancellation
    .use(rateLimit("cancellation"))
    .handler(async ({ context: { request, viewer }, input }) => ({
      provider: await retryCancellation(request.context, viewer, input.subscriptionId),
    })),

  trackEvent: own.trackEvent.use(rateLimit("event")).handler(async ({ context: { db, now }, input }) => {
    await insertAnalyticsEvent(db, { name: input.event, happened_at: now() });
  }),
});

export const testPaymentRoutes = testPayments.router({
  decide: testPayments.decide
    .use(rateLimit("reconciliation"))
    .handler(async ({ context: { request, viewer }, input }) => {
      await decideTestPayment(request.context, viewer, input.id, input.decision);
      return checkout(request.context, viewer, input.id);
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
