import { createHmac } from "node:crypto";
import { inspect } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { WAIT_TIMEOUT_MS } from "#test/eventually.ts";
import { type MercadopagoFake, startMercadopagoFake } from "#test/fakes/mercadopago.ts";
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
});

const open = (more: Partial<Parameters<typeof createMercadopago>[0]> = {}) =>
  createMercadopago({
    apiBase: fake.url,
    accessToken: fake.accessToken,
    timeoutMs: WAIT_TIMEOUT_MS,
    ...more,
  });

const asked = { currency: "ARS", returnUrl: "https://a.example/b" };
const preference = (id: string, amount = 4_999_900) =>
  mercadopago.createPreference({
    ...{ ...asked, id, title: "Una entrada", amount },
    expiresAt: new Date("2026-11-22T00:00:00Z"),
  });
const preapproval = (payerEmail = "comprador@example.com") =>
  mercadopago.createPreapproval({ ...asked, id: "attempt-2", title: "Cada mes", amount: 499_900, payerEmail });

describe("a single payment", () => {
  test("creates one preference per checkout, for the price to the cent", async () => {
    const checkout = crypto.randomUUID();
    const first = await preference(checkout, 4_999_999);
    expect(first.init_point).toContain(first.id);
    const sent = JSON.parse(fake.requests.at(-1)!.body);
    expect(sent).toMatchObject({
      items: [{ title: "Una entrada", quantity: 1, unit_price: 49_999.99, currency_id: "ARS" }],
      external_reference: checkout,
      auto_return: "approved",
      expires: true,
      expiration_date_to: "2026-11-22T00:00:00.000+00:00",
    });
    expect(await preference(checkout)).toEqual(first);
    expect((await preference(crypto.randomUUID())).id).not.toBe(first.id);
  });

  test("finds a payment by its id and by our reference", async () => {
    const checkout = crypto.randomUUID();
    const { id } = await preference(checkout);
    expect((await mercadopago.paymentsByReference(checkout)).payments).toEqual([]);
    // More than a page of the search.
    for (let times = 0; times < 11; times++) await fake.pay(id, "rejected");
    const { payment } = await fake.pay(id);
    const read = await mercadopago.payment(String(payment.id));
    expect(read).toMatchObject({
      id: String(payment.id),
      status: "approved",
      transaction_amount: 4_999_900,
      transaction_amount_refunded: 0,
      currency_id: "ARS",
      external_reference: checkout,
      operation_type: "regular_payment",
      date_approved: expect.any(Date),
    });
    const all = (await mercadopago.paymentsByReference(checkout)).payments;
    expect(all.map(({ status }) => status)).toEqual(["approved", ...Array(11).fill("rejected")]);
  });
});

