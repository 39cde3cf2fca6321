import { AppError } from "#shared/errors.ts";
import type { Context } from "../../context.ts";
import type { Session } from "../../sessions/viewer.ts";
import { hashToken, newUnsubscribeLink } from "../../tokens.ts";
import { disableAnswerNotifications, setAnswerNotifications } from "./store.ts";

/** Turns mails about answers on or off for all consultations. Turning them on invalidates earlier unsubscribe links. */
export async function updateAnswerNotifications(
  { db, config }: Context,
  { viewer }: Session,
  on: boolean,
): Promise<void> {
  await setAnswerNotifications(db, viewer.id, on, newUnsubscribeLink(config.secret));
}

/**
 * Unsubscribes from mails about answers by a mailed link. Idempotent.
 * @throws AppError link_expired
 */
export async function unsubscribe({ db }: Context, token: string): Promise<void> {
  if (!(await disableAnswerNotifications(db, hashToken(token)))) throw new AppError("link_expired");
}
