import type { BrowserContextOptions, Page } from "@playwright/test";
import { type MercadopagoFake, startMercadopagoFake } from "#test/fakes/mercadopago.ts";
import { type PaypalFake, startPaypalFake } from "#test/fakes/paypal.ts";
import { FULL_RUN } from "#test/full-run.ts";
import { insertUser, type TestUser } from "#test/people.ts";
import { test as base, expect, goTo } from "./fixtures.ts";
import { currentRun, startPrivateServer } from "./server.ts";

/** A server configured for real payments with local fakes of both providers. */
type PaymentProviders = {
  url: string;
  paypal: PaypalFake;
  mercadopago: MercadopagoFake;
  sql<Row extends Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>;
};

type Fixtures = {
  /** Signs in a new verified psychologist in a separate browser. */
  buyer(options?: BrowserContextOptions): Promise<TestUser & { page: Page }>;
};

export const test = base.extend<Fixtures, { providers: PaymentProviders }>({
  providers: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what a fixture needs
    async ({}, use) => {
      const paypal = await startPaypalFake();
      const mercadopago = await startMercadopagoFake();
      const environment = { ...paypal.environment, ...mercadopago.environment };
      const { url, sql, close } = await startPrivateServer(currentRun().administrativeUrl, environment);
      paypal.webhookUrl = `${url}/api/webhooks/paypal`;
      mercadopago.webhookUrl = `${url}/api/webhooks/mercadopago`;
      await use({ url, paypal, mercadopago, sql });
      await close();
      await Promise.all([paypal.close(), mercadopago.close()]);
    },
    { scope: "worker" },
  ],
  baseURL: async ({ providers }, use) => use(providers.url),

  watch: async ({ watch, providers: { paypal, mercadopago } }, use) => {
    for (const fake of [paypal, mercadopago]) {
      watch.expectOrigin(fake.url);
      fake.delivery = "manual";
    }
    mercadopago.pageHeaders = {};
    await use(watch);
  },

  buyer: async ({ visit, providers }, use) => {
    await use(async (options) => {
      const person = await insertUser(providers.sql, { type: "psychologist", name: "Lic. Irene Casal" });
      return { ...person, page: await visit(person, "about:blank", options) };
    });
  },
});

export const detail: typeof test.only = FULL_RUN ? test : test.skip;

export { expect };

export const gold = (page: Page) => page.getByRole("heading", { name: "Ya tienes Membresía Gold" });
export const card = (page: Page, name: "PayPal" | "MercadoPago") => page.getByRole("region", { name: `Con ${name}` });
export const PAYPAL = "PayPal · Suscribirse";
export const paypalButton = (page: Page) => page.getByRole("button", { name: PAYPAL });
export const notice = (page: Page, title: string) => page.getByRole("status").filter({ hasText: title });

export async function openPlans(page: Page, plan: "mensual" | "lifetime" = "mensual"): Promise<void> {
  await goTo(page, `/planes?plan=${plan}`);
}

export const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

/** Presses a button. @returns the window that it opens, when its page has loaded */
export async function openWindow(page: Page, button: string): Promise<Page> {
  const [popup] = await Promise.all([page.waitForEvent("popup"), page.getByRole("button", { name: button }).click()]);
  await popup.waitForURL(/checkout.*id=|\/planes\/pago\//);
  return popup;
}
