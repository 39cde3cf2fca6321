import { afterAll, describe, expect, test } from "vitest";
import { clientKey } from "#server/limits/client-network.ts";
import { JITTER, RATE_LIMITS, type RateLimitedAction } from "#server/limits/rate-limit-rules.ts";
import { bucketsOf, type LimitSubject } from "#server/limits/rate-limits.ts";
import { openTestApp, type TestApp } from "./app.ts";
import { FULL_RUN } from "./full-run.ts";
import { countCorrectGuesses, type LimitedActions, limitedActionsOf } from "./network-attacker.ts";

const ACTIONS = ["sign_in", "mail_request", "contact", "vote"] as const;
const ruleOf = (action: string) => {
  const rule = RATE_LIMITS[action as (typeof ACTIONS)[number]];
  return "address" in rule ? rule.address : rule.person;
};

const PRACTICE = 24;
const TRIES = 200;
/** Number of trials of the control, whose limits are in memory and therefore fast. */
const CONTROL_TRIES = 200;
/** Bound for a guess by chance: half of the trials plus 3.7 standard deviations, exceeded in one of 10,000 runs. */
const COIN = TRIES / 2 + (3.7 * Math.sqrt(TRIES)) / 2;

describe("an attacker on the same network", () => {
  let app: TestApp;
  afterAll(() => app?.close());

  test.runIf(FULL_RUN)("guesses the activity of a neighbour no better than by chance", async () => {
    app = await openTestApp({ limits: true, environment: { TRUSTED_PROXIES: "127.0.0.1" } });
    const many = () => Promise.all(Array.from({ length: PRACTICE + TRIES }, () => app.person()));
    const [attackers, others] = [await many(), await many()];
    // The attack moves the clock by weeks.
    await app.sql("update sessions set created_at = '2027-01-04', seen_at = '2027-01-04', expires_at = '2028-01-04'");
    const whoOf = (action: string, sender: string, at: number): LimitSubject =>
      action === "vote" ? { person: attackers[at]!.id } : { address: sender };
    const limited = limitedActionsOf(app, attackers, others, {
      actions: ACTIONS,
      seconds: (action) => ruleOf(action).seconds,
      spend: (action, sender, at) =>
        app.context.rateLimits.spend(action as RateLimitedAction, whoOf(action, sender, at)),
      async drain(name, sender, at) {
        const action = name === "network" ? "contact" : (name as RateLimitedAction);
        const buckets = bucketsOf(app.context.config.secret, action, whoOf(action, sender, at), new Date());
        const { key, limit } = name === "network" ? buckets[1]! : buckets[0]!;
        const [before] = await app.sql<{ points: number }>(
          `with before as (select points from rate_limits where key = $2)
           update rate_limits bucket set points = $1 from before where key = $2 returning before.points`,
          [limit - 1, key],
        );
        return limit - before!.points;
      },
    });
    const right = await countCorrectGuesses(limited, PRACTICE, TRIES);
    console.log(`a neighbour guesses ${right} of ${TRIES}`);
    expect(right).toBeLessThanOrEqual(COIN);
  });
});

/** Control with fixed limits: each IP address has the same number of uses, counted from the first one. */
function limitedFromFirstUse(): LimitedActions {
  const buckets = new Map<string, { uses: number; until: number }>();
  const bucketOf = (action: string, sender: string) => {
    const key = `${action} ${clientKey(sender)}`;
    let bucket = buckets.get(key);
    if (!bucket || bucket.until <= Date.now()) bucket = { uses: 0, until: Date.now() + ruleOf(action).seconds * 1000 };
    buckets.set(key, bucket);
    return bucket;
  };
  const use = (action: string, sender: string) => {
    const bucket = bucketOf(action, sender);
    if (bucket.uses >= ruleOf(action).points) return Math.ceil((bucket.until - Date.now()) / 1000);
    bucket.uses++;
    return 0;
  };
  return {
    actions: ["mail_request", "contact"],
    seconds: (action) => ruleOf(action).seconds,
    async request(action, sender) {
      const wait = use(action, sender);
      const headers = new Headers(wait ? { "retry-after": String(wait) } : {});
      return { status: wait ? 429 : 202, headers, text: "", ms: 1 };
    },
    spend: async (action, sender) => void use(action, sender),
    async drain(name, sender) {
      const action = name === "network" ? "contact" : name;
      const bucket = bucketOf(action, sender);
      const left = ruleOf(action).points - bucket.uses;
      bucket.uses += left - 1;
      return left;
    },
  };
}

