/** What Diván needs of a payment provider. Each provider is a folder of memberships/providers/, listed in `all.ts` there. */
import type { Currency, PaymentStatus, PlanType, Provider } from "#shared/plans.ts";

/** The state of a provider subscription: not approved yet, active, charges stopped, ended, or never approved. */
export type ProviderState = "pending" | "active" | "suspended" | "cancelled" | "expired" | "failed";

/** A payment, as a provider shows it or our database has it. Amounts are minor units. */
export type Payment = {
  external_payment_id: string;
  amount: number;
  currency: string;
  status: PaymentStatus;
  /** Null when a part was refunded and the provider does not say how much. */
  refunded_amount: number | null;
  dispute: "open" | "won" | "lost" | null;
  external_dispute_id: string | null;
  paid_at: Date;
  /** When this was so by the provider's clock; null where it does not say. */
  as_of: Date | null;
};

/** A payment as a provider shows it. The dispute is absent where the provider keeps disputes elsewhere and was not asked. */
export type SnapshotPayment = Omit<Payment, "dispute" | "external_dispute_id"> &
  Partial<Pick<Payment, "dispute" | "external_dispute_id">>;

/** A provider subscription and its payments as the provider shows them now, in one shape for all providers. */
export type Snapshot = {
  state: ProviderState;
  as_of: Date | null;
  /** Our id that the provider keeps with it: that of the psychologist or of the checkout. */
  reference: string | null;
  /** Null when the provider's plan is none of ours. */
  plan_type: PlanType | null;
  /** The provider's id of the plan, where it has plans. */
  plan_id: string | null;
  /** The recurring price, where the provider tells it; each payment is checked in any case. */
  price: { amount: number; currency: string } | null;
  /** The terms of the plan were changed for this one, or its quantity is not one. */
  altered: boolean;
  /** The first charge comes some time after the buyer has agreed. */
  charges_later: boolean;
  next_billing_date: Date | null;
  payments: SnapshotPayment[];
  /** The last payment as the subscription itself shows it, sometimes before the list of payments does. */
  last_payment: { amount: number; currency: string; paid_at: Date } | null;
  /** The id of a payment that a webhook event called reversed while the provider still shows it as paid. */
  unconfirmed_reversal: string | null;
  /** How many payments of the provider's list we do not understand. Any of them may be the last one. */
  unreadable_payments: number;
  /** What a webhook event names is not shown yet: the event is to be handled again. */
  is_incomplete: boolean;
};

/** What a webhook event names besides the provider subscription: ids of the provider that a reading should look at. */
export type Hints = { payment?: string; dispute?: string; refund?: string; reversal?: string };

/** What to read: a provider subscription by the provider's id, and what we know of it. */
export type SnapshotRequest = {
  external_id: string;
  checkout: { id: string; plan_type: string; provider_plan_id: string | null } | null;
  payments: Payment[];
  /** When it was last read and settled; null for the first time. Only what may have changed since is read. */
  read_at: Date | null;
  hints: Hints;
  now: Date;
};

/** A checkout for which a provider is to open its payment page. The amount is in minor units. */
type CheckoutToOpen = {
  id: string;
  psychologist_id: string;
  plan_type: PlanType;
  amount: number;
  currency: Currency;
  created_at: Date;
  /** The e-mail of the paying account, where `asksPayerEmail` names the plan. */
  payer_email: string | undefined;
};
/** What a provider opened: its id of it, and where the buyer pays, in a window of its own or on our page. */
export type OpenedCheckout = { external_id: string; pay_url: string | null; provider_plan_id?: string };

/** The object that a webhook event is about, by the provider's id. Nothing else in the event is trusted. */
export type EventSubject = { subject: string; subject_id: string };
/** A webhook event that is known to come from the provider. */
export type WebhookEvent = {
  id: string;
  /** What the provider calls it, for the log. */
  type: string | undefined;
  /** Null for events that we do not handle. */
  subject: EventSubject | null;
  created_at: Date | null;
};

/** The provider subscription that a webhook event concerns, and what else to look at. */
export type WebhookTarget = { subscription: string; hints: Hints };
/** What our database knows of a provider, for finding the target of a webhook event. */
export type ProviderRecords = {
  /** The provider's id of the subscription that a known payment belongs to. */
  subscriptionOfPayment(externalPaymentId: string): Promise<string | null>;
  /** The checkout that a reference of ours names. */
  checkoutOf(reference: string | null | undefined): Promise<{ id: string; external_id: string | null } | null>;
  /** Stores the id of what the provider created for a checkout, where the response to its creation was lost. */
  linkCheckout(id: string, externalId: string): Promise<unknown>;
};

/**
 * A payment provider. It reads and cancels, and decides nothing: what a snapshot changes is decided in `settlement/`.
 * Every method throws ProviderError.
 */
export type PaymentProvider = {
  name: Provider;
  /** The plans for which it needs to know the e-mail of the paying account before the checkout begins. */
  asksPayerEmail: readonly PlanType[];
  /** The plans whose payment page can be paid for ever: unpaid checkouts of them are ended with `cancel`. */
  neverExpires: readonly PlanType[];
  /** Opens its payment page for a checkout. */
  openCheckout(checkout: CheckoutToOpen): Promise<OpenedCheckout>;
  /** Reads a provider subscription with its payments; null when the provider knows none with this id. */
  read(request: SnapshotRequest): Promise<Snapshot | null>;
  /** Cancels a provider subscription. One that is over already, or no longer known there, counts as cancelled. */
  cancel(externalId: string): Promise<unknown>;
  /**
   * The event in a webhook request; null when the signature does not prove that the provider sent it, "ignored" for what
   * needs no proof since it is not handled.
   * @param body the raw bytes
   */
  verifyEvent(request: Request, body: Uint8Array): Promise<WebhookEvent | "ignored" | null>;
  /** What to read for an event; null while neither the provider nor we know it, "ignored" where there is nothing to read. */
  targetOf(event: EventSubject, records: ProviderRecords): Promise<WebhookTarget | "ignored" | null>;
  /** The events that the provider sent, or tried to send, in a span of time; null where it keeps no list of them. */
  missedEvents: ((from: Date, to: Date) => Promise<WebhookEvent[]>) | null;
};

/** The providers that can be called now, by name: those that are configured, and the test mode. */
export type PaymentProviders = ReadonlyMap<string, PaymentProvider>;

/** A target, or null where there is no provider subscription. */
export const target = (subscription: string | null | undefined, hints: Hints = {}): WebhookTarget | null =>
  subscription ? { subscription, hints } : null;

/** The first of some ids for which a target is found. */
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
