import { LIMITS } from "#shared/limits.ts";
import { readCursor, writeCursor } from "../consultations/cursor.ts";
import { presentConsultation } from "../consultations/present.ts";
import { admin, api, done } from "../routes.ts";
import { overdueHelpLines } from "../safety/help-lines.ts";
import { approve, reject, removeConsultation, retryMail } from "./commands.ts";
import { presentVerification } from "./present.ts";
import { isCheckDue } from "./rules.ts";
import { latestConsultations, pendingPsychologists, psychologists, summary, undeliveredMails } from "./store.ts";

/** Where a list that is read newest first goes on. */
const after = ({ created_at, id }: { created_at: Date; id: string }) =>
  writeCursor({ key: null, at: created_at.toISOString(), id });

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
    return presentVerification(await approve(context.context, viewer, input.id));
  }),

  reject: api.admin.reject.handler(async ({ context, input }) => {
    const { viewer } = admin(context);
    await context.context.rateLimits.spend("moderation", { person: viewer.id });
    return presentVerification(await reject(context.context, viewer, input.id, input.reason || null));
  }),

  consultations: api.admin.consultations.handler(async ({ context, input }) => {
    admin(context);
    const cursor = readCursor(input.cursor, false);
    const size = LIMITS.adminConsultations;
    const { rows, end } = await latestConsultations(context.context.publicDb, input.q, cursor, size + 1);
    const shown = rows.slice(0, size);
    const next = rows.length > size ? shown.at(-1) : end;
    return {
      items: shown.map((row) => presentConsultation({ ...row, edited_at: null, upvotes: 0, downvotes: 0 })),
      next_cursor: next ? after(next) : null,
    };
  }),

  deleteConsultation: api.admin.deleteConsultation.handler(async ({ context, input }) => {
    const { viewer } = admin(context);
    await context.context.rateLimits.spend("moderation", { person: viewer.id });
    return { credit_restored: await removeConsultation(context.context, viewer, input.id) };
  }),

  psychologists: api.admin.psychologists.handler(async ({ context, input }) => {
    admin(context);
    const { db, now } = context.context;
    const at = now();
    const { cursor, ...filter } = input;
    const size = LIMITS.adminPsychologists;
    const rows = await psychologists(db, filter, readCursor(cursor, false), size + 1, at);
    const shown = rows.slice(0, size);
    return {
      items: shown.map((row) => ({
        ...row,
        created_at: row.created_at.toISOString(),
        verified_at: row.verified_at?.toISOString() ?? null,
        rejected_at: row.rejected_at?.toISOString() ?? null,
        check_due: isCheckDue(row.verified_at, at),
      })),
      next_cursor: rows.length > size ? after(shown.at(-1)!) : null,
    };
  }),

  overdueHelpLines: api.admin.overdueHelpLines.handler(({ context }) => {
    admin(context);
    return overdueHelpLines(context.context.now()).map(({ country, name, official_url, verified_on }) => ({
      country,
      name,
      official_url,
      verified_on,
    }));
  }),

  undeliveredMails: api.admin.undeliveredMails.handler(async ({ context }) => {
    admin(context);
    const rows = await undeliveredMails(context.context.db);
    return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }));
  }),

  retryMail: api.admin.retryMail.handler(async ({ context, input }) => {
    const { viewer } = admin(context);
    await retryMail(context.context, viewer, input.id);
    return done;
  }),
});
