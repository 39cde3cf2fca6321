import { useCallback, useEffect, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import { deleteDraft, readDraft, saveDraft } from "#app/lib/drafts.ts";
import { postJson } from "#app/lib/post-json.ts";
import { type Toast, useToast } from "#app/ui/toast.tsx";
import type { CheckoutView, MembershipView, ReconcileInput } from "#shared/memberships.ts";
import type { PaymentMethod, PlanType } from "#shared/plans.ts";
import {
  checkingWords,
  checkoutErrorToast,
  METHODS,
  openingText,
  paidToast,
  pendingToast,
  popupBlockedText,
} from "./checkout-messages.ts";
import {
  type CheckoutFailure,
  hasStoppedPolling,
  isAwaited,
  isPaidFor,
  isSettled,
  nextPendingPayment,
  type Outcome,
  onPaymentMessage,
  type PendingPayment,
  POLL_MS,
} from "./checkout-state.ts";

// Specification, section 4.8.
const POPUP_FEATURES = "popup,width=600,height=700";
/** In milliseconds. */
const POPUP_CHECK_INTERVAL_MS = 1000;
/** Draft key of the awaited payment. After a reload the tab does not offer to pay it again. */
const AWAITED_DRAFT = "unconfirmed-payment";

type Payment =
  | { step: "none" }
  | { step: "blocked"; method: PaymentMethod }
  /** Our server begins the checkout. PayPal's button reports a `refusal` later. */
  | { step: "opening"; method: PaymentMethod; refusal?: Toast }
  /** The buyer pays in a popup. PayPal's button watches its own. */
  | { step: "paying"; checkout: CheckoutView; popup: Window | null }
  /** Our server reads how the payment ended. */
  | ({ step: "checking" } & Attempt)
  | ({ step: "pending" } & PendingPayment);

type Attempt = Omit<PendingPayment, "kind">;

const NONE: Payment = { step: "none" };

const openCheckout = (payment: Payment): CheckoutView | null =>
  "checkout" in payment && !(payment.step === "pending" && isSettled(payment)) ? payment.checkout : null;

function processingMethod(payment: Payment): PaymentMethod | null {
  if (payment.step === "opening") return payment.method;
  return payment.step === "paying" || payment.step === "checking" ? payment.checkout.method : null;
}

export type Checkout = ReturnType<typeof useCheckout>;

/**
 * Pays in a popup of the provider. The popup's result is only a hint: the server decides. The hook belongs to the page,
 * because the offers disappear as soon as there is a membership.
 */
export function useCheckout(membership: MembershipView | null) {
  const toast = useToast();
  const { revalidate } = useRevalidator();
  const [payment, setPayment] = useState<Payment>(NONE);
  /** The newest payment. A response about an earlier payment is too late. */
  const latest = useRef(payment);

  const change = useCallback((next: Payment) => {
    latest.current = next;
    setPayment(next);
    if (next.step === "pending" && isAwaited(next)) saveDraft(AWAITED_DRAFT, { payment: JSON.stringify(next) });
    else deleteDraft(AWAITED_DRAFT);
  }, []);

  const check = useCallback(
    async ({ checkout, outcome, polls, kind }: Attempt & Partial<PendingPayment>) => {
      const started = latest.current;
      const { id, method } = checkout;
      const returned = outcome === "paid" && METHODS[method].returnsOnlyApproved;
      // Reconciliation reads the provider. An unfinished payment was probably never made, so our server's state is enough.
      const read = await (kind === "unfinished"
        ? callApi(`/${id}`).catch(() => checkout)
        : callApi(`/${id}/reconciliation`, { returned } satisfies Omit<ReconcileInput, "id">).catch(
            (failure: CheckoutFailure) =>
              typeof failure === "object" && failure.code === "checkout_not_found"
                ? { ...checkout, status: "expired" as const }
                : null,
          ));
      if (latest.current !== started) return;
      const next = nextPendingPayment(read ?? checkout, read?.status ?? "unreachable", outcome, polls);
      change(next ? { step: "pending", ...next } : NONE);
      const words = next ? pendingToast(next) : paidToast(checkout);
      if (words) toast(words);
      if (!next) await revalidate();
    },
    [change, revalidate, toast],
  );

  const finish = useCallback(
    (checkout: CheckoutView, outcome: Outcome) => {
      const now = latest.current;
      const attempt = { checkout, outcome, polls: 0 };
      change(now.step === "pending" ? { ...now, ...attempt } : { step: "checking", ...attempt });
      return check(attempt);
    },
    [change, check],
  );

  // A reload restores the payment that our server had not confirmed.
  useEffect(() => {
    const draft = readDraft(AWAITED_DRAFT);
    if (draft) change({ ...JSON.parse(draft.payment as string), polls: 0 });
  }, [change]);

  useEffect(() => {
    if (payment.step !== "paying" || !payment.popup) return;
    const { checkout, popup } = payment;
    const listen = ({ origin, source, data }: MessageEvent) => {
      if (origin !== location.origin || source !== popup || typeof data !== "object" || data === null) return;
      if (data.type === "payment_success" && data.preference_id === checkout.external_id) finish(checkout, "paid");
      if (data.type === "payment_error") finish(checkout, "error");
    };
    const timer = setInterval(() => {
      if (popup.closed) finish(checkout, "closed");
    }, POPUP_CHECK_INTERVAL_MS);
    window.addEventListener("message", listen);
    return () => {
      clearInterval(timer);
      window.removeEventListener("message", listen);
    };
  }, [payment, finish]);

  // The payment result page may have lost its opener. It then broadcasts to all tabs of this site.
  useEffect(
    () =>
      onPaymentMessage(({ checkout: id, outcome }) => {
        const checkout = openCheckout(latest.current);
        if (checkout?.id === id) void finish(checkout, outcome);
      }),
    [finish],
  );

  useEffect(() => {
    if (payment.step !== "pending" || isSettled(payment) || hasStoppedPolling(payment)) return;
    const timer = setTimeout(() => void check({ ...payment, polls: payment.polls + 1 }), POLL_MS);
    return () => clearTimeout(timer);
  }, [payment, check]);

  // The page may load the membership before a check responds.
  useEffect(() => {
    if (payment !== latest.current || payment.step !== "pending" || !isPaidFor(payment, membership)) return;
    change(NONE);
    if (payment.kind !== "unfinished") toast(paidToast(payment.checkout));
  }, [membership, payment, change, toast]);

  /** Call it in the click handler. Browsers block a later popup. */
  async function begin(plan_type: PlanType, method: PaymentMethod, payer_email?: string) {
    const popup = window.open("about:blank", "pago", POPUP_FEATURES);
    if (!popup) {
      change({ step: "blocked", method });
      toast({ title: "Error", description: popupBlockedText(method), tone: "error" });
      return;
    }
    popup.document.title = openingText(method);
    popup.document.body.textContent = openingText(method);
    change({ step: "opening", method });
    try {
      const wanted = { plan_type, method, ...(payer_email && { payer_email }) };
      const checkout = await beginCheckout(wanted, () => toast(checkingWords));
      popup.location.href = checkout.url;
      change({ step: "paying", checkout, popup });
    } catch (failure) {
      popup.close();
      change(NONE);
      toast(checkoutErrorToast(method, failure as CheckoutFailure));
    }
  }

  const paypal = {
    async create(plan_type: PlanType): Promise<string> {
      const opening = { step: "opening", method: "paypal" } as const;
      change(opening);
      try {
        const checkout = await beginCheckout({ plan_type, method: "paypal" }, () => toast(checkingWords));
        if (checkout.external_id) {
          change({ step: "paying", checkout, popup: null });
          return checkout.external_id;
        }
      } catch (failure) {
        change({ ...opening, refusal: checkoutErrorToast("paypal", failure as CheckoutFailure) });
      }
      // The button then reports only that an error occurred.
      throw new Error("There is no subscription to approve.");
    },
    async end(outcome: Outcome) {
      const now = latest.current;
      const checkout = openCheckout(now);
      if (checkout) return finish(checkout, outcome);
      change(NONE);
      if (outcome === "error") toast((now.step === "opening" && now.refusal) || METHODS.paypal.startFailed);
    },
  };

  return {
    processing: processingMethod(payment),
    blocked: payment.step === "blocked" ? payment.method : null,
    pending: payment.step === "pending" ? payment : null,
    begin,
    paypal,
    checkNow() {
      if (payment.step === "pending") void check({ ...payment, polls: 0 });
    },
    /** Clears the pending payment, because the user selected another payment method. */
    forgetPending: () => change(NONE),
  };
}

/** Draft of a press of this tab, until the server has responded. */
const PRESS_DRAFT = "checkout";
/** Delays before the repetitions of a request with an unknown outcome, in milliseconds. */
const PAUSES_MS = [1000, 3000, 6000];

/** @throws CheckoutFailure */
async function callApi(path: string, body?: object): Promise<CheckoutView> {
  const { onLine } = navigator;
  const url = `/api/checkouts${path}`;
  const response = await (body ? postJson(url, body) : fetch(url)).catch(() => null);
  const answer = await response?.json().catch(() => null);
  if (response?.ok && answer) return answer;
  // A proxy responds 503 without our JSON if it has no server.
  throw answer ?? (onLine && response?.status !== 503 ? "lost" : "unsent");
}

/**
 * The server begins one checkout per key, even after a reload.
 * @param onDoubt called when the first response is lost
 * @throws CheckoutFailure
 */
async function beginCheckout(
  wanted: { plan_type: PlanType; method: PaymentMethod; payer_email?: string },
  onDoubt: () => void,
): Promise<CheckoutView> {
  const press = readDraft(PRESS_DRAFT) ?? { key: new Date().toISOString() };
  saveDraft(PRESS_DRAFT, press);
  for (let lost = 0; ; lost++) {
    const checkout = await callApi("", { ...wanted, ...press }).catch((failure: CheckoutFailure) => {
      if (typeof failure === "object") {
        if (failure.code !== "server_busy") deleteDraft(PRESS_DRAFT);
        throw failure;
      }
      // A repetition that was not sent says nothing about the first request.
      if (failure === "unsent" && !lost) throw failure;
      return null;
    });
    if (checkout) {
      deleteDraft(PRESS_DRAFT);
      return checkout;
    }
    if (!lost) onDoubt();
    if (lost === PAUSES_MS.length) throw "lost" satisfies CheckoutFailure;
    await new Promise((go) => setTimeout(go, PAUSES_MS[lost]));
  }
}
