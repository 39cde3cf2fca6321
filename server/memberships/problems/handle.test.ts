import { describe, expect, test } from "vitest";
import type { TestUser } from "#test/app.ts";
import { admin, app, deliver, lastSale, member, paypal, reconcile, withPayments } from "#test/payment-app.ts";
import { reportProblem } from "./store.ts";

withPayments();

const problemsOf = async (person: TestUser) =>
  (await app.call("GET", "/admin/payments", undefined, admin)).body.problems.filter(
    (one: { psychologist: { id: string } | null }) => one.psychologist?.id === person.id,
  );
const handle = ({ id, version }: { id: string; version: string }) =>
  app.call("PUT", `/admin/payments/${id}/handling`, { version }, admin);

describe("what the administrator sees of payments", () => {
  test("disappears once it is handled, and does not come back", async () => {
    const made = await member("monthly", "paypal");
    const refund = await paypal.refund(lastSale(made.external), 100);
    await deliver(refund);
    const [problem] = await problemsOf(made.person);
    expect(problem).toMatchObject({ kind: "partial_refund", external_id: lastSale(made.external) });
    expect((await handle(problem)).status).toBe(200);
    expect((await handle(problem)).body).toEqual({ code: "no_rows_updated" });
    await reconcile(made.person, made.checkout);
    expect(await problemsOf(made.person)).toEqual([]);
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
    const [first] = await problemsOf(made.person);
    expect((await handle(first)).status).toBe(200);
    await deliver(await paypal.resolve(opened!.resource.dispute_id as string, "SELLER"));
    expect(await problemsOf(made.person)).toEqual([]);
    const before = new Date().toISOString();
    await deliver(await paypal.dispute(lastSale(made.external)));
    const [again] = await problemsOf(made.person);
    expect(again).toMatchObject({ kind: "dispute", external_id: lastSale(made.external) });
    expect(again.created_at > before).toBe(true);
  });

  test("hides a handled problem if a reading reports it again while it is open", async () => {
    const { person, external: external_id } = await member("monthly", "paypal");
    const row = { kind: "unreadable", provider: "paypal", external_id, psychologist_id: person.id } as const;
    const report = () => reportProblem(app.context.db, { ...row, reason: null, created_at: new Date() });
    await report();
    const [problem] = await problemsOf(person);
    expect((await handle(problem)).status).toBe(200);
    await report();
    expect(await problemsOf(person)).toEqual([]);
  });
});
