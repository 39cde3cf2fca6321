import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { DAY, HOUR, MINUTE } from "#shared/time.ts";
import { advanceClock, begun, clock, member, mercadopago, payments, paypal, row, setClock } from "#test/payment-app.ts";
import { openProblems, sweep, sweepFor, withSweeps } from "#test/payment-sweeps.ts";

withSweeps();

describe("the gate of a provider", () => {
  test("a short pause that the provider asks for is waited for, and the call is made again", async () => {
    const made = await member("monthly", "mercadopago");
    advanceClock(DAY);
    mercadopago.injectFault(/^GET \/preapproval/, "receiving", { status: 429, headers: { "retry-after": "1" } });
    const before = performance.now();
    await sweep();
    expect(performance.now() - before).toBeGreaterThanOrEqual(1000);
    expect((await row(made.person))!.read_at).toEqual(clock);
  });

  test.each([
    ["seconds", () => "1800"],
    ["an HTTP date", () => new Date(Date.now() + 30 * MINUTE).toUTCString()],
  ])("pauses a provider for 30 min over all sweeps if Retry-After is %s", async (_format, retryAfter) => {
    await member("monthly", "mercadopago");
    advanceClock(DAY);
    mercadopago.injectFault(/^GET \/preapproval/, "receiving", {
      status: 503,
      headers: { "retry-after": retryAfter() },
    });
    const calls = async () => {
      const before = mercadopago.calls.length;
      await sweep();
      return mercadopago.calls.length - before;
    };
    expect(await calls()).toBe(1);
    // Without the pause the sweep would read this checkout.
    await begun("monthly", "mercadopago");
    advanceClock(20 * MINUTE);
    expect(await calls()).toBe(0);
    advanceClock(11 * MINUTE);
    expect(await calls()).toBeGreaterThan(0);
  });
});

test("reads at most eight checkouts of a provider at the same time, after a first answer", async () => {
  for (let n = 0; n < 12; n++) await begun("lifetime", "paypal");
  advanceClock(5 * MINUTE);
  const running: number[] = [];
  let now = 0;
  const answerSlowly = async () => {
    running.push(++now);
    await setTimeout(100);
    now--;
  };
  paypal.injectFault(/^GET \/v1\/billing/, "receiving", answerSlowly, 1000);
  await sweep();
  expect(running.slice(0, 2)).toEqual([1, 1]);
  expect(Math.max(...running)).toBe(8);
});

describe("a long Retry-After", () => {
  const respondWith = (seconds: number) => {
    const headers = { "retry-after": String(seconds) };
    mercadopago.injectFault(/^GET \/preapproval/, "receiving", { status: 503, headers }, 1_000_000);
  };

  test.each([2700, 864_000])(
    "pauses MercadoPago for at most 1 h instead of %i s, and raises a problem if it is repeated for 1 h",
    async (seconds) => {
      const made = await member("monthly", "mercadopago");
      advanceClock(DAY);
      respondWith(seconds);
      await sweep();
      await sweep(50 * MINUTE);
      expect(await openProblems()).toEqual([]);
      await sweep(10 * MINUTE);
      expect(await openProblems()).toEqual(["unreachable"]);
      mercadopago.clearFaults();
      await sweep(HOUR);
      expect(await row(made.person)).toMatchObject({ failing_since: null, read_at: clock });
      expect(await openProblems()).toEqual([]);
    },
  );
});

test("lets the readings of PayPal continue if the lookups of four webhook events always get a 500", async () => {
  const times = 4;
  const made = await member("monthly", "paypal");
  setClock((await row(made.person))!.next_billing_date!);
  await paypal.renew(made.external);
  paypal.events.length = 0;
  paypal.injectFault(/^GET .*sale\//, "receiving", { status: 500, body: {} }, 1_000_000);
  for (let n = 0; n < times; n++) {
    const event = paypal.event("PAYMENT.SALE.PENDING", { id: `SALE-${n}` });
    expect(await paypal.send(event)).toBe(200);
  }
  await sweep();
  expect(await payments(made.person)).toHaveLength(2);
  const before = paypal.calls.length;
  await sweepFor(3 * HOUR);
  expect(paypal.calls.slice(before).filter((call) => call.includes("sale/")).length).toBeLessThanOrEqual(10 * times);
  expect(await row(made.person)).toMatchObject({ failing_since: null, failures: 0 });
  expect(await openProblems()).toEqual([]);
});
