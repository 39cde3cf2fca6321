import type { ErrorCode, FieldErrors } from "#shared/errors.ts";
import { licenceProblem } from "#shared/licences.ts";
import type { UserType } from "#shared/lists.ts";
import { nameProblem, professionProblem } from "#shared/names.ts";
import { phoneProblem } from "../phones/rules.ts";

/** Lifetimes in milliseconds, with reasons. */
export const LIFETIMES = {
  /** A day to find the mail; after that registering again is easy. */
  registration: 24 * 3600_000,
  /** Time to find the mail; a recovery link in an old mailbox must be useless. Counted from when it is mailed. */
  recovery: 60 * 60_000,
  session: 30 * 24 * 3600_000,
  /** A phone left unused for a week signs itself out. */
  sessionIdle: 7 * 24 * 3600_000,
  /** Recording every request of a session would be a write per page. */
  sessionSeen: 5 * 60_000,
  /** Time to find the phone; after that the password is required again. */
  challenge: 10 * 60_000,
  /** A working day: the administrator's session allows more than any other. */
  adminSession: 8 * 3600_000,
  /** Time for several changes; an unattended device is safe after that. */
  freshPassword: 10 * 60_000,
  /** As for a registration. */
  emailChange: 24 * 3600_000,
  /** A week: a user who reads mail only on Sundays can still revert a change. */
  emailUndo: 7 * 24 * 3600_000,
  /** One mail a day says that sign-in is paused; its link is valid until the next one may come. */
  deviceLink: 24 * 3600_000,
} as const;

/**
 * Mails of one kind that anyone's requests may send to one mailbox: one lost mail and one mistake; more would be mail
 * bombing.
 */
const MAILBOX_ALLOWANCE = { perHour: 3, perDay: 10 } as const;

/** What counts as one mailbox, however its address is written. */
export const mailboxOf = (email: string) => email.toLowerCase();

/**
 * Whether one more mail may be sent to a mailbox: within the allowance, and beyond it only if no link that was mailed there
 * is valid any more, so that its owner always has one.
 */
export const mayMail = (sent: { lastHour: number; lastDay: number }, linkIsOut: boolean): boolean =>
  (sent.lastHour < MAILBOX_ALLOWANCE.perHour && sent.lastDay < MAILBOX_ALLOWANCE.perDay) || !linkIsOut;

/** Limits of known devices. */
export const KNOWN_DEVICES = {
  /** In milliseconds: it is forgotten after half a year without signing in. */
  lifetime: 180 * 24 * 3600_000,
  /** More than one person uses; the least recently used are removed. */
  perAccount: 10,
  /** A family shares a computer: signing in as one must not forget the others. */
  valuesPerBrowser: 5,
} as const;

/** How often passwords and codes may be tried, with the reasons. Times in milliseconds. */
export const ATTEMPT_LIMITS = {
  /**
   * A known browser, or a session: no one else can use it up, so it is wide enough for a user who forgot which password it
   * was.
   */
  own: {
    free: 10,
    within: 15 * 60_000,
    /** After the free attempts each one doubles the wait: a stolen device gets about a hundred guesses a day. */
    firstWait: 30_000,
    longestWait: 15 * 60_000,
    forgottenAfter: 24 * 3600_000,
  },
  /**
   * All unknown devices together, for one address: a hundred guesses a day, from however many machines. The jitter is a
   * secret of each window, so that a refusal does not reveal how often the owner has tried.
   */
  unknownDevices: { hour: { base: 6, jitter: 20 }, day: { base: 90, jitter: 20 } },
} as const;

const HOUR = 3600_000;
const DAY = 24 * HOUR;

/** The hour and the day (UTC) in which attempts of unknown devices are counted together, and their ends. */
export function attemptWindow(now: Date): { hour: Date; hourEnds: Date; day: Date; dayEnds: Date } {
  const start = (length: number) => Math.floor(now.getTime() / length) * length;
  return {
    hour: new Date(start(HOUR)),
    hourEnds: new Date(start(HOUR) + HOUR),
    day: new Date(start(DAY)),
    dayEnds: new Date(start(DAY) + DAY),
  };
}

