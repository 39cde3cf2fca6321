import { randomUUID } from "node:crypto";
import { AppError } from "#shared/errors.ts";
import type { Context } from "../../context.ts";
import { type Tx, violatedConstraint } from "../../database/handles.ts";
import { queueMail } from "../../mail/queues.ts";
import { removeOtherDevices } from "../../sessions/known-devices.ts";
import type { RequestContext } from "../../sessions/request-context.ts";
import { LIFETIMES } from "../../sessions/rules.ts";
import { type LockedAccount, lockAccount, lockOwnAccount } from "../../sessions/session.ts";
import { deleteSessions } from "../../sessions/store.ts";
import type { Session } from "../../sessions/viewer.ts";
import { hashToken, linkToken, randomSecret } from "../../tokens.ts";
import { deleteLinksOf, queueLink } from "../mailed-link-store.ts";
import { hashPassword } from "../password.ts";
import { invalidateRegistrations, lockRegistrations } from "../registration/store.ts";
import { deleteSecondFactorSince } from "../second-factor/store.ts";
import { setPassword } from "../store.ts";
import {
  confirmEmailChange,
  consumeEmailUndo,
  emailChangeByToken,
  type FoundChange,
  pendingEmailChange,
  setEmail,
  upsertEmailChange,
} from "./store.ts";

/**
 * Stores a request for an email change and queues the mail to the new email.
 *
 * Only that mail reveals whether the new email has an account, as with registrations.
 * @throws AppError invalid_input if it is the current email
 */
export async function requestEmailChange(request: RequestContext, session: Session, email: string): Promise<void> {
  const { db, boss, config, now } = request.context;
  const { viewer } = session;
  if (email === viewer.email)
    throw new AppError("invalid_input", { fields: { email: "Ese ya es el correo de tu cuenta." } });
  const id = randomUUID();
  const at = now();
  await db.transaction().execute(async (tx) => {
    const account = await lockOwnAccount(tx, session);
    const change_id = await upsertEmailChange(tx, {
      id,
      account_id: viewer.id,
      old_email: account.email,
      new_email: email,
      token_hash: hashToken(linkToken(config.secret, "change_email", id)),
      undo_hash: hashToken(linkToken(config.secret, "undo_email", id)),
      created_at: at,
      expires_at: new Date(at.getTime() + LIFETIMES.emailChange),
    });
    await queueMail(boss, tx, { kind: "confirm_email_change", change_id, mail_id: randomUUID() });
  });
}

/**
 * Sends the mail of the pending email change again.
 * @throws AppError not_found if no change is pending
 */
export async function resendEmailChange({ context }: RequestContext, { viewer }: Session): Promise<void> {
  const waiting = await pendingEmailChange(context.db, viewer.id, context.now());
  if (!waiting) throw new AppError("not_found");
  const job = { kind: "confirm_email_change", change_id: waiting.id, mail_id: randomUUID() } as const;
  await context.db.transaction().execute((tx) => queueMail(context.boss, tx, job));
}

/**
 * Returns the effect of an email-change link without using it.
 * @throws AppError link_expired
 */
export async function pendingEmailLink(
  { context }: RequestContext,
  token: string,
): Promise<{ purpose: "confirm" | "undo"; email: string }> {
  const change = await emailChangeByToken(context.db, hashToken(token), context.now());
  if (!change) throw new AppError("link_expired");
  return change.confirmed_at
    ? { purpose: "undo", email: change.old_email }
    : { purpose: "confirm", email: change.new_email };
}

/**
 * Stores the new email and notifies the old one.
 * @throws AppError link_expired
 */
async function confirmNewEmail({ boss }: Context, tx: Tx, account: LockedAccount, found: FoundChange, at: Date) {
  await lockRegistrations(tx, found.new_email);
  const change = await confirmEmailChange(tx, found.id, at, new Date(at.getTime() + LIFETIMES.emailUndo));
  if (!change) throw new AppError("link_expired");
  await setEmail(tx, account, change.new_email, at);
  await invalidateRegistrations(tx, change.new_email);
  await deleteLinksOf(tx, change.old_email);
  await deleteLinksOf(tx, change.new_email);
  await queueMail(boss, tx, { kind: "email_changed", change_id: found.id });
}

/**
 * Restores the old email, replaces the password, ends all sessions and sends a recovery link.
 *
 * The attacker who made the change knew the password.
 * @throws AppError link_expired
 */
async function revertToOldEmail(
  request: RequestContext,
  tx: Tx,
  account: LockedAccount,
  found: FoundChange,
  unknownPassword: string,
  at: Date,
) {
  const change = await consumeEmailUndo(tx, found.id, at);
  if (!change) throw new AppError("link_expired");
  await setEmail(tx, account, change.old_email, at);
  await setPassword(tx, account, unknownPassword, at);
  await deleteSecondFactorSince(tx, change.account_id, change.created_at);
  await deleteSessions(tx, account);
  await removeOtherDevices(tx, request, account);
  await queueLink(tx, request.context, "recover", change.old_email);
}

/**
 * Uses an email-change link once. The link in the new mailbox confirms the change; the link in the old mailbox reverts
 * it.
 * @throws AppError link_expired
 */
export async function applyEmailLink(request: RequestContext, token: string): Promise<"confirm" | "undo"> {
  const { db, now, rateLimits } = request.context;
  const at = now();
  const found = await emailChangeByToken(db, hashToken(token), at);
  if (!found) throw new AppError("link_expired");
  await rateLimits.spend("link", { link: token });
  // Hash before taking locks, because hashing is slow.
  const unknownPassword = found.confirmed_at ? await hashPassword(randomSecret()) : null;
  try {
    return await db.transaction().execute(async (tx) => {
      const account = await lockAccount(tx, found.account_id);
      if (!account) throw new AppError("link_expired");
      if (unknownPassword === null) {
        await confirmNewEmail(request.context, tx, account, found, at);
        return "confirm";
      }
      await revertToOldEmail(request, tx, account, found, unknownPassword, at);
      return "undo";
    });
  } catch (error) {
    if (violatedConstraint(error) === "profiles_email_key") throw new AppError("link_expired");
    throw error;
  }
}
