import { AppError } from "#shared/errors.ts";
import type { Context } from "../../context.ts";
import { rateLimit, requireSignIn } from "../../sessions/guards.ts";
import { api } from "../../sessions/operations.ts";
import { sessionsOf } from "../../sessions/store.ts";
import type { Session, Viewer } from "../../sessions/viewer.ts";
import { latestConsentsOf } from "../consents/store.ts";
import { pendingEmailChange } from "../email-change/store.ts";
import { factorOf } from "../second-factor/store.ts";
import { passwordOf } from "../store.ts";
import { saveProfile } from "./commands.ts";
import { presentAccount, presentOwnProfile } from "./present.ts";
import { ownProfile } from "./store.ts";

/**
 * Loads the user's own profile.
 * @throws AppError sign_in_required
 */
async function profileOf({ db, now }: Context, viewer: Viewer) {
  const row = await ownProfile(db, viewer.id, now());
  if (!row) throw new AppError("sign_in_required");
  return presentOwnProfile(row);
}

async function accountOf({ db, now }: Context, session: Session) {
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

export const profileRoutes = {
  account: accounts.account
    .use(requireSignIn())
    .handler(({ context: { request, session } }) => accountOf(request.context, session)),

  profile: accounts.profile
    .use(requireSignIn())
    .handler(({ context: { request, viewer } }) => profileOf(request.context, viewer)),

  updateProfile: accounts.updateProfile
    .use(requireSignIn())
    .use(rateLimit("profile"))
    .handler(async ({ context: { request, viewer }, input }) => {
      const verification_asked = await saveProfile(request, viewer, input);
      return { profile: await profileOf(request.context, viewer), verification_asked };
    }),
};
