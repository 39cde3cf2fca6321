import type { BrowserContext, Page } from "@playwright/test";
import { type MercadopagoFake, startMercadopagoFake } from "#test/fakes/mercadopago.ts";
import { type PaypalFake, startPaypalFake } from "#test/fakes/paypal.ts";
import { FULL_RUN } from "#test/full-run.ts";
import { insertUser, type PersonOptions } from "#test/people.ts";
import { test as base, expect, sessionCookie } from "./fixtures.ts";
import { currentRun, startPrivateServer } from "./server.ts";

/** A server configured for real payments with local fakes of both providers. */
export type PaymentProviders = {
  url: string;
  paypal: PaypalFake;
  mercadopago: MercadopagoFake;
  sql<Row extends Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>;
};

/** A signed-in user in a separate browser. */
export type Buyer = { id: string; email: string; page: Page; context: BrowserContext };

type Fixtures = {
  /** Creates a buyer, by default a verified psychologist. */
  buyer(options?: PersonOptions): Promise<Buyer>;
  hasGold(buyer: Buyer): Promise<boolean>;
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
      fake.clearFaults();
      fake.delivery = "manual";
      fake.chargeOverride = {};
    }
    paypal.lag = 0;
    mercadopago.pageHeaders = {};
    await use(watch);
    for (const fake of [paypal, mercadopago]) fake.clearFaults();
  },

  buyer: async ({ openContext, providers }, use) => {
    await use(async (options = { type: "psychologist" }) => {
      const person = await insertUser(providers.sql, { name: "Lic. Irene Casal", ...options });
      const context = await openContext();
      await context.addCookies([sessionCookie(person, providers.url)]);
      return { id: person.id, email: person.email, context, page: await context.newPage() };
    });
  },

  hasGold: async ({ providers }, use) => {
    await use(async ({ id }) => {
      const [row] = await providers.sql<{ gold: boolean }>(
        "select coalesce(gold_until > now(), false) as gold from psychologist_profiles where id = $1",
        [id],
      );
      return row!.gold;
    });
  },
});

export const detail: typeof test.only = FULL_RUN ? test : test.skip;

export { expect };
