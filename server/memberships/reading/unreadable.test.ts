import { describe, expect, test } from "vitest";
import { FULL_RUN } from "#test/full-run.ts";
import {
  advanceClock,
  app,
  clock,
  context,
  DAY,
  deliver,
  HOUR,
  hasGold,
  lastSale,
  MINUTE,
  member,
  mercadopago,
  payments,
  paypal,
  problems,
  row,
  setClock,
} from "#test/payment-app.ts";

import { sweep, sweepFor, withSweeps } from "#test/payment-sweeps.ts";
import { workPayments } from "./jobs.ts";

withSweeps();

/** A member whose month ends in five minutes, and who pays PayPal for another one. */
async function renewing() {
  const made = await member("monthly", "paypal");
  const date = (await row(made.person))!.next_billing_date!;
  setClock(new Date(date.getTime() - 5 * MINUTE));
  return { ...made, date };
}
/** Sets PayPal's response to all further readings of subscriptions. */
const answerWith = (body: unknown, status = 200) =>
  paypal.injectFault(/^GET \/v1\/billing/, "receiving", { status, body }, 1_000_000);

describe("a membership at its date that cannot be read", () => {
  test.each([
    ["answers something unexpected", 200, { id: 5 }, "unreadable"],
    ["refuses to show it", 403, { name: "NOT_AUTHORIZED" }, "unreadable"],
    ["is down", 503, {}, "unreachable"],
    ["no longer accepts our credentials", 401, {}, "unreachable"],
  ])("lasts 17 days, and the administrator sees it: PayPal %s", async (_, status, body, kind) => {
    const made = await renewing();
    answerWith(body, status);
    await sweepFor(6 * HOUR);
    const open = () => app.sql("select kind from payment_problems where settled_at is null");
    expect(await open()).toEqual([{ kind }]);
    expect(await row(made.person)).toMatchObject({ status: "active", next_billing_date: made.date });
    setClock(new Date(made.date.getTime() + 17 * DAY - 1000));
    await sweep();
    expect(await hasGold(made.person)).toBe(true);
    setClock(new Date(made.date.getTime() + 17 * DAY));
    await sweep();
    expect(await hasGold(made.person)).toBe(false);
    expect(await open()).toEqual([{ kind }]);
    paypal.clearFaults();
    advanceClock(DAY);
    await sweep();
    expect(await open()).toEqual([]);
  });

  test("records the payments of the outage as soon as it can be read, and removes the problem", async () => {
    const made = await renewing();
    answerWith({ id: 5 });
    await sweep();
    advanceClock(2 * DAY);
    await paypal.renew(made.external);
    paypal.events.length = 0;
    paypal.clearFaults();
    await sweep();
    const next = (await row(made.person))!.next_billing_date!;
    expect(next.getTime()).toBeGreaterThan(made.date.getTime() + 20 * DAY);
    expect(next.getTime()).toBeLessThan(made.date.getTime() + 32 * DAY);
    expect(await problems(made.person)).toEqual([]);
  });

  test("ends at its date after all where PayPal then shows that it was cancelled", async () => {
    const made = await renewing();
    answerWith({ id: 5 });
    await sweep();
    advanceClock(DAY);
    await paypal.cancel(made.external);
    paypal.events.length = 0;
    paypal.clearFaults();
    await sweep();
    expect(await hasGold(made.person)).toBe(false);
    expect(await row(made.person)).toMatchObject({ status: "cancelled", ended_by: "provider" });
  });

  test("ends at its date after all where PayPal then knows nothing of it", async () => {
    const made = await renewing();
    answerWith({ id: 5 });
    await sweep();
    expect(await hasGold(made.person)).toBe(true);
    paypal.clearFaults();
    answerWith({ name: "RESOURCE_NOT_FOUND" }, 404);
    advanceClock(DAY);
    await sweep();
    expect(await hasGold(made.person)).toBe(false);
    expect((await row(made.person))!.next_billing_date).toEqual(made.date);
  });

  test("handles an event of the outage as soon as it can be read, also days later", async () => {
    const made = await member("monthly", "paypal");
    advanceClock(DAY);
    answerWith({ id: 5 });
    const [event] = await paypal.dispute(paypal.subscriptions.get(made.external)!.sales[0]!.id);
    await deliver([event!]);
    paypal.events.length = 0;
    for (let days = 0; days < 3; days++) {
      advanceClock(DAY);
      await sweep();
    }
    paypal.clearFaults();
    advanceClock(2 * HOUR);
    await sweep();
    expect(await problems(made.person)).toEqual(["dispute"]);
  });

  test("lasts no longer where PayPal's credentials were removed, or where it was cancelled before", async () => {
    const removed = await renewing();
    const without = {
      ...context,
      paymentProviders: new Map([...context.paymentProviders].filter(([n]) => n !== "paypal")),
    };
    await workPayments(without);
    advanceClock(3 * DAY + HOUR);
    await workPayments(without);
    expect(await hasGold(removed.person)).toBe(false);
    expect(await problems(removed.person)).toEqual([]);

    const cancelled = await member("monthly", "paypal");
    const date = (await row(cancelled.person))!.next_billing_date!;
    await paypal.cancel(cancelled.external);
    advanceClock(DAY);
    await sweep();
    answerWith({ id: 5 });
    setClock(new Date(date.getTime() + MINUTE));
    await sweep();
    expect(await hasGold(cancelled.person)).toBe(false);
  });

  test.runIf(FULL_RUN)("all of them last longer in an outage, although the sweep stops after some calls", async () => {
    const members = [];
    for (let n = 0; n < 20; n++) members.push(await member("monthly", "paypal"));
    const date = (await row(members[0]!.person))!.next_billing_date!;
    setClock(new Date(date.getTime() - 5 * MINUTE));
    paypal.injectFault(/^(GET|POST)/, "receiving", { status: 503, body: {} }, 1_000_000);
    const before = paypal.calls.length;
    await sweep();
    expect(paypal.calls.length - before).toBeLessThanOrEqual(5);
    advanceClock(4 * DAY);
    for (const { person } of members) expect(await hasGold(person)).toBe(true);
  });
});

