import type { ErrorBody } from "#shared/errors.ts";
import type { CheckoutView, MembershipView } from "#shared/memberships.ts";

/** Outcome that the payment popup suggests. The server knows the real one. */
export type Outcome = "paid" | "closed" | "error";

/** Reason for no checkout: the server's error, or no response to a request that it may have processed, or has not. */
export type CheckoutFailure = ErrorBody | "lost" | "unsent";

export type PendingPayment = {
  checkout: CheckoutView;
  /**
   * "confirming": reported as paid. "unfinished": the popup was closed. "unreachable": our server did not respond.
   * "review": the payment does not match the offer. "refused": the provider rejected it.
   */
  kind: "confirming" | "unfinished" | "unreachable" | "review" | "refused";
  outcome: Outcome;
  polls: number;
};

/** Polling interval for an unconfirmed payment, in milliseconds. */
export const POLL_MS = 4000;
/** Maximum number of polls. After that the worker continues. */
export const MAX_POLLS = 30;

export const isSettled = ({ kind }: PendingPayment): boolean => kind === "review" || kind === "refused";

/** True if the provider may still confirm this payment, so that the page offers no other. */
export const isAwaited = ({ kind }: PendingPayment): boolean => kind === "confirming" || kind === "unreachable";

/** True if the current membership shows that the pending payment arrived. A monthly member may be buying lifetime. */
export const isPaidFor = (pending: PendingPayment, membership: MembershipView | null): boolean =>
  !isSettled(pending) &&
  membership !== null &&
  (membership.plan_type === "lifetime" || pending.checkout.plan_type === "monthly");

export const hasStoppedPolling = ({ polls }: PendingPayment): boolean => polls >= MAX_POLLS;

/**
 * Returns the pending payment for the server's status. If the popup reported a payment, "failed" may belong to an
 * earlier card, because the provider's search lags behind.
 * @returns null if the checkout is paid
 */
export function nextPendingPayment(
  checkout: CheckoutView,
  status: CheckoutView["status"] | "unreachable",
  outcome: Outcome,
  polls: number,
): PendingPayment | null {
  const pending = (kind: PendingPayment["kind"]) => ({ checkout, kind, outcome, polls });
  if (status === "paid") return null;
  if (status === "failed" && outcome !== "paid") return pending("refused");
  if (status === "unreachable") return pending("unreachable");
  if (status === "mismatch") return pending("review");
  const expected = status !== "expired" && (outcome === "paid" || checkout.payment_pending);
  return pending(expected ? "confirming" : "unfinished");
}

const CHANNEL = "payments";

type PaymentMessage = { checkout: string; outcome: "paid" | "closed" };

export function broadcastPayment(message: PaymentMessage): void {
  if (typeof BroadcastChannel === "undefined") return;
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(message);
  channel.close();
}

export function onPaymentMessage(listener: (message: PaymentMessage) => void): () => void {
  if (typeof BroadcastChannel === "undefined") return () => {};
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }) => {
    if (typeof data?.checkout === "string")
      listener({ checkout: data.checkout, outcome: data.outcome === "paid" ? "paid" : "closed" });
  };
  return () => channel.close();
}
