import { withoutAccents } from "#shared/accents.ts";
import type { ErrorCode, FieldErrors } from "#shared/errors.ts";
import { licenseError } from "#shared/licences.ts";
import { nameError, professionError } from "#shared/names.ts";
import type { UserType } from "#shared/user-types.ts";
import { phoneError } from "./phone-rules.ts";

export type ProfileFields = {
  full_name: string;
  specialty: string | null;
  country: string | null;
  license_number: string;
  bio: string | null;
  phone: string | null;
  whatsapp: string | null;
  website: string | null;
};

const PROFESSIONAL = [
  "specialty",
  "country",
  "license_number",
  "bio",
  "phone",
  "whatsapp",
  "website",
] as const satisfies (keyof ProfileFields)[];

/** Returns the errors of a profile's phone numbers by field; empty if all are valid. */
export function phoneErrors({ phone, whatsapp, country }: Partial<Record<keyof ProfileFields, string>>): FieldErrors {
  const wrong = { phone: phone && phoneError(phone, country), whatsapp: whatsapp && phoneError(whatsapp, country) };
  return Object.fromEntries(Object.entries(wrong).filter((entry): entry is [string, string] => Boolean(entry[1])));
}

/** Returns the errors of a submitted profile by field, or null. */
export function profileErrors(
  userType: UserType,
  input: Partial<Record<keyof ProfileFields, string>>,
): FieldErrors | null {
  if (userType === "psychologist") {
    const licence = input.license_number
      ? licenseError(input.license_number, input.country)
      : "Escribe tu número de matrícula o registro profesional.";
    const problems = { ...(licence && { license_number: licence }), ...phoneErrors(input) };
    return Object.keys(problems).length ? problems : null;
  }
  const given = PROFESSIONAL.filter((field) => input[field] !== undefined);
  return given.length ? Object.fromEntries(given.map((field) => [field, "Este dato no se espera aquí."])) : null;
}

/** Returns the Spanish reason why a user of this type may not use a name, or null (specification, section 5). */
export const nameErrorFor = (userType: UserType, name: string): string | null =>
  nameError(name) ?? professionError(name, userType);

/** Why a profile may not be saved, or null. A psychologist's profile needs a photo (specification, section 5). */
export const whyCannotSaveProfile = (userType: UserType, avatarUrl: string | null): ErrorCode | null =>
  userType === "psychologist" && !avatarUrl ? "photo_required" : null;

/** Licence number for comparison: without case, accents, spaces and punctuation. */
const normalisedLicence = (value: string) => withoutAccents(value).replace(/[^\p{L}\p{N}]/gu, "");

/**
 * Name for comparison: without case, accents and spaces.
 *
 * A different title, word or punctuation makes it a different name. Only composed letters lose their accent; other
 * combining marks count.
 */
const normalisedName = (value: string) =>
  value
    .normalize("NFC")
    .replace(/\p{L}/gu, (letter) => letter.normalize("NFD").replace(/\p{M}/gu, ""))
    .toLowerCase()
    .replace(/\s/gu, "");

type Identity = Pick<ProfileFields, "full_name" | "country" | "license_number">;

const NORMALISED: { [Field in keyof Identity]: (value: Identity[Field]) => string | null } = {
  full_name: normalisedName,
  license_number: normalisedLicence,
  country: (value) => value,
};

/** Returns the verified fields (name, licence, country) that a change affects. */
export const changedVerifiedFields = (before: Identity, after: Identity) =>
  (Object.keys(NORMALISED) as (keyof Identity)[]).filter((field) => {
    const normalised = NORMALISED[field] as (value: string | null) => string | null;
    return normalised(before[field]) !== normalised(after[field]);
  });

/** Returns the verification after a change: pending, with the fields changed since the last check of the licence. */
export const verificationAfter = (
  before: { is_verified: boolean; changed_since_check: string[] | null },
  changed: readonly string[],
) =>
  changed.length > 0
    ? {
        verified_at: null,
        rejected_at: null,
        changed_since_check: before.is_verified
          ? [...changed]
          : before.changed_since_check && [...new Set([...before.changed_since_check, ...changed])],
      }
    : {};
