import { createHmac, randomBytes } from "node:crypto";
import type pg from "pg";
import { AppError, retryDetails } from "#shared/errors.ts";
import { shareOf } from "../processes.ts";
import { clientKey, ipv6Prefix48 } from "./client-network.ts";
import { JITTER, NETWORK_FACTOR, RATE_LIMITS, type RateLimit, type RateLimitedAction } from "./rate-limit-rules.ts";
import { databaseBuckets } from "./store.ts";

/** Subject of a limit. `target` narrows an IP to one resource, such as a profile. */
export type LimitSubject = {
  address?: string;
  target?: string;
  person?: string;
  link?: string;
};

export type RateLimits = {
  /**
   * Refuses if no use is left; counts nothing.
   * @throws AppError too_many_requests with the time of the next use
   */
  check(action: RateLimitedAction, who: LimitSubject): Promise<void>;
  /**
   * Counts one use, unless it refuses it.
   * @throws AppError too_many_requests with the time of the next use
   */
  spend(action: RateLimitedAction, who: LimitSubject): Promise<void>;
  /**
   * Counts a use unless the limit is reached, for limits that users do not see.
   * @returns true if it was counted
   */
  trySpend(action: RateLimitedAction, who: LimitSubject): Promise<boolean>;
};

/** Returns the error with the time of the next allowed use, never with counts. */
const tooManyRequests = (action: RateLimitedAction, until: Date, now: Date): AppError =>
  new AppError("too_many_requests", { details: { action, ...retryDetails(until, now) } });

/** One counter: its key, its limit, and its expiry in milliseconds if it begins now. */
export type Bucket = { key: string; limit: number; until: number };

const hmac = (secret: string, text: string) => createHmac("sha256", secret).update(text).digest();

/**
 * Returns the buckets of one use of `action`, the narrower first. If the wider one refuses, the narrower one could
 * allow nothing more in this window, so a refusal changes nothing.
 *
 * A bucket of an IP lasts from one full quarter or hour to the next. Its number of uses above `points` is a secret of
 * IP, action and window. So neither time nor number of a refusal reveals other users' requests behind the IP
 * (docs/decisions/0012).
 */
export function bucketsOf(secret: string, action: RateLimitedAction, who: LimitSubject, now: Date): Bucket[] {
  const at = now.getTime();
  const buckets: Bucket[] = [];
  for (const [kind, { points, seconds }] of Object.entries(RATE_LIMITS[action] as Record<string, RateLimit>)) {
    // IPs, accounts and links are stored only as a keyed hash.
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
        ["address", clientKey(who.address), 1],
        ["network", ipv6Prefix48(who.address), NETWORK_FACTOR],
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

/**
 * A store of buckets. Both methods return until when (milliseconds) a bucket is used up, or null while a use is left.
 */
export type BucketStore = {
  consume(bucket: Bucket, at: number): Promise<number | null>;
  peek(bucket: Bucket, at: number): Promise<number | null>;
};

/** Largest number of buckets in memory while the database does not respond; the oldest are evicted. */
const MEMORY_BUCKETS = 100_000;

function memoryBuckets(): BucketStore {
  const buckets = new Map<string, { points: number; expire: number }>();
  const fullUntil = ({ key, limit }: Bucket, at: number) => {
    const bucket = buckets.get(key);
    return bucket && bucket.expire > at && bucket.points >= shareOf(limit) ? bucket.expire : null;
  };
  return {
    peek: async (bucket, at) => fullUntil(bucket, at),
    async consume(bucket, at) {
      const full = fullUntil(bucket, at);
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

/**
 * Opens the rate limits. They are counted in PostgreSQL for all nodes, or in each process's memory while PostgreSQL
 * does not respond.
 */
export function openRateLimits(pool: pg.Pool, secret: string, now: () => Date): RateLimits {
  const shared = databaseBuckets(pool);
  const remembered = memoryBuckets();
  // With the database's thresholds an attacker could measure the same bucket twice, with and without other users'
  // requests.
  const ownSecret = randomBytes(32).toString("base64url");

  /** Returns until when no use is left, or null. */
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
      if (full) throw tooManyRequests(action, full, now());
    },
    async spend(action, who) {
      const full = await blockedUntil("consume", action, who);
      if (full) throw tooManyRequests(action, full, now());
    },
    trySpend: async (action, who) => (await blockedUntil("consume", action, who)) === null,
  };
}
