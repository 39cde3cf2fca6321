import { AppError } from "#shared/errors.ts";
import type { CheckoutView } from "#shared/memberships.ts";
import type { Viewer } from "../accounts/rules.ts";
import type { Context } from "../context.ts";
import type { Request } from "../request.ts";
import { admin, api, done, signedIn } from "../routes.ts";
import { asShown, shown } from "../versions.ts";
import {
  beginCheckout,
  cancelMembership,
  configuredMethods,
  decideTestPayment,
  handlePaymentProblem,
  reconcileCheckout,
  tellCancellation,
} from "./commands.ts";
import {
  PROBLEM,
  presentCheckout,
  presentFunnel,
  presentMemberships,
  presentPayments,
  presentPlans,
} from "./present.ts";
import { whyNotForPlans } from "./rules.ts";
import {
  countEvents,
  insertEvent,
  lifetimeSold,
  openCancellations,
  openProblems,
  ownAttempt,
  payingAttempt,
  paymentsOf,
  subscriptionsOf,
} from "./store.ts";

const { memberships } = api;
const FUNNEL_DAYS = [7, 30, 90];
const DAY = 86_400_000;

/** The psychologist who asks. @throws AppError sign_in_to_subscribe, psychologists_only */
function psychologist(request: Request): Viewer {
  const { viewer } = signedIn(request, "sign_in_to_subscribe");
  const refusal = whyNotForPlans(viewer);
  if (refusal) throw new AppError(refusal);
  return viewer;
}

/** One's own checkout; somebody else's does not exist. @throws AppError checkout_not_found */
async function checkout(context: Context, viewer: Viewer, id: string): Promise<CheckoutView> {
  const row = await ownAttempt(context.db, viewer.id, id);
  if (!row) throw new AppError("checkout_not_found");
  return presentCheckout(row, context.now());
}

export const membershipRoutes = memberships.router({
  plans: memberships.plans.handler(async ({ context: request }) => {
    const refusal = whyNotForPlans(request.session?.viewer ?? null);
    if (refusal) throw new AppError(refusal);
    const { viewer } = signedIn(request);
    const { context } = request;
    const [rows, payments, sold, paying] = await Promise.all([
      subscriptionsOf(context.db, viewer.id),
      paymentsOf(context.db, viewer.id),
      lifetimeSold(context.db),
      payingAttempt(context.db, viewer.id),
    ]);
    const taking = { demo: context.config.demo, configured: configuredMethods(context) };
    return presentPlans(viewer, rows, payments, sold, taking, context.config.paypal, paying, context.now());
  }),

  mine: memberships.mine.handler(async ({ context: request }) => {
    const viewer = psychologist(request);
    const { db, now } = request.context;
    const [rows, payments] = await Promise.all([subscriptionsOf(db, viewer.id), paymentsOf(db, viewer.id)]);
    return presentMemberships(rows, payments, now());
  }),

  beginCheckout: memberships.beginCheckout.handler(async ({ context: request, input }) => {
    const viewer = psychologist(request);
    const { context } = request;
    await context.rateLimits.spend("checkout", { person: viewer.id });
    const id = await beginCheckout(context, viewer, input.plan_type, input.method, input.payer_email);
    return checkout(context, viewer, id);
  }),

  checkout: memberships.checkout.handler(({ context: request, input }) =>
    checkout(request.context, psychologist(request), input.id),
  ),

  reconcileCheckout: memberships.reconcileCheckout.handler(async ({ context: request, input }) => {
    const viewer = psychologist(request);
    const { context } = request;
    await context.rateLimits.spend("checkout_reading", { person: viewer.id });
    await reconcileCheckout(context, viewer, input.id);
    return checkout(context, viewer, input.id);
  }),

  cancel: memberships.cancel.handler(async ({ context: request, input }) => {
    const viewer = psychologist(request);
    await request.context.rateLimits.spend("cancellation", { person: viewer.id });
    return { done: true as const, provider: await cancelMembership(request.context, viewer, input.id) };
  }),

  tellCancellation: memberships.tellCancellation.handler(async ({ context: request, input }) => {
    const viewer = psychologist(request);
    await request.context.rateLimits.spend("cancellation", { person: viewer.id });
    return { provider: await tellCancellation(request.context, viewer, input.subscriptionId) };
  }),

  recordEvent: memberships.recordEvent.handler(async ({ context: request, input }) => {
    const viewer = psychologist(request);
    const { context } = request;
    await context.rateLimits.spend("event", { person: viewer.id });
    await insertEvent(context.db, { name: input.event, happened_at: context.now() });
    return done;
  }),
});

export const testPaymentRoutes = api.testPayments.router({
  decide: api.testPayments.decide.handler(async ({ context: request, input }) => {
    const viewer = psychologist(request);
    await request.context.rateLimits.spend("checkout_reading", { person: viewer.id });
    await decideTestPayment(request.context, viewer, input.id, input.decision);
    return checkout(request.context, viewer, input.id);
  }),
});

export const paymentRoutes = api.payments.router({
  read: api.payments.read.handler(async ({ context: request }) => {
    admin(request);
    const { config, db } = request.context;
    const [problems, cancellations] = await Promise.all([openProblems(db), openCancellations(db)]);
    const waiting = problems.map((problem) => shown(config.secret, PROBLEM, problem));
    return presentPayments(waiting, cancellations);
  }),

  handle: api.payments.handle.handler(async ({ context: request, input }) => {
    const { viewer } = admin(request);
    await request.context.rateLimits.spend("moderation", { person: viewer.id });
    const { context } = request;
    await handlePaymentProblem(context, viewer, input.id, asShown(context.config.secret, PROBLEM, input.version));
    return done;
  }),
});

export const funnelRoutes = api.funnel.router({
  read: api.funnel.read.handler(async ({ context: request }) => {
    admin(request);
    const { db, now } = request.context;
    return Promise.all(
      FUNNEL_DAYS.map(async (days) =>
        presentFunnel(days, await countEvents(db, new Date(now().getTime() - days * DAY))),
      ),
    );
  }),
});
