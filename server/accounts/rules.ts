import type { ErrorCode, FieldErrors } from "#shared/errors.ts";
import { licenceProblem } from "#shared/licences.ts";
import type { UserType } from "#shared/lists.ts";

/** How long things last, in milliseconds, with the reason. */
export const LIFETIMES = {
  /** Longer than a weekend away from mail would need another request anyway. */
  registration: 24 * 3600_000,
  /** A recovery link in an old mailbox must be worth nothing. */
  recovery: 30 * 60_000,
  session: 30 * 24 * 3600_000,
  /** A phone left unused for a week signs itself out. */
  sessionIdle: 7 * 24 * 3600_000,
  /** Writing down every visit of a session would be a write per page. */
  sessionSeen: 5 * 60_000,
  /** Time to find the telephone; then the password is asked for again. */
  challenge: 10 * 60_000,
  /** A working day: the administrator's session opens more than anybody else's. */
  adminSession: 8 * 3600_000,
  /** Time for one change after another; a device left on a table is safe after that. */
  freshPassword: 10 * 60_000,
  /** As for a registration. */
  emailChange: 24 * 3600_000,
  /** A week: also who looks into their mail on Sundays alone can take a change back. */
  emailUndo: 7 * 24 * 3600_000,
} as const;

/** Who is looking, as rules need it. */
export type Viewer = {
  id: string;
  full_name: string;
  email: string;
  user_type: UserType;
  is_admin: boolean;
  is_verified: boolean;
  /** A consent was withdrawn and not given again: nothing new is published. */
  consent_withdrawn: boolean;
  has_gold: boolean;
  free_responses_used: number;
  max_free_responses: number;
};

/** The administrator is whoever has confirmed the configured address (specification, section 6). */
export const isAdmin = (email: string, adminEmail: string) => email.toLowerCase() === adminEmail.toLowerCase();

/** When a session ends if nothing happens: idle for a week, or 30 days after it began; an administrator's after 8 hours. */
export const sessionEnd = (session: { created_at: Date; seen_at: Date; expires_at: Date }, isAdmin = false) =>
  new Date(
    Math.min(
      session.expires_at.getTime(),
      session.seen_at.getTime() + LIFETIMES.sessionIdle,
      isAdmin ? session.created_at.getTime() + LIFETIMES.adminSession : Number.POSITIVE_INFINITY,
    ),
  );

/** Whether the password was given so recently that it need not be asked for again before a sensitive change. */
export const isFresh = (passwordAt: Date | null, now: Date): boolean =>
  passwordAt !== null && now.getTime() - passwordAt.getTime() <= LIFETIMES.freshPassword;

/** Why somebody may not change anything sensitive at this moment, or null (specification, section 2, "Account"). */
export const whyNotSensitive = (session: { passwordAt: Date | null }, now: Date): ErrorCode | null =>
  isFresh(session.passwordAt, now) ? null : "reauthentication_required";

/** What a psychologist's profile says beside the name. */
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

/** Fields that are a psychologist's alone. */
const PROFESSIONAL = [
  "specialty",
  "country",
  "license_number",
  "bio",
  "phone",
  "whatsapp",
  "website",
] as const satisfies (keyof ProfileFields)[];

/** What is wrong, beside fields, with a profile that somebody of this kind sends, or null. */
export function profileProblems(
  userType: UserType,
  input: Partial<Record<keyof ProfileFields, string>>,
): FieldErrors | null {
  if (userType === "psychologist") {
    const problem = input.license_number
      ? licenceProblem(input.license_number, input.country)
      : "Escribe tu número de matrícula o registro profesional.";
    return problem ? { license_number: problem } : null;
  }
  const given = PROFESSIONAL.filter((field) => input[field] !== undefined);
  return given.length ? Object.fromEntries(given.map((field) => [field, "Este dato no se espera aquí."])) : null;
}

/** Why a profile may not be saved, or null. Patients see a face, so a psychologist's needs a photo (specification, section 5). */
export const whyCannotSaveProfile = (userType: UserType, avatarUrl: string | null): ErrorCode | null =>
  userType === "psychologist" && !avatarUrl ? "photo_required" : null;

const TITLES = /(?<!\p{L})(lic|licda|dra?|mtr[oa]|mg|mgtr|ps|psic|prof)\.?(?!\p{L})/gu;

/** What identifies somebody in a register: neither titles nor capitals, accents, spaces and signs make another person. */
const bare = (value: string) =>
  value
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(TITLES, "")
    .replace(/[^\p{L}\p{N}]/gu, "");

type Identity = Pick<ProfileFields, "full_name" | "country" | "license_number">;

/** Whether a change touches what the verification vouched for: who it is, the licence, the country it is of. */
export const changesWhatWasVerified = (before: Identity, after: Identity): boolean =>
  bare(before.full_name) !== bare(after.full_name) ||
  bare(before.license_number) !== bare(after.license_number) ||
  before.country !== after.country;
