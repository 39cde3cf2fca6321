import { randomUUID } from "node:crypto";
import type { PaymentMethod } from "#shared/plans.ts";
import type { Config } from "../../config.ts";
import type { PaymentProvider, PaymentProviders } from "../../integrations/payment-provider.ts";
import { openMercadopago } from "./mercadopago/provider.ts";
import { openPaypal } from "./paypal/provider.ts";

/**
 * The test mode of the demo: its payment page is ours, and a decision there is settled at once. It charges nothing, sends no
 * events, and has nothing to read.
 */
const testProvider: PaymentProvider = {
  name: "test",
  asksPayerEmail: [],
  neverExpires: [],
  openCheckout: async ({ id }) => ({ external_id: `TEST_${randomUUID()}`, approval_url: `/planes/pago/${id}` }),
  read: async () => null,
  cancel: async () => {},
  verifyEvent: async () => null,
  targetOf: async () => null,
};

/** Opens the providers that the configuration names, and the test mode. Its payments remain when the demo ends. */
export function openPaymentProviders({ paypal, mercadopago, publicUrl }: Config): PaymentProviders {
  const providers = [
    paypal && openPaypal(paypal, publicUrl),
    mercadopago && openMercadopago(mercadopago, publicUrl),
    testProvider,
  ];
  return new Map(providers.flatMap((provider) => (provider ? [[provider.name, provider]] : [])));
}

/** The provider that currently takes the payments of a method, else the demo's test mode. @returns null if the method is not available */
export function providerFor(
  { config, paymentProviders }: { config: Config; paymentProviders: PaymentProviders },
  method: PaymentMethod,
): PaymentProvider | null {
  return paymentProviders.get(method) ?? (config.demo ? testProvider : null);
}
