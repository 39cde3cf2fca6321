import { describe, expect, test, vi } from "vitest";
import { formatDay, HOUR } from "#shared/time.ts";
import type { TestUser } from "#test/app.ts";
import { withRowsLocked } from "#test/locks.ts";
import {
  app,
  begin,
  cancel,
  cancellationMails,
  deliver,
  hasGold,
  lastPayment,
  logged,
  member,
  membershipRows,
  mercadopago,
  payments,
  paypal,
  psychologist,
  reconcile,
  setClock,
  withPayments,
} from "#test/payment-app.ts";
import { problemOf } from "#test/payment-problems.ts";
import { membershipMails } from "./mails.ts";

withPayments({ workers: true });

const SUBJECT = /^Hay novedades en tu membresía$/;
const statusAt = (method: string, external: string) =>
  method === "paypal"
    ? paypal.subscriptions.get(external)!.status.toLowerCase()
    : mercadopago.preapprovals.get(external)!.status;

describe("cancelling here", () => {
  test.each(["paypal", "mercadopago"] as const)(
    "ends Gold at once, cancels at %s and sends one mail; concurrent and later repetitions change nothing",
    async (method) => {
      const made = await member("monthly", method);
      const press = () => cancel(made.person, made.subscription);
      const lock = "select from psychologist_profiles where id = $1 for update";
      const gone = await withRowsLocked(app, lock, [made.person.id], [press, press]);
      expect(gone.map(({ status }) => status)).toEqual([200, 200]);
      expect(gone.map(({ body }) => body.provider)).toContain("confirmed");
      expect(await hasGold(made.person)).toBe(false);
      expect(statusAt(method, made.external)).toBe("cancelled");
      const [row] = await membershipRows(made.person);
      expect(row).toMatchObject({ status: "cancelled", ended_by: "person", end_confirmed_at: expect.any(Date) });
      expect((await cancel(made.person, made.subscription)).body).toEqual({ done: true, provider: "confirmed" });
      await deliver(method === "paypal" ? await paypal.cancel(made.external) : await mercadopago.cancel(made.external));
      const { cancelled_at, failures } = row!;
      expect((await membershipRows(made.person))[0]).toMatchObject({ cancelled_at, failures });
      const audit = await app.sql<{ action: string; actor_id: string | null }>(
        "select action, actor_id from audit_log where target_id = $1 order by created_at",
        [made.subscription],
      );
      expect(audit.map(({ action }) => action)).toEqual([
        "membership_began",
        "membership_cancelled",
        "cancellation_confirmed",
      ]);
      expect(audit.find(({ action }) => action === "membership_cancelled")!.actor_id).toBe(made.person.id);
      const { text } = await app.mailTo(made.person.email, SUBJECT);
      expect(text).toContain(`Gold terminó el ${formatDay(new Date())}`);
      expect(text).toContain("No se te cobrará nada más.");
      expect(text).toContain(`${app.url}/planes`);
      expect(await cancellationMails(made.person)).toHaveLength(1);
      // Its receipt may be sent later than that, for a payment that was read late.
      const payment_id = (await payments(made.person))[0]!.id;
      await app.sql("update payment_transactions set paid_at = '2026-05-04' where id = $1", [payment_id]);
      const { subscription: subscription_id } = made;
      const job = { kind: "membership_receipt", subscription_id, payment_id } as const;
      expect((await membershipMails.membership_receipt(app.context, job))!.content.paragraphs).toEqual(
        expect.arrayContaining([
          "Recibimos este pago de tu membresía Gold.",
          `Fecha: ${formatDay(new Date("2026-05-04"))}`,
          "Esta membresía ya ha terminado.",
        ]),
      );
    },
  );

  test("works when the provider does not answer: it is sent until it is confirmed, and the administrator sees it", async () => {
    const made = await member("monthly", "mercadopago");
    mercadopago.injectFault(/^PUT/, "receiving", { status: 500, body: {} }, 1000);
    expect((await cancel(made.person, made.subscription)).body).toEqual({ done: true, provider: "waiting" });
    expect(await hasGold(made.person)).toBe(false);
    const tell = async () => {
      const sent = await app.form("/planes", { intent: "retry_cancellation", id: made.external }, made.person);
      return sent.headers.get("set-cookie");
    };
    expect(await tell()).toContain("notice=subscription_cancelled_unconfirmed;");
    expect(logged()).toContain("cancellation_not_confirmed");
    // Until then no snapshot of the provider brings it back.
    await reconcile(made.person, made.checkout);
    expect(await hasGold(made.person)).toBe(false);
    expect(await problemOf(made.person)).toBeUndefined();
    setClock(new Date(Date.now() + HOUR));
    await reconcile(made.person, made.checkout);
    expect(await problemOf(made.person)).toMatchObject({
      kind: "cancellation_unconfirmed",
      external_id: made.external,
    });
    mercadopago.clearFaults();
    expect(await tell()).toContain("notice=subscription_cancellation_confirmed;");
    expect(await problemOf(made.person)).toBeUndefined();
    expect(await tell()).toContain("notice=subscription_cancellation_confirmed;");
  });

  test("ends the grace period of a membership that a won chargeback restored", async () => {
    const made = await member("monthly", "mercadopago");
    mercadopago.injectFault(/PUT/, "receiving", { status: 500, body: {} }, 1000);
    await deliver(await mercadopago.chargeBack(lastPayment(made.external)));
    await deliver(await mercadopago.reimburse(lastPayment(made.external)));
    mercadopago.clearFaults();
    await reconcile(made.person, made.checkout);
    const [row] = await membershipRows(made.person);
    expect(row).toMatchObject({ status: "active", end_confirmed_at: expect.any(Date) });
    expect(await app.sql("select gold_until from psychologist_profiles where id = $1", [made.person.id])).toEqual([
      { gold_until: row!.next_billing_date },
    ]);
  });

  test("cancels a month that could not be charged: the provider would try again", async () => {
    setClock(new Date("2027-04-01T12:00:00.000Z"));
    const made = await member("monthly", "paypal");
    setClock(new Date("2027-05-10T12:00:00.000Z"));
    await app.sql("update sessions set seen_at = '2027-05-10', expires_at = '2027-06-01' where account_id = $1", [
      made.person.id,
    ]);
    const plans = async () => (await app.call("GET", "/plans", undefined, made.person)).body;
    expect(await plans()).toMatchObject({ membership: null, history: [{ in_force: false, can: { cancel: true } }] });
    expect((await app.page("/planes", made.person)).text).toContain("puede volver a intentar el cobro");
    expect((await cancel(made.person, made.subscription)).body).toEqual({ done: true, provider: "confirmed" });
    expect((await plans()).history).toMatchObject([{ can: { cancel: false } }]);
    expect((await membershipRows(made.person))[0]).toMatchObject({ ended_by: "person" });
    expect(statusAt("paypal", made.external)).toBe("cancelled");
  });

  test("resends only the user's own cancelled membership", async () => {
    const made = await member("monthly", "paypal");
    const tell = (as: TestUser, subscriptionId: string) =>
      app.call("POST", "/cancel-payment-subscription", { subscriptionId }, as);
    expect((await tell(made.person, made.external)).body).toEqual({ code: "no_rows_updated" });
    expect((await tell(await psychologist(), made.external)).body).toEqual({ code: "subscription_not_found" });
    expect(paypal.subscriptions.get(made.external)!.status).toBe("ACTIVE");
    expect(await hasGold(made.person)).toBe(true);
  });

  test("sends one mail for a month that is cancelled at PayPal, and Gold lasts until its date", async () => {
    const made = await member("monthly", "paypal");
    const events = await paypal.cancel(made.external);
    await deliver([...events, ...events]);
    const [row] = await membershipRows(made.person);
    const { text } = await app.mailTo(made.person.email, SUBJECT);
    expect(text).toContain(`Gold sigue activo hasta el ${formatDay(row!.next_billing_date!)}.`);
    expect(await cancellationMails(made.person)).toHaveLength(1);
    // A mail that is sent after the refund of the month says nothing.
    await app.sql(
      "update checkouts set status = 'cancelled', cancelled_at = now(), ended_by = 'refund' where id = $1",
      [made.subscription],
    );
    const job = { kind: "membership_cancelled", subscription_id: made.subscription } as const;
    expect(await membershipMails.membership_cancelled(app.context, job)).toBeNull();
  });

  test("rolls the cancellation back if it cannot be queued", async () => {
    const made = await member("monthly", "paypal");
    const send = vi.spyOn(app.context.boss, "send").mockImplementation(async (queue) => {
      if (queue === "mail") throw new Error("a fault");
      return null;
    });
    const { status } = await cancel(made.person, made.subscription);
    send.mockRestore();
    expect(status).toBe(500);
    expect(await hasGold(made.person)).toBe(true);
  });
});

