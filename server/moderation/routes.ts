import { LIMITS } from "#shared/limits.ts";
import { readCursor, writeCursor } from "../consultations/cursor.ts";
import { admin, api, done } from "../routes.ts";
import { overdueHelpLines } from "../safety/help-lines.ts";
import { asShown, shown } from "../versions.ts";
import { approve, reject, removeConsultation, retryMail, undo } from "./commands.ts";
import {
  APPLICANT,
  presentOverdue,
  presentStanding,
  presentUndoable,
  presentVerification,
  REMOVABLE,
  UNDELIVERED,
} from "./present.ts";
import { undoableSpan } from "./rules.ts";
import {
  latestConsultations,
  pendingPsychologists,
  psychologists,
  summary,
  undeliveredMails,
  undoableDecisions,
} from "./store.ts";

/** Where a list that is read newest first goes on. */
const after = ({ created_at, id }: { created_at: Date; id: string }) =>
  writeCursor({ key: null, at: created_at.toISOString(), id });

export const adminRoutes = api.admin.router({
  summary: api.admin.summary.handler(({ context }) => {
    admin(context);
    return summary(context.context.db);
  }),

  pendingPsychologists: api.admin.pendingPsychologists.handler(async ({ context, input }) => {
    admin(context);
    const rows = await pendingPsychologists(context.context.db, input.after);
    return rows.map((row) => shown(context.context.config.secret, APPLICANT, row));
  }),

  approve: api.admin.approve.handler(async ({ context, input }) => {
    const { viewer } = admin(context);
    await context.context.rateLimits.spend("moderation", { person: viewer.id });
    const row = await approve(
      context.context,
      viewer,
      input.id,
      asShown(context.context.config.secret, APPLICANT, input.version),
    );
    return presentVerification(row);
  }),

  reject: api.admin.reject.handler(async ({ context, input }) => {
    const { viewer } = admin(context);
    await context.context.rateLimits.spend("moderation", { person: viewer.id });
    const row = await reject(
      context.context,
      viewer,
      input.id,
      input.reason || null,
      asShown(context.context.config.secret, APPLICANT, input.version),
    );
    return presentVerification(row);
  }),

  consultations: api.admin.consultations.handler(async ({ context, input }) => {
    admin(context);
    const cursor = readCursor(input.cursor, false);
    const size = LIMITS.adminConsultations;
    const { rows, end } = await latestConsultations(context.context.publicDb, input.q, cursor, size + 1);
    const page = rows.slice(0, size);
    const next = rows.length > size ? page.at(-1) : end;
    return {
      items: page.map((row) => shown(context.context.config.secret, REMOVABLE, row)),
      next_cursor: next ? after(next) : null,
    };
  }),

  deleteConsultation: api.admin.deleteConsultation.handler(async ({ context, input }) => {
    const { viewer } = admin(context);
    await context.context.rateLimits.spend("moderation", { person: viewer.id });
    const credit_restored = await removeConsultation(
      context.context,
      viewer,
      input.id,
      asShown(context.context.config.secret, REMOVABLE, input.version),
    );
    return { credit_restored };
  }),

  undoable: api.admin.undoable.handler(async ({ context }) => {
    const { viewer } = admin(context);
    const now = context.context.now();
    const rows = await undoableDecisions(context.context.db, viewer.id, undoableSpan(now));
    return rows.map((row) => presentUndoable(row, now));
  }),

  undo: api.admin.undo.handler(async ({ context, input }) => {
    const { viewer } = admin(context);
    await context.context.rateLimits.spend("moderation", { person: viewer.id });
    await undo(context.context, viewer, input.id);
    return done;
  }),

  psychologists: api.admin.psychologists.handler(async ({ context, input }) => {
    admin(context);
    const { config, db, now } = context.context;
    const at = now();
    const { cursor, ...filter } = input;
    const size = LIMITS.adminPsychologists;
    const rows = await psychologists(db, filter, readCursor(cursor, false), size + 1, at);
    const page = rows.slice(0, size);
    return {
      items: page.map((row) => ({ ...shown(config.secret, APPLICANT, row), ...presentStanding(row, at) })),
      next_cursor: rows.length > size ? after(page.at(-1)!) : null,
    };
  }),

  overdueHelpLines: api.admin.overdueHelpLines.handler(({ context }) => {
    admin(context);
    return overdueHelpLines(context.context.now()).map(presentOverdue);
  }),

  undeliveredMails: api.admin.undeliveredMails.handler(async ({ context }) => {
    admin(context);
    const rows = await undeliveredMails(context.context.db);
    return rows.map((row) => shown(context.context.config.secret, UNDELIVERED, row));
  }),

  retryMail: api.admin.retryMail.handler(async ({ context, input }) => {
    const { viewer } = admin(context);
    await retryMail(
      context.context,
      viewer,
      input.id,
      asShown(context.context.config.secret, UNDELIVERED, input.version),
    );
    return done;
  }),
});
