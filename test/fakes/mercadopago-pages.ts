/** The pages of the MercadoPago fake: payment pages, and a panel for `npm run dev`. */
import { type FakeAnswer, type FakeRequest, fakePage, html, known } from "./fake-server.ts";
import type { MercadopagoSimulation } from "./mercadopago.ts";

const BLUE = "#0a6cc4";

const page = (fake: MercadopagoSimulation, title: string, content: string): FakeAnswer => ({
  status: 200,
  headers: fake.pageHeaders,
  body: fakePage("MercadoPago", BLUE, title, content),
});
const price = (cents: number, currency: string) =>
  `${(cents / 100).toLocaleString("es-AR", { minimumFractionDigits: 2 })} ${currency}`;

const buttons = (pay: string, pending: boolean) =>
  `<button class="first" name="decision" value="approved">${pay}</button>${
    pending ? '<button name="decision" value="pending">Dejar pendiente (efectivo)</button>' : ""
  }<button name="decision" value="rejected">Rechazar</button><button name="decision" value="">Volver al sitio</button>`;

/** Responds to the payment pages and the panel. @returns null for other paths */
export async function mercadopagoPage(fake: MercadopagoSimulation, request: FakeRequest): Promise<FakeAnswer | null> {
  const { method, path } = request;
  if (path === "/mp/checkout")
    return method === "GET" ? preferencePage(fake, request) : decidePreference(fake, request);
  if (path === "/mp/subscriptions/checkout")
    return method === "GET" ? preapprovalPage(fake, request) : decidePreapproval(fake, request);
  if (path === "/" && method === "GET") return page(fake, "Panel", panel(fake));
  const [, action, which] = /^\/panel\/(\w+)\/([\w-]+)$/.exec(path) ?? [];
  if (!action || method !== "POST") return null;
  await press(fake, action, which!);
  return { status: 303, headers: { location: "/" } };
}

function preferencePage(fake: MercadopagoSimulation, { query }: FakeRequest): FakeAnswer {
  const one = fake.preferences.get(query.get("pref_id") ?? "");
  if (!one) return page(fake, "Error", "<main><h1>Algo salió mal</h1><p>Esta página de pago no existe.</p></main>");
  return page(
    fake,
    "Pagar",
    `<main><h1>${html(one.title)}</h1><p class="sum">${price(one.cents, one.currency)}</p><p>Un solo pago, como comprador@example.com.</p>
<form method="post" action="/mp/checkout"><input type="hidden" name="pref_id" value="${html(one.id)}">${buttons("Pagar", true)}</form></main>`,
  );
}

async function decidePreference(fake: MercadopagoSimulation, { body }: FakeRequest): Promise<FakeAnswer> {
  const form = new URLSearchParams(body);
  const one = known(fake.preferences, form.get("pref_id") ?? "");
  const decision = form.get("decision") as "approved" | "pending" | "rejected" | "";
  const payment = decision ? (await fake.pay(one.id, decision)).payment : null;
  const { success, failure, pending } = one.back_urls;
  const to = decision === "approved" ? success : decision === "pending" ? pending : failure;
  if (!to) return page(fake, "Listo", "<main><h1>Listo</h1></main>");
  const location = new URL(to);
  // MercadoPago writes absent values as "null" in its redirects.
  for (const [name, value] of Object.entries({
    collection_id: payment?.id,
    collection_status: payment?.status,
    payment_id: payment?.id,
    status: payment?.status,
    external_reference: payment?.external_reference,
    payment_type: payment && "credit_card",
    merchant_order_id: payment && fake.nextId(),
    preference_id: one.id,
    site_id: "MLA",
    processing_mode: "aggregator",
    merchant_account_id: null,
  }))
    location.searchParams.set(name, String(value ?? "null"));
  return { status: 303, headers: { location: location.href } };
}

function preapprovalPage(fake: MercadopagoSimulation, { query }: FakeRequest): FakeAnswer {
  const one = query.has("activation") ? undefined : fake.preapprovals.get(query.get("preapproval_id") ?? "");
  if (!one)
    return { ...page(fake, "Error", "<main><h1>Algo salió mal</h1><p>Esta página no existe.</p></main>"), status: 404 };
  return page(
    fake,
    "Suscribirse",
    `<main><h1>${html(one.reason)}</h1><p class="sum">${price(one.cents, one.currency)}</p><p>Cada mes, con la cuenta ${html(one.payer_email)}.</p>
<form method="post" action="/mp/subscriptions/checkout"><input type="hidden" name="preapproval_id" value="${html(one.id)}">${buttons("Confirmar", false)}</form></main>`,
  );
}

async function decidePreapproval(fake: MercadopagoSimulation, { body }: FakeRequest): Promise<FakeAnswer> {
  const form = new URLSearchParams(body);
  const one = known(fake.preapprovals, form.get("preapproval_id") ?? "");
  if (form.get("decision") === "approved" && one.status === "pending") await fake.authorize(one.id);
  const location = new URL(one.back_url);
  location.searchParams.set("preapproval_id", one.id);
  return { status: 303, headers: { location: location.href } };
}

async function press(fake: MercadopagoSimulation, action: string, which: string): Promise<void> {
  if (action === "authorize" || action === "cancel" || action === "pause") await fake[action](which);
  if (action === "charge") await fake.charge(which);
  if (action === "chargeFails") await fake.charge(which, "rejected");
  if (action === "refund" || action === "chargeBack" || action === "mediate" || action === "approve")
    await fake[action](which);
}

/** Panel for `npm run dev` with a button for every event at MercadoPago. */
function panel(fake: MercadopagoSimulation): string {
  const button = (action: string, which: string, label: string) =>
    `<form method="post" action="/panel/${action}/${which}"><button>${label}</button></form>`;
  const subscribed = [...fake.preapprovals.values()].map(
    (one) =>
      `<tr><td><code>${one.id}</code></td><td>${one.status}</td><td>${price(one.cents, one.currency)}</td><td>${button("authorize", one.id, "Autorizar")}${button("charge", one.id, "Cobrar")}${button("chargeFails", one.id, "Cobro fallido")}${button("pause", one.id, "Pausar")}${button("cancel", one.id, "Cancelar")}</td></tr>`,
  );
  const paid = [...fake.payments.values()].map(
    (one) =>
      `<tr><td><code>${one.id}</code></td><td>${one.status}</td><td>${price(one.cents, one.currency)}</td><td>${button("approve", one.id, "Aprobar")}${button("refund", one.id, "Reembolsar")}${button("mediate", one.id, "Reclamo")}${button("chargeBack", one.id, "Contracargo")}</td></tr>`,
  );
  return `<main class="wide"><h1>Suscripciones y pagos</h1><p>Cada botón mueve la verdad de MercadoPago y envía el aviso.</p><table>${subscribed.join("")}${paid.join("")}</table></main>`;
}
