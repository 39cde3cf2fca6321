import { describe, expect, test } from "vitest";
import { LIMITS } from "#shared/limits.ts";
import { openTestApp, type TestUser } from "#test/app.ts";
import { TIMEOUT_FACTOR } from "#test/full-run.ts";
import { app, begun, mercadopago, paypal, withPayments, work } from "#test/payment-app.ts";
import { subjectOf } from "../providers/paypal/provider.ts";

withPayments();
let person: TestUser;

/** A payment whose webhook event was not sent yet. */
async function paid(method: "paypal" | "mercadopago") {
  person = await app.person({ type: "psychologist" });
  const made = await app.call("POST", "/checkouts", { plan_type: "lifetime", method }, person);
  expect(made.status, made.text).toBe(201);
  const external: string = made.body.external_id;
  if (method === "paypal") return { external, paypalEvent: (await paypal.approve(external))[0]! };
  return { external, webhook: (await mercadopago.pay(external)).webhooks[0]! };
}
/** Whether Gold is in force once the worker has handled what was received. */
const hasGold = async () => {
  await work();
  return (await app.call("GET", "/session", undefined, person)).body.user.has_gold;
};
const events = () => app.sql<{ n: number }>("select count(*)::int as n from webhook_events").then(([row]) => row!.n);

describe("a webhook event of PayPal", () => {
  test("gets rejected and not stored if it is signed with another key", async () => {
    const { paypalEvent } = await paid("paypal");
    // The first event may wait for PayPal's certificate.
    await paypal.send(paypal.event("CHECKOUT.ORDER.APPROVED", { id: "P-1" }));
    const before = await events();
    expect(await paypal.send(paypalEvent!, { forged: "key" })).toBe(401);
    expect(await events()).toBe(before);
    expect(await hasGold()).toBe(false);
    expect(await paypal.send(paypalEvent!)).toBe(200);
    expect(await hasGold()).toBe(true);
  });

  test("stores only id and subject of an event", async () => {
    const { paypalEvent, external } = await paid("paypal");
    for (let times = 0; times < 3; times++) expect(await paypal.send(paypalEvent!)).toBe(200);
    await work();
    const kept = await app.sql("select * from webhook_events where event_id = $1", [paypalEvent!.id]);
    expect(kept).toEqual([
      {
        provider: "paypal",
        event_id: paypalEvent!.id,
        resource_type: "subscription",
        resource_id: external,
        checkout_id: expect.any(String),
        received_at: expect.any(Date),
        done_at: expect.any(Date),
        due_at: expect.any(Date),
      },
    ]);
  });

  test("accepts a type that is not handled", async () => {
    const before = await events();
    for (const type of ["PAYMENT.CAPTURE.COMPLETED", "", "__proto__"])
      expect(await paypal.send(paypal.event(type, { id: "P-1" }))).toBe(200);
    expect(await paypal.send(paypal.event("BILLING.SUBSCRIPTION.ACTIVATED", { id: ["I-1"] }))).toBe(200);
    expect(await events()).toBe(before);
  });

  test("reads a subscription, a sale or a dispute as the subject", () => {
    const about = (type: string, resource: Record<string, unknown>) =>
      subjectOf({ id: "WH-1", event_type: type, create_time: null, resource });
    expect(about("PAYMENT.SALE.COMPLETED", { id: "S", billing_agreement_id: "I" })).toEqual({
      type: "subscription",
      id: "I",
    });
    expect(about("PAYMENT.SALE.COMPLETED", { id: "S" })).toEqual({ type: "sale", id: "S" });
    expect(about("PAYMENT.SALE.REFUNDED", { id: "R", sale_id: "S" })).toEqual({ type: "refund", id: "S" });
    expect(about("PAYMENT.SALE.REVERSED", { id: "S", sale_id: null })).toEqual({
      type: "reversal",
      id: "S",
    });
    expect(about("CUSTOMER.DISPUTE.RESOLVED", { dispute_id: "D" })).toEqual({ type: "dispute", id: "D" });
    expect(about("PAYMENT.SALE.REFUNDED", { id: "R" })).toBeNull();
    for (const id of [undefined, 5, ["I-1"], "", "x".repeat(300)])
      expect(about("BILLING.SUBSCRIPTION.ACTIVATED", { id })).toBeNull();
  });
});

describe("a webhook event of MercadoPago", () => {
  test("needs a signature with our secret for its id", async () => {
    const { webhook } = await paid("mercadopago");
    const before = await events();
    for (const forged of ["secret", "id", "missing"] as const)
      expect(await mercadopago.send(webhook!, { forged })).toBe(401);
    expect(await events()).toBe(before);
    expect(await hasGold()).toBe(false);
    expect(await mercadopago.send(webhook!)).toBe(200);
    expect(await hasGold()).toBe(true);
  });

  test("accepts and ignores the older kind, with a signature that proves nothing and without", async () => {
    const { webhook } = await paid("mercadopago");
    const calls = mercadopago.calls.length;
    for (const legacy of ["signed", "unsigned"] as const)
      expect(await mercadopago.send(webhook!, { legacy })).toBe(200);
    expect(mercadopago.calls.length).toBe(calls);
    expect(await hasGold()).toBe(false);
  });

  test("trusts only the id of an event", async () => {
    const first = await paid("mercadopago");
    const owner = person;
    const second = await paid("mercadopago");
    // The body names another payment, and the id of a future webhook event.
    const { url, headers } = mercadopago.signed(first.webhook!);
    const forged = JSON.stringify({
      id: 4711,
      type: "payment",
      action: "payment.created",
      data: { id: second.webhook!.id },
    });
    expect((await fetch(url, { method: "POST", headers, body: forged })).status).toBe(200);
    expect(await hasGold()).toBe(false);
    expect((await app.call("GET", "/session", undefined, owner)).body.user.has_gold).toBe(true);
    const real = mercadopago.signed(second.webhook!);
    const body = JSON.stringify({ ...JSON.parse(real.body), id: 4711 });
    expect((await fetch(real.url, { method: "POST", headers: real.headers, body })).status).toBe(200);
    expect(await hasGold()).toBe(true);
  });

  test("accepts any body, because bodies are not signed", async () => {
    const { webhook } = await paid("mercadopago");
    for (const body of ["", "null", "[]", "no JSON", '{"id":{"a":1}}'])
      expect(await mercadopago.send(webhook!, { mutate: () => body })).toBe(200);
    expect(await hasGold()).toBe(true);
  });

  test("accepts a topic that is not handled", async () => {
    const before = await events();
    for (const topic of ["stop_delivery_op_wh", "order", "topic_merchant_order_wh", "merchant_order", "__proto__"])
      expect(await mercadopago.send(mercadopago.webhook(topic, "123"))).toBe(200);
    expect(await events()).toBe(before);
  });
});

