import { randomUUID } from "node:crypto";
import type { z } from "zod";
import type {
  ChangePasswordInput,
  ConfirmInput,
  NewPasswordInput,
  ProfileInput,
  SignInInput,
  SignUpInput,
} from "#shared/accounts.ts";
import { AppError } from "#shared/errors.ts";
import { keptLicence } from "#shared/licences.ts";
import { CONSENT_VERSION, CONSENTS, type Consent } from "#shared/lists.ts";
import { returnPath } from "#shared/return-path.ts";
import type { Context } from "../context.ts";
import { type Tx, violatedConstraint } from "../db.ts";
import { queueMail } from "../jobs.ts";
import type { Request } from "../request.ts";
import { beginChallenge } from "../second-factor/challenges.ts";
import { hasSecondFactor } from "../second-factor/store.ts";
import { hashPassword, isNobodysPassword, isPassword, whyWeak } from "./password.ts";
import { changesWhatWasVerified, LIFETIMES, profileProblems, type Viewer, whyCannotSaveProfile } from "./rules.ts";
import { beginSession, forgetSession, raiseSession, type Session } from "./sessions.ts";
import {
  confirmEmailChange,
  credentialsByEmail,
  deleteOwnSession,
  deleteSession,
  deleteSessions,
  dropRecovery,
  dropRegistrations,
  dropSecondFactorSince,
  dropWaitingEmailChange,
  emailChangeByToken,
  giveConsent,
  insertAccount,
  insertConsents,
  insertRegistration,
  lockProfile,
  lockPsychologistProfile,
  lockRegistrations,
  type NewRegistration,
  newestRegistration,
  passwordOf,
  profileByEmail,
  profileById,
  putEmailChange,
  putRecovery,
  recoveryByToken,
  registrationByToken,
  setEmail,
  setFullName,
  setPassword,
  setProfessional,
  takeEmailUndo,
  takeRecovery,
  takeRegistration,
  touchSession,
  waitingEmailChange,
  withdrawConsent,
} from "./store.ts";
import { hashToken, linkToken, randomSecret, sameBytes } from "./tokens.ts";

/** Tells, in the browser that registered, that one tap is enough to confirm. */
const BROWSER_COOKIE = "registration";

/**
 * Writes a registration down and queues its mail. Nothing here depends on whether the address has an account: what the
 * mail says is decided when it is written, so neither the answer nor its time tells.
 * @throws AppError invalid_input when the password is weak
 */
export async function signUp(request: Request, input: z.infer<typeof SignUpInput>): Promise<void> {
  const { db, boss, config, now } = request.context;
  const weak = whyWeak(input.password, input);
  if (weak) throw new AppError("invalid_input", { fields: { password: weak } });
  const password_hash = await hashPassword(input.password);
  const id = randomUUID();
  const known = request.cookies.get(BROWSER_COOKIE);
  const browser = known && /^[\w-]{43}$/.test(known) ? known : randomSecret();
  const at = now();
  const { specialty, country, bio, phone, whatsapp } = input;
  const license_number = input.license_number && keptLicence(input.license_number, country);
  const row: NewRegistration = {
    id,
    token_hash: hashToken(linkToken(config.secret, "confirm", id)),
    browser_hash: hashToken(browser),
    email: input.email,
    full_name: input.full_name,
    password_hash,
    user_type: input.user_type,
    details: input.user_type === "psychologist" ? { license_number, specialty, country, bio, phone, whatsapp } : {},
    return_to: returnPath(input.return_to),
    consent_version: CONSENT_VERSION,
    created_at: at,
    expires_at: new Date(at.getTime() + LIFETIMES.registration),
  };
  await db.transaction().execute(async (tx) => {
    await insertRegistration(tx, row);
    await queueMail(boss, tx, { kind: "confirm_registration", registration_id: id });
  });
  request.cookies.set(BROWSER_COOKIE, browser, { maxAge: LIFETIMES.registration / 1000 });
}

/** Sends the newest confirmation mail of an address again, if something waits there. */
export async function resendConfirmation(request: Request, email: string): Promise<void> {
  const { db, boss, now } = request.context;
  const waiting = await newestRegistration(db, email, now());
  if (!waiting) return;
  await db
    .transaction()
    .execute((tx) => queueMail(boss, tx, { kind: "confirm_registration", registration_id: waiting.id }));
}

/** What a confirmation link would confirm. Reading it changes nothing. @throws AppError link_expired */
export async function pendingConfirmation(
  request: Request,
  token: string,
): Promise<{ full_name: string; same_browser: boolean }> {
  const waiting = await registrationByToken(request.context.db, hashToken(token), request.context.now());
  if (!waiting) throw new AppError("link_expired");
  return { full_name: waiting.full_name, same_browser: isSameBrowser(request, waiting.browser_hash) };
}

