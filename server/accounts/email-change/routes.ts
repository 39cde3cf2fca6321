import { randomUUID } from "node:crypto";
import { AppError } from "#shared/errors.ts";
import { queueMail } from "../../mail/queues.ts";
import { rateLimit, requireRecentSignIn, requireSignIn } from "../../sessions/guards.ts";
import { removeOtherDevices } from "../../sessions/known-devices.ts";
import { api } from "../../sessions/operations.ts";
import { LIFETIMES } from "../../sessions/rules.ts";
import { lockAccount, lockOwnAccount } from "../../sessions/session.ts";
import { deleteSessions } from "../../sessions/store.ts";
import { hashToken, linkToken, randomSecret } from "../../tokens.ts";
import { deleteLinksOf, queueLink } from "../mailed-link-store.ts";
import { hashPassword } from "../password.ts";
import { refreshSession } from "../refresh-session.ts";
import { invalidateRegistrations, lockRegistrations } from "../registration/store.ts";
import { deleteSecondFactorSince } from "../second-factor/store.ts";
import { setPassword } from "../store.ts";
import {
  confirmEmailChange,
  deleteEmailChangesSince,
  deletePendingEmailChange,
  emailChangeByToken,
  lockEmailChange,
  pendingEmailChange,
  setEmail,
  upsertEmailChange,
} from "./store.ts";

const { accounts } = api;
const own = accounts.use(requireSignIn());

export const emailChangeRoutes = {
  // Only the mail reveals whether the new email has an account, as with registrations.
  changeEmail: accounts.changeEmail
    .use(requireRecentSignIn)
    .use(rateLimit("change_email"))
    .handler(async ({ context: { session, db, boss, config, now }, input: { email } }) => {
      if (email === session.viewer.email)
        throw new AppError("invalid_input", { fields: { email: "Ese ya es el correo de tu cuenta." } });
      const id = randomUUID();
      const at = now();
      await db.transaction().execute(async (tx) => {
        const account = await lockOwnAccount(tx, session);
        const change_id = await upsertEmailChange(tx, {
          id,
          account_id: account.id,
          old_email: account.email,
          new_email: email,
          token_hash: hashToken(linkToken(config.secret, "change_email", id)),
          undo_hash: hashToken(linkToken(config.secret, "undo_email", id)),
          created_at: at,
          expires_at: new Date(at.getTime() + LIFETIMES.emailChange),
        });
        await queueMail(boss, tx, { kind: "confirm_email_change", change_id, mail_id: randomUUID() });
      });
    }),

  resendEmailChange: own.resendEmailChange
    .use(rateLimit("change_email"))
    .handler(async ({ context: { viewer, db, boss, now } }) => {
      const waiting = await pendingEmailChange(db, viewer.id, now());
      if (!waiting) throw new AppError("not_found");
      const job = { kind: "confirm_email_change", change_id: waiting.id, mail_id: randomUUID() } as const;
      await db.transaction().execute((tx) => queueMail(boss, tx, job));
    }),

  cancelEmailChange: own.cancelEmailChange.use(rateLimit("account")).handler(async ({ context: { viewer, db } }) => {
    if (!(await deletePendingEmailChange(db, viewer.id))) throw new AppError("not_found");
  }),

  // Does not use the link.
  emailLink: accounts.emailLink.handler(async ({ context: { db, now }, input }) => {
    const change = await emailChangeByToken(db, hashToken(input.token), now());
    if (!change) throw new AppError("link_expired");
    const { confirmed_at, old_email, new_email } = change;
    return confirmed_at ? { purpose: "undo", email: old_email } : { purpose: "confirm", email: new_email };
  }),

  // The link in the new mailbox confirms the change. The link in the old mailbox reverts it: it also replaces the
  // password, ends all sessions and sends a recovery link. Each works once.
  applyEmailLink: accounts.applyEmailLink.handler(async ({ context, input }) => {
    const { request, db, boss, now, rateLimits } = context;
    const at = now();
    const token = hashToken(input.token);
    const found = await emailChangeByToken(db, token, at);
    if (!found) throw new AppError("link_expired");
    await rateLimits.spend("link", { link: input.token });
    // Hash before taking locks, because hashing is slow.
    const unknownPassword = found.confirmed_at ? await hashPassword(randomSecret()) : null;
    await db.transaction().execute(async (tx) => {
      const account = await lockAccount(tx, found.account_id);
      if (unknownPassword === null) await lockRegistrations(tx, found.new_email);
      const change = await lockEmailChange(tx, token, at);
      if (!account || !change) throw new AppError("link_expired");
      const { id, old_email, new_email, created_at, confirmed_at } = change;
      if (unknownPassword === null) {
        await confirmEmailChange(tx, id, at, new Date(at.getTime() + LIFETIMES.emailUndo));
        await setEmail(tx, account, new_email, at);
        await invalidateRegistrations(tx, new_email);
        await deleteLinksOf(tx, old_email);
        await deleteLinksOf(tx, new_email);
        await queueMail(boss, tx, { kind: "email_changed", change_id: id });
        return;
      }
      // The attacker who made the change knew the password.
      await deleteEmailChangesSince(tx, account.id, confirmed_at!);
      await setEmail(tx, account, old_email, at);
      await setPassword(tx, account, unknownPassword, at);
      await deleteSecondFactorSince(tx, account.id, created_at);
      await deleteSessions(tx, account);
      await removeOtherDevices(tx, request, account);
      await queueLink(tx, request.context, "recover", old_email);
    });
    await refreshSession(request);
    return { purpose: found.confirmed_at ? "undo" : "confirm" };
  }),
};
