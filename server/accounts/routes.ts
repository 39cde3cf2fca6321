import type { OwnProfileView } from "#shared/accounts.ts";
import { AppError } from "#shared/errors.ts";
import type { Request } from "../request.ts";
import { accepted, api, done, type SessionAnswer, signedIn } from "../routes.ts";
import {
  confirmRegistration,
  pendingConfirmation,
  recoverPassword,
  renewSession,
  requestRecovery,
  resendConfirmation,
  saveProfile,
  signIn,
  signOut,
  signUp,
} from "./commands.ts";
import { presentOwnProfile, presentViewer } from "./present.ts";
import { resolveSession } from "./sessions.ts";
import { ownProfile } from "./store.ts";

/** Reads the session again, after something changed it. */
async function currentSession(request: Request): Promise<SessionAnswer> {
  request.session = await resolveSession(request.context, request.cookies);
  return { viewer: request.session && presentViewer(request.session) };
}

/** The signed-in person's own profile. @throws AppError sign_in_required */
async function profileOf(request: Request): Promise<OwnProfileView> {
  const { viewer } = signedIn(request);
  const row = await ownProfile(request.context.db, viewer.id);
  if (!row) throw new AppError("sign_in_required");
  return presentOwnProfile(row);
}

const { accounts } = api;

export const accountRoutes = accounts.router({
  session: accounts.session.handler(({ context }) => ({ viewer: context.session && presentViewer(context.session) })),

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
    const { viewer } = await currentSession(context);
    return { viewer: viewer!, return_to: returnTo };
  }),

  signIn: accounts.signIn.handler(async ({ context, input }) => {
    await context.context.rateLimits.spend("sign_in", { address: context.address });
    await signIn(context, input);
    return currentSession(context);
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