function isSameBrowser(request: Request, browserHash: Buffer): boolean {
  const browser = request.cookies.get(BROWSER_COOKIE);
  return browser !== undefined && sameBytes(hashToken(browser), browserHash);
}

/**
 * Makes the account. In the browser that registered the link is enough; elsewhere the password of that registration is
 * asked for, so a registration that somebody else made for this address is worth nothing to them.
 * @throws AppError link_expired, confirmation_password_required, invalid_input (wrong password)
 */
export async function confirmRegistration(
  request: Request,
  input: z.infer<typeof ConfirmInput>,
): Promise<{ sessionId: string; returnTo: string; accountId: string }> {
  const { db, now } = request.context;
  const at = now();
  const tokenHash = hashToken(input.token);
  const waiting = await registrationByToken(db, tokenHash, at);
  if (!waiting) throw new AppError("link_expired");
  if (!isSameBrowser(request, waiting.browser_hash)) {
    if (!input.password)
      throw new AppError("confirmation_password_required", {
        fields: { password: "Escribe la contraseña con la que te registraste." },
      });
    if (!(await isPassword(input.password, waiting.password_hash)))
      throw new AppError("invalid_input", {
        fields: { password: "Esa no es la contraseña con la que se hizo este registro." },
      });
  }
  try {
    return await db.transaction().execute(async (tx) => {
      await lockRegistrations(tx, waiting.email);
      const row = await takeRegistration(tx, tokenHash, at);
      if (!row) throw new AppError("link_expired");
      const accountId = await insertAccount(
        tx,
        {
          full_name: row.full_name,
          email: row.email,
          user_type: row.user_type as "user" | "psychologist",
          password_hash: row.password_hash,
          details: row.details as NewRegistration["details"],
        },
        at,
      );
      await insertConsents(tx, accountId, CONSENTS, row.consent_version, row.created_at);
      await dropRegistrations(tx, row.email);
      if (request.session) await deleteSession(tx, request.session.id);
      const passwordAt = input.password ? at : null;
      const sessionId = await beginSession(tx, request, accountId, at, { passwordAt });
      request.cookies.clear(BROWSER_COOKIE);
      return { sessionId, accountId, returnTo: row.return_to };
    });
  } catch (error) {
    if (violatedConstraint(error) === "profiles_email_key") throw new AppError("link_expired");
    throw error;
  }
}

/**
 * Signs in with a new session. Neither the answer nor its time tells whether the address has an account: a password is
 * compared in any case, and a registration that waits answers the same beside an account as without one.
 * @returns whether a code of the second factor is wanted first; until then nobody is signed in
 * @throws AppError invalid_credentials, email_not_confirmed, too_many_requests
 */
export async function signIn(request: Request, input: z.infer<typeof SignInInput>): Promise<boolean> {
  const { db, now, rateLimits } = request.context;
  await rateLimits.tryPassword(input.email);
  const account = await credentialsByEmail(db, input.email);
  const right = account
    ? await isPassword(input.password, account.password_hash)
    : await isNobodysPassword(input.password);
  if (!account || !right) {
    const waiting = await newestRegistration(db, input.email, now());
    const unconfirmed = waiting && (await isPassword(input.password, waiting.password_hash));
    throw new AppError(unconfirmed ? "email_not_confirmed" : "invalid_credentials");
  }
  await rateLimits.rightPassword(input.email);
  const at = now();
  if (await hasSecondFactor(db, account.id)) {
    await beginChallenge(db, request.cookies, account.id, at);
    return true;
  }
  if (request.session) await deleteSession(db, request.session.id);
  await beginSession(db, request, account.id, at, { passwordAt: at });
  return false;
}

/**
 * Takes the password again, so that something sensitive may be done in the next minutes (specification, section 2,
 * "Account"). The session goes on under a new id. @throws AppError invalid_input beside the field, too_many_requests
 */
export async function reauthenticate(request: Request, session: Session, password: string): Promise<void> {
  const { db, now, rateLimits } = request.context;
  const { viewer } = session;
  await rateLimits.tryPassword(viewer.email);
  const { password_hash } = await passwordOf(db, viewer.id);
  if (!(await isPassword(password, password_hash)))
    throw new AppError("invalid_input", { fields: { password: "Esa no es tu contraseña." } });
  await rateLimits.rightPassword(viewer.email);
  const at = now();
  await raiseSession(db, request, session, at, { passwordAt: at });
}

/** Ends sessions: of this device, of the other devices, or of all. */
export async function signOut(request: Request, session: Session, scope: "this" | "others" | "all"): Promise<void> {
  const { db } = request.context;
  if (scope === "this") await deleteSession(db, session.id);
  else await deleteSessions(db, session.viewer.id, scope === "others" ? session.id : undefined);
  if (scope !== "others") forgetSession(request.cookies);
}

