import { createHmac, randomBytes } from "node:crypto";
import { isIPv6 } from "node:net";
import type pg from "pg";
import { AppError } from "#shared/errors.ts";
import { HOUR_SECONDS as HOUR, MINUTE_SECONDS as MINUTE } from "#shared/time.ts";

type Rule = { points: number; seconds: number; why: string };

/**
 * Every limit against abuse. What is counted under which key:
 * `person` an account; `link` one mailed link; `address` a network, of which an unknown number of people may share one.
 * Only where no one is signed in yet is there a limit per address, and `points` of it is the least that it allows (decision
 * 26). How many mails a mailbox gets is decided where they are written (`server/accounts/allowance.ts`).
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
      why: "a file once, and again on another device; it reads everything somebody wrote",
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
      why: "visits to one profile; a program that makes up browsers would count each as a visitor. Beyond it nothing is said",
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
      why: "a payment provider sends from few addresses, and repeats what failed; each costs the check of a signature. No person sends any",
    },
  },
  event: {
    person: { points: 60, seconds: HOUR, why: "looking at the plans once a minute; more would bend the funnel" },
  },
  session: {
    person: { points: 600, seconds: 10 * MINUTE, why: "renewing is cheap; this bounds a loop gone wrong" },
  },
  moderation: {
    person: { points: 600, seconds: 10 * MINUTE, why: "an administrator working through a long list" },
  },
} as const satisfies Record<string, Record<string, Rule>>;

/** How many more uses than `points` an address may have: a secret number below this, another in each window. */
export const JITTER = 100;
/** The limit of an IPv6 /48 in multiples of one address: a provider gives it to one customer or to many. */
export const NETWORK_FACTOR = 20;

export type RateLimitedAction = keyof typeof RATE_LIMITS;
/** Who is counted. `target` narrows an address to one resource, such as a profile. */
export type LimitSubject = {
  address?: string;
  target?: string;
  person?: string;
  link?: string;
};

export type RateLimits = {
  /** Refuses if no use is left, and counts nothing. @throws AppError too_many_requests, which says until when */
  check(action: RateLimitedAction, who: LimitSubject): Promise<void>;
  /** Counts one use; a refused one is not counted. @throws AppError too_many_requests, which says until when */
  spend(action: RateLimitedAction, who: LimitSubject): Promise<void>;
  /** Counts one use, if one is left. @returns whether it was counted, for limits that users are not told of */
  trySpend(action: RateLimitedAction, who: LimitSubject): Promise<boolean>;
};

/** The error for too many requests, with the time of the next allowed one; never with counts. */
function tooManyRequests(until: Date, now: Date, action?: RateLimitedAction): AppError {
  const seconds = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000));
  return new AppError("too_many_requests", {
    facts: { action, until: until.toISOString(), retry_after_seconds: seconds },
  });
}

function groupsOf(address: string): string[] | null {
  if (!isIPv6(address)) return null;
  const [head = "", tail = ""] = address.split("::");
  const left = head.split(":").filter(Boolean);
  const right = address.includes("::") ? tail.split(":").filter(Boolean) : [];
  const zeros = address.includes("::") ? Array(8 - left.length - right.length).fill("0") : [];
  // One spelling for every address: without leading zeros, in lower case.
  return [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16).toString(16));
}

/** An IPv4 address that is written as IPv6, with dots or in hexadecimal, is that IPv4 address. */
function unmapped(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "");
  const groups = groupsOf(plain);
  if (groups?.slice(0, 6).join(":") !== "0:0:0:0:0:ffff") return plain;
  return groups
    .slice(6)
    .flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255])
    .join(".");
}

/** What counts as one sender: an IPv4 address, or an IPv6 /64, which one household or phone gets. */
export function senderOf(address: string): string {
  const plain = unmapped(address);
  return groupsOf(plain)?.slice(0, 4).join(":") ?? plain;
}

/** The IPv6 /48 of a sender, since one customer may use a new /64 for each request; null for IPv4. */
export const networkOf = (address: string): string | null => groupsOf(unmapped(address))?.slice(0, 3).join(":") ?? null;

/** One counter: its key, how many uses it allows, and when it expires (milliseconds) if it begins now. */
export type Bucket = { key: string; limit: number; until: number };

const hmac = (secret: string, text: string) => createHmac("sha256", secret).update(text).digest();

/**
 * The buckets of one use of `action`, the narrower first: where the wider one refuses, the narrower one could allow nothing
 * more in this window anyway, so a refusal changes nothing for anyone.
 *
 * Buckets of an address last from one full quarter or hour to the next, whenever they were first used, and how much they
 * allow beyond `points` is a secret of the address, the action and the window. So neither the time nor the number of a
 * refusal reveals what others behind the address did (decision 26).
 */
