import { describe, expect, test, vi } from "vitest";
import { TIMEOUT_FACTOR } from "#test/full-run.ts";
import { fake, open, openAgain, paypal, withPaypalClient } from "#test/paypal-client.ts";
import { failure } from "#test/provider-failure.ts";

withPaypalClient();

const page = { brandName: "Sala", returnUrl: "https://a.example/r", cancelUrl: "https://a.example/c" };
const created = (id: string = crypto.randomUUID()) =>
  paypal.createSubscription({ id, planId: "P-FAKEMONTHLY0000000000000", ...page });
const approved = async () => {
  const { id } = await created();
  await fake.approve(id);
  return id;
};
const tokenCalls = () => fake.calls.filter((call) => call === "POST /v1/oauth2/token").length;

describe("a subscription", () => {
  test("creates one subscription per checkout, whole hundredths included", async () => {
    const first = await created("attempt-1");
    expect(first).toEqual({ id: first.id, approveUrl: expect.stringContaining(first.id) });
    expect((await created("attempt-1")).id).toBe(first.id);
    expect((await created("attempt-2")).id).not.toBe(first.id);
    expect(await paypal.subscription(first.id)).toMatchObject({ status: "APPROVAL_PENDING", billing_info: null });
    await fake.approve(first.id);
    expect(await paypal.subscription(first.id)).toMatchObject({
      status: "ACTIVE",
      custom_id: "attempt-1",
      billing_info: {
        last_payment: { amount: { amount: 499, currency: "USD" }, time: expect.any(Date) },
        next_billing_time: expect.any(Date),
      },
    });
  });

  test("reads an amount in every form that PayPal uses", async () => {
    const id = await approved();
    for (const [written, cents] of [
      ["4.9", 490],
      ["60.0", 6000],
      ["0.07", 7],
      ["4.990", 499],
      ["1234567.89", 123_456_789],
    ] as const) {
      fake.decimal = () => written;
      const money = { amount: cents, currency: "USD" };
      expect((await paypal.subscription(id))?.billing_info?.last_payment?.amount).toEqual(money);
      const { items } = await paypal.transactions(id, new Date(0), new Date(Date.now() + 1000));
      expect(items[0]?.amount_with_breakdown.gross_amount).toEqual(money);
      expect((await paypal.sale(fake.subscriptions.get(id)!.sales[0]!.id))?.amount).toEqual(money);
    }
  });

  test.each(["4.995", "4,99", "", "1e3", "99999999999999999"])(
    "counts an amount of %s as unreadable",
    async (written) => {
      const money = { currency_code: "USD", value: written };
      const line = { id: "S", status: "COMPLETED", time: new Date(0), amount_with_breakdown: { gross_amount: money } };
      fake.injectFault(/transactions/, "receiving", { status: 200, body: { transactions: [line] } });
      expect(await paypal.transactions("I-1", new Date(0), new Date())).toEqual({ items: [], unreadable: 1 });
      const body = {
        id: "I-1",
        status: "ACTIVE",
        billing_info: { last_payment: { amount: money, time: new Date(0) } },
      };
      fake.injectFault(/^GET/, "receiving", { status: 200, body });
      expect(await paypal.subscription("I-1")).toMatchObject({
        status: "ACTIVE",
        billing_info: { last_payment: null },
      });
    },
  );

  test("counts a payment without a readable time, and reads a subscription with malformed fields", async () => {
    const gross_amount = { currency_code: "USD", value: "4.99" };
    const line = { id: "S", status: "COMPLETED", amount_with_breakdown: { gross_amount } };
    const transactions = [{ ...line, time: null }, { ...line, time: "" }, line];
    fake.injectFault(/transactions/, "receiving", { status: 200, body: { transactions } });
    expect(await paypal.transactions("I-1", new Date(0), new Date())).toEqual({ items: [], unreadable: 3 });
    const body = { id: "I-1", status: "ACTIVE", status_update_time: 20270101, create_time: "ayer", billing_info: 7 };
    fake.injectFault(/^GET/, "receiving", { status: 200, body });
    const absent = { status_update_time: null, create_time: null, billing_info: null };
    expect(await paypal.subscription("I-1")).toMatchObject({ status: "ACTIVE", ...absent });
  });

  test("encodes the id in the URL", async () => {
    expect(await paypal.subscription("../../oauth2/token")).toBeNull();
    expect(fake.calls.at(-1)).toBe("GET /v1/billing/subscriptions/..%2F..%2Foauth2%2Ftoken");
  });
});

describe("cancelling", () => {
  test("ends it, and a second time is no error", async () => {
    const id = await approved();
    await paypal.cancel(id, "Porque sí");
    await paypal.cancel(id, "Porque sí");
    expect(await paypal.subscription(id)).toMatchObject({
      status: "CANCELLED",
      billing_info: { next_billing_time: null },
    });
  });

  test("an expired subscription is over too, one that was not approved is not", async () => {
    const id = await approved();
    await fake.expire(id);
    await paypal.cancel(id, "x");
    const { id: pending } = await created();
    expect(await failure(paypal.cancel(pending, "x"))).toMatchObject({
      kind: "refused",
      status: 422,
      reason: "SUBSCRIPTION_STATUS_INVALID",
      debugId: "fakedebug0001",
    });
    await paypal.cancel("I-NOBODY", "x");
  });
});