/** Ends one of the person's own sessions, by its id. @throws AppError not_found, also for somebody else's */
export async function endSession(request: Request, session: Session, id: string): Promise<void> {
  if (!(await deleteOwnSession(request.context.db, session.viewer.id, id))) throw new AppError("not_found");
  if (id === session.id) forgetSession(request.cookies);
}

/** Counts as a visit: the idle time starts again. */
export const renewSession = (request: Request, session: Session) =>
  touchSession(request.context.db, session.id, request.context.now());

/** Writes down that a new password is wanted. As with registering, only the mail knows whether there is an account. */
export const requestRecovery = ({ context }: Request, email: string): Promise<void> =>
  context.db.transaction().execute((tx) => queueRecovery(tx, context, email));

async function queueRecovery(tx: Tx, { boss, config, now }: Context, email: string): Promise<void> {
  const id = randomUUID();
  const at = now();
  await putRecovery(tx, {
    id,
    email,
    token_hash: hashToken(linkToken(config.secret, "recover", id)),
    created_at: at,
    expires_at: new Date(at.getTime() + LIFETIMES.recovery),
  });
  await queueMail(boss, tx, { kind: "recover_password", recovery_id: id });
}

/**
 * Sets a new password with the link of the mail, once, and ends every session of the account.
 * @throws AppError link_expired, invalid_input when the password is weak
 */
export async function recoverPassword(request: Request, input: z.infer<typeof NewPasswordInput>): Promise<void> {
  const { db, boss, now, rateLimits } = request.context;
  const at = now();
  const tokenHash = hashToken(input.token);
  const wish = await recoveryByToken(db, tokenHash, at);
  const profile = wish && (await profileByEmail(db, wish.email));
  if (!profile) throw new AppError("link_expired");
  const weak = whyWeak(input.password, profile);
  if (weak) throw new AppError("invalid_input", { fields: { password: weak } });
  const passwordHash = await hashPassword(input.password);
  await db.transaction().execute(async (tx) => {
    if (!(await takeRecovery(tx, tokenHash, at)) || !(await profileById(tx, profile.id)))
      throw new AppError("link_expired");
    await setPassword(tx, profile.id, passwordHash, at);
    await dropWaitingEmailChange(tx, profile.id);
    await deleteSessions(tx, profile.id);
    await queueMail(boss, tx, { kind: "password_changed", profile_id: profile.id });
  });
  await rateLimits.rightPassword(profile.email);
  forgetSession(request.cookies);
}

/**
 * Sets a new password. Every other session ends, links in mails that could still change the account serve no more, and
 * this session goes on under a new id. @throws AppError invalid_input when the password is weak
 */
export async function changePassword(
  request: Request,
  session: Session,
  input: z.infer<typeof ChangePasswordInput>,
): Promise<void> {
  const { db, boss, now } = request.context;
  const { viewer } = session;
  const weak = whyWeak(input.password, viewer);
  if (weak) throw new AppError("invalid_input", { fields: { password: weak } });
  const passwordHash = await hashPassword(input.password);
  const at = now();
  await db.transaction().execute(async (tx) => {
    await setPassword(tx, viewer.id, passwordHash, at);
    await dropRecovery(tx, viewer.email);
    await dropWaitingEmailChange(tx, viewer.id);
    await deleteSessions(tx, viewer.id, session.id);
    await raiseSession(tx, request, session, at, { passwordAt: at });
    await queueMail(boss, tx, { kind: "password_changed", profile_id: viewer.id });
  });
}

/**
 * Writes down that another address is wanted, and queues the mail to it. As with registering, whether the address has an
 * account shows only in that mail. @throws AppError invalid_input when it is the address of this account already
 */
export async function requestEmailChange(request: Request, { viewer }: Session, email: string): Promise<void> {
  const { db, boss, config, now } = request.context;
  if (email === viewer.email.toLowerCase())
    throw new AppError("invalid_input", { fields: { email: "Ese ya es el correo de tu cuenta." } });
  const id = randomUUID();
  const at = now();
  await db.transaction().execute(async (tx) => {
    await putEmailChange(tx, {
      id,
      account_id: viewer.id,
      old_email: viewer.email,
      new_email: email,
      token_hash: hashToken(linkToken(config.secret, "change_email", id)),
      undo_hash: hashToken(linkToken(config.secret, "undo_email", id)),
      created_at: at,
      expires_at: new Date(at.getTime() + LIFETIMES.emailChange),
    });
    await queueMail(boss, tx, { kind: "confirm_email_change", change_id: id });
  });
}

/** Sends the mail to the address that waits for its confirmation again. @throws AppError not_found when none waits */
export async function resendEmailChange({ context }: Request, { viewer }: Session): Promise<void> {
  const waiting = await waitingEmailChange(context.db, viewer.id, context.now());
  if (!waiting) throw new AppError("not_found");
  await context.db
    .transaction()
    .execute((tx) => queueMail(context.boss, tx, { kind: "confirm_email_change", change_id: waiting.id }));
}

