import { withoutAccents } from "#shared/accents.ts";
import type { FieldErrors } from "#shared/errors.ts";
import { licenseError } from "#shared/licences.ts";
import { nameError, professionError } from "#shared/names.ts";
import type { ProfileInput } from "#shared/own-profile.ts";
import type { UserType } from "#shared/user-types.ts";
import { phoneError } from "./phone-rules.ts";

/** Returns the errors of a profile's phone numbers by field; empty if all are valid. */
export function phoneErrors({ phone, whatsapp, country }: Partial<ProfileInput>): FieldErrors {
  const wrong = { phone: phone && phoneError(phone, country), whatsapp: whatsapp && phoneError(whatsapp, country) };
  return Object.fromEntries(Object.entries(wrong).filter((entry): entry is [string, string] => Boolean(entry[1])));
}

/** Returns the errors of a submitted profile by field; empty if all are valid. */
export function profileErrors(userType: UserType, { full_name: _, ...professional }: ProfileInput): FieldErrors {
  if (userType === "psychologist") {
    const { license_number, country } = professional;
    const licence = license_number
      ? licenseError(license_number, country)
      : "Escribe tu número de matrícula o registro profesional.";
    return { ...(licence && { license_number: licence }), ...phoneErrors(professional) };
  }
  const given = Object.entries(professional).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([field]) => [field, "Este dato no se espera aquí."]));
}

/** Returns the Spanish reason why a user of this type may not use a name, or null (specification, section 5). */
export const nameErrorFor = (userType: UserType, name: string): string | null =>
  nameError(name) ?? professionError(name, userType);

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

type Identity = { full_name: string; license_number: string; country: string | null };

const normalised = ({ full_name, license_number, country }: Identity): Identity => ({
  full_name: normalisedName(full_name),
  license_number: normalisedLicence(license_number),
  country,
});

/** Returns the verified fields (name, licence, country) that a change affects. */
export function changedVerifiedFields(before: Identity, after: Identity): (keyof Identity)[] {
  const [one, other] = [normalised(before), normalised(after)];
  return (Object.keys(one) as (keyof Identity)[]).filter((field) => one[field] !== other[field]);
}

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
