/** The pages of the PayPal fake: the button's script, the approval page, and a panel for `npm run dev`. */
import { type FakeAnswer, type FakeRequest, fakePage, html, known } from "./fake-server.ts";
import type { PaypalSimulation } from "./paypal.ts";

/** Responds to the pages. The button opens the approval page in a window, the subscription's link in the same tab. */
export async function paypalPage(fake: PaypalSimulation, request: FakeRequest): Promise<FakeAnswer | null> {
  const { method, path } = request;
  if (path === "/sdk/js") return { status: 200, headers: { "content-type": "text/javascript" }, body: buttonScript };
  if (path === "/sdk/logo.svg")
    return {
      status: 200,
      headers: { "content-type": "image/svg+xml" },
      body: '<svg xmlns="http://www.w3.org/2000/svg"/>',
    };
  if (path === "/sdk/frame") return { status: 200, body: "<!doctype html><title>PayPal</title>" };
  if (path === "/sdk/log") return { status: 204, headers: { "access-control-allow-origin": "*" } };
  if (path === "/checkoutnow") return method === "GET" ? approvalPage(fake, request) : leaveApproval(fake, request);
  if (path === "/" && method === "GET") return { status: 200, body: panel(fake) };
  const [, action, which] = /^\/panel\/(\w+)\/([\w-]+)$/.exec(path) ?? [];
  if (action && method === "POST") {
    const moves = { approve: 1, renew: 1, failPayment: 1, suspend: 1, cancel: 1, expire: 1, refund: 1, reverse: 1 };
    if (action in moves) await fake[action as keyof typeof moves](which!);
    return { status: 303, headers: { location: "/" } };
  }
  return null;
}

function approvalPage(fake: PaypalSimulation, { query }: FakeRequest): FakeAnswer {
  const one = fake.subscriptions.get(query.get("id") ?? "");
  if (!one) return { status: 200, body: fakePage("PayPal", "#003087", "Un momento", "<main><p>Cargando…</p></main>") };
  const plan = fake.plans[one.plan_id]!;
  const hidden = `<input type="hidden" name="id" value="${html(one.id)}"><input type="hidden" name="alone" value="${html(query.get("alone"))}">`;
  return {
    status: 200,
    body: fakePage(
      "PayPal",
      "#003087",
      "Suscribirse",
      `<main><h1>Membresía, ${html(plan.name)}</h1><p class="sum">${fake.decimal(plan.cents)} ${plan.currency}</p>
<p>${plan.once ? "Un solo pago." : "Cada mes, hasta que canceles."} Pagas como comprador@example.com.</p>
<form method="post" action="/checkoutnow">${hidden}<button class="first" name="decision" value="approved">Suscribirse</button>
<button name="decision" value="cancelled">Cancelar y volver</button></form></main>`,
    ),
  };
}

async function leaveApproval(fake: PaypalSimulation, { body }: FakeRequest): Promise<FakeAnswer> {
  const form = new URLSearchParams(body);
  const one = known(fake.subscriptions, form.get("id") ?? "");
  const approved = form.get("decision") === "approved";
  if (approved && one.status === "APPROVAL_PENDING") await fake.approve(one.id);
  const back = approved ? one.return_url : one.cancel_url;
  if (form.get("alone") && back) {
    const location = new URL(back);
    location.searchParams.set("subscription_id", one.id);
    return { status: 303, headers: { location: location.href } };
  }
  const message = JSON.stringify({ fakePaypal: approved ? "approved" : "cancelled", id: one.id });
  return {
    status: 200,
    body: fakePage(
      "PayPal",
      "#003087",
      "Listo",
      `<main><h1>Listo</h1><p>Puedes cerrar esta ventana.</p></main>
<script>
// The opener detects a closed window, so it must receive the outcome first.
addEventListener("message", ({ source, data }) => { if (source === opener && data.fakePaypal === "heard") close(); });
if (opener) opener.postMessage(${message}, "*"); else close();
</script>`,
    ),
  };
}

