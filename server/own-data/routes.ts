import { isActive } from "../memberships/gold-rules.ts";
import { currentMembership } from "../memberships/store.ts";
import { rateLimit, requireRecentSignIn, requireSignIn } from "../sessions/guards.ts";
import { api } from "../sessions/operations.ts";
import { deleteAccount } from "./commands.ts";
import { openExport } from "./export.ts";
import { countsOf } from "./store.ts";

const { ownData } = api;

export const ownDataRoutes = ownData.router({
  export: ownData.export
    .use(requireRecentSignIn)
    .use(rateLimit("export"))
    .handler(async ({ context: { request, viewer, now } }) => ({
      headers: {
        "content-type": "application/json; charset=utf-8",
        "content-disposition": `attachment; filename="mis-datos-${now().toISOString().slice(0, 10)}.json"`,
      },
      body: await openExport(request.context, viewer.id),
    })),

  deletionPreview: ownData.deletionPreview.use(requireSignIn()).handler(async ({ context: { viewer, db, now } }) => {
    const held = viewer.user_type === "psychologist" ? await currentMembership(db, viewer.id) : null;
    const membership = held && isActive(held, now()) ? held.plan_type : null;
    return { ...(await countsOf(db, viewer.id)), membership };
  }),

  close: ownData.close
    .use(requireRecentSignIn)
    .use(rateLimit("account"))
    .handler(async ({ context: { request, session }, input }) => {
      await deleteAccount(request, session, input.anonymous_texts);
      request.session = null;
    }),
});
