import { randomUUID } from "node:crypto";
import { AppError } from "#shared/errors.ts";
import { deleteLinksOf } from "../accounts/mailed-link-store.ts";
import { invalidateRegistrations } from "../accounts/registration/store.ts";
import type { Context } from "../context.ts";
import { retryDeadlocks, type Tx } from "../database/handles.ts";
import { queueMail } from "../mail/queues.ts";
import { isActive } from "../memberships/gold-end-rules.ts";
import { endMembershipsOf } from "../memberships/steps.ts";
import { currentMembership } from "../memberships/store.ts";
import { deleteReviewsById, recountReviews } from "../reviews/store.ts";
import { rateLimit, requireRecentSignIn, requireSignIn } from "../sessions/guards.ts";
import { api } from "../sessions/operations.ts";
import { clearSessionCookie, lockOwnAccount } from "../sessions/session.ts";
import type { Session } from "../sessions/viewer.ts";
import { removeAnswers, removeConsultations } from "../threads/store.ts";
import { queueFileRemoval } from "../uploads/queues.ts";
import { photoKey } from "../uploads/rules.ts";
import { openExport } from "./export-store.ts";
import { anonymiseTexts, countsOf, deleteProfile, insertDeletedAccountEmail, lockNamedTexts } from "./store.ts";

/** Attempts if the user published something between the read and the locks. */
const TRIES = 5;

/**
 * Deletes an account with the texts under its name. The others are anonymised and, if wished, deleted in the next days,
 * each at a random time: texts that vanish together would reveal a common author.
 * @returns false if the user published something between the read and the locks
 */
async function tryToDelete({ boss, now }: Context, tx: Tx, session: Session, anonymous_texts: "delete" | "keep") {
  const { id } = session.viewer;
  const named = await lockNamedTexts(tx, id);
  if (!named) return false;
  await lockOwnAccount(tx, session);
  const at = now();
  const { answers, consultations, reviews } = named;
  await removeAnswers(tx, answers);
  await removeConsultations(tx, consultations);
  await deleteReviewsById(
    tx,
    reviews.map((review) => review.id),
  );
  await recountReviews(
    tx,
    reviews.map((review) => review.psychologist_id),
  );

  await anonymiseTexts(tx, id, anonymous_texts === "delete" ? "delete_at" : "rewrite_at", at);

  await endMembershipsOf({ boss }, tx, id, at);
  const gone = await deleteProfile(tx, id);
  if (!gone) throw new AppError("sign_in_required");
  const photo = photoKey(gone.avatar_url);
  if (photo) await queueFileRemoval(boss, tx, photo);
  await invalidateRegistrations(tx, gone.email);
  await deleteLinksOf(tx, gone.email);
  const deleted_account_email_id = randomUUID();
  await insertDeletedAccountEmail(tx, { id: deleted_account_email_id, email: gone.email, created_at: at });
  await queueMail(boss, tx, { kind: "account_deleted", deleted_account_email_id });
  return true;
}

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
    .handler(async ({ context: { request, session, db, log }, input: { anonymous_texts } }) => {
      for (let tries = 0; tries < TRIES; tries++) {
        const deleted = await retryDeadlocks(() =>
          db.transaction().execute((tx) => tryToDelete(request.context, tx, session, anonymous_texts)),
        );
        if (!deleted) continue;
        clearSessionCookie(request.cookies);
        log.info({ event: "account_closed" });
        request.session = null;
        return;
      }
      throw new AppError("server_busy", { details: { retry_after_seconds: 5 } });
    }),
});
