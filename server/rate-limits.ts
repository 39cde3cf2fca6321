import { createHmac, randomBytes } from "node:crypto";
import { isIPv6 } from "node:net";
import type pg from "pg";
import { AppError } from "#shared/errors.ts";

type Rule = { points: number; seconds: number; why: string };
const MINUTE = 60;
const HOUR = 3600;

/**
 * Every limit against abuse. What is counted under which key:
 * `person` an account; `link` one mailed link; `address` a network, of which
 * an unknown number of people may share one. Only where nobody is signed in yet is there a limit per address, and `points` of
 * it is the least that it allows (decision 26). How many mails a mailbox gets is decided where they are written
 * (`server/accounts/allowance.ts`).
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
    person: { points: 30, seconds: HOUR, why: "cancelling, and telling a service again that does not answer" },
  },
  reconciliation: {
    person: { points: 300, seconds: HOUR, why: "an open payment window is asked about every few seconds at most" },
  },
  webhook: {
    address: {
      points: 18_000,
      seconds: HOUR,
      why: "a payment service sends from few addresses, and again what failed; each costs a look at a signature. No person sends any",
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

/** How many uses more than `points` an address may have: a secret number below this, another one in each window. */
export const SPREAD = 100;
/** How much more than one address an IPv6 /48 may do, which a provider gives to one customer or to many. */
export const NETWORK_FACTOR = 20;

export type RateLimitedAction = keyof typeof RATE_LIMITS;
/** Who is counted. `about` narrows an address to what it is used on, such as one profile. */
export type Who = {
  address?: string;
  about?: string;
  person?: string;
  link?: string;
};

export type RateLimits = {
  /** Refuses who has no use left, and counts nothing. @throws AppError too_many_requests, which says until when */
  check(action: RateLimitedAction, who: Who): Promise<void>;
  /** Counts one use; one that is refused counts nothing. @throws AppError too_many_requests, which says until when */
  spend(action: RateLimitedAction, who: Who): Promise<void>;
  /** Counts one use, if one is left. @returns whether one was left, for limits of which nobody is told */
  take(action: RateLimitedAction, who: Who): Promise<boolean>;
};

