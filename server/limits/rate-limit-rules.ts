import { HOUR_SECONDS as HOUR, MINUTE_SECONDS as MINUTE } from "#shared/time.ts";

/** How often something may be done within so many seconds, and why so often. */
export type RateLimit = { points: number; seconds: number; why: string };

/**
 * Every limit against abuse. What is counted under which key:
 * `person` an account; `link` one mailed link; `address` a network, of which an unknown number of people may share one.
 * A limit per address applies only to visitors. Its `points` are the least that it allows (docs/decisions/0012). How many mails a mailbox gets is decided where they are written (`server/accounts/allowance.ts`).
 */
export const RATE_LIMITS = {
  sign_in: {
    address: {
      points: 60,
      seconds: 15 * MINUTE,
      why: "failures in browsers that the account does not know: a shared office mistypes a few; a password list needs thousands",
    },
  },
  mail_request: {
    address: {
      points: 20,
      seconds: HOUR,
      why: "signing up, recovering, and a mail once more: a class registering together; each sign-up costs a password hash",
    },
  },
  link: {
    link: {
      points: 20,
      seconds: HOUR,
      why: "a link is unguessable and serves once; this only bounds the work of hashing the passwords that come with it",
    },
  },
  account: {
    person: { points: 30, seconds: HOUR, why: "putting an account in order; each new password costs a hash" },
  },
  export: {
    person: {
      points: 10,
      seconds: HOUR,
      why: "a file once, and again on another device; it reads everything that the user wrote",
    },
  },
  change_email: {
    person: { points: 10, seconds: HOUR, why: "a mistyped address or two, and the mail once more" },
  },
  ask: {
    person: {
      points: 10,
      seconds: HOUR,
      why: "one succeeds; the rest are corrections of refused fields and double taps",
    },
  },
  answer: {
    person: { points: 40, seconds: HOUR, why: "a thoughtful answer takes more than a minute and a half" },
  },
  reply: {
    person: { points: 40, seconds: HOUR, why: "a lively exchange, not a flood" },
  },
  correct: {
    person: { points: 60, seconds: HOUR, why: "polishing a text again and again; each save is one" },
  },
  review: {
    person: { points: 30, seconds: HOUR, why: "one review per psychologist; the rest are corrections" },
  },
  vote: {
    person: {
      points: 120,
      seconds: 10 * MINUTE,
      why: "reading and voting without pause stays below one in five seconds",
    },
  },
  upload: {
    person: { points: 30, seconds: HOUR, why: "trying several photos until one is right" },
  },
  profile: {
    person: { points: 60, seconds: HOUR, why: "polishing a text again and again; each save is one" },
  },
  contact: {
    address: { points: 20, seconds: HOUR, why: "people behind one carrier rarely write to us at the same time" },
    person: { points: 10, seconds: HOUR, why: "a question, what was forgotten in it, and some double taps" },
  },
  profile_view: {
    address: {
      points: 60,
      seconds: HOUR,
      why: "visits to one profile; a program that makes up browsers would count each as a visitor. Visits beyond it are not refused, only not counted",
    },
  },
  checkout: {
    person: { points: 30, seconds: HOUR, why: "going back and forth between plans and cards before deciding" },
  },
  cancellation: {
    person: {
      points: 30,
      seconds: HOUR,
      why: "cancelling, and sending the cancellation again while the provider does not confirm it",
    },
  },
  reconciliation: {
    person: { points: 300, seconds: HOUR, why: "an open payment window is checked every few seconds at most" },
  },
  webhook: {
    address: {
      points: 18_000,
      seconds: HOUR,
      why: "a payment provider sends from few addresses, and repeats what failed; each costs the check of a signature. No user sends any",
    },
  },
  event: {
    person: { points: 60, seconds: HOUR, why: "looking at the plans once a minute; more would distort the funnel" },
  },
  session: {
    person: { points: 600, seconds: 10 * MINUTE, why: "renewing is cheap; this bounds a loop gone wrong" },
  },
  moderation: {
    person: { points: 600, seconds: 10 * MINUTE, why: "an administrator working through a long list" },
  },
} as const satisfies Record<string, Record<string, RateLimit>>;

/** How many more uses than `points` an address may have: a secret number below this, another in each window. */
export const JITTER = 100;

/** The limit of an IPv6 /48 in multiples of one address: a provider gives it to one customer or to many. */
export const NETWORK_FACTOR = 20;

export type RateLimitedAction = keyof typeof RATE_LIMITS;
