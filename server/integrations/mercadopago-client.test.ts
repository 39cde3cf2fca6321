import { createHmac } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { WAIT_TIMEOUT_MS } from "#test/eventually.ts";
import { type MercadopagoFake, type MercadopagoWebhookOptions, startMercadopagoFake } from "#test/fakes/mercadopago.ts";
import { TIMEOUT_FACTOR } from "#test/full-run.ts";
import { failure } from "#test/provider-failure.ts";
import { createMercadopago, type Mercadopago } from "./mercadopago-client.ts";
import { isSigned } from "./mercadopago-signature.ts";

let fake: MercadopagoFake;
let mercadopago: Mercadopago;
beforeAll(async () => {
  fake = await startMercadopagoFake();
  mercadopago = open();
});
afterAll(() => fake.close());
afterEach(() => {
  fake.clearFaults();
  fake.chargeOverride = {};
  fake.unknownPreapprovalInMetadata = false;
  fake.invoiceSearch = "/authorized_payments/search";
  expect(fake.contract.takeViolations()).toEqual([]);
});

const open = (more: Partial<Parameters<typeof createMercadopago>[0]> = {}) =>
  createMercadopago({
    apiBase: fake.url,
    accessToken: fake.accessToken,
    timeoutMs: WAIT_TIMEOUT_MS,
    ...more,
  });

const preference = (more: Partial<Parameters<Mercadopago["createPreference"]>[0]> = {}) =>
  mercadopago.createPreference({
    title: "Una entrada",
    amount: 4_999_900,
    currency: "ARS",
    externalReference: "attempt-1",
    backUrls: { success: "https://a.example/s", failure: "https://a.example/f", pending: "https://a.example/p" },
    expiresAt: new Date("2026-11-22T00:00:00Z"),
    idempotencyKey: crypto.randomUUID(),
    ...more,
  });
const preapproval = () =>
  mercadopago.createPreapproval({
    reason: "Cada mes",
    externalReference: "attempt-2",
    payerEmail: "comprador@example.com",
    backUrl: "https://a.example/b",
    amount: 499_900,
    currency: "ARS",
  });

describe("a single payment", () => {
  test("creates one preference per key, for the price to the cent", async () => {
    const idempotencyKey = crypto.randomUUID();
    const first = await preference({ idempotencyKey, amount: 4_999_999 });
    expect(first.initPoint).toContain(first.id);
    const sent = JSON.parse(fake.requests.at(-1)!.body);
    expect(sent).toMatchObject({
      items: [{ title: "Una entrada", quantity: 1, unit_price: 49_999.99, currency_id: "ARS" }],
      external_reference: "attempt-1",
      auto_return: "approved",
      expires: true,
      expiration_date_to: "2026-11-22T00:00:00.000+00:00",
    });
    expect(await preference({ idempotencyKey })).toEqual(first);
    expect((await preference()).id).not.toBe(first.id);
  });

  test("finds a payment by its id, by our reference and by its order", async () => {
    const { id } = await preference({ externalReference: "attempt-3" });
    expect((await mercadopago.paymentsByReference("attempt-3")).payments).toEqual([]);
    await fake.pay(id, "rejected");
    const { payment } = await fake.pay(id);
    const read = await mercadopago.payment(String(payment.id));
    expect(read).toMatchObject({
      id: String(payment.id),
      status: "approved",
      amount: 4_999_900,
      amountRefunded: 0,
      currency: "ARS",
      externalReference: "attempt-3",
      operationType: "regular_payment",
      preapprovalId: null,
      merchantOrderId: String(payment.order),
      dateApproved: expect.any(Date),
    });
    const both = (await mercadopago.paymentsByReference("attempt-3")).payments;
    expect(both.map(({ status }) => status)).toEqual(["approved", "rejected"]);
    const order = await mercadopago.merchantOrder(String(payment.order));
    expect(order).toMatchObject({ preferenceId: id, externalReference: "attempt-3" });
    expect(order!.paymentIds).toContain(String(payment.id));
  });

  test("shows a payment that was refunded in part, in full, or charged back", async () => {
    const { id } = await preference();
    const { payment } = await fake.pay(id);
    const read = () => mercadopago.payment(String(payment.id));
    await fake.refund(payment.id, 1_000_010);
    expect(await read()).toMatchObject({ status: "approved", amountRefunded: 1_000_010 });
    await fake.refund(payment.id);
    expect(await read()).toMatchObject({ status: "refunded", amountRefunded: 4_999_900 });
    const webhooks = await fake.chargeBack(payment.id);
    const { id: chargeback } = webhooks.find(({ type }) => type === "topic_chargebacks_wh")!;
    expect(await mercadopago.chargeback(chargeback)).toMatchObject({ paymentIds: [String(payment.id)] });
    expect(await read()).toMatchObject({ status: "charged_back" });
  });
});

