import { randomBytes, randomUUID } from "node:crypto";
import type { FakeAnswer, FakeRequest } from "./fake-server.ts";
import type {
  Invoice,
  MercadopagoFakePayment,
  MercadopagoFakePreapproval,
  MercadopagoFakePreference,
  MercadopagoSimulation,
} from "./mercadopago.ts";

export const iso = (date: Date | null) => date?.toISOString().replace("Z", "+00:00") ?? null;

/** Converts a number to raw JSON, so that no digit is lost. */
const rawNumber = (digits: string): unknown => (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(digits);
const behaviorOf = (fake: MercadopagoSimulation, preapproval: string | null) =>
  fake.preapprovals.get(preapproval ?? "")?.behavior ?? fake;

const preferenceView = (fake: MercadopagoSimulation, one: MercadopagoFakePreference): Record<string, unknown> => ({
  id: one.id,
  init_point: `${fake.url}/mp/checkout?pref_id=${one.id}`,
});
const preapprovalView = (fake: MercadopagoSimulation, one: MercadopagoFakePreapproval): Record<string, unknown> => ({
  id: one.id,
  status: one.status,
  reason: one.reason,
  external_reference: one.external_reference,
  payer_id: 987654321,
  back_url: one.back_url,
  // MercadoPago's page does not exist with `activation`.
  init_point: `${fake.url}/mp/subscriptions/checkout?preapproval_id=${one.id}&activation=true`,
  date_created: iso(one.date_created),
  last_modified: iso(one.last_modified),
  ...(one.next_payment_date && { next_payment_date: iso(one.next_payment_date) }),
  auto_recurring: {
    frequency: 1,
    frequency_type: "months",
    transaction_amount: one.cents / 100,
    currency_id: one.currency,
  },
});
const paymentView = (fake: MercadopagoSimulation, one: MercadopagoFakePayment): Record<string, unknown> => ({
  id: rawNumber(one.id),
  status: one.status,
  status_detail: one.status_detail,
  external_reference: one.external_reference,
  transaction_amount: one.cents / 100,
  transaction_amount_refunded: fake.showsRefundedAmount ? one.refunded / 100 : 0,
  currency_id: one.currency,
  ...(fake.showsOperationType && { operation_type: one.operation_type }),
  payment_type_id: "credit_card",
  date_created: iso(one.date_created),
  date_approved: iso(one.date_approved),
  date_last_updated: iso(one.date_last_updated),
  payer: { id: "987654321", email: "comprador@example.com" },
  live_mode: false,
  metadata: one.preapproval
    ? {
        preapproval_id: behaviorOf(fake, one.preapproval).unknownPreapprovalInMetadata ? randomUUID() : one.preapproval,
      }
    : {},
  refunds: one.refunded && !fake.showsRefundedAmount ? [{ id: rawNumber(one.id), amount: one.refunded / 100 }] : [],
});
const invoiceView = (_fake: MercadopagoSimulation, one: Invoice): Record<string, unknown> => ({
  id: rawNumber(one.id),
  preapproval_id: one.preapproval,
  debit_date: iso(one.debit_date),
  payment: { id: rawNumber(one.payment.id) },
});

/** An error response. Its texts contain personal data, because MercadoPago's may. */
const refusal = (status: number, error: string, code?: string): FakeAnswer => ({
  status,
  headers: { "x-request-id": "fake-request-0001" },
  body: {
    status,
    error: code ?? error,
    message: "The payer comprador@example.com could not be served",
    // MercadoPago's error codes are numbers.
    cause: code ? [{ description: "comprador@example.com" }] : [],
  },
});
const found = (view: unknown): FakeAnswer => (view ? { status: 200, body: view } : refusal(404, "not_found"));

export async function mercadopagoCall(fake: MercadopagoSimulation, request: FakeRequest): Promise<FakeAnswer> {
  const { method, path, query, headers } = request;
  if (headers.authorization !== `Bearer ${fake.accessToken}`) return refusal(401, "unauthorized");
  const call = `${method} ${path}`;
  if (call === "POST /checkout/preferences") return createPreference(fake, request);
  if (call === "POST /preapproval") return createPreapproval(fake, request);
  return search(fake, path, query) ?? callAbout(fake, request);
}

function createPreference(fake: MercadopagoSimulation, { headers, body }: FakeRequest): FakeAnswer {
  const key = headers["x-idempotency-key"] as string | undefined;
  const replay = key && fake.replays.get(key);
  if (replay) return replay;
  const asked = JSON.parse(body);
  if (asked.auto_return && !asked.back_urls?.success) return refusal(400, "invalid_auto_return");
  const [item] = asked.items;
  const one: MercadopagoFakePreference = {
    id: `123456789-${randomUUID()}`,
    title: item.title,
    cents: Math.round(item.unit_price * item.quantity * 100),
    currency: item.currency_id,
    external_reference: asked.external_reference,
    back_urls: asked.back_urls ?? {},
    payments: [],
  };
  fake.preferences.set(one.id, one);
  const made = { status: 201, body: preferenceView(fake, one) };
  if (key) fake.replays.set(key, made);
  return made;
}

function createPreapproval(fake: MercadopagoSimulation, { body }: FakeRequest): FakeAnswer {
  const asked = JSON.parse(body);
  if (!asked.payer_email) return refusal(400, "bad_request", "payer_email_required");
  const one: MercadopagoFakePreapproval = {
    id: randomBytes(16).toString("hex"),
    reason: asked.reason,
    status: "pending",
    payer_email: asked.payer_email,
    back_url: asked.back_url,
    external_reference: asked.external_reference,
    cents: Math.round(asked.auto_recurring.transaction_amount * 100),
    currency: asked.auto_recurring.currency_id,
    date_created: fake.now(),
    last_modified: fake.now(),
    next_payment_date: null,
    payments: [],
  };
  fake.preapprovals.set(one.id, one);
  return { status: 201, body: preapprovalView(fake, one) };
}

/** Returns a page of the items that the search already finds, limited to the largest page size. */
function searchPage<Item>(
  fake: MercadopagoSimulation,
  found: { item: Item; since: Date; searchLag: number }[],
  query: URLSearchParams,
  view: (fake: MercadopagoSimulation, item: Item) => unknown,
): FakeAnswer {
  const shown = found.filter(({ since, searchLag }) => fake.now().getTime() - since.getTime() >= searchLag);
  const limit = Math.min(Number(query.get("limit") ?? fake.pageSize), fake.pageSize);
  const offset = Number(query.get("offset") ?? 0);
  const results = shown.slice(offset, offset + limit).map(({ item }) => view(fake, item));
  return { status: 200, body: { paging: { total: shown.length, limit, offset }, results } };
}

/** Responds to a search. @returns null if the path is not a search */
function search(fake: MercadopagoSimulation, path: string, query: URLSearchParams): FakeAnswer | null {
  if (path === "/v1/payments/search") {
    const reference = query.get("external_reference");
    const agreements = [...fake.preferences.values(), ...fake.preapprovals.values()];
    const of = agreements.flatMap(({ payments, behavior }) =>
      payments
        .filter((one) => one.external_reference === reference)
        .map((item) => ({ item, since: item.date_created, searchLag: (behavior ?? fake).searchLag })),
    );
    const sorted = query.get("sort") === "date_created" && query.get("criteria") === "desc" ? of.toReversed() : of;
    return searchPage(fake, sorted, query, paymentView);
  }
  if (path === fake.invoiceSearch) {
    const [id, preapproval] = [query.get("id"), query.get("preapproval_id")];
    // Oldest first. MercadoPago does not document the order.
    const of = [...fake.invoices.values()].filter((one) => (id ? one.id === id : one.preapproval === preapproval));
    return searchPage(
      fake,
      of.map((item) => ({ item, since: item.debit_date, searchLag: behaviorOf(fake, item.preapproval).searchLag })),
      query,
      invoiceView,
    );
  }
  return null;
}

async function callAbout(fake: MercadopagoSimulation, { method, path, body }: FakeRequest): Promise<FakeAnswer> {
  const [, kind = "", id = ""] =
    /^\/(preapproval|v1\/payments|authorized_payments|v1\/chargebacks)\/([^/]+)$/.exec(path) ?? [];
  if (kind === "preapproval" && method === "PUT") return changeStatus(fake, id, body);
  return method === "GET" ? found(viewOf(fake, kind, id)) : refusal(404, "not_found");
}

function viewOf(fake: MercadopagoSimulation, kind: string, id: string): unknown {
  const shown = <Value>(value: Value | undefined, view: (fake: MercadopagoSimulation, value: Value) => unknown) =>
    value && view(fake, value);
  const views: Record<string, () => unknown> = {
    preapproval: () => shown(isForgotten(fake, id) ? undefined : fake.preapprovals.get(id), preapprovalView),
    "v1/payments": () => shown(fake.payments.get(id), paymentView),
    authorized_payments: () => {
      const invoice = fake.invoices.get(id);
      return shown(invoice?.onlyInSearch ? undefined : invoice, invoiceView);
    },
    "v1/chargebacks": () =>
      shown(fake.chargebacks.get(id), (_, { id: payment }) => ({ id: rawNumber(id), payments: [rawNumber(payment)] })),
  };
  return views[kind]?.();
}

const isForgotten = (fake: MercadopagoSimulation, preapprovalId: string): boolean =>
  behaviorOf(fake, preapprovalId).forgetsCancelled && fake.preapprovals.get(preapprovalId)?.status === "cancelled";

async function changeStatus(fake: MercadopagoSimulation, id: string, body: string): Promise<FakeAnswer> {
  const one = fake.preapprovals.get(id);
  if (!one || isForgotten(fake, id)) return refusal(404, "not_found");
  const { status } = JSON.parse(body);
  if (one.status === "cancelled") return refusal(400, "bad_request", "invalid_transition");
  await fake.changePreapproval(one, { status });
  return { status: 200, body: preapprovalView(fake, one) };
}