test.each(["paypal", "mercadopago"] as const)(
  "stores ten concurrent events of %s and responds 200 without a call to the provider",
  async (method) => {
    const { paypalEvent, webhook } = await paid(method);
    // The certificate is at hand from an earlier event.
    await paypal.send(paypal.event("CHECKOUT.ORDER.APPROVED", { id: "P-1" }));
    const fake = method === "paypal" ? paypal : mercadopago;
    const [calls, stored] = [fake.calls.length, await events()];
    const sent = Array.from({ length: 10 }, () =>
      paypalEvent ? paypal.send(paypalEvent) : mercadopago.send(webhook!),
    );
    expect(await Promise.all(sent)).toEqual(Array(10).fill(200));
    expect(fake.calls.length).toBe(calls);
    expect(await events()).toBeGreaterThan(stored);
  },
);

test("responds 503 within 1 s while PayPal's certificate cannot be read, and accepts the event later", async () => {
  const { paypalEvent } = await paid("paypal");
  paypal.injectFault(/GET .*certs/, "receiving", "hang", 10);
  const began = performance.now();
  expect(await paypal.send(paypalEvent!, { certificate: "gone" })).toBe(503);
  expect(performance.now() - began).toBeLessThan(1000 * TIMEOUT_FACTOR);
  paypal.clearFaults();
  expect(await paypal.send(paypalEvent!)).toBe(200);
});

test("another sale of the same MercadoPago account leaves no open event, no problem and no further call", async () => {
  const ids: string[] = [];
  for (let sale = 0; sale < 3; sale++) {
    const { external, webhook } = await paid("mercadopago");
    const preference = mercadopago.preferences.get(external)!;
    const [payment] = preference.payments;
    preference.external_reference = payment!.external_reference = `order-${sale}-of-a-shop`;
    await app.sql("delete from checkouts where external_id = $1", [external]);
    ids.push(String(payment!.id));
    expect(webhook!.type).toBe("payment");
    expect(await mercadopago.send(webhook!)).toBe(200);
  }
  const { external } = await begun("monthly", "mercadopago");
  mercadopago.preapprovals.get(external)!.external_reference = "a-month-of-a-shop";
  await app.sql("delete from checkouts where external_id = $1", [external]);
  ids.push(external);
  expect(await mercadopago.send(mercadopago.webhook("subscription_preapproval", external))).toBe(200);
  await work();
  const calls = mercadopago.calls.length;
  // All attempts of a day are due.
  const own = "resource_id = any($1)";
  await app.sql(`update webhook_events set received_at = received_at - interval '25 hours' where ${own}`, [ids]);
  await work();
  expect(mercadopago.calls.length).toBe(calls);
  expect(await app.sql(`select from webhook_events where done_at is null and ${own}`, [ids])).toEqual([]);
  expect(await app.sql("select from payment_problems")).toEqual([]);
});

describe("the webhook address", () => {
  const post = (path: string, init: RequestInit = {}) => fetch(app.url + path, { method: "POST", ...init });

  test.each(["paypal", "mercadopago"])(
    "limits the size of a request of %s, which needs no session",
    async (service) => {
      const path = `/api/webhooks/${service}?data.id=1`;
      const full = "a".repeat(LIMITS.webhookBytes);
      const refused = await post(path, { body: `${full}a` });
      expect([refused.status, await refused.json()]).toEqual([413, { code: "payload_too_large" }]);
      const headers = { origin: "https://evil.example", "sec-fetch-site": "cross-site", cookie: "sid=x" };
      const answer = await post(path, { body: full, headers });
      expect([answer.status, await answer.text()]).toEqual([401, ""]);
      expect(answer.headers.getSetCookie()).toEqual([]);
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    },
  );

  test("accepts only POST, and only for these two providers", async () => {
    for (const path of ["/api/webhooks/paypal", "/api/webhooks/mercadopago"])
      expect((await fetch(app.url + path)).status).toBe(404);
    for (const path of ["/api/webhooks/stripe", "/api/webhooks", "/api/webhooks/paypal/x"])
      expect(
        (await post(path, { headers: { origin: app.url, "content-type": "application/json" }, body: "{}" })).status,
      ).toBe(404);
  });

  test("responds 503 for a provider that is not configured", async () => {
    const other = await openTestApp();
    try {
      for (const service of ["paypal", "mercadopago"])
        expect((await fetch(`${other.url}/api/webhooks/${service}?data.id=1`, { method: "POST" })).status).toBe(503);
    } finally {
      await other.close();
    }
  });
});
