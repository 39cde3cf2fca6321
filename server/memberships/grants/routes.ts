import { AppError } from "#shared/errors.ts";
import { requireAdmin } from "../../sessions/guards.ts";
import { api, done } from "../../sessions/operations.ts";
import { asShown, withVersion } from "../../versions.ts";
import { endGold, grantGold } from "./commands.ts";
import { GOLD, presentIfGranted } from "./present.ts";
import { assertGrantEnd } from "./rules.ts";
import { goldRow } from "./store.ts";

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
    .handler(async ({ context: { request, viewer, assertUnchanged }, input: { id, last_day, reason } }) => {
      await grantGold(request.context, viewer, last_day, { id, reason, assertUnchanged });
      return done;
    }),

  end: gold.end
    .use(asShown(GOLD))
    .handler(async ({ context: { request, viewer, assertUnchanged }, input: { id, reason } }) => {
      await endGold(request.context, viewer, { id, reason, assertUnchanged });
      return done;
    }),
});