describe("a subscription", () => {
  test("authorizes a subscription, charges it and finds each charge", async () => {
    const { id, initPoint } = await preapproval();
    expect(initPoint).toContain(id);
    expect(JSON.parse(fake.requests.at(-1)!.body).auto_recurring).toEqual({
      frequency: 1,
      frequency_type: "months",
      transaction_amount: 4999,
      currency_id: "ARS",
    });
    expect(await mercadopago.preapproval(id)).toMatchObject({
      status: "pending",
      externalReference: "attempt-2",
      amount: 499_900,
      currency: "ARS",
      nextPaymentDate: null,
    });
    await fake.authorize(id);
    expect(await mercadopago.preapproval(id)).toMatchObject({
      status: "authorized",
      nextPaymentDate: expect.any(Date),
    });
    expect(await mercadopago.newestInvoicesOf(id)).toEqual([]);
    const { payment, invoice } = await fake.charge(id);
    const expected = {
      id: String(invoice.id),
      preapprovalId: id,
      paymentId: String(payment.id),
    };
    expect(await mercadopago.invoice(String(invoice.id))).toMatchObject(expected);
    expect(await mercadopago.newestInvoicesOf(id)).toMatchObject([expected]);
    fake.invoiceSearch = "/authorized_payments";
    expect(await mercadopago.newestInvoicesOf(id)).toMatchObject([expected]);
    expect(await mercadopago.payment(String(payment.id))).toMatchObject({
      operationType: "recurring_payment",
      externalReference: "attempt-2",
      preapprovalId: id,
    });
  });

  test("cancels a subscription, a second time without error", async () => {
    const { id } = await preapproval();
    await mercadopago.cancelPreapproval(id);
    expect(await mercadopago.preapproval(id)).toMatchObject({ status: "cancelled" });
    await mercadopago.cancelPreapproval(id);
    await mercadopago.cancelPreapproval("nobody");
  });

  test("reports no cancellation before MercadoPago shows it", async () => {
    const { id } = await preapproval();
    fake.injectFault(/^PUT/, "receiving", { status: 200, body: {} });
    expect(await failure(mercadopago.cancelPreapproval(id))).toMatchObject({ kind: "unavailable" });
    fake.injectFault(/^PUT/, "receiving", { status: 400, body: {} });
    expect(await failure(mercadopago.cancelPreapproval(id))).toMatchObject({ kind: "refused", status: 400 });
  });

  test("reads the spelling canceled as cancelled", async () => {
    const { id } = await preapproval();
    Object.assign(fake.preapprovals.get(id)!, { status: "canceled" });
    expect((await mercadopago.preapproval(id))?.status).toBe("cancelled");
  });
});

test("returns null if MercadoPago does not know the id", async () => {
  const { payment, invoice, preapproval, merchantOrder, chargeback } = mercadopago;
  for (const read of [payment, invoice, preapproval, merchantOrder, chargeback]) expect(await read("1")).toBeNull();
});

