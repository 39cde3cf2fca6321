/** Interface of a payment provider. Each provider is a folder of memberships/providers/, listed there in `registry.ts`. */
import type { Currency, PaymentStatus, PlanType, Provider } from "#shared/plans.ts";
import { DAY } from "#shared/time.ts";

/**
 * The state of a provider subscription: not approved yet, active, charges stopped, ended, never approved, or `gone`.
 * `gone`: the provider responds 404 for a subscription that it knew before.
 */
export type ProviderState = "pending" | "active" | "suspended" | "cancelled" | "expired" | "failed" | "gone";

/** Time in which a payment may be refunded, in milliseconds. Each reading looks at the payments of this time again. */
export const REFUNDABLE_FOR = 180 * DAY;

/** A payment at a provider or in our database. Amounts are minor units. */
export type Payment = {
  external_payment_id: string;
  amount: number;
  currency: string;
  status: PaymentStatus;
  /** Null after a partial refund of an unknown amount. */
  refunded_amount: number | null;
  dispute: "open" | "won" | "lost" | null;
  external_dispute_id: string | null;
  paid_at: Date;
  /** Time of this state by the provider's clock; null if the provider does not return it. */
  provider_updated_at: Date | null;
};

/** A payment at a provider. The dispute is absent if the provider stores disputes elsewhere and they were not read. */
export type SnapshotPayment = Omit<Payment, "dispute" | "external_dispute_id"> &
  Partial<Pick<Payment, "dispute" | "external_dispute_id">>;

/** A provider subscription and its payments at the provider, in one shape for all providers. */
export type Snapshot = {
  state: ProviderState;
  provider_updated_at: Date | null;
  /** Our id that the provider stores with it: the checkout's. */
  reference: string | null;
  /** Null if the provider's plan is unknown to us. */
  plan_type: PlanType | null;
  /** The provider's id of the plan, if it has plans. */
  plan_id: string | null;
  /** The recurring price if the provider returns it. We check each payment in any case. */
  price: { amount: number; currency: string } | null;
  /** True if the plan's terms were changed for this subscription, or its quantity is not 1. */
  altered: boolean;
  /** True if the first charge follows some time after the buyer's approval. */
  charges_later: boolean;
  next_billing_date: Date | null;
  payments: SnapshotPayment[];
  /** The last payment on the subscription itself, which sometimes appears before the list of payments shows it. */
  last_payment: { amount: number; currency: string; paid_at: Date } | null;
  /** How many payments of the provider's list we do not understand. Any of them may be the last one. */
  unreadable_payments: number;
  /**
   * The hints that the provider does not show yet: their events stay open. A reversal is unseen while the payment is
   * still shown as paid.
   */
  unseen: Hint[];
};

/** Fields of a snapshot that shows no payments and no terms. */
export const EMPTY_SNAPSHOT = {
  provider_updated_at: null,
  plan_id: null,
  price: null,
  altered: false,
  charges_later: false,
  next_billing_date: null,
  payments: [],
  last_payment: null,
  unreadable_payments: 0,
  unseen: [],
} satisfies Partial<Snapshot>;

/** True if the provider shows nothing of a provider subscription. */
export const isUnknown = (snapshot: Snapshot): boolean => snapshot.state === "gone" && !snapshot.payments.length;

/** The object of a webhook event, by the provider's id. We trust no other part of the event. */
export type WebhookResource = { type: string; id: string };
/** An object that a webhook event names in addition to the provider subscription. A reading reads it too. */
export type Hint = WebhookResource & { type: "payment" | "dispute" | "refund" | "reversal" };

/** A provider subscription to read, by the provider's id, with the data that we have of it. */
export type SnapshotRequest = {
  external_id: string;
  checkout: { id: string; plan_type: string; provider_plan_id: string | null; created_at: Date } | null;
  payments: Payment[];
  /** Time of the last settled reading, or null. Only what may have changed since is read. */
  read_at: Date | null;
  hints: readonly WebhookResource[];
  now: Date;
};

/** A checkout whose payment page a provider should open. The amount is in minor units. */
type CheckoutToOpen = {
  id: string;
  plan_type: PlanType;
  amount: number;
  currency: Currency;
  created_at: Date;
  /** Email of the paying account if `asksPayerEmail` contains the plan. */
  payer_email: string | null;
};
/** The provider's id of an opened checkout, and the URL of its payment page; null if the buyer pays on our page. */
type OpenedCheckout = { external_id: string; approval_url: string | null; provider_plan_id?: string };

/** A webhook event with a valid signature of the provider. */
export type WebhookEvent = {
  id: string;
  /** The provider's name of it, for the log. */
  type: string;
  /** Null for events that we do not handle. */
  subject: WebhookResource | null;
  created_at: Date | null;
};

/** The provider subscription that a webhook event concerns, and an optional hint. */
export type WebhookTarget = { subscription: string; hint: Hint | null };
/** Our database's records of a provider, used to find the target of a webhook event. */
export type ProviderRecords = {
  /** Returns the provider's id of the subscription of a known payment. */
  subscriptionOfPayment(externalPaymentId: string): Promise<string | null>;
  checkoutOf(reference: string | null): Promise<{ external_id: string | null } | null>;
};

/**
 * A payment provider. Reads and cancels, but decides nothing: `reconciliation/` decides what a snapshot changes.
 *
 * Every method throws ProviderError.
 */
export type PaymentProvider = {
  name: Provider;
  /** Plans for which the provider needs the email of the paying account before the checkout begins. */
  asksPayerEmail: readonly PlanType[];
  /** Plans whose payment page never expires. `cancel` ends their unpaid checkouts. */
  neverExpires: readonly PlanType[];
  openCheckout(checkout: CheckoutToOpen): Promise<OpenedCheckout>;
  /** Reads a provider subscription with its payments; null if the provider has none with this id, nor we a checkout. */
  read(request: SnapshotRequest): Promise<Snapshot | null>;
  /** Cancels a provider subscription. One that has ended or is unknown at the provider counts as cancelled. */
  cancel(externalId: string): Promise<unknown>;
  /**
   * Returns the event of a webhook request.
   * @returns null if the signature is invalid, "ignored" for an unhandled event, which needs no proof
   * @param body the raw bytes
   */
  verifyEvent(request: Request, body: Uint8Array): Promise<WebhookEvent | "ignored" | null>;
  /**
   * Finds the subscription to read for an event.
   * @returns null while neither the provider nor we know it; "ignored" if it needs no reading or concerns another sale of
   * the same account
   */
  targetOf(event: WebhookResource, records: ProviderRecords): Promise<WebhookTarget | "ignored" | null>;
  /** The events that the provider sent, or tried to send, in a span of time; absent if it has no list of them. */
  missedEvents?(from: Date, to: Date): Promise<WebhookEvent[]>;
};

/** Providers that can be called, by name: the configured ones and the test mode. */
export type PaymentProviders = ReadonlyMap<string, PaymentProvider>;

/** @returns null without a provider subscription */
export const target = (subscription: string | null | undefined, hint: Hint | null = null): WebhookTarget | null =>
  subscription ? { subscription, hint } : null;

/** The ids that hints of a type name, each once. */
export const hinted = (hints: readonly WebhookResource[], type: Hint["type"]): string[] => [
  ...new Set(hints.filter((hint) => hint.type === type).map(({ id }) => id)),
];

export async function firstTarget<Found>(
  ids: string[],
  resolve: (id: string) => Promise<Found | null>,
): Promise<Found | null> {
  for (const id of ids) {
    const found = await resolve(id);
    if (found) return found;
  }
  return null;
}
