import type { AccountView, OwnProfileView } from "#shared/accounts.ts";
import { AppError } from "#shared/errors.ts";
import type { Request } from "../request.ts";
import { accepted, api, done, freshlySignedIn, type SessionAnswer, signedIn } from "../routes.ts";
import { factorOf } from "../second-factor/store.ts";
import {
  cancelEmailChange,
  changePassword,
  confirmRegistration,
  endSession,
  followDeviceLink,
  followEmailLink,
  pendingConfirmation,
  pendingDeviceLink,
  pendingEmailLink,
  reauthenticate,
  recoverPassword,
  renewSession,
  requestEmailChange,
  requestRecovery,
  resendConfirmation,
  resendEmailChange,
  saveProfile,
  setAnswerMails,
  setConsent,
  signIn,
  signOut,
  signUp,
  unsubscribe,
} from "./commands.ts";
import { presentAccount, presentOwnProfile, presentPendingConfirmation, presentSession } from "./present.ts";
import { resolveSession } from "./sessions.ts";
import { latestConsentsOf, ownProfile, passwordOf, sessionsOf, waitingEmailChange } from "./store.ts";

/** Reads the session again, after something changed it. */
async function currentSession(request: Request): Promise<SessionAnswer> {
  request.session = await resolveSession(request.context, request.cookies);
  return presentSession(request.session, request.context.now());
}

/** The signed-in person's own profile. @throws AppError sign_in_required */
async function profileOf(request: Request): Promise<OwnProfileView> {
  const { viewer } = signedIn(request);
  const row = await ownProfile(request.context.db, viewer.id, request.context.now());
  if (!row) throw new AppError("sign_in_required");
  return presentOwnProfile(row);
}

/** The signed-in person's own account. @throws AppError sign_in_required */
async function accountOf(request: Request): Promise<AccountView> {
  const session = signedIn(request);
  const { db } = request.context;
  const now = request.context.now();
  const [password, sessions, waiting, consents, factor] = await Promise.all([
    passwordOf(db, session.viewer.id),
    sessionsOf(db, session.viewer.id, session.id),
    waitingEmailChange(db, session.viewer.id, now),
    latestConsentsOf(db, session.viewer.id),
    factorOf(db, session.viewer.id),
  ]);
  const rows = { password, sessions, new_email: waiting?.new_email ?? null, consents };
  return presentAccount(session, { ...rows, second_factor_since: factor?.confirmed_at ?? null }, now);
}

const { accounts } = api;

