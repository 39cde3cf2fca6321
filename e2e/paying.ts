/** Steps of a payment: the plans, the providers' windows, and queries of both sides. */
import type { Page } from "@playwright/test";
import type { MercadopagoFakeWebhook } from "../test/fakes/mercadopago.ts";
import type { PaypalFakeEvent } from "../test/fakes/paypal.ts";
import { goTo } from "./fixtures.ts";
import { type Buyer, expect, type PaymentProviders } from "./payment-fixtures.ts";

const GOLD = "Ya tienes Membresía Gold";
export const gold = (page: Page) => page.getByRole("heading", { name: GOLD });
export const card = (page: Page, name: "PayPal" | "MercadoPago") => page.getByRole("region", { name: `Con ${name}` });
export const paypalButton = (page: Page) => page.getByRole("button", { name: "PayPal · Suscribirse" });
export const mercadopagoButton = (page: Page) => page.getByRole("button", { name: "Pagar con MercadoPago" });
export const notice = (page: Page, title: string) => page.getByRole("status").filter({ hasText: title });

export async function openPlans(page: Page, plan: "mensual" | "lifetime" = "mensual"): Promise<void> {
  await goTo(page, `/planes?plan=${plan}`);
}

/** Returns the window that a click opens, when its page has loaded. */
async function windowOf(page: Page, press: () => Promise<void>): Promise<Page> {
  const [popup] = await Promise.all([page.waitForEvent("popup"), press()]);
  await popup.waitForURL(/checkout.*id=/);
  return popup;
}
export const openPaypal = (page: Page) => windowOf(page, () => paypalButton(page).click());
export const openMercadopago = (page: Page) => windowOf(page, () => mercadopagoButton(page).click());
export const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

/** Sends webhook events, and waits until the worker has handled them. */
export async function deliver(
  { paypal, mercadopago, sql }: PaymentProviders,
  events: readonly (PaypalFakeEvent | MercadopagoFakeWebhook)[],
): Promise<void> {
  for (const event of events)
    expect(await ("event_type" in event ? paypal.send(event) : mercadopago.send(event))).toBe(200);
  const open = () => sql("select from webhook_events where done_at is null");
  await expect.poll(async () => (await open()).length).toBe(0);
}

export async function checkoutOf({ sql }: PaymentProviders, { id }: Buyer) {
  const rows = await sql<{ id: string; external_id: string }>(
    "select id, external_id from checkouts where psychologist_id = $1 order by created_at desc limit 1",
    [id],
  );
  return rows[0]!;
}
export const subscriptionOf = async (providers: PaymentProviders, buyer: Buyer) =>
  providers.paypal.subscriptions.get((await checkoutOf(providers, buyer)).external_id)!;