/** Says that something was done too often, and until when; never how often, nor how often others did it. */
export function tooManyRequests(until: Date, now: Date, action?: RateLimitedAction): AppError {
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
  // Written in one way, whoever wrote it: without leading zeros, in lower case.
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

/** What counts as one sender: an IPv4 address, or the /64 that one household or phone gets of IPv6. */
export function senderOf(address: string): string {
  const plain = unmapped(address);
  return groupsOf(plain)?.slice(0, 4).join(":") ?? plain;
}

/** The IPv6 /48 around a sender, of which one customer can take a new /64 for each try; null of IPv4. */
export const networkOf = (address: string): string | null => groupsOf(unmapped(address))?.slice(0, 3).join(":") ?? null;

/** One count: its key, how many uses it allows, and until when it counts (milliseconds) if it begins now. */
export type Pot = { key: string; limit: number; until: number };

const hmac = (secret: string, text: string) => createHmac("sha256", secret).update(text).digest();

/**
 * The pots that one use of `action` goes into, the narrower first: where the wider one refuses, the narrower one can
 * allow nothing more in this window anyway, so a refusal changes nothing for anybody.
 *
 * Those of an address last from one full quarter or hour to the next, whenever they were first used, and how much they
 * allow beyond `points` is a secret of the address, the action and the window. So neither the time nor the number at which
 * somebody is refused tells what others behind the address did (decision 26).
 */
export function potsOf(secret: string, action: RateLimitedAction, who: Who, now: Date): Pot[] {
  const at = now.getTime();
  const pots: Pot[] = [];
  for (const [kind, { points, seconds }] of Object.entries(RATE_LIMITS[action] as Record<string, Rule>)) {
    // Neither addresses nor accounts or links are stored: only a mark made with our key.
    const add = (name: string, parts: unknown[], pot: (id: string) => Omit<Pot, "key">) => {
      const id = JSON.stringify([action, name, ...parts]);
      const mark = hmac(secret, `rate:${id}`).toString("base64url").slice(0, 22);
      pots.push({ key: `${action}_${name}:${mark}`, ...pot(id) });
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
          add(name, [network, who.about ?? "", window], (id) => ({
            limit: factor * points + (hmac(secret, `rate threshold:${id}`).readUInt32BE() % (factor * SPREAD)),
            until: (window + 1) * length,
          }));
    } else {
      const whose = who[kind as keyof Who];
      if (whose) add(kind, [whose], () => ({ limit: points, until: at + seconds * 1000 }));
    }
  }
  return pots;
}

/** Where pots are kept. Both answer until when (milliseconds) nothing is left in one, or null while something is. */
type Pots = { use(pot: Pot, at: number): Promise<number | null>; look(pot: Pot, at: number): Promise<number | null> };

/**
 * In PostgreSQL, so that all nodes share them. Of uses at the same time exactly those that are left are counted. A use is one
 * statement whether it is counted or refused: no more work tells that the last one was used.
 */
function sharedPots(pool: pg.Pool): Pots {
  return {
    async look({ key, limit }, at) {
      const { rows } = await pool.query(
        "select expire from rate_limits where key = $1 and expire > $2 and points >= $3",
        [key, at, limit],
      );
      return rows.length ? Number(rows[0].expire) : null;
    },
    async use(pot, at) {
      const { rows } = await pool.query(
        `with used as (
           insert into rate_limits as pot (key, points, expire) values ($1, 1, $2)
           on conflict (key) do update set
             points = case when pot.expire <= $3 then 1 else pot.points + 1 end,
             expire = case when pot.expire <= $3 then $2 else pot.expire end
           where pot.expire <= $3 or pot.points < $4
           returning 1
         )
         select exists (select from used) as counted, (select expire from rate_limits where key = $1) as expire`,
        [pot.key, pot.until, at, pot.limit],
      );
      const { counted, expire } = rows[0];
      if (counted) return null;
      // Of a pot that others began in this very moment the statement does not see the end.
      return expire !== null && Number(expire) > at ? Number(expire) : pot.until;
    },
  };
}

/** How many pots are remembered while the database does not answer; the oldest make room. */
const REMEMBERED = 100_000;

function rememberedPots(): Pots {
  const pots = new Map<string, { points: number; expire: number }>();
  const left = ({ key, limit }: Pot, at: number) => {
    const pot = pots.get(key);
    return pot && pot.expire > at && pot.points >= limit ? pot.expire : null;
  };
  return {
    look: async (pot, at) => left(pot, at),
    async use(pot, at) {
      const full = left(pot, at);
      if (full !== null) return full;
      const known = pots.get(pot.key);
      if (known && known.expire > at) known.points++;
      else {
        pots.delete(pot.key);
        pots.set(pot.key, { points: 1, expire: pot.until });
        if (pots.size > REMEMBERED) pots.delete(pots.keys().next().value!);
      }
      return null;
    },
  };
}

/** Limits counted in PostgreSQL, so that all nodes share them; in memory while the database does not answer. */
export function openRateLimits(pool: pg.Pool, secret: string, now: () => Date): RateLimits {
  const shared = sharedPots(pool);
  const remembered = rememberedPots();
  // With the thresholds of the database one could measure the same pot twice, with and without what others did.
  const ownSecret = randomBytes(32).toString("base64url");

  /** Until when nothing is left, or null. */
  async function fullUntil(how: keyof Pots, action: RateLimitedAction, who: Who): Promise<Date | null> {
    const at = now();
    const ask = async (pots: Pots, key: string) => {
      for (const pot of potsOf(key, action, who, at)) {
        const full = await pots[how](pot, at.getTime());
        if (full !== null) return new Date(full);
      }
      return null;
    };
    return ask(shared, secret).catch(() => ask(remembered, ownSecret));
  }

  return {
    async check(action, who) {
      const full = await fullUntil("look", action, who);
      if (full) throw tooManyRequests(full, now(), action);
    },
    async spend(action, who) {
      const full = await fullUntil("use", action, who);
      if (full) throw tooManyRequests(full, now(), action);
    },
    take: async (action, who) => (await fullUntil("use", action, who)) === null,
  };
}
