import { createHmac } from "node:crypto";
import type pg from "pg";
import { AppError, retryDetails } from "#shared/errors.ts";
import { clientKey, ipv6Prefix48 } from "./client-network.ts";
import {
  ATTEMPT_LIMITS,
  type Credential,
  NETWORK_FACTOR,
  RATE_LIMITS,
  type RateLimit,
  type RateLimitedAction,
} from "./rate-limit-rules.ts";
import { consumeBucket, deleteBuckets, peekBucket } from "./store.ts";

/** Subject of a limit. `target` narrows an IP to one resource, such as a profile. */
export type LimitSubject = Partial<Record<"address" | "target" | "person" | "link" | "device" | "email", string>>;

type Action = RateLimitedAction | Credential;

export type RateLimits = ReturnType<typeof openRateLimits>;

// Never with counts: an IP is shared by many users.
const tooManyRequests = (action: Action, until: Date, now: Date): AppError =>
  new AppError("too_many_requests", { details: { action, ...retryDetails(until, now) } });

/** One counter: its key, its limit, and its expiry in milliseconds if it begins now. */
export type Bucket = { key: string; limit: number; until: number };

const hmac = (secret: string, text: string) => createHmac("sha256", secret).update(text).digest();

/**
 * Returns the buckets of one use of `action`, the narrower first.
 *
 * A bucket with jitter lasts from one full quarter, hour or day to the next. Its number of uses above `points` is a
 * secret of subject, action and window. So neither time nor number of a refusal reveals other users' requests
 * (docs/decisions/0012).
 */
export function bucketsOf(secret: string, action: Action, who: LimitSubject, now: Date): Bucket[] {
  const at = now.getTime();
  const rules: Record<string, RateLimit> =
    action === "password" || action === "code" ? ATTEMPT_LIMITS : RATE_LIMITS[action];
  const buckets: Bucket[] = [];
  for (const [kind, { points, seconds, jitter }] of Object.entries(rules)) {
    const length = seconds * 1000;
    const window = Math.floor(at / length);
    // Subjects are stored only as a keyed hash.
    const add = (name: string, parts: unknown[], factor = 1) => {
      const id = JSON.stringify([action, name, ...parts, ...(jitter ? [window] : [])]);
      const mark = hmac(secret, `rate:${id}`).toString("base64url").slice(0, 22);
      const more = jitter ? hmac(secret, `rate threshold:${id}`).readUInt32BE() % (factor * jitter) : 0;
      const until = jitter ? (window + 1) * length : at + length;
      buckets.push({ key: `${action}_${name}:${mark}`, limit: factor * points + more, until });
    };
    const subject = who[kind.replace(/_day$/, "") as keyof LimitSubject];
    if (!subject) continue;
    if (kind !== "address") {
      add(kind, [subject]);
      continue;
    }
    add("address", [clientKey(subject), who.target ?? ""]);
    const network = ipv6Prefix48(subject);
    if (network) add("network", [network, who.target ?? ""], NETWORK_FACTOR);
  }
  return buckets;
}

/** Opens the rate limits, which all nodes count in PostgreSQL. A use that cannot be counted fails. */
export function openRateLimits(pool: pg.Pool, secret: string, now: () => Date) {
  /** Returns the end of the first full bucket, or null. */
  async function firstFull(ask: typeof peekBucket, buckets: Bucket[], at: Date): Promise<Date | null> {
    for (const bucket of buckets) {
      const until = await ask(pool, bucket, at.getTime());
      if (until !== null) return new Date(until);
    }
    return null;
  }

  /** @returns the time of the next use, or null if this use was counted */
  async function trySpend(action: Action, who: LimitSubject): Promise<Date | null> {
    const at = now();
    const buckets = bucketsOf(secret, action, who, at);
    // A use that a wider bucket refuses does not count in the narrower one.
    return (await firstFull(peekBucket, buckets.slice(1), at)) ?? firstFull(consumeBucket, buckets, at);
  }

  return {
    trySpend,
    /** @throws AppError too_many_requests if no use is left; counts nothing */
    async check(action: Action, who: LimitSubject): Promise<void> {
      const at = now();
      const full = await firstFull(peekBucket, bucketsOf(secret, action, who, at), at);
      if (full) throw tooManyRequests(action, full, at);
    },
    /** @throws AppError too_many_requests if this use was not counted */
    async spend(action: Action, who: LimitSubject): Promise<void> {
      const full = await trySpend(action, who);
      if (full) throw tooManyRequests(action, full, now());
    },
    reset: (action: Action, who: LimitSubject) => deleteBuckets(pool, bucketsOf(secret, action, who, now())),
  };
}
