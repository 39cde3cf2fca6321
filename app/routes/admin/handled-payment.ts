import { act, announce, fieldsOf, page, redirect } from "#app/lib/api.server.ts";
import type { Route } from "./+types/handled-payment.ts";

const PAYMENTS = "/admin?vista=membresias";

export const loader = () => redirect(PAYMENTS);

/** Marks a payment problem as handled. */
export async function action(args: Route.ActionArgs) {
  const { version = "" } = fieldsOf(args);
  const answer = await act(args, async (here) => {
    await here.api.payments.handle({ id: args.params.id, version });
    announce(here, "payment_problem_handled");
    throw redirect(PAYMENTS);
  });
  // Without JavaScript there is no page at this address: the list shows the problem again.
  const here = page(args);
  if (!here.isDocument || answer.data.refused.code !== "changed_meanwhile") return answer;
  announce(here, "changed_meanwhile");
  throw redirect(PAYMENTS);
}