describe("fixed limits from the first use", () => {
  test("reveal the activity in 95 % of the trials, so the attack works", async () => {
    expect(await countCorrectGuesses(limitedFromFirstUse(), 60, CONTROL_TRIES)).toBeGreaterThanOrEqual(
      0.95 * CONTROL_TRIES,
    );
  });

  test("reveal the activity by the number of uses even without times", async () => {
    const limited = limitedFromFirstUse();
    const hidden: LimitedActions = {
      ...limited,
      request: async (action, sender, at) => ({
        ...(await limited.request(action, sender, at)),
        headers: new Headers(),
      }),
    };
    expect(await countCorrectGuesses(hidden, 60, CONTROL_TRIES)).toBeGreaterThanOrEqual(0.95 * CONTROL_TRIES);
  });
});

describe("a single window", () => {
  /** Returns the attacker's advantage over chance from the refused use, if others used `uses`. */
  function advantage(limits: number[], uses: number): number {
    const seen = new Map<number, number>();
    const add = (left: number, by: number) => seen.set(left, (seen.get(left) ?? 0) + by);
    for (const limit of limits) {
      add(limit, 1 / limits.length);
      add(limit - uses, -1 / limits.length);
    }
    return [...seen.values()].reduce((sum, difference) => sum + Math.abs(difference), 0) / 2;
  }
  const byAddress = (Object.keys(RATE_LIMITS) as RateLimitedAction[]).filter(
    (action) => "address" in RATE_LIMITS[action],
  );

  test.each(byAddress)("gives an advantage of at most 0.05 if others use %s five times", (action) => {
    const { points } = ruleOf(action);
    const thresholds = Array.from({ length: JITTER }, (_, at) => points + at);
    for (let uses = 0; uses <= 5; uses++) expect(advantage(thresholds, uses)).toBeLessThanOrEqual(uses / 100 + 1e-9);
    expect(advantage(thresholds, 5)).toBeCloseTo(0.05);
  });

  test("uses each threshold about equally often", () => {
    const action = "contact";
    const { points } = ruleOf(action);
    const counts = new Map<number, number>();
    const tries = 20_000;
    for (let at = 0; at < tries; at++) {
      const address = `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`;
      const { limit } = bucketsOf("secret", action, { address }, new Date(0))[0]!;
      counts.set(limit, (counts.get(limit) ?? 0) + 1);
    }
    expect([...counts.keys()].toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: JITTER }, (_, at) => points + at),
    );
    // A tolerance of six standard deviations.
    const mean = tries / JITTER;
    for (const count of counts.values()) expect(Math.abs(count - mean)).toBeLessThan(6 * Math.sqrt(mean));
  });

  test("uses thresholds that do not correlate with another action, window, IP address or prefix length", () => {
    const limitOf = (action: RateLimitedAction, address: string, window: number, width = 0) =>
      bucketsOf("secret", action, { address }, new Date(window * 3_600_000))[width]!.limit -
      (width ? 20 : 1) * ruleOf(action).points;
    const pairs: Record<string, (at: number) => [number, number]> = {
      action: (at) => [
        limitOf("contact", `2001:db8:${at.toString(16)}::`, 0),
        limitOf("mail_request", `2001:db8:${at.toString(16)}::`, 0),
      ],
      window: (at) => [limitOf("contact", "203.0.113.7", at), limitOf("contact", "203.0.113.7", at + 1)],
      address: (at) => [
        limitOf("contact", `2001:db8:0:${at.toString(16)}::`, 0),
        limitOf("contact", `2001:db8:0:${(at + 1).toString(16)}::`, 0),
      ],
      width: (at) => [
        limitOf("contact", `2001:db8:${at.toString(16)}::`, 0),
        limitOf("contact", `2001:db8:${at.toString(16)}::`, 0, 1) % JITTER,
      ],
    };
    for (const [name, pair] of Object.entries(pairs)) {
      let together = 0;
      const tries = 2_000;
      for (let at = 0; at < tries; at++) {
        const [a, b] = pair(at);
        together += (a - 49.5) * (b - 49.5);
      }
      // The correlation of independent values is almost certainly below 0.12.
      expect(Math.abs(together / tries / 833.25), name).toBeLessThan(0.12);
    }
  });
});
