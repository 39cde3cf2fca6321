import type { AccountView, OwnProfileView } from "#shared/accounts.ts";
import { AppError } from "#shared/errors.ts";
import type { Context } from "../context.ts";
import { factorOf } from "../second-factor/store.ts";
import { limit, recentlySignedIn, signedIn } from "../sessions/guards.ts";
import { accepted, api, done, type SessionAnswer } from "../sessions/operations.ts";
import { presentSession } from "../sessions/present.ts";
import type { Request } from "../sessions/request.ts";
import { resolveSession } from "../sessions/session.ts";
import { sessionsOf } from "../sessions/store.ts";
import type { Session, Viewer } from "../sessions/viewer.ts";
import {
  applyDeviceLink,
  applyEmailLink,
  cancelEmailChange,
  changePassword,
  confirmRegistration,
  endSession,
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
import { presentAccount, presentOwnProfile, presentPendingConfirmation } from "./present.ts";
import { latestConsentsOf, ownProfile, passwordOf, pendingEmailChange } from "./store.ts";

/** Reads the session again after a change. */
async function currentSession(request: Request): Promise<SessionAnswer> {
  request.session = await resolveSession(request.context, request.cookies);
  return presentSession(request.session, request.context.now());
}

/** The user's own profile. @throws AppError sign_in_required */
async function profileOf({ db, now }: Context, viewer: Viewer): Promise<OwnProfileView> {
  const row = await ownProfile(db, viewer.id, now());
  if (!row) throw new AppError("sign_in_required");
  return presentOwnProfile(row);
}

/** The user's own account. */
async function accountOf({ db, now }: Context, session: Session): Promise<AccountView> {
  const { viewer } = session;
  const at = now();
  const [password, sessions, waiting, consents, factor] = await Promise.all([
    passwordOf(db, viewer.id),
    sessionsOf(db, viewer.id, session.id),
    pendingEmailChange(db, viewer.id, at),
    latestConsentsOf(db, viewer.id),
    factorOf(db, viewer.id),
  ]);
  const rows = { password, sessions, new_email: waiting?.new_email ?? null, consents };
  return presentAccount(session, { ...rows, second_factor_since: factor?.confirmed_at ?? null }, at);
}

const { accounts } = api;

export const accountRoutes = accounts.router({
  session: accounts.session.handler(({ context: { request, now } }) => presentSession(request.session, now())),

  renewSession: accounts.renewSession
    .use(signedIn())
    .use(limit("session"))
    .handler(async ({ context: { request, session } }) => {
      await renewSession(request, session);
      return currentSession(request);
    }),

  signUp: accounts.signUp.use(limit("mail_request")).handler(async ({ context: { request }, input }) => {
    await signUp(request, input);
    return accepted;
  }),

  resendConfirmation: accounts.resendConfirmation
    .use(limit("mail_request"))
    .handler(async ({ context: { request }, input }) => {
      await resendConfirmation(request, input.email);
      return accepted;
    }),

  pendingConfirmation: accounts.pendingConfirmation.handler(async ({ context: { request }, input }) =>
    presentPendingConfirmation(await pendingConfirmation(request, input.token)),
  ),

  confirm: accounts.confirm.handler(async ({ context: { request }, input }) => {
    const { returnTo } = await confirmRegistration(request, input);
    const { user } = await currentSession(request);
    return { viewer: user!, return_to: returnTo };
  }),

  signIn: accounts.signIn.handler(async ({ context: { request, now }, input }) => {
    const second_factor_required = await signIn(request, input);
    const session = second_factor_required ? presentSession(null, now()) : await currentSession(request);
    return { ...session, second_factor_required };
  }),

  signOut: accounts.signOut.handler(async ({ context: { request }, input }) => {
    // Signing out is idempotent.
    if (request.session) await signOut(request, request.session, input);
    if (input.scope !== "others") request.session = null;
    return done;
  }),

  requestRecovery: accounts.requestRecovery
    .use(limit("mail_request"))
    .handler(async ({ context: { request }, input }) => {
      await requestRecovery(request, input.email);
      return accepted;
    }),

  reauthenticate: accounts.reauthenticate.use(signedIn()).handler(async ({ context: { request, session }, input }) => {
    await reauthenticate(request, session, input.password);
    return currentSession(request);
  }),

  account: accounts.account
    .use(signedIn())
    .handler(({ context: { request, session } }) => accountOf(request.context, session)),

  endSession: accounts.endSession.use(signedIn()).handler(async ({ context: { request, session }, input }) => {
    await endSession(request, session, input.id);
    if (input.id === session.id) request.session = null;
    return done;
  }),

  changePassword: accounts.changePassword
    .use(recentlySignedIn)
    .use(limit("account"))
    .handler(async ({ context: { request, session }, input }) => {
      await changePassword(request, session, input);
      return currentSession(request);
    }),

  changeEmail: accounts.changeEmail
    .use(recentlySignedIn)
    .use(limit("change_email"))
    .handler(async ({ context: { request, session }, input }) => {
      await requestEmailChange(request, session, input.email);
      return accepted;
    }),

  resendEmailChange: accounts.resendEmailChange
    .use(signedIn())
    .use(limit("change_email"))
    .handler(async ({ context: { request, session } }) => {
      await resendEmailChange(request, session);
      return accepted;
    }),

  cancelEmailChange: accounts.cancelEmailChange
    .use(signedIn())
    .use(limit("account"))
    .handler(async ({ context: { request, session } }) => {
      await cancelEmailChange(request, session);
      return done;
    }),

  setConsent: accounts.setConsent
    .use(signedIn())
    .use(limit("account"))
    .handler(async ({ context: { request, session }, input }) => {
      await setConsent(request, session, input.kind, input.given);
      await currentSession(request);
      return done;
    }),

  emailLink: accounts.emailLink.handler(({ context: { request }, input }) => pendingEmailLink(request, input.token)),

  applyEmailLink: accounts.applyEmailLink.handler(async ({ context: { request }, input }) => {
    const purpose = await applyEmailLink(request, input.token);
    await currentSession(request);
    return { purpose };
  }),

  deviceLink: accounts.deviceLink.handler(async ({ context: { request }, input }) => {
    await pendingDeviceLink(request, input.token);
    return done;
  }),

  applyDeviceLink: accounts.applyDeviceLink.handler(async ({ context: { request }, input }) => {
    await applyDeviceLink(request, input.token);
    return done;
  }),

  setAnswerMails: accounts.setAnswerMails
    .use(signedIn())
    .use(limit("account"))
    .handler(async ({ context: { request, session }, input }) => {
      await setAnswerMails(request.context, session, input.on);
      await currentSession(request);
      return done;
    }),

  // No limit: the token is unguessable, and mail services send requests of many people from few addresses.
  unsubscribe: accounts.unsubscribe.handler(async ({ context: { request }, input }) => {
    await unsubscribe(request.context, input.token);
    return done;
  }),

  profile: accounts.profile
    .use(signedIn())
    .handler(({ context: { request, viewer } }) => profileOf(request.context, viewer)),

  updateProfile: accounts.updateProfile
    .use(signedIn())
    .use(limit("profile"))
    .handler(async ({ context: { request, viewer }, input }) => {
      const verification_asked = await saveProfile(request, viewer, input);
      await currentSession(request);
      return { profile: await profileOf(request.context, viewer), verification_asked };
    }),

  recover: accounts.recover.handler(async ({ context: { request }, input }) => {
    await recoverPassword(request, input);
    request.session = null;
    return done;
  }),
});
