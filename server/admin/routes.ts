import { randomUUID } from "node:crypto";
import { fromKysely } from "pg-boss";
import { AppError } from "#shared/errors.ts";
import { LIMITS } from "#shared/limits.ts";
import { queueAnswerMail } from "../answers/steps.ts";
import { insertAudit } from "../audit.ts";
import { REMOVABLE } from "../consultations/present.ts";
import { usedAfterRemoval, weekAfterUndo } from "../consultations/rules.ts";
import { lockWeeklyUse, lockWholeConsultation, setWeeklyUse } from "../consultations/store.ts";
import type { Context } from "../context.ts";
import { cursorAt, NEWEST_FIRST, OLDEST_FIRST, pageOf, readCursor, writeCursor } from "../cursor.ts";
import { retryDeadlocks, type Tx } from "../database/handles.ts";
import { queueJob } from "../jobs.ts";
import { MAIL_QUEUE } from "../mail/queues.ts";
import { overdueHelpLines } from "../safety/help-lines.ts";
import { requireAdmin } from "../sessions/guards.ts";
import { api } from "../sessions/operations.ts";
import {
  lockAnswers,
  lockPsychologists,
  lockReplies,
  missing,
  recountPsychologists,
  removeConsultations,
} from "../threads/store.ts";
import { asShown, withVersion } from "../versions.ts";
import { REMOVALS } from "./removal/queues.ts";
import {
  consultationToRemove,
  deleteRemoval,
  lockRemoval,
  restoreRemovedRows,
  saveRemovedRows,
} from "./removal/store.ts";
import { UNDO_EFFECT_DELAY_SECONDS, undoableSince, undoSecondsLeft } from "./rules.ts";
import {
  type DecisionRow,
  decisionById,
  latestConsultations,
  lockUndeliveredMail,
  psychologists,
  retryMailNow,
  summary,
  UNDELIVERED,
  undeliveredMails,
  undoableDecisions,
} from "./store.ts";
import { isCheckDue } from "./verification/rules.ts";
import { decide, undoVerification } from "./verification/steps.ts";
import { lockPsychologistToDecide, PSYCHOLOGIST, pendingPsychologists } from "./verification/store.ts";

/**
 * Restores a removed consultation with everything below it.
 * @throws AppError undo_superseded if an author of the thread deleted a text or the account
 */