describe("what can go wrong", () => {
  test.each([500, 503, 429, 408])("%s means unavailable", async (status) => {
    fake.injectFault(/GET/, "receiving", { status, body: { error: "internal" } });
    expect(await failure(mercadopago.payment("1"))).toMatchObject({ kind: "unavailable", status, reason: "internal" });
  });

  test("reports 400 and 401 as refused, with the code and the number of the call", async () => {
    fake.contract.brokenOnPurpose = true;
    const refused = await failure(mercadopago.createPreapproval({ ...(await given()), payerEmail: "" }));
    expect(refused).toMatchObject({
      kind: "refused",
      status: 400,
      reason: "payer_email_required",
      debugId: "fake-request-0001",
    });
    expect(`${refused.message} ${refused.stack} ${JSON.stringify(refused)}`).not.toMatch(/comprador|@/);
    expect(await failure(open({ accessToken: "wrong" }).payment("1"))).toMatchObject({ kind: "refused", status: 401 });
  });
  const given = async () => ({ reason: "r", externalReference: "e", backUrl: "b", amount: 100, currency: "ARS" });

  test.each(["hang", "cut"] as const)("a call with the fault %s means unavailable in time", async (what) => {
    fake.injectFault(/GET/, "receiving", what);
    const impatient = open({ timeoutMs: 400 * TIMEOUT_FACTOR });
    expect(await failure(impatient.payment("1"))).toMatchObject({ kind: "unavailable", status: null });
  });

  test("finds with the same key what MercadoPago created before a lost response", async () => {
    fake.injectFault(/preferences/, "answering", "cut");
    const before = fake.preferences.size;
    const idempotencyKey = crypto.randomUUID();
    expect(await failure(preference({ idempotencyKey }))).toMatchObject({ kind: "unavailable" });
    await preference({ idempotencyKey });
    expect(fake.preferences.size).toBe(before + 1);
  });

  test.each([
    ["a page", { status: 200, body: "<html>" }],
    ["another shape", { status: 200, body: { id: 1, status: 5 } }],
    [
      "a fraction of a cent",
      { status: 200, body: { id: 1, status: "approved", transaction_amount: 1.001, currency_id: "ARS" } },
    ],
  ])("%s means unreadable", async (_, answer) => {
    fake.injectFault(/GET/, "receiving", answer);
    expect(await failure(mercadopago.payment("1"))).toMatchObject({ kind: "unreadable" });
  });
});

describe("a webhook event", () => {
  const verify = (id: string, options: MercadopagoWebhookOptions = {}) => {
    fake.webhookUrl = "https://a.example/n?source_news=webhooks";
    const { url, headers } = fake.signed(fake.webhook("payment", id), options);
    return isSigned(fake.webhookSecret, {
      signature: headers["x-signature"] ?? null,
      requestId: headers["x-request-id"] ?? null,
      dataId: new URL(url).searchParams.get("data.id"),
    });
  };

  test.each([{}, { ts: "s" }, { noRequestId: true }, { mutate: () => "anything" }] as MercadopagoWebhookOptions[])(
    "accepts a request that MercadoPago signed: %o",
    (options) => {
      expect(verify("123456", options)).toBe(true);
    },
  );

  test("accepts an id in capitals, signed in either case", () => {
    expect(verify("2c9380ab", { upperCase: true, signed: "lower case" })).toBe(true);
    expect(verify("2c9380ab", { upperCase: true, signed: "as sent" })).toBe(true);
  });

  test.each([
    { forged: "secret" },
    { forged: "missing" },
    { forged: "id" },
    { forged: "nonsense" },
    { legacy: "unsigned" },
  ] as MercadopagoWebhookOptions[])("rejects a request that is not signed for this id: %o", (options) => {
    expect(verify("123456", options)).toBe(false);
  });

  test("accepts a signature without the parts that are missing", () => {
    const v1 = createHmac("sha256", fake.webhookSecret).update("ts:1;").digest("hex");
    const none = { requestId: null, dataId: null };
    expect(isSigned(fake.webhookSecret, { ...none, signature: `ts=1,v1=${v1}` })).toBe(true);
    expect(isSigned(fake.webhookSecret, { ...none, signature: ` ts = 1 , v1 = ${v1.toUpperCase()} ` })).toBe(true);
    for (const signature of [`v1=${v1}`, `ts=1`, `ts=1,v1=${v1}00`, `ts=1,v1=zz${v1.slice(2)}`, `ts=1;,v1=${v1}`, ""])
      expect(isSigned(fake.webhookSecret, { ...none, signature })).toBe(false);
  });
});