export function bucketsOf(secret: string, action: RateLimitedAction, who: LimitSubject, now: Date): Bucket[] {
  const at = now.getTime();
  const buckets: Bucket[] = [];
  for (const [kind, { points, seconds }] of Object.entries(RATE_LIMITS[action] as Record<string, Rule>)) {
    // Neither addresses nor accounts or links are stored: only a keyed hash.
    const add = (name: string, parts: unknown[], bucket: (id: string) => Omit<Bucket, "key">) => {
      const id = JSON.stringify([action, name, ...parts]);
      const mark = hmac(secret, `rate:${id}`).toString("base64url").slice(0, 22);
      buckets.push({ key: `${action}_${name}:${mark}`, ...bucket(id) });
    };
    if (kind === "address") {
      if (!who.address) continue;
      const length = seconds * 1000;
      const window = Math.floor(at / length);
      const widths: [string, string | null, number][] = [
        ["address", senderOf(who.address), 1],
        ["network", networkOf(who.address), NETWORK_FACTOR],
      ];
      for (const [name, network, factor] of widths)
        if (network)
          add(name, [network, who.target ?? "", window], (id) => ({
            limit: factor * points + (hmac(secret, `rate threshold:${id}`).readUInt32BE() % (factor * JITTER)),
            until: (window + 1) * length,
          }));
    } else {
      const whose = who[kind as keyof LimitSubject];
      if (whose) add(kind, [whose], () => ({ limit: points, until: at + seconds * 1000 }));
    }
  }
  return buckets;
}

/** A store of buckets. Both methods return until when (milliseconds) a bucket is empty, or null while a use is left. */
type BucketStore = {
  consume(bucket: Bucket, at: number): Promise<number | null>;
  peek(bucket: Bucket, at: number): Promise<number | null>;
};

/**
 * In PostgreSQL, so that all nodes share them. Of concurrent uses exactly those that are left are counted. A use is one
 * statement whether it is counted or refused, so that its duration reveals nothing.
 */
function databaseBuckets(pool: pg.Pool): BucketStore {
  return {
    async peek({ key, limit }, at) {
      const { rows } = await pool.query(
        "select expire from rate_limits where key = $1 and expire > $2 and points >= $3",
        [key, at, limit],
      );
      return rows.length ? Number(rows[0].expire) : null;
    },
    async consume(bucket, at) {
      const { rows } = await pool.query(
        `with used as (
           insert into rate_limits as bucket (key, points, expire) values ($1, 1, $2)
           on conflict (key) do update set
             points = case when bucket.expire <= $3 then 1 else bucket.points + 1 end,
             expire = case when bucket.expire <= $3 then $2 else bucket.expire end
           where bucket.expire <= $3 or bucket.points < $4
           returning 1
         )
         select exists (select from used) as counted, (select expire from rate_limits where key = $1) as expire`,
        [bucket.key, bucket.until, at, bucket.limit],
      );
      const { counted, expire } = rows[0];
      if (counted) return null;
      // The statement does not see the expiry of a bucket that was created concurrently.
      return expire !== null && Number(expire) > at ? Number(expire) : bucket.until;
    },
  };
}

/** How many buckets are held in memory while the database does not respond; the oldest are evicted. */
const MEMORY_BUCKETS = 100_000;

function memoryBuckets(): BucketStore {
  const buckets = new Map<string, { points: number; expire: number }>();
  const left = ({ key, limit }: Bucket, at: number) => {
    const bucket = buckets.get(key);
    return bucket && bucket.expire > at && bucket.points >= limit ? bucket.expire : null;
  };
  return {
    peek: async (bucket, at) => left(bucket, at),
    async consume(bucket, at) {
      const full = left(bucket, at);
      if (full !== null) return full;
      const known = buckets.get(bucket.key);
      if (known && known.expire > at) known.points++;
      else {
        buckets.delete(bucket.key);
        buckets.set(bucket.key, { points: 1, expire: bucket.until });
        if (buckets.size > MEMORY_BUCKETS) buckets.delete(buckets.keys().next().value!);
      }
      return null;
    },
  };
}

/** Limits counted in PostgreSQL, so that all nodes share them; in memory while the database does not respond. */
export function openRateLimits(pool: pg.Pool, secret: string, now: () => Date): RateLimits {
  const shared = databaseBuckets(pool);
  const remembered = memoryBuckets();
  // With the database's thresholds an attacker could measure the same bucket twice, with and without the uses of others.
  const ownSecret = randomBytes(32).toString("base64url");

  /** Until when no use is left, or null. */
  async function blockedUntil(
    how: keyof BucketStore,
    action: RateLimitedAction,
    who: LimitSubject,
  ): Promise<Date | null> {
    const at = now();
    const ask = async (buckets: BucketStore, key: string) => {
      for (const bucket of bucketsOf(key, action, who, at)) {
        const full = await buckets[how](bucket, at.getTime());
        if (full !== null) return new Date(full);
      }
      return null;
    };
    return ask(shared, secret).catch(() => ask(remembered, ownSecret));
  }

  return {
    async check(action, who) {
      const full = await blockedUntil("peek", action, who);
      if (full) throw tooManyRequests(full, now(), action);
    },
    async spend(action, who) {
      const full = await blockedUntil("consume", action, who);
      if (full) throw tooManyRequests(full, now(), action);
    },
    trySpend: async (action, who) => (await blockedUntil("consume", action, who)) === null,
  };
}
