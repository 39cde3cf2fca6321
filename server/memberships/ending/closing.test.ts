import { expect, test } from "vitest";
import { DAY, MINUTE } from "#shared/time.ts";
import type { TestUser } from "#test/app.ts";
import {
  admin,
  app,
  cancel,
  clock,
  deliver,
  lastSale,
  member,
  membershipRows,
  paypal,
  reconcile,
  row,
  setClock,
  withPayments,
  work,
} from "#test/payment-app.ts";
import { handle, problemOf, readNow } from "#test/payment-problems.ts";
import { endIfWanted } from "../reading/checkout.ts";

withPayments();

/** A membership whose cancellation the provider has not confirmed for two hours. @returns its problem, too */
async function stuck() {
  const made = await member("monthly", "paypal");
  paypal.injectFault(/^POST .*cancel/, "receiving", { status: 500, body: {} }, 1000);
  await cancel(made.person, made.subscription);
  await app.sql("update checkouts set end_wanted_at = end_wanted_at - interval '2 hours' where id = $1", [
    made.checkout,
  ]);
  await reconcile(made.person, made.checkout);
  return { ...made, problem: await problemOf(made.person) };
}
const shownTo = async (person: TestUser) => (await app.call("GET", "/memberships", undefined, person)).body[0];

test("sends a handled cancellation no more, and asks its owner to check it", async () => {
  const { person, subscription, external, problem } = await stuck();
  expect(problem.kind).toBe("cancellation_unconfirmed");
  const { id, version } = problem;
  const handled = await app.form("/admin/membresias", { intent: "handle", id, version }, admin);
  expect(handled.headers.get("set-cookie")).toContain("notice=payment_problem_handled.");
  expect(await problemOf(person)).toBeUndefined();
  const before = paypal.calls.length;
  expect(await endIfWanted(app.context, (await membershipRows(person))[0]!.id)).toBe("closed");
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
    await app.sql("select actor_id, details ->> 'kind' as kind from audit_log where target_id = $1", [problem.id]),
  ).toEqual([{ actor_id: admin.id, kind: "cancellation_unconfirmed" }]);
  expect((await handle(problem)).body).toEqual({ code: "no_rows_updated" });
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

test("closes a cancellation that was tried again, but none that was confirmed", async () => {
  const { person, external, problem } = await stuck();
  const send = async () =>
    (await app.call("POST", "/cancel-payment-subscription", { subscriptionId: external }, person)).body;
  expect(await send()).toEqual({ provider: "waiting" });
  expect((await readNow(problem.id)).body).toEqual({ outcome: "open" });
  expect((await problemOf(person)).version).toBe(problem.version);
  paypal.clearFaults();
  expect((await readNow(problem.id)).body).toEqual({ outcome: "settled" });
  expect((await handle(problem)).body).toEqual({ code: "no_rows_updated" });
  expect((await membershipRows(person))[0]).toMatchObject({ end_confirmed_at: expect.any(Date), end_closed_at: null });
});

test("closes or confirms a cancellation when both happen at the same time", async () => {
  const { person, external, problem } = await stuck();
  paypal.clearFaults();
  const send = () => app.call("POST", "/cancel-payment-subscription", { subscriptionId: external }, person);
  const all = await Promise.all([handle(problem), send(), handle(problem), send(), handle(problem)]);
  expect(all.filter(({ status }) => status >= 500)).toEqual([]);
  expect(all.filter((_, at) => at % 2 === 0).filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
  const { end_confirmed_at, end_closed_at } = (await membershipRows(person))[0]!;
  expect(end_confirmed_at ?? end_closed_at).toEqual(expect.any(Date));
});