describe("strange fields", () => {
  test("reads a membership with malformed fields that are not needed", async () => {
    const made = await member("monthly", "mercadopago");
    mercadopago.injectFault(
      /^GET \/preapproval/,
      "receiving",
      {
        status: 200,
        body: {
          id: made.external,
          status: "authorized",
          external_reference: made.checkout,
          next_payment_date: "mañana",
          last_modified: 20270101,
          auto_recurring: { transaction_amount: "caro", currency_id: null },
        },
      },
      1,
    );
    advanceClock(DAY);
    await sweep();
    expect(await hasGold(made.person)).toBe(true);
    expect(await problems(made.person)).toEqual([]);
    expect((await row(made.person))!.read_at).toEqual(clock);
  });

  test.each([
    ["time: null", { time: null }],
    ["time: empty", { time: "" }],
    ["an empty amount", { amount_with_breakdown: { gross_amount: { currency_code: "USD", value: "" } } }],
  ])("keeps Gold and reports a payment of PayPal that cannot be read (%s)", async (_, change) => {
    const made = await member("monthly", "paypal");
    const line = {
      id: "STRANGE",
      status: "COMPLETED",
      time: clock!.toISOString(),
      amount_with_breakdown: { gross_amount: { currency_code: "USD", value: "4.99" } },
      ...change,
    };
    paypal.injectFault(/transactions/, "receiving", { status: 200, body: { transactions: [line] } }, 1_000_000);
    advanceClock(DAY);
    await sweep();
    expect(await hasGold(made.person)).toBe(true);
    expect(await row(made.person)).toMatchObject({ read_at: clock, failing_since: null });
    expect(await problems(made.person)).toEqual(["unreadable"]);
    paypal.clearFaults();
    advanceClock(DAY);
    await sweep();
    expect(await problems(made.person)).toEqual([]);
  });

  test("keeps Gold and reports a payment of MercadoPago that cannot be read", async () => {
    const made = await member("monthly", "mercadopago");
    const line = { id: 7, status: "approved", external_reference: made.checkout, transaction_amount: null };
    const body = { paging: { total: 1 }, results: [line] };
    mercadopago.injectFault(/payments\/search/, "receiving", { status: 200, body }, 1);
    advanceClock(DAY);
    await sweep();
    expect(await row(made.person)).toMatchObject({ read_at: clock, failing_since: null });
    expect(await problems(made.person)).toEqual(["unreadable"]);
    expect(await hasGold(made.person)).toBe(true);
  });

  test("reads a payment of MercadoPago with an empty refunded amount", async () => {
    const made = await member("monthly", "mercadopago");
    const line = {
      id: 7,
      status: "approved",
      external_reference: made.checkout,
      operation_type: "recurring_payment",
      transaction_amount: "4999.00",
      transaction_amount_refunded: "",
      currency_id: "ARS",
      date_created: clock!.toISOString(),
    };
    const body = { paging: { total: 1 }, results: [line] };
    mercadopago.injectFault(/payments\/search/, "receiving", { status: 200, body }, 1);
    advanceClock(DAY);
    await sweep();
    expect(await payments(made.person)).toHaveLength(2);
    expect(await problems(made.person)).toEqual([]);
  });

  test("keeps Gold for 14 days after the grace period if a payment that cannot be read may be the renewal", async () => {
    const { person, external, date } = await renewing();
    const { sales } = paypal.subscriptions.get(external)!;
    const body = { transactions: [{ id: "STRANGE", status: "COMPLETED", time: null }] };
    paypal.injectFault(/transactions/, "receiving", { status: 200, body }, 1_000_000);
    expect(sales).toHaveLength(1);
    for (let hour = 0; hour < 80; hour += 8) {
      advanceClock(8 * HOUR);
      await sweep();
    }
    setClock(new Date(date.getTime() + 16 * DAY));
    await sweep();
    expect(await hasGold(person)).toBe(true);
    expect(await problems(person)).toEqual(["unreadable"]);
  });

  test("a membership that is not due is reported from the third failure on", async () => {
    const made = await member("monthly", "paypal");
    answerWith({ id: 5 });
    advanceClock(DAY);
    for (let times = 0; times < 2; times++) {
      await sweep();
      expect(await problems(made.person)).toEqual([]);
      advanceClock(DAY);
    }
    await sweep();
    expect(await problems(made.person)).toEqual(["unreadable"]);
    expect(await hasGold(made.person)).toBe(true);
    paypal.clearFaults();
    advanceClock(DAY);
    await sweep();
    expect(await problems(made.person)).toEqual([]);
  });
});

