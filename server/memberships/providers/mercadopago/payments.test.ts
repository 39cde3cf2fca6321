import { afterEach, describe, expect, test } from "vitest";
import { DAY, HOUR, MINUTE } from "#shared/time.ts";
import {
  advanceClock,
  app,
  begin,
  begun,
  cancel,
  clock,
  deliver,
  hasGold,
  member,
  membershipRows,
  mercadopago,
  payments,
  paypal,
  problems,
  reconcile,
  setClock,
  work,
} from "#test/payment-app.ts";
import { checkoutRow, withSweeps } from "#test/payment-sweeps.ts";
import { checkoutsInPayment } from "../../checkouts/store.ts";

withSweeps();
afterEach(() => {
  Object.assign(mercadopago, { searchLag: 0, inheritsReference: true, forgetsCancelled: false });
  Object.assign(mercadopago, { showsOperationType: true, showsRefundedAmount: true });
});

describe("at MercadoPago", () => {
  test("a payment that is pending, then rejected, then made with another card", async () => {
    const made = await begun("lifetime", "mercadopago");
    const status = async () => (await reconcile(made.person, made.checkout)).body.status;
    const first = await mercadopago.pay(made.external, "in_process");
    await deliver(first.webhooks);
    expect(await status()).toBe("open");
    await deliver((await mercadopago.pay(made.external, "rejected")).webhooks);
    expect(await status()).toBe("open");
    first.payment.status = "rejected";
    first.payment.date_last_updated = clock!;
    expect(await status()).toBe("failed");
    expect(await hasGold(made.person)).toBe(false);
    await deliver((await mercadopago.pay(made.external)).webhooks);
    expect(await status()).toBe("paid");
    expect(await hasGold(made.person)).toBe(true);
  });

  test("a buyer whose cash payment is pending for more than a day is not asked to pay again", async () => {
    const made = await begun("lifetime", "mercadopago");
    const { payment } = await mercadopago.pay(made.external, "pending");
    advanceClock(2 * DAY);
    const end = `/planes/pago/${made.checkout}/fin`;
    expect((await app.page(end, made.person)).text).toContain("Estamos confirmando tu pago");
    const plans = async (more = "") => (await app.page(`/planes${more}`, made.person)).text;
    expect(await plans()).toContain("no hace falta que pagues otra vez");
    expect(await plans()).not.toContain("En pesos argentinos");
    expect(await plans("?otra=1")).toContain("En pesos argentinos");
    expect((await begin(made.person, "lifetime", "paypal")).status).toBe(201);
    const inDays = (days: number) => new Date(clock!.getTime() + days * DAY);
    expect(await checkoutsInPayment(app.context.db, made.person.id, inDays(27))).toHaveLength(1);
    expect(await checkoutsInPayment(app.context.db, made.person.id, inDays(29))).toEqual([]);
    await mercadopago.approve(payment.id);
    expect((await app.page(end, made.person)).text).toContain("¡Suscripción activada!");
    expect(await payments(made.person)).toMatchObject([{ paid_at: clock }]);
  });

  test("provisional access is given once: after a subscription that could not be charged, another gives none", async () => {
    const first = await begun("monthly", "mercadopago");
    await deliver(await mercadopago.authorize(first.external));
    expect(await hasGold(first.person)).toBe(true);
    await deliver((await mercadopago.charge(first.external, "rejected")).webhooks);
    advanceClock(73 * HOUR);
    expect(await hasGold(first.person)).toBe(false);
    const again = await begin(first.person, "monthly", "mercadopago", { payer_email: "otra@mp.example" });
    await deliver(await mercadopago.authorize(again.body.external_id));
    expect(await hasGold(first.person)).toBe(false);
    expect((await reconcile(first.person, again.body.id)).body.status).toBe("open");
    await deliver((await mercadopago.charge(again.body.external_id)).webhooks);
    expect(await hasGold(first.person)).toBe(true);
    expect((await reconcile(first.person, again.body.id)).body.status).toBe("paid");
  });

  test.each([false, true])("gives provisional access again after a month that was paid (twice: %s)", async (twice) => {
    const { person, external } = await begun("monthly", "mercadopago");
    const other = await begin(person, "monthly", "paypal");
    const agreed = await mercadopago.authorize(external);
    if (twice) await deliver(await paypal.approve(other.body.external_id));
    await deliver(agreed);
    if (!twice) await deliver((await mercadopago.charge(external)).webhooks);
    const rows = await membershipRows(person);
    if (twice) expect(rows.map(({ ended_by }) => ended_by)).toContain("duplicate_payment");
    await cancel(person, rows.find(({ status }) => status === "active")!.id);
    const again = await begin(person, "monthly", "mercadopago", { payer_email: "otra@mp.example" });
    await deliver(await mercadopago.authorize(again.body.external_id));
    expect(await hasGold(person)).toBe(true);
  });

  test("reads an unpaid preference no more after 31 days", async () => {
    const { checkout } = await begun("lifetime", "mercadopago");
    for (const days of [31, 1]) {
      advanceClock(days * DAY);
      await app.sql("update checkouts set due_at = $1", [clock]);
      await work();
    }
    expect(await checkoutRow(checkout)).toMatchObject({ state: "expired", due_at: null });
  });
});

// Behaviour of MercadoPago that others measured and its documentation does not describe.

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
      await work(DAY);
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
  const payment = (await payments(made.person))[0]!.external_payment_id;
  await deliver(await mercadopago.refund(payment, 100));
  expect(await problems(made.person)).toEqual(["partial_refund"]);
  expect(await payments(made.person)).toMatchObject([{ status: "partially_refunded", refunded_amount: 100 }]);

  const webhooks = await mercadopago.refund(payment);
  mercadopago.payments.get(payment)!.status = "approved";
  await deliver(webhooks);
  expect(await payments(made.person)).toMatchObject([{ status: "refunded" }]);
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
  const waiting = () => app.sql("select resource_type from webhook_events where done_at is null");
  expect(await waiting()).toEqual([{ resource_type: "payment" }]);
  mercadopago.clearFaults();
  await work(2 * MINUTE);
  expect(await payments(made.person)).toHaveLength(1);
  expect(await waiting()).toEqual([]);
});

test("reports a preapproval in an unknown state as unreadable, keeping Gold 14 days longer", async () => {
  const made = await member("monthly", "mercadopago");
  const due = (await membershipRows(made.person))[0]!.next_billing_date!;
  const body = { id: made.external, status: "finished" };
  mercadopago.injectFault(/^GET \/preapproval/, "receiving", { status: 200, body }, 1_000);
  setClock(new Date(due.getTime() - HOUR));
  await work();
  setClock(new Date(due.getTime() + 4 * DAY));
  await work();
  expect(await hasGold(made.person)).toBe(true);
  expect(await problems(made.person)).toEqual(["unreadable"]);
});
