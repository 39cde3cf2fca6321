import type { z } from "zod";
import type { ChangePasswordInput, NewPasswordInput } from "#shared/accounts.ts";
import { AppError } from "#shared/errors.ts";
import { queueMail } from "../../mail/queues.ts";
import { addKnownDevice, removeOtherDevices } from "../../sessions/known-devices.ts";
import type { RequestContext } from "../../sessions/request-context.ts";
import { clearSessionCookie, lockAccount, lockOwnAccount, rotateSession } from "../../sessions/session.ts";
import { deleteSessions } from "../../sessions/store.ts";
import type { Session } from "../../sessions/viewer.ts";
import { deletePendingEmailChange } from "../email-change/store.ts";
import { consumeLink, deleteLinksOf, linkByToken } from "../mailed-link-store.ts";
import { hashPassword, passwordError } from "../password.ts";
import { profileByEmail, setPassword } from "../store.ts";

/**
 * Sets a new password with the mailed link, once, and ends all sessions of the account.
 *
 * This browser becomes the only known device, because its user has the mailbox: attempts of others must not lock the
 * owner out after a recovery.
 * @throws AppError link_expired
 * @throws AppError invalid_input if the password is weak
 */
export async function recoverPassword(request: RequestContext, input: z.infer<typeof NewPasswordInput>): Promise<void> {
  const { db, boss, now, rateLimits } = request.context;
  const at = now();
  const link = await linkByToken(db, "recover", input.token, at);
  const profile = link && (await profileByEmail(db, link.email));
  if (!profile) throw new AppError("link_expired");
  await rateLimits.spend("link", { link: input.token });
  const weak = passwordError(input.password, profile);
  if (weak) throw new AppError("invalid_input", { fields: { password: weak } });
  const passwordHash = await hashPassword(input.password);
  await db.transaction().execute(async (tx) => {
    const account = await lockAccount(tx, profile.id);
    // The owner may have reverted the email change while we hashed the password.
    if (account?.email !== link.email || !(await consumeLink(tx, "recover", link))) throw new AppError("link_expired");
    await setPassword(tx, account, passwordHash, at);
    await deletePendingEmailChange(tx, profile.id);
    await deleteSessions(tx, account);
    await queueMail(boss, tx, { kind: "password_changed", profile_id: profile.id });
    await addKnownDevice(tx, request, account.id, at);
    await removeOtherDevices(tx, request, account);
  });
  clearSessionCookie(request.cookies);
}

/**
 * Sets a new password, ends all other sessions, invalidates mailed links that could change the account, and rotates
 * this session.
 * @throws AppError invalid_input if the password is weak
 */
export async function changePassword(
  request: RequestContext,
  session: Session,
  input: z.infer<typeof ChangePasswordInput>,
): Promise<void> {
  const { db, boss, now } = request.context;
  const { viewer } = session;
  const weak = passwordError(input.password, viewer);
  if (weak) throw new AppError("invalid_input", { fields: { password: weak } });
  const passwordHash = await hashPassword(input.password);
  const at = now();
  await db.transaction().execute(async (tx) => {
    const account = await lockOwnAccount(tx, session);
    await setPassword(tx, account, passwordHash, at);
    await deleteLinksOf(tx, account.email);
    await deletePendingEmailChange(tx, viewer.id);
    await deleteSessions(tx, account, session.id);
    await removeOtherDevices(tx, request, account);
    await queueMail(boss, tx, { kind: "password_changed", profile_id: viewer.id });
    // Last, because it sets a cookie that a rollback would not take back.
    await rotateSession(tx, request, account, session, at, { passwordAt: at });
  });
}
