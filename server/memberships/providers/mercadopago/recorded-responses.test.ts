import { afterEach, describe, expect, test } from "vitest";
import {
  advanceClock,
  app,
  begun,
  context,
  DAY,
  deliver,
  HOUR,
  hasGold,
  MINUTE,
  member,
  membershipRows,
  mercadopago,
  payments,
  problems,
  setClock,
} from "#test/payment-app.ts";
import { START, sweep, withSweeps } from "#test/payment-sweeps.ts";
import { readCheckout } from "../../reading/checkout.ts";

// Behaviour of MercadoPago that others measured and its documentation does not describe.

withSweeps();
afterEach(() => {
  Object.assign(mercadopago, { searchLag: 0, inheritsReference: true, sendsOlderKind: false, forgetsCancelled: false });
  Object.assign(mercadopago, { showsOperationType: true, showsRefundedAmount: true });
});

/** Charges some more months, each at its date. Only the last charge sends webhook events. */
async function chargeMonths(external: string, months: number) {
  for (let month = 1; month < months; month++) {
    advanceClock(30 * DAY);
    await mercadopago.charge(external);
  }
  advanceClock(30 * DAY);
  return mercadopago.charge(external);
}

/** The webhook events that are not handled yet. */
const waiting = () => app.sql("select resource_type from webhook_events where done_at is null");

test("the address of a preapproval's page comes without `activation`, with which there is no page", async () => {
  const made = await begun("monthly", "mercadopago");
  const [checkout] = await app.sql<{ approval_url: string }>("select approval_url from checkouts where id = $1", [
    made.checkout,
  ]);
  expect(checkout!.approval_url).toContain(made.external);
  expect((await fetch(checkout!.approval_url)).status).toBe(200);
  expect((await fetch(`${checkout!.approval_url}&activation=true`)).status).toBe(404);
});

describe("a card verification of 15 ARS without `operation_type`", () => {
  test.each([[true], [false]])(
    "ends no subscription, before its refund or after it (it names the checkout: %s)",
    async (inherits) => {
      Object.assign(mercadopago, { inheritsReference: inherits, showsOperationType: false });
      const made = await begun("monthly", "mercadopago");
      const events = await mercadopago.authorize(made.external);
      const [check] = [...mercadopago.payments.values()].filter((one) => one.preapproval === made.external);
      if (inherits) check!.external_reference = made.checkout;
      await deliver(events);
      expect(await hasGold(made.person)).toBe(true);
      advanceClock(10 * MINUTE);
      await deliver(await mercadopago.refund(check!.id));
      advanceClock(HOUR);
      await deliver((await mercadopago.charge(made.external)).webhooks);
      advanceClock(DAY);
      await sweep();
      expect(mercadopago.preapprovals.get(made.external)!.status).toBe("authorized");
      expect(await membershipRows(made.person)).toMatchObject([{ status: "active", ended_by: null }]);
      expect(await problems(made.person)).toEqual([]);
      expect(await payments(made.person)).toHaveLength(1);
    },
  );

  test("hides no first charge below the price", async () => {
    mercadopago.showsOperationType = false;
    const made = await begun("monthly", "mercadopago");
    await deliver(await mercadopago.authorize(made.external));
    mercadopago.chargeOverride = { cents: 100 };
    await deliver((await mercadopago.charge(made.external)).webhooks);
    expect(await problems(made.person)).toEqual(["mismatch:amount"]);
    expect((await membershipRows(made.person))[0]).toMatchObject({ end_wanted_at: expect.any(Date) });
  });
});

test("reports a partial refund that only the list of refunds shows", async () => {
  mercadopago.showsRefundedAmount = false;
  const made = await member("monthly", "mercadopago");
  const payment = Number((await payments(made.person))[0]!.external_payment_id);
  await deliver(await mercadopago.refund(payment, 100));
  expect(await problems(made.person)).toEqual(["partial_refund"]);
  expect(await payments(made.person)).toMatchObject([{ status: "partially_refunded", refunded_amount: 100 }]);
});

