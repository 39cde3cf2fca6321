import { useCallback, useEffect, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import { useToast } from "#app/ui/toast.tsx";
import type { ErrorBody } from "#shared/errors.ts";
import type { CheckoutView, MembershipView } from "#shared/memberships.ts";
import type { PaymentMethod, PlanType } from "#shared/plans.ts";
import { onPaymentMessage } from "./payment-channel.ts";
import {
  blockedWords,
  failedWords,
  notBegunWords,
  openingWords,
  paidWords,
  paypalErrorWords,
  unknownWords,
} from "./words.ts";

// Specification, section 9.
const WINDOW = "popup,width=600,height=700";
/** How often it is checked whether the payment window was closed. */
const WINDOW_CHECK_MS = 1000;
/**
 * How often, and how many times, the server is polls about a payment that is not confirmed yet: two minutes. The sweep
 * follows.
 */
const POLL_MS = 4000;
const MAX_POLLS = 30;
/** Where a tab keeps the id of the checkout that is being confirmed, so that a reload does not offer to pay it again. */
const STORAGE_KEY = "confirming";

/** A payment that is neither complete nor refused. */
export type PendingPayment = {
  checkout: CheckoutView;
  /** Reported as paid; the window was closed before the end; our server cannot be reached; what was paid does not match the offer. */
  kind: "confirming" | "unfinished" | "unreachable" | "review";
  polls: number;
};

/** Whether the page no longer polls: the sweep takes over. */
export const hasStoppedPolling = ({ polls }: PendingPayment): boolean => polls >= MAX_POLLS;

/** Calls our own API. Rejects with the error body, or with null when there is no answer. */
async function callApi(method: "GET" | "POST", path: string, body?: object): Promise<CheckoutView> {
  const response = await fetch(`/api${path}`, {
    method,
    ...(body && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  }).catch(() => null);
  const answer = (await response?.json().catch(() => null)) ?? null;
  if (!response?.ok) throw answer as ErrorBody | null;
  return answer as CheckoutView;
}

export type Checkout = ReturnType<typeof useCheckout>;

/**
 * Pays in a window of the payment provider. What that window reports is a hint: the server is asked each time, and only
 * its answer counts. The hook belongs to the page and not to the offers, which disappear as soon as there is a
 * membership.
 * @param membership the one in force, as the page last read it
 */
export function useCheckout(membership: MembershipView | null) {
  const toast = useToast();
  const { revalidate } = useRevalidator();
  /** The method whose payment window is open. */
  const [processing, setProcessing] = useState<PaymentMethod | null>(null);
  const [blocked, setBlocked] = useState<PaymentMethod | null>(null);
  const [pending, setPending] = useState<PendingPayment | null>(null);
  const current = useRef<CheckoutView | null>(null);
  const stopWatching = useRef(() => {});

  // The page may load the membership before the checkout is read as paid: then nothing is pending any more.
  useEffect(() => {
    if (!pending || !membership || pending.kind === "review") return;
    if (membership.plan_type !== "lifetime" && pending.checkout.plan_type === "lifetime") return;
    // Otherwise `checkStatus` has shown the message already.
    const isCurrent = current.current?.id === pending.checkout.id;
    current.current = null;
    sessionStorage.removeItem(STORAGE_KEY);
    setPending(null);
    if (isCurrent && pending.kind !== "unfinished") toast(paidWords[pending.checkout.method]);
  }, [membership, pending, toast]);

  function start(checkout: CheckoutView) {
    current.current = checkout;
    setProcessing(checkout.method);
  }

  /** Asks the server for the status. `outcome` is what the window, or closing it, suggests. */
  const checkStatus = useCallback(
    async (checkout: CheckoutView, outcome: "paid" | "closed" | "error", polls = 0) => {
      let status: CheckoutView["status"] | "unreachable";
      try {
        status = (await callApi("POST", `/checkouts/${checkout.id}/reconciliation`, {})).status;
      } catch {
        status = "unreachable";
      }
      // Another call may have completed this checkout or started another one meanwhile.
      if (current.current?.id !== checkout.id) return;
      setProcessing(null);
      if (status === "open" || status === "unreachable") {
        const paid = outcome === "paid" || status === "unreachable";
        if (paid) sessionStorage.setItem(STORAGE_KEY, checkout.id);
        if (status === "unreachable" && polls === 0) toast(unknownWords);
        if (outcome === "error" && status === "open" && checkout.method === "paypal") toast(paypalErrorWords);
        setPending({
          checkout,
          kind: status === "unreachable" ? "unreachable" : paid ? "confirming" : "unfinished",
          polls,
        });
        return;
      }
      current.current = null;
      sessionStorage.removeItem(STORAGE_KEY);
      if (status === "paid") {
        setPending(null);
        toast(paidWords[checkout.method]);
        await revalidate();
      } else if (status === "failed") {
        setPending(null);
        toast(failedWords[checkout.method]);
      } else setPending({ checkout, kind: status === "mismatch" ? "review" : "unfinished", polls });
    },
    [revalidate, toast],
  );

  // A payment that was being confirmed before a reload still is.
  useEffect(() => {
    const id = sessionStorage.getItem(STORAGE_KEY);
    if (!id) return;
    callApi("GET", `/checkouts/${id}`).then(
      (checkout) => {
        if (checkout.status !== "open") return sessionStorage.removeItem(STORAGE_KEY);
        current.current ??= checkout;
        setPending({ checkout, kind: "confirming", polls: 0 });
      },
      () => sessionStorage.removeItem(STORAGE_KEY),
    );
  }, []);

  // Polls while the payment may still be confirmed; of an unfinished one only our own status, not the provider.
  useEffect(() => {
    if (!pending || hasStoppedPolling(pending) || current.current?.id !== pending.checkout.id) return;
    const { checkout, kind, polls } = pending;
    const timer = setTimeout(async () => {
      if (kind !== "unfinished") return void checkStatus(checkout, "paid", polls + 1);
      const status = await callApi("GET", `/checkouts/${checkout.id}`).then(
        (now) => now.status,
        () => "open" as const,
      );
      if (status === "paid") void checkStatus(checkout, "closed", polls + 1);
      else setPending((now) => (now === pending ? { ...now, polls: polls + 1 } : now));
    }, POLL_MS);
    return () => clearTimeout(timer);
  }, [pending, checkStatus]);

  // The page where a payment ends may have lost its opener: then it broadcasts to every tab of this site.
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
    const finish = (outcome: "paid" | "closed" | "error") => {
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
    }, WINDOW_CHECK_MS);
    window.addEventListener("message", listen);
    stopWatching.current = () => {
      clearInterval(timer);
      window.removeEventListener("message", listen);
      stopWatching.current = () => {};
    };
  }

  /** Call it in the click handler: browsers block a window that is opened later. */
  async function begin(plan_type: PlanType, method: PaymentMethod, payer_email?: string) {
    setPending(null);
    const opened = window.open("about:blank", "pago", WINDOW);
    setBlocked(opened ? null : method);
    if (!opened) {
      toast({ title: "Error", description: blockedWords[method], tone: "error" });
      return;
    }
    opened.document.title = openingWords[method];
    opened.document.body.textContent = openingWords[method];
    setProcessing(method);
    try {
      const checkout = await callApi("POST", "/checkouts", { plan_type, method, ...(payer_email && { payer_email }) });
      start(checkout);
      opened.location.href = checkout.url;
      watch(opened, checkout);
    } catch (refused) {
      opened.close();
      setProcessing(null);
      toast(notBegunWords(method, refused as ErrorBody | null));
    }
  }

  /** The callbacks of PayPal's button. */
  const refusal = useRef<{ body: ErrorBody | null } | null>(null);
  const paypal = {
    async create(plan_type: PlanType): Promise<string> {
      setPending(null);
      refusal.current = null;
      current.current = null;
      try {
        const checkout = await callApi("POST", "/checkouts", { plan_type, method: "paypal" });
        if (checkout.external_id) {
          start(checkout);
          return checkout.external_id;
        }
      } catch (refused) {
        refusal.current = { body: refused as ErrorBody | null };
      }
      throw new Error("There is no subscription to approve.");
    },
    async end(outcome: "paid" | "closed" | "error") {
      const checkout = current.current;
      if (checkout) return checkStatus(checkout, outcome);
      setProcessing(null);
      if (outcome !== "error") return;
      toast(refusal.current ? notBegunWords("paypal", refusal.current.body) : paypalErrorWords);
    },
  };

  /** Forgets the payment that is being confirmed: the user wants to pay another way. */
  function forgetPending() {
    current.current = null;
    sessionStorage.removeItem(STORAGE_KEY);
    setPending(null);
  }

  /** Asks the server again at the user's request. */
  const checkNow = () => {
    if (pending) void checkStatus(pending.checkout, "paid", 0);
  };

  return { processing, blocked, pending, begin, paypal, checkNow, forgetPending };
}
