import { describe, expect, test } from "vitest";
import {
  admin,
  app,
  begun,
  deliver,
  hasGold,
  lastSale,
  member,
  mercadopago,
  paypal,
  reconcile,
  withPayments,
} from "#test/payment-app.ts";
import { handle, problemOf, readNow, reportUnmatched } from "#test/payment-problems.ts";
import { reportProblem } from "./store.ts";

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

  test("hides a handled problem if a reading reports it again while it is open", async () => {
    const { person, external: external_id, checkout: checkout_id } = await member("monthly", "paypal");
    const row = { kind: "unreadable", provider: "paypal", external_id, checkout_id } as const;
    const report = () => reportProblem(app.context.db, { ...row, reason: null, created_at: new Date() });
    await report();
    const problem = await problemOf(person);
    expect((await handle(problem)).status).toBe(200);
    await report();
    expect(await problemOf(person)).toBeUndefined();
  });
});
