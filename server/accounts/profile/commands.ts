import { AppError, assertAllowed } from "#shared/errors.ts";
import { normaliseLicence } from "#shared/licences.ts";
import type { ProfileInput } from "#shared/own-profile.ts";
import type { RequestContext } from "../../sessions/request-context.ts";
import type { Viewer } from "../../sessions/viewer.ts";
import { normalisePhone } from "./phone-rules.ts";
import {
  changedVerifiedFields,
  nameErrorFor,
  profileErrors,
  verificationAfter,
  whyCannotSaveProfile,
} from "./rules.ts";
import { lockProfile, lockPsychologistProfile, setFullName, setProfessional } from "./store.ts";

/**
 * Saves the user's own profile.
 *
 * A change of a verified field (name, licence, country) requires verification again. A rejected psychologist who
 * corrects a field becomes pending again.
 * @returns true if verification is required again
 * @throws AppError invalid_input, photo_required
 */
export async function saveProfile(request: RequestContext, viewer: Viewer, input: ProfileInput): Promise<boolean> {
  const { db, now } = request.context;
  return db.transaction().execute(async (tx) => {
    const psychologist = viewer.user_type === "psychologist" ? await lockPsychologistProfile(tx, viewer.id) : undefined;
    const before = await lockProfile(tx, viewer.id);
    if (!before) throw new AppError("sign_in_required");
    const name = input.full_name === before.full_name ? null : nameErrorFor(viewer.user_type, input.full_name);
    const problems = { ...(name && { full_name: name }), ...profileErrors(viewer.user_type, input) };
    if (Object.keys(problems).length) throw new AppError("invalid_input", { fields: problems });
    assertAllowed(whyCannotSaveProfile(viewer.user_type, before.avatar_url));
    await setFullName(tx, viewer.id, input.full_name, now());
    if (!psychologist) return false;
    const fields = {
      specialty: input.specialty ?? null,
      country: input.country ?? null,
      license_number: normaliseLicence(input.license_number!, input.country),
      bio: input.bio ?? null,
      phone: normalisePhone(input.phone, input.country),
      whatsapp: normalisePhone(input.whatsapp, input.country),
      website: input.website ?? null,
    };
    const changed = changedVerifiedFields(
      {
        ...psychologist,
        full_name: before.full_name,
        license_number: normaliseLicence(psychologist.license_number, psychologist.country),
      },
      { full_name: input.full_name, ...fields },
    );
    await setProfessional(tx, viewer.id, { ...fields, ...verificationAfter(psychologist, changed) });
    return changed.length > 0 && psychologist.is_verified;
  });
}