/** Gives up a wish for another address; without one nothing changes. */
export const cancelEmailChange = ({ context }: Request, { viewer }: Session) =>
  dropWaitingEmailChange(context.db, viewer.id);

/** What the link of a mail about an address would do. Reading it changes nothing. @throws AppError link_expired */
export async function pendingEmailLink(
  { context }: Request,
  token: string,
): Promise<{ purpose: "confirm" | "undo"; email: string }> {
  const change = await emailChangeByToken(context.db, hashToken(token), context.now());
  if (!change) throw new AppError("link_expired");
  return change.confirmed_at
    ? { purpose: "undo", email: change.old_email }
    : { purpose: "confirm", email: change.new_email };
}

/**
 * Follows the link of a mail about an address, once. The one in the new mailbox makes it the account's address, and the old
 * one is told. The one in the old mailbox takes that back: whoever made the change knew the password, so it serves no
 * more, all sessions end, and a mail leads to a new password. @throws AppError link_expired
 */
export async function followEmailLink(request: Request, token: string): Promise<"confirm" | "undo"> {
  const { db, boss, now } = request.context;
  const at = now();
  const found = await emailChangeByToken(db, hashToken(token), at);
  if (!found) throw new AppError("link_expired");
  const nobodyKnows = found.confirmed_at ? await hashPassword(randomSecret()) : "";
  try {
    return await db.transaction().execute(async (tx) => {
      if (!found.confirmed_at) {
        await lockRegistrations(tx, found.new_email);
        const change = await confirmEmailChange(tx, found.id, at, new Date(at.getTime() + LIFETIMES.emailUndo));
        if (!change) throw new AppError("link_expired");
        await setEmail(tx, change.account_id, change.new_email, at);
        await dropRegistrations(tx, change.new_email);
        await dropRecovery(tx, change.old_email);
        await dropRecovery(tx, change.new_email);
        await queueMail(boss, tx, { kind: "email_changed", change_id: found.id });
        return "confirm";
      }
      const change = await takeEmailUndo(tx, found.id, at);
      if (!change) throw new AppError("link_expired");
      await setEmail(tx, change.account_id, change.old_email, at);
      await setPassword(tx, change.account_id, nobodyKnows, at);
      await dropSecondFactorSince(tx, change.account_id, change.confirmed_at!);
      await deleteSessions(tx, change.account_id);
      await queueRecovery(tx, request.context, change.old_email);
      return "undo";
    });
  } catch (error) {
    if (violatedConstraint(error) === "profiles_email_key") throw new AppError("link_expired");
    throw error;
  }
}

/** Gives a consent or withdraws it, with the time of both on record. Saying it twice changes nothing. */
export async function setConsent(request: Request, { viewer }: Session, kind: Consent, given: boolean): Promise<void> {
  const { db, now } = request.context;
  if (given) await giveConsent(db, viewer.id, kind, CONSENT_VERSION, now());
  else await withdrawConsent(db, viewer.id, kind, now());
}

/**
 * Saves one's own profile. Whoever changes what was verified (name, licence, country) waits for verification again; who was
 * rejected and corrects it goes back to waiting. @returns whether verification is asked again
 * @throws AppError invalid_input, photo_required
 */
export async function saveProfile(request: Request, viewer: Viewer, input: ProfileInput): Promise<boolean> {
  const { db, now } = request.context;
  const problems = profileProblems(viewer.user_type, input);
  if (problems) throw new AppError("invalid_input", { fields: problems });
  return db.transaction().execute(async (tx) => {
    const verified = viewer.user_type === "psychologist" ? await lockPsychologistProfile(tx, viewer.id) : undefined;
    const before = await lockProfile(tx, viewer.id);
    if (!before) throw new AppError("sign_in_required");
    const refusal = whyCannotSaveProfile(viewer.user_type, before.avatar_url);
    if (refusal) throw new AppError(refusal);
    await setFullName(tx, viewer.id, input.full_name, now());
    if (!verified) return false;
    const fields = {
      specialty: input.specialty ?? null,
      country: input.country ?? null,
      license_number: keptLicence(input.license_number!, input.country),
      bio: input.bio ?? null,
      phone: input.phone ?? null,
      whatsapp: input.whatsapp ?? null,
      website: input.website ?? null,
    };
    const changed = changesWhatWasVerified(
      {
        ...verified,
        full_name: before.full_name,
        license_number: keptLicence(verified.license_number, verified.country),
      },
      { full_name: input.full_name, ...fields },
    );
    await setProfessional(tx, viewer.id, fields, changed);
    return changed && verified.is_verified;
  });
}
