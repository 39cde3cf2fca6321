import { LIMITS } from "#shared/limits.ts";
import { REMOVABLE } from "../consultations/present.ts";
import { cursorAt, NEWEST_FIRST, OLDEST_FIRST, pageOf, readCursor, writeCursor } from "../cursor.ts";
import { overdueHelpLines } from "../safety/help-lines.ts";
import { requireAdmin } from "../sessions/guards.ts";
import { api } from "../sessions/operations.ts";
import { asShown, withVersion } from "../versions.ts";
import { undo } from "./commands.ts";
import { latestConsultations, psychologists, summary } from "./directory/store.ts";
import { removeAsAdmin } from "./removal/commands.ts";
import { undoableSince, undoSecondsLeft } from "./rules.ts";
import { undoableDecisions } from "./store.ts";
import { retryMail } from "./undelivered-mails/commands.ts";
import { UNDELIVERED, undeliveredMails } from "./undelivered-mails/store.ts";
import { approve, reject } from "./verification/commands.ts";
import { isCheckDue } from "./verification/rules.ts";
import { PSYCHOLOGIST, pendingPsychologists } from "./verification/store.ts";

const admin = api.admin.use(requireAdmin);

export const adminRoutes = admin.router({
  summary: admin.summary.handler(({ context: { db } }) => summary(db)),

  pendingPsychologists: admin.pendingPsychologists.handler(async ({ context: { config, db }, input }) => {
    const cursor = readCursor(config.secret, input.cursor, false);
    const size = LIMITS.adminPending;
    const rows = await pendingPsychologists(db, cursor, size + 1);
    const { shown, next_cursor } = pageOf(config.secret, rows, size, OLDEST_FIRST);
    return { items: shown.map((row) => withVersion(config.secret, PSYCHOLOGIST, row)), next_cursor };
  }),

  approve: admin.approve
    .use(asShown(PSYCHOLOGIST))
    .handler(({ context: { request, viewer, assertUnchanged }, input }) =>
      approve(request.context, viewer, input.id, assertUnchanged),
    ),

  reject: admin.reject
    .use(asShown(PSYCHOLOGIST))
    .handler(({ context: { request, viewer, assertUnchanged }, input }) =>
      reject(request.context, viewer, input.id, input.reason || null, assertUnchanged),
    ),

  consultations: admin.consultations.handler(async ({ context: { config, publicDb }, input }) => {
    const cursor = readCursor(config.secret, input.cursor, false);
    const size = LIMITS.adminConsultations;
    const { rows, end } = await latestConsultations(publicDb, input.q, cursor, size + 1);
    const { shown, next_cursor } = pageOf(config.secret, rows, size, NEWEST_FIRST);
    return {
      items: shown.map((row) => withVersion(config.secret, REMOVABLE, row)),
      next_cursor: next_cursor ?? (end ? writeCursor(config.secret, cursorAt(end, NEWEST_FIRST)) : null),
    };
  }),

  deleteConsultation: admin.deleteConsultation
    .use(asShown(REMOVABLE))
    .handler(({ context: { request, viewer, assertUnchanged }, input }) =>
      removeAsAdmin(request.context, viewer, input.id, assertUnchanged),
    ),

  undoable: admin.undoable.handler(async ({ context: { viewer, db, now } }) => {
    const at = now();
    const rows = await undoableDecisions(db, viewer.id, undoableSince(at));
    return rows.map((row) => ({
      ...row,
      seconds_left: undoSecondsLeft(row.created_at, at),
    }));
  }),

  undo: admin.undo.handler(({ context: { request, viewer }, input }) => undo(request.context, viewer, input.id)),

  psychologists: admin.psychologists.handler(async ({ context: { config, db, now }, input }) => {
    const at = now();
    const { cursor, ...filter } = input;
    const size = LIMITS.adminPsychologists;
    const rows = await psychologists(db, filter, readCursor(config.secret, cursor, false), size + 1, at).execute();
    const { shown, next_cursor } = pageOf(config.secret, rows, size, NEWEST_FIRST);
    return {
      items: shown.map((row) => ({
        ...row,
        ...withVersion(config.secret, PSYCHOLOGIST, row),
        check_due: isCheckDue(row.verified_at, at),
        has_gold: row.gold_until !== null && row.gold_until > at,
      })),
      next_cursor,
    };
  }),

  overdueHelpLines: admin.overdueHelpLines.handler(({ context: { now } }) => overdueHelpLines(now())),

  undeliveredMails: admin.undeliveredMails.handler(async ({ context: { config, db } }) => {
    const rows = await undeliveredMails(db);
    return rows.map((row) => withVersion(config.secret, UNDELIVERED, row));
  }),

  retryMail: admin.retryMail
    .use(asShown(UNDELIVERED))
    .handler(({ context: { request, viewer, assertUnchanged }, input }) =>
      retryMail(request.context, viewer, input.id, assertUnchanged),
    ),
});
