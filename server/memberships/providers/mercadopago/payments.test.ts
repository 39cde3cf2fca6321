import { describe, expect, test } from "vitest";
import {
  app,
  begin,
  begun,
  deliver,
  HOUR,
  hasGold,
  member,
  membershipRows,
  mercadopago,
  payments,
  problems,
  psychologist,
  receipts,
  reconcile,
  setClock,
  withPayments,
} from "#test/payment-app.ts";

withPayments();

describe("at MercadoPago", () => {
  test.each([
    ["less", { cents: 100 }, "amount"],
    ["another currency", { currency: "USD" }, "currency"],
    ["another person's checkout", { external_reference: "11111111-1111-4111-8111-111111111111" }, "owner"],
  ])("a preapproval with %s grants nothing, not even provisional access", async (_what, change, reason) => {
    const made = await begun("monthly", "mercadopago");
    Object.assign(mercadopago.preapprovals.get(made.external)!, change);
    const events = await mercadopago.authorize(made.external);
    expect((await reconcile(made.person, made.checkout)).body.status).toBe("mismatch");
    await deliver(events);
    expect(await membershipRows(made.person)).toMatchObject([{ status: "cancelled", ended_by: "mismatch" }]);
    expect(await hasGold(made.person)).toBe(false);
    expect(await problems(made.person)).toEqual([`mismatch:${reason}`]);
  });

  test("a payment for another checkout does not pay for this one", async () => {
    const [made, other] = [await begun("lifetime", "mercadopago"), await begun("lifetime", "mercadopago")];
    const { payment, webhooks } = await mercadopago.pay(made.external);
    payment.external_reference = other.checkout;
    await reconcile(made.person, made.checkout);
    expect(await hasGold(made.person)).toBe(false);
    await deliver(webhooks);
    expect(await hasGold(made.person)).toBe(false);
  });

  test("a monthly charge has two webhook events, as payment and as invoice, and counts once", async () => {
    const made = await begun("monthly", "mercadopago");
    await deliver(await mercadopago.authorize(made.external));
    const { webhooks } = await mercadopago.charge(made.external);
    expect(webhooks.map(({ type }) => type)).toEqual(["payment", "subscription_authorized_payment"]);
    await deliver([...webhooks, ...webhooks.toReversed()]);
    expect(await payments(made.person)).toHaveLength(1);
    expect(await receipts(made.person)).toHaveLength(1);
  });

  test("payments that name an unknown subscription are found by their invoice", async () => {
    mercadopago.unknownPreapprovalInMetadata = true;
    mercadopago.invoiceSearch = "/authorized_payments";
    try {
      await member("monthly", "mercadopago");
    } finally {
      mercadopago.unknownPreapprovalInMetadata = false;
      mercadopago.invoiceSearch = "/authorized_payments/search";
    }
  });

  test("a payment that is pending, then rejected, then made with another card", async () => {
    const made = await begun("lifetime", "mercadopago");
    const status = async () => (await reconcile(made.person, made.checkout)).body.status;
    const first = await mercadopago.pay(made.external, "in_process");
    await deliver(first.webhooks);
    expect(await status()).toBe("open");
    await deliver((await mercadopago.pay(made.external, "rejected")).webhooks);
    expect(await status()).toBe("open");
    first.payment.status = "rejected";
    first.payment.date_last_updated = new Date();
    expect(await status()).toBe("failed");
    expect(await hasGold(made.person)).toBe(false);
    await deliver((await mercadopago.pay(made.external)).webhooks);
    expect(await status()).toBe("paid");
    expect(await hasGold(made.person)).toBe(true);
  });

  test("the first card is refused and the second accepted, on one payment page and without a webhook event", async () => {
    const made = await begun("lifetime", "mercadopago");
    await deliver((await mercadopago.pay(made.external, "rejected")).webhooks);
    const end = `/planes/pago/${made.checkout}/fin`;
    expect((await app.page(end, made.person)).text).toContain("Error en el pago");
    await mercadopago.pay(made.external);
    expect((await app.page(`${end}?status=approved`, made.person)).text).toContain("¡Suscripción activada!");
    expect(await hasGold(made.person)).toBe(true);
  });

  test("a buyer whose cash payment is pending for more than a day is not asked to pay again", async () => {
    setClock(new Date("2027-02-01T12:00:00.000Z"));
    const made = await begun("lifetime", "mercadopago");
    const { payment } = await mercadopago.pay(made.external, "pending");
    setClock(new Date("2027-02-03T12:00:00.000Z"));
    const end = `/planes/pago/${made.checkout}/fin`;
    expect((await app.page(end, made.person)).text).toContain("Estamos confirmando tu pago");
    const plans = async (more = "") => (await app.page(`/planes${more}`, made.person)).text;
    expect(await plans()).toContain("no hace falta que pagues otra vez");
    expect(await plans()).not.toContain("En pesos argentinos");
    expect(await plans("?otra=1")).toContain("En pesos argentinos");
    await mercadopago.approve(payment.id);
    expect((await app.page(end, made.person)).text).toContain("¡Suscripción activada!");
  });

  test.each([
    ["was not charged", false],
    ["could not be charged", true],
  ])("provisional access is given once: after a subscription that %s, another gives none", async (_what, isRefused) => {
    const at = (hours: number) => setClock(new Date(Date.parse("2027-03-01T12:00:00.000Z") + hours * HOUR));
    at(0);
    const first = await begun("monthly", "mercadopago");
    await deliver(await mercadopago.authorize(first.external));
    expect(await hasGold(first.person)).toBe(true);
    if (isRefused) await deliver((await mercadopago.charge(first.external, "rejected")).webhooks);
    at(73);
    expect(await hasGold(first.person)).toBe(false);
    const again = await begin(first.person, "monthly", "mercadopago", { payer_email: "otra@mp.example" });
    await deliver(await mercadopago.authorize(again.body.external_id));
    expect(await hasGold(first.person)).toBe(false);
    expect((await reconcile(first.person, again.body.id)).body.status).toBe("open");
    await deliver((await mercadopago.charge(again.body.external_id)).webhooks);
    expect(await hasGold(first.person)).toBe(true);
    expect((await reconcile(first.person, again.body.id)).body.status).toBe("paid");
  });

  test("a preference whose creation was interrupted is found again when it is paid", async () => {
    const person = await psychologist();
    mercadopago.injectFault(/POST \/checkout\/preferences/, "answering", "cut");
    expect((await begin(person, "lifetime", "mercadopago")).status).toBe(502);
    const [attempt] = await app.sql<{ id: string }>("select id from checkouts where psychologist_id = $1", [person.id]);
    const made = [...mercadopago.preferences.values()].find((one) => one.external_reference === attempt!.id)!;
    await deliver((await mercadopago.pay(made.id)).webhooks);
    expect(await hasGold(person)).toBe(true);
  });
});