test.runIf(FULL_RUN)("reports a membership that always gets a 500 as unreadable, without an outage", async () => {
  const made = await renewing();
  const other = await member("monthly", "paypal");
  const fault = new RegExp(`^GET /v1/billing/subscriptions/${made.external}`);
  paypal.injectFault(fault, "receiving", { status: 500, body: {} }, 1_000_000);
  const open = () => app.sql("select kind, psychologist_id from payment_problems where settled_at is null");
  const before = paypal.calls.length;
  for (let tens = 0; tens < 36; tens++) {
    advanceClock(10 * MINUTE);
    await sweep();
    expect(await open()).toEqual([{ kind: "unreadable", psychologist_id: made.person.id }]);
  }
  expect(paypal.calls.slice(before).filter((call) => fault.test(call)).length).toBeLessThanOrEqual(25);
  expect(await row(other.person)).toMatchObject({ failing_since: null });
  setClock(new Date(made.date.getTime() + 17 * DAY - 1000));
  await sweep();
  expect(await hasGold(made.person)).toBe(true);
  setClock(new Date(made.date.getTime() + 17 * DAY));
  expect(await hasGold(made.person)).toBe(false);
  paypal.clearFaults();
  advanceClock(DAY);
  await sweep();
  expect(await open()).toEqual([]);
});

