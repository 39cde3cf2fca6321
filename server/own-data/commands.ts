import { randomInt, randomUUID } from "node:crypto";
import { AppError } from "#shared/errors.ts";
import { deleteLinksOf } from "../accounts/mailed-link-store.ts";
import { invalidateRegistrations } from "../accounts/registration/store.ts";
import type { Context } from "../context.ts";
import { retryDeadlocks, type Tx } from "../database/handles.ts";
import { queueMail } from "../mail/queues.ts";
import { endMembershipsOf } from "../memberships/steps.ts";
import { deleteReviewsById, recountReviews } from "../reviews/store.ts";
import type { RequestContext } from "../sessions/request-context.ts";
import { clearSessionCookie, lockOwnAccount } from "../sessions/session.ts";
import type { Session } from "../sessions/viewer.ts";
import { removeAnswers, removeConsultations } from "../threads/steps.ts";
import { queueFileRemoval } from "../uploads/queues.ts";
import { photoKey } from "../uploads/rules.ts";
import { anonymiseTexts } from "./anonymising-store.ts";
import { anonymisedTextDueAt } from "./rules.ts";
import { deleteProfile, insertDeletedAccountEmail, lockNamedTexts, type NamedTexts } from "./store.ts";

/** Attempts if the user published something between the read and the locks. */
const TRIES = 5;
/** Resolution of random times: finer than 1 ms of the span, so that two texts rarely get the same time. */
const RANDOM_STEPS = 2 ** 40;

/**
 * Deletes an account at once and for good (specification, section 2, "Account").
 *
 * Texts under the name are deleted with it. The others are anonymised and, if wished, deleted in the next days, each at
 * a random time: texts that vanish together would reveal a common author.
 * @throws AppError server_busy if the user publishes during every attempt
 */
export async function deleteAccount(
  request: RequestContext,
  session: Session,
  anonymous_texts: "delete" | "keep",
): Promise<void> {
  const { context } = request;
  for (let tries = 0; tries < TRIES; tries++) {
    const done = await retryDeadlocks(() =>
      context.db.transaction().execute(async (tx) => {
        const named = await lockNamedTexts(tx, session.viewer.id);
        if (named) {
          await lockOwnAccount(tx, session);
          await deleteAccountIn(context, tx, session, named, anonymous_texts);
        }
        return named !== null;
      }),
    );
    if (!done) continue;
    clearSessionCookie(request.cookies);
    context.log.info({ event: "account_closed" });
    return;
  }
  throw new AppError("server_busy", { details: { retry_after_seconds: 5 } });
}

async function deleteAccountIn(
  { boss, now }: Context,
  tx: Tx,
  { viewer }: Session,
  named: NamedTexts,
  anonymous_texts: "delete" | "keep",
): Promise<void> {
  const at = now();
  await removeAnswers(tx, named.answers);
  await removeConsultations(tx, named.consultations);
  await deleteReviewsById(
    tx,
    named.reviews.map((review) => review.id),
  );
  await recountReviews(
    tx,
    named.reviews.map((review) => review.psychologist_id),
  );

  const dueColumn = anonymous_texts === "delete" ? "delete_at" : "rewrite_at";
  const moment = () => anonymisedTextDueAt(at, randomInt(RANDOM_STEPS) / RANDOM_STEPS);
  await anonymiseTexts(tx, viewer.id, viewer.user_type === "psychologist", dueColumn, moment);

  await endMembershipsOf({ boss }, tx, viewer.id, at);
  const gone = await deleteProfile(tx, viewer.id);
  if (!gone) throw new AppError("sign_in_required");
  const photo = photoKey(gone.avatar_url);
  if (photo) await queueFileRemoval(boss, tx, photo);
  await invalidateRegistrations(tx, gone.email);
  await deleteLinksOf(tx, gone.email);
  const deleted_account_email_id = randomUUID();
  await insertDeletedAccountEmail(tx, { id: deleted_account_email_id, email: gone.email, created_at: at });
  await queueMail(boss, tx, { kind: "account_deleted", deleted_account_email_id });
}
