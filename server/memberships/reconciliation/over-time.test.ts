import { describe, expect, test } from "vitest";
import type { TestUser } from "#test/app.ts";
import {
  app,
  begun,
  DAY,
  deliver,
  HOUR,
  hasGold,
  member,
  membershipRows,
  mercadopago,
  payments,
  paypal,
  receipts,
  reconcile,
  SECOND,
  setClock,
  withPayments,
} from "#test/payment-app.ts";

withPayments({ workers: true });

describe("over time", () => {
  const START = new Date("2027-01-31T09:30:00.000Z");
  const at = (text: string) => new Date(text);
  const goldAt = async (person: TestUser, when: Date) => {
    setClock(when);
    return hasGold(person);
  };

  test("months renew, the 31st included, each with its receipt", async () => {
    setClock(START);
    const made = await member("monthly", "paypal");
    for (const [charged, next] of [
      ["2027-02-28T10:00:05.000Z", "2027-03-28T10:00:00.000Z"],
      ["2027-03-28T10:00:05.000Z", "2027-04-28T10:00:00.000Z"],
    ] as const) {
      setClock(at(charged));
      await deliver(await paypal.renew(made.external));
      expect((await membershipRows(made.person))[0]!.next_billing_date).toEqual(at(next));
      expect(await hasGold(made.person)).toBe(true);
    }
    expect(await payments(made.person)).toHaveLength(3);
    await app.mailTo(made.person.email, /Recibo/);
    await expect
      .poll(() => app.sql("select text from demo_mails where recipient = $1 order by created_at", [made.person.email]))
      .toHaveLength(3);
    const texts = (
      await app.sql<{ text: string }>("select text from demo_mails where recipient = $1", [made.person.email])
    ).map(({ text }) => text);
    expect(texts.filter((text) => text.includes("ha sido activada"))).toHaveLength(1);
    expect(texts.filter((text) => text.includes("se ha renovado"))).toHaveLength(2);
    expect(texts.every((text) => text.includes("4,99 USD"))).toBe(true);
  });

  test("a past date just after activation is replaced by a calendar month after the payment", async () => {
    setClock(START);
    const made = await begun("monthly", "paypal");
    const events = await paypal.approve(made.external);
    paypal.subscriptions.get(made.external)!.next_billing_time = START;
    await deliver(events);
    const due = at("2027-02-28T09:30:00.000Z");
    expect((await membershipRows(made.person))[0]!.next_billing_date).toEqual(due);
    const end = new Date(due.getTime() + 3 * DAY);
    expect(await goldAt(made.person, new Date(end.getTime() - SECOND))).toBe(true);
    expect(await goldAt(made.person, end)).toBe(false);
  });

  test("an overdue renewal has one grace period of three days, to the second", async () => {
    setClock(START);
    const made = await member("monthly", "paypal");
    const due = (await membershipRows(made.person))[0]!.next_billing_date!;
    setClock(new Date(due.getTime() - SECOND));
    await deliver(await paypal.failPayment(made.external));
    const end = new Date(due.getTime() + 3 * DAY);
    setClock(new Date(end.getTime() - SECOND));
    await deliver(await paypal.failPayment(made.external));
    expect(await hasGold(made.person)).toBe(true);
    expect(await goldAt(made.person, end)).toBe(false);
    await deliver(await paypal.failPayment(made.external));
    expect(await hasGold(made.person)).toBe(false);
    // Paid after all: Gold is back.
    setClock(new Date(end.getTime() + DAY));
    await deliver(await paypal.renew(made.external));
    expect(await hasGold(made.person)).toBe(true);
  });

  test.each(["suspend", "cancel"] as const)("%s at PayPal keeps Gold until the date, to the second", async (what) => {
    setClock(START);
    const made = await member("monthly", "paypal");
    const due = (await membershipRows(made.person))[0]!.next_billing_date!;
    setClock(new Date(START.getTime() + DAY));
    await deliver(await paypal[what](made.external));
    const { body } = await app.call("GET", "/memberships", undefined, made.person);
    expect(body[0]).toMatchObject({
      status: "active",
      in_force: true,
      membership_status: what === "cancel" ? "ending" : "past_due",
    });
    expect(await goldAt(made.person, new Date(due.getTime() - SECOND))).toBe(true);
    expect(await goldAt(made.person, due)).toBe(false);
    await deliver(await paypal.failPayment(made.external));
    expect(await hasGold(made.person)).toBe(false);
  });

  test("cancelling at MercadoPago keeps Gold until the date", async () => {
    setClock(START);
    const made = await member("monthly", "mercadopago");
    await deliver(await mercadopago.cancel(made.external));
    const due = (await membershipRows(made.person))[0]!.next_billing_date!;
    expect(await goldAt(made.person, new Date(due.getTime() - SECOND))).toBe(true);
    expect(await goldAt(made.person, due)).toBe(false);
  });

  test("approval at MercadoPago gives provisional access for 72 hours, to the second; the first charge makes it a month", async () => {
    setClock(START);
    const made = await begun("monthly", "mercadopago");
    await deliver(await mercadopago.authorize(made.external));
    expect((await reconcile(made.person, made.checkout)).body.status).toBe("paid");
    const { body } = await app.call("GET", "/memberships", undefined, made.person);
    expect(body[0]).toMatchObject({ membership_status: "provisional", payments: [] });
    expect(await receipts(made.person)).toEqual([]);
    const end = new Date(START.getTime() + 72 * HOUR);
    expect(await goldAt(made.person, new Date(end.getTime() - SECOND))).toBe(true);
    expect(await goldAt(made.person, end)).toBe(false);
    await deliver((await mercadopago.charge(made.external, "rejected")).webhooks);
    expect(await hasGold(made.person)).toBe(false);
    setClock(new Date(end.getTime() + HOUR));
    await deliver((await mercadopago.charge(made.external)).webhooks);
    expect(await hasGold(made.person)).toBe(true);
    expect(await receipts(made.person)).toHaveLength(1);
    // A failed charge before it does not make the first payment a renewal.
    expect((await app.mailTo(made.person.email, /Recibo/)).text).toContain("ha sido activada");
    expect((await membershipRows(made.person))[0]!.next_billing_date!.getTime()).toBeGreaterThan(
      end.getTime() + 20 * DAY,
    );
  });

  test("lifetime does not end", async () => {
    setClock(START);
    const made = await member("lifetime", "mercadopago");
    expect(await goldAt(made.person, at("2099-12-31T23:59:59.000Z"))).toBe(true);
  });
});
