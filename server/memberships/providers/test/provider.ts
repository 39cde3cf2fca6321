import { randomUUID } from "node:crypto";
import type { Currency, PlanType } from "#shared/plans.ts";
import type { Db } from "../../../database/handles.ts";
import type { Payment, PaymentProvider } from "../../../integrations/payment-provider.ts";
import { insertTestCheckout, testCheckout } from "./store.ts";

/** The test mode of the demo: its payment page is ours and writes to a table of its own, which is read like a provider. */
export const openTestProvider = (db: Db): PaymentProvider => ({
  name: "test",
  asksPayerEmail: [],
  neverExpires: [],

  async openCheckout({ id, plan_type, amount, currency }) {
    const external_id = `TEST_${randomUUID()}`;
    await insertTestCheckout(db, { id: external_id, plan_type, amount, currency, payment_id: `TEST_${randomUUID()}` });
    return { external_id, pay_url: `/planes/pago/${id}` };
  },

  async read({ external_id, checkout, now }) {
    const row = await testCheckout(db, external_id);
    if (!row) return null;
    const money = { amount: row.amount, currency: row.currency as Currency };
    const paid = row.status === "approved";
    const payment: Payment = {
      external_payment_id: row.payment_id,
      ...money,
      status: "completed",
      refunded_amount: 0,
      dispute: null,
      external_dispute_id: null,
      paid_at: row.decided_at ?? now,
      as_of: null,
    };
    return {
      state: paid ? "active" : row.status === "rejected" ? "failed" : "pending",
      as_of: null,
      reference: checkout?.id ?? null,
      plan_type: row.plan_type as PlanType,
      plan_id: null,
      price: money,
      altered: false,
      charges_later: false,
      next_billing_date: null,
      payments: paid ? [payment] : [],
      last_payment: null,
      unconfirmed_reversal: null,
      unreadable_payments: 0,
      is_incomplete: false,
    };
  },

  // It charges nothing, and sends no events.
  cancel: async () => {},
  verifyEvent: async () => null,
  targetOf: async () => null,
  missedEvents: null,
});
