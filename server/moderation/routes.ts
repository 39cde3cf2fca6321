import { AppError } from "#shared/errors.ts";
import { MAIL_QUEUE } from "../jobs.ts";
import { admin, api, done } from "../routes.ts";
import { approve, reject } from "./commands.ts";
import { hurryMail, pendingPsychologists, summary, undeliveredMails } from "./store.ts";

export const adminRoutes = api.admin.router({
  summary: api.admin.summary.handler(({ context }) => {
    admin(context);
    return summary(context.context.db);
  }),

  pendingPsychologists: api.admin.pendingPsychologists.handler(async ({ context }) => {
    admin(context);
    const rows = await pendingPsychologists(context.context.db);
    return rows.map((row) => ({
      ...row,
      created_at: row.created_at.toISOString(),
      rejected_at: row.rejected_at?.toISOString() ?? null,
    }));
  }),

  approve: api.admin.approve.handler(async ({ context, input }) => {
    const { viewer } = admin(context);
    await context.context.rateLimits.spend("moderation", { person: viewer.id });
    await approve(context.context, viewer, input.id);
    return done;
  }),

  reject: api.admin.reject.handler(async ({ context, input }) => {
    const { viewer } = admin(context);
    await context.context.rateLimits.spend("moderation", { person: viewer.id });
    await reject(context.context, viewer, input.id, input.reason || null);
    return done;
  }),

  undeliveredMails: api.admin.undeliveredMails.handler(async ({ context }) => {
    admin(context);
    const rows = await undeliveredMails(context.context.db);
    return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }));
  }),

  retryMail: api.admin.retryMail.handler(async ({ context, input }) => {
    admin(context);
    const mail = (await undeliveredMails(context.context.db)).find((each) => each.id === input.id);
    if (!mail) throw new AppError("not_found");
    if (mail.gave_up) await context.context.boss.retry(MAIL_QUEUE, input.id);
    else await hurryMail(context.context.db, input.id);
    return done;
  }),
});
