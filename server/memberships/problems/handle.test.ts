import { describe, expect, test } from "vitest";
import { admin, app, deliver, lastSale, member, paypal, reconcile, withPayments } from "#test/payment-app.ts";

withPayments();

describe("what the administrator sees of payments", () => {
  test("disappears once it is handled, and does not come back", async () => {
    const made = await member("monthly", "paypal");
    const refund = await paypal.refund(lastSale(made.external), 100);
    await deliver(refund);
    const mine = async () =>
      (await app.call("GET", "/admin/payments", undefined, admin)).body.problems.filter(
        (one: { psychologist: { id: string } | null }) => one.psychologist?.id === made.person.id,
      );
    const [problem] = await mine();
    expect(problem).toMatchObject({ kind: "partial_refund", external_id: lastSale(made.external) });
    const handle = () => app.call("PUT", `/admin/payments/${problem.id}/handling`, { version: problem.version }, admin);
    expect((await handle()).status).toBe(200);
    expect((await handle()).body).toEqual({ code: "no_rows_updated" });
    await reconcile(made.person, made.checkout);
    expect(await mine()).toEqual([]);
    expect(
      await app.sql("select actor_id from audit_log where action = 'payment_problem_handled' and target_id = $1", [
        problem.id,
      ]),
    ).toEqual([{ actor_id: admin.id }]);
  });
});
