import { useCallback, useEffect, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import { deleteDraft, readDraft, saveDraft } from "#app/lib/drafts.ts";
import { type Toast, useToast } from "#app/ui/toast.tsx";
import type { ErrorBody } from "#shared/errors.ts";
import type { CheckoutView, MembershipView } from "#shared/memberships.ts";
import type { PaymentMethod, PlanType } from "#shared/plans.ts";
import {
  checkingWords,
  checkoutErrorToast,
  notKnownWords,
  openingText,
  paidToast,
  popupBlockedText,
  unknownStatusToast,
} from "./checkout-messages.ts";
import {
  hasStoppedPolling,
  isPaidFor,
  isSettled,
  nextPendingPayment,
  type Outcome,
  type PendingPayment,
  POLL_MS,
} from "./checkout-state.ts";
import { onPaymentMessage } from "./payment-channel.ts";
import { METHODS } from "./payment-methods.ts";

// Specification, section 4.8.
const POPUP_FEATURES = "popup,width=600,height=700";
/** Interval between checks for a closed payment popup, in milliseconds. */
const POPUP_CHECK_INTERVAL_MS = 1000;
/** Draft key of the unconfirmed payment. After a reload the tab does not offer to pay it again. */
const UNCONFIRMED_DRAFT = "unconfirmed-payment";

/** Draft key of the idempotency key until the server has responded. */
const PRESS_DRAFT = "checkout";
/** Delays before the checks of a submit with an unknown outcome, in milliseconds. */
const CHECK_PAUSES_MS = [1000, 3000, 6000];
/** Rejection without a response. The server may have processed the request. */
const LOST = "lost";

/**
 * Calls our API.
 * @throws the error body; `LOST` if the response was lost; null if the server did not process the request
 */
async function callApi(method: "GET" | "POST", path: string, body?: object): Promise<CheckoutView> {
  const { onLine } = navigator;
  const response = await fetch(`/api${path}`, {
    method,
    ...(body && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  }).catch(() => null);
  const answer = (await response?.json().catch(() => null)) ?? null;
  if (onLine && !answer && response?.status !== 503) throw LOST;
  if (!response?.ok) throw answer as ErrorBody | null;
  return answer as CheckoutView;
}

/**
 * Starts a checkout once per submit. Repeats the request while its outcome is unknown, even after a reload.
 * @param onDoubt called when the first response is lost
 */
async function beginOnce(wanted: object, onDoubt: () => void): Promise<CheckoutView> {
  const press = readDraft(PRESS_DRAFT) ?? { key: new Date().toISOString() };
  saveDraft(PRESS_DRAFT, press);
  let doubt = false;
  for (const pause of [...CHECK_PAUSES_MS, null]) {
    try {
      const checkout = await callApi("POST", "/checkouts", { ...wanted, ...press });
      deleteDraft(PRESS_DRAFT);
      return checkout;
    } catch (reason) {
      const code = (reason as ErrorBody | null)?.code;
      if (code && code !== "server_busy") deleteDraft(PRESS_DRAFT);
      if (code || (reason !== LOST && !doubt)) throw reason;
    }
    if (!doubt) onDoubt();
    doubt = true;
    if (pause) await new Promise((go) => setTimeout(go, pause));
  }
  throw LOST;
}

/** Ends the checkout of this tab. Ignores later responses, and a reload does not restore it. */
function clearCurrentCheckout(current: { current: CheckoutView | null }): void {
  current.current = null;
  deleteDraft(UNCONFIRMED_DRAFT);
}

/** Toast shown while the outcome is uncertain: the server did not respond, or the payment reported an error. */
function uncertainOutcomeToast({ kind, polls, outcome, checkout }: PendingPayment): Toast | null {
  if (polls > 0) return null;
  if (kind === "unreachable") return unknownStatusToast;
  return outcome === "error" ? METHODS[checkout.method].reportedError : null;
}

export type Checkout = ReturnType<typeof useCheckout>;

/**
 * Pays in a popup of the provider. The popup's result is only a hint: the server decides.
 *
 * The hook belongs to the page, because the offers disappear as soon as there is a membership.
 * @param membership current membership, as last loaded by the page
 */
export function useCheckout(membership: MembershipView | null) {
  const toast = useToast();
  const { revalidate } = useRevalidator();
  /** Methods with an open popup, and with a blocked one. */
  const [processing, setProcessing] = useState<PaymentMethod | null>(null);
  const [blocked, setBlocked] = useState<PaymentMethod | null>(null);
  const [pending, setPending] = useState<PendingPayment | null>(null);
  /** Checkout being paid or confirmed. Responses about any other checkout are too late. */
  const current = useRef<CheckoutView | null>(null);
  const stopWatching = useRef(() => {});

  // The page may load the membership before the checkout status arrives. Then the checkout is complete.
  useEffect(() => {
    if (!pending || !isPaidFor(pending, membership)) return;
    // Otherwise `checkStatus` has already shown the message.
    const isCurrent = current.current?.id === pending.checkout.id;
    clearCurrentCheckout(current);
    setPending(null);
    if (isCurrent && pending.kind !== "unfinished") toast(paidToast(pending.checkout));
  }, [membership, pending, toast]);

  function start(checkout: CheckoutView) {
    current.current = checkout;
    setProcessing(checkout.method);
  }

  /** Asks the server for the status. `outcome` is the popup's hint. */
  const checkStatus = useCallback(
    async (checkout: CheckoutView, outcome: Outcome, polls = 0) => {
      const read = await callApi("POST", `/checkouts/${checkout.id}/reconciliation`, {
        returned: outcome === "paid" && METHODS[checkout.method].returnsOnlyApproved,
      }).catch(() => null);
      const status = read?.status ?? "unreachable";
      // Another call may have completed or replaced this checkout during the request.
      if (current.current?.id !== checkout.id) return;
      const { method } = checkout;
      const next = nextPendingPayment(read ?? checkout, status, outcome, polls);
      setProcessing(null);
      setPending(next);
      if (next && !isSettled(next) && status !== "expired") {
        if (next.kind === "unfinished") deleteDraft(UNCONFIRMED_DRAFT);
        else saveDraft(UNCONFIRMED_DRAFT, { payment: JSON.stringify(next) });
        const uncertain = uncertainOutcomeToast(next);
        if (uncertain) toast(uncertain);
        return;
      }
      clearCurrentCheckout(current);
      if (status === "failed") toast(METHODS[method].refused);
      if (status !== "paid") return;
      toast(paidToast(checkout));
      await revalidate();
    },
    [revalidate, toast],
  );

  // Restores the unconfirmed payment from before a reload, until our server says how it ended.
  useEffect(() => {
    const draft = readDraft(UNCONFIRMED_DRAFT);
    if (!draft) return;
    const saved: PendingPayment = { ...JSON.parse(draft.payment as string), polls: 0 };
    current.current = saved.checkout;
    setPending(saved);
    callApi("GET", `/checkouts/${saved.checkout.id}`)
      .then((checkout) => checkout.status === "open" && { ...saved, checkout })
      .catch((refused) => refused?.code !== "checkout_not_found" && saved)
      .then((restored) => {
        // The user may have paid, or chosen another payment, during the request.
        if (current.current?.id !== saved.checkout.id) return;
        if (!restored) clearCurrentCheckout(current);
        setPending(restored || null);
      });
  }, []);

  // Polls while the payment may still be confirmed. For an unfinished one it reads only our own status, not the
  // provider.
  useEffect(() => {
    if (!pending || hasStoppedPolling(pending) || current.current?.id !== pending.checkout.id) return;
    const { checkout, kind, outcome, polls } = pending;
    const timer = setTimeout(async () => {
      if (kind !== "unfinished") return void checkStatus(checkout, outcome, polls + 1);
      const status = await callApi("GET", `/checkouts/${checkout.id}`).then(
        (now) => now.status,
        () => "open" as const,
      );
      if (status === "paid") void checkStatus(checkout, "closed", polls + 1);
      else setPending((now) => (now === pending ? { ...pending, polls: polls + 1 } : now));
    }, POLL_MS);
    return () => clearTimeout(timer);
  }, [pending, checkStatus]);

  // The payment result page may have lost its opener. It then broadcasts to all tabs of this site.
  useEffect(
    () =>
      onPaymentMessage(({ checkout: id, outcome }) => {
        const checkout = current.current;
        if (checkout?.id !== id) return;
        stopWatching.current();
        void checkStatus(checkout, outcome);
      }),
    [checkStatus],
  );
  useEffect(() => () => stopWatching.current(), []);

  function watch(opened: Window, checkout: CheckoutView) {
    const finish = (outcome: Outcome) => {
      stopWatching.current();
      void checkStatus(checkout, outcome);
    };
    const listen = ({ origin, source, data }: MessageEvent) => {
      if (origin !== location.origin || source !== opened || typeof data !== "object" || data === null) return;
      if (data.type === "payment_success" && data.preference_id === checkout.external_id) finish("paid");
      if (data.type === "payment_error") finish("error");
    };
    const timer = setInterval(() => {
      if (opened.closed) finish("closed");
    }, POPUP_CHECK_INTERVAL_MS);
    window.addEventListener("message", listen);
    stopWatching.current = () => {
      clearInterval(timer);
      window.removeEventListener("message", listen);
      stopWatching.current = () => {};
    };
  }

  /** Call it in the click handler. Browsers block a later popup. */
  async function begin(plan_type: PlanType, method: PaymentMethod, payer_email?: string) {
    const opened = window.open("about:blank", "pago", POPUP_FEATURES);
    setPending(null);
    if (!opened) {
      setBlocked(method);
      toast({ title: "Error", description: popupBlockedText(method), tone: "error" });
      return;
    }
    opened.document.title = openingText(method);
    opened.document.body.textContent = openingText(method);
    setProcessing(method);
    setBlocked(null);
    try {
      const wanted = { plan_type, method, ...(payer_email && { payer_email }) };
      const checkout = await beginOnce(wanted, () => toast(checkingWords));
      start(checkout);
      opened.location.href = checkout.url;
      watch(opened, checkout);
    } catch (refused) {
      opened.close();
      setProcessing(null);
      toast(refused === LOST ? notKnownWords : checkoutErrorToast(method, refused as ErrorBody | null));
    }
  }

  /** Error of the server when it rejected the subscription. PayPal's button only reports that an error occurred. */
  const refusal = useRef<Toast>(null);
  const paypal = {
    async create(plan_type: PlanType): Promise<string> {
      setPending(null);
      refusal.current = null;
      current.current = null;
      try {
        const checkout = await beginOnce({ plan_type, method: "paypal" }, () => toast(checkingWords));
        if (checkout.external_id) {
          start(checkout);
          return checkout.external_id;
        }
      } catch (refused) {
        refusal.current = refused === LOST ? notKnownWords : checkoutErrorToast("paypal", refused as ErrorBody | null);
      }
      throw new Error("There is no subscription to approve.");
    },
    async end(outcome: Outcome) {
      const checkout = current.current;
      if (checkout) return checkStatus(checkout, outcome);
      setProcessing(null);
      if (outcome !== "error") return;
      toast(refusal.current ?? METHODS.paypal.startFailed);
    },
  };

  /** Clears the pending payment, because the user selected another payment method. */
  function forgetPending() {
    clearCurrentCheckout(current);
    setPending(null);
  }

  const checkNow = () => {
    if (pending) void checkStatus(pending.checkout, pending.outcome, 0);
  };

  return { processing, blocked, pending, begin, paypal, checkNow, forgetPending };
}
