import { expect, test } from "vitest";
import {
  advanceClock,
  app,
  begun,
  DAY,
  deliver,
  HOUR,
  hasGold,
  member,
  paypal,
  problems,
  row,
  setClock,
} from "#test/payment-app.ts";
import { sweep, sweepFor, withSweeps } from "#test/payment-sweeps.ts";

withSweeps();

/** Sets PayPal's response to all further readings of subscriptions. */
const respondWith = (status: number, body: object) =>
  paypal.injectFault(/^GET \/v1\/billing/, "receiving", { status, body }, 1_000_000);

test("reports a paid checkout that cannot be read, until it can", async () => {
  const made = await begun("monthly", "paypal");
  const events = await paypal.approve(made.external);
  respondWith(200, { id: 5 });
  await deliver(events);
  await sweepFor(3 * HOUR);
  expect(await problems(made.person)).toEqual(["unreadable"]);
  expect(await hasGold(made.person)).toBe(false);
  paypal.clearFaults();
  advanceClock(DAY);
  await sweep();
  expect(await problems(made.person)).toEqual([]);
  expect(await hasGold(made.person)).toBe(true);
});

test("reports no unconfirmed cancellation of a subscription that its buyer never approved", async () => {
  const made = await begun("monthly", "paypal");
  await app.sql("update checkouts set end_wanted_at = created_at where id = $1", [made.checkout]);
  advanceClock(8 * DAY);
  await sweep();
  expect(paypal.subscriptions.get(made.external)!.status).toBe("APPROVAL_PENDING");
  expect(await problems(made.person)).toEqual([]);
  respondWith(403, {});
  advanceClock(DAY);
  await sweep();
  expect(await problems(made.person)).toEqual([]);
});

test("gives no Gold back in an outage that begins after the grace period of an unpaid month", async () => {
  const { person } = await member("monthly", "paypal");
  setClock(new Date((await row(person))!.next_billing_date!.getTime() + 3 * DAY));
  await sweep();
  expect(await hasGold(person)).toBe(false);
  respondWith(503, {});
  advanceClock(DAY);
  await sweep();
  expect(await row(person)).toMatchObject({ status: "active", failing_since: expect.any(Date) });
  expect(await hasGold(person)).toBe(false);
});