describe("many months", () => {
  test.each([[true], [false]])("the thirteenth charge is found (charges name the checkout: %s)", async (inherits) => {
    mercadopago.inheritsReference = inherits;
    const made = await member("monthly", "mercadopago");
    const { webhooks } = await chargeMonths(made.external, 13);
    await deliver(webhooks.filter(({ type }) => type === "payment"));
    expect(await hasGold(made.person)).toBe(true);
    advanceClock(5 * DAY);
    expect(await hasGold(made.person)).toBe(true);
  });

  test.each([[true], [false]])(
    "keeps Gold without a webhook event (charges name the checkout: %s)",
    async (inherits) => {
      mercadopago.inheritsReference = inherits;
      const made = await member("monthly", "mercadopago");
      for (let month = 1; month <= 13; month++) {
        await chargeMonths(made.external, 1);
        await sweep();
      }
      expect(await payments(made.person)).toHaveLength(14);
      expect(await hasGold(made.person)).toBe(true);
    },
  );

  test("a reading makes no more calls after three years than after one month", async () => {
    const made = await member("monthly", "mercadopago");
    const calls = async () => {
      const before = mercadopago.calls.length;
      await readCheckout(context, made.checkout);
      return mercadopago.calls.length - before;
    };
    const young = await calls();
    for (let year = 0; year < 3; year++) {
      await chargeMonths(made.external, 12);
      await calls();
    }
    expect(await calls()).toBe(young);
    expect(young).toBeLessThanOrEqual(2);
  });
});

describe("a search that lags behind", () => {
  test("the payment that a webhook event names is read by its id, with either event", async () => {
    for (const type of ["payment", "subscription_authorized_payment"]) {
      setClock(START);
      mercadopago.searchLag = 0;
      const made = await begun("monthly", "mercadopago");
      await deliver(await mercadopago.authorize(made.external));
      mercadopago.searchLag = 10 * MINUTE;
      advanceClock(HOUR);
      const { webhooks } = await mercadopago.charge(made.external);
      await deliver(webhooks.filter((webhook) => webhook.type === type));
      expect(await payments(made.person), type).toHaveLength(1);
      advanceClock(80 * HOUR);
      expect(await hasGold(made.person), type).toBe(true);
    }
  });

  test("a webhook event is done only when the payment that it names was read", async () => {
    const made = await begun("monthly", "mercadopago");
    await deliver(await mercadopago.authorize(made.external));
    mercadopago.searchLag = 10 * MINUTE;
    const { payment, webhooks } = await mercadopago.charge(made.external);
    const [invoice] = webhooks.filter(({ type }) => type === "subscription_authorized_payment");
    // Not even by its id.
    mercadopago.injectFault(new RegExp(`GET /v1/payments/${payment.id}`), "receiving", { status: 404, body: {} }, 9);
    await deliver([invoice!]);
    expect(await payments(made.person)).toHaveLength(0);
    expect(await waiting()).toEqual([{ resource_type: "payment" }]);
    mercadopago.clearFaults();
    advanceClock(2 * MINUTE);
    await sweep();
    expect(await payments(made.person)).toHaveLength(1);
    expect(await waiting()).toEqual([]);
  });
});

test("a chargeback that we win gives Gold back, although its status stays", async () => {
  const made = await member("lifetime", "mercadopago");
  const [payment] = mercadopago.preferences.get(made.external)!.payments;
  const webhooks = await mercadopago.chargeBack(payment!.id);
  expect(webhooks.at(-1)!.id).toMatch(/^\d{17}$/);
  // The webhook event of the chargeback alone: its id does not fit a JavaScript number.
  await deliver(webhooks.slice(-1));
  expect(await hasGold(made.person)).toBe(false);
  advanceClock(DAY);
  const events = await mercadopago.reimburse(payment!.id);
  expect(payment!.status).toBe("charged_back");
  expect(await problems(made.person)).toEqual(["chargeback"]);
  await deliver(events);
  expect(await hasGold(made.person)).toBe(true);
  expect(await problems(made.person)).toEqual([]);
});

describe("a preapproval that MercadoPago answers with 404", () => {
  test("gives the month back after a won chargeback", async () => {
    mercadopago.forgetsCancelled = true;
    const made = await member("monthly", "mercadopago");
    const payment = Number((await payments(made.person))[0]!.external_payment_id);
    await deliver(await mercadopago.chargeBack(payment));
    expect(await hasGold(made.person)).toBe(false);
    await mercadopago.cancel(made.external);
    advanceClock(DAY);
    await deliver(await mercadopago.reimburse(payment));
    expect(await hasGold(made.person)).toBe(true);
    expect(await waiting()).toEqual([]);
  });
});

test("reports a preapproval in an unknown state as unreadable, keeping Gold 14 days longer", async () => {
  const made = await member("monthly", "mercadopago");
  const due = (await membershipRows(made.person))[0]!.next_billing_date!;
  Object.assign(mercadopago.preapprovals.get(made.external)!, { status: "finished" });
  mercadopago.contract.brokenOnPurpose = true;
  setClock(new Date(due.getTime() - HOUR));
  await sweep();
  setClock(new Date(due.getTime() + 4 * DAY));
  await sweep();
  expect(await hasGold(made.person)).toBe(true);
  expect(await problems(made.person)).toEqual(["unreadable"]);
  mercadopago.contract.takeViolations();
});

