import { describe, expect, test } from "vitest";
import { DAY, HOUR, MINUTE } from "#shared/time.ts";
import {
  advanceClock,
  app,
  begun,
  clock,
  context,
  deliver,
  hasGold,
  member,
  mercadopago,
  paypal,
  problems,
  row,
  setClock,
} from "#test/payment-app.ts";
import { openProblems, sweep, sweepFor, withSweeps } from "#test/payment-sweeps.ts";
import { workPayments } from "./jobs.ts";

withSweeps();

/** A member whose month ends in five minutes, and who pays PayPal for another one. */
async function renewing() {
  const made = await member("monthly", "paypal");
  const date = (await row(made.person))!.next_billing_date!;
  setClock(new Date(date.getTime() - 5 * MINUTE));
  return { ...made, date };
}
const answerWith = (body: unknown, status = 200) =>
  paypal.injectFault(/^GET \/v1\/billing/, "receiving", { status, body }, 1_000_000);
describe("a membership at its date that cannot be read", () => {
  test.each([
    ["answers something unexpected", 200, { id: 5 }, "unreadable"],
    ["refuses to show it", 403, { name: "NOT_AUTHORIZED" }, "unreadable"],
    ["is down", 503, {}, "unreachable"],
  ])("lasts 17 days, and the administrator sees it: PayPal %s", async (_, status, body, kind) => {
    // An answer of MercadoPago shows nothing of PayPal.
    await member("lifetime", "mercadopago");
    const made = await renewing();
    answerWith(body, status);
    for (let hours = 0; hours < 3; hours++) await sweep(HOUR);
    expect(await openProblems()).toEqual([kind]);
    expect(await row(made.person)).toMatchObject({ status: "active", next_billing_date: made.date });
    setClock(new Date(made.date.getTime() + 17 * DAY - 1000));
    await sweep();
    expect(await hasGold(made.person)).toBe(true);
    setClock(new Date(made.date.getTime() + 17 * DAY));
    await sweep();
    expect(await hasGold(made.person)).toBe(false);
    expect(await openProblems()).toEqual([kind]);
    paypal.clearFaults();
    await sweep(DAY);
    expect(await openProblems()).toEqual([]);
  });

  test.each([
    [1, "refuses our credentials, which is one problem at once", 401, "unreachable"],
    [5, "is down", 503, null],
  ])("lasts on after at most %i calls if MercadoPago %s", async (most, _, status, kind) => {
    // An outage of PayPal shows nothing of MercadoPago.
    const { checkout } = await begun("lifetime", "paypal");
    await app.sql("update checkouts set failing_since = '2027-05-01', due_at = '2028-01-01' where id = $1", [checkout]);
    const members = [await member("monthly", "mercadopago"), await member("monthly", "mercadopago")];
    setClock(new Date((await row(members[0]!.person))!.next_billing_date!.getTime() + HOUR));
    for (let n = 0; n < 6; n++) await begun("lifetime", "mercadopago");
    advanceClock(5 * MINUTE);
    mercadopago.injectFault(/./, "receiving", { status, body: {} }, 1_000_000);
    const before = mercadopago.calls.length;
    await sweep();
    expect(mercadopago.calls.length - before).toBeLessThanOrEqual(most);
    const states = () => app.sql("select distinct failing_since, read_at from checkouts where id <> $1", [checkout]);
    expect(await states()).toMatchObject([{ failing_since: clock }, { failing_since: clock }]);
    expect(await openProblems()).toEqual(kind ? [kind] : []);
    // A further sweep in the same outage notes it for none of them again.
    advanceClock(6 * MINUTE);
    const written = await app.statementsDuring(sweep);
    expect(written.filter((text) => text.startsWith("begin")).length).toBeLessThanOrEqual(5);
    advanceClock(4 * DAY);
    for (const { person } of members) expect(await hasGold(person)).toBe(true);
    mercadopago.clearFaults();
    await sweep();
    expect(await states()).toEqual([{ failing_since: null, read_at: clock }]);
    expect(await openProblems()).toEqual([]);
  });
});