/** The viewer, as rules need it. */
export type Viewer = {
  id: string;
  full_name: string;
  email: string;
  user_type: UserType;
  is_admin: boolean;
  is_verified: boolean;
  /** A consent was withdrawn and not given again: the user may not publish. */
  consent_withdrawn: boolean;
  has_gold: boolean;
  free_responses_used: number;
  max_free_responses: number;
};

/** The administrator is the account that has confirmed the configured address (specification, section 6). */
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

/** Whether the password was given so recently that a sensitive change does not require it again. */
export const isPasswordRecent = (passwordAt: Date | null, now: Date): boolean =>
  passwordAt !== null && now.getTime() - passwordAt.getTime() <= LIFETIMES.freshPassword;

/** Why the user may not make a sensitive change now, or null (specification, section 2, "Account"). */
export const whyCannotChangeSensitive = (session: { passwordAt: Date | null }, now: Date): ErrorCode | null =>
  isPasswordRecent(session.passwordAt, now) ? null : "reauthentication_required";

/** The fields of a psychologist's profile. */
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

/** Fields that only a psychologist's profile has. */
const PROFESSIONAL = [
  "specialty",
  "country",
  "license_number",
  "bio",
  "phone",
  "whatsapp",
  "website",
] as const satisfies (keyof ProfileFields)[];

/** What is wrong with the phone numbers of a profile, beside their fields; empty when nothing is. */
export function phoneProblems({ phone, whatsapp, country }: Partial<Record<keyof ProfileFields, string>>): FieldErrors {
  const wrong = { phone: phone && phoneProblem(phone, country), whatsapp: whatsapp && phoneProblem(whatsapp, country) };
  return Object.fromEntries(Object.entries(wrong).filter((entry): entry is [string, string] => Boolean(entry[1])));
}

/** The errors beside fields of a submitted profile of this user type, or null. */
export function profileProblems(
  userType: UserType,
  input: Partial<Record<keyof ProfileFields, string>>,
): FieldErrors | null {
  if (userType === "psychologist") {
    const licence = input.license_number
      ? licenceProblem(input.license_number, input.country)
      : "Escribe tu número de matrícula o registro profesional.";
    const problems = { ...(licence && { license_number: licence }), ...phoneProblems(input) };
    return Object.keys(problems).length ? problems : null;
  }
  const given = PROFESSIONAL.filter((field) => input[field] !== undefined);
  return given.length ? Object.fromEntries(given.map((field) => [field, "Este dato no se espera aquí."])) : null;
}

/** Why a user of this type may not use a name, as text beside the field, or null (specification, section 5). */
export const whyNotName = (userType: UserType, name: string): string | null =>
  nameProblem(name) ?? professionProblem(name, userType);

/** Why a profile may not be saved, or null. Patients see a face, so a psychologist's needs a photo (specification, section 5). */
export const whyCannotSaveProfile = (userType: UserType, avatarUrl: string | null): ErrorCode | null =>
  userType === "psychologist" && !avatarUrl ? "photo_required" : null;

/** A licence number for comparison: without case, accents, spaces and punctuation. */
const normalisedLicence = (value: string) =>
  value
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");

/**
 * A name for comparison: without case, accents and spaces; a title, a word or punctuation makes it another name. Only
 * composed letters lose their accent: other combining marks count.
 */
const normalisedName = (value: string) =>
  value
    .normalize("NFC")
    .replace(/\p{L}/gu, (letter) => letter.normalize("NFD").replace(/\p{M}/gu, ""))
    .toLowerCase()
    .replace(/\s/gu, "");

type Identity = Pick<ProfileFields, "full_name" | "country" | "license_number">;

/** Whether a change affects what was verified: name, licence, country. */
export const changesVerifiedData = (before: Identity, after: Identity): boolean =>
  normalisedName(before.full_name) !== normalisedName(after.full_name) ||
  normalisedLicence(before.license_number) !== normalisedLicence(after.license_number) ||
  before.country !== after.country;
