import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createMercadopago } from "#server/integrations/mercadopago-client.ts";
import { createPaypal } from "#server/integrations/paypal-client.ts";
import { HOUR } from "#shared/time.ts";
import { type FakeAnswer, type FakeRequest, startFakeServer } from "../fake-server.ts";
import { type MercadopagoFake, startMercadopagoFake } from "../mercadopago.ts";
import { type PaypalFake, startPaypalFake } from "../paypal.ts";
import { openContract } from "./contract.ts";
import { DEVIATIONS, UNDESCRIBED } from "./deviations.ts";

let paypal: PaypalFake;
let mercadopago: MercadopagoFake;
beforeAll(async () => {
  [paypal, mercadopago] = await Promise.all([startPaypalFake(), startMercadopagoFake()]);
});
afterAll(() => Promise.all([paypal.close(), mercadopago.close()]));

/** Makes every call of the PayPal client. */
async function everyPaypalCall() {
  const { url, clientId, clientSecret, webhookId } = paypal;
  const client = createPaypal({
    ...{ apiBase: url, clientId, clientSecret, webhookId },
    certificateOrigins: [url],
  });
  const [from, to] = [new Date(Date.now() - HOUR), new Date(Date.now() + HOUR)];
  const { id } = await client.createSubscription({
    ...{ id: crypto.randomUUID(), planId: paypal.environment.PAYPAL_PLAN_MONTHLY, brandName: "Diván" },
    ...{ returnUrl: "https://divan.example/a", cancelUrl: "https://divan.example/b" },
  });
  await client.subscription(id);
  await paypal.approve(id);
  await client.subscription(id);
  const [sold] = (await client.transactions(id, from, to)).items;
  await client.sale(sold!.id);
  const [disputed] = await paypal.dispute(sold!.id);
  const dispute = disputed!.resource.dispute_id as string;
  await client.dispute(dispute);
  await paypal.resolve(dispute, "SELLER");
  await client.dispute(dispute);
  await paypal.refund(sold!.id, 100);
  await client.sale(sold!.id);
  await client.cancel(id, "Porque sí");
  await client.cancel(id, "Porque sí");
  for (const unknown of [client.subscription("I-NOBODY"), client.sale("S-NOBODY"), client.dispute("PP-NOBODY")])
    expect(await unknown).toBeNull();
  const events = paypal.events.length;
  for (let n = 0; n < 300; n++) paypal.events.push(...paypal.events.slice(0, 1));
  expect(await client.webhookEvents(from, to)).toHaveLength(events + 300);
}

/** Makes every call of the MercadoPago client. */
async function everyMercadopagoCall() {
  const client = createMercadopago({ apiBase: mercadopago.url, accessToken: mercadopago.accessToken });
  const end = "https://divan.example/planes/fin";
  const asked = { id: crypto.randomUUID(), title: "Gold", amount: 499_900, currency: "ARS", returnUrl: end };
  const preference = await client.createPreference({ ...asked, expiresAt: new Date(Date.now() + HOUR) });
  const { payment } = await mercadopago.pay(preference.id);
  await client.payment(String(payment.id));
  const charged = await mercadopago.chargeBack(payment.id);
  await client.chargeback(charged.find(({ type }) => type === "topic_chargebacks_wh")!.id);
  await mercadopago.reimburse(payment.id);
  await client.payment(String(payment.id));
  const { id } = await client.createPreapproval({ ...asked, payerEmail: "a@mp.example" });
  await client.preapproval(id);
  await mercadopago.authorize(id);
  const { invoice } = await mercadopago.charge(id);
  await client.invoice(String(invoice.id));
  await client.newestInvoicesOf(id);
  await client.preapproval(id);
  await client.paymentsByReference(asked.id);
  for (const { id } of mercadopago.payments.values()) await client.payment(String(id));
  await client.cancelPreapproval(id);
  await client.cancelPreapproval(id);
  Object.assign(mercadopago.preapprovals.get(id)!, { status: "canceled" });
  await client.preapproval(id);
  await client.cancelPreapproval("nobody");
  for (const read of [client.payment, client.invoice, client.preapproval, client.chargeback])
    expect(await read("1")).toBeNull();
  const stranger = createMercadopago({ apiBase: mercadopago.url, accessToken: "wrong" });
  for (const read of [stranger.payment, stranger.preapproval, stranger.chargeback]) await read("1").catch(() => {});
}

