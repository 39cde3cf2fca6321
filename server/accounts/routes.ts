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
  followEmailLink,
  pendingConfirmation,
  pendingEmailLink,
  reauthenticate,
  recoverPassword,
  renewSession,
  requestEmailChange,
  requestRecovery,
  resendConfirmation,
  resendEmailChange,
  saveProfile,
  setConsent,
  signIn,
  signOut,
  signUp,
} from "./commands.ts";
import { presentAccount, presentOwnProfile, presentSession } from "./present.ts";
import { resolveSession } from "./sessions.ts";
import { consentsOf, ownProfile, passwordOf, sessionsOf, waitingEmailChange } from "./store.ts";

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
    sessionsOf(db, session.viewer.id),
    waitingEmailChange(db, session.viewer.id, now),
    consentsOf(db, session.viewer.id),
    factorOf(db, session.viewer.id),
  ]);
  const rows = { password, sessions, new_email: waiting?.new_email ?? null, consents };
  return presentAccount(session, { ...rows, second_factor_since: factor?.confirmed_at ?? null }, now);
}

const { accounts } = api;

export const accountRoutes = accounts.router({
  session: accounts.session.handler(({ context }) => presentSession(context.session, context.context.now())),

  renewSession: accounts.renewSession.handler(async ({ context }) => {
    await context.context.rateLimits.spend("session", { address: context.address });
    await renewSession(context, signedIn(context));
    return currentSession(context);
  }),

  signUp: accounts.signUp.handler(async ({ context, input }) => {
    await context.context.rateLimits.spend("sign_up", { address: context.address, mail: input.email });
    await signUp(context, input);
    return accepted;
  }),

  resendConfirmation: accounts.resendConfirmation.handler(async ({ context, input }) => {
    await context.context.rateLimits.spend("sign_up", { address: context.address, mail: input.email });
    await resendConfirmation(context, input.email);
    return accepted;
  }),

  pendingConfirmation: accounts.pendingConfirmation.handler(async ({ context, input }) =>
    pendingConfirmation(context, input.token),
  ),

  confirm: accounts.confirm.handler(async ({ context, input }) => {
    await context.context.rateLimits.spend("token", { address: context.address });
    const { returnTo } = await confirmRegistration(context, input);
    const { user } = await currentSession(context);
    return { viewer: user!, return_to: returnTo };
  }),

  signIn: accounts.signIn.handler(async ({ context, input }) => {
    await context.context.rateLimits.spend("sign_in", { address: context.address });
    const second_factor_required = await signIn(context, input);
    const session = second_factor_required
      ? presentSession(null, context.context.now())
      : await currentSession(context);
    return { ...session, second_factor_required };
  }),

  signOut: accounts.signOut.handler(async ({ context, input }) => {
    await context.context.rateLimits.spend("session", { address: context.address });
    // Signing out twice is no error: the wish is fulfilled.
    if (context.session) await signOut(context, context.session, input.scope);
    if (input.scope !== "others") context.session = null;
    return done;
  }),

  requestRecovery: accounts.requestRecovery.handler(async ({ context, input }) => {
    await context.context.rateLimits.spend("recovery", { address: context.address, mail: input.email });
    await requestRecovery(context, input.email);
    return accepted;
  }),

  reauthenticate: accounts.reauthenticate.handler(async ({ context, input }) => {
    const session = signedIn(context);
    await context.context.rateLimits.spend("sign_in", { address: context.address });
    await reauthenticate(context, session, input.password);
    return currentSession(context);
  }),

  account: accounts.account.handler(({ context }) => accountOf(context)),

  endSession: accounts.endSession.handler(async ({ context, input }) => {
    const session = signedIn(context);
    await context.context.rateLimits.spend("session", { address: context.address });
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
    await context.context.rateLimits.spend("change_email", { person: session.viewer.id, mail: input.email });
    await requestEmailChange(context, session, input.email);
    return accepted;
  }),

  resendEmailChange: accounts.resendEmailChange.handler(async ({ context }) => {
    const session = signedIn(context);
    const { new_email } = await accountOf(context);
    await context.context.rateLimits.spend("change_email", {
      person: session.viewer.id,
      mail: new_email ?? undefined,
    });
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
    await context.context.rateLimits.spend("token", { address: context.address });
    const purpose = await followEmailLink(context, input.token);
    await currentSession(context);
    return { purpose };
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
    await context.context.rateLimits.spend("token", { address: context.address });
    await recoverPassword(context, input);
    context.session = null;
    return done;
  }),
});
