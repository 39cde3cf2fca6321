import { act, announce, redirect } from "#app/lib/api.server.ts";
import type { Route } from "./+types/handled-payment.ts";

const PAYMENTS = "/admin?vista=membresias";

export const loader = () => redirect(PAYMENTS);

/** Marks what had to be looked at in payments as dealt with. */
export const action = (args: Route.ActionArgs) =>
  act(args, async (here) => {
    await here.api.payments.handle({ id: args.params.id });
    announce(here, "payment_problem_handled");
    throw redirect(PAYMENTS);
  });