describe("webhook events", () => {
  test("the older kind is accepted and ignored, with a signature that proves nothing and without", async () => {
    const made = await begun("monthly", "mercadopago");
    const [event] = await mercadopago.authorize(made.external);
    const before = mercadopago.calls.length;
    for (const legacy of ["signed", "unsigned"] as const)
      expect(await mercadopago.send(event!, { legacy })).toEqual([200]);
    expect(mercadopago.calls.length).toBe(before);
    // The newer kind without a valid signature is refused all the same.
    expect(await mercadopago.send(event!, { forged: "id" })).toEqual([401]);
  });

  test.each([
    ["topic_merchant_order_wh", "merchant_order"],
    ["topic_chargebacks_wh", "chargebacks"],
  ])("%s is also called %s", async (name, other) => {
    const made = await begun("lifetime", "mercadopago");
    const paid = await mercadopago.pay(made.external);
    if (name === "topic_chargebacks_wh") await deliver(paid.webhooks);
    const webhooks = name === "topic_chargebacks_wh" ? await mercadopago.chargeBack(paid.payment.id) : paid.webhooks;
    const [event] = webhooks.filter(({ type }) => type === name);
    await deliver([{ ...event!, type: other }]);
    expect(await hasGold(made.person)).toBe(name === "topic_merchant_order_wh");
  });

  test("a refused sign-up, whose invoice is found by searching only, leaves nothing to look at", async () => {
    const made = await begun("monthly", "mercadopago");
    await deliver(await mercadopago.refuseSignUp(made.external));
    expect(await waiting()).toEqual([]);
    expect(await problems(made.person)).toEqual([]);
    expect(await hasGold(made.person)).toBe(false);
    // The second card is accepted.
    await deliver(await mercadopago.authorize(made.external));
    await deliver((await mercadopago.charge(made.external)).webhooks);
    expect(await hasGold(made.person)).toBe(true);
  });
});

describe("coming back from MercadoPago without a status", () => {
  const end = async (made: { person: Parameters<typeof app.page>[1]; checkout: string; external: string }) =>
    (await app.page(`/planes/pago/${made.checkout}/fin?preapproval_id=${made.external}`, made.person)).text;

  test("shows that the payment is being confirmed, even after a refused card", async () => {
    const made = await begun("monthly", "mercadopago");
    await mercadopago.refuseSignUp(made.external);
    expect(await end(made)).toContain("Estamos confirmando tu pago");
    await mercadopago.authorize(made.external);
    expect(await end(made)).toContain("¡Suscripción activada!");
  });

  test("says neither that it failed nor that it was paid while MercadoPago shows nothing", async () => {
    const made = await begun("monthly", "mercadopago");
    const text = await end(made);
    expect(text).toContain("Estamos confirmando tu pago");
    expect(text).toContain("Si no llegaste a pagar, no se cobra nada.");
    expect(text).not.toContain("no se ha completado");
  });
});

describe("what is not as offered", () => {
  test("ends at MercadoPago, its payer is told, and each charge is a separate problem", async () => {
    const made = await begun("monthly", "mercadopago");
    mercadopago.preapprovals.get(made.external)!.cents = 100;
    await deliver(await mercadopago.authorize(made.external));
    const [row] = await membershipRows(made.person);
    expect(row).toMatchObject({ status: "cancelled", ended_by: "mismatch" });
    expect(row!.end_wanted_at).not.toBeNull();
    expect(await hasGold(made.person)).toBe(false);
    const mails = await app.sql(
      "select from pgboss.job where name = 'mail' and data ->> 'kind' = 'payment_mismatch' and data ->> 'subscription_id' = $1",
      [row!.id],
    );
    expect(mails).toHaveLength(1);
    for (let month = 0; month < 2; month++) {
      await deliver((await mercadopago.charge(made.external)).webhooks);
      await app.sql(
        "update payment_problems set handled_at = now() where psychologist_id = $1 and handled_at is null",
        [made.person.id],
      );
    }
    const { payment, webhooks } = await mercadopago.charge(made.external);
    await deliver(webhooks);
    const open = await app.sql(
      "select external_id, reason from payment_problems where psychologist_id = $1 and handled_at is null",
      [made.person.id],
    );
    expect(open).toEqual([{ external_id: String(payment.id), reason: "amount" }]);
  });
});