describe("the token", () => {
  test("requests one token for all concurrent calls", async () => {
    openAgain();
    const before = tokenCalls();
    await Promise.all(Array.from({ length: 10 }, () => paypal.subscription("I-NOBODY")));
    expect(tokenCalls() - before).toBe(1);
  });

  test("replaces the token a minute before it expires", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    fake.tokenSeconds = 600;
    openAgain();
    await paypal.subscription("I-NOBODY");
    const before = tokenCalls();
    vi.setSystemTime(Date.now() + 539_000);
    await paypal.subscription("I-NOBODY");
    expect(tokenCalls()).toBe(before);
    vi.setSystemTime(Date.now() + 2_000);
    await paypal.subscription("I-NOBODY");
    expect(tokenCalls()).toBe(before + 1);
  });

  test("replaces a token once if PayPal rejects it", async () => {
    const id = await approved();
    fake.revokeTokens();
    const before = tokenCalls();
    const answers = await Promise.all(Array.from({ length: 5 }, () => paypal.subscription(id)));
    expect(answers.every((answer) => answer?.id === id)).toBe(true);
    expect(tokenCalls() - before).toBe(1);
    fake.injectFault(/GET/, "receiving", { status: 401, body: {} }, 2);
    expect(await failure(paypal.subscription(id))).toMatchObject({ kind: "refused", status: 401 });
  });

  test("requests the token again after a failed request", async () => {
    openAgain();
    fake.injectFault(/oauth2/, "receiving", { status: 503, body: "" });
    expect(await failure(paypal.subscription("I-NOBODY"))).toMatchObject({ kind: "unavailable", status: 503 });
    expect(await paypal.subscription("I-NOBODY")).toBeNull();
  });

  test("rejects wrong credentials", async () => {
    const error = await failure(open({ clientSecret: "wrong" }).subscription("I-1"));
    expect(error).toMatchObject({ kind: "refused", status: 401, reason: "invalid_client" });
  });
});

describe("what can go wrong", () => {
  test.each([500, 429, 408])("%s means unavailable", async (status) => {
    fake.injectFault(/GET/, "receiving", { status, body: { name: "INTERNAL", details: "comprador@example.com" } });
    expect(await failure(paypal.subscription("I-1"))).toMatchObject({
      kind: "unavailable",
      status,
      reason: "INTERNAL",
    });
    expect(await paypal.subscription("I-1")).toBeNull();
  });

  test.each([400, 403])("%s means refused", async (status) => {
    fake.injectFault(/GET/, "receiving", { status, body: { name: "NO" } });
    expect(await failure(paypal.subscription("I-1"))).toMatchObject({ kind: "refused", status, reason: "NO" });
  });

  test("a call that hangs times out", async () => {
    fake.injectFault(/GET/, "receiving", "hang");
    const begin = performance.now();
    const error = await failure(open({ timeoutMs: 400 * TIMEOUT_FACTOR }).subscription("I-1"));
    expect(error).toMatchObject({ kind: "unavailable", status: null });
    expect(error.message).toContain("no answer in time");
    expect(performance.now() - begin).toBeLessThan(2_000 * TIMEOUT_FACTOR);
  });

  test("reports a cut connection and a missing server as unavailable", async () => {
    fake.injectFault(/GET/, "receiving", "cut");
    expect(await failure(paypal.subscription("I-1"))).toMatchObject({ kind: "unavailable", status: null });
    expect(await failure(open({ apiBase: "http://127.0.0.1:9" }).subscription("I-1"))).toMatchObject({
      kind: "unavailable",
    });
  });

  test.each([
    ["a page", { status: 200, body: "<html>" }],
    ["another shape", { status: 200, body: { id: 5 } }],
    ["nothing", { status: 204 }],
  ])("%s means unreadable", async (_, answer) => {
    fake.injectFault(/GET/, "receiving", answer);
    expect(await failure(paypal.subscription("I-1"))).toMatchObject({ kind: "unreadable" });
  });

  test("a redirect is not followed", async () => {
    const { id } = await created();
    const location = `${fake.url}/v1/billing/subscriptions/${id}`;
    fake.injectFault(/GET/, "receiving", { status: 302, headers: { location } });
    expect(await failure(paypal.subscription(id))).toMatchObject({ kind: "unavailable" });
  });

  test("an error names no person", async () => {
    const { id } = await created();
    const error = await failure(paypal.cancel(id, "x"));
    expect(`${error.message} ${error.stack} ${JSON.stringify(error)}`).not.toMatch(/comprador|@/);
    fake.injectFault(/GET/, "receiving", { status: 400, body: { name: "Buyer comprador@example.com" } });
    expect((await failure(paypal.subscription("I-1"))).reason).toBeNull();
  });
});

test("the list of events is read over all pages", async () => {
  const id = await approved();
  for (let n = 0; n < 700; n++) fake.events.push({ ...fake.events[0]!, id: `WH-OLD-${n}` });
  const found = await paypal.webhookEvents(new Date(Date.now() - 3_600_000), new Date(Date.now() + 1000));
  expect(found).toHaveLength(fake.events.length);
  expect(new Set(found.map((event) => event.id)).size).toBe(fake.events.length);
  const sold = found.find(
    (event) => event.event_type === "PAYMENT.SALE.COMPLETED" && event.resource.billing_agreement_id === id,
  );
  expect(sold).toBeDefined();
  fake.events.length = 0;
});
