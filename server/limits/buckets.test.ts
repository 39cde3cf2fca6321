import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { HOUR } from "#shared/time.ts";
import { withFullDisk } from "#test/full-disk.ts";
import { FULL_RUN } from "#test/full-run.ts";
import { app, counted, nextClientIp, OPERATIONS, rules, withLimits } from "#test/limited-operations.ts";
import { uniqueEmail } from "#test/people.ts";
import { clientKey, ipv6Prefix48 } from "./client-network.ts";
import { JITTER, NETWORK_FACTOR, RATE_LIMITS, type RateLimitedAction } from "./rate-limit-rules.ts";
import { bucketsOf, type LimitSubject, openRateLimits, type RateLimits } from "./rate-limits.ts";

withLimits();

test.each([
  ["203.0.113.7", "203.0.113.7", null],
  ["::ffff:203.0.113.7", "203.0.113.7", null],
  ["::ffff:cb00:7107", "203.0.113.7", null],
  ["0000:0000:0000:0000:0000:FFFF:203.0.113.7", "203.0.113.7", null],
  ["::0:ffff:203.0.113.7", "203.0.113.7", null],
  ["::ffff:203.0.113.7%eth0", "203.0.113.7", null],
  ["1::203.0.113.7", "1:0:0:0", "1:0:0"],
  ["::", "0:0:0:0", "0:0:0"],
  ["2001:DB8:1:2:3:4:5:6", "2001:db8:1:2", "2001:db8:1"],
  ["2001:db8:1:2::", "2001:db8:1:2", "2001:db8:1"],
  ["64:ff9b::203.0.113.7", "64:ff9b:0:0", "64:ff9b:0"],
  ["fe80::1%eth0", "fe80:0:0:0", "fe80:0:0"],
])("maps the IP %s to the sender %s in the network %s", (address, sender, network) => {
  expect([clientKey(address), ipv6Prefix48(address)]).toEqual([sender, network]);
});

describe("number of uses per IP", () => {
  const actions = rules.filter(({ kind }) => kind === "address");
  /** Returns the secret number of additional uses of an IP address. */
  const extraUses = (action: RateLimitedAction, address: string) => {
    const { points } = (RATE_LIMITS[action] as Record<string, { points: number }>).address!;
    return bucketsOf("secret", action, { address }, new Date(0))[0]!.limit - points;
  };

  // With 100 equally likely numbers, each use by others improves a guess about them by 1 %.
  test.each(actions)("takes each of 100 numbers for $action about equally often", ({ action }) => {
    const counts = Array<number>(100).fill(0);
    for (let at = 0; at < 5_000; at++) counts[extraUses(action, `10.0.${at >> 8}.${at & 255}`)]!++;
    expect(counts).toHaveLength(100);
    // The mean is 50. A tolerance of six standard deviations.
    for (const count of counts) expect(Math.abs(count - 50)).toBeLessThan(43);
  });
});

describe("rate limits", () => {
  const SECRET = "a secret of this test";
  let limits: RateLimits;
  /** Clock of these limits, in the middle of a window. */
  let clock = 0;
  const now = () => new Date(clock);
  beforeAll(() => {
    limits = openRateLimits(app.context.pool, SECRET, now);
  });
  beforeEach(() => {
    clock = Math.ceil(Date.now() / HOUR) * HOUR + 450_000;
  });

  /** Every rule in the full run, otherwise one per kind: all share the same statements. */
  const each = rules.filter(({ kind }, at) => FULL_RUN || rules.findIndex((rule) => rule.kind === kind) === at);
  /** A subject of only this kind. */
  const one = (kind: string): LimitSubject => ({
    [kind]: kind === "address" ? nextClientIp() : randomUUID(),
  });
  const limitOf = ({ action, kind }: { action: RateLimitedAction; kind: string }, who: LimitSubject) =>
    bucketsOf(SECRET, action, who, now()).find(({ key }) => key.startsWith(`${action}_${kind}:`))!;
  const setPoints = (key: string, points: number) =>
    app.sql("update rate_limits set points = $1 where key = $2", [points, key]);

  async function outcomes(attempts: Promise<void>[]) {
    const results = await Promise.allSettled(attempts);
    const refused = results.filter((result) => result.status === "rejected");
    for (const { reason } of refused) expect(reason).toMatchObject({ code: "too_many_requests" });
    return { allowed: results.length - refused.length, refused: refused.length };
  }

  test.each(each)("allows exactly the remaining uses of $action per $kind for 200 concurrent ones", async (row) => {
    const who = one(row.kind);
    const { key, limit } = limitOf(row, who);
    const left = Math.min(7, limit - 1);
    await limits.spend(row.action, who);
    await setPoints(key, limit - left);
    const at200 = Array.from({ length: 200 }, () => limits.spend(row.action, who));
    expect(await outcomes(at200)).toEqual({ allowed: left, refused: 200 - left });
    expect(await app.sql("select points from rate_limits where key = $1", [key])).toEqual([{ points: limit }]);
  });

  test("counts all of 200 concurrent first uses by 12 networks of a /48", async () => {
    const at200 = Array.from({ length: 200 }, (_, at) =>
      limits.spend("contact", { address: `2001:db8:5:${at % 12}::${at}` }),
    );
    expect(await outcomes(at200)).toEqual({ allowed: 200, refused: 0 });
    const points = await app.sql(
      "select sum(points)::integer as n from rate_limits group by key ~ 'network' order by 1",
    );
    expect(points).toEqual([{ n: 200 }, { n: 200 }]);
  });

  test("limits the uses of an IP for each target alone", async () => {
    const address = nextClientIp();
    const [own] = bucketsOf(SECRET, "profile_view", { address, target: "one" }, now());
    await limits.spend("profile_view", { address, target: "one" });
    await setPoints(own!.key, own!.limit);
    expect(await limits.trySpend("profile_view", { address, target: "one" })).toEqual(new Date(own!.until));
    expect(await limits.trySpend("profile_view", { address, target: "another" })).toBeNull();
  });

  test("counts no checks", async () => {
    for (let looks = 0; looks < 5; looks++) await limits.check("sign_in", { address: "2001:db8:9:1::1" });
    expect(await counted()).toEqual([]);
  });

  test("counts no use of an IP that its network refuses", async () => {
    const who = { address: "2001:db8:9:2::1" };
    await limits.spend("contact", who);
    const [, network] = bucketsOf(SECRET, "contact", who, now());
    const { points } = RATE_LIMITS.contact.address;
    expect(network!.limit).toBeGreaterThanOrEqual(NETWORK_FACTOR * points);
    expect(network!.limit).toBeLessThan(NETWORK_FACTOR * (points + JITTER));
    await setPoints(network!.key, network!.limit);
    const before = await counted();
    for (const address of [who.address, "2001:db8:9:3::1"])
      await expect(limits.spend("contact", { address })).rejects.toMatchObject({ code: "too_many_requests" });
    expect(await counted()).toEqual(before);
    // Another customer's /48 has its own limit.
    await limits.spend("contact", { address: "2001:db8:a::1" });
  });

  test("responds 503 to a request that it cannot count", async () => {
    const ask = () =>
      OPERATIONS.contact["contact.send"]!({ sender: nextClientIp(), email: uniqueEmail(), kind: "address" });
    const refused = await withFullDisk(app, ["insert on rate_limits"], ask);
    expect(refused).toMatchObject({ status: 503, body: { code: "unavailable" } });
    expect(await app.sql("select from contact_messages")).toEqual([]);
    expect((await ask()).status).toBe(201);
  });
});
