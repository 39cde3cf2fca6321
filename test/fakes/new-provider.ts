/**
 * A fictional payment provider that differs from PayPal and MercadoPago. It takes the name of one of them: it shows that
 * the server's other code works with any provider. `docs/payments.md` lists the files for another name.
 *
 * It reports payments as receipts, signs events with a word in a header, lists its events, and charges immediately.
 */
import { randomUUID } from "node:crypto";
import type { PlanType } from "#shared/plans.ts";
import type {
  PaymentProvider,
  Snapshot,
  SnapshotPayment,
  WebhookEvent,
} from "../../server/integrations/payment-provider.ts";

const WORD = "a word that both sides know";

type Order = {
  reference: string;
  plan: PlanType;
  money: { amount: number; currency: string };
  state: Snapshot["state"];
  receipts: SnapshotPayment[];
};

/** Opens a provider without orders that replaces the provider `name`. @param now the provider's clock */
export function openNewProvider(name: PaymentProvider["name"], now: () => Date) {
  const orders = new Map<string, Order>();
  const events: WebhookEvent[] = [];
  const cancelled: string[] = [];
  const ofReceipt = (id: string) =>
    [...orders].find(([, { receipts }]) => receipts.some((receipt) => receipt.external_payment_id === id))?.[0];
  const tell = (receipt: string): WebhookEvent => {
    const event = {
      id: randomUUID(),
      type: "receipt",
      subject: { type: "payment", id: receipt },
      created_at: now(),
    };
    events.push(event);
    return event;
  };

  const provider: PaymentProvider = {
    name,
    asksPayerEmail: [],
    neverExpires: [],
    async openCheckout({ id, plan_type, amount, currency }) {
      const order = `ORDER-${randomUUID()}`;
      orders.set(order, {
        reference: id,
        plan: plan_type,
        money: { amount, currency },
        state: "pending",
        receipts: [],
      });
      return { external_id: order, approval_url: `https://new-provider.example/pay/${order}` };
    },
    async read({ external_id }) {
      const order = orders.get(external_id);
      return order
        ? {
            state: order.state,
            provider_updated_at: null,
            reference: order.reference,
            plan_type: order.plan,
            plan_id: null,
            price: order.money,
            altered: false,
            charges_later: false,
            next_billing_date: null,
            payments: order.receipts.map((receipt) => ({ ...receipt })),
            last_payment: null,
            unconfirmed_reversals: [],
            unreadable_payments: 0,
            unseen: [],
          }
        : null;
    },
    async cancel(order) {
      orders.get(order)!.state = "cancelled";
      cancelled.push(order);
    },
    async verifyEvent(request, body) {
      if (request.headers.get("x-word") !== WORD) return null;
      const id = Buffer.from(body).toString("utf8");
      return events.find((event) => event.id === id) ?? "ignored";
    },
    async targetOf({ id }) {
      const order = ofReceipt(id);
      return order ? { subscription: order, hint: { type: "payment", id } } : null;
    },
    missedEvents: async (from, to) => events.filter(({ created_at }) => created_at! >= from && created_at! <= to),
  };

  return {
    provider,
    /** The orders that were cancelled. */
    cancelled,
    /** Pays as the buyer, first or again. @returns the event */
    pay(order: string): WebhookEvent {
      const found = orders.get(order)!;
      found.state = "active";
      const receipt = `R-${randomUUID()}`;
      const paid = { status: "completed", refunded_amount: 0, paid_at: now(), provider_updated_at: null } as const;
      found.receipts.push({ external_payment_id: receipt, ...found.money, ...paid });
      return tell(receipt);
    },
    /** Refunds the last payment. @returns the event */
    refund(order: string): WebhookEvent {
      const receipt = orders.get(order)!.receipts.at(-1)!;
      Object.assign(receipt, { status: "refunded", refunded_amount: receipt.amount });
      return tell(receipt.external_payment_id);
    },
    /** Sends an event. @returns the status of the response */
    async send(url: string, { id }: WebhookEvent, word = WORD): Promise<number> {
      return (await fetch(url, { method: "POST", headers: { "x-word": word }, body: id })).status;
    },
  };
}
