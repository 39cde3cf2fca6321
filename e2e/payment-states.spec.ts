/**
 * The texts that a psychologist sees in each state of `docs/payments.md`: at the end of a payment, on the plans, on the
 * profile and in mails. Tests set states that take days in the database.
 */
import { HOUR } from "#shared/time.ts";
import { FULL_ONLY, toast } from "./fixtures.ts";
import { deliver, gold, mercadopagoButton, notice, openMercadopago, openPlans, press } from "./paying.ts";
import { type Buyer, expect, type PaymentProviders, test } from "./payment-fixtures.ts";
import { expectNoSidewaysScroll } from "./screen-checks.ts";

type Begun = { id: string; external_id: string };

/** Begins a checkout without a window. */
async function begin(
  { page }: Buyer,
  { url }: PaymentProviders,
  plan_type: "monthly" | "lifetime",
  method: "paypal" | "mercadopago",
): Promise<Begun> {
  const payer = method === "mercadopago" && plan_type === "monthly" ? { payer_email: "yo@example.com" } : {};
  const answer = await page.request.post("/api/checkouts", {
    data: { plan_type, method, ...payer },
    headers: { origin: url },
  });
  expect(answer.status(), await answer.text()).toBe(201);
  return answer.json();
}

/** Path to which a provider redirects at the end of a payment. */
const end = ({ id }: Begun, query = "") => `/planes/pago/${id}/fin${query}`;

test(
  "shows the state of each payment when the buyer returns from MercadoPago",
  FULL_ONLY,
  async ({ buyer, providers, watch }) => {
    watch.expectStatus(404);
    const { mercadopago } = providers;
    const psychologist = await buyer();
    const { page } = psychologist;
    const main = page.getByRole("main");
    const heading = (name: string) => expect(page.getByRole("heading", { level: 1, name })).toBeVisible();

    const cash = await begin(psychologist, providers, "lifetime", "mercadopago");
    await page.goto(end(cash));
    await heading("Estamos confirmando tu pago");
    await expect(main).toContainText("Si has pagado, tu membresía se activa sola: no hace falta que esperes aquí.");
    await expect(main).toContainText("Si no llegaste a pagar, no se cobra nada.");
    await page.goto(end(cash, "?status=null&preference_id=1"));
    await heading("El pago no se ha completado");
    await mercadopago.pay(cash.external_id, "pending");
    // A pending cash payment remains pending if the buyer returns again without paying.
    for (const query of ["?status=pending", "?status=null"]) {
      await page.goto(end(cash, query));
      await heading("Estamos confirmando tu pago");
      await expect(main).toContainText("en efectivo puede tardar días");
      await expect(main).toContainText("no hace falta que pagues otra vez");
    }
    await openPlans(page, "lifetime");
    await expect(notice(page, "Estamos confirmando tu pago")).toContainText("Lifetime empieza cuando llegue");
    await expect(mercadopagoButton(page)).toHaveCount(0);

    // One card is refused and another one accepted, but MercadoPago's search only shows the first payment.
    const second = await begin(psychologist, providers, "lifetime", "mercadopago");
    const refused = await mercadopago.pay(second.external_id, "rejected");
    refused.payment.date_created = new Date(Date.now() - HOUR);
    await page.goto(end(second, "?status=rejected"));
    await heading("Error en el pago");
    mercadopago.searchLag = 60_000;
    try {
      await mercadopago.pay(second.external_id);
      await page.goto(end(second, "?status=approved"));
      await heading("Estamos confirmando tu pago");
    } finally {
      mercadopago.searchLag = 0;
    }
    await heading("¡Suscripción activada!");

    // The cash payment also completes, although the buyer already has Gold.
    await mercadopago.approve([...mercadopago.payments.values()].find(({ status }) => status === "pending")!.id);
    await page.goto(end(cash, "?status=approved"));
    await heading("Tu pago necesita una revisión");
    await expect(main).toContainText("no coincide con el plan, o ya tenías una membresía");
    await openPlans(page);
    await expect(page.getByRole("table")).toContainText("No da Gold: ya tenías una membresía");
    await expectNoSidewaysScroll(page);

    const other = await buyer();
    const late = await begin(other, providers, "lifetime", "mercadopago");
    await providers.sql("update checkouts set created_at = now() - interval '25 hours' where id = $1", [late.id]);
    await other.page.goto(end(late));
    await expect(other.page.getByRole("heading", { name: "Este pago ya ha terminado" })).toBeVisible();
    await expect(other.page.getByRole("main")).toContainText("MercadoPago no muestra ningún pago");
    await other.page.goto(end(cash));
    await expect(other.page.getByRole("heading", { name: "Pago no encontrado" })).toBeVisible();
  },
);

test(
  "shows a month at MercadoPago without an agreement, with one, and with a second one after an uncharged one",
  FULL_ONLY,
  async ({ buyer, providers }) => {
    const { mercadopago } = providers;
    const psychologist = await buyer();
    const { page } = psychologist;
    await openPlans(page);
    const popup = await openMercadopago(page);
    await press(popup, "Volver al sitio");
    // MercadoPago does not reveal if the buyer has agreed, so no text may claim either.
    await expect(popup.getByRole("main")).toContainText("Si no llegaste a pagar, no se cobra nada.");
    await expect(notice(page, "Estamos confirmando tu pago")).toContainText(
      "Si has pagado, tu membresía se activa sola",
    );
    const [first] = [...mercadopago.preapprovals.values()].slice(-1);
    await deliver(providers, await mercadopago.authorize(first!.id));
    await expect(toast(page, "¡Pago exitoso!")).toBeVisible();
    await expect(page.getByText("Ya tienes Gold; si el cobro no llega, termina el")).toBeVisible();
    await popup.close();
    await page.goto("/perfil");
    await expect(page.getByText("Por confirmar. Falta el primer cobro; mientras tanto, Gold hasta")).toBeVisible();
    await expect(page.getByText("Próximo cobro")).toHaveCount(0);

    await deliver(providers, await mercadopago.cancel(first!.id));
    const again = await begin(psychologist, providers, "monthly", "mercadopago");
    await deliver(providers, await mercadopago.authorize(again.external_id));
    await page.goto(end(again, `?preapproval_id=${again.external_id}`));
    await expect(page.getByRole("main")).toContainText("Gold empieza con ese cobro");
    await openPlans(page);
    await expect(notice(page, "Estamos confirmando tu pago")).toContainText("más o menos una hora después");
    await expect(gold(page)).toHaveCount(0);
  },
);