async function undoRemoval(context: Context, tx: Tx, decision: DecisionRow): Promise<void> {
  const now = context.now();
  const removal = await lockRemoval(tx, decision.id);
  if (!removal) throw new AppError("undo_superseded");
  const { consultation_id: id, author_id: author, credit_window, psychologists } = removal;
  await restoreRemovedRows(tx, id);
  await recountPsychologists(tx, psychologists);
  const use = author && credit_window ? await lockWeeklyUse(tx, author) : undefined;
  const again = use && weekAfterUndo(use, credit_window!, now);
  if (again) await setWeeklyUse(tx, author!, again.used, again.window).execute();
  // The mail job finds no consultation while it is removed. Queue another job; it sends nothing if the author was
  // already notified.
  await queueAnswerMail(context, tx, id);
  await deleteRemoval(tx, decision.id);
}

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

  // A lapsed check is renewed without a mail, because nothing changes for the psychologist.
  approve: admin.approve
    .use(asShown(PSYCHOLOGIST))
    .handler(({ context: { request, viewer, db, now, assertUnchanged }, input }) =>
      db.transaction().execute(async (tx) => {
        const at = now();
        const before = await lockPsychologistToDecide(tx, input.id);
        if (!before || (before.verified_at !== null && !isCheckDue(before.verified_at, at)))
          throw new AppError("no_rows_updated");
        assertUnchanged(before);
        const action = before.verified_at === null ? "psychologist_approved" : "licence_checked_again";
        return decide(request.context, tx, viewer, before, { action, at });
      }),
    ),

  // The psychologist stays in the list.
  reject: admin.reject
    .use(asShown(PSYCHOLOGIST))
    .handler(({ context: { request, viewer, db, now, assertUnchanged }, input }) =>
      db.transaction().execute(async (tx) => {
        const before = await lockPsychologistToDecide(tx, input.id);
        if (!before) throw new AppError("no_rows_updated");
        assertUnchanged(before);
        const decided = { action: "psychologist_rejected", at: now(), reason: input.reason || null } as const;
        return decide(request.context, tx, viewer, before, decided);
      }),
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

  // The rows stay stored until the removal cannot be undone any more. The author may ask again at once if the
  // consultation counted in the current window. The audit log contains the consultation and the administrator, never the
  // author.
  deleteConsultation: admin.deleteConsultation
    .use(asShown(REMOVABLE))
    .handler(async ({ context: { viewer, db, boss, now, assertUnchanged }, input: { id } }) => {
      const at = now();
      await db.transaction().execute(async (tx) => {
        const before = await lockWholeConsultation(tx, id);
        if (!before) throw await missing(tx, id, "consultation_not_found");
        assertUnchanged((await consultationToRemove(tx, id))!);
        const answerers = await lockAnswers(tx, [id]);
        await lockReplies(tx, id);
        await lockPsychologists(tx, answerers);
        const author = before.user_id;
        // Authors get no credit back for deleting their own consultation, including the administrator.
        const use = author && author !== viewer.id ? await lockWeeklyUse(tx, author) : undefined;
        const used = use ? usedAfterRemoval(use, before.created_at, at) : null;
        const credit_window = used === null ? null : use!.weekly_window_started_at;
        const decision_id = randomUUID();
        await saveRemovedRows(tx, { decision_id, consultation_id: id, credit_window, removed_at: at });
        await removeConsultations(tx, [id]);
        const action = "consultation_deleted";
        await insertAudit(tx, { id: decision_id, actor_id: viewer.id, action, target_id: id, created_at: at });
        await queueJob(boss, tx, REMOVALS, { decision_id }, { startAfter: UNDO_EFFECT_DELAY_SECONDS });
        if (used !== null) await setWeeklyUse(tx, author!, used, credit_window!).execute();
      });
    }),

  undoable: admin.undoable.handler(async ({ context: { viewer, db, now } }) => {
    const at = now();
    const rows = await undoableDecisions(db, viewer.id, undoableSince(at));
    return rows.map((row) => ({ ...row, seconds_left: undoSecondsLeft(row.created_at, at) }));
  }),

  undo: admin.undo.handler(({ context: { request, viewer, db, now }, input: { id } }) =>
    retryDeadlocks(() =>
      db.transaction().execute(async (tx) => {
        const at = now();
        const decision = await decisionById(tx, id);
        if (!decision) throw new AppError("not_found");
        if (undoSecondsLeft(decision.created_at, at) === 0) throw new AppError("undo_too_late");
        const revert = decision.action === "consultation_deleted" ? undoRemoval : undoVerification;
        await revert(request.context, tx, decision);
        const target_id = decision.target_id!;
        const details = { decision: id };
        await insertAudit(tx, { actor_id: viewer.id, action: "decision_undone", target_id, details, created_at: at });
      }),
    ),
  ),

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
    .handler(async ({ context: { viewer, db, boss, now, assertUnchanged }, input: { id } }) => {
      await db.transaction().execute(async (tx) => {
        const mail = await lockUndeliveredMail(tx, id);
        if (!mail) throw new AppError("no_rows_updated");
        assertUnchanged(mail);
        await insertAudit(tx, { actor_id: viewer.id, action: "mail_retried", target_id: id, created_at: now() });
        if (mail.gave_up) await boss.retry(MAIL_QUEUE, id, { db: fromKysely(tx) });
        else await retryMailNow(tx, id);
      });
    }),
});
