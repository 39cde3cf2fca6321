import { randomUUID } from "node:crypto";
import type { z } from "zod";
import { AppError } from "#shared/errors.ts";
import type { SignInInput, SignOutInput } from "#shared/sign-in.ts";
import {
  addKnownDevice,
  ensureDeviceCookie,
  findKnownDevice,
  removeKnownDevice,
  removeOtherDevices,
} from "../../sessions/known-devices.ts";
import type { RequestContext } from "../../sessions/request-context.ts";
import {
  clearSessionCookie,
  createSession,
  lockAccount,
  lockOwnAccount,
  lockVerifiedAccount,
  rotateSession,
} from "../../sessions/session.ts";
import { deleteSession, deleteSessions } from "../../sessions/store.ts";
import type { Session } from "../../sessions/viewer.ts";
import { hashToken } from "../../tokens.ts";
import { consumeLink, linkByToken } from "../mailed-link-store.ts";
import { DUMMY_HASH, verifyPassword } from "../password.ts";
import { BROWSER_COOKIE } from "../registration/browser.ts";
import { ownRegistration } from "../registration/store.ts";
import { createChallenge } from "../second-factor/challenges.ts";
import { credentialsByEmail, passwordOf, profileByEmail } from "../store.ts";
import { countAttempt } from "./attempts.ts";

/**
 * Signs in with a new session.
 *
 * Neither the response nor its time reveals whether the email has an account. A password is always compared, and a
 * registration of this browser always gets the same response. A known device has its own attempt limit, which other
 * devices cannot use up (docs/decisions/0013).
 * @returns true if a code of the second factor is required first; the user is not signed in before
 * @throws AppError invalid_credentials, email_not_confirmed, sign_in_paused, too_many_requests
 */
export async function signIn(request: RequestContext, input: z.infer<typeof SignInInput>): Promise<boolean> {
  const { db, now, rateLimits } = request.context;
  const { address } = request;
  ensureDeviceCookie(request.cookies);
  const account = await credentialsByEmail(db, input.email);
  // A random id for an email without an account, so that the same SQL statements run.
  const device = await findKnownDevice(db, request, account?.id ?? randomUUID());
  if (!device) await rateLimits.check("sign_in", { address });
  await countAttempt(request, "password", device ? { device } : { email: input.email });
  const right = await verifyPassword(input.password, account?.password_hash ?? DUMMY_HASH);
  if (!account || !right) {
    // Only this browser's registration counts. Neither response nor time reveals registrations of other browsers.
    const browser = request.cookies.get(BROWSER_COOKIE);
    const waiting = browser && (await ownRegistration(db, input.email, now(), hashToken(browser)));
    const unconfirmed = waiting && (await verifyPassword(input.password, waiting.password_hash));
    if (!device) await rateLimits.spend("sign_in", { address });
    throw new AppError(unconfirmed ? "email_not_confirmed" : "invalid_credentials");
  }
  // Attempts of unknown devices stay counted.
  if (device) await rateLimits.reset("password", { device });
  const at = now();
  const compared = { accountId: account.id, email: account.email, passwordHash: account.password_hash };
  return db.transaction().execute(async (tx) => {
    const verified = await lockVerifiedAccount(tx, compared);
    if (verified.hasSecondFactor) {
      await createChallenge(tx, request.cookies, verified, at);
      return true;
    }
    if (request.session) await deleteSession(tx, request.session.id);
    await createSession(tx, request, verified, at, { passwordAt: at });
    return false;
  });
}

/**
 * Checks the password again, so that sensitive changes are allowed for 10 min (specification, section 2, "Account").
 * Rotates the session.
 * @throws AppError invalid_input with an error at the field
 * @throws AppError too_many_requests
 */
export async function reauthenticate(request: RequestContext, session: Session, password: string): Promise<void> {
  const { db, now } = request.context;
  const { viewer } = session;
  await countAttempt(request, "password", { device: session.id });
  const { password_hash } = await passwordOf(db, viewer.id);
  if (!(await verifyPassword(password, password_hash)))
    throw new AppError("invalid_input", { fields: { password: "Esa no es tu contraseña." } });
  const at = now();
  const compared = { accountId: viewer.id, email: viewer.email, passwordHash: password_hash };
  await db.transaction().execute(async (tx) => {
    await lockOwnAccount(tx, session);
    const account = await lockVerifiedAccount(tx, compared);
    await rotateSession(tx, request, account, session, at, { passwordAt: at });
  });
}

/**
 * Ends the session of this device, of all other devices, or of all.
 *
 * This browser stays a known device unless `forget_device` is set. Ending other sessions also deletes their known
 * devices.
 */
export async function signOut(
  request: RequestContext,
  session: Session,
  { scope, forget_device }: z.infer<typeof SignOutInput>,
): Promise<void> {
  await request.context.db.transaction().execute(async (tx) => {
    const account = await lockAccount(tx, session.viewer.id);
    if (!account) return;
    if (scope === "this") await deleteSession(tx, session.id);
    else {
      await deleteSessions(tx, account, scope === "others" ? session.id : undefined);
      await removeOtherDevices(tx, request, account);
    }
    if (forget_device) await removeKnownDevice(tx, request, account.id);
  });
  if (scope !== "others") clearSessionCookie(request.cookies);
}

/**
 * Makes this browser a known device of the account whose mailbox got the link, once. Does not sign in: password and
 * code are still required.
 * @throws AppError link_expired
 */
export async function applyDeviceLink(request: RequestContext, token: string): Promise<void> {
  const { db, now } = request.context;
  const at = now();
  const link = await linkByToken(db, "known_device", token, at);
  const owner = link && (await profileByEmail(db, link.email));
  if (!owner) throw new AppError("link_expired");
  await db.transaction().execute(async (tx) => {
    const account = await lockAccount(tx, owner.id);
    if (account?.email !== link.email || !(await consumeLink(tx, "known_device", link)))
      throw new AppError("link_expired");
    await addKnownDevice(tx, request, account.id, at);
  });
}