describe("a subscription", () => {
  test("creates a monthly subscription and finds its charges at both paths", async () => {
    const { id, init_point } = await preapproval();
    expect(init_point).toContain(id);
    expect(JSON.parse(fake.requests.at(-1)!.body).auto_recurring).toEqual({
      frequency: 1,
      frequency_type: "months",
      transaction_amount: 4999,
      currency_id: "ARS",
    });
    expect(await mercadopago.preapproval(id)).toMatchObject({
      status: "pending",
      external_reference: "attempt-2",
      auto_recurring: { amount: 499_900, currency: "ARS" },
      next_payment_date: null,
    });
    await fake.authorize(id);
    const { payment, invoice } = await fake.charge(id);
    const expected = {
      id: String(invoice.id),
      preapproval_id: id,
      payment: { id: String(payment.id) },
    };
    expect(await mercadopago.invoice(String(invoice.id))).toMatchObject(expected);
    for (const path of ["/authorized_payments/search", "/authorized_payments"] as const) {
      fake.invoiceSearch = path;
      expect(await mercadopago.newestInvoicesOf(id)).toMatchObject([expected]);
    }
    const results = [{ id: 1, preapproval_id: "another", payment: { id: 2 } }];
    fake.injectFault(/authorized_payments/, "receiving", { status: 200, body: { results } });
    expect(await mercadopago.newestInvoicesOf(id)).toEqual([]);
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
    await expect(mercadopago.cancelPreapproval(id)).rejects.toMatchObject({ kind: "unavailable" });
    fake.injectFault(/^PUT/, "receiving", { status: 400, body: {} });
    await expect(mercadopago.cancelPreapproval(id)).rejects.toMatchObject({ kind: "refused", status: 400 });
  });

  test("reads a preapproval with malformed fields that are not needed", async () => {
    const { id } = await preapproval();
    const body = {
      ...{ id, status: "canceled", external_reference: "attempt-2", next_payment_date: "mañana" },
      ...{ last_modified: 20270101, auto_recurring: { transaction_amount: "caro", currency_id: null } },
    };
    fake.injectFault(/^GET/, "receiving", { status: 200, body });
    const absent = { next_payment_date: null, last_modified: null, auto_recurring: null };
    // Both spellings occur.
    expect(await mercadopago.preapproval(id)).toMatchObject({ status: "cancelled", ...absent });
  });

  test("counts payments that cannot be read, and reads amounts as text and empty refunds", async () => {
    const line = { id: 7, status: "approved", transaction_amount: "4999.00", currency_id: "ARS" };
    const results = [
      { ...line, external_reference: "attempt-2", transaction_amount_refunded: "", date_created: null, metadata: 7 },
      // MercadoPago may ignore a parameter of the search.
      { ...line, id: 8, external_reference: "attempt-9" },
      { ...line, transaction_amount: null },
      { ...line, currency_id: undefined },
      null,
    ];
    fake.injectFault(/search/, "receiving", { status: 200, body: { paging: null, results } });
    expect(await mercadopago.paymentsByReference("attempt-2")).toMatchObject({
      payments: [{ id: "7", transaction_amount: 499_900, transaction_amount_refunded: null, date_created: null }],
      unreadable: 3,
    });
  });
});

test("reports 400 and 401 as refused, with the code and the number of the call", async () => {
  const body = { error: "payer_email_required", message: "comprador@example.com", cause: [] };
  fake.injectFault(/POST/, "receiving", { status: 400, body, headers: { "x-request-id": "fake-request-0001" } });
  const refused = await preapproval().catch((error: Error) => error);
  expect(refused).toMatchObject({
    kind: "refused",
    status: 400,
    reason: "payer_email_required",
    debugId: "fake-request-0001",
  });
  expect(`${inspect(refused)} ${JSON.stringify(refused)}`).not.toMatch(/comprador|@/);
  await expect(open({ accessToken: "wrong" }).payment("1")).rejects.toMatchObject({ kind: "refused", status: 401 });
});

describe("isSigned", () => {
  const v1Of = (manifest: string) => createHmac("sha256", "secret").update(manifest).digest("hex");
  const sent = { requestId: "R-1", dataId: "2C9380AB" };
  test.each([
    ["the id in lower case", "id:2c9380ab;request-id:R-1;ts:1;", sent],
    ["the id as sent", "id:2C9380AB;request-id:R-1;ts:1;", sent],
    ["an id without a request", "id:2c9380ab;ts:1;", { ...sent, requestId: null }],
    ["neither", "ts:1;", { requestId: null, dataId: null }],
  ])("accepts only a whole signature of %s", (_what, manifest, parts) => {
    const v1 = v1Of(manifest);
    const accepts = (signature: string) => isSigned("secret", { ...parts, signature });
    for (const signature of [`ts=1,v1=${v1}`, ` ts = 1 , v1 = ${v1.toUpperCase()} `])
      expect(accepts(signature)).toBe(true);
    for (const signature of [`v1=${v1}`, "ts=1", `ts=1,v1=${v1}00`, `ts=1,v1=zz${v1.slice(2)}`, `ts=1;,v1=${v1}`, ""])
      expect(accepts(signature)).toBe(false);
    expect(accepts(`ts=2,v1=${v1}`)).toBe(false);
  });

  test("accepts a time in milliseconds", () => {
    const ts = "1767225600000";
    const signature = `ts=${ts},v1=${v1Of(`id:1;request-id:R-1;ts:${ts};`)}`;
    expect(isSigned("secret", { ...sent, dataId: "1", signature })).toBe(true);
    expect(isSigned("secret", { ...sent, dataId: "2", signature })).toBe(false);
  });
});