/** Panel for `npm run dev` with a button for every event at PayPal. */
function panel(fake: PaypalSimulation): string {
  const button = (action: string, which: string, label: string) =>
    `<form method="post" action="/panel/${action}/${which}"><button>${label}</button></form>`;
  const rows = [...fake.subscriptions.values()].map((one) => {
    const last = one.sales.at(-1);
    return `<tr><td><code>${one.id}</code><br>${fake.plans[one.plan_id]!.name}</td><td>${one.status}</td><td>${one.sales
      .map((sale) => `${fake.decimal(sale.cents)} ${sale.currency} ${sale.state}`)
      .join("<br>")}</td><td>${button("approve", one.id, "Aprobar")}${button("renew", one.id, "Cobrar un mes")}${button(
      "failPayment",
      one.id,
      "Cobro fallido",
    )}${button("suspend", one.id, "Suspender")}${button("cancel", one.id, "Cancelar")}${button("expire", one.id, "Vencer")}${
      last ? button("refund", last.id, "Reembolsar") + button("reverse", last.id, "Contracargo") : ""
    }</td></tr>`;
  });
  return fakePage(
    "PayPal",
    "#003087",
    "Panel",
    `<main class="wide"><h1>Suscripciones</h1><p>Cada botón mueve la verdad de PayPal y envía el aviso.</p><table>${rows.join("")}</table></main>`,
  );
}

/**
 * The part of PayPal's script that the product uses: a button that opens PayPal's window, requests a subscription from
 * the page, and reports the outcome.
 */
const buttonScript = `(() => {
  const origin = new URL(document.currentScript.src).origin;
  const nonce = document.currentScript.getAttribute("data-csp-nonce");
  // Everything in PayPal's script that a page's policy may forbid: a style, a picture, a frame, a call, an inline script.
  const furnish = (element) => {
    const style = document.createElement("style");
    style.textContent = ".fake-paypal{display:block}";
    const picture = new Image(1, 1);
    picture.src = origin + "/sdk/logo.svg";
    picture.alt = "";
    const frame = document.createElement("iframe");
    frame.src = origin + "/sdk/frame";
    frame.title = "PayPal";
    frame.hidden = true;
    const inline = document.createElement("script");
    inline.nonce = nonce;
    inline.textContent = "document.documentElement.dataset.paypalInline = 'ran'";
    element.append(style, picture, frame, inline);
    void fetch(origin + "/sdk/log").catch(() => {});
  };
  window.paypal = {
    version: "fake",
    Buttons(options) {
      let button = null;
      let watching = 0;
      const error = (problem) => { if (options.onError) options.onError(problem); };
      const press = () => {
        const popup = window.open(origin + "/checkoutnow", "paypal_window", "popup,width=500,height=640");
        if (!popup) return error(new Error("The window was blocked."));
        const end = (what) => {
          window.removeEventListener("message", hear);
          clearInterval(watching);
          what();
        };
        let id = null;
        const hear = (event) => {
          if (event.origin !== origin || event.source !== popup || !event.data || event.data.id !== id) return;
          popup.postMessage({ fakePaypal: "heard" }, origin);
          if (event.data.fakePaypal === "approved")
            end(() => Promise.resolve(options.onApprove({ subscriptionID: id, orderID: "" }, {})).catch(error));
          if (event.data.fakePaypal === "cancelled") end(() => options.onCancel && options.onCancel({}));
        };
        Promise.resolve()
          .then(() => options.createSubscription({}, {}))
          .then((made) => {
            if (typeof made !== "string" || !made) throw new Error("There is no subscription.");
            id = made;
            window.addEventListener("message", hear);
            popup.location = origin + "/checkoutnow?id=" + encodeURIComponent(id);
            watching = setInterval(() => { if (popup.closed) end(() => options.onCancel && options.onCancel({})); }, 500);
          })
          .catch((problem) => { popup.close(); error(problem); });
      };
      return {
        isEligible: () => true,
        render(target) {
          const element = typeof target === "string" ? document.querySelector(target) : target;
          button = document.createElement("button");
          button.type = "button";
          button.textContent = "PayPal · Suscribirse";
          button.setAttribute("style", "display:block;width:100%;min-height:48px;border:0;border-radius:24px;background:#ffc439;color:#111;font:600 1rem system-ui;cursor:pointer");
          button.addEventListener("click", press);
          furnish(element);
          element.append(button);
          return Promise.resolve();
        },
        close() { if (button) button.parentElement.replaceChildren(); button = null; clearInterval(watching); return Promise.resolve(); },
        updateProps(more) { Object.assign(options, more); return Promise.resolve(); },
      };
    },
  };
})();`;
