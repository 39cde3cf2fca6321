import { AppError } from "#shared/errors.ts";
import { queueMail } from "../../mail/queues.ts";
import { rateLimit, requireRecentSignIn } from "../../sessions/guards.ts";
import { addKnownDevice, removeOtherDevices } from "../../sessions/known-devices.ts";
import { api } from "../../sessions/operations.ts";
import { clearSessionCookie, lockAccount, lockOwnAccount, rotateSession } from "../../sessions/session.ts";
import { deleteSessions } from "../../sessions/store.ts";
import { deletePendingEmailChange } from "../email-change/store.ts";
import { consumeLink, deleteLinksOf, linkByToken, queueLink } from "../mailed-link-store.ts";
import { hashPassword, passwordError } from "../password.ts";
import { refreshSession } from "../refresh-session.ts";
import { profileByEmail, setPassword } from "../store.ts";

/** @throws AppError invalid_input */
function assertStrong(...given: Parameters<typeof passwordError>): void {
  const weak = passwordError(...given);
  if (weak) throw new AppError("invalid_input", { fields: { password: weak } });
}

const { accounts } = api;

export const recoveryRoutes = {
  requestRecovery: accounts.requestRecovery
    .use(rateLimit("mail_request"))
    .handler(async ({ context: { request, db }, input }) => {
      await db.transaction().execute((tx) => queueLink(tx, request.context, "recover", input.email));
    }),

  // This browser becomes the only known device, because its user has the mailbox: attempts of others must not lock the
  // owner out after a recovery.
  recover: accounts.recover.handler(async ({ context: { request, db, boss, now, rateLimits }, input }) => {
    const at = now();
    const link = await linkByToken(db, "recover", input.token, at);
    const profile = link && (await profileByEmail(db, link.email));
    if (!profile) throw new AppError("link_expired");
    await rateLimits.spend("link", { link: input.token });
    assertStrong(input.password, profile);
    const passwordHash = await hashPassword(input.password);
    await db.transaction().execute(async (tx) => {
      const account = await lockAccount(tx, profile.id);
      // The owner may have reverted the email change while we hashed the password.
      if (account?.email !== link.email || !(await consumeLink(tx, "recover", link)))
        throw new AppError("link_expired");
      await setPassword(tx, account, passwordHash, at);
      await deletePendingEmailChange(tx, account.id);
      await deleteSessions(tx, account);
      await queueMail(boss, tx, { kind: "password_changed", profile_id: account.id });
      await addKnownDevice(tx, request, account.id, at);
      await removeOtherDevices(tx, request, account);
    });
    clearSessionCookie(request.cookies);
    request.session = null;
  }),

  changePassword: accounts.changePassword
    .use(requireRecentSignIn)
    .use(rateLimit("account"))
    .handler(async ({ context: { request, session, viewer, db, boss, now }, input }) => {
      assertStrong(input.password, viewer);
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
      return refreshSession(request);
    }),
};
