/** MercadoPago's responses about the subscriptions of histories, passed to our client without HTTP. */
import {
  answer,
  hasMalformedField,
  isForgotten,
  isFound,
  isRefused,
  open,
  type ProviderSimulation,
  type Sale,
  type SimulatedSubscription,
  saleBy,
  show,
  showGone,
  showSale,
  TOO_MANY,
} from "./provider-simulation.ts";

/** Maximum number of results on a page of a search. */
const PAGE = 10;
const ANOTHER = "11111111-1111-4111-8111-111111111111";

/** A date in the format of MercadoPago's samples. */
const iso = (at: number) => new Date(at).toISOString().replace("Z", "+00:00");
/** Converts a number to raw JSON, so that no digit is lost. */
const digits = (text: string): unknown => (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(text);
const notFound = () => answer(404, { error: "not_found" });

function statusOf({ status, dispute, reimbursed }: Sale): string {
  if (status === "failed") return "rejected";
  if (status === "refunded") return "refunded";
  if (status === "reversed" || reimbursed) return "charged_back";
  return dispute?.state === "open" ? "in_mediation" : "approved";
}

function paymentView(world: ProviderSimulation, truth: SimulatedSubscription, sale: Sale) {
  const { quirks, met, plan } = truth;
  showSale(truth, sale, sale.dispute);
  if (quirks.longIds) met.add("MercadoPago: ids of 17 digits");
  if (sale.reimbursed) met.add("MercadoPago: chargeback won");
  if (plan === "monthly" && quirks.metadataNamesAnother) met.add("MercadoPago: metadata names another");
  if (plan === "monthly" && !quirks.inherits) met.add("MercadoPago: charges without reference");
  const named = quirks.metadataNamesAnother ? ANOTHER : truth.id;
  return {
    id: digits(sale.id),
    status: statusOf(sale),
    status_detail: sale.reimbursed ? "reimbursed" : "accredited",
    external_reference: referenceOf(truth),
    transaction_amount: sale.amount / 100,
    transaction_amount_refunded: sale.refunded / 100,
    currency_id: truth.price.currency,
    operation_type: plan === "monthly" ? "recurring_payment" : "regular_payment",
    date_created: iso(sale.at),
    date_approved: sale.status === "failed" ? null : iso(sale.at),
    date_last_updated: iso(sale.updated),
    metadata: hasMalformedField(world, truth, "optional") ? 7 : plan === "monthly" ? { preapproval_id: named } : {},
    order: plan === "lifetime" ? { id: sale.invoice } : {},
  };
}

/** Returns the external reference of a charge: usually the checkout, or null if charges do not inherit it. */
function referenceOf({ plan, quirks, checkout }: SimulatedSubscription): string | null {
  if (plan === "monthly" && !quirks.inherits) return null;
  return plan === "monthly" && quirks.wrong === "owner" ? ANOTHER : checkout;
}

const STATES = {
  pending: "pending",
  active: "authorized",
  suspended: "paused",
  cancelled: "cancelled",
  expired: "cancelled",
};

function preapprovalView(world: ProviderSimulation, truth: SimulatedSubscription) {
  const { quirks, met } = truth;
  show(truth);
  const strange = hasMalformedField(world, truth, "optional");
  if (strange) met.add("an optional field strange");
  if (quirks.wrong && truth.state !== "pending") met.add(`mismatch: ${quirks.wrong}`);
  const amount = truth.price.amount - (quirks.wrong === "less" ? 100 : 0);
  return {
    id: truth.id,
    status: STATES[truth.state],
    external_reference: quirks.wrong === "owner" ? ANOTHER : truth.checkout,
    init_point: null,
    next_payment_date: truth.next ? iso(truth.next) : null,
    date_created: iso(truth.begun),
    last_modified: strange ? 20_270_101 : iso(truth.updated),
    // If the amount is unreadable, only the first charge reveals a wrong amount.
    auto_recurring:
      strange && !quirks.wrong ? "caro" : { transaction_amount: amount / 100, currency_id: truth.price.currency },
  };
}

/** Returns a page of the payments that the search already finds. */
function page(
  world: ProviderSimulation,
  found: { truth: SimulatedSubscription; sale: Sale }[],
  url: URL,
  view: typeof invoiceView,
) {
  const shown = found.filter(({ truth, sale }) => isFound(world, truth, sale));
  for (const { truth, sale } of found) if (!isFound(world, truth, sale)) truth.met.add("MercadoPago: search lags");
  if (shown.length > PAGE) for (const { truth } of shown) truth.met.add("MercadoPago: more charges than a page");
  const offset = Number(url.searchParams.get("offset") ?? 0);
  const limit = Math.min(PAGE, Number(url.searchParams.get("limit") ?? PAGE));
  const results = shown.slice(offset, offset + limit).map(({ truth, sale }) => view(world, truth, sale));
  return answer(200, { paging: { total: shown.length, limit, offset }, results });
}

const invoiceView = (_world: ProviderSimulation, truth: SimulatedSubscription, sale: Sale): unknown => ({
  id: digits(sale.invoice),
  preapproval_id: truth.id,
  status: "processed",
  debit_date: iso(sale.at),
  payment: { id: digits(sale.id), status: statusOf(sale) },
});

const salesOf = (truth: SimulatedSubscription | undefined) =>
  (truth?.sales ?? []).map((sale) => ({ truth: truth!, sale }));

/** Responds to searches: payments newest first if requested, charges always oldest first. */
function search(world: ProviderSimulation, kind: string, url: URL): Response {
  const query = url.searchParams;
  if (kind === "authorized_payments") {
    const id = query.get("id");
    if (!id) return page(world, salesOf(world.truths.get(query.get("preapproval_id")!)), url, invoiceView);
    const one = saleBy(world, ({ invoice }) => invoice === id);
    return page(world, one ? [one] : [], url, invoiceView);
  }
  const reference = query.get("external_reference")!;
  const asked = world.checkouts.get(reference);
  if (!asked) return answer(200, { paging: { total: 0 }, results: [] });
  if (isRefused(world, asked)) return TOO_MANY();
  if (asked.plan === "lifetime") {
    if (hasMalformedField(world, asked, "needed")) {
      asked.met.add("a needed field strange");
      return answer(200, { paging: { total: 1 }, results: null });
    }
    show(asked);
  }
  const found = salesOf(referenceOf(asked) === reference ? asked : undefined);
  return page(world, query.get("sort") === "date_created" ? found.toReversed() : found, url, paymentView);
}

function ofPreapproval(
  world: ProviderSimulation,
  truth: SimulatedSubscription | undefined,
  init: RequestInit | undefined,
): Response {
  if (truth?.plan !== "monthly" || truth.method !== "mercadopago") return notFound();
  if (isForgotten(truth)) {
    truth.met.add("MercadoPago: 404 for cancelled");
    showGone(truth);
    return notFound();
  }
  if (isRefused(world, truth)) return TOO_MANY();
  if (init?.method === "PUT") {
    if (truth.state === "cancelled") return answer(400, { error: "bad_request" });
    truth.state = JSON.parse(String(init.body)).status;
    truth.updated = world.clock;
  }
  if (hasMalformedField(world, truth, "needed")) {
    truth.met.add("a needed field strange");
    return answer(200, { id: 5 });
  }
  return answer(200, preapprovalView(world, truth));
}

function ofSale(world: ProviderSimulation, kind: string, id: string): Response {
  const by: Record<string, (sale: Sale) => boolean> = {
    payments: (sale) => sale.id === id,
    authorized_payments: (sale) => sale.invoice === id && !sale.ofSignUp,
    chargebacks: (sale) => `21${sale.id}` === id,
  };
  const found = saleBy(world, by[kind] ?? (() => false));
  if (found?.truth.method !== "mercadopago") return notFound();
  const { truth, sale } = found;
  if (isRefused(world, truth)) return TOO_MANY();
  if (sale.ofSignUp) truth.met.add("MercadoPago: sign-up refused first");
  if (kind === "payments") return answer(200, paymentView(world, truth, sale));
  if (kind === "authorized_payments") return answer(200, invoiceView(world, truth, sale));
  return answer(200, { id: digits(id), payments: [digits(sale.id)] });
}

function create(world: ProviderSimulation, kind: string, init: RequestInit): Response {
  const { external_reference } = JSON.parse(String(init.body));
  const truth = open(world, external_reference);
  if (!truth || (kind === "preapproval") !== (truth.plan === "monthly")) return answer(400, { error: "bad_request" });
  const init_point = `https://mercadopago.example/pay/${truth.id}?activation=true`;
  return answer(201, { id: truth.id, status: "pending", external_reference, init_point });
}

/** MercadoPago's responses about the subscriptions of a world. */
export function mercadopagoAnswers(world: ProviderSimulation): typeof globalThis.fetch {
  return async (input, init) => {
    if (world.down.mercadopago) return answer(503, {});
    const url = new URL(String(input));
    const parts = url.pathname.split("/").filter((part) => part && part !== "v1");
    const [kind = "", id = ""] = parts;
    if (init?.method === "POST") return create(world, kind, init);
    if (kind === "preapproval") return ofPreapproval(world, world.truths.get(id), init);
    return id === "search" ? search(world, kind, url) : ofSale(world, kind, id);
  };
}
