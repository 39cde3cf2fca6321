import { randomUUID } from "node:crypto";
import { AppError } from "#shared/errors.ts";
import { rateLimit, requireSignIn } from "../../sessions/guards.ts";
import {
  addKnownDevice,
  ensureDeviceCookie,
  findKnownDevice,
  removeKnownDevice,
  removeOtherDevices,
} from "../../sessions/known-devices.ts";
import { api } from "../../sessions/operations.ts";
import { presentSession } from "../../sessions/present.ts";
import {
  clearSessionCookie,
  createSession,
  lockAccount,
  lockOwnAccount,
  lockVerifiedAccount,
  rotateSession,
} from "../../sessions/session.ts";
import { deleteOwnSession, deleteSession, deleteSessions, touchSession } from "../../sessions/store.ts";
import { hashToken } from "../../tokens.ts";
import { consumeLink, linkByToken } from "../mailed-link-store.ts";
import { DUMMY_HASH, verifyPassword } from "../password.ts";
import { refreshSession } from "../refresh-session.ts";
import { BROWSER_COOKIE, ownRegistration } from "../registration/store.ts";
import { createChallenge } from "../second-factor/challenge-store.ts";
import { credentialsByEmail, passwordOf, profileByEmail } from "../store.ts";
import { countAttempt } from "./attempts.ts";

const { accounts } = api;
const own = accounts.use(requireSignIn());

export const signInRoutes = {
  session: accounts.session.handler(({ context: { request, now } }) => presentSession(request.session, now())),

  renewSession: own.renewSession
    .use(rateLimit("session"))
    .handler(async ({ context: { request, session, db, now } }) => {
      await touchSession(db, session.id, now());
      return refreshSession(request);
    }),

  // Neither the response nor its time reveals whether the email has an account. A password is always compared, and a
  // registration of this browser always gets the same response. A known device has its own attempt limit, which other
  // devices cannot use up (docs/decisions/0013).
  signIn: accounts.signIn.handler(async ({ context: { request, db, now, rateLimits }, input }) => {
    const { cookies, address } = request;
    ensureDeviceCookie(cookies);
    const account = await credentialsByEmail(db, input.email);
    // A random id for an email without an account, so that the same SQL statements run.
    const device = await findKnownDevice(db, request, account?.id ?? randomUUID());
    if (!device) await rateLimits.check("sign_in", { address });
    await countAttempt(request, "password", device ? { device } : { email: input.email });
    const right = await verifyPassword(input.password, account?.password_hash ?? DUMMY_HASH);
    if (!account || !right) {
      // Only this browser's registration counts. Neither response nor time reveals registrations of other browsers.
      const browser = cookies.get(BROWSER_COOKIE);
      const waiting = browser && (await ownRegistration(db, input.email, now(), hashToken(browser)));
      const unconfirmed = waiting && (await verifyPassword(input.password, waiting.password_hash));
      if (!device) await rateLimits.spend("sign_in", { address });
      throw new AppError(unconfirmed ? "email_not_confirmed" : "invalid_credentials");
    }
    // Attempts of unknown devices stay counted.
    if (device) await rateLimits.reset("password", { device });
    const at = now();
    const { id: accountId, email, password_hash: passwordHash } = account;
    const second_factor_required = await db.transaction().execute(async (tx) => {
      const verified = await lockVerifiedAccount(tx, { accountId, email, passwordHash });
      if (verified.hasSecondFactor) await createChallenge(tx, cookies, verified, at);
      else {
        if (request.session) await deleteSession(tx, request.session.id);
        await createSession(tx, request, verified, at, { passwordAt: at });
      }
      return verified.hasSecondFactor;
    });
    const session = second_factor_required ? presentSession(null, at) : await refreshSession(request);
    return { ...session, second_factor_required };
  }),

  // Sensitive changes are allowed for 10 min after it (specification, section 2, "Account").
  reauthenticate: own.reauthenticate.handler(async ({ context: { request, session, viewer, db, now }, input }) => {
    await countAttempt(request, "password", { device: session.id });
    const { password_hash: passwordHash } = await passwordOf(db, viewer.id);
    if (!(await verifyPassword(input.password, passwordHash)))
      throw new AppError("invalid_input", { fields: { password: "Esa no es tu contraseña." } });
    const at = now();
    await db.transaction().execute(async (tx) => {
      await lockOwnAccount(tx, session);
      const account = await lockVerifiedAccount(tx, { accountId: viewer.id, email: viewer.email, passwordHash });
      await rotateSession(tx, request, account, session, at, { passwordAt: at });
    });
    return refreshSession(request);
  }),

  // Idempotent. This browser stays a known device unless `forget_device` is set. Ending other sessions also deletes their
  // known devices.
  signOut: accounts.signOut.handler(async ({ context: { request, db }, input: { scope, forget_device } }) => {
    const { session, cookies } = request;
    if (!session) return;
    await db.transaction().execute(async (tx) => {
      const account = await lockAccount(tx, session.viewer.id);
      if (!account) return;
      if (scope === "this") await deleteSession(tx, session.id);
      else {
        await deleteSessions(tx, account, scope === "others" ? session.id : undefined);
        await removeOtherDevices(tx, request, account);
      }
      if (forget_device) await removeKnownDevice(tx, request, account.id);
    });
    if (scope === "others") return;
    clearSessionCookie(cookies);
    request.session = null;
  }),

  endSession: own.endSession.handler(async ({ context: { request, session, db }, input }) => {
    // Also for another user's session.
    if (!(await deleteOwnSession(db, session.viewer.id, input.id))) throw new AppError("not_found");
    if (input.id !== session.id) return;
    clearSessionCookie(request.cookies);
    request.session = null;
  }),

  // Does not use the link.
  deviceLink: accounts.deviceLink.handler(async ({ context: { db, now }, input }) => {
    if (!(await linkByToken(db, "known_device", input.token, now()))) throw new AppError("link_expired");
  }),

  // Makes this browser a known device of the account whose mailbox got the link, once. Does not sign in: password and
  // code are still required.
  applyDeviceLink: accounts.applyDeviceLink.handler(async ({ context: { request, db, now }, input }) => {
    const at = now();
    const link = await linkByToken(db, "known_device", input.token, at);
    const owner = link && (await profileByEmail(db, link.email));
    if (!owner) throw new AppError("link_expired");
    await db.transaction().execute(async (tx) => {
      const account = await lockAccount(tx, owner.id);
      if (account?.email !== link.email || !(await consumeLink(tx, "known_device", link)))
        throw new AppError("link_expired");
      await addKnownDevice(tx, request, account.id, at);
    });
  }),
};
