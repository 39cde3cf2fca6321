/**
 * The product's PayPal client with a local fake. Each test file calls `withPaypalClient()` once. It sets `fake` and
 * `paypal`.
 */
import { afterAll, afterEach, beforeAll, vi } from "vitest";
import { createPaypal, type Paypal } from "#server/integrations/paypal-client.ts";
import { WAIT_TIMEOUT_MS } from "./eventually.ts";
import { type PaypalFake, startPaypalFake } from "./fakes/paypal.ts";

export let fake: PaypalFake;
export let paypal: Paypal;

export const open = (more: Partial<Parameters<typeof createPaypal>[0]> = {}) =>
  createPaypal({
    apiBase: fake.url,
    clientId: fake.clientId,
    clientSecret: fake.clientSecret,
    webhookId: fake.webhookId,
    timeoutMs: WAIT_TIMEOUT_MS,
    ...more,
  });

/** Replaces the client, so that its token and certificates are not cached. */
export function openAgain(): void {
  paypal = open();
}

export function withPaypalClient(): void {
  beforeAll(async () => {
    fake = await startPaypalFake();
    openAgain();
  });
  afterAll(() => fake.close());
  afterEach(() => {
    fake.clearFaults();
    fake.decimal = (cents) => (cents / 100).toFixed(2);
    fake.lag = 0;
    fake.tokenSeconds = 32_400;
    vi.useRealTimers();
    vi.restoreAllMocks();
  });
}
