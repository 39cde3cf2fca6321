import { randomUUID } from "node:crypto";
import type { PaymentProvider } from "../../../integrations/payment-provider.ts";

/**
 * The test mode of the demo: its payment page is ours, and a decision there is settled at once. It charges nothing, sends no
 * events, and has nothing to read.
 */
export const testProvider: PaymentProvider = {
  name: "test",
  asksPayerEmail: [],
  neverExpires: [],
  openCheckout: async ({ id }) => ({ external_id: `TEST_${randomUUID()}`, approval_url: `/planes/pago/${id}` }),
  read: async () => null,
  cancel: async () => {},
  verifyEvent: async () => null,
  targetOf: async () => null,
  missedEvents: null,
};
