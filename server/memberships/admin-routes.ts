/** Operations of the administrator on payments and Gold. */
import { AppError } from "#shared/errors.ts";
import { requireAdmin } from "../sessions/guards.ts";
import { api } from "../sessions/operations.ts";
import { asShown, withVersion } from "../versions.ts";
import { endGold, grantGold } from "./grants/commands.ts";
import { GOLD, presentIfGranted } from "./grants/present.ts";
import { assertGrantEnd } from "./grants/rules.ts";
import { goldRow } from "./grants/store.ts";
import { assignPayment } from "./problems/assignment-commands.ts";
import { handlePaymentProblem, readProblemNow } from "./problems/commands.ts";
import { PROBLEM } from "./problems/present.ts";
import { unhandledProblems } from "./problems/store.ts";

const payments = api.payments.use(requireAdmin);

export const paymentRoutes = payments.router({
  read: payments.read.handler(async ({ context: { config, db } }) => ({
    problems: (await unhandledProblems(db)).map((row) => withVersion(config.secret, PROBLEM, row)),
  })),

  handle: payments.handle
    .use(asShown(PROBLEM))
    .handler(({ context: { request, viewer, assertUnchanged }, input }) =>
      handlePaymentProblem(request.context, viewer, input.id, assertUnchanged),
    ),

  readNow: payments.readNow.handler(async ({ context: { request, viewer }, input }) => ({
    outcome: await readProblemNow(request.context, viewer, input.id),
  })),

  tie: payments.tie.handler(async ({ context: { request, viewer }, input }) => ({
    psychologist_id: await assignPayment(request.context, viewer, input.id, input.email),
  })),
});

const gold = api.gold.use(requireAdmin);

export const goldRoutes = gold.router({
  read: gold.read.handler(async ({ context: { config, db, now }, input }) => {
    const at = now();
    const row = await goldRow(db, input.id, at);
    if (!row) throw new AppError("psychologist_not_found");
    const view = withVersion(config.secret, GOLD, row);
    if (input.last_day === undefined) return { ...view, if_granted: null };
    const ends_at = assertGrantEnd(input.last_day, row.grants, at);
    return { ...view, if_granted: presentIfGranted(row, ends_at) };
  }),

  grant: gold.grant
    .use(asShown(GOLD))
    .handler(({ context: { request, viewer, assertUnchanged }, input: { id, last_day, reason } }) =>
      grantGold(request.context, viewer, last_day, { id, reason, assertUnchanged }),
    ),

  end: gold.end
    .use(asShown(GOLD))
    .handler(({ context: { request, viewer, assertUnchanged }, input: { id, reason } }) =>
      endGold(request.context, viewer, { id, reason, assertUnchanged }),
    ),
});