test("uses only described or listed calls, and uses every described call and every listed deviation", async () => {
  await everyPaypalCall();
  await everyMercadopagoCall();
  for (const { contract } of [paypal, mercadopago]) expect(contract.takeViolations()).toEqual([]);
  const table = (["paypal", "mercadopago"] as const).flatMap((vendor) => {
    const { operations, counts, used } = { paypal, mercadopago }[vendor].contract;
    expect(operations.filter(({ call }) => !counts.described.has(call))).toEqual([]);
    expect(DEVIATIONS[vendor].filter((deviation) => !used.has(deviation))).toEqual([]);
    return [
      ...operations.map(({ call, operation }) => `${vendor}.json, ${operation.operationId}: ${call}`),
      ...UNDESCRIBED[vendor].map(({ call, reason }) => `not described: ${vendor} ${call.source} (${reason})`),
    ];
  });
  console.info(table.join("\n"));
});

describe("contract.check", () => {
  const preapproval = {
    ...{ id: "2c93", status: "pending", payer_id: 1, reason: "Mensual", init_point: "https://mp.example/pagar" },
    auto_recurring: { frequency: 1, frequency_type: "months", transaction_amount: 4999, currency_id: "ARS" },
  };
  const asked = { reason: "Mensual", payer_email: "a@mp.example", auto_recurring: preapproval.auto_recurring };
  const call = (method: string, address: string, body?: object, more: Record<string, string> = {}): FakeRequest => {
    const { pathname: path, searchParams: query } = new URL(address, "http://fake");
    const headers = { authorization: "Bearer x", ...(body && { "content-type": "application/json" }), ...more };
    return { method, path, query, headers, body: body ? JSON.stringify(body) : "" };
  };
  const search = "/v1/payments/search?sort=date_created&criteria=desc";
  const created = { status: 201, body: preapproval };
  const changed = (more: object): FakeAnswer => ({ status: 201, body: { ...preapproval, ...more } });
  const found = { status: 200, body: { results: [] } };

  test("reports no violation for a valid request and response", () => {
    const contract = openContract("mercadopago");
    expect(contract.check(call("POST", "/preapproval", asked), created)).toEqual([]);
    expect(contract.check(call("GET", `${search}&limit=10`), found)).toEqual([]);
    expect(contract.takeViolations()).toEqual([]);
  });

  test.each<[string, FakeRequest, FakeAnswer, string]>([
    [
      "a field of a request is misspelt",
      call("POST", "/preapproval", { ...asked, payer_mail: "" }),
      created,
      "payer_mail",
    ],
    ["a body is not JSON", { ...call("POST", "/preapproval", {}), body: "{" }, created, "SubscriptionRequest/type"],
    ["a call without a body has one", call("GET", search, asked), found, "searchPayments/requestBody"],
    ["a parameter is misspelt", call("GET", `${search}&external_referense=1`), found, "query/external_referense"],
    ["a required parameter is missing", call("GET", "/v1/payments/search?sort=id"), found, "query/criteria/required"],
    ["a parameter has another type", call("GET", `${search}&limit=ten`), found, "query/limit/type"],
    ["an id is not a number", call("GET", "/v1/payments/abc"), { status: 404, body: {} }, "path/id/type"],
    ["a header is unknown", call("GET", search, undefined, { "x-idempotensy": "1" }), found, "header/x-idempotensy"],
    ["the token is missing", call("GET", search, undefined, { authorization: "" }), found, "authorization"],
    ["a response has an unknown value", call("POST", "/preapproval", asked), changed({ status: "x" }), "status/enum"],
    ["a response has an undescribed status", call("POST", "/preapproval", asked), { status: 418 }, "status/418"],
    ["a call is not described", call("GET", "/v1/customers/5"), { status: 200 }, "neither described nor listed"],
    [
      "a deviation is larger than reported",
      call("POST", "/preapproval", asked),
      changed({ payer_email: "a" }),
      "format",
    ],
  ])("reports a violation if %s (%#)", (_what, request, answer, rule) => {
    const contract = openContract("mercadopago");
    expect(contract.check(request, answer).join("\n")).toContain(rule);
    expect(contract.takeViolations()).not.toEqual([]);
  });

  test("makes the fake respond 599 and throw when it is closed", async () => {
    const server = await startFakeServer(openContract("paypal"), () => ({ status: 200, body: { state: "sold" } }));
    const answer = await fetch(`${server.url}/v1/payments/sale/S-1`, { headers: { authorization: "Bearer x" } });
    expect(answer.status).toBe(599);
    expect(await answer.text()).toContain("sale/state/enum");
    await expect(server.close()).rejects.toThrow("sale/state/enum");
  });

  test("checks the request of an injected fault but not its response", async () => {
    const server = await startFakeServer(openContract("paypal"), () => ({ status: 200 }));
    server.injectFault(/GET/, "receiving", { status: 503 }, 2);
    const get = (path: string) => fetch(server.url + path, { headers: { authorization: "Bearer x" } });
    expect((await get("/v1/payments/sale/S-1")).status).toBe(503);
    expect(server.contract.violations).toEqual([]);
    await get("/v1/payments/sale/S-1?expand=1");
    expect(server.contract.takeViolations().join("\n")).toContain("sale.get/query/expand");
    await server.close();
  });
});
