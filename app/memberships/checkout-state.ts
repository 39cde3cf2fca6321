import type { CheckoutView } from "#shared/memberships.ts";
import type { PaymentMethod } from "#shared/plans.ts";

/** Outcome that the payment popup suggests. The server knows the real one. */
export type Outcome = "paid" | "closed" | "error";

/** An incomplete payment. */
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

/** True if this checkout expects no payment any more. */
export const isSettled = ({ kind }: PendingPayment): boolean => kind === "review" || kind === "refused";

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
  if (status === "paid") return null;
  if (status === "failed" && outcome !== "paid") return { checkout, kind: "refused", outcome, polls };
  if (status === "unreachable") return { checkout, kind: "unreachable", outcome, polls };
  if (status === "mismatch") return { checkout, kind: "review", outcome, polls };
  const awaited = outcome === "paid" ? status !== "expired" : checkout.payment_pending;
  return { checkout, kind: awaited ? "confirming" : "unfinished", outcome, polls };
}

/**
 * State of payment on the plans page: the method with an open popup, the method whose popup was blocked, and the
 * pending payment.
 */
export type CheckoutState = {
  processing: PaymentMethod | null;
  blocked: PaymentMethod | null;
  pending: PendingPayment | null;
};

export const INITIAL_CHECKOUT_STATE: CheckoutState = { processing: null, blocked: null, pending: null };

export type CheckoutEvent =
  /** The user selected a payment method. The earlier pending payment disappears. */
  | { type: "chosen" }
  | { type: "window_opened"; method: PaymentMethod }
  | { type: "window_blocked"; method: PaymentMethod }
  | { type: "begun"; method: PaymentMethod }
  /** The popup was closed or has nothing more to report. */
  | { type: "ended" }
  | { type: "pending"; pending: PendingPayment | null }
  /** The page read only our own status, which did not change. */
  | { type: "polled"; pending: PendingPayment };

export function checkoutReducer(state: CheckoutState, event: CheckoutEvent): CheckoutState {
  switch (event.type) {
    case "chosen":
      return { ...state, pending: null };
    case "window_opened":
      return { processing: event.method, blocked: null, pending: null };
    case "window_blocked":
      return { ...state, blocked: event.method, pending: null };
    case "begun":
      return { ...state, processing: event.method };
    case "ended":
      return { ...state, processing: null };
    case "pending":
      return { ...state, pending: event.pending };
    case "polled":
      return state.pending === event.pending
        ? { ...state, pending: { ...event.pending, polls: event.pending.polls + 1 } }
        : state;
  }
}
