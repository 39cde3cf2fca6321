import { describe, expect, test } from "vitest";
import { DAY, MINUTE } from "#shared/time.ts";
import type { TestUser } from "#test/app.ts";
import {
  admin,
  app,
  begun,
  cancel,
  clock,
  deliver,
  hasGold,
  lastSale,
  member,
  membershipRows,
  mercadopago,
  paypal,
  reconcile,
  row,
  setClock,
  withPayments,
  work,
} from "#test/payment-app.ts";
import { handle, problemOf, readNow, reportUnmatched } from "#test/payment-problems.ts";
import { endIfWanted } from "../reading/checkout.ts";

withPayments();

const auditOf = (id: string) =>
  app.sql<{ actor_id: string; details: object }>(
    "select actor_id, details from audit_log where action = 'payment_read' and target_id = $1",
    [id],
  );

describe("reading a problem at once", () => {
  test("settles payments without events, and reports it", async () => {
    const made = await member("monthly", "paypal");
    await deliver(await paypal.refund(lastSale(made.external), 100));
    const problem = await problemOf(made.person);
    expect((await readNow(problem.id)).body).toEqual({ outcome: "open" });
    // Refunded completely in the meantime, and the events are lost.
    await paypal.refund(lastSale(made.external));
    expect((await readNow(problem.id)).body).toEqual({ outcome: "settled" });
    expect(await hasGold(made.person)).toBe(false);
    expect(await auditOf(problem.id)).toMatchObject([
      { actor_id: admin.id, details: { outcome: "open" } },
      { actor_id: admin.id, details: { outcome: "settled" } },
    ]);
    // A partial refund that became a full refund is not a problem any more.
    expect((await readNow(problem.id)).body).toEqual({ code: "no_rows_updated" });
  });

  test("leaves a problem without an owner open until the reading finds the owner", async () => {
    const made = await begun("monthly", "paypal");
    const nowhere = await reportUnmatched("paypal", "I-NOWHERE");
    for (let times = 0; times < 2; times++) expect((await readNow(nowhere)).body).toEqual({ outcome: "unknown" });
    const gone = await begun("monthly", "paypal");
    paypal.subscriptions.delete(gone.external);
    await app.sql("update checkouts set created_at = created_at - interval '2 days' where id = $1", [gone.checkout]);
    const lost = await reportUnmatched("paypal", gone.external);
    for (let times = 0; times < 2; times++) expect((await readNow(lost)).body).toEqual({ outcome: "unknown" });
    await paypal.approve(made.external);
    const id = await reportUnmatched("paypal", made.external);
    expect((await readNow(id)).body).toEqual({ outcome: "settled" });
    expect(await hasGold(made.person)).toBe(true);
    expect((await readNow(id)).body).toEqual({ code: "no_rows_updated" });
  });

  test("says that the provider cannot be reached, and changes nothing", async () => {
    const made = await member("monthly", "mercadopago");
    const id = await reportUnmatched("mercadopago", made.external);
    mercadopago.injectFault(/GET/, "receiving", { status: 503, body: {} }, 1000);
    const answer = await readNow(id);
    expect([answer.status, answer.body]).toEqual([502, { code: "provider_unreachable" }]);
    expect(await auditOf(id)).toEqual([]);
    const form = { intent: "read", id };
    const byForm = await app.form("/admin/membresias", form, admin);
    expect(byForm.status).toBe(502);
    expect(byForm.text).toContain("El servicio de pago no responde");
    expect(byForm.text).toContain(`id="d-${id}"`);
    mercadopago.clearFaults();
    const read = await app.form("/admin/membresias", form, admin);
    expect(read.headers.get("location")).toBe("/admin/membresias");
    expect(read.headers.get("set-cookie")).toContain("notice=payment_read_settled");
  });
});

describe("handling a problem", () => {
  test("disappears once it is handled, and does not come back", async () => {
    const made = await member("monthly", "paypal");
    await deliver(await paypal.refund(lastSale(made.external), 100));
    const problem = await problemOf(made.person);
    expect(problem).toMatchObject({ kind: "partial_refund", external_id: lastSale(made.external) });
    expect((await handle(problem)).status).toBe(200);
    expect((await handle(problem)).body).toEqual({ code: "no_rows_updated" });
    await reconcile(made.person, made.checkout);
    expect(await problemOf(made.person)).toBeUndefined();
    expect(
      await app.sql("select actor_id from audit_log where action = 'payment_problem_handled' and target_id = $1", [
        problem.id,
      ]),
    ).toEqual([{ actor_id: admin.id }]);
  });

  test("shows a handled problem again if it returns after it was settled", async () => {
    const made = await member("monthly", "paypal");
    const [opened] = await paypal.dispute(lastSale(made.external));
    await deliver([opened!]);
    const first = await problemOf(made.person);
    expect((await handle(first)).status).toBe(200);
    await deliver(await paypal.resolve(opened!.resource.dispute_id as string, "SELLER"));
    expect(await problemOf(made.person)).toBeUndefined();
    const before = new Date().toISOString();
    const [returned] = await paypal.dispute(lastSale(made.external));
    await deliver([returned!]);
    const again = await problemOf(made.person);
    expect(again).toMatchObject({ kind: "dispute", external_id: lastSale(made.external) });
    expect(again.created_at > before).toBe(true);
    // The tab counts what the list shows: no handled problems, and none that a reading settled.
    const count = async () => (await app.call("GET", "/admin/summary", undefined, admin)).body.payments;
    const shown = await count();
    await deliver(await paypal.resolve(returned!.resource.dispute_id as string, "SELLER"));
    expect(await count()).toBe(shown - 1);
  });

  test("lists the oldest problem first", async () => {
    for (const days of [2, 3]) {
      const id = await reportUnmatched("paypal", `I-${days}-DAYS`);
      await app.sql("update payment_problems set created_at = now() - $2 * interval '1 day' where id = $1", [id, days]);
    }
    const { body } = await app.call("GET", "/admin/payments", undefined, admin);
    const times = body.problems.map((one: { created_at: string }) => one.created_at);
    expect(times).toEqual(times.toSorted());
  });
});

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
