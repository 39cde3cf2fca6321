import { DAY_SECONDS as DAY, HOUR_SECONDS as HOUR, MINUTE_SECONDS as MINUTE } from "#shared/time.ts";

/**
 * Number of uses per number of seconds. With `jitter`, an unknown number of users share the uses: windows follow the
 * clock, and each allows a secret number below `jitter` of further uses (docs/decisions/0012).
 */
export type RateLimit = { points: number; seconds: number; jitter?: number };

export const JITTER = 100;

/**
 * All rate limits, each below its reason. `person` is an account, `link` one mailed link, and `address` a network that
 * an unknown number of users share. Only actions without a session have a limit per `address`. The job that composes a
 * mail limits the mails per mailbox (`server/accounts/mail-quota-store.ts`).
 */
export const RATE_LIMITS = {
  // Failures in unknown browsers: users of a shared office mistype a few passwords; a password list needs thousands.
  sign_in: { address: { points: 60, seconds: 15 * MINUTE, jitter: JITTER } },
  // Registrations, recoveries and repeated mails: a class may register together; a registration costs a password hash.
  mail_request: { address: { points: 20, seconds: HOUR, jitter: JITTER } },
  // A link is unguessable and works once; this only limits the hashing of passwords sent with it.
  link: { link: { points: 20, seconds: HOUR } },
  // A user changes several settings; each new password costs a hash.
  account: { person: { points: 30, seconds: HOUR } },
  // A user downloads the file on two devices; it reads all texts of the user.
  export: { person: { points: 10, seconds: HOUR } },
  // A user mistypes the email twice and requests the mail again.
  change_email: { person: { points: 10, seconds: HOUR } },
  // One succeeds; the others are corrections of refused fields and double taps.
  ask: { person: { points: 10, seconds: HOUR } },
  // A thoughtful answer takes more than a minute and a half.
  answer: { person: { points: 40, seconds: HOUR } },
  // A fast exchange of replies needs fewer.
  reply: { person: { points: 40, seconds: HOUR } },
  // A user edits a text repeatedly; each save counts.
  correct: { person: { points: 60, seconds: HOUR } },
  // One review per psychologist; the others are corrections.
  review: { person: { points: 30, seconds: HOUR } },
  // A user who reads and votes without a pause needs 5 s per vote.
  vote: { person: { points: 120, seconds: 10 * MINUTE } },
  // A user tries several photos.
  upload: { person: { points: 30, seconds: HOUR } },
  // A user edits a text repeatedly; each save counts.
  profile: { person: { points: 60, seconds: HOUR } },
  contact: {
    // Users behind one carrier rarely write to us at the same time.
    address: { points: 20, seconds: HOUR, jitter: JITTER },
    // A question, an addition to it, and some double taps.
    person: { points: 10, seconds: HOUR },
  },
  // Visits to one profile: a program could invent browsers that each count as a visitor. Further ones are not counted.
  profile_view: { address: { points: 60, seconds: HOUR, jitter: JITTER } },
  // A user compares plans and cards before the decision.
  checkout: { person: { points: 30, seconds: HOUR } },
  // A user cancels and repeats it until the provider confirms.
  cancellation: { person: { points: 30, seconds: HOUR } },
  // The page checks an open payment every 4 s for at most 2 min.
  reconciliation: { person: { points: 300, seconds: HOUR } },
  // A payment provider sends from few IPs and repeats failed ones; each costs a signature check. Users send none.
  webhook: { address: { points: 18_000, seconds: HOUR, jitter: JITTER } },
  // A user opens the plans once a minute; more would distort the funnel.
  event: { person: { points: 60, seconds: HOUR } },
  // A renewal is cheap; this limits a faulty loop.
  session: { person: { points: 600, seconds: 10 * MINUTE } },
  // The administrator works through a long list.
  moderation: { person: { points: 600, seconds: 10 * MINUTE } },
} as const satisfies Record<string, Record<string, RateLimit>>;

/**
 * Limits of attempts with a password or a code (docs/decisions/0013). `device` is a known browser of an account or a
 * session, whose attempts other people cannot use up. `email` is a typed email in all other browsers together.
 */
export const ATTEMPT_LIMITS = {
  // A user tries several passwords.
  device: { points: 10, seconds: 15 * MINUTE },
  // A stolen device gets no more guesses than unknown ones.
  device_day: { points: 100, seconds: DAY },
  // A user mistypes a password in a new browser.
  email: { points: 6, seconds: HOUR, jitter: 20 },
  // About 100 guesses per day from any number of machines find no password that our rules accept.
  email_day: { points: 90, seconds: DAY, jitter: 20 },
} as const satisfies Record<string, RateLimit>;

/** Limit of an IPv6 /48 as a multiple of one IP's. A provider gives a /48 to one customer or to many. */
export const NETWORK_FACTOR = 20;

export type RateLimitedAction = keyof typeof RATE_LIMITS;

/** Passwords and codes have separate counts. */
export type Credential = "password" | "code";
