/** Steps of a payment: the plans, the providers' windows, and queries of both sides. */
import type { Page } from "@playwright/test";
import { alive } from "./fixtures.ts";
import { type Buyer, expect, type PaymentProviders } from "./payment-fixtures.ts";

const GOLD = "Ya tienes Membresía Gold";
export const gold = (page: Page) => page.getByRole("heading", { name: GOLD });
export const card = (page: Page, name: "PayPal" | "MercadoPago") => page.getByRole("region", { name: `Con ${name}` });
export const paypalButton = (page: Page) => page.getByRole("button", { name: "PayPal · Suscribirse" });
export const mercadopagoButton = (page: Page) => page.getByRole("button", { name: "Pagar con MercadoPago" });
export const notice = (page: Page, title: string) => page.getByRole("status").filter({ hasText: title });

/** Opens the plans and waits until the page is hydrated. */
export async function openPlans(page: Page, plan: "mensual" | "lifetime" = "mensual"): Promise<void> {
  await page.goto(`/planes?plan=${plan}`);
  await alive(page);
}

/** Returns the window that a click opens, when its page has loaded. */
export async function windowOf(page: Page, press: () => Promise<void>): Promise<Page> {
  const [popup] = await Promise.all([page.waitForEvent("popup"), press()]);
  await popup.waitForURL(/checkout.*id=/);
  return popup;
}
export const openPaypal = (page: Page) => windowOf(page, () => paypalButton(page).click());
export const openMercadopago = (page: Page) => windowOf(page, () => mercadopagoButton(page).click());
export const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

/** Chooses to pay a lifetime plan in cash. @returns the payment window */
export async function chooseCash(page: Page): Promise<Page> {
  await openPlans(page, "lifetime");
  const popup = await openMercadopago(page);
  await press(popup, "Dejar pendiente (efectivo)");
  await expect(notice(page, "Estamos confirmando tu pago")).toBeVisible();
  return popup;
}

/** Completes the last cash payment and sends its webhook events. */
export async function payInCash({ mercadopago }: PaymentProviders): Promise<void> {
  const [preference] = [...mercadopago.preferences.values()].slice(-1);
  for (const one of await mercadopago.approve(preference!.payments[0]!.id)) await mercadopago.send(one);
}

/** Counts the requests that make the server read a payment provider. */
export function countReadings(page: Page): () => number {
  let readings = 0;
  page.on("request", (request) => {
    if (request.url().endsWith("/reconciliation")) readings++;
  });
  return () => readings;
}

/** Counts the messages of a tab, each after the page's listeners have handled it. */
export async function countMessages(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const told = { messages: 0 };
    const count = () => void told.messages++;
    addEventListener("message", count);
    const channel = new BroadcastChannel("payments");
    channel.addEventListener("message", count);
    Object.assign(window, { told, channel });
  });
  return () => page.evaluate(() => (window as unknown as { told: { messages: number } }).told.messages);
}

/** Returns the last PayPal subscription of a buyer. */
export const subscriptionOf = ({ paypal }: PaymentProviders, { id }: Buyer) =>
  [...paypal.subscriptions.values()].findLast(({ custom_id }) => custom_id === id)!;
export async function checkoutOf({ sql }: PaymentProviders, { id }: Buyer) {
  const rows = await sql<{ id: string; external_id: string; status: string }>(
    "select id, external_id, status from checkouts where psychologist_id = $1 order by created_at desc limit 1",
    [id],
  );
  return rows[0]!;
}
export const membershipsOf = ({ sql }: PaymentProviders, { id }: Buyer) =>
  sql<{ provider: string; plan_type: string; status: string }>(
    "select provider, plan_type, status from subscriptions where psychologist_id = $1 order by created_at",
    [id],
  );
