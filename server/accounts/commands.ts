import { randomUUID } from "node:crypto";
import type { z } from "zod";
import type {
  ChangePasswordInput,
  ConfirmInput,
  NewPasswordInput,
  ProfileInput,
  SignInInput,
  SignOutInput,
  SignUpInput,
} from "#shared/accounts.ts";
import { AppError } from "#shared/errors.ts";
import { normaliseLicence } from "#shared/licences.ts";
import { CONSENT_VERSION, CONSENTS, type Consent } from "#shared/lists.ts";
import { returnPath } from "#shared/return-path.ts";
import type { Context } from "../context.ts";
import { type Tx, violatedConstraint } from "../database/handles.ts";
import type { AttemptSource } from "../limits/attempt-limits.ts";
import { queueMail } from "../mail/queues.ts";
import { normalisePhone } from "../psychologists/phone-rules.ts";
import { createChallenge } from "../second-factor/challenges.ts";
import {
  ensureDeviceCookie,
  findKnownDevice,
  forgetDevice,
  forgetOtherDevices,
  rememberDevice,
} from "../sessions/known-devices.ts";
import type { Request } from "../sessions/request.ts";
import { LIFETIMES } from "../sessions/rules.ts";
import {
  clearSessionCookie,
  createSession,
  lockAccount,
  lockOwnAccount,
  lockVerifiedAccount,
  rotateSession,
} from "../sessions/session.ts";
import { deleteOwnSession, deleteSession, deleteSessions, touchSession } from "../sessions/store.ts";
import type { Session, Viewer } from "../sessions/viewer.ts";
import { hashToken, linkToken, newUnsubscribeLink, randomSecret, sameBytes } from "../tokens.ts";
import { countAttempt } from "./attempt-limits.ts";
import { compareWithDummyPassword, hashPassword, isPassword, passwordProblem } from "./password.ts";
import { changesVerifiedData, phoneProblems, profileProblems, whyCannotSaveProfile, whyNotName } from "./rules.ts";
import {
  confirmEmailChange,
  consumeDeviceLink,
  consumeEmailUndo,
  consumeRecovery,
  credentialsByEmail,
  deleteOwnRegistrations,
  deletePendingEmailChange,
  deleteRecoveriesOf,
  deleteSecondFactorSince,
  deviceLinkByToken,
  emailChangeByToken,
  giveConsent,
  insertAccount,
  insertConsents,
  insertRecovery,
  insertRegistration,
  invalidateRegistrations,
  lockedRegistration,
  lockProfile,
  lockPsychologistProfile,
  lockRegistrations,
  type NewRegistration,
  newestRegistration,
  ownRegistration,
  type PendingRegistration,
  passwordOf,
  pendingEmailChange,
  profileByEmail,
  putAnswerMails,
  putEmailChange,
  recoveryByToken,
  registrationByToken,
  setEmail,
  setFullName,
  setPassword,
  setProfessional,
  stopAnswerMails,
  withdrawConsent,
} from "./store.ts";

/** Marks the browser that registered, where one tap is enough to confirm. */
const BROWSER_COOKIE = "registration";

/**
 * Stores a registration and queues its mail. Nothing here depends on whether the address has an account: the mail's content
 * is decided by the job, so neither the response nor its time reveals it.
 * @throws AppError invalid_input when the password is weak
 */
