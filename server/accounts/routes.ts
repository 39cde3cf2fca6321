import { CONSENT_VERSION } from "#shared/consents.ts";
import { AppError } from "#shared/errors.ts";
import { normaliseLicence } from "#shared/licences.ts";
import type { Db } from "../database/handles.ts";
import { rateLimit, requireSignIn } from "../sessions/guards.ts";
import { api } from "../sessions/operations.ts";
import { isPasswordRecent, LIFETIMES, sessionEnd } from "../sessions/rules.ts";
import { sessionsOf } from "../sessions/store.ts";
import { hashToken } from "../tokens.ts";
import { emailChangeRoutes } from "./email-change/routes.ts";
import { pendingEmailChange } from "./email-change/store.ts";
import { normalisePhone } from "./profile/phone-rules.ts";
import { changedVerifiedFields, nameErrorFor, profileErrors, verificationAfter } from "./profile/rules.ts";
import { recoveryRoutes } from "./recovery/routes.ts";
import { registrationRoutes } from "./registration/routes.ts";
import { factorOf } from "./second-factor/store.ts";
import { signInRoutes } from "./sign-in/routes.ts";
import {
  disableMails,
  giveConsents,
  latestConsentsOf,
  lockProfile,
  lockPsychologistProfile,
  ownProfile,
  passwordOf,
  setFullName,
  setProfessional,
  withdrawConsent,
} from "./store.ts";

/**
 * Loads the view of the user's own profile. The contract strips the fields that it does not have.
 * @throws AppError sign_in_required
 */
async function profileOf(db: Db, id: string, now: Date) {
  const row = await ownProfile(db, id, now);
  if (!row) throw new AppError("sign_in_required");
  const professional = { ...row, was_rejected: row.rejected_at !== null };
  return { ...row, psychologist: row.user_type === "psychologist" ? professional : null };
}

const { accounts } = api;
const own = accounts.use(requireSignIn());

export const accountRoutes = accounts.router({
  ...registrationRoutes,
  ...signInRoutes,
  ...recoveryRoutes,
  ...emailChangeRoutes,

  account: own.account.handler(async ({ context: { session, db, now } }) => {
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

  profile: own.profile.handler(({ context: { viewer, db, now } }) => profileOf(db, viewer.id, now())),

  // A change of a verified field (name, licence, country) requires verification again. A rejected psychologist who
  // corrects a field becomes pending again.
  updateProfile: own.updateProfile
    .use(rateLimit("profile"))
    .handler(async ({ context: { viewer, db, now }, input }) => {
      const { id, user_type } = viewer;
      const { full_name, specialty = null, country = null, bio = null, website = null } = input;
      const verification_asked = await db.transaction().execute(async (tx) => {
        const psychologist = user_type === "psychologist" ? await lockPsychologistProfile(tx, id) : undefined;
        const before = await lockProfile(tx, id);
        if (!before) throw new AppError("sign_in_required");
        const name = full_name === before.full_name ? null : nameErrorFor(user_type, full_name);
        const problems = { ...(name && { full_name: name }), ...profileErrors(user_type, input) };
        if (Object.keys(problems).length) throw new AppError("invalid_input", { fields: problems });
        // A psychologist's profile needs a photo (specification, section 5).
        if (user_type === "psychologist" && !before.avatar_url) throw new AppError("photo_required");
        await setFullName(tx, id, full_name, now());
        if (!psychologist) return false;
        const license_number = normaliseLicence(input.license_number!, country);
        const phone = normalisePhone(input.phone, country);
        const whatsapp = normalisePhone(input.whatsapp, country);
        const formerLicence = normaliseLicence(psychologist.license_number, psychologist.country);
        const changed = changedVerifiedFields(
          { full_name: before.full_name, country: psychologist.country, license_number: formerLicence },
          { full_name, country, license_number },
        );
        const fields = { specialty, country, license_number, bio, phone, whatsapp, website };
        await setProfessional(tx, id, { ...fields, ...verificationAfter(psychologist, changed) });
        return changed.length > 0 && psychologist.is_verified;
      });
      return { profile: await profileOf(db, id, now()), verification_asked };
    }),

  setConsent: own.setConsent
    .use(rateLimit("account"))
    .handler(async ({ context: { viewer, db, now }, input: { kind, given } }) => {
      if (given) await giveConsents(db, viewer.id, [kind], CONSENT_VERSION, now());
      else await withdrawConsent(db, viewer.id, kind, now());
    }),

  // No rate limit: the token is unguessable, and mail services send requests of many users from a few IPs.
  unsubscribe: accounts.unsubscribe.handler(async ({ context: { db }, input }) => {
    if (!(await disableMails(db, hashToken(input.token)))) throw new AppError("link_expired");
  }),
});
