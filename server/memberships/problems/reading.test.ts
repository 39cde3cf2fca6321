import { describe, expect, test } from "vitest";
import {
  admin,
  app,
  begun,
  cancel,
  deliver,
  hasGold,
  lastSale,
  member,
  membershipRows,
  mercadopago,
  paypal,
  withPayments,
} from "#test/payment-app.ts";
import { problemOf, readNow, reportUnmatched } from "#test/payment-problems.ts";

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
    expect((await readNow(problem.id)).body).toEqual({ outcome: "unchanged" });
    // Refunded completely in the meantime, and the events are lost.
    await paypal.refund(lastSale(made.external));
    expect((await readNow(problem.id)).body).toEqual({ outcome: "changed" });
    expect(await hasGold(made.person)).toBe(false);
    expect(await auditOf(problem.id)).toMatchObject([
      { actor_id: admin.id, details: { outcome: "unchanged" } },
      { actor_id: admin.id, details: { outcome: "changed" } },
    ]);
    // A partial refund that became a full refund is not a problem any more.
    expect((await readNow(problem.id)).body).toEqual({ code: "no_rows_updated" });
  });

  test("reports an unknown subscription and leaves the problem open", async () => {
    const id = await reportUnmatched("paypal", "I-NOWHERE");
    expect((await readNow(id)).body).toEqual({ outcome: "unknown" });
    expect((await readNow(id)).status).toBe(200);
  });

  test("settles the problem once the owner of the payment is known", async () => {
    const made = await begun("monthly", "paypal");
    await paypal.approve(made.external);
    const id = await reportUnmatched("paypal", made.external);
    expect((await readNow(id)).body).toEqual({ outcome: "changed" });
    expect(await hasGold(made.person)).toBe(true);
    expect((await readNow(id)).body).toEqual({ code: "no_rows_updated" });
  });

  test("finds the subscription of an event's sale", async () => {
    const made = await begun("lifetime", "paypal");
    await paypal.approve(made.external);
    const sale = lastSale(made.external);
    await app.sql(
      "insert into webhook_events (provider, event_id, resource_type, resource_id, done_at, received_at) values ('paypal', $1, 'sale', $2, now(), now())",
      [`WH-${sale}`, sale],
    );
    const id = await reportUnmatched("paypal", sale);
    expect((await readNow(id)).body).toEqual({ outcome: "changed" });
    expect(await hasGold(made.person)).toBe(true);
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
    expect(read.headers.get("set-cookie")).toContain("notice=payment_read_changed");
  });
});

describe("reading an unconfirmed cancellation at once", () => {
  const read = (id: string) => app.call("POST", `/admin/cancellations/${id}/reading`, {}, admin);

  test("confirms it where the provider shows it as over, and says where it does not", async () => {
    const made = await member("monthly", "paypal");
    paypal.injectFault(/^POST .*cancel/, "receiving", { status: 500, body: {} }, 1000);
    await cancel(made.person, made.subscription);
    expect((await read(made.subscription)).body).toEqual({ outcome: "unchanged" });
    expect((await membershipRows(made.person))[0]!.end_confirmed_at).toBeNull();
    await paypal.cancel(made.external);
    expect((await read(made.subscription)).body).toEqual({ outcome: "changed" });
    expect((await membershipRows(made.person))[0]!.end_confirmed_at).not.toBeNull();
    expect((await read(made.subscription)).body).toEqual({ code: "no_rows_updated" });
    expect(await auditOf(made.subscription)).toMatchObject([
      { details: { confirmed: false } },
      { details: { confirmed: true } },
    ]);
  });

  test("confirms it where the provider answers with 404", async () => {
    const made = await member("monthly", "paypal");
    paypal.injectFault(/^POST .*cancel/, "receiving", { status: 500, body: {} }, 1000);
    await cancel(made.person, made.subscription);
    paypal.subscriptions.delete(made.external);
    expect((await read(made.subscription)).body).toEqual({ outcome: "changed" });
    expect((await membershipRows(made.person))[0]!.end_confirmed_at).not.toBeNull();
  });
});
