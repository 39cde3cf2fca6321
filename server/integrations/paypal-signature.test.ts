import { describe, expect, test, vi } from "vitest";
import type { PaypalWebhookOptions } from "#test/fakes/paypal.ts";
import { testCertificate } from "#test/fakes/paypal-certificates.ts";
import { fake, open, openAgain, paypal, withPaypalClient } from "#test/paypal-client.ts";
import { failure } from "#test/provider-failure.ts";
import { readPaypalEvent } from "./paypal-schemas.ts";

withPaypalClient();

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
      expect(await failure(verify({}, fresh))).toMatchObject({ kind: "unavailable" });
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