test("keeps Gold for 14 days after the grace period if a payment that cannot be read may be the renewal", async () => {
  const { person, date } = await renewing();
  const body = { transactions: [{ id: "STRANGE", status: "COMPLETED", time: null }] };
  paypal.injectFault(/transactions/, "receiving", { status: 200, body }, 1_000_000);
  await sweep(HOUR);
  expect(await problems(person)).toEqual(["unreadable"]);
  setClock(new Date(date.getTime() + 16 * DAY));
  await sweep();
  expect(await hasGold(person)).toBe(true);
  expect(await problems(person)).toEqual(["unreadable"]);
});

test("reads a membership with a payment that cannot be read, and reports it until it can", async () => {
  const made = await member("monthly", "mercadopago");
  const line = { id: 7, status: "approved", external_reference: made.checkout, transaction_amount: null };
  const body = { paging: { total: 1 }, results: [line] };
  mercadopago.injectFault(/payments\/search/, "receiving", { status: 200, body }, 1);
  await sweep(DAY);
  expect(await row(made.person)).toMatchObject({ read_at: clock, failing_since: null });
  expect(await problems(made.person)).toEqual(["unreadable"]);
  expect(await hasGold(made.person)).toBe(true);
  await sweep(DAY);
  expect(await problems(made.person)).toEqual([]);
});

test("reports a paid checkout that cannot be read, until it can", async () => {
  const made = await begun("monthly", "paypal");
  const events = await paypal.approve(made.external);
  answerWith({ id: 5 });
  await deliver(events);
  for (let hours = 0; hours < 3; hours++) await sweep(HOUR);
  expect(await problems(made.person)).toEqual(["unreadable"]);
  expect(await hasGold(made.person)).toBe(false);
  paypal.clearFaults();
  await sweep(DAY);
  expect(await problems(made.person)).toEqual([]);
  expect(await hasGold(made.person)).toBe(true);
});

test("takes one membership's 500 for an outage only if no other can be read", async () => {
  const made = await renewing();
  const other = await member("monthly", "paypal");
  const fault = new RegExp(`^GET /v1/billing/subscriptions/${made.external}`);
  const fail = (times: number) => paypal.injectFault(fault, "receiving", { status: 500, body: {} }, times);
  fail(1);
  await sweep(10 * MINUTE);
  expect(await row(made.person)).toMatchObject({ failing_since: null, read_at: clock });
  fail(1_000_000);
  await sweep(10 * MINUTE);
  expect(await problems(made.person)).toEqual(["unreadable"]);
  expect(await row(other.person)).toMatchObject({ failing_since: null });
  const before = paypal.calls.length;
  await sweepFor(2 * HOUR);
  expect(paypal.calls.slice(before).filter((call) => fault.test(call)).length).toBeLessThanOrEqual(10);
  expect(await openProblems()).toEqual(["unreadable"]);
});

test("counts an error of ours as a failed reading, and not as an answer of the provider", async () => {
  const made = await renewing();
  await app.sql(
    "insert into payment_problems (kind, provider, external_id, created_at) values ('unreachable', 'paypal', 'paypal', $1)",
    [clock],
  );
  const paypalProvider = context.paymentProviders.get("paypal")!;
  let reads = 0;
  const read = () => {
    reads++;
    throw new TypeError("a fault of ours");
  };
  const faulty = { ...context, paymentProviders: new Map([["paypal", { ...paypalProvider, read }]]) };
  for (let tens = 0; tens < 12; tens++) {
    advanceClock(10 * MINUTE);
    await workPayments(faulty);
  }
  expect(reads).toBeGreaterThan(3);
  expect(reads).toBeLessThan(10);
  expect(await openProblems()).toEqual(["unreachable", "unreadable"]);
  setClock(new Date(made.date.getTime() + 16 * DAY));
  await workPayments(faulty);
  expect(await hasGold(made.person)).toBe(true);
  await sweepFor(HOUR);
  expect(await openProblems()).toEqual([]);
});

test("gives no further days where the provider's credentials were removed", async () => {
  const made = await renewing();
  const without = { ...context, paymentProviders: new Map() };
  await workPayments(without);
  setClock(new Date(made.date.getTime() + 3 * DAY + HOUR));
  await workPayments(without);
  expect(await hasGold(made.person)).toBe(false);
  expect(await openProblems()).toEqual([]);
});
