import { inspect } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { WAIT_TIMEOUT_MS } from "#test/eventually.ts";
import { type PaypalFake, type PaypalWebhookOptions, startPaypalFake } from "#test/fakes/paypal.ts";
import { testCertificate } from "#test/fakes/paypal-certificates.ts";
import { TIMEOUT_FACTOR } from "#test/full-run.ts";
import { createPaypal, type Paypal } from "./paypal-client.ts";
import { readPaypalEvent } from "./paypal-schemas.ts";
import { ProviderError } from "./provider-error.ts";

let fake: PaypalFake;
let paypal: Paypal;

const open = (more: Partial<Parameters<typeof createPaypal>[0]> = {}) =>
  createPaypal({
    apiBase: fake.url,
    clientId: fake.clientId,
    clientSecret: fake.clientSecret,
    webhookId: fake.webhookId,
    timeoutMs: WAIT_TIMEOUT_MS,
    ...more,
  });

/** Replaces the client, so that its token and certificates are not cached. */
function openAgain(): void {
  paypal = open();
}

beforeAll(async () => {
  fake = await startPaypalFake();
  openAgain();
});
afterAll(() => fake.close());
afterEach(() => {
  fake.clearFaults();
  fake.lag = 0;
  fake.tokenSeconds = 32_400;
  vi.useRealTimers();
  vi.restoreAllMocks();
});

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

  test("counts a payment without a readable time or amount, and reads a subscription with malformed fields", async () => {
    const money = (value: string) => ({ amount_with_breakdown: { gross_amount: { currency_code: "USD", value } } });
    const line = { id: "S", status: "COMPLETED", ...money("4.99") };
    const late = { ...line, time: new Date(0), ...money("4.995") };
    const transactions = [{ ...line, time: null }, { ...line, time: "" }, line, late];
    fake.injectFault(/transactions/, "receiving", { status: 200, body: { transactions } });
    expect(await paypal.transactions("I-1", new Date(0), new Date())).toEqual({ items: [], unreadable: 4 });
    const last_payment = { amount: { currency_code: "USD", value: "4,99" }, time: new Date(0) };
    for (const [billing_info, read] of [
      [7, null],
      [{ last_payment }, { last_payment: null, next_billing_time: null }],
    ]) {
      const body = { id: "I-1", status: "ACTIVE", status_update_time: 20270101, create_time: "ayer", billing_info };
      fake.injectFault(/^GET/, "receiving", { status: 200, body });
      const absent = { status_update_time: null, create_time: null, billing_info: read };
      expect(await paypal.subscription("I-1")).toMatchObject({ status: "ACTIVE", ...absent });
    }
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
    await expect(paypal.cancel(pending, "x")).rejects.toMatchObject({
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
    await expect(paypal.subscription(id)).rejects.toMatchObject({ kind: "refused", status: 401 });
  });

  test("requests the token again after a failed request", async () => {
    openAgain();
    fake.injectFault(/oauth2/, "receiving", { status: 503, body: "" });
    await expect(paypal.subscription("I-NOBODY")).rejects.toMatchObject({ kind: "unavailable", status: 503 });
    expect(await paypal.subscription("I-NOBODY")).toBeNull();
  });

  test("rejects wrong credentials", async () => {
    const error = { kind: "refused", status: 401, reason: "invalid_client" };
    await expect(open({ clientSecret: "wrong" }).subscription("I-1")).rejects.toMatchObject(error);
  });
});