test.each(["monthly", "lifetime"])(
  "mails the payer of %s whose terms changed at PayPal what stays valid",
  async (plan) => {
    const made = await member(plan, "paypal");
    paypal.subscriptions.get(made.external)!.plan_overridden = true;
    await reconcile(made.person, made.checkout);
    const [row] = await membershipRows(made.person);
    expect(row).toMatchObject({ status: "active", end_confirmed_at: expect.any(Date) });
    const { text } = await app.mailTo(made.person.email, /no coincide con el plan/);
    const date = row!.next_billing_date;
    expect(text).toContain(`Lo que ya pagaste ${date ? `vale hasta el ${formatDay(date)}` : "sigue valiendo"}.`);
    expect(text).not.toContain("no vale para Gold");
  },
);

test("an upgrade to lifetime gives Gold for ever, cancels the month at its provider and sends no mail about it", async () => {
  const made = await member("monthly", "paypal");
  const { body } = await app.call("GET", "/plans", undefined, made.person);
  expect(body.membership.can).toEqual({ cancel: true, upgrade: true });
  const life = await begin(made.person, "lifetime", "mercadopago");
  await deliver((await mercadopago.pay(life.body.external_id)).webhooks);
  expect(
    (await membershipRows(made.person)).map(({ plan_type, status, ended_by }) => [plan_type, status, ended_by]),
  ).toEqual([
    ["monthly", "cancelled", "replaced"],
    ["lifetime", "active", null],
  ]);
  const profile = await app.sql("select gold_until from psychologist_profiles where id = $1", [made.person.id]);
  expect(profile).toEqual([{ gold_until: Number.POSITIVE_INFINITY }]);
  await expect.poll(() => statusAt("paypal", made.external)).toBe("cancelled");
  // Later events about the monthly subscription change nothing.
  await deliver(await paypal.cancel(made.external));
  await deliver(paypal.events.filter(({ resource }) => resource.id === made.external));
  expect(await hasGold(made.person)).toBe(true);
  expect(await cancellationMails(made.person)).toEqual([]);
});
