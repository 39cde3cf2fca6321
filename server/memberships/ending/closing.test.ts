import { expect, test } from "vitest";
import type { TestUser } from "#test/app.ts";
import {
  admin,
  app,
  cancel,
  clock,
  DAY,
  deliver,
  lastSale,
  MINUTE,
  member,
  membershipRows,
  paypal,
  row,
  setClock,
  withPayments,
  work,
} from "#test/payment-app.ts";
import { endIfWanted } from "../reading/checkout.ts";

withPayments();

/** A membership whose cancellation the provider never confirms. */
async function stuck() {
  const made = await member("monthly", "paypal");
  paypal.injectFault(/^POST .*cancel/, "receiving", { status: 500, body: {} }, 1000);
  await cancel(made.person, made.subscription);
  return made;
}
const listed = async (id: string) =>
  (await app.call("GET", "/admin/payments", undefined, admin)).body.cancellations.find(
    (one: { id: string }) => one.id === id,
  );
const close = (id: string, version: string, reason = "La cuenta ya no existe allí") =>
  app.call("PUT", `/admin/cancellations/${id}/closing`, { version, reason }, admin);
const shownTo = async (person: TestUser) => (await app.call("GET", "/memberships", undefined, person)).body[0];

test("sends a closed cancellation no more, and asks its owner to check it", async () => {
  const { person, subscription, external } = await stuck();
  const { version } = await listed(subscription);
  expect((await close(subscription, version, "")).body.fields).toEqual({ reason: "Este dato es necesario." });
  expect((await close(subscription, version)).status).toBe(200);
  expect(await listed(subscription)).toBeUndefined();
  const before = paypal.calls.length;
  expect(await endIfWanted(app.context, (await membershipRows(person))[0]!.checkout_id)).toBe("closed");
  const again = await app.call("POST", "/cancel-payment-subscription", { subscriptionId: external }, person);
  expect(again.body).toEqual({ provider: "closed" });
  // An open tab still offers both.
  expect((await cancel(person, subscription)).body).toEqual({ done: true, provider: "closed" });
  const byForm = await app.form("/planes", { intent: "retry_cancellation", id: external }, person);
  expect(byForm.headers.get("set-cookie")).toContain("notice=subscription_cancelled;");
  expect(paypal.calls.length).toBe(before);
  expect(paypal.subscriptions.get(external)!.status).toBe("ACTIVE");
  expect(await shownTo(person)).toMatchObject({ status: "cancelled", provider_cancellation: "closed" });
  expect((await app.page("/planes", person)).text).toContain("Comprueba en PayPal que tu suscripción ha terminado");
  expect(
    await app.sql(
      "select actor_id, details ->> 'reason' as reason from audit_log where action = 'cancellation_closed' and target_id = $1",
      [subscription],
    ),
  ).toEqual([{ actor_id: admin.id, reason: "La cuenta ya no existe allí" }]);
  // A second time there is nothing to close.
  expect((await close(subscription, version)).body).toEqual({ code: "no_rows_updated" });
});

test("reads again within 2 min for an event that PayPal does not show yet, also if a cancellation failed", async () => {
  const { person, subscription, external } = await stuck();
  setClock(new Date(Date.now() + 2 * DAY));
  await deliver([paypal.event("PAYMENT.SALE.REVERSED", { id: lastSale(external) })]);
  expect((await row(person))!.due_at!.getTime() - clock!.getTime()).toBeLessThanOrEqual(2 * MINUTE);
  paypal.clearFaults();
  await app.sql("update checkouts set due_at = $2 where external_id = $1", [external, clock]);
  await work();
  expect(await row(person)).toMatchObject({ id: subscription, end_confirmed_at: expect.any(Date) });
  expect((await row(person))!.due_at!.getTime() - clock!.getTime()).toBeLessThanOrEqual(2 * MINUTE);
  const open = () => app.sql("select from webhook_events where done_at is null");
  expect(await open()).toHaveLength(1);
  setClock(new Date(clock!.getTime() + 14 * DAY));
  await work();
  expect(await open()).toEqual([]);
});

test("closes a cancellation once for ten concurrent requests", async () => {
  const { subscription } = await stuck();
  const { version } = await listed(subscription);
  const all = await Promise.all(Array.from({ length: 10 }, () => close(subscription, version)));
  expect(all.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)]);
});

test("a cancellation that was confirmed meanwhile is not closed, and one that was tried again is", async () => {
  const { person, subscription, external } = await stuck();
  const { version } = await listed(subscription);
  const send = async () =>
    (await app.call("POST", "/cancel-payment-subscription", { subscriptionId: external }, person)).body;
  expect(await send()).toEqual({ provider: "waiting" });
  expect((await listed(subscription)).version).toBe(version);
  paypal.clearFaults();
  expect(await send()).toEqual({ provider: "confirmed" });
  expect((await close(subscription, version)).body).toEqual({ code: "no_rows_updated" });
  expect((await membershipRows(person))[0]).toMatchObject({ end_confirmed_at: expect.any(Date), end_closed_at: null });
});