describe("what can go wrong", () => {
  test.each([
    [500, "unavailable"],
    [429, "unavailable"],
    [408, "unavailable"],
    [400, "refused"],
    [403, "refused"],
  ])("%i means %s", async (status, kind) => {
    const body = { name: "INTERNAL", details: "comprador@example.com" };
    fake.injectFault(/GET/, "receiving", { status, body });
    await expect(paypal.subscription("I-1")).rejects.toMatchObject({ kind, status, reason: "INTERNAL" });
    expect(await paypal.subscription("I-1")).toBeNull();
  });

  test("a call that hangs times out", async () => {
    fake.injectFault(/GET/, "receiving", "hang");
    const begin = performance.now();
    const error = { kind: "unavailable", status: null, message: expect.stringContaining("no answer in time") };
    await expect(open({ timeoutMs: 400 * TIMEOUT_FACTOR }).subscription("I-1")).rejects.toMatchObject(error);
    expect(performance.now() - begin).toBeLessThan(2_000 * TIMEOUT_FACTOR);
  });

  test("reports a cut connection and a missing server as unavailable", async () => {
    fake.injectFault(/GET/, "receiving", "cut");
    await expect(paypal.subscription("I-1")).rejects.toMatchObject({ kind: "unavailable", status: null });
    await expect(open({ apiBase: "http://127.0.0.1:9" }).subscription("I-1")).rejects.toMatchObject({
      kind: "unavailable",
    });
  });

  test.each([
    ["a page", { status: 200, body: "<html>" }],
    ["another shape", { status: 200, body: { id: 5 } }],
    ["nothing", { status: 204 }],
  ])("%s means unreadable", async (_, answer) => {
    fake.injectFault(/GET/, "receiving", answer);
    await expect(paypal.subscription("I-1")).rejects.toMatchObject({ kind: "unreadable" });
  });

  test("a redirect is not followed", async () => {
    const { id } = await created();
    const location = `${fake.url}/v1/billing/subscriptions/${id}`;
    fake.injectFault(/GET/, "receiving", { status: 302, headers: { location } });
    await expect(paypal.subscription(id)).rejects.toMatchObject({ kind: "unavailable" });
  });

  test("an error names no person", async () => {
    const { id } = await created();
    const error = await paypal.cancel(id, "x").catch((error: Error) => error);
    expect(error).toBeInstanceOf(ProviderError);
    expect(`${inspect(error)} ${JSON.stringify(error)}`).not.toMatch(/comprador|@/);
    fake.injectFault(/GET/, "receiving", { status: 400, body: { name: "Buyer comprador@example.com" } });
    await expect(paypal.subscription("I-1")).rejects.toMatchObject({ status: 400, reason: null });
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

describe("a webhook event", () => {
  const event = () => fake.event("PAYMENT.SALE.COMPLETED", { id: "S1", amount: { total: "4.0", currency: "USD" } });
  const verify = (options: PaypalWebhookOptions = {}, client = paypal) => {
    const { headers, body } = fake.signed(event(), options);
    return client.verifyWebhook(new Headers(headers), Buffer.from(body));
  };
  const certificateCalls = () => fake.calls.filter((call) => call.includes("/certs/")).length;

  test("accepts a webhook event that PayPal signed, and reads its certificate once", async () => {
    openAgain();
    fake.calls.length = 0;
    expect(await Promise.all([verify(), verify(), verify()])).toEqual([true, true, true]);
    expect(certificateCalls()).toBe(1);
  });

  test.each(["key", "webhook id", "algorithm", "missing"] as const)(
    "rejects a webhook event with a wrong %s",
    async (forged) => {
      expect(await verify({ forged })).toBe(false);
    },
  );

  test.each(["expired", "misnamed", "moved", "gone", "nonsense"] as const)(
    "rejects a webhook event with a certificate that is %s",
    async (certificate) => {
      expect(await verify({ certificate })).toBe(false);
    },
  );

  test("rejects changed bytes, even a single space", async () => {
    expect(await verify({ mutate: (body) => body.replace("4.0", "9.0") })).toBe(false);
    expect(await verify({ mutate: (body) => `${body} ` })).toBe(false);
    expect(await verify({ mutate: (body) => JSON.stringify(JSON.parse(body), null, 1) })).toBe(false);
  });

  /** Verifies an event with a URL of its certificate, as in production. @returns the result and the called URLs */
  const verifyNaming = async (address: string) => {
    const called: string[] = [];
    const { fetch } = globalThis;
    vi.spyOn(globalThis, "fetch").mockImplementation((url) => {
      called.push(String(url));
      return fetch(`${fake.url}/v1/notifications/certs/good`);
    });
    const { headers, body } = fake.signed(event());
    headers["paypal-cert-url"] = address;
    return [await open().verifyWebhook(new Headers(headers), Buffer.from(body)), called];
  };

  test.each([
    "http://api.paypal.com/v1/notifications/certs/CERT-1",
    "https://api.paypal.com.evil.example/v1/notifications/certs/CERT-1",
    "https://user@api.paypal.com/v1/notifications/certs/CERT-1",
    "https://api.paypal.com:8443/v1/notifications/certs/CERT-1",
    "https://api.paypal.com/v1/notifications/certs/../../../x",
    "https://api.paypal.com/v1/notifications/certs/CERT-1?to=evil",
    "certificate",
  ])("naming the certificate %s makes no call", async (address) => {
    expect(await verifyNaming(address)).toEqual([false, []]);
  });

  test.each(["api.paypal.com", "api-m.paypal.com", "api.sandbox.paypal.com", "api-m.sandbox.paypal.com"])(
    "accepts a certificate URL of %s, which is read over https",
    async (host) => {
      const address = `https://${host}/v1/notifications/certs/CERT-1`;
      expect(await verifyNaming(address)).toEqual([true, [address]]);
    },
  );

  test("asks for the event again while its certificate cannot be read", async () => {
    for (const what of [{ status: 503 }, "hang", "cut"] as const) {
      const fresh = open(what === "hang" ? { timeoutMs: 2_000 } : {});
      fake.injectFault(/certs/, "receiving", what);
      await expect(verify({}, fresh)).rejects.toMatchObject({ kind: "unavailable" });
      expect(await verify({}, fresh)).toBe(true);
    }
  });

  test("rejects a webhook event with a certificate of more than 64 KB", async () => {
    const body = testCertificate("good").pem.padEnd(65_537);
    fake.injectFault(/certs/, "receiving", { status: 200, body });
    expect(await verify({}, open())).toBe(false);
  });

  test("rejects the event once a cached certificate has expired", async () => {
    expect(await verify()).toBe(true);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 400 * 86_400_000 });
    expect(await verify()).toBe(false);
  });

  test("parses the body as far as possible", () => {
    const read = (text: string) => readPaypalEvent(Buffer.from(text));
    expect(read(JSON.stringify({ id: "WH-1", event_type: "A.B", resource: { id: 1 } }))).toEqual({
      id: "WH-1",
      event_type: "A.B",
      create_time: null,
      resource: { id: 1 },
    });
    for (const text of ["", "{", "[]", "null", '{"id":"","event_type":"A"}', '{"event_type":"A"}', '"text"'])
      expect(read(text)).toBeNull();
  });
});
