import { createHmac } from "node:crypto";
import { isIPv6 } from "node:net";
import type pg from "pg";
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import { AppError } from "#shared/errors.ts";

type Rule = { points: number; seconds: number; why: string };
const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

/**
 * Every limit against abuse. `address` counts per network address (an IPv6 /64 counts as one), `person` per account,
 * `mail` per mail address written to. Families, offices and mobile carriers share an address, so those numbers are wide.
 */
export const RATE_LIMITS = {
  sign_in: {
    address: {
      points: 60,
      seconds: 15 * MINUTE,
      why: "a shared office signs in within minutes; a password list needs thousands",
    },
  },
  sign_up: {
    address: { points: 20, seconds: HOUR, why: "a class registering together; each try costs a password hash" },
    mail: { points: 3, seconds: HOUR, why: "one lost mail and one mistake; more would be bombing a mailbox" },
    mailDay: { points: 10, seconds: DAY, why: "nobody needs ten confirmation mails in a day" },
  },
  recovery: {
    address: { points: 20, seconds: HOUR, why: "as for registering" },
    mail: { points: 3, seconds: HOUR, why: "one lost mail and one mistake" },
    mailDay: { points: 10, seconds: DAY, why: "nobody recovers a password ten times a day" },
  },
  second_factor: {
    address: {
      points: 60,
      seconds: 15 * MINUTE,
      why: "as for signing in; guesses at one account's codes wait as guesses at its password do",
    },
  },
  account: {
    person: { points: 30, seconds: HOUR, why: "putting an account in order; each new password costs a hash" },
  },
  export: {
    person: {
      points: 10,
      seconds: HOUR,
      why: "a file once, and again on another device; it reads everything somebody wrote",
    },
  },
  change_email: {
    person: { points: 10, seconds: HOUR, why: "a mistyped address or two, and the mail once more" },
    mail: { points: 3, seconds: HOUR, why: "one lost mail and one mistake; more would be bombing a mailbox" },
    mailDay: { points: 10, seconds: DAY, why: "nobody needs ten confirmation mails in a day" },
  },
  token: {
    address: {
      points: 60,
      seconds: HOUR,
      why: "links are unguessable; this only bounds the work of hashing passwords",
    },
  },
  ask: {
    address: { points: 60, seconds: HOUR, why: "one consultation a week each; a carrier's address has many people" },
    person: {
      points: 10,
      seconds: HOUR,
      why: "one succeeds; the rest are corrections of refused fields and double taps",
    },
  },
  answer: {
    address: { points: 200, seconds: HOUR, why: "a practice whose psychologists share an address" },
    person: { points: 40, seconds: HOUR, why: "a thoughtful answer takes more than a minute and a half" },
  },
  reply: {
    address: { points: 200, seconds: HOUR, why: "people behind one carrier" },
    person: { points: 40, seconds: HOUR, why: "a lively exchange, not a flood" },
  },
  correct: {
    address: { points: 300, seconds: HOUR, why: "people behind one carrier" },
    person: { points: 60, seconds: HOUR, why: "polishing a text again and again; each save is one" },
  },
  review: {
    address: { points: 200, seconds: HOUR, why: "people behind one carrier" },
    person: { points: 30, seconds: HOUR, why: "one review per psychologist; the rest are corrections" },
  },
  profile_view: {
    address: {
      points: 600,
      seconds: 10 * MINUTE,
      why: "people behind one carrier; a program that makes up browsers would count each as a visitor",
    },
  },
  vote: {
    address: { points: 1200, seconds: 10 * MINUTE, why: "people behind one carrier" },
    person: {
      points: 120,
      seconds: 10 * MINUTE,
      why: "reading and voting without pause stays below one in five seconds",
    },
  },
  upload: {
    address: { points: 200, seconds: HOUR, why: "people behind one carrier; each photo costs a moment of processing" },
    person: { points: 30, seconds: HOUR, why: "trying several photos until one is right" },
  },
  profile: {
    person: { points: 60, seconds: HOUR, why: "polishing a text again and again; each save is one" },
  },
  contact: {
    address: { points: 20, seconds: HOUR, why: "people behind one carrier rarely write to us at the same time" },
    person: { points: 10, seconds: HOUR, why: "a question, what was forgotten in it, and some double taps" },
  },
  checkout: {
    person: { points: 30, seconds: HOUR, why: "going back and forth between plans and cards before deciding" },
  },
  cancellation: {
    person: { points: 30, seconds: HOUR, why: "cancelling, and telling a service again that does not answer" },
  },
  checkout_reading: {
    person: { points: 300, seconds: HOUR, why: "an open payment window is asked about every few seconds at most" },
  },
  notification: {
    address: {
      points: 3000,
      seconds: 10 * MINUTE,
      why: "a payment service sends from few addresses, and again what failed; each costs a look at a signature",
    },
  },
  event: {
    person: { points: 60, seconds: HOUR, why: "looking at the plans once a minute; more would bend the funnel" },
  },
  session: {
    address: {
      points: 600,
      seconds: 10 * MINUTE,
      why: "renewing and signing out are cheap; this bounds a loop gone wrong",
    },
  },
  moderation: {
    person: { points: 600, seconds: 10 * MINUTE, why: "an administrator working through a long list" },
  },
} as const satisfies Record<string, Record<string, Rule>>;

