import { DAY_SECONDS as DAY, HOUR_SECONDS as HOUR, MINUTE_SECONDS as MINUTE } from "#shared/time.ts";

/**
 * Number of uses per number of seconds, and the reason for it. With `jitter`, an unknown number of users share the uses:
 * windows follow the clock, and each allows a secret number below `jitter` of further uses (docs/decisions/0012).
 */
export type RateLimit = { points: number; seconds: number; jitter?: number; why: string };

/** Jitter of the uses of an IP. */
export const JITTER = 100;

/**
 * All rate limits, by key.
 *
 * `person` is an account, `link` one mailed link, and `address` a network that an unknown number of users share. Only
 * actions without a session have a limit per `address`. The job that composes a mail limits the mails per mailbox (`server/accounts/mail-quota.ts`).
 */
export const RATE_LIMITS = {
  sign_in: {
    address: {
      points: 60,
      seconds: 15 * MINUTE,
      jitter: JITTER,
      why: "failures in unknown browsers: users of a shared office mistype a few passwords; a password list needs thousands",
    },
  },
  mail_request: {
    address: {
      points: 20,
      seconds: HOUR,
      jitter: JITTER,
      why: "registrations, recoveries and repeated mails: a class may register together; each registration costs a password hash",
    },
  },
  link: {
    link: {
      points: 20,
      seconds: HOUR,
      why: "a link is unguessable and works once; this only limits the hashing of passwords sent with it",
    },
  },
  account: {
    person: { points: 30, seconds: HOUR, why: "a user changes several settings; each new password costs a hash" },
  },
  export: {
    person: {
      points: 10,
      seconds: HOUR,
      why: "a user downloads the file on two devices; it reads all texts of the user",
    },
  },
  change_email: {
    person: { points: 10, seconds: HOUR, why: "a user mistypes the email twice and requests the mail again" },
  },
  ask: {
    person: {
      points: 10,
      seconds: HOUR,
      why: "one succeeds; the others are corrections of refused fields and double taps",
    },
  },
  answer: {
    person: { points: 40, seconds: HOUR, why: "a thoughtful answer takes more than a minute and a half" },
  },
  reply: {
    person: { points: 40, seconds: HOUR, why: "a fast exchange of replies needs fewer" },
  },
  correct: {
    person: { points: 60, seconds: HOUR, why: "a user edits a text repeatedly; each save counts" },
  },
  review: {
    person: { points: 30, seconds: HOUR, why: "one review per psychologist; the others are corrections" },
  },
  vote: {
    person: {
      points: 120,
      seconds: 10 * MINUTE,
      why: "a user who reads and votes without a pause needs 5 s per vote",
    },
  },
  upload: {
    person: { points: 30, seconds: HOUR, why: "a user tries several photos" },
  },
  profile: {
    person: { points: 60, seconds: HOUR, why: "a user edits a text repeatedly; each save counts" },
  },
  contact: {
    address: {
      points: 20,
      seconds: HOUR,
      jitter: JITTER,
      why: "users behind one carrier rarely write to us at the same time",
    },
    person: { points: 10, seconds: HOUR, why: "a question, an addition to it, and some double taps" },
  },
  profile_view: {
    address: {
      points: 60,
      seconds: HOUR,
      jitter: JITTER,
      why: "visits to one profile: a program could invent browsers that each count as a visitor. Further visits are not refused, only not counted",
    },
  },
  checkout: {
    person: { points: 30, seconds: HOUR, why: "a user compares plans and cards before the decision" },
  },
  cancellation: {
    person: {
      points: 30,
      seconds: HOUR,
      why: "a user cancels and repeats it until the provider confirms",
    },
  },
  reconciliation: {
    person: { points: 300, seconds: HOUR, why: "the page checks an open payment every 4 s for at most 2 min" },
  },
  webhook: {
    address: {
      points: 18_000,
      seconds: HOUR,
      jitter: JITTER,
      why: "a payment provider sends from few IPs and repeats failed ones; each costs a signature check. Users send none",
    },
  },
  event: {
    person: { points: 60, seconds: HOUR, why: "a user opens the plans once a minute; more would distort the funnel" },
  },
  session: {
    person: { points: 600, seconds: 10 * MINUTE, why: "a renewal is cheap; this limits a faulty loop" },
  },
  moderation: {
    person: { points: 600, seconds: 10 * MINUTE, why: "the administrator works through a long list" },
  },
} as const satisfies Record<string, Record<string, RateLimit>>;

/**
 * Limits of attempts with a password or a code (docs/decisions/0013). `device` is a known browser of an account or a
 * session, whose attempts other people cannot use up. `email` is a typed email in all other browsers together.
 */
export const ATTEMPT_LIMITS = {
  device: { points: 10, seconds: 15 * MINUTE, why: "a user tries several passwords" },
  device_day: { points: 100, seconds: DAY, why: "a stolen device gets no more guesses than unknown ones" },
  email: { points: 6, seconds: HOUR, jitter: 20, why: "a user mistypes a password in a new browser" },
  email_day: {
    points: 90,
    seconds: DAY,
    jitter: 20,
    why: "about 100 guesses per day from any number of machines find no password that our rules accept",
  },
} as const satisfies Record<string, RateLimit>;

/** Limit of an IPv6 /48 as a multiple of one IP's. A provider gives a /48 to one customer or to many. */
export const NETWORK_FACTOR = 20;

export type RateLimitedAction = keyof typeof RATE_LIMITS;

/** What an attempt tries. Passwords and codes have separate counts. */
export type Credential = "password" | "code";
