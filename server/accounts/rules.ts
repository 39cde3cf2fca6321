import type { ErrorCode, FieldErrors } from "#shared/errors.ts";
import { licenceProblem } from "#shared/licences.ts";
import type { UserType } from "#shared/lists.ts";
import { nameProblem, professionProblem } from "#shared/names.ts";
import { phoneProblem } from "../phones/rules.ts";

/** How long things last, in milliseconds, with the reason. */
export const LIFETIMES = {
  /** Longer than a weekend away from mail would need another request anyway. */
  registration: 24 * 3600_000,
  /** Time to find the mail; a recovery link in an old mailbox must be worth nothing. From when it is mailed. */
  recovery: 60 * 60_000,
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
  /** One mail a day says that strangers are trying; its link serves until the next one may come. */
  deviceLink: 24 * 3600_000,
} as const;

/** Mails of one kind that anybody's requests may send to one mailbox: one lost mail and one mistake; more would be bombing. */
export const MAILBOX_ALLOWANCE = { perHour: 3, perDay: 10 } as const;

/** What counts as one mailbox, however its address is written. */
export const mailboxOf = (email: string) => email.toLowerCase();

/**
 * Whether one more mail may leave to a mailbox: within the allowance, and beyond it only if no link that was mailed there
 * serves any more, so that its owner is never without one.
 */
export const mayMail = (sent: { lastHour: number; lastDay: number }, linkIsOut: boolean): boolean =>
  (sent.lastHour < MAILBOX_ALLOWANCE.perHour && sent.lastDay < MAILBOX_ALLOWANCE.perDay) || !linkIsOut;

/** What is kept of browsers that an account knows. */
export const KNOWN_DEVICES = {
  /** In milliseconds: half a year without signing in, and it is forgotten. */
  lifetime: 180 * 24 * 3600_000,
  /** More than one person uses; the ones used longest ago go. */
  perAccount: 10,
  /** A family shares a computer: signing in as one must not make it unknown to the others. */
  valuesPerBrowser: 5,
} as const;

/** How often passwords and codes may be tried, with the reasons. Times in milliseconds. */
export const BUDGETS = {
  /** A known browser, or a session: nobody else can use it up, so it is wide enough for whoever forgot which password it was. */
  own: {
    free: 10,
    within: 15 * 60_000,
    /** From then on each attempt doubles the wait: a stolen device gets about a hundred guesses a day. */
    firstWait: 30_000,
    longestWait: 15 * 60_000,
    forgottenAfter: 24 * 3600_000,
  },
  /**
   * All other browsers together, for one address. A guesser gets a hundred a day however many machines they have; the
   * spread is a secret of each window, so that being refused does not tell how often the owner has tried.
   */
  strangers: { hour: { base: 6, spread: 20 }, day: { base: 90, spread: 20 } },
} as const;

const HOUR = 3600_000;
const DAY = 24 * HOUR;

/** The hour and the day (UTC) in which strangers' attempts are counted together, and when both end. */
export function strangersWindow(now: Date): { hour: Date; hourEnds: Date; day: Date; dayEnds: Date } {
  const start = (length: number) => Math.floor(now.getTime() / length) * length;
  return {
    hour: new Date(start(HOUR)),
    hourEnds: new Date(start(HOUR) + HOUR),
    day: new Date(start(DAY)),
    dayEnds: new Date(start(DAY) + DAY),
  };
}

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

/** What is wrong with the phone numbers of a profile, beside their fields; empty when nothing is. */
export function phoneProblems({ phone, whatsapp, country }: Partial<Record<keyof ProfileFields, string>>): FieldErrors {
  const wrong = { phone: phone && phoneProblem(phone, country), whatsapp: whatsapp && phoneProblem(whatsapp, country) };
  return Object.fromEntries(Object.entries(wrong).filter((entry): entry is [string, string] => Boolean(entry[1])));
}

/** What is wrong, beside fields, with a profile that somebody of this kind sends, or null. */
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

/** Why somebody of this kind may not take a name, in words for beside the field, or null (specification, section 5). */
export const whyNotName = (userType: UserType, name: string): string | null =>
  nameProblem(name) ?? professionProblem(name, userType);

/** Why a profile may not be saved, or null. Patients see a face, so a psychologist's needs a photo (specification, section 5). */
export const whyCannotSaveProfile = (userType: UserType, avatarUrl: string | null): ErrorCode | null =>
  userType === "psychologist" && !avatarUrl ? "photo_required" : null;

/** A number of a register: capitals, accents, spaces and signs make no other one. */
const bareLicence = (value: string) =>
  value
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");

/**
 * A name as it was verified: capitals, accents and spaces make no other one, but a title, a word or a sign does. Only what
 * is one letter with its accent counts as accented: marks strewn over letters are signs.
 */
const bareName = (value: string) =>
  value
    .normalize("NFC")
    .replace(/\p{L}/gu, (letter) => letter.normalize("NFD").replace(/\p{M}/gu, ""))
    .toLowerCase()
    .replace(/\s/gu, "");

type Identity = Pick<ProfileFields, "full_name" | "country" | "license_number">;

/** Whether a change touches what the verification vouched for: who it is, the licence, the country it is of. */
export const changesWhatWasVerified = (before: Identity, after: Identity): boolean =>
  bareName(before.full_name) !== bareName(after.full_name) ||
  bareLicence(before.license_number) !== bareLicence(after.license_number) ||
  before.country !== after.country;