export async function signUp(request: Request, input: z.infer<typeof SignUpInput>): Promise<void> {
  const { db, boss, config, now } = request.context;
  refuseInvalidPerson(input.password, input);
  const password_hash = await hashPassword(input.password);
  const id = randomUUID();
  const known = request.cookies.get(BROWSER_COOKIE);
  const browser = known && /^[\w-]{43}$/.test(known) ? known : randomSecret();
  const at = now();
  const row: NewRegistration = {
    id,
    token_hash: hashToken(linkToken(config.secret, "confirm", id)),
    browser_hash: hashToken(browser),
    email: input.email,
    full_name: input.full_name,
    password_hash,
    user_type: input.user_type,
    details: professionalDetails(input),
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

/** @throws AppError invalid_input, beside the fields: a weak password, an impossible phone number */
function refuseInvalidPerson(
  password: string,
  person: { full_name: string; email: string } & Parameters<typeof phoneProblems>[0],
): void {
  const weak = passwordProblem(password, person);
  const problems = { ...(weak && { password: weak }), ...phoneProblems(person) };
  if (Object.keys(problems).length) throw new AppError("invalid_input", { fields: problems });
}

function professionalDetails(
  input: Pick<z.infer<typeof ConfirmInput>, keyof NewRegistration["details"] | "user_type">,
): NewRegistration["details"] {
  if (input.user_type !== "psychologist") return {};
  const { specialty, country, bio } = input;
  const phone = normalisePhone(input.phone, country) ?? undefined;
  const whatsapp = normalisePhone(input.whatsapp, country) ?? undefined;
  const license_number = input.license_number && normaliseLicence(input.license_number, country);
  return { license_number, specialty, country, bio, phone, whatsapp };
}

/**
 * Sends a confirmation mail again, if the address has a pending registration: this browser's own, else the newest. A job is
 * queued in any case, so that neither statements nor time reveal whether there is one.
 */
export async function resendConfirmation(request: Request, email: string): Promise<void> {
  const { db, boss, now } = request.context;
  const browser = request.cookies.get(BROWSER_COOKIE);
  const waiting = await newestRegistration(db, email, now(), browser ? hashToken(browser) : null);
  const registration_id = waiting?.id ?? randomUUID();
  const job = { kind: "confirm_registration", registration_id, mail_id: randomUUID() } as const;
  await db.transaction().execute((tx) => queueMail(boss, tx, job));
}

/** What a confirmation link would confirm; read-only. @throws AppError link_expired */
export async function pendingConfirmation(
  request: Request,
  token: string,
): Promise<{ waiting: PendingRegistration; sameBrowser: boolean }> {
  const waiting = await registrationByToken(request.context.db, hashToken(token), request.context.now());
  if (!waiting) throw new AppError("link_expired");
  return { waiting, sameBrowser: isSameBrowser(request, waiting.browser_hash) };
}

function isSameBrowser(request: Request, browserHash: Buffer): boolean {
  const browser = request.cookies.get(BROWSER_COOKIE);
  return browser !== undefined && sameBytes(hashToken(browser), browserHash);
}

/**
 * Creates the account. In the browser that registered the link is enough. Any other may be that of the mailbox's owner,
 * whose address another person registered: there everything is given again, consents and password included, and only the
 * address of the registration counts (specification, section 2, "Registering").
 * @throws AppError link_expired, registration_required, invalid_input when the password is weak
 */
export async function confirmRegistration(
  request: Request,
  input: z.infer<typeof ConfirmInput>,
): Promise<{ sessionId: string; returnTo: string; accountId: string }> {
  const { db, now, rateLimits } = request.context;
  const at = now();
  const tokenHash = hashToken(input.token);
  const { waiting, sameBrowser } = await pendingConfirmation(request, input.token);
  await rateLimits.spend("link", { link: input.token });
  const given = sameBrowser ? null : await resubmittedPerson(waiting.email, input);
  try {
    return await db.transaction().execute(async (tx) => {
      await lockRegistrations(tx, waiting.email);
      const row = await lockedRegistration(tx, tokenHash, at);
      if (!row) throw new AppError("link_expired");
      const person = given ?? {
        full_name: row.full_name,
        user_type: row.user_type as "user" | "psychologist",
        password_hash: row.password_hash,
        details: row.details as NewRegistration["details"],
      };
      const accountId = await insertAccount(tx, { ...person, email: row.email }, at);
      if (given) await insertConsents(tx, accountId, CONSENTS, CONSENT_VERSION, at);
      else await insertConsents(tx, accountId, CONSENTS, row.consent_version, row.created_at);
      if (sameBrowser) await deleteOwnRegistrations(tx, row.email, row.browser_hash);
      await invalidateRegistrations(tx, row.email);
      if (request.session) await deleteSession(tx, request.session.id);
      const account = await lockVerifiedAccount(tx, {
        accountId,
        email: row.email,
        passwordHash: person.password_hash,
      });
      // A tap in the browser that registered does not prove knowledge of the password.
      const sessionId = await createSession(tx, request, account, at, { passwordAt: given ? at : null });
      request.cookies.clear(BROWSER_COOKIE);
      return { sessionId, accountId, returnTo: given ? "/" : row.return_to };
    });
  } catch (error) {
    if (violatedConstraint(error) === "profiles_email_key") throw new AppError("link_expired");
    throw error;
  }
}

async function resubmittedPerson(email: string, input: z.infer<typeof ConfirmInput>) {
  const { full_name, user_type, password } = input;
  if (full_name === undefined || user_type === undefined || password === undefined)
    throw new AppError("registration_required");
  refuseInvalidPerson(password, { ...input, full_name, email });
  const password_hash = await hashPassword(password);
  return { full_name, user_type, password_hash, details: professionalDetails({ ...input, user_type }) };
}

/**
 * Signs in with a new session. Neither the response nor its time reveals whether the address has an account: a password is
 * compared in any case, and a registration of this browser gets the same response whatever happened to the address
 * meanwhile.
 * A known device has an attempt limit of its own, which no one else can use up (decision 27). @returns whether a code of
 * the second factor is required first; until then no one is signed in
 * @throws AppError invalid_credentials, email_not_confirmed, sign_in_paused, too_many_requests
 */
export async function signIn(request: Request, input: z.infer<typeof SignInInput>): Promise<boolean> {
  const { db, now, rateLimits, attemptLimits } = request.context;
  const { address } = request;
  ensureDeviceCookie(request.cookies);
  const account = await credentialsByEmail(db, input.email);
  // An address without an account gets a random id, so that the same statements run.
  const device = await findKnownDevice(db, request, account?.id ?? randomUUID());
  const source: AttemptSource = device ? { device } : { email: input.email };
  if (!device) await rateLimits.check("sign_in", { address });
  await countAttempt(request, "password", source);
  const right = account
    ? await isPassword(input.password, account.password_hash)
    : await compareWithDummyPassword(input.password);
  if (!account || !right) {
    // Only this browser's registration: what others did with the address shows neither in the response nor in its time.
    const browser = request.cookies.get(BROWSER_COOKIE);
    const waiting = browser && (await ownRegistration(db, input.email, now(), hashToken(browser)));
    const unconfirmed = waiting && (await isPassword(input.password, waiting.password_hash));
    if (!device) await rateLimits.spend("sign_in", { address });
    throw new AppError(unconfirmed ? "email_not_confirmed" : "invalid_credentials");
  }
  await attemptLimits.reset("password", source);
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
 * Checks the password again, so that sensitive changes are allowed in the next minutes (specification, section 2,
 * "Account"). The session gets a new id. @throws AppError invalid_input beside the field, too_many_requests
 */
export async function reauthenticate(request: Request, session: Session, password: string): Promise<void> {
  const { db, now, attemptLimits } = request.context;
  const { viewer } = session;
  await countAttempt(request, "password", { session: session.id });
  const { password_hash } = await passwordOf(db, viewer.id);
  if (!(await isPassword(password, password_hash)))
    throw new AppError("invalid_input", { fields: { password: "Esa no es tu contraseña." } });
  await attemptLimits.reset("password", { session: session.id });
  const at = now();
  const compared = { accountId: viewer.id, email: viewer.email, passwordHash: password_hash };
  await db.transaction().execute(async (tx) => {
    await lockOwnAccount(tx, session);
    const account = await lockVerifiedAccount(tx, compared);
    await rotateSession(tx, request, account, session, at, { passwordAt: at });
  });
}

/**
 * Ends sessions: of this device, of the other devices, or all. This browser stays a known device unless `forget_device` is
 * set; ending the other sessions forgets their browsers too.
 */
export async function signOut(
  request: Request,
  session: Session,
  { scope, forget_device }: z.infer<typeof SignOutInput>,
): Promise<void> {
  await request.context.db.transaction().execute(async (tx) => {
    const account = await lockAccount(tx, session.viewer.id);
    if (!account) return;
    if (scope === "this") await deleteSession(tx, session.id);
    else {
      await deleteSessions(tx, account, scope === "others" ? session.id : undefined);
      await forgetOtherDevices(tx, request, account);
    }
    if (forget_device) await forgetDevice(tx, request, account.id);
  });
  if (scope !== "others") clearSessionCookie(request.cookies);
}

/** Ends one of the user's own sessions, by its id. @throws AppError not_found, also for another user's */
export async function endSession(request: Request, session: Session, id: string): Promise<void> {
  if (!(await deleteOwnSession(request.context.db, session.viewer.id, id))) throw new AppError("not_found");
  if (id === session.id) clearSessionCookie(request.cookies);
}

/** Renews the session: its idle time starts again. */
export const renewSession = (request: Request, session: Session) =>
  touchSession(request.context.db, session.id, request.context.now());

/** Stores a request for a new password. As with registering, only the job knows whether there is an account. */
export const requestRecovery = ({ context }: Request, email: string): Promise<void> =>
  context.db.transaction().execute((tx) => queueRecovery(tx, context, email));

async function queueRecovery(tx: Tx, { boss, config, now }: Context, email: string): Promise<void> {
  const id = randomUUID();
  const at = now();
  await insertRecovery(tx, {
    id,
    email,
    token_hash: hashToken(linkToken(config.secret, "recover", id)),
    created_at: at,
    expires_at: new Date(at.getTime() + LIFETIMES.recovery),
  });
  await queueMail(boss, tx, { kind: "recover_password", recovery_id: id });
}

/**
 * Sets a new password with the mailed link, once, and ends every session of the account. This browser becomes its only
 * known device, since its user has the mailbox: attempts of others must not lock out who has just recovered.
 * @throws AppError link_expired, invalid_input when the password is weak
 */
export async function recoverPassword(request: Request, input: z.infer<typeof NewPasswordInput>): Promise<void> {
  const { db, boss, now, rateLimits } = request.context;
  const at = now();
  const tokenHash = hashToken(input.token);
  const recovery = await recoveryByToken(db, tokenHash, at);
  const profile = recovery && (await profileByEmail(db, recovery.email));
  if (!profile) throw new AppError("link_expired");
  await rateLimits.spend("link", { link: input.token });
  const weak = passwordProblem(input.password, profile);
  if (weak) throw new AppError("invalid_input", { fields: { password: weak } });
  const passwordHash = await hashPassword(input.password);
  await db.transaction().execute(async (tx) => {
    const account = await lockAccount(tx, profile.id);
    // While the password was hashed, the owner may have taken the address back.
    if (account?.email.toLowerCase() !== recovery.email.toLowerCase() || !(await consumeRecovery(tx, tokenHash, at)))
      throw new AppError("link_expired");
    await setPassword(tx, account, passwordHash, at);
    await deletePendingEmailChange(tx, profile.id);
    await deleteSessions(tx, account);
    await rememberDevice(tx, request, account.id, at);
    await forgetOtherDevices(tx, request, account);
    await queueMail(boss, tx, { kind: "password_changed", profile_id: profile.id });
  });
  clearSessionCookie(request.cookies);
}

/**
 * Sets a new password. Every other session ends, mailed links that could still change the account are invalidated, and this
 * session gets a new id. @throws AppError invalid_input when the password is weak
 */
export async function changePassword(
  request: Request,
  session: Session,
  input: z.infer<typeof ChangePasswordInput>,
): Promise<void> {
  const { db, boss, now } = request.context;
  const { viewer } = session;
  const weak = passwordProblem(input.password, viewer);
  if (weak) throw new AppError("invalid_input", { fields: { password: weak } });
  const passwordHash = await hashPassword(input.password);
  const at = now();
  await db.transaction().execute(async (tx) => {
    const account = await lockOwnAccount(tx, session);
    await setPassword(tx, account, passwordHash, at);
    await deleteRecoveriesOf(tx, account.email);
    await deletePendingEmailChange(tx, viewer.id);
    await deleteSessions(tx, account, session.id);
    await forgetOtherDevices(tx, request, account);
    await rotateSession(tx, request, account, session, at, { passwordAt: at });
    await queueMail(boss, tx, { kind: "password_changed", profile_id: viewer.id });
  });
}

/**
 * Stores a request for another address, and queues the mail to it. As with registering, only that mail reveals whether the
 * address has an account. @throws AppError invalid_input when it is the address of this account already
 */
export async function requestEmailChange(request: Request, session: Session, email: string): Promise<void> {
  const { db, boss, config, now } = request.context;
  const { viewer } = session;
  if (email === viewer.email.toLowerCase())
    throw new AppError("invalid_input", { fields: { email: "Ese ya es el correo de tu cuenta." } });
  const id = randomUUID();
  const at = now();
  await db.transaction().execute(async (tx) => {
    const account = await lockOwnAccount(tx, session);
    const change_id = await putEmailChange(tx, {
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

/** Sends the mail to the unconfirmed new address again. @throws AppError not_found when there is none */
export async function resendEmailChange({ context }: Request, { viewer }: Session): Promise<void> {
  const waiting = await pendingEmailChange(context.db, viewer.id, context.now());
  if (!waiting) throw new AppError("not_found");
  const job = { kind: "confirm_email_change", change_id: waiting.id, mail_id: randomUUID() } as const;
  await context.db.transaction().execute((tx) => queueMail(context.boss, tx, job));
}

/** Cancels a pending address change; idempotent. */
export const cancelEmailChange = ({ context }: Request, { viewer }: Session) =>
  deletePendingEmailChange(context.db, viewer.id);

/** What a mailed e-mail change link would do; read-only. @throws AppError link_expired */
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
 * Applies the link of an e-mail change, once. The link in the new mailbox makes it the account's address and notifies the
 * old one. The link in the old mailbox reverts that: who made the change knew the password, so the password is replaced,
 * all sessions end, and a mail with a recovery link is sent. @throws AppError link_expired
 */
export async function applyEmailLink(request: Request, token: string): Promise<"confirm" | "undo"> {
  const { db, boss, now, rateLimits } = request.context;
  const at = now();
  const found = await emailChangeByToken(db, hashToken(token), at);
  if (!found) throw new AppError("link_expired");
  await rateLimits.spend("link", { link: token });
  const nobodyKnows = found.confirmed_at ? await hashPassword(randomSecret()) : "";
  try {
    return await db.transaction().execute(async (tx) => {
      const account = await lockAccount(tx, found.account_id);
      if (!account) throw new AppError("link_expired");
      if (!found.confirmed_at) {
        await lockRegistrations(tx, found.new_email);
        const change = await confirmEmailChange(tx, found.id, at, new Date(at.getTime() + LIFETIMES.emailUndo));
        if (!change) throw new AppError("link_expired");
        await setEmail(tx, account, change.new_email, at);
        await invalidateRegistrations(tx, change.new_email);
        await deleteRecoveriesOf(tx, change.old_email);
        await deleteRecoveriesOf(tx, change.new_email);
        await queueMail(boss, tx, { kind: "email_changed", change_id: found.id });
        return "confirm";
      }
      const change = await consumeEmailUndo(tx, found.id, at);
      if (!change) throw new AppError("link_expired");
      await setEmail(tx, account, change.old_email, at);
      await setPassword(tx, account, nobodyKnows, at);
      await deleteSecondFactorSince(tx, change.account_id, change.confirmed_at!);
      await deleteSessions(tx, account);
      await forgetOtherDevices(tx, request, account);
      await queueRecovery(tx, request.context, change.old_email);
      return "undo";
    });
  } catch (error) {
    if (violatedConstraint(error) === "profiles_email_key") throw new AppError("link_expired");
    throw error;
  }
}

/** Checks that a device link is valid, without using it. @throws AppError link_expired */
export async function pendingDeviceLink({ context }: Request, token: string): Promise<void> {
  if (!(await deviceLinkByToken(context.db, hashToken(token), context.now()))) throw new AppError("link_expired");
}

/**
 * Makes this browser a known device of the account whose mailbox got the link, once. It does not sign in: password and code
 * are still required. @throws AppError link_expired
 */
export async function applyDeviceLink(request: Request, token: string): Promise<void> {
  const { db, now } = request.context;
  const at = now();
  const link = await deviceLinkByToken(db, hashToken(token), at);
  const owner = link && (await profileByEmail(db, link.email));
  if (!owner) throw new AppError("link_expired");
  await db.transaction().execute(async (tx) => {
    const account = await lockAccount(tx, owner.id);
    if (account?.email.toLowerCase() !== link.email.toLowerCase() || !(await consumeDeviceLink(tx, link.id)))
      throw new AppError("link_expired");
    await rememberDevice(tx, request, account.id, at);
  });
}

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

/**
 * Saves the user's own profile. A change of what was verified (name, licence, country) makes verification necessary again;
 * a rejected psychologist who corrects it is pending again. @returns whether verification is asked again
 * @throws AppError invalid_input, photo_required
 */
export async function saveProfile(request: Request, viewer: Viewer, input: ProfileInput): Promise<boolean> {
  const { db, now } = request.context;
  return db.transaction().execute(async (tx) => {
    const verified = viewer.user_type === "psychologist" ? await lockPsychologistProfile(tx, viewer.id) : undefined;
    const before = await lockProfile(tx, viewer.id);
    if (!before) throw new AppError("sign_in_required");
    const name = input.full_name === before.full_name ? null : whyNotName(viewer.user_type, input.full_name);
    const problems = { ...(name && { full_name: name }), ...profileProblems(viewer.user_type, input) };
    if (Object.keys(problems).length) throw new AppError("invalid_input", { fields: problems });
    const refusal = whyCannotSaveProfile(viewer.user_type, before.avatar_url);
    if (refusal) throw new AppError(refusal);
    await setFullName(tx, viewer.id, input.full_name, now());
    if (!verified) return false;
    const fields = {
      specialty: input.specialty ?? null,
      country: input.country ?? null,
      license_number: normaliseLicence(input.license_number!, input.country),
      bio: input.bio ?? null,
      phone: normalisePhone(input.phone, input.country),
      whatsapp: normalisePhone(input.whatsapp, input.country),
      website: input.website ?? null,
    };
    const changed = changesVerifiedData(
      {
        ...verified,
        full_name: before.full_name,
        license_number: normaliseLicence(verified.license_number, verified.country),
      },
      { full_name: input.full_name, ...fields },
    );
    await setProfessional(tx, viewer.id, fields, changed);
    return changed && verified.is_verified;
  });
}