/** Wrong passwords for one account: five are free, then each further one doubles the wait, up to five minutes; never a lock. */
export const WRONG_PASSWORDS = { free: 5, forgottenAfterSeconds: DAY, longestWaitSeconds: 5 * MINUTE } as const;

export type RateLimitedAction = keyof typeof RATE_LIMITS;
export type Who = { address?: string; person?: string; mail?: string };

export type RateLimits = {
  /** Counts one use. @throws AppError too_many_requests with the seconds to wait */
  spend(action: RateLimitedAction, who: Who): Promise<void>;
  /**
   * Counts a password before it is compared, so that many at once are no more than many in turn.
   * @throws AppError too_many_requests while an account waits after wrong passwords
   */
  tryPassword(account: string): Promise<void>;
  /** The password was right: what was counted is forgotten. */
  rightPassword(account: string): Promise<void>;
};

const tooMany = (seconds: number) =>
  new AppError("too_many_requests", { facts: { retry_after_seconds: Math.max(1, Math.ceil(seconds)) } });

/** What counts as one sender: an IPv4 address, or the /64 that one household or phone gets of IPv6. */
export function senderOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "");
  if (!isIPv6(plain)) return plain;
  const [head = "", tail = ""] = plain.split("::");
  const left = head.split(":").filter(Boolean);
  const right = plain.includes("::") ? tail.split(":").filter(Boolean) : [];
  const zeros = plain.includes("::") ? Array(8 - left.length - right.length).fill("0") : [];
  // Written in one way, whoever wrote it: without leading zeros, in lower case.
  return [...left, ...zeros, ...right]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":");
}

/** Limits counted in PostgreSQL, so that all nodes share them; in memory while the database does not answer. */
export function openRateLimits(pool: pg.Pool, secret: string): RateLimits {
  const limiters = new Map<string, RateLimiterPostgres>();
  const limiter = (name: string, points: number, seconds: number) => {
    let made = limiters.get(name);
    if (!made) {
      made = new RateLimiterPostgres({
        storeClient: pool,
        tableName: "rate_limits",
        tableCreated: true,
        clearExpiredByTimeout: false,
        keyPrefix: name,
        points,
        duration: seconds,
        insuranceLimiter: new RateLimiterMemory({ keyPrefix: name, points, duration: seconds }),
      });
      limiters.set(name, made);
    }
    return made;
  };
  // Neither network nor mail addresses are stored: only a mark made with our key.
  const mark = (value: string) => createHmac("sha256", secret).update(`rate:${value}`).digest("base64url").slice(0, 22);

  const wrong = () => limiter("wrong_password", Number.MAX_SAFE_INTEGER, WRONG_PASSWORDS.forgottenAfterSeconds);
  const wait = () => limiter("password_wait", 1, WRONG_PASSWORDS.longestWaitSeconds);

  return {
    async spend(action, who) {
      const keys: Record<string, string | undefined> = {
        address: who.address && senderOf(who.address),
        person: who.person,
        mail: who.mail,
        mailDay: who.mail,
      };
      for (const [kind, rule] of Object.entries(RATE_LIMITS[action] as Record<string, Rule>)) {
        const key = keys[kind];
        if (!key) continue;
        try {
          await limiter(`${action}_${kind}`, rule.points, rule.seconds).consume(mark(key));
        } catch (refused) {
          if (refused instanceof RateLimiterRes) throw tooMany(refused.msBeforeNext / 1000);
          throw refused;
        }
      }
    },
    async tryPassword(account) {
      const waiting = await wait().get(mark(account));
      if (waiting && waiting.msBeforeNext > 0) throw tooMany(waiting.msBeforeNext / 1000);
      const { consumedPoints } = await wrong().penalty(mark(account));
      if (consumedPoints <= WRONG_PASSWORDS.free) return;
      // Of those who come at once one gets through and begins the wait.
      const customDuration = Math.min(
        WRONG_PASSWORDS.longestWaitSeconds,
        2 ** Math.min(20, consumedPoints - WRONG_PASSWORDS.free),
      );
      try {
        await wait().consume(mark(account), 1, { customDuration });
      } catch (refused) {
        if (refused instanceof RateLimiterRes) throw tooMany(refused.msBeforeNext / 1000);
        throw refused;
      }
    },
    async rightPassword(account) {
      await Promise.all([wrong().delete(mark(account)), wait().delete(mark(account))]);
    },
  };
}