export const accountRoutes = accounts.router({
  session: accounts.session.handler(({ context }) => presentSession(context.session, context.context.now())),

  renewSession: accounts.renewSession.handler(async ({ context }) => {
    const session = signedIn(context);
    await context.context.rateLimits.spend("session", { person: session.viewer.id });
    await renewSession(context, session);
    return currentSession(context);
  }),

  signUp: accounts.signUp.handler(async ({ context, input }) => {
    await context.context.rateLimits.spend("mail_request", { address: context.address });
    await signUp(context, input);
    return accepted;
  }),

  resendConfirmation: accounts.resendConfirmation.handler(async ({ context, input }) => {
    await context.context.rateLimits.spend("mail_request", { address: context.address });
    await resendConfirmation(context, input.email);
    return accepted;
  }),

  pendingConfirmation: accounts.pendingConfirmation.handler(async ({ context, input }) =>
    presentPendingConfirmation(await pendingConfirmation(context, input.token)),
  ),

  confirm: accounts.confirm.handler(async ({ context, input }) => {
    const { returnTo } = await confirmRegistration(context, input);
    const { user } = await currentSession(context);
    return { viewer: user!, return_to: returnTo };
  }),

  signIn: accounts.signIn.handler(async ({ context, input }) => {
    const second_factor_required = await signIn(context, input);
    const session = second_factor_required
      ? presentSession(null, context.context.now())
      : await currentSession(context);
    return { ...session, second_factor_required };
  }),

  signOut: accounts.signOut.handler(async ({ context, input }) => {
    // Signing out twice is no error: the wish is fulfilled.
    if (context.session) await signOut(context, context.session, input);
    if (input.scope !== "others") context.session = null;
    return done;
  }),

  requestRecovery: accounts.requestRecovery.handler(async ({ context, input }) => {
    await context.context.rateLimits.spend("mail_request", { address: context.address });
    await requestRecovery(context, input.email);
    return accepted;
  }),

  reauthenticate: accounts.reauthenticate.handler(async ({ context, input }) => {
    const session = signedIn(context);
    await reauthenticate(context, session, input.password);
    return currentSession(context);
  }),

  account: accounts.account.handler(({ context }) => accountOf(context)),

  endSession: accounts.endSession.handler(async ({ context, input }) => {
    const session = signedIn(context);
    await endSession(context, session, input.id);
    if (input.id === session.id) context.session = null;
    return done;
  }),

  changePassword: accounts.changePassword.handler(async ({ context, input }) => {
    const session = freshlySignedIn(context);
    await context.context.rateLimits.spend("account", { person: session.viewer.id });
    await changePassword(context, session, input);
    return currentSession(context);
  }),

  changeEmail: accounts.changeEmail.handler(async ({ context, input }) => {
    const session = freshlySignedIn(context);
    await context.context.rateLimits.spend("change_email", { person: session.viewer.id });
    await requestEmailChange(context, session, input.email);
    return accepted;
  }),

  resendEmailChange: accounts.resendEmailChange.handler(async ({ context }) => {
    const session = signedIn(context);
    await context.context.rateLimits.spend("change_email", { person: session.viewer.id });
    await resendEmailChange(context, session);
    return accepted;
  }),

  cancelEmailChange: accounts.cancelEmailChange.handler(async ({ context }) => {
    const session = signedIn(context);
    await context.context.rateLimits.spend("account", { person: session.viewer.id });
    await cancelEmailChange(context, session);
    return done;
  }),

  setConsent: accounts.setConsent.handler(async ({ context, input }) => {
    const session = signedIn(context);
    await context.context.rateLimits.spend("account", { person: session.viewer.id });
    await setConsent(context, session, input.kind, input.given);
    await currentSession(context);
    return done;
  }),

  emailLink: accounts.emailLink.handler(({ context, input }) => pendingEmailLink(context, input.token)),

  followEmailLink: accounts.followEmailLink.handler(async ({ context, input }) => {
    const purpose = await followEmailLink(context, input.token);
    await currentSession(context);
    return { purpose };
  }),

  deviceLink: accounts.deviceLink.handler(async ({ context, input }) => {
    await pendingDeviceLink(context, input.token);
    return done;
  }),

  followDeviceLink: accounts.followDeviceLink.handler(async ({ context, input }) => {
    await followDeviceLink(context, input.token);
    return done;
  }),

  setAnswerMails: accounts.setAnswerMails.handler(async ({ context, input }) => {
    const session = signedIn(context);
    await context.context.rateLimits.spend("account", { person: session.viewer.id });
    await setAnswerMails(context.context, session, input.on);
    await currentSession(context);
    return done;
  }),

  // No limit: the token is unguessable, and services ask for many people from few addresses.
  unsubscribe: accounts.unsubscribe.handler(async ({ context, input }) => {
    await unsubscribe(context.context, input.token);
    return done;
  }),

  profile: accounts.profile.handler(({ context }) => profileOf(context)),

  updateProfile: accounts.updateProfile.handler(async ({ context, input }) => {
    const { viewer } = signedIn(context);
    await context.context.rateLimits.spend("profile", { person: viewer.id });
    const verification_asked = await saveProfile(context, viewer, input);
    await currentSession(context);
    return { profile: await profileOf(context), verification_asked };
  }),

  recover: accounts.recover.handler(async ({ context, input }) => {
    await recoverPassword(context, input);
    context.session = null;
    return done;
  }),
});
