import { AppError } from "#shared/errors.ts";
import type { Context } from "../../context.ts";
import { rateLimit, requireSignIn } from "../../sessions/guards.ts";
import { api } from "../../sessions/operations.ts";
import { isPasswordRecent, LIFETIMES, sessionEnd } from "../../sessions/rules.ts";
import { sessionsOf } from "../../sessions/store.ts";
import type { Viewer } from "../../sessions/viewer.ts";
import { latestConsentsOf } from "../consents/store.ts";
import { pendingEmailChange } from "../email-change/store.ts";
import { factorOf } from "../second-factor/store.ts";
import { passwordOf } from "../store.ts";
import { saveProfile } from "./commands.ts";
import { ownProfile } from "./store.ts";

/**
 * Loads the view of the user's own profile. The contract strips the fields that it does not have.
 * @throws AppError sign_in_required
 */
async function profileOf({ db, now }: Context, viewer: Viewer) {
  const row = await ownProfile(db, viewer.id, now());
  if (!row) throw new AppError("sign_in_required");
  const professional = { ...row, was_rejected: row.rejected_at !== null };
  return { ...row, psychologist: row.user_type === "psychologist" ? professional : null };
}

const { accounts } = api;

export const profileRoutes = {
  account: accounts.account.use(requireSignIn()).handler(async ({ context: { session, db, now } }) => {
    const { id, viewer, passwordAt } = session;
    const at = now();
    const [{ password_changed_at }, sessions, waiting, consents, factor] = await Promise.all([
      passwordOf(db, viewer.id),
      sessionsOf(db, viewer.id, id),
      pendingEmailChange(db, viewer.id, at),
      latestConsentsOf(db, viewer.id),
      factorOf(db, viewer.id),
    ]);
    return {
      email: viewer.email,
      new_email: waiting?.new_email ?? null,
      password_changed_at,
      second_factor_since: factor?.confirmed_at ?? null,
      reauthenticated_until:
        passwordAt && isPasswordRecent(passwordAt, at)
          ? new Date(passwordAt.getTime() + LIFETIMES.freshPassword)
          : null,
      // Without expired sessions; the current session is first.
      sessions: sessions
        .filter((row) => sessionEnd(row, viewer.is_admin) > at)
        .map((row) => ({ ...row, current: row.id === id })),
      consents,
    };
  }),

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