test("reads a membership again at once after one 500, if another can be read", async () => {
  const made = await renewing();
  await member("monthly", "paypal");
  const fault = new RegExp(`^GET /v1/billing/subscriptions/${made.external}`);
  paypal.injectFault(fault, "receiving", { status: 500, body: {} });
  advanceClock(10 * MINUTE);
  await sweep();
  expect(await row(made.person)).toMatchObject({ failing_since: null, read_at: clock });
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
  for (let tens = 0; tens < 36; tens++) {
    advanceClock(10 * MINUTE);
    await workPayments(faulty);
  }
  expect(reads).toBeGreaterThan(5);
  expect(reads).toBeLessThan(12);
  const open = () => app.sql("select kind from payment_problems where settled_at is null order by kind");
  expect(await open()).toEqual([{ kind: "unreachable" }, { kind: "unreadable" }]);
  setClock(new Date(made.date.getTime() + 16 * DAY));
  await workPayments(faulty);
  expect(await hasGold(made.person)).toBe(true);
  await sweepFor(HOUR);
  expect(await open()).toEqual([]);
});

test("an event that was never delivered does not wait for others that cannot be handled", async () => {
  const people = [
    await member("lifetime", "paypal"),
    await member("lifetime", "paypal"),
    await member("lifetime", "paypal"),
  ];
  advanceClock(DAY);
  const unreadable = people.slice(0, 2).map(({ external }) => external);
  paypal.injectFault(
    new RegExp(`^GET /v1/billing/subscriptions/(${unreadable.join("|")})`),
    "receiving",
    { status: 200, body: { id: 5 } },
    1_000_000,
  );
  for (const { external } of people) await paypal.refund(lastSale(external));
  advanceClock(10 * MINUTE);
  await sweep();
  expect(await Promise.all(people.map(({ person }) => hasGold(person)))).toEqual([true, true, false]);
  paypal.clearFaults();
  advanceClock(HOUR);
  await sweep();
  expect(await Promise.all(people.map(({ person }) => hasGold(person)))).toEqual([false, false, false]);
});

test.runIf(FULL_RUN)("notes an outage once for each of 40 members, not at each pause", async () => {
  const members = [];
  for (let n = 0; n < 40; n++) members.push(await member("monthly", "mercadopago"));
  advanceClock(DAY);
  mercadopago.injectFault(/./, "receiving", { status: 503, body: {} }, 1_000_000);
  await sweep();
  for (const { person } of members) expect(await row(person)).toMatchObject({ failing_since: clock });
  advanceClock(6 * MINUTE);
  const written = await app.statementsDuring(sweep);
  expect(written.filter((text) => text.startsWith("begin")).length).toBeLessThanOrEqual(5);
  mercadopago.clearFaults();
  advanceClock(6 * MINUTE);
  await sweep();
  for (const { person } of members) expect(await row(person)).toMatchObject({ failing_since: null, read_at: clock });
});

test.runIf(FULL_RUN)("40 members whose credentials are revoked cost at most 5 calls, and are one problem", async () => {
  const members = [];
  for (let n = 0; n < 40; n++) members.push(await member("monthly", "mercadopago"));
  const date = (await row(members[0]!.person))!.next_billing_date!;
  setClock(new Date(date.getTime() + HOUR));
  mercadopago.injectFault(/./, "receiving", { status: 401, body: {} }, 1_000_000);
  const before = mercadopago.calls.length;
  await sweep();
  expect(mercadopago.calls.length - before).toBeLessThanOrEqual(5);
  const open = () => app.sql("select kind, external_id from payment_problems where settled_at is null");
  expect(await open()).toEqual([{ kind: "unreachable", external_id: "mercadopago" }]);
  advanceClock(4 * DAY);
  await sweep();
  for (const { person } of members) expect(await hasGold(person)).toBe(true);
  mercadopago.clearFaults();
  advanceClock(HOUR);
  await sweep();
  expect(await open()).toEqual([]);
});
