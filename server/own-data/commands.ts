import { randomInt, randomUUID } from "node:crypto";
import { AppError } from "#shared/errors.ts";
import { forgetSession, lockOwnAccount, type Session } from "../accounts/sessions.ts";
import { closeRegistrations, dropDeviceLinks, dropRecovery } from "../accounts/store.ts";
import { deleteAnswer } from "../answers/store.ts";
import { deleteConsultation, recountResponses } from "../consultations/store.ts";
import type { Context } from "../context.ts";
import { despiteDeadlocks, type Tx } from "../db.ts";
import { queueCancellation, queueFileRemoval, queueMail } from "../jobs.ts";
import { canBeCancelled, mustCancelAtProvider } from "../memberships/rules.ts";
import { endSubscription, rememberAbandonedCheckouts, subscriptionsOf } from "../memberships/store.ts";
import type { Request } from "../request.ts";
import { recountReviews } from "../reviews/store.ts";
import { photoKey } from "../uploads/rules.ts";
import { namelessGoesAt } from "./rules.ts";
import {
  deleteProfile,
  deleteReviewById,
  insertFarewell,
  lockNamed,
  type Named,
  untieNameless,
  untieRemoved,
} from "./store.ts";

/** Something was published between our looking and our locks; looking again is all that is needed. */
const TRIES = 5;
/** Finer than a millisecond of the span: two texts get one moment no more often than they must. */
const CHANCES = 2 ** 40;

/**
 * Deletes an account at once and for good (specification, section 2, "Account"). What stands under the name goes with it;
 * what was written without one is tied to nobody from this moment on and, if wished, deleted in the next days, each text at a
 * moment of its own: texts that vanish together would tell whose they were.
 * @throws AppError busy when the person keeps publishing meanwhile
 */
export async function closeAccount(request: Request, session: Session, nameless: "delete" | "keep"): Promise<void> {
  const { context } = request;
  for (let tries = 0; tries < TRIES; tries++) {
    const done = await despiteDeadlocks(() =>
      context.db.transaction().execute(async (tx) => {
        const named = await lockNamed(tx, session.viewer.id);
        if (named) {
          await lockOwnAccount(tx, session);
          await close(context, tx, session, named, nameless);
        }
        return named !== null;
      }),
    );
    if (!done) continue;
    forgetSession(request.cookies);
    context.log.info({ event: "account_closed" });
    return;
  }
  throw new AppError("busy", { facts: { retry_after_seconds: 5 } });
}

async function close(
  { boss, now }: Context,
  tx: Tx,
  { viewer }: Session,
  named: Named,
  nameless: "delete" | "keep",
): Promise<void> {
  const at = now();
  for (const { id } of named.answers) await deleteAnswer(tx, id, at);
  for (const thread of new Set(named.answers.map((answer) => answer.consultation_id)))
    await recountResponses(tx, thread);
  for (const id of named.consultations) await deleteConsultation(tx, id, at);
  for (const { id } of named.reviews) await deleteReviewById(tx, id);
  for (const { psychologist_id } of named.reviews) await recountReviews(tx, psychologist_id);

  const fate = nameless === "delete" ? "goes_at" : "settles_at";
  const moment = () => namelessGoesAt(at, randomInt(CHANCES) / CHANCES);
  await untieNameless(tx, viewer.id, viewer.user_type === "psychologist", fate, moment);

  // One that gives no Gold any more may be charged all the same.
  const memberships = await subscriptionsOf(tx, viewer.id);
  for (const one of memberships.filter((each) => each.status === "active" || canBeCancelled(each))) {
    const told = mustCancelAtProvider(one);
    const cancelled_at = one.cancelled_at ?? at;
    await endSubscription(tx, one.id, { ended_by: "person", cancelled_at, cancel_requested_at: told ? at : null });
    if (told) await queueCancellation(boss, tx, one.id);
  }
  await rememberAbandonedCheckouts(tx, viewer.id, at);
  await untieRemoved(tx, viewer.id, fate, moment);
  const gone = await deleteProfile(tx, viewer.id);
  if (!gone) throw new AppError("sign_in_required");
  const photo = photoKey(gone.avatar_url);
  if (photo) await queueFileRemoval(boss, photo, { tx });
  await closeRegistrations(tx, gone.email);
  await dropRecovery(tx, gone.email);
  await dropDeviceLinks(tx, gone.email);
  const farewell_id = randomUUID();
  await insertFarewell(tx, { id: farewell_id, email: gone.email, created_at: at });
  await queueMail(boss, tx, { kind: "account_deleted", farewell_id });
}
