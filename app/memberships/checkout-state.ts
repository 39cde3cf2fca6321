import type { CheckoutView } from "#shared/memberships.ts";
import type { PaymentMethod } from "#shared/plans.ts";

/** What the payment window, or closing it, suggests: a hint that the server is asked about. */
export type Outcome = "paid" | "closed" | "error";

/** A payment that is neither complete nor refused. */
export type PendingPayment = {
  checkout: CheckoutView;
  /** Reported as paid; the window was closed before the end; our server cannot be reached; what was paid does not match the offer. */
  kind: "confirming" | "unfinished" | "unreachable" | "review";
  outcome: Outcome;
  polls: number;
};

/** How often the server is polled about a payment that is not confirmed yet, in milliseconds. */
export const POLL_MS = 4000;
/** How many times it is polled; the sweep follows. */
export const MAX_POLLS = 30;

/** Whether the page no longer polls: the sweep takes over. */
export const hasStoppedPolling = ({ polls }: PendingPayment): boolean => polls >= MAX_POLLS;

/**
 * What is pending after the server was asked about a checkout; null once it is paid or has failed. Where the window suggests
 * a payment, a refusal may be that of an earlier card: the provider's search lags behind.
 */
export function pendingAfter(
  checkout: CheckoutView,
  status: CheckoutView["status"] | "unreachable",
  outcome: Outcome,
  polls: number,
): PendingPayment | null {
  if (status === "paid" || (status === "failed" && outcome !== "paid")) return null;
  if (status === "unreachable") return { checkout, kind: "unreachable", outcome, polls };
  if (status === "mismatch") return { checkout, kind: "review", outcome, polls };
  const awaited = outcome === "paid" ? status !== "expired" : checkout.payment_pending;
  return { checkout, kind: awaited ? "confirming" : "unfinished", outcome, polls };
}

/** What the plans page shows of paying: the method whose window is open, the one that was blocked, what is pending. */
export type CheckoutState = {
  processing: PaymentMethod | null;
  blocked: PaymentMethod | null;
  pending: PendingPayment | null;
};

export const NO_CHECKOUT: CheckoutState = { processing: null, blocked: null, pending: null };

export type CheckoutEvent =
  /** A way to pay was chosen: whatever was pending is no longer shown. */
  | { type: "chosen" }
  | { type: "window_opened"; method: PaymentMethod }
  | { type: "window_blocked"; method: PaymentMethod }
  | { type: "begun"; method: PaymentMethod }
  /** The window is closed or has nothing more to say. */
  | { type: "ended" }
  | { type: "pending"; pending: PendingPayment | null }
  /** Only our own status was read, and it is as before. */
  | { type: "polled"; pending: PendingPayment };

/** What is shown after an event. */
export function afterEvent(state: CheckoutState, event: CheckoutEvent): CheckoutState {
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
