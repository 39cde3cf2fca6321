import { CONSENT_VERSION, type Consent } from "#shared/consents.ts";
import { AppError } from "#shared/errors.ts";
import type { Context } from "../../context.ts";
import type { Request } from "../../sessions/request.ts";
import type { Session } from "../../sessions/viewer.ts";
import { hashToken, newUnsubscribeLink } from "../../tokens.ts";
import { giveConsent, putAnswerMails, stopAnswerMails, withdrawConsent } from "./store.ts";

/** Gives or withdraws a consent, and records the time of both; idempotent. */
export async function setConsent(request: Request, { viewer }: Session, kind: Consent, given: boolean): Promise<void> {
  const { db, now } = request.context;
  if (given) await giveConsent(db, viewer.id, kind, CONSENT_VERSION, now());
  else await withdrawConsent(db, viewer.id, kind, now());
}

/**
 * Turns mails about answers on or off for all consultations. Turning them on invalidates the unsubscribe links of earlier
 * mails.
 */
export async function setAnswerMails({ db, config }: Context, { viewer }: Session, on: boolean): Promise<void> {
  await putAnswerMails(db, viewer.id, on, newUnsubscribeLink(config.secret));
}

/** Unsubscribes from mails about answers, by a mail's link; idempotent. @throws AppError link_expired */
export async function unsubscribe({ db }: Context, token: string): Promise<void> {
  if (!(await stopAnswerMails(db, hashToken(token)))) throw new AppError("link_expired");
}
